import { OPERATION } from '../../trace/goal/schedule.ts';
import { MESSAGE } from './schedule-tables.ts';

/** Receives the activities of the CPUs of a schedule, each at its end: those of one CPU in the order of time. */
export interface ScheduleSink {
  /** A CPU computes, or spends the overhead of a message. `operation`: the calc or the send, also for the side of the receiver. */
  busy(rank: number, doing: 'calc' | 'send' | 'receive', operation: number, start: number, end: number): void;
  /** A message, from the start of its send to the end of its overhead at the receiver. */
  message(operation: number, sent: number, received: number): void;
}

/** Takes a firing: its time in seconds, and the values of its variables. */
type Firing = (time: number, ...values: number[]) => void;

/** Follows the net of a schedule whose ranks have one CPU each. Memory: O(ranks + messages under way). */
export class ScheduleStates {
  readonly #sink: ScheduleSink;
  /** By CPU: the start of its activity. */
  readonly #since = new Map<number, number>();
  /** By message: the start of its send. */
  readonly #sent = new Map<number, number>();

  constructor(sink: ScheduleSink) {
    this.#sink = sink;
  }

  /** Observers of the transitions of `scheduleNet`. */
  observers(): Readonly<Record<string, { readonly start: Firing; readonly end: Firing }>> {
    const begins: Firing = (time, cpu) => {
      this.#since.set(cpu!, time);
    };
    return {
      calculate: {
        start: begins,
        end: (time, cpu, rank, operation) => this.#sink.busy(rank!, 'calc', operation!, this.#since.get(cpu!)!, time),
      },
      'take overhead': {
        start: (time, cpu, _, operation, kind) => {
          begins(time, cpu!);
          if (kind === OPERATION.send) this.#sent.set(operation!, time);
        },
        end: (time, cpu, rank, operation, kind) => {
          const isReceive = kind === MESSAGE;
          this.#sink.busy(rank!, isReceive ? 'receive' : 'send', operation!, this.#since.get(cpu!)!, time);
          if (!isReceive) return;
          this.#sink.message(operation!, this.#sent.get(operation!)!, time);
          this.#sent.delete(operation!);
        },
      },
    };
  }
}
