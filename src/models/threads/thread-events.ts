import { type LoggedFirings, loggedLength, loggedValue } from '../../base/logged-firings.ts';
import { OWN, type WorkerState } from '../../trace/workers/worker-states.ts';
import { BEGINNINGS, CHUNK, COMPUTING_ROWS, DISPATCHES, MOVING_ROWS, meaningsOf, queuesOf } from './firing-meanings.ts';
import { RETURN, WITHDRAWALS } from './net/resource-manager.ts';
import type { ThreadNet } from './net/thread-net.ts';
import { ROW } from './program/rows.ts';

/** Receives the activities of the carriers of a thread program, in the order of time. Times are in seconds. */
export interface ThreadSink {
  /** A worker enters a state; EXEC after EXEC is the next strand without a look at a queue. */
  state?(worker: number, state: WorkerState | ThreadExit, time: number): void;
  /** A carrier enters a state: an index of `CARRIER_STATES`. */
  carrier?(worker: number, state: number, time: number): void;
  /** The main strand of a pool waits for the strands that it has spawned. */
  joins?(pool: number, time: number): void;
  /** A worker begins tasks of the program, of one origin: an index of `ORIGINS`. */
  tasks?(worker: number, origin: number, count: number, time: number): void;
  /**
   * The main strand of a pool enters or leaves a region. `region` is the index of the outermost region that it is in then, −1
   * outside.
   */
  region?(pool: number, region: number, time: number, enters: boolean): void;
  /** A carrier begins or ends to execute row `at` of a strand, or goes on with the strand at that row. */
  row?(worker: number, strand: number, at: number, event: RowEvent, time: number): void;
  /** A strand has the object of row `at` or gives it back, or it gives up waiting for it. */
  holds?(strand: number, at: number, what: 'has' | 'gives' | 'leaves', time: number): void;
  /** A strand is blocked at row `at`. */
  blocks?(worker: number, strand: number, at: number, time: number): void;
  /** Scheduler `os`: a thread begins (true) or ends (false) to be created. */
  creates?(thread: number, begins: boolean, time: number): void;
  /** A carrier computes row `at` of a strand. */
  computes?(worker: number, strand: number, at: number, start: number, end: number): void;
}

/** END: a thread of the operating system ends. JOIN: it waits for the threads that it has created, or a worker leaves its pool. */
export type ThreadExit = 'END' | 'JOIN';

/**
 * Events of a row. `joins`: a carrier goes on with the strand at the row, which it has not begun; `retries`: which it tries again.
 * `spun`: the strand has spun for the object of the row, and has it; `parks`: it goes on waiting without its carrier.
 * `preempted`, `queues`: its thread waits for a processor, in a computation or elsewhere, until it is `dispatched`.
 */
export type RowEvent =
  | 'begins'
  | 'ends'
  | 'joins'
  | 'retries'
  | 'spun'
  | 'parks'
  | 'preempted'
  | 'queues'
  | 'dispatched';

/** Effects on who holds an object. */
const HOLDS: ReadonlyMap<string, 'has' | 'gives' | 'leaves'> = new Map([
  ['acquired', 'has'],
  ['granted', 'has'],
  ['stops spinning', 'has'],
  ['released', 'gives'],
  ['waits', 'gives'],
  ['times out', 'leaves'],
  ['spins in vain', 'leaves'],
]);

type Part = 'start' | 'end';
interface Entry {
  readonly transition: string;
  readonly part: Part;
  readonly variables: readonly string[];
  readonly tell: (values: readonly number[], time: number) => void;
}

/** A part of a net that is the net of a thread program. */
export interface PartOfNet {
  /** Prefix of the names of its transitions. */
  readonly prefix: string;
}

/** States that workers enter. */
type Entered = readonly (readonly [transition: string, part: Part, state: WorkerState | ThreadExit])[];

/** Beginnings and ends of threads of the operating system. */
const OF_THREADS: Entered = [
  ['begins', 'end', 'EXEC'],
  ['ends', 'start', 'END'],
  ['ends last', 'start', 'END'],
  ['program ends', 'start', 'END'],
  ['waits for strands', 'start', 'JOIN'],
];

function entered(net: ThreadNet): Entered {
  const states = meaningsOf(net, false).flatMap(({ transition, part, pool }) =>
    pool === undefined ? [] : [[transition, part, pool] as const],
  );
  if (net.scheduler === 'os') return [...states, ...OF_THREADS];
  // A worker that is not in the pool has left it from WAIT, and comes back there.
  const leaves = WITHDRAWALS.map((transition) => [transition, 'start', 'JOIN'] as const);
  return [[RETURN, 'end', 'WAIT'], ...states, ...leaves];
}

