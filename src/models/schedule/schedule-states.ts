import { OPERATION } from '../../trace/goal/schedule.ts';
import { MESSAGE } from './schedule-tables.ts';

/** Activity of a CPU: computing, or the overhead of a message. */
export interface CpuActivity {
  readonly doing: 'calc' | 'send' | 'receive';
  /** The calc or the send, also for the side of the receiver. */
  readonly operation: number;
}

/** Receives the times of the ranks of a schedule, those of a rank in the order of time, in seconds. */
export interface ScheduleSink {
  /** No CPU of a rank is busy; `next` begins at the end. */
  waits(rank: number, start: number, end: number, next: CpuActivity): void;
  /**
   * A rank computes or communicates. Among several busy CPUs, one that computes counts, then the one that has been busy longest. An
   * activity of another CPU in between divides an activity into several parts.
   */
  busy(rank: number, activity: CpuActivity, start: number, end: number): void;
  /** A message, from the start of its send to the end of its overhead at the receiver. */
  message(operation: number, sent: number, received: number): void;
}

/** Takes a firing: its time in seconds, and the values of its variables. */
type Firing = (time: number, ...values: number[]) => void;

interface Running {
  readonly cpu: number;
  readonly activity: CpuActivity;
  /** True if a part of it was reported. */
  reported: boolean;
}

/** Follows the ranks in the net of a schedule. O(CPUs of the rank) for an event; memory: O(CPUs + messages under way). */
export class ScheduleStates {
  /** Seconds by rank in which a CPU computes, and in which none does but one spends overhead. */
  readonly computing: Float64Array;
  readonly communicating: Float64Array;
  readonly #sink: ScheduleSink | undefined;
  readonly #active: (time: number, by: 1 | -1, rank: number) => void;
  /** By rank: its busy CPUs, in the order in which they became busy. */
  readonly #running: Running[][];
  /** By rank: end of the time that was added; infinity after the end of the rank, which may still take messages without a receive. */
  readonly #since: Float64Array;
  /** The ranks that have operations. */
  readonly #busyRanks: ReadonlySet<number>;
  /** By message: the start of its send. */
  readonly #sent = new Map<number, number>();

  /** @param active called when a CPU of a rank begins (1) or ends (−1) to compute */
  constructor(
    ranks: number,
    operations: readonly { readonly rank: number }[],
    sink?: ScheduleSink,
    active: (time: number, by: 1 | -1, rank: number) => void = () => undefined,
  ) {
    this.#sink = sink;
    this.#active = active;
    this.#busyRanks = new Set(operations.map(({ rank }) => rank));
    this.computing = new Float64Array(ranks);
    this.communicating = new Float64Array(ranks);
    this.#since = new Float64Array(ranks);
    this.#running = Array.from({ length: ranks }, () => []);
    this.begin();
  }

  /** Forgets a run of the net, before the next one. */
  begin(): void {
    for (const column of [this.computing, this.communicating, this.#since]) column.fill(0);
    this.#since.forEach((_, rank) => {
      if (!this.#busyRanks.has(rank)) this.#since[rank] = Number.POSITIVE_INFINITY;
    });
    for (const cpus of this.#running) cpus.length = 0;
    this.#sent.clear();
  }

  /** Observers of the transitions of `scheduleNet`. */
  observers(): Readonly<Record<string, { readonly start: Firing; readonly end?: Firing }>> {
    return {
      end: {
        start: (time, rank, left) => {
          if (left! > 1) return;
          this.#passes(rank!, time, undefined);
          this.#since[rank!] = Number.POSITIVE_INFINITY;
        },
      },
      calculate: {
        start: (time, cpu, rank, operation) =>
          this.#begins(time, cpu!, rank!, { doing: 'calc', operation: operation! }),
        end: (time, cpu, rank) => this.#ends(time, cpu!, rank!),
      },
      'take overhead': {
        start: (time, cpu, rank, operation, kind) => {
          this.#begins(time, cpu!, rank!, { doing: kind === MESSAGE ? 'receive' : 'send', operation: operation! });
          if (kind === OPERATION.send && this.#sink !== undefined) this.#sent.set(operation!, time);
        },
        end: (time, cpu, rank, operation, kind) => {
          this.#ends(time, cpu!, rank!);
          if (kind !== MESSAGE || this.#sink === undefined) return;
          if (this.#since[rank!]! <= time) this.#sink.message(operation!, this.#sent.get(operation!)!, time);
          this.#sent.delete(operation!);
        },
      },
    };
  }

  #begins(time: number, cpu: number, rank: number, activity: CpuActivity): void {
    this.#passes(rank, time, activity);
    if (activity.doing === 'calc') this.#active(time, 1, rank);
    this.#running[rank]!.push({ cpu, activity, reported: false });
  }

  #ends(time: number, cpu: number, rank: number): void {
    this.#passes(rank, time, undefined);
    const running = this.#running[rank]!;
    const at = running.findIndex((one) => one.cpu === cpu);
    const [{ activity, reported }] = running.splice(at, 1) as [Running];
    if (activity.doing === 'calc') this.#active(time, -1, rank);
    // An activity that takes no time, or is hidden behind others, is reported as a part without length.
    if (!reported && this.#since[rank]! <= time) this.#sink?.busy(rank, activity, time, time);
  }

  /** Adds the time up to now, in which the activities of a rank did not change. */
  #passes(rank: number, time: number, next: CpuActivity | undefined): void {
    const start = this.#since[rank]!;
    if (!(time > start)) return;
    this.#since[rank] = time;
    const running = this.#running[rank]!;
    const shown = running.find(({ activity }) => activity.doing === 'calc') ?? running[0];
    if (shown === undefined) {
      if (next !== undefined) this.#sink?.waits(rank, start, time, next);
      return;
    }
    (shown.activity.doing === 'calc' ? this.computing : this.communicating)[rank]! += time - start;
    this.#sink?.busy(rank, shown.activity, start, time);
    shown.reported = true;
  }
}
