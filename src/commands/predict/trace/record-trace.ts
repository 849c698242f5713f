import { entryAt } from '../../../base/columns.ts';
import type { RankStateSink, RankStates, RankStepSink } from '../../../models/rank-states.ts';
import type { Collective } from '../../../trace/collective.ts';
import { ExecutionNumbers } from '../../../trace/run/collective-spans.ts';
import type { RecordedCall, RunRecorder } from '../../../trace/run/run-recorder.ts';
import type { IntervalPath } from '../../../trace/run/run-schema.ts';
import type { TiAction } from '../../../trace/ti/codes.ts';
import type { TypesOfActions } from '../../../trace/ti/data-types.ts';
import type { JointJob } from '../../subjects/jobs/joint-trace.ts';
import type { TraceNet } from '../../subjects/read-trace.ts';
import { CollectiveParts, callName } from './collective-parts.ts';

/** The message that completed a receive whose wait is still to come. */
interface Matched {
  readonly peer: number;
  readonly tag: number;
  readonly bytes: number;
}

/** Actions that are not calls of the message system. */
const NO_CALLS: ReadonlySet<TiAction['kind']> = new Set(['compute', 'sleep', 'end']);

/** Calls that never block, and the absence of a call. */
const NEVER_WAIT = /^(|MPI_(I?bsend|Isend|Issend|Irecv|Test|Wait|Waitall))$/;

/** The MPI name of an action. */
function nameOf(action: TiAction): string {
  if (action.kind === 'nonblocking') return callName(`i${action.collective.kind}`);
  const mode = 'mode' in action ? action.mode : undefined;
  if (mode === undefined) return callName(action.kind);
  return callName(action.kind.replace('send', mode === 'synchronous' ? 'ssend' : 'bsend'));
}

/** A program whose actions an encoder numbered: a trace, or one of several jobs at once, whose ranks are an interval of its name. */
interface Recorded extends Pick<JointJob, 'encoder' | 'first' | 'firstRow' | 'rows' | 'firstTag'> {
  readonly ranks: number;
  /** Number of its communicator. */
  readonly number: number;
  readonly group: string;
  readonly interval: IntervalPath | undefined;
}

/** The programs of a trace: one, or several jobs. */
function recordedPrograms({ jobs, encoder, trace, operations }: TraceNet): Recorded[] {
  if (jobs === undefined) {
    const all = { first: 0, firstRow: 0, rows: operations.count, firstTag: 0, ranks: trace.ranks };
    return [{ ...all, encoder, number: 0, group: '', interval: undefined }];
  }
  return jobs.map((job, number) => ({
    ...job,
    ...{ ranks: job.trace.ranks, number, group: job.name, interval: [{ name: job.name }] },
  }));
}

/** Records the run of a trace, or of several at once. Each action except computing and sleeping is a call. */
export class TraceRecording implements RankStateSink, RankStepSink {
  readonly steps: RankStepSink = this;
  readonly #recorder: RunRecorder;
  readonly #built: TraceNet;
  readonly #programs: readonly Recorded[];
  /** By rank: when it began the first action of its job, which may start late; NaN before. */
  readonly #began: Float64Array;
  readonly #executions = new ExecutionNumbers();
  /** Position of each rank; −1 before its first action. */
  readonly #at: Int32Array;
  /** By rank: received messages that no call has completed yet, by the position of their receive. */
  readonly #matched: readonly Map<number, Matched>[];
  readonly #parts: CollectiveParts;
  readonly #types: TypesOfActions;
  /** By rank: number of actions with data so far. */
  readonly #data: Int32Array;

