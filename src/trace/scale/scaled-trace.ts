import { fail } from '../../base/problem.ts';
import { FIRST_NONBLOCKING, ROWS, SENDS } from '../ti/grammar.ts';
import type { TraceFiles } from '../ti/input/listing.ts';
import type { Source } from '../ti/input/source.ts';
import { MAX_RANKS } from '../ti/ranks.ts';
import { completes } from './completes.ts';
import { coordinatesOf, type Grid, gridLike, gridsOf, gridText, type Offset, ranksOf } from './process-grid.ts';
import { argumentOf, isAnySource, type RankSteps, recordedSteps } from './recorded-steps.ts';
import { RoleLines } from './role-lines.ts';
import {
  BETWEEN,
  keyOf,
  partnerAt,
  placesAlong,
  type Role,
  type RoleStep,
  Roles,
  reachOf,
  roleOf,
  Unalike,
} from './roles.ts';
import { type Scaling, ScalingLaw } from './scaling-law.ts';

/** The trace of the same program on another number of ranks. */
export interface ScaledTrace {
  /** Its text, made where it is read. */
  readonly files: TraceFiles;
  /** The line of the recorded trace from which a line of the text was made. */
  origin(line: number): { readonly file: string; readonly line: number };
  /** The recognised structure, and the changes of amounts: one sentence each. */
  readonly remarks: readonly string[];
}

/** Lines of a recorded trace that are kept in memory. */
const MAX_LINES = 2 ** 23;
/** Lines of a trace that is made: about 100 GB of text. */
const MAX_MADE = 2 ** 32;
/** Grids in which messages go to more neighbours are no grids. */
const MAX_NEIGHBOURS = 64;

/**
 * Makes the trace of a program on another number of ranks from a recorded one. The messages decide on the grid of the ranks: the
 * simplest one in which the messages of the larger grid match. A rank takes the steps of the recorded rank with the same place, near the
 * ends of the grid or between them; its partners have the same offsets. Amounts follow {@link ScalingLaw}.
 *
 * @param name the trace, for messages
 * @throws InputError TI060 if no grid fits, with the reason; TI061 for a number of ranks that a grid like the recorded one cannot
 * have; TI062 for a trace that is too large
 * @complexity O(lines of the recorded trace × grids), and O(lines made) for each reading of the text
 */
export function scaledTrace(
  name: string,
  recorded: TraceFiles,
  from: number,
  ranks: number,
  scaling: Scaling,
): ScaledTrace {
  if (ranks > MAX_RANKS)
    fail('TI011', `${ranks} ranks were requested: at most ${MAX_RANKS} ranks are supported.`, { file: name });
  const steps = recordedSteps(recorded, from);
  const lines = steps.reduce((sum, one) => sum + one.steps.length, 0);
  if (lines > MAX_LINES)
    fail('TI062', `the trace has ${lines} lines: at most ${MAX_LINES} can be scaled`, { file: name });
  if ((lines / from) * ranks > MAX_MADE)
    fail(
      'TI062',
      `the trace of ${ranks} ranks would have about ${((lines / from) * ranks).toPrecision(2)} lines: at most ${MAX_MADE}`,
      { file: name },
    );
  const found = gridOf(name, steps, ranks);
  const { grid, target, roles } = found;
  const law = new ScalingLaw(scaling, grid, target);
  const written = new RoleLines(target, roles, law);
  const actions = new Set(steps.flatMap((one) => [...new Set(one.steps.map(({ row }) => row.name))]));
  const counts = Float64Array.from({ length: ranks }, (_, rank) => roles.of(rank).steps.length);
  return {
    files: { perRank: false, sources: [sourceOf(name, ranks, (rank) => written.of(rank))] },
    origin: (line) => {
      let left = line - 1;
      let rank = 0;
      while (rank < ranks - 1 && left >= counts[rank]!) left -= counts[rank++]!;
      const role = roles.of(rank);
      return { file: role.file, line: role.lines[Math.min(left, role.lines.length - 1)] ?? 1 };
    },
    remarks: [
      `${scaling} scaling of ${from} recorded ranks, ${gridText(grid)}, to ${ranks}, ${gridText(target)}: ${law.text(actions, found.offsets).join(', ')}`,
      ...(found.between
        ? [
            'no rank between the first and the last one of a dimension was recorded: there, ranks do what both do, and no message goes around the ends',
          ]
        : []),
    ],
  };
}

interface Found {
  readonly grid: Grid;
  readonly target: Grid;
  readonly roles: Roles;
  /** The distinct offsets of messages. */
  readonly offsets: readonly Offset[];
  /** Some processes do what two recorded ones do together. */
  readonly between: boolean;
}

const ONE_SIDED: ReadonlySet<string> = new Set(['Put', 'Get', 'Accumulate', 'Win_fence']);

/** Actions that a scaled trace can have. */
const SCALED: ReadonlySet<string> = new Set(
  ROWS.slice(0, FIRST_NONBLOCKING).flatMap(({ name }) => (name === 'waitAny' || ONE_SIDED.has(name) ? [] : [name])),
);

