import type { ProgramNet } from '../../../models/program/net/program-net.ts';
import type { Communicator } from '../../../models/program/record/communicator.ts';
import type { Statement } from '../../../models/program/record/statement.ts';
import { BLOCKING } from '../../../models/program/resolve/collective-threads.ts';
import { labelOf } from '../../../models/program/resolve/shape.ts';
import type { StatementInfo } from '../../../models/program/resolve/world.ts';
import { IntervalTracker } from '../../../models/program/run/interval-tracker.ts';
import type { ProgramSink } from '../../../models/program/run/program-states.ts';
import { ExecutionNumbers, type RecordedCollective } from '../../../trace/run/collective-spans.ts';
import type { RecordedCall, RunRecorder } from '../../../trace/run/run-recorder.ts';
import { CollectiveParts, callName } from '../trace/collective-parts.ts';

/** A started asynchronous operation, and the time at which its start ended. */
interface Started {
  readonly collective: RecordedCollective;
  readonly time: number;
}

/** The message that completed a receive whose wait is still to come. */
interface Matched {
  readonly peer: number;
  readonly tag: number | undefined;
  readonly bytes: number;
}

/**
 * Records the run of a model. A rank is in a call from the first step of its statement to the first step of another one. A
 * loop is a separate statement, so each iteration makes a new call.
 *
 * Memory: O(ranks × requests).
 */
export class ModelRecording implements Required<ProgramSink> {
  readonly #recorder: RunRecorder;
  readonly #program: ProgramNet;
  readonly #tracker: IntervalTracker;
  readonly #executions = new ExecutionNumbers();
  /** Statement that each rank is at. */
  readonly #at: (StatementInfo | undefined)[];
  /** Started operations that are intervals, by rank and name. */
  readonly #operations = new Map<string, Started>();
  /** By rank and request. */
  readonly #started = new Map<number, Started>();
  readonly #matched = new Map<number, Matched>();
  readonly #ends: { readonly from: Int32Array; readonly to: Int32Array };
  readonly #communicators = new Map<number, number>();
  #isOver = false;
  /** The names of asynchronous collectives by their thread. */
  readonly #threads = new Map<number, string>();
  /** The calls to which sends belong, by request. */
  readonly #sendCalls = new Map<number, string>();
  readonly #parts: CollectiveParts;

