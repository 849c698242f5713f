import type { LoggedFirings } from '../../base/logged-firings.ts';
import { COUNTERS, counterOf, WORKER_STATES } from '../../trace/workers/worker-states.ts';
import {
  CARRIER_STATE_COUNT,
  CARRIER_STATES,
  type CarrierState,
  COMPUTING,
  type Effect,
  initialCarriers,
  type Meaning,
  meaningsOf,
  OVERHEAD,
  PASSED,
} from './firing-meanings.ts';
import { isCooperative, type ThreadNet } from './net/thread-net.ts';
import { callName } from './program/row-names.ts';
import { poolOfStrands, ROW } from './program/rows.ts';
import { SyncMeter } from './sync-meter.ts';
import { ThreadRegions } from './thread-regions.ts';

const EXEC = WORKER_STATES.indexOf('EXEC');
const WAIT = WORKER_STATES.indexOf('WAIT');

/** Receives what carriers do, each in the order of its time. Times are in seconds. */
export interface CarrierSink {
  span(worker: number, state: CarrierState, start: number, end: number): void;
  /** A worker begins a call of the scheduler or of an object, or ends the one it is in. */
  call(worker: number, name: string | undefined, time: number): void;
  /** The main strand of a pool enters or leaves a region; the spans of all carriers end then. */
  region(pool: number, region: number, enters: boolean, time: number): void;
}

/**
 * Activities of the carriers of a thread program, from the log of its firings: seconds by state, states of the workers of a pool
 * with the counters of their transitions, use of objects, and regions. O(1) per firing; memory O(carriers + objects).
 */
export class ThreadStates {
  /** Seconds by carrier and state: `seconds[CARRIER_STATE_COUNT × carrier + state]`. */
  readonly seconds: Float64Array;
  /** Pools only: seconds by worker and state of {@link WORKER_STATES}, and transitions by worker and counter. */
  readonly poolSeconds: Float64Array;
  readonly counters: Float64Array;
  /** Scheduler `os`: seconds in which each thread waits for a processor; a part of its waiting. */
  readonly preempted: Float64Array;
  readonly objects: SyncMeter;
  readonly regions: ThreadRegions;
  /** Time since which each carrier is in its state. */
  readonly since: Float64Array;
  /** Cooperative schedulers: time since which each strand waits. */
  readonly #blockedAt: Float64Array | undefined;
  /** Time since which each thread waits for a processor; −1: it does not. */
  readonly #queuedAt: Float64Array;
  readonly #net: ThreadNet;
  readonly #active: (time: number, by: number) => void;
  readonly #sink: CarrierSink | undefined;
  readonly #state: Uint8Array;
  readonly #pool: Uint8Array;
  readonly #poolSince: Float64Array;
  /** True if the worker's strand is blocked: in WAIT, without a transition. */
  readonly #isBlocked: Uint8Array;
  readonly #poolOf: Int32Array | undefined;
  /** By pool: carriers that compute, or wait for a share of a core. */
  readonly #computing: Int32Array;
  readonly #cores: number;
  /** Main strands that have not ended. */
  #left: number;
  #ended: number | undefined;
  #isFinished = false;