/** The simplest grid in which the recorded messages, and those of the target, match. */
function gridOf(name: string, steps: readonly RankSteps[], ranks: number): Found {
  const from = steps.length;
  const grids = gridsOf(from);
  const own = grids[0]!;
  const unknown = steps.flatMap((one) => one.steps).find(({ row }) => !SCALED.has(row.name))?.row.name;
  if (unknown !== undefined)
    fail(
      'TI060',
      `cannot be scaled: it has ${unknown}, ${ONE_SIDED.has(unknown) ? 'a one-sided call' : 'whose waits name no partner'}`,
      { file: name },
    );
  const unmatched = matches(own, (rank) => roleOf(own, rank, steps[rank]!));
  if (unmatched !== undefined) fail('TI060', `cannot be scaled: ${unmatched} in the recorded trace`, { file: name });
  const candidates = grids
    .map((grid) => {
      const roles = steps.map((one, rank) => roleOf(grid, rank, one));
      return { grid, roles, offsets: offsetsIn(roles) };
    })
    .filter(({ offsets }) => offsets.length <= MAX_NEIGHBOURS)
    .sort((a, b) => a.grid.length - b.grid.length || a.offsets.length - b.offsets.length);
  let [stage, reason] = [-1, 'its messages go to too many neighbours'];
  for (const { grid, roles, offsets } of candidates) {
    const target = gridLike(grid, ranks);
    const reach = reachOf(grid, roles);
    const tried = attempt(grid, roles, reach, target ?? grid.map((n) => 2 * n));
    if (Array.isArray(tried)) {
      if (target === undefined)
        return fail(
          'TI061',
          `${ranks} ranks: its ranks stand in a grid of ${gridText(grid)}, and ${ranks} ranks form none with as many dimensions; try ${multiplesOf(grid)}`,
          { file: name },
        );
      const [places, between] = [tried, tried.some((along) => along.includes(BETWEEN))];
      return { grid, target, roles: new Roles(grid, target, roles, places), offsets, between };
    }
    // The grid with the most matches gives the most useful message. Where all messages match, ranks of a row would look like those of a grid, too.
    if (tried.stage > stage) ({ stage, reason } = tried);
    if (stage === TAKES_TURNS) break;
  }
  return fail(
    'TI060',
    `cannot be scaled: ${reason}. Ranks in a row, ring or grid with the same neighbours are recognised, from three ranks along each dimension`,
    { file: name },
  );
}

/** Numbers of ranks that every grid of this kind has. */
const multiplesOf = (grid: Grid): string => [2, 4].map((by) => by * ranksOf(grid)).join(' or ');

/** All messages match, but their order cannot be kept. */
const TAKES_TURNS = 4;

/** Why messages do not fit a grid; a higher stage is closer to a fit. */
interface Misfit {
  readonly stage: number;
  readonly reason: string;
}

/** The places of a target, by dimension, if its messages match; otherwise the reason. */
function attempt(
  grid: Grid,
  roles: readonly Role[],
  reach: readonly number[],
  target: Grid,
): (readonly number[])[] | Misfit {
  const places = grid.map((n, k) => placesAlong(n, target[k]!, reach[k]!));
  const short = places.indexOf(undefined);
  if (short >= 0)
    return {
      stage: 0,
      reason: `as a grid of ${gridText(grid)}, its messages cross ${reach[short]} of ${grid[short]} ranks along dimension ${short + 1}, which is too far to tell its ends apart`,
    };
  const unalike = unalikeIn(grid, roles, reach);
  if (unalike !== undefined)
    return {
      stage: 1,
      reason: `as a grid of ${gridText(grid)}, ranks ${unalike.join(' and ')} have the same neighbours but take different steps`,
    };
  // A grid with few processes between its ends has the messages of any larger one.
  const small = target.map((n, k) => {
    const least = Math.max(grid[k]!, 2 * reach[k]! + 4);
    return n <= least ? n : least + ((n - least) % 2);
  });
  const few = new Roles(
    grid,
    small,
    roles,
    grid.map((n, k) => placesAlong(n, small[k]!, reach[k]!)!),
  );
  try {
    const unmatched = matches(small, (rank) => few.of(rank));
    if (unmatched !== undefined)
      return {
        stage: 2,
        reason: `as a grid of ${gridText(grid)} it has no regular messages (on ${gridText(small)} ranks, ${unmatched})`,
      };
    for (const synchronous of [false, true])
      if (
        completes(grid, (rank) => roles[rank]!, synchronous) === true &&
        completes(small, (rank) => few.of(rank), synchronous) === false
      )
        return {
          stage: TAKES_TURNS,
          reason: `as a grid of ${gridText(grid)} its ranks take turns in sends and receives in an order that ${gridText(target)} ranks cannot keep: they would wait for each other. Ranks at even and odd places need at least four ranks along a dimension, and an even number more`,
        };
  } catch (e) {
    if (!(e instanceof Unalike)) throw e;
    return {
      stage: 3,
      reason: `as a grid of ${gridText(grid)}, the first and the last rank of a dimension ${e.message}, and none between them was recorded`,
    };
  }
  return places as (readonly number[])[];
}