  constructor(recorder: RunRecorder, program: ProgramNet) {
    this.#recorder = recorder;
    this.#program = program;
    const { rows } = program;
    this.#parts = new CollectiveParts({
      op: (row) => rows.op.at(row),
      bytes: (row) => rows.amount.at(row),
      more: (row) => rows.more.at(row) !== 0,
    });
    const { ranks } = program.world;
    this.#at = new Array<StatementInfo | undefined>(ranks).fill(undefined);
    this.#ends = program.world.pairEnds();
    this.#tracker = new IntervalTracker(ranks, {
      entered: (rank, path, iterations) => {
        const { kind, site, start, copies } = path.at(-1)!;
        recorder.enter(rank, path, kind, copies, iterations);
        if (site.operation !== undefined) this.#beginOperation(rank, site.operation, site.phase, start);
      },
      left: (rank, path, time) => {
        const { start, kind, site } = path.at(-1)!;
        // The call that ends here belongs to the interval.
        recorder.begin(rank, time, undefined);
        if (site.operation !== undefined) this.#endOperation(rank, site.operation, site.phase, time);
        recorder.left(rank, path, start, time, kind);
        const around = path.slice(0, -1);
        recorder.enter(rank, around, around.at(-1)?.kind, around.at(-1)?.copies);
      },
    });
    for (const { communicators } of program.programs)
      for (const { number } of communicators)
        if (!this.#communicators.has(number)) this.#communicators.set(number, this.#communicators.size);
    for (const { statement: s } of program.world.statements)
      if (s.kind === 'send' && s.request !== undefined && s.site.call !== undefined)
        this.#sendCalls.set(s.request.number, callName(s.site.call));
    for (const [statement, thread] of program.threadOf)
      if (thread > BLOCKING) this.#threads.set(thread, callName(labelOf(statement)));
  }

  visit(
    rank: number,
    at: StatementInfo,
    time: number,
    value: (variable: number) => number,
    completed: number | undefined,
  ): void {
    const previous = this.#at[rank];
    if (at === previous) return;
    this.#at[rank] = at;
    this.#tracker.visit(rank, this.#recorder.loopIntervals ? at.loopNest : at.nest, time, value);
    const call = this.#call(rank, at.statement, time, value);
    const collective = completed === undefined ? undefined : this.#waited(rank, completed, time);
    const open = this.#recorder.call(rank);
    const goesOn = previous !== undefined && isSameCall(previous.statement, at.statement) && open !== undefined;
    if (!goesOn || collective !== undefined || open.collective !== undefined)
      this.#recorder.begin(rank, time, collective === undefined || call === undefined ? call : { ...call, collective });
    else if (call?.bytes !== undefined) this.#recorder.addBytes(rank, call.bytes);
    if (completed === undefined) return;
    const key = this.#key(rank, completed);
    const matched = this.#matched.get(key);
    if (matched === undefined) return;
    this.#matched.delete(key);
    this.#receives(rank, matched);
  }

  /** A message completes the call that a rank is in. The data volume of a sendrecv is the number of bytes sent. */
  #receives(rank: number, { peer, tag, bytes }: Matched): void {
    this.#recorder.matched(rank, peer, tag);
    if (this.#at[rank]?.statement.site.call !== 'sendrecv') this.#recorder.addBytes(rank, bytes);
  }

  end(rank: number, time: number): void {
    this.#at[rank] = undefined;
    this.#tracker.end(rank, time);
    this.#recorder.ended(rank, time);
  }

  slice: ProgramSink['slice'] = (rank, state, _, start, end) => {
    // A rank that waits forever may be at the statement after the last one that is known.
    if (this.#isOver && state === 'waiting' && !blocks(this.#at[rank]?.statement))
      this.#recorder.begin(rank, start, undefined);
    this.#recorder.span(rank, state, start, end);
  };

  message: ProgramSink['message'] = (from, start, to, end, bytes, { tag: number, send, receive }) => {
    const { tags } = this.#program.world;
    const isUser = tags.key(number, 2) === 0;
    const tag = isUser ? tags.key(number, 1) : undefined;
    const communicator = this.#communicators.get(tags.key(number, 0));
    const call = isUser
      ? (this.#sendCalls.get(send) ?? callName(send === 0 ? 'send' : 'isend'))
      : tags.key(number, 1) === 0
        ? callName(send === this.#program.oneSidedRequest ? 'put' : 'get')
        : this.#collectiveCall(send, to);
    this.#recorder.message(from, to, start, end, bytes, {
      ...(tag === undefined ? {} : { tag }),
      ...(communicator === undefined ? {} : { communicator }),
      ...(call === undefined ? {} : { call }),
    });
    if (!isUser || receive < 0) return;
    if (receive > 0) this.#matched.set(this.#key(to, receive), { peer: from, tag, bytes });
    else if (this.#at[to]?.statement.kind === 'recv') this.#receives(to, { peer: from, tag, bytes });
  };

  over(): void {
    this.#isOver = true;
  }

  /** Closes the intervals that ranks are in, for runs that were cut short. */
  finish(time: number): void {
    this.#tracker.finish(time);
  }

  #beginOperation(rank: number, operation: string, phase: 'start' | 'wait' | undefined, time: number): void {
    const processes = this.#program.world.ranks;
    const started = phase === 'wait' ? this.#operations.get(`${rank} ${operation}`) : undefined;
    const execution =
      started?.collective.execution ??
      this.#executions.next(rank, operation, `interval ${operation} ${phase}`, processes);
    const collective = { operation, execution, processes, ...(phase === undefined ? {} : { phase }) };
    if (started !== undefined) this.#recorder.overlap(rank, collective, started.time, time);
    if (phase === 'start') this.#operations.set(`${rank} ${operation}`, { collective, time });
    this.#recorder.beginOperation(rank, collective, time);
  }

  #endOperation(rank: number, operation: string, phase: 'start' | 'wait' | undefined, time: number): void {
    const key = `${rank} ${operation}`;
    const started = this.#operations.get(key);
    if (phase === 'start' && started !== undefined) this.#operations.set(key, { ...started, time });
    else if (phase === 'wait') this.#operations.delete(key);
    this.#recorder.endOperation(rank, time);
  }

  /** True if a blocking collective is still active at the receiver of its messages. */
  #collectiveCall(request: number, receiver: number): string | undefined {
    const { firstRequest } = this.#program;
    let thread = BLOCKING;
    while (thread + 1 < firstRequest.length && firstRequest[thread + 1]! <= request) thread++;
    return this.#threads.get(thread) ?? this.#recorder.call(receiver)?.name;
  }

  #call(rank: number, s: Statement, time: number, value: (variable: number) => number): RecordedCall | undefined {
    const { arguments: all, world } = this.#program;
    const { pair, source, tag, bytes, row } = all.get(s) ?? {};
    const communicator = 'comm' in s ? { communicator: this.#communicators.get(s.comm.number) ?? 0 } : {};
    const name = callName(s.site.call ?? labelOf(s));
    const wrapped = s.site.call === 'sendrecv' ? { wrapped: callName(labelOf(s)) } : {};
    switch (s.kind) {
      case 'send':
      case 'put': {
        const to = pair!.in(value);
        if (to < 0) return { name, ...wrapped, ...communicator };
        const number = tag?.in(value);
        return {
          name,
          bytes: bytes!.in(value),
          ...dataOf(bytes!.in(value)),
          ...wrapped,
          peer: this.#ends.to[to]!,
          ...(number === undefined || number < 0 ? {} : { tag: world.tags.key(number, 1) }),
          ...communicator,
        };
      }
      case 'recv':
      case 'probe':
      case 'get': {
        const from = pair?.in(value) ?? -1;
        const peer = from >= 0 ? this.#ends.from[from] : source?.in(value);
        const number = tag?.in(value) ?? -1;
        return {
          name,
          ...(bytes === undefined ? {} : { bytes: bytes.in(value), ...dataOf(bytes.in(value)) }),
          ...wrapped,
          ...(peer === undefined || peer < 0 ? {} : { peer }),
          ...(number < 0 ? {} : { tag: world.tags.key(number, 1) }),
          ...communicator,
        };
      }
      case 'file':
        return { name, bytes: bytes!.in(value), ...dataOf(bytes!.in(value)) };
      case 'wait':
      case 'waitAny':
      case 'test':
      case 'take':
        return { name };
      case 'fence':
      case 'collective': {
        const operation = s.kind === 'fence' ? 'fence' : s.call;
        const request = s.kind === 'fence' ? undefined : s.request;
        const collective: RecordedCollective = {
          operation,
          execution: this.#executions.next(rank, operation, groupOf(s.comm, rank), s.comm.sizeOf(rank)),
          ...(request === undefined ? {} : { phase: 'start' }),
          processes: s.comm.sizeOf(rank),
          ...communicator,
        };
        if (request !== undefined) this.#started.set(this.#key(rank, request.number), { collective, time });
        const root = s.kind === 'fence' ? undefined : this.#rootOf(s, rank, row!.in(value));
        const first = row!.in(value);
        const part = this.#parts.at(first);
        const volume = s.kind === 'fence' ? {} : { bytes: part.bytes, ...dataOf(this.#program.rows.bytes(first)) };
        const below = part.wrapped === undefined ? {} : { wrapped: part.wrapped };
        return {
          name,
          ...volume,
          ...below,
          ...(root === undefined ? {} : { peer: root }),
          ...communicator,
          collective,
        };
      }
      default:
        return undefined;
    }
  }

  /** The wait of an asynchronous collective. */
  #waited(rank: number, request: number, time: number): RecordedCollective | undefined {
    const key = this.#key(rank, request);
    const started = this.#started.get(key);
    if (started === undefined) return undefined;
    this.#started.delete(key);
    this.#recorder.overlap(rank, started.collective, started.time, time);
    return { ...started.collective, phase: 'wait' };
  }

  #rootOf(s: Extract<Statement, { kind: 'collective' }>, rank: number, row: number): number | undefined {
    const { root } = this.#program.rows.demands(row) as { readonly root?: number };
    return root === undefined ? undefined : s.comm.worldRank(rank, root);
  }

  #key(rank: number, request: number): number {
    return rank * this.#program.requests + request;
  }
}

/** True if a rank reaches a statement before it is blocked in it; waits are reached when they complete. */
function blocks(s: Statement | undefined): boolean {
  if (s?.site.call === 'sendrecv') return true;
  if (s?.kind === 'send' || s?.kind === 'recv' || s?.kind === 'collective') return s.request === undefined;
  return s?.kind === 'fence';
}

/** Data of a model are bytes. */
const dataOf = (bytes: number | undefined): Pick<RecordedCall, 'type' | 'count'> =>
  bytes === undefined ? {} : { type: 'MPI_BYTE', count: bytes };

/** True if two statements are parts of one call of the builder. */
const isSameCall = (a: Statement, b: Statement): boolean => a.site === b.site && a.site.call !== undefined;

const groupOf = (comm: Communicator, rank: number): string => `${comm.number} ${comm.worldRank(rank, 0)}`;
