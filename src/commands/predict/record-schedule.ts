import type { CpuActivity, ScheduleSink } from '../../models/schedule/schedule-states.ts';
import type { ScheduledOperation } from '../../trace/goal/schedule.ts';
import type { RecordedCall } from '../../trace/run/run-recorder.ts';
import type { PredictionDocument } from './prediction.ts';
import type { Subject, Writers } from './subject.ts';

/** The operations of a schedule, and the hosts of its ranks. */
export interface RecordedSchedule {
  readonly operations: readonly ScheduledOperation[];
  readonly hosts: NonNullable<Subject['hosts']>;
}

/**
 * Writes the run of a program under LogGOPS: a rank computes, communicates while its core spends the overhead of a message, and waits between
 * these until it ends. Calls are the sends, the receives and waits: those of collectives are not distinguished. Of a rank with several CPUs, each
 * uninterrupted part of an overhead is a call.
 */
export class ScheduleRecording implements ScheduleSink {
  readonly #writers: Writers;
  readonly #operations: readonly ScheduledOperation[];
  /** By rank: the end of its last activity, and the message that it waited for until then. */
  readonly #since: Float64Array;
  readonly #awaited: Int32Array;

  constructor(writers: Writers, { operations, hosts: { target, placement } }: RecordedSchedule) {
    this.#writers = writers;
    this.#operations = operations;
    this.#since = new Float64Array(placement.length);
    this.#awaited = new Int32Array(placement.length).fill(-1);
    placement.forEach((host, rank) => {
      writers.chrome?.thread(rank, `rank ${rank} on ${target.platform.hosts[host]!.name}`);
    });
  }

  waits(rank: number, start: number, end: number, next: CpuActivity): void {
    // A rank that waits before it takes a message waits for it.
    const isReceive = next.doing === 'receive';
    this.#span(rank, isReceive ? 'recv' : 'wait', 'waiting', start, end, isReceive ? this.#call(next) : { name: WAIT });
    if (isReceive) this.#awaited[rank] = next.operation;
  }

  busy(rank: number, activity: CpuActivity, start: number, end: number): void {
    const awaited = this.#awaited[rank]!;
    this.#awaited[rank] = -1;
    if (activity.doing === 'calc') {
      this.#span(rank, 'compute', 'computing', start, end, undefined);
      return;
    }
    const isReceive = activity.doing === 'receive';
    const goesOn = isReceive && awaited === activity.operation;
    this.#span(rank, isReceive ? 'recv' : 'send', 'communicating', start, end, goesOn ? 'same' : this.#call(activity));
  }

  #call({ doing, operation }: CpuActivity): RecordedCall {
    const { rank: from, peer, size } = this.#operations[operation]!;
    return doing === 'receive'
      ? { name: 'MPI_Recv', bytes: size, peer: from }
      : { name: 'MPI_Send', bytes: size, peer };
  }

  message(operation: number, sent: number, received: number): void {
    const { rank, peer, size } = this.#operations[operation]!;
    this.#writers.chrome?.arrow(rank, sent, peer, received, `${size} B`);
    this.#writers.recorder?.message(rank, peer, sent, received, size, { call: 'MPI_Send' });
  }

  /** Ends the recording of the run that a document describes. */
  finish({ ranks, figures: { runTime } }: Pick<PredictionDocument, 'ranks' | 'figures'>): void {
    for (const { rank, endTime } of ranks) {
      const end = endTime ?? runTime.value;
      const since = this.#since[rank]!;
      if (end > since) this.#span(rank, 'wait', 'waiting', since, end, { name: WAIT });
      if (endTime === null) continue;
      this.#writers.recorder?.ended(rank, end);
      if (runTime.value > end) {
        this.#writers.recorder?.span(rank, 'idle', end, runTime.value);
        this.#writers.chrome?.slice(rank, 'idle', 'idle', end, runTime.value);
      }
    }
  }

  #span(
    rank: number,
    name: string,
    state: 'computing' | 'communicating' | 'waiting',
    start: number,
    end: number,
    call: RecordedCall | 'same' | undefined,
  ): void {
    const { recorder, chrome } = this.#writers;
    this.#since[rank] = end;
    if (call !== 'same') recorder?.begin(rank, start, call);
    recorder?.span(rank, state, start, end);
    if (end > start) chrome?.slice(rank, name, state, start, end);
  }
}

const WAIT = 'MPI_Wait';