  /** @param active called when the number of active cores changes */
  constructor(net: ThreadNet, active: (time: number, by: number) => void, sink?: CarrierSink) {
    const { carriers, program, scheduler, machine } = net;
    this.#net = net;
    this.#left = program.pools;
    this.#active = active;
    this.#sink = sink;
    this.#state = initialCarriers(net);
    this.seconds = new Float64Array(CARRIER_STATE_COUNT * carriers);
    this.since = new Float64Array(carriers);
    const workers = scheduler === 'os' ? 0 : carriers;
    this.#pool = new Uint8Array(workers).fill(WORKER_STATES.indexOf('WAIT'));
    this.#poolSince = new Float64Array(workers);
    this.#isBlocked = new Uint8Array(workers);
    this.poolSeconds = new Float64Array(WORKER_STATES.length * workers);
    this.counters = new Float64Array(COUNTERS.length * workers);
    this.preempted = new Float64Array(scheduler === 'os' ? carriers : 0);
    this.#queuedAt = new Float64Array(this.preempted.length).fill(-1);
    this.objects = new SyncMeter(program);
    if (isCooperative(scheduler)) this.#blockedAt = new Float64Array(program.strands.count);
    this.#computing = new Int32Array(program.pools);
    this.#cores = net.shared ? machine.cores : Number.POSITIVE_INFINITY;
    this.#poolOf = program.pools === 1 ? undefined : poolsOf(net);
    for (let p = 0; p < program.pools; p++) {
      const main = scheduler === 'os' ? p : p * program.workers;
      if (workers > 0) this.#pool[main] = 0;
    }
    this.regions = new ThreadRegions(program, CARRIER_STATE_COUNT, this.#state, (w) => this.#poolOf?.[w] ?? 0);
  }

  /** The `log` option of `compile`. */
  log(): {
    readonly transitions: Record<string, { start?: number; end?: number; variables: readonly string[] }>;
    readonly read: (log: LoggedFirings, length: number) => void;
  } {
    const { net } = this.#net;
    const holding = new Set(net.transitions.filter((t) => t.delay !== undefined).map((t) => t.name));
    const has = new Set(net.transitions.map((t) => t.name));
    const transitions: Record<string, { start?: number; end?: number; variables: readonly string[] }> = {};
    const byNumber: Meaning[][] = [];
    for (const meaning of meaningsOf(this.#net, this.#sink !== undefined)) {
      const { transition, part: asked, variables } = meaning;
      if (!has.has(transition)) continue;
      // A transition without a delay has no end.
      const part = holding.has(transition) ? asked : 'start';
      const known = transitions[transition];
      const number = known?.[part] ?? byNumber.push([]) - 1;
      const longest = known === undefined || known.variables.length < variables.length ? variables : known.variables;
      transitions[transition] = { ...known, [part]: number, variables: longest };
      byNumber[number]!.push(meaning);
    }
    const lengths = new Int32Array(byNumber.length);
    for (const { start, end, variables } of Object.values(transitions))
      for (const number of [start, end]) if (number !== undefined) lengths[number] = variables.length + 1;
    const states = Int8Array.from(byNumber, (all) => all.find((m) => m.state !== undefined)?.state ?? -1);
    const pools = byNumber.map((all) =>
      this.#pool.length === 0 ? [] : all.flatMap((m) => (m.pool === undefined ? [] : [WORKER_STATES.indexOf(m.pool)])),
    );
    const effects = byNumber.map((all) => all.flatMap((m) => m.effects ?? []));
    const read = ({ heads, numbers }: LoggedFirings, length: number): void => {
      for (let k = 0; k < length && !this.#isFinished; ) {
        const number = heads[2 * k]!;
        const w = heads[2 * k + 1]!;
        const time = numbers[k + 1]!;
        const more = effects[number]!;
        for (let e = 0; e < more.length; e++) this.#effect(more[e]!, w, numbers[k + 2]!, numbers[k + 3]!, time);
        if (this.#isFinished) return;
        const state = states[number]!;
        if (state >= 0) this.#enter(w, state, time);
        const pool = pools[number]!;
        for (let p = 0; p < pool.length; p++) this.#enterPool(w, pool[p]!, time);
        k += lengths[number]!;
      }
    };
    return { transitions, read };
  }

  /** End of the program in seconds; later activities of the scheduler do not count. Undefined if it has not ended. */
  get ended(): number | undefined {
    return this.#ended;
  }

  /** Time since which a strand waits whose last carrier is w. */
  waitsSince(w: number, strand: number): number {
    return this.#blockedAt?.[strand] ?? this.since[w]!;
  }

  /** Completes all figures at the end of the run, unless the program has ended. */
  finish(time: number): void {
    if (this.#isFinished) return;
    this.#isFinished = true;
    for (let w = 0; w < this.since.length; w++) {
      this.#span(w, time);
      this.#dispatched(w, time);
      if (w < this.#pool.length)
        this.poolSeconds[WORKER_STATES.length * w + this.#pool[w]!]! += time - this.#poolSince[w]!;
    }
    this.regions.finish(time);
  }

  #effect(effect: Effect, w: number, s: number, at: number, time: number): void {
    if (typeof effect === 'object') {
      this.#call(w, effect.begins, time);
      return;
    }
    const { program } = this.#net;
    switch (effect) {
      case 'acquired':
        this.objects.acquired(at, s);
        break;
      case 'failed':
        this.objects.fails(at, s);
        break;
      case 'times out':
        this.objects.timesOut(at, s, time - this.waitsSince(w, s));
        break;
      case 'released':
        this.objects.released(at);
        break;
      case 'blocked':
        this.objects.blocked(at, s);
        if (this.#blockedAt !== undefined) this.#blockedAt[s] = time;
        break;
      case 'waits':
        this.objects.waits(at);
        if (this.#blockedAt !== undefined) this.#blockedAt[s] = time;
        break;
      case 'granted':
        this.objects.granted(at, s, time - this.waitsSince(w, s));
        break;
      case 'woken':
        this.objects.woken(at, s, time - this.waitsSince(w, s));
        break;
      case 'spins':
        this.objects.spins(at, s, time);
        break;
      case 'stops spinning':
        this.objects.stopsSpinning(at, s, time);
        break;
      case 'spins in vain':
        this.objects.spinsInVain(at, s, time);
        break;
      case 'parks':
        this.objects.parks(at, s, time);
        break;
      case 'queues':
        this.#queuedAt[w] = time;
        break;
      case 'dispatched':
        this.#dispatched(w, time);
        break;
      case 'region': {
        const { rows, pools } = program;
        if (s >= pools || rows.op[at] !== ROW.region) break;
        const enters = rows.b[at] === 1;
        this.regions.change(s, rows.a[at]!, enters, time);
        if (this.#sink === undefined) break;
        for (let c = 0; c < this.since.length; c++) if ((this.#poolOf?.[c] ?? 0) === s) this.#span(c, time);
        this.#sink.region(s, rows.a[at]!, enters, time);
        break;
      }
      case 'operation begins':
        this.#call(w, callName(program, at), time);
        break;
      case 'program ends':
        if (--this.#left > 0) break;
        this.#ended = time;
        this.finish(time);
        break;
      case 'call ends':
        this.#call(w, undefined, time);
        break;
    }
  }

  #dispatched(w: number, time: number): void {
    const since = this.#queuedAt[w];
    if (since === undefined || since < 0) return;
    this.preempted[w]! += time - since;
    // Threads that are preempted are strands, by the same numbers.
    this.objects.wasPreempted(w, time - since);
    this.#queuedAt[w] = -1;
  }

  #enter(w: number, state: number, time: number): void {
    const before = this.#state[w]!;
    if (before === state) return;
    this.#span(w, time);
    this.#state[w] = state;
    const pool = this.#poolOf === undefined ? 0 : this.#poolOf[w]!;
    this.regions.moves(pool, before, state, time);
    if (before === COMPUTING) this.#changes(pool, -1, time);
    else if (state === COMPUTING) this.#changes(pool, 1, time);
  }

  #changes(pool: number, by: 1 | -1, time: number): void {
    const before = this.#computing[pool]!;
    this.#computing[pool] = before + by;
    // Threads beyond the number of cores share them.
    if (Math.max(before, before + by) <= this.#cores) this.#active(time, by);
  }

  /** Ends the span of a carrier at a time. */
  #span(w: number, time: number): void {
    const start = this.since[w]!;
    if (time > start) {
      const state = this.#state[w]!;
      this.seconds[CARRIER_STATE_COUNT * w + state]! += time - start;
      this.#sink?.span(w, CARRIER_STATES[state]!, start, time);
    }
    this.since[w] = time;
  }

  #call(w: number, name: string | undefined, time: number): void {
    if (this.#state[w] === OVERHEAD) this.#span(w, time);
    this.#sink!.call(w, name, time);
  }

  #enterPool(w: number, state: number, time: number): void {
    const before = this.#pool[w]!;
    this.poolSeconds[4 * w + before]! += time - this.#poolSince[w]!;
    this.#poolSince[w] = time;
    this.#pool[w] = state;
    const blocks = before === EXEC && state === WAIT;
    const continues = this.#isBlocked[w] === 1;
    this.#isBlocked[w] = blocks ? 1 : 0;
    if (blocks || continues) return;
    const at = COUNTERS.length * w;
    const counter = counterOf(before, state);
    if (counter >= 0) {
      this.counters[at + counter]!++;
      return;
    }
    let last = before;
    for (const next of [...(PASSED.get(4 * before + state) ?? []), state]) {
      const step = counterOf(last, next);
      if (step >= 0) this.counters[at + step]!++;
      last = next;
    }
  }
}

function poolsOf({ carriers, scheduler, program }: ThreadNet): Int32Array {
  if (scheduler !== 'os') return Int32Array.from({ length: carriers }, (_, w) => Math.floor(w / program.workers));
  return poolOfStrands(program);
}
