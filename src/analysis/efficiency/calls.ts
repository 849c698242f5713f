import type { Batch } from '../../trace/run/batch.ts';
import { ABSENT, RUN_STATES } from '../../trace/run/run-schema.ts';

const COMMUNICATING = RUN_STATES.indexOf('communicating');
const WAITING = RUN_STATES.indexOf('waiting');

/** Sums over calls: their number, bytes, seconds in them, and seconds blocked in them. */
export interface SummedCalls {
  count: number;
  bytes: number;
  seconds: number;
  blocked: number;
}

/** The current call of a process: consecutive rows. */
interface OpenCall {
  readonly name: number;
  readonly sequence: number;
  readonly interval: number;
  readonly collective: number;
  readonly execution: number;
  readonly phase: number;
  readonly start: number;
  end: number;
  state: number;
  blocked: number;
  bytes: number;
}

/** A call that has ended: index of its name and of its interval, and its contribution to the sums. */
export interface EndedCall {
  readonly process: number;
  readonly name: number;
  readonly interval: number;
  readonly bytes: number;
  readonly seconds: number;
  readonly blocked: number;
}

/**
 * Adds up calls by name, process and interval. A call is the rows of one `sequence`; without sequence numbers, adjacent
 * rows of one process with the same call, interval and collective execution, and different states. Bytes of a call are the
 * largest of its rows.
 *
 * O(rows) time; memory for each name, and each process and interval that calls it.
 */
export class CallMeter {
  /** Sums by name and process, then by name and interval, where there are calls. */
  readonly byProcess: Map<number, Map<number, SummedCalls>> = new Map();
  readonly byInterval: Map<number, Map<number, SummedCalls>> = new Map();
  readonly #open: (OpenCall | undefined)[];
  readonly #ended: ((call: EndedCall) => void) | undefined;

  /** @param ended receives each call when it has ended */
  constructor(processes: number, ended?: (call: EndedCall) => void) {
    this.#ended = ended;
    this.#open = new Array<OpenCall | undefined>(processes).fill(undefined);
  }

  /**
   * Adds rows of the table `states`.
   *
   * @param intervals index of the interval of each path of the batch
   */
  batch({ columns, count }: Batch, intervals: readonly number[]): void {
    const call = columns['call']!;
    const process = columns['process']!;
    for (let row = 0; row < count; row++) {
      const p = process[row]!;
      const open = this.#open[p];
      if (open === undefined ? call[row] === ABSENT : false) continue;
      if (open !== undefined && this.#continues(open, columns, intervals, row)) this.#extend(open, columns, row);
      else {
        if (open !== undefined) this.#close(p, open);
        this.#open[p] = call[row] === ABSENT ? undefined : this.#begin(columns, intervals, row);
      }
    }
  }

  finish(): void {
    this.#open.forEach((open, p) => {
      if (open !== undefined) this.#close(p, open);
    });
  }

  #continues(open: OpenCall, columns: Batch['columns'], intervals: readonly number[], row: number): boolean {
    if (columns['call']![row] !== open.name) return false;
    const sequence = columns['sequence']![row]!;
    if (sequence !== ABSENT || open.sequence !== ABSENT) return sequence === open.sequence;
    return (
      columns['start']![row] === open.end &&
      columns['state']![row] !== open.state &&
      intervalOf(columns, intervals, row) === open.interval &&
      columns['collective']![row] === open.collective &&
      columns['execution']![row] === open.execution &&
      columns['phase']![row] === open.phase
    );
  }

  #begin(columns: Batch['columns'], intervals: readonly number[], row: number): OpenCall {
    const open: OpenCall = {
      name: columns['call']![row]!,
      sequence: columns['sequence']![row]!,
      interval: intervalOf(columns, intervals, row),
      collective: columns['collective']![row]!,
      execution: columns['execution']![row]!,
      phase: columns['phase']![row]!,
      start: columns['start']![row]!,
      end: 0,
      state: 0,
      blocked: 0,
      bytes: 0,
    };
    this.#extend(open, columns, row);
    return open;
  }

  #extend(open: OpenCall, columns: Batch['columns'], row: number): void {
    const start = columns['start']![row]!;
    const end = columns['end']![row]!;
    const state = columns['state']![row]!;
    const bytes = columns['bytes']![row]!;
    open.end = end;
    open.state = state;
    // Rows of one call give its volume so far: a row that repeats it adds nothing.
    if (bytes > open.bytes) open.bytes = bytes;
    if (state === WAITING || state === COMMUNICATING) open.blocked += end - start;
  }

  #close(p: number, open: OpenCall): void {
    const { name, interval, bytes, blocked } = open;
    const seconds = open.end - open.start;
    this.#ended?.({ process: p, name, interval, bytes, seconds, blocked });
    for (const [sums, at] of [
      [this.byProcess, p],
      [this.byInterval, interval],
    ] as const) {
      let of = sums.get(name);
      if (of === undefined) {
        of = new Map();
        sums.set(name, of);
      }
      let one = of.get(at);
      if (one === undefined) {
        one = { count: 0, bytes: 0, seconds: 0, blocked: 0 };
        of.set(at, one);
      }
      one.count++;
      one.bytes += bytes;
      one.seconds += seconds;
      one.blocked += blocked;
    }
  }
}

const intervalOf = (columns: Batch['columns'], intervals: readonly number[], row: number): number => {
  const at = columns['interval']![row]!;
  return at === ABSENT ? 0 : intervals[at]!;
};
