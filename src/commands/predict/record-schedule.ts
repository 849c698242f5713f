import { type ScheduleSink, ScheduleStates } from '../../models/schedule/schedule-states.ts';
import type { ScheduledOperation } from '../../trace/goal/schedule.ts';
import type { RecordedCall } from '../../trace/run/run-recorder.ts';
import type { Target } from '../inputs/target.ts';
import type { PredictionDocument } from './prediction.ts';
import type { Writers } from './subject.ts';

/** The operations of a schedule, and the hosts of its ranks. */
export interface RecordedSchedule {
  readonly operations: readonly ScheduledOperation[];
  readonly hosts: { readonly target: Target; readonly placement: Int32Array };
}

/**
 * Writes the run of a program under LogGOPS: a rank computes, communicates while its core spends the overhead of a message, and waits between
 * these until it ends. Calls are the sends, the receives and waits: those of collectives are not distinguished.
 */
export class ScheduleRecording implements ScheduleSink {
  readonly states: ScheduleStates = new ScheduleStates(this);
  readonly #writers: Writers;
  readonly #operations: readonly ScheduledOperation[];
  /** By rank: the end of its last activity. */
  readonly #since: Float64Array;

  constructor(writers: Writers, { operations, hosts: { target, placement } }: RecordedSchedule) {
    this.#writers = writers;
    this.#operations = operations;
    this.#since = new Float64Array(placement.length);
    placement.forEach((host, rank) => {
      writers.chrome?.thread(rank, `rank ${rank} on ${target.platform.hosts[host]!.name}`);
    });
  }

  busy(rank: number, doing: 'calc' | 'send' | 'receive', operation: number, start: number, end: number): void {
    const { rank: from, peer, size } = this.#operations[operation]!;
    if (doing === 'calc') {
      this.#waits(rank, start, { name: WAIT });
      this.#span(rank, 'compute', 'computing', start, end, undefined);
      return;
    }
    const isReceive = doing === 'receive';
    const call: RecordedCall = isReceive
      ? { name: 'MPI_Recv', bytes: size, peer: from }
      : { name: 'MPI_Send', bytes: size, peer };
    // A rank that waits before it takes a message waits for it.
    const waited = this.#waits(rank, start, isReceive ? call : { name: WAIT });
    this.#span(rank, isReceive ? 'recv' : 'send', 'communicating', start, end, waited && isReceive ? 'same' : call);
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
      this.#waits(rank, end, { name: WAIT });
      if (endTime === null) continue;
      this.#writers.recorder?.ended(rank, end);
      if (runTime.value > end) {
        this.#writers.recorder?.span(rank, 'idle', end, runTime.value);
        this.#writers.chrome?.slice(rank, 'idle', 'idle', end, runTime.value);
      }
    }
  }

  /** The rank has waited in a call since its last activity. Returns whether that took time. */
  #waits(rank: number, until: number, call: RecordedCall): boolean {
    const since = this.#since[rank]!;
    if (!(until > since)) return false;
    this.#span(rank, call.name === WAIT ? 'wait' : 'recv', 'waiting', since, until, call);
    return true;
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
