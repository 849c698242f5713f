import { type LoggedFirings, loggedLength, loggedValue } from '../../../base/logged-firings.ts';
import type { RankLog } from '../../rank-log.ts';
import type { ActivityEntry } from '../../threads/thread-activity.ts';
import { messageLatency, TransferParts, type TransferStarts, transferStarts } from '../../transfer-parts.ts';
import { NOBODY } from '../net/ports.ts';
import type { ProgramNet } from '../net/program-net.ts';
import { BLOCKING } from '../resolve/collective-threads.ts';
import type { Doing, StatementInfo, TransitionInfo } from '../resolve/world.ts';
import { CollectiveCalls } from './collective-calls.ts';

/** States of a rank in results. */
export const STATES = ['computing', 'memory', 'communicating', 'waiting', 'idle'] as const;
export type ProgramState = (typeof STATES)[number];

/** States reported to sinks: like those of results, but with overhead and input/output separate from communicating. */
export type SliceState = ProgramState | 'overhead' | 'io';

/** A message in transit, by the numbers of the net: tag, request of its send, request of its receive. */
export interface MessageNumbers {
  readonly tag: number;
  readonly send: number;
  readonly receive: number;
}

/**
 * Receives the states of ranks and the messages of a run as they become known. Times are in seconds; slices of zero
 * length are omitted.
 */
export interface ProgramSink {
  slice(rank: number, state: SliceState, statement: StatementInfo | undefined, start: number, end: number): void;
  /** A message left rank `from` at `start` and arrived at rank `to` at `end`. */
  message(from: number, start: number, to: number, end: number, bytes: number, numbers: MessageNumbers): void;
  /**
   * Each step of a rank in its control flow, before its slices: the statement, the time at which the rank came to the
   * step, the values of its token, and the number of the request that the step completes. Computed only for sinks that
   * have this method.
   */
  visit?(
    rank: number,
    at: StatementInfo,
    time: number,
    value: (variable: number) => number,
    completed: number | undefined,
  ): void;
  /** A rank has come to its end. */
  end?(rank: number, time: number): void;
  /** The run is over: the slices that follow are of what ranks are in the middle of. */
  over?(): void;
}

type Columns = { readonly [state in ProgramState]: Float64Array };

const columns = (ranks: number): Columns => ({
  computing: new Float64Array(ranks),
  memory: new Float64Array(ranks),
  communicating: new Float64Array(ranks),
  waiting: new Float64Array(ranks),
  idle: new Float64Array(ranks),
});

/** Numbers of a message's variables: pair, bytes, tag, request of the send, request of the receive. */
interface MessageAt {
  readonly p: number;
  readonly b: number;
  readonly t: number;
  readonly q: number;
  readonly a: number;
}

const messageAt = (variables: readonly string[]): MessageAt => {
  const at = (name: string): number => variables.indexOf(name);
  return { p: at('p'), b: at('b'), t: at('t'), q: at('q'), a: at('a') };
};

/** Receives changes of a rank's activity; `inThreads`: the rank executes a region of threads, which are active themselves. */
type ActiveRank = (time: number, rank: number, by: 1 | -1, inThreads: boolean) => void;

/** A log entry: a transition and the part of it that was logged. */
interface Entry {
  readonly info: TransitionInfo;
  readonly part: 'start' | 'call' | 'end' | 'match' | 'row' | 'launch' | 'arrival' | 'visit' | 'thread';
  /** Names of the logged variables, in log order. */
  variables: readonly string[];
  /** Numbers in the log of the variables of a message, −1 for those that are not logged. */
  message: MessageAt;
  /** The statement reported to a sink. */
  readonly visit?: StatementInfo;
  /** The request that the transition completes. */
  readonly completes?: number | undefined;
  /** A thread inside a rank begins or ends to be active. */
  readonly tell?: ActivityEntry['tell'];
}

/**
 * Adds up the time of every rank by state, in total and by interval, from the firings of a program's net.
 *
 * Time passes for a rank only in timed transitions and in places where it is blocked. The time since its last progress
 * therefore belongs to the transition that moves it on. Blocked time is waiting until the awaited transfer starts, and
 * communicating from then on. O(1) per firing.
 */