/**
 * Two ranks between the ends of a dimension that take different steps, apart from amounts, or undefined. Ranks may take
 * turns: those at even places can differ from those at odd ones.
 */
function unalikeIn(
  grid: Grid,
  roles: readonly Role[],
  reach: readonly number[],
): readonly [number, number] | undefined {
  const seen = new Map<string, number>();
  const shapes = shapesOf(roles);
  for (let rank = 0; rank < roles.length; rank++) {
    const kind = coordinatesOf(grid, rank).map((at, k) => {
      const [r, n] = [reach[k]!, grid[k]!];
      return r === 0 ? 0 : at < r || at >= n - r ? at : n + (at % 2);
    });
    if (reach.every((r) => r === 0)) return undefined;
    const first = seen.get(kind.join());
    if (first === undefined) seen.set(kind.join(), rank);
    else if (shapes[first] !== shapes[rank]) return [first, rank];
  }
  return undefined;
}

/** A number for the steps of each role, which is the same for those that differ in their amounts only. */
function shapesOf(roles: readonly Role[]): number[] {
  const keys = new Map<string, number>();
  const shapes = new Map<string, number>();
  const numbered = (map: Map<string, number>, key: string): number => {
    const known = map.get(key) ?? map.size;
    map.set(key, known);
    return known;
  };
  return roles.map(({ steps }) => {
    const own = new Map<RoleStep, number>();
    const numbers = steps.map((step) => {
      const known = own.get(step) ?? numbered(keys, keyOf(step));
      own.set(step, known);
      return known;
    });
    return numbered(shapes, numbers.join());
  });
}

function offsetsIn(roles: readonly Role[]): Offset[] {
  const all = new Map<string, Offset>();
  for (const { steps } of roles)
    for (const { offsets } of new Set(steps))
      for (const offset of offsets)
        if (offset?.some((distance) => distance !== 0) === true) all.set(offset.join(), offset);
  return [...all.values()];
}

/** A message without its partner, in words, or undefined. */
function matches(grid: Grid, roleOf: (rank: number) => Role): string | undefined {
  const ranks = ranksOf(grid);
  /** By source, destination and tag: sends without receives. */
  const open = new Map<string, number>();
  /** By destination: receives from any source or with any tag. */
  const any = new Map<number, number>();
  const add = (from: number, to: number, tag: number, by: number): void => {
    const key = `${from} ${to} ${tag}`;
    open.set(key, (open.get(key) ?? 0) + by);
  };
  for (let rank = 0; rank < ranks; rank++) {
    const role = roleOf(rank);
    for (const { step, offsets } of role.steps) {
      const { name } = step.row;
      const peer = (kind: 'src' | 'dst'): number | undefined => {
        const offset = offsets[step.kinds.indexOf(kind)];
        return offset === undefined ? undefined : partnerAt(grid, rank, offset);
      };
      if (SENDS.has(name)) add(rank, peer('dst')!, argumentOf(step, 'tag')!, 1);
      else if (name === 'recv' || name === 'irecv') {
        const tag = argumentOf(step, 'anytag')!;
        const from = peer('src');
        if (from === undefined || tag < 0) any.set(rank, (any.get(rank) ?? 0) + 1);
        else add(from, rank, tag, -1);
      } else if (name === 'sendRecv') {
        add(rank, peer('dst')!, 0, 1);
        const from = peer('src');
        if (from === undefined || isAnySource(from)) any.set(rank, (any.get(rank) ?? 0) + 1);
        else add(from, rank, 0, -1);
      }
    }
  }
  for (const [key, count] of open) {
    if (count === 0) continue;
    const [from, to, tag] = key.split(' ').map(Number) as [number, number, number];
    if (count < 0) return `rank ${to} receives ${-count} more messages of rank ${from} with tag ${tag} than are sent`;
    const taken = any.get(to) ?? 0;
    if (taken < count)
      return `rank ${from} sends ${count - taken} more messages with tag ${tag} to rank ${to} than are received`;
    any.set(to, taken - count);
  }
  for (const [rank, count] of any)
    if (count > 0) return `rank ${rank} receives ${count} more messages of any rank than are sent to it`;
  return undefined;
}

/** A text of parts, of which only those that are read are in memory. */
function sourceOf(name: string, count: number, part: (k: number) => string): Source {
  const starts = new Float64Array(count + 1);
  for (let k = 0; k < count; k++) starts[k + 1] = starts[k]! + part(k).length;
  let [held, text] = [-1, Buffer.alloc(0)];
  let last = 0;
  const read = (buffer: Uint8Array, at: number, length: number, position: number): number => {
    let done = 0;
    while (done < length && position + done < starts[count]!) {
      const from = position + done;
      if (starts[last]! > from) last = 0;
      while (starts[last + 1]! <= from) last++;
      if (held !== last) [held, text] = [last, Buffer.from(part(last), 'latin1')];
      const within = from - starts[last]!;
      done += text.copy(buffer, at + done, within, Math.min(text.length, within + length - done));
    }
    return done;
  };
  return { name, size: starts[count]!, open: (use) => use({ fd: -1, from: 0, read }) };
}
