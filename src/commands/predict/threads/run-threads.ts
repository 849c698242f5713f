import { simulate } from '../../../analysis/simulate.ts';
import { InputError } from '../../../base/problem.ts';
import { compile, type NetRun } from '../../../engine/compile.ts';
import { allocatorOf, buriedStrands, UNQUEUED_PLACES } from '../../../models/threads/buried-strands.ts';
import { mostInstantSteps, type ThreadNet } from '../../../models/threads/net/thread-net.ts';
import { objectName, operationName, strandName } from '../../../models/threads/program/row-names.ts';
import { isForeign, ROW, stoppedAt } from '../../../models/threads/program/rows.ts';
import { ThreadEvents, type ThreadSink } from '../../../models/threads/thread-events.ts';
import type { ThreadStates } from '../../../models/threads/thread-states.ts';
import type { BlockedRank } from '../../inputs/document-parts.ts';
import { DEFAULT_SEED } from '../document.ts';
import { fromHere } from '../model/model-figures.ts';

export interface ThreadRun {
  /** Seconds until the last main strand has ended; without an end, until the last event. */
  readonly time: number;
  /** Starts and ends of firings. */
  readonly steps: number;
  /** True if all main strands have ended: false in a deadlock, and if the run was cut off. */
  readonly ended: boolean;
  /** True if the run reached the limit of steps. */
  readonly isCut: boolean;
}

/** Options of {@link runThreads}. */
export interface RunThreadsOptions {
  readonly seed?: string;
  readonly replication?: number;
  readonly maxSteps?: number;
  readonly sinks?: readonly ThreadSink[];
}

/**
 * Runs the net of a thread program to its end.
 *
 * @throws InputError THR009 for a strand that releases an object that it does not hold
 */
export function runThreads(
  net: ThreadNet,
  { seed, replication = 0, maxSteps, sinks = [] }: RunThreadsOptions = {},
): ThreadRun {
  const { rows, pools } = net.program;
  const compiled = compile(net.net, {
    timed: ['ended'],
    steps: 3 * rows.count,
    ...(sinks.length === 0 ? {} : { log: ThreadEvents.log(sinks.map((sink) => new ThreadEvents(net, sink))) }),
  });
  const run = simulate(compiled, {
    seed: seed ?? DEFAULT_SEED,
    replication,
    maxInstantSteps: mostInstantSteps(net),
    ...(maxSteps === undefined ? {} : { maxSteps }),
  });
  const fault = threadFault(net, run.game);
  if (fault !== undefined) throw fault;
  const ends = run.game.tokens('ended').map(({ time }) => time);
  const ended = ends.length === pools;
  return { time: ended ? Math.max(...ends) : run.time, steps: run.steps, ended, isCut: run.ended === 'steps' };
}

type Marking = Pick<NetRun, 'tokens'>;

/** The values of the tokens of a place by field; none if the net does not have the place. */
function tokensIn(net: ThreadNet, game: Marking, name: string): Readonly<Record<string, number>>[] {
  const place = net.net.places.find((p) => p.name === name);
  if (place === undefined) return [];
  return game
    .tokens(name)
    .map(({ values }) => Object.fromEntries(place.fields.map((field, k) => [field.name, values[k]!])));
}

/** The strands in any place, each with its worker and row. */
const strandsIn = (net: ThreadNet, game: Marking): Readonly<Record<string, number>>[] =>
  net.net.places
    .filter(({ fields }) => ['w', 's', 'at'].every((name) => fields.some((field) => field.name === name)))
    .flatMap(({ name }) => tokensIn(net, game, name));

/** THR009 if a strand has released an object that it does not hold; undefined otherwise. */
export function threadFault(net: ThreadNet, game: Marking): InputError | undefined {
  const [token] = tokensIn(net, game, 'faults');
  if (token === undefined) return undefined;
  const { program } = net;
  const { s, at } = token as { s: number; at: number };
  const strand = strandName(program, s);
  const wait = stoppedAt(program.rows, at);
  if (program.rows.op[wait] === ROW.wait) {
    const mutex = `mutex ${objectName(program, program.rows.b[wait]!)}`;
    const message = `${operationName(program, wait)}: ${mutex} is not held by ${strand}, which would release it while it waits: expected ${strand} to lock it before`;
    return new InputError([{ code: 'THR009', message, place: program.sites[program.rows.site[at]!]!.place }]);
  }
  const isOthers = program.rows.op[at] === ROW.release && isForeign(program.rows.b[at]!);
  const message = isOthers
    ? `${operationName(program, at)}: it is not held, in ${strand}, which has not locked it: expected the one that locks to unlock. One that lets others release it is a semaphore`
    : `${operationName(program, at)}: it is not held, in ${strand}`;
  return new InputError([{ code: 'THR009', message, place: program.sites[program.rows.site[at]!]!.place }]);
}

/**
 * The strands that are blocked at the end of a run whose program has not ended: each with its line, the object it waits for,
 * and the strand that holds it.
 */
export function blockedStrands(net: ThreadNet, game: Marking, states: ThreadStates): BlockedRank[] {
  const { program } = net;
  const { rows, sites } = program;
  const told = (s: number, w: number, at: number, waitsFor: readonly number[], object?: string): BlockedRank => {
    const { file = '', line = 0 } = sites[rows.site[at]!]!.place;
    return {
      rank: s,
      operation: operationName(program, at),
      file: fromHere(file),
      line,
      waitsFor,
      since: states.waitsSince(w, s),
      strand: strandName(program, s),
      worker: w,
      ...(object === undefined ? {} : { object }),
    };
  };
  const left = tokensIn(net, game, 'left behind in the queue');
  const levels = tokensIn(net, game, 'blocked with a level');
  const waiting = ['waiting', 'spinning', 'spinning before parking']
    .flatMap((place) => tokensIn(net, game, place))
    // Strands that have given up are no longer waiting, and those that have moved up keep their old place.
    .filter(({ s, at }) => !left.some(({ strand, row }) => strand === s && row === at))
    .filter(({ s, ticket }) => ticket === undefined || levels.some((l) => l['s'] === s && l['ticket'] === ticket));
  const blocked = waiting.map(({ w, s, at }) => {
    const o = rows.a[at!]!;
    const holder = states.objects.holder[o]!;
    return told(s!, w!, at!, holder < 0 ? [] : [holder], objectName(program, o));
  });
  // Strands on the stacks of workers, below the one that is blocked or waits above them.
  const buried = buriedStrands(tokensIn(net, game, 'stack') as never, waiting as never).map(({ w, s, at, above }) => ({
    ...told(s, w, at, [above]),
    below: strandName(program, above),
  }));
  const allocator = allocatorOf(program.objects);
  const unqueued = UNQUEUED_PLACES.flatMap((place) => tokensIn(net, game, place)).map(({ w, s, at }) => {
    const holder = states.objects.holder[allocator] ?? -1;
    return { ...told(s!, w!, at!, holder < 0 ? [] : [holder], 'allocator'), unqueued: true as const };
  });
  const found = [...blocked, ...buried, ...unqueued];
  // Wherever its strands stop: a run without an end never passes for one that has ended.
  const others = found.length > 0 ? [] : strandsIn(net, game).map(({ w, s, at }) => told(s!, w!, at!, []));
  return [...found, ...others].sort((a, b) => a.rank - b.rank);
}