  constructor(recorder: RunRecorder, built: TraceNet) {
    this.#recorder = recorder;
    this.#built = built;
    this.#programs = recordedPrograms(built);
    this.#began = new Float64Array(built.trace.ranks).fill(Number.NaN);
    this.#at = new Int32Array(built.trace.ranks).fill(-1);
    const { op, size, more } = built.operations;
    this.#parts = new CollectiveParts({
      op: (row) => op[row]!,
      bytes: (row) => size[row]!,
      more: (row) => more[row] !== 0,
    });
    this.#types = built.trace.dataTypes();
    this.#data = new Int32Array(built.trace.ranks);
    this.#matched = Array.from({ length: built.trace.ranks }, () => new Map());
  }

  visit(rank: number, operation: number, position: number, time: number): void {
    if (this.#at[rank] === position) return;
    this.#at[rank] = position;
    const program = this.#programOf(rank);
    const action = actionOf(program, operation);
    // The sleep before a late start.
    if (action === undefined) return;
    if (program.interval !== undefined && Number.isNaN(this.#began[rank]!)) {
      this.#began[rank] = time;
      this.#recorder.enter(rank, program.interval, 'parallel');
    }
    this.#recorder.begin(rank, time, this.#call(rank, action, position, program));
    if (action.kind !== 'waitall') return;
    const open = this.#matched[rank]!;
    for (const matched of open.values()) this.#completes(rank, matched);
    open.clear();
  }

  end(rank: number, time: number): void {
    this.#leave(rank, time);
    this.#recorder.ended(rank, time);
  }

  /** The rank is no longer in the interval of its job. */
  #leave(rank: number, time: number): void {
    const { interval } = this.#programOf(rank);
    const began = this.#began[rank]!;
    if (interval === undefined || Number.isNaN(began)) return;
    this.#began[rank] = Number.NaN;
    this.#recorder.begin(rank, time, undefined);
    this.#recorder.left(rank, interval, began, time, 'parallel');
    this.#recorder.enter(rank, [], undefined);
  }

  #programOf(rank: number): Recorded {
    return this.#programs.findLast(({ first }) => first <= rank)!;
  }

  slice: RankStateSink['slice'] = (rank, state, _operation, _position, start, end) =>
    this.#recorder.span(rank, state, start, end);

  message: RankStateSink['message'] = (from, _posted, to, end, bytes, began, operation) => {
    const program = this.#programOf(from);
    const action = actionOf(program, operation)!;
    const { kind } = action;
    const isUser = kind === 'send' || kind === 'isend' || kind === 'sendRecv';
    this.#recorder.message(from, to, began, end, bytes, {
      ...(isUser ? { tag: this.#tagOf(program, operation) } : {}),
      communicator: program.number,
      call: nameOf(action),
    });
  };

  received(rank: number, operation: number, position: number, send: number, bytes: number): void {
    const program = this.#programOf(rank);
    const { kind } = actionOf(program, operation)!;
    const peer = this.#built.operations.rank[send]!;
    // The tags of a sendRecv are not those of the program.
    if (kind === 'sendRecv') this.#recorder.matched(rank, peer, undefined);
    if (kind !== 'recv' && kind !== 'irecv') return;
    const matched = { peer, tag: this.#tagOf(program, send), bytes };
    if (kind === 'recv') this.#completes(rank, matched);
    else this.#matched[rank]!.set(position, matched);
  }

  #tagOf({ encoder, firstTag }: Recorded, operation: number): number {
    return encoder.tagOf(this.#built.operations.tag[operation]! - firstTag);
  }

  completes(rank: number, position: number): void {
    const matched = this.#matched[rank]!.get(position);
    if (matched === undefined) return;
    this.#matched[rank]!.delete(position);
    this.#completes(rank, matched);
  }

  #completes(rank: number, { peer, tag, bytes }: Matched): void {
    this.#recorder.matched(rank, peer, tag);
    this.#recorder.addBytes(rank, bytes);
  }

  /** Ends the recording: ranks that have ended are idle, others are at an action. Call it before `states.finish`. */
  finish(time: number, states: RankStates): void {
    states.ended.forEach((end, rank) => {
      const since = states.since[rank]!;
      if (!(time > since)) return;
      const state = Number.isNaN(end) ? (states.computes(rank) ? 'computing' : 'waiting') : 'idle';
      // A rank that waits forever for a request is at the action after the last one that is known.
      if (state === 'waiting' && NEVER_WAIT.test(this.#recorder.call(rank)?.name ?? ''))
        this.#recorder.begin(rank, since, undefined);
      this.#recorder.span(rank, state, since, time);
      this.#leave(rank, time);
    });
  }

  #call(
    rank: number,
    action: TiAction,
    position: number,
    { first, ranks, number, group }: Recorded,
  ): RecordedCall | undefined {
    if (NO_CALLS.has(action.kind)) return undefined;
    const { trace } = this.#built;
    const communicator = number;
    const name = nameOf(action);
    switch (action.kind) {
      case 'send':
      case 'isend': {
        const bytes = entryAt(trace.amount, position);
        const data = this.#dataOf(rank, bytes);
        return { name, bytes: Math.floor(bytes), peer: first + action.peer, tag: action.tag, communicator, ...data };
      }
      case 'recv':
      case 'irecv':
        return {
          name,
          ...(action.peer === null ? {} : { peer: first + action.peer }),
          ...(action.tag === null ? {} : { tag: action.tag }),
          communicator,
          ...this.#dataOf(rank, entryAt(trace.amount, position)),
        };
      case 'sendRecv': {
        const { wrapped } = this.#parts.at(entryAt(trace.code, position));
        return {
          name,
          ...(wrapped === undefined ? {} : { wrapped }),
          bytes: action.sendBytes,
          peer: first + action.to,
          communicator,
          ...this.#dataOf(rank, action.sendBytes),
        };
      }
      case 'put':
      case 'get':
      case 'accumulate': {
        const bytes = entryAt(trace.amount, position);
        const data = this.#dataOf(rank, bytes);
        return { name, bytes: Math.floor(bytes), peer: first + action.peer, communicator, ...data };
      }
      case 'fence': {
        const operation = action.kind;
        const execution = this.#executions.next(rank, operation, group, ranks);
        // A fence counts as an action with data, as a barrier does.
        this.#data[rank]!++;
        return { name, communicator, collective: { operation, execution, processes: ranks, communicator } };
      }
      case 'compute':
      case 'sleep':
      case 'waitall':
      case 'waitAny':
      case 'end':
      case 'wait':
      case 'test':
        return { name };
      default: {
        const processes = ranks;
        const collective = action.kind === 'nonblocking' ? action.collective : action;
        const operation = action.kind === 'nonblocking' ? `i${collective.kind}` : collective.kind;
        const execution = this.#executions.next(rank, operation, group, processes);
        const { bytes, wrapped } = this.#parts.at(entryAt(trace.code, position));
        return {
          name,
          bytes,
          ...('root' in collective ? { peer: first + collective.root } : {}),
          communicator,
          ...this.#dataOf(rank, declaredBytes(collective)),
          ...(wrapped === undefined ? {} : { wrapped }),
          collective: { operation, execution, processes, communicator },
        };
      }
    }
  }

  /** Datatype and number of elements of the next action of a rank that has data. */
  #dataOf(rank: number, bytes: number | undefined): Pick<RecordedCall, 'type' | 'count'> {
    const type = this.#types.of(rank, this.#data[rank]!++);
    if (type === undefined || bytes === undefined) return {};
    return { type: type.name, ...(type.bytes > 0 ? { count: bytes / type.bytes } : {}) };
  }
}

/** The action of an operation of the joint program; undefined for the sleep before a late start, which no trace contains. */
function actionOf({ encoder, firstRow, rows }: Recorded, operation: number): TiAction | undefined {
  const row = operation - firstRow;
  return row < rows ? encoder.actionOf(row) : undefined;
}

/** Bytes of the elements that a collective names: those to send, or those to receive if it names no others. */
function declaredBytes(action: Collective): number | undefined {
  const bytes = 'bytes' in action ? action.bytes : 'sendBytes' in action ? action.sendBytes : undefined;
  const declared = bytes ?? ('recvBytes' in action ? action.recvBytes : undefined);
  return typeof declared === 'object' ? declared.reduce((sum, part) => sum + part, 0) : declared;
}
