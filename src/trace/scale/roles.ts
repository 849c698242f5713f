import { coordinatesOf, displaced, type Grid, type Offset, offsetOf, rankAt } from './process-grid.ts';
import { argumentOf, isAnySource, isPeer, type RankSteps, type Step } from './recorded-steps.ts';

/** A step with its partners as offsets in the grid. */
export interface RoleStep {
  readonly step: Step;
  /** By argument: the offset to the partner; undefined for other arguments and for any source. */
  readonly offsets: readonly (Offset | undefined)[];
}

/** The steps of a process of the grid. */
export interface Role {
  readonly steps: readonly RoleStep[];
  readonly lines: Int32Array;
  readonly file: string;
}

/** The steps of a recorded rank with its partners as offsets. O(steps). */
export function roleOf(grid: Grid, rank: number, { steps, lines, file }: RankSteps): Role {
  const known = new Map<Step, RoleStep>();
  const relative = (step: Step): RoleStep => {
    let one = known.get(step);
    if (one === undefined) {
      const offsets = step.kinds.map((kind, k) => {
        const peer = isPeer(kind) ? Number(step.words[k + 1]) : -1;
        return isPeer(kind) && !isAnySource(peer) ? offsetOf(grid, rank, peer) : undefined;
      });
      one = { step, offsets };
      known.set(step, one);
    }
    return one;
  };
  return { steps: steps.map(relative), lines, file };
}

/** How far messages reach along each dimension of a grid. */
export function reachOf(grid: Grid, roles: readonly Role[]): number[] {
  const reach = grid.map(() => 0);
  for (const { steps } of roles)
    for (const { offsets } of steps)
      for (const offset of offsets)
        offset?.forEach((distance, k) => {
          reach[k] = Math.max(reach[k]!, Math.abs(distance));
        });
  return reach;
}

/** A place along a dimension between two recorded processes: it has a neighbour on either side, which neither of them has. */
export const BETWEEN = -1;

/**
 * For each place along a dimension of `size` processes, the recorded place whose process acts there. Those whose messages cross the
 * ends keep their distance from the end. Others take the nearest place between, with the same parity where processes take turns.
 * {@link BETWEEN} where only the two ends were recorded. Undefined if too few were recorded.
 *
 * @param reach how far messages reach along the dimension
 */
export function placesAlong(recorded: number, size: number, reach: number): number[] | undefined {
  if (size === recorded) return Array.from({ length: size }, (_, at) => at);
  if (reach === 0) return Array.from({ length: size }, (_, at) => Math.floor((at * recorded) / size));
  if (size < 2 * reach || recorded < 2 * reach) return undefined;
  const between = recorded - 2 * reach;
  if (between === 0 && size > 2 * reach && !(recorded === 2 && reach === 1)) return undefined;
  return Array.from({ length: size }, (_, at) => {
    if (at < reach) return at;
    if (at >= size - reach) return recorded - (size - at);
    if (between === 0) return BETWEEN;
    const nearest = reach + ((at - reach) * (between - 1)) / Math.max(1, size - 2 * reach - 1);
    const places = Array.from({ length: between }, (_, k) => reach + k);
    const alike = places.filter((place) => (place - at) % 2 === 0);
    const among = between > 1 ? alike : places;
    return among.reduce((best, one) => (Math.abs(one - nearest) < Math.abs(best - nearest) ? one : best));
  });
}

/** The roles of a grid, and those that the processes of another grid have. */
export class Roles {
  readonly #grid: Grid;
  readonly #target: Grid;
  readonly #recorded: readonly Role[];
  readonly #places: readonly (readonly number[])[];
  readonly #made = new Map<string, Role>();

  /** @param places by dimension, from {@link placesAlong} */
  constructor(grid: Grid, target: Grid, recorded: readonly Role[], places: readonly (readonly number[])[]) {
    this.#grid = grid;
    this.#target = target;
    this.#recorded = recorded;
    this.#places = places;
  }

  /** The steps of a process of the target. @throws Unalike */
  of(rank: number): Role {
    return this.#at(coordinatesOf(this.#target, rank).map((at, k) => this.#places[k]![at]!));
  }