export class ProgramStates {
  /** Seconds by state and rank. */
  readonly seconds: Columns;
  /** Seconds by state and rank within each interval, by interval name. */
  readonly intervals: Map<string, Columns> = new Map();
  /** End time of each rank; NaN while it runs. */
  readonly ended: Float64Array;
  /** Time of each rank's last progress. */
  readonly since: Float64Array;
  /** The current statement of each rank, if it has logged transitions. */
  readonly at: (StatementInfo | undefined)[];
  /** Collective calls, and the check that ranks make the same ones. */
  readonly collectives: CollectiveCalls;
  /** The latency part of `seconds.communicating`. */
  readonly transfers: TransferParts;
  /** The part of `seconds.computing` in which a rank waits for its threads. */
  readonly inThreads: Float64Array;
  /** Seconds that each rank was blocked by transfers, without message overhead. */
  readonly transferring: Float64Array;
  readonly #program: ProgramNet;
  readonly #active: ActiveRank;
  readonly #sink: ProgramSink | undefined;
  readonly #entries: Entry[] = [{ info: NOTHING, part: 'start', variables: [], message: messageAt([]) }];
  readonly #isActive: Uint8Array;
  /** Start time of the transfer that a request waits for, by rank · requests + request. */
  readonly #transfers: TransferStarts;
  /** Departure times of messages in flight, by message key; kept only for a sink. */
  readonly #under = new Map<string, number[]>();
  readonly #from: Int32Array;
  readonly #to: Int32Array;
  readonly #request: Int32Array;

  constructor(program: ProgramNet, active: ActiveRank, sink?: ProgramSink) {
    const { ranks } = program.world;
    this.#program = program;
    this.collectives = new CollectiveCalls(program.rows);
    this.#active = active;
    this.#sink = sink;
    this.seconds = columns(ranks);
    this.transfers = new TransferParts(ranks, messageLatency(program.machine));
    this.transferring = new Float64Array(ranks);
    this.inThreads = new Float64Array(ranks);
    this.ended = new Float64Array(ranks).fill(Number.NaN);
    this.since = new Float64Array(ranks);
    this.at = new Array<StatementInfo | undefined>(ranks).fill(undefined);
    this.#isActive = new Uint8Array(ranks);
    const ends = program.world.pairEnds();
    this.#from = ends.from;
    this.#to = ends.to;
    this.#request = program.rows.request.finish();
    this.#transfers = transferStarts(ranks * program.requests);
    for (const { intervals } of program.world.statements)
      for (const name of intervals) if (!this.intervals.has(name)) this.intervals.set(name, columns(ranks));
  }