/**
 * Translates the firings of a thread net for a sink. A transition without a delay has no end: its start counts as one.
 * O(1) per firing.
 */
export class ThreadEvents {
  readonly #program: ThreadNet;
  readonly #sink: ThreadSink;
  readonly #entries: Entry[] = [];
  readonly #regions: number[][];
  readonly #started: Float64Array;

  /**
   * @param part for a program whose regions are executed by another one. Its main strands keep their carriers between two
   * executions.
   */
  constructor(net: ThreadNet, sink: ThreadSink, part?: PartOfNet) {
    this.#program = net;
    this.#sink = sink;
    this.#regions = Array.from({ length: net.program.pools }, () => []);
    this.#started = new Float64Array(net.carriers);
    const holding = new Set(net.net.transitions.filter((t) => t.delay !== undefined).map((t) => t.name));
    const has = new Set(net.net.transitions.map((t) => t.name));
    const add = (own: string, at: Part, variables: readonly string[], tell: Entry['tell']): void => {
      const transition = part === undefined ? own : `${part.prefix}${own}`;
      if (!has.has(transition)) return;
      this.#entries.push({ transition, part: holding.has(transition) ? at : 'start', variables, tell });
    };
    // Before the states, so that a span is known to belong to the row in which it ends.
    if (sink.row !== undefined) this.#rows(add, part?.prefix ?? '');
    if (sink.state !== undefined)
      for (const [transition, at, state] of entered(net)) {
        if (part !== undefined && net.scheduler !== 'os' && transition === 'program ends') continue;
        add(transition, at, ['w'], ([w], time) => sink.state!(w!, state, time));
      }
    if (sink.carrier !== undefined)
      for (const { transition, part: at, state } of meaningsOf(net, false)) {
        if (state === undefined) continue;
        if (part !== undefined && net.scheduler !== 'os' && transition === 'program ends') continue;
        add(transition, at, ['w'], ([w], time) => sink.carrier!(w!, state, time));
      }
    if (sink.region !== undefined)
      add('region', 'start', ['w', 's', 'at'], ([, s, at], time) => this.#region(s!, at!, time));
    if (sink.joins !== undefined)
      for (const transition of ['waits for strands', 'joins at once'])
        add(transition, 'start', ['w', 's', 'at'], ([, s], time) => {
          if (s! < net.program.pools) sink.joins!(s!, time);
        });
    if (sink.tasks !== undefined) this.#tasks(add);
    if (sink.computes !== undefined) {
      const begins = net.shared ? 'begins to compute' : 'computes';
      add(begins, 'start', ['w'], ([w], time) => {
        this.#started[w!] = time;
      });
      add('computes', 'end', ['w', 's', 'at'], ([w, s, at], time) =>
        sink.computes!(w!, s!, at!, this.#started[w!]!, time),
      );
    }
  }

  /** The transitions to log, and the reader of the log: the `log` option of `compile`. */
  log(): ThreadLog {
    return logOf(this.#entries);
  }

  /** As {@link log}, for several parts of one net. */
  static log(parts: readonly ThreadEvents[]): ThreadLog {
    return logOf(parts.flatMap((part) => part.#entries));
  }

  /** Rows that running strands execute, and beginnings and continuations of strands. */
  #rows(
    add: (transition: string, at: Part, variables: readonly string[], tell: Entry['tell']) => void,
    prefix: string,
  ): void {
    const { net, scheduler } = this.#program;
    const queues = queuesOf(this.#program.program);
    const tells =
      (event: RowEvent): Entry['tell'] =>
      ([w, s, at], time) =>
        this.#sink.row!(w!, s!, at!, event, time);
    const joins = new Set([...BEGINNINGS.map(([transition]) => transition), 'wakes']);
    for (const { name, inputs, delay } of net.transitions) {
      if (!name.startsWith(prefix) || queues.some(({ transition }) => transition === name.slice(prefix.length)))
        continue;
      const own = name.slice(prefix.length);
      const served = own === COMPUTING_ROWS.ends || own === MOVING_ROWS.ends;
      if (own === 'tries again') add(own, 'end', ['w', 's', 'at'], tells('retries'));
      else if (joins.has(own) || own.startsWith('returns to ')) add(own, 'end', ['w', 's', 'at'], tells('joins'));
      else if (served || inputs.some(({ kind, place }) => kind === 'take' && place === `${prefix}run`)) {
        const isService = served && delay === undefined;
        if (!isService) add(own, 'start', ['w', 's', 'at'], tells('begins'));
        // Without a delay, the row ends in the same instant; a row that is served begins and ends by two transitions.
        const continues = own === COMPUTING_ROWS.begins || own === MOVING_ROWS.begins;
        if (delay !== undefined || isService) add(own, 'end', ['w', 's', 'at'], tells('ends'));
        else if (!continues) add(own, 'start', ['w', 's', 'at'], tells('ends'));
      }
    }
    for (const { transition, computing } of queues)
      add(transition, 'start', ['w', 's', 'at'], tells(computing ? 'preempted' : 'queues'));
    for (const name of DISPATCHES) add(name, 'end', ['w', 's', 'at'], tells('dispatched'));
    for (const { transition, part, effects = [] } of meaningsOf(this.#program, false))
      if (effects.includes('stops spinning') || effects.includes('spins in vain'))
        add(transition, part, ['w', 's', 'at'], tells('spun'));
      else if (effects.includes('parks')) add(transition, part, ['w', 's', 'at'], tells('parks'));
      else if (this.#sink.blocks !== undefined && (effects.includes('blocked') || effects.includes('waits')))
        add(transition, part, ['w', 's', 'at'], ([w, s, at], time) => this.#sink.blocks!(w!, s!, at!, time));
    if (this.#sink.holds !== undefined)
      for (const { transition, part, effects = [] } of meaningsOf(this.#program, false))
        for (const effect of effects) {
          const what = typeof effect === 'string' ? HOLDS.get(effect) : undefined;
          if (what !== undefined)
            add(transition, part, ['w', 's', 'at'], ([, s, at], time) => this.#sink.holds!(s!, at!, what, time));
        }
    if (this.#sink.creates === undefined || scheduler !== 'os') return;
    add('begins', 'start', ['w'], ([w], time) => this.#sink.creates!(w!, true, time));
    add('begins', 'end', ['w'], ([w], time) => this.#sink.creates!(w!, false, time));
  }

  /** A strand that goes on after it has waited begins no task. */
  #tasks(add: (transition: string, at: Part, variables: readonly string[], tell: Entry['tell']) => void): void {
    const { strands, regionTasks } = this.#program.program;
    const begins = (w: number, origin: number, count: number, time: number): void => {
      if (count > 0) this.#sink.tasks!(w, origin, count, time);
    };
    for (const [transition, at, origin] of BEGINNINGS)
      add(transition, at, ['w', 's', 'at'], ([w, s, row], time) => {
        if (row === strands.start[s!]) begins(w!, origin, strands.tasks[s!]!, time);
      });
    add(CHUNK, 'end', ['w'], ([w], time) => begins(w!, OWN, 1, time));
    add('region', 'start', ['w', 's', 'at'], ([w, , row], time) => begins(w!, OWN, regionTasks.get(row!) ?? 0, time));
  }

  #region(strand: number, at: number, time: number): void {
    const { rows, pools } = this.#program.program;
    if (strand >= pools || rows.op[at] !== ROW.region) return;
    const open = this.#regions[strand]!;
    const enters = rows.b[at] === 1;
    if (enters) open.push(rows.a[at]!);
    else open.pop();
    this.#sink.region!(strand, open[0] ?? -1, time, enters);
  }
}

/** Transitions to log, and the reader of the log. */
export interface ThreadLog {
  readonly transitions: Record<string, { start?: number; end?: number; variables: readonly string[] }>;
  readonly read: (log: LoggedFirings, length: number) => void;
}

function logOf(all: readonly Entry[]): ThreadLog {
  const transitions: Record<string, { start?: number; end?: number; variables: readonly string[] }> = {};
  const byNumber = new Map<number, Entry[]>();
  let next = 0;
  for (const entry of all) {
    const known = transitions[entry.transition];
    // Entries of one transition share its logged variables.
    const variables =
      known === undefined || known.variables.length < entry.variables.length ? entry.variables : known.variables;
    const number = known?.[entry.part] ?? next++;
    transitions[entry.transition] = { ...known, variables, [entry.part]: number };
    byNumber.set(number, [...(byNumber.get(number) ?? []), entry]);
  }
  const entries = Array.from({ length: next }, (_, k) => byNumber.get(k)!);
  const counts = entries.map(([entry]) => transitions[entry!.transition]!.variables.length);
  const read = (log: LoggedFirings, length: number): void => {
    for (let k = 0; k < length; ) {
      const number = log.heads[2 * k]!;
      const time = log.numbers[k + 1]!;
      const count = counts[number]!;
      const values = Array.from({ length: count }, (_, which) => loggedValue(log, k, which));
      for (const { tell } of entries[number]!) tell(values, time);
      k += loggedLength(count);
    }
  };
  return { transitions, read };
}