  /** The recorded rank that represents a process of the target. */
  standIn(rank: number): number {
    return rankAt(
      this.#grid,
      coordinatesOf(this.#target, rank).map((at, k) => Math.max(0, this.#places[k]![at]!)),
    );
  }

  /** The process of the target with the steps of a recorded rank; the nearest one, if several have them. */
  counterpart(rank: number): number {
    const found = coordinatesOf(this.#grid, rank).map((place, k) => {
      const places = this.#places[k]!;
      const wanted = (place * places.length) / this.#grid[k]!;
      const same = places.flatMap((one, at) => (one === place ? [at] : []));
      if (same.length === 0) return Math.min(places.length - 1, Math.round(wanted));
      return same.reduce((best, one) => (Math.abs(one - wanted) < Math.abs(best - wanted) ? one : best));
    });
    return rankAt(this.#target, found);
  }

  #at(places: readonly number[]): Role {
    const between = places.indexOf(BETWEEN);
    if (between < 0) return this.#recorded[rankAt(this.#grid, places)]!;
    const key = places.join();
    let role = this.#made.get(key);
    if (role === undefined) {
      role = merged(this.#at(places.with(between, 0)), this.#at(places.with(between, 1)), between);
      this.#made.set(key, role);
    }
    return role;
  }
}

/** Two processes whose steps cannot be merged; its message says why. */
export class Unalike extends Error {}

/** Steps that do not block, and the waits for them: their order among neighbours has no effect. */
const NON_BLOCKING: ReadonlySet<string> = new Set(['irecv', 'isend', 'ISsend', 'ibsend', 'wait', 'test']);

/**
 * The process between the first and the last one of a dimension: it does what both do, and exchanges messages with the neighbours of
 * both. Both must take the same steps in the same order, apart from messages along the dimension. O(steps).
 *
 * @throws Unalike
 */
function merged(first: Role, last: Role, dimension: number): Role {
  const steps: RoleStep[] = [];
  const lines: number[] = [];
  const take = (role: Role, at: number): void => {
    steps.push(role.steps[at]!);
    lines.push(role.lines[at]!);
  };
  const along = ({ offsets }: RoleStep): boolean => offsets.some((o) => (o?.[dimension] ?? 0) !== 0);
  const until = (role: Role, from: number): number => {
    let at = from;
    while (at < role.steps.length && along(role.steps[at]!)) at++;
    return at;
  };
  for (let [a, b] = [0, 0]; ; a++, b++) {
    const [toA, toB] = [until(first, a), until(last, b)];
    for (const [role, at] of ordered(partOf(first, a, toA), partOf(last, b, toB))) take(role, at);
    [a, b] = [toA, toB];
    const [one, other] = [first.steps[a], last.steps[b]];
    if (one === undefined && other === undefined) return { steps, lines: Int32Array.from(lines), file: first.file };
    if (one === undefined || other === undefined || keyOf(one) !== keyOf(other))
      throw new Unalike('take different steps');
    if (amountOf(one.step) >= amountOf(other.step)) take(first, a);
    else take(last, b);
  }
}

type Taken = readonly [role: Role, at: number];

const partOf = (role: Role, from: number, to: number): Taken[] =>
  Array.from({ length: to - from }, (_, k) => [role, from + k]);

const nameAt = ([role, at]: Taken): string => role.steps[at]!.step.row.name;

/**
 * The messages along a dimension, between two steps that both processes take. Steps that do not block are sorted by their kind. Between
 * two rounds a process first sends its data, and then receives; otherwise those of the last process come first.
 */
function ordered(first: readonly Taken[], last: readonly Taken[]): Taken[] {
  const tags = sentTags(first);
  if (sentTags(last).some((tag) => tags.includes(tag)))
    throw new Unalike('exchange messages that have the same tag in both directions, in a row, a ring or in pairs');
  const own = [...last, ...first];
  const names = own.map(nameAt);
  if (names.every((name) => NON_BLOCKING.has(name))) {
    const order = [...new Set(names)];
    return own.sort((p, q) => order.indexOf(nameAt(p)) - order.indexOf(nameAt(q)));
  }
  const sends = (part: readonly Taken[]): boolean =>
    part.length > 0 && part.every((one) => /^i?send$/.test(nameAt(one)));
  return sends(first) && !sends(last) ? [...first, ...last] : own;
}

/** The tags of sends. A sendRecv has none. */
const sentTags = (part: readonly Taken[]): number[] =>
  part.flatMap((one) => {
    const { step } = one[0].steps[one[1]]!;
    return /^(?:i?send|sendRecv)$/.test(step.row.name) ? [argumentOf(step, 'tag') ?? 0] : [];
  });

/** Key of a step, equal for steps that differ in their amounts only. */
export const keyOf = ({ step, offsets }: RoleStep): string =>
  [step.row.name, argumentOf(step, 'tag') ?? argumentOf(step, 'anytag'), argumentOf(step, 'root'), ...offsets].join(
    ' ',
  );

const amountOf = (step: Step): number =>
  (['flops', 'count', 'sendcount', 'seconds'] as const).reduce<number>(
    (sum, kind) => sum + (argumentOf(step, kind) ?? 0),
    0,
  );

/** A partner of a process of a grid. */
export const partnerAt = (grid: Grid, rank: number, offset: Offset): number =>
  displaced(grid, coordinatesOf(grid, rank), offset);