  /**
   * The transitions to log and the reader of the log. Call {@link bind} afterwards.
   *
   * @param threads the activity of threads inside ranks
   */
  log(threads: readonly ActivityEntry[] = []): RankLog {
    const transitions: Record<string, { start?: number; end?: number; variables?: number | readonly string[] }> = {};
    const { world, net } = this.#program;
    const entry = (info: TransitionInfo, part: Entry['part'], visited?: { info: StatementInfo; by: string }): number =>
      this.#entries.push({
        info,
        part,
        variables: [],
        message: messageAt([]),
        ...(visited === undefined ? {} : { visit: visited.info, completes: world.completes.get(visited.by) }),
      }) - 1;
    const lasting = new Set(net.transitions.filter((t) => t.delay !== undefined).map((t) => t.name));
    for (const { name } of net.transitions) {
      const info = world.infos.get(name);
      const visit = this.#sink?.visit === undefined ? undefined : world.visits.get(name);
      const depth = visit === undefined ? 1 : this.#depth(visit);
      const visited = visit === undefined ? undefined : { info: visit, by: name };
      if (name === 'match' || name === 'matchWild')
        transitions[name] = { start: entry({ statement: undefined }, 'match') };
      else if (this.#sink !== undefined && name === 'launch') transitions[name] = { start: entry(NOTHING, 'launch') };
      else if (this.#sink !== undefined && (name === 'deliver' || name === 'hand over'))
        transitions[name] = { start: entry(NOTHING, 'arrival') };
      else if (name === 'collective goes on' || name === 'collective wait')
        transitions[name] = {
          start: entry(
            { statement: undefined, before: 'blocked', ...(name === 'collective wait' ? { request: 1 } : {}) },
            'row',
          ),
          ...(lasting.has(name) ? { end: entry(SPENT, 'row') } : {}),
          variables: 3,
        };
      else if ((name === 'collective send' || name === 'collective isend') && lasting.has(name))
        transitions[name] = { end: entry(SPENT, 'row'), variables: 3 };
      else if (name === 'collective compute' && lasting.has(name))
        transitions[name] = {
          start: entry({ statement: undefined, begins: true }, 'row'),
          end: entry({ statement: undefined, before: 'computing', ends: true }, 'row'),
          variables: 3,
        };
      else if (name === 'collective compute')
        transitions[name] = { start: entry({ statement: undefined, begins: true }, 'row'), variables: 3 };
      else if (name === 'collective computed')
        transitions[name] = {
          start: entry({ statement: undefined, before: 'computing', ends: true }, 'row'),
          variables: 3,
        };
      else if (info?.calls !== undefined)
        transitions[name] = { start: entry(info, 'call', visited), variables: Math.max(depth, info.calls.depth) };
      else if (info !== undefined)
        transitions[name] = {
          start: entry(info, 'start', visited),
          ...(lasting.has(name) ? { end: entry(info, 'end') } : {}),
          variables: depth,
        };
      else if (visit !== undefined) transitions[name] = { start: entry(NOTHING, 'visit', visited), variables: depth };
    }
    for (const { transition, part: asked, variables, tell } of threads) {
      if (!net.transitions.some(({ name }) => name === transition)) continue;
      const part = lasting.has(transition) ? asked : 'start';
      const number = this.#entries.push({ ...this.#entries[0]!, part: 'thread', tell }) - 1;
      transitions[transition] = { ...transitions[transition], [part]: number, variables };
    }
    return { transitions, read: (log, length) => this.#read(log, length) };
  }

  /** Number of variables of its token that a rank's step must log, so that a sink can evaluate arguments. */
  #depth({ statement, nest }: StatementInfo): number {
    const { pair, source, tag, bytes, row } = this.#program.arguments.get(statement) ?? {};
    const args = [
      pair,
      source,
      tag,
      bytes,
      row,
      ...nest.flatMap((site) => [site.expression, site.iterations, site.copies]),
    ];
    return args.reduce((max, a) => Math.max(max, a?.depth ?? 0), 1);
  }

  /** Sets the variable order of each logged transition in the compiled net. */
  bind(log: RankLog, variables: (transition: string) => readonly string[]): void {
    for (const [name, { start, end, variables: told }] of Object.entries(log.transitions)) {
      const names = typeof told === 'object' ? told : variables(name).slice(0, told);
      for (const code of [start, end]) {
        if (code === undefined) continue;
        this.#entries[code]!.variables = names;
        this.#entries[code]!.message = messageAt(names);
      }
    }
  }

  /**
   * Accounts the time up to the end of the run: ended ranks are idle, the others stay in their current state.
   *
   * @param stops when the host of a rank fails, in seconds: from then on the rank is idle
   */
  finish(end: number, stops?: (rank: number) => number): void {
    this.#sink?.over?.();
    for (let rank = 0; rank < this.ended.length; rank++) {
      const hasEnded = !Number.isNaN(this.ended[rank]!);
      const time = hasEnded || stops === undefined ? end : Math.min(end, Math.max(this.since[rank]!, stops(rank)));
      if (hasEnded) this.#add(rank, 'idle', undefined, this.since[rank]!, time);
      else if (this.#isActive[rank] === 1) {
        if (this.at[rank]?.statement.kind === 'threads') this.inThreads[rank]! += time - this.since[rank]!;
        this.#add(rank, 'computing', this.at[rank], this.since[rank]!, time);
      } else this.#add(rank, 'waiting', this.at[rank], this.since[rank]!, time);
      if (time < end) this.#add(rank, 'idle', undefined, time, end);
    }
  }

  #read(log: LoggedFirings, length: number): void {
    for (let k = 0; k < length; ) {
      const { info, part, variables, message, visit, completes, tell } = this.#entries[log.heads[2 * k]!]!;
      const time = log.numbers[k + 1]!;
      const first = log.heads[2 * k + 1]!;
      if (visit !== undefined) {
        const at = k;
        const value = (variable: number): number => loggedValue(log, at, variable);
        this.#sink!.visit!(first, visit, this.since[first]!, value, completes);
      }
      if (part === 'visit') {
        // Nothing but a step.
      } else if (part === 'thread') tell!(first, time);
      else if (part === 'match') this.#matched(time, log, k, message);
      else if (part === 'launch') this.#setsOut(time, log, k, message);
      else if (part === 'arrival') this.#arrives(time, log, k, message);
      else if (part === 'row') this.#row(time, info, first, loggedValue(log, k, 1), loggedValue(log, k, 2));
      else if (part === 'call') this.#calls(time, info, log, k);
      else if (part === 'start') this.#starts(time, info, first);
      else this.#ends(time, info, first);
      k += loggedLength(variables.length);
    }
  }

  #calls(time: number, info: TransitionInfo, log: LoggedFirings, k: number): void {
    const rank = loggedValue(log, k, 0);
    this.collectives.called(
      info.statement!,
      rank,
      info.calls!.in((which) => loggedValue(log, k, which)),
    );
    if (info.passes !== true) this.#starts(time, info, rank);
  }

  #starts(time: number, info: TransitionInfo, rank: number): void {
    if (info.before === 'blocked') this.#unblocked(rank, info.request!, info.statement, time);
    else if (info.before !== undefined) this.#did(rank, info.before, info.statement, time);
    this.at[rank] = info.statement;
    const inThreads = info.statement?.statement.kind === 'threads';
    if (info.begins === true) this.#changes(time, rank, 1, inThreads);
    if (info.ends === true && info.during === undefined) this.#changes(time, rank, -1, inThreads);
    if (info.last !== true) return;
    this.#sink?.end?.(rank, time);
    this.ended[rank] = time;
    this.since[rank] = time;
  }

  #ends(time: number, info: TransitionInfo, rank: number): void {
    if (info.during !== undefined) this.#did(rank, info.during, info.statement, time);
    if (info.ends === true) this.#changes(time, rank, -1);
  }

  /** A step of a collective. Only steps of blocking collectives change the state of their rank. */
  #row(time: number, info: TransitionInfo, rank: number, thread: number, row: number): void {
    if (thread === BLOCKING) {
      const first = this.#program.firstRequest[thread]!;
      const request = info.request === undefined ? first + 1 : first + 2 + this.#request[row]!;
      if (info.before === 'blocked') this.#unblocked(rank, request, this.at[rank], time);
      else if (info.before !== undefined) this.#did(rank, info.before, this.at[rank], time);
    }
    if (info.begins === true) this.#changes(time, rank, 1);
    if (info.ends === true) this.#changes(time, rank, -1);
  }

  /** A send matched its receive: ranks blocked on either communicate from now on. */
  #matched(time: number, log: LoggedFirings, k: number, at: MessageAt): void {
    const p = loggedValue(log, k, at.p);
    const bytes = loggedValue(log, k, at.b);
    const { requests } = this.#program;
    this.transfers.begins(time, p, bytes, this.#from[p]!, this.#to[p]!);
    this.#transfers.set(this.#from[p]! * requests + loggedValue(log, k, at.q), time);
    if (this.#sink !== undefined && bytes >= this.#program.machine.protocol.eagerBelow) this.#setsOut(time, log, k, at);
    const a = loggedValue(log, k, at.a);
    if (a >= 0) this.#transfers.set(this.#to[p]! * requests + a, time);
  }

  #setsOut(time: number, log: LoggedFirings, k: number, at: MessageAt): void {
    const key = keyOf(log, k, at);
    const known = this.#under.get(key);
    if (known === undefined) this.#under.set(key, [time]);
    else known.push(time);
  }

  #arrives(time: number, log: LoggedFirings, k: number, at: MessageAt): void {
    if (at.a >= 0 && loggedValue(log, k, at.a) === NOBODY) return;
    const p = loggedValue(log, k, at.p);
    const bytes = loggedValue(log, k, at.b);
    const start = this.#under.get(keyOf(log, k, at))?.shift() ?? time;
    this.#sink!.message(this.#from[p]!, start, this.#to[p]!, time, bytes, {
      tag: loggedValue(log, k, at.t),
      send: loggedValue(log, k, at.q),
      receive: loggedValue(log, k, at.a),
    });
  }

  #unblocked(rank: number, request: number, statement: StatementInfo | undefined, time: number): void {
    const key = rank * this.#program.requests + request;
    const from = this.since[rank]!;
    const change = Math.min(time, Math.max(from, this.#transfers.get(key)));
    this.#add(rank, 'waiting', statement, from, change);
    this.#add(rank, 'communicating', statement, change, time);
    this.transfers.blocked(rank, change, time);
    this.transferring[rank]! += time - change;
    this.since[rank] = time;
  }

  #did(
    rank: number,
    doing: Exclude<Doing, 'blocked'> | Doing,
    statement: StatementInfo | undefined,
    time: number,
  ): void {
    const state: ProgramState = doing === 'overhead' || doing === 'blocked' ? 'communicating' : doing;
    const slice = doing === 'overhead' ? (statement?.statement.kind === 'file' ? 'io' : 'overhead') : state;
    if (statement?.statement.kind === 'threads') this.inThreads[rank]! += time - this.since[rank]!;
    this.#add(rank, state, statement, this.since[rank]!, time, slice);
    this.since[rank] = time;
  }

  #add(
    rank: number,
    state: ProgramState,
    statement: StatementInfo | undefined,
    start: number,
    end: number,
    slice: SliceState = state,
  ): void {
    if (!(end > start)) return;
    this.seconds[state][rank]! += end - start;
    if (statement !== undefined)
      for (const name of statement.intervals) this.intervals.get(name)![state][rank]! += end - start;
    this.#sink?.slice(rank, slice, statement, start, end);
  }

  #changes(time: number, rank: number, by: 1 | -1, inThreads = false): void {
    this.#isActive[rank] = by === 1 ? 1 : 0;
    this.#active(time, rank, by, inThreads);
  }
}

/** Key of a message: pair of ranks, tag, request and bytes. */
function keyOf(log: LoggedFirings, k: number, { p, t, q, b }: MessageAt): string {
  return [p, t, q, b].map((which) => loggedValue(log, k, which)).join();
}

const NOTHING: TransitionInfo = { statement: undefined };
const SPENT: TransitionInfo = { statement: undefined, before: 'overhead' };
