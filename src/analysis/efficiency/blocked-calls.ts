import { type Batch, GrowingColumns } from '../../trace/run/batch.ts';
import { ABSENT, RUN_STATES } from '../../trace/run/run-schema.ts';
import { type Grouped, grouped } from './execution-order.ts';

const COMMUNICATING = RUN_STATES.indexOf('communicating');
const WAITING = RUN_STATES.indexOf('waiting');

/** The stretch that a process is in. `index` is −1 until the stretch has a blocked row. */
interface Open {
  index: number;
  readonly interval: number;
  readonly call: number;
  readonly sequence: number;
  readonly peer: number;
  readonly collective: number;
  readonly execution: number;
  readonly phase: number;
  readonly start: number;
  end: number;
}

/**
 * Stretches of time in which processes are in a call and blocked: communicating and waiting count alike, since few recorders
 * know when the one becomes the other. A stretch is the rows of one `sequence`; without sequence numbers, adjacent rows with
 * the same call, interval, partner and collective execution. It may hold several calls then. Blocked rows without a call form
 * stretches, too.
 *
 * O(rows) time, O(blocked rows) memory. Complete after {@link finish}.
 */
export class BlockedCalls {
  readonly #stretches = new GrowingColumns([
    { name: 'process', type: 'process' },
    { name: 'start', type: 'seconds' },
    { name: 'end', type: 'seconds' },
    { name: 'interval', type: 'count' },
    { name: 'call', type: 'integer' },
    { name: 'peer', type: 'integer' },
    { name: 'collective', type: 'integer' },
    { name: 'sequence', type: 'integer' },
  ]);
  /** Blocked rows of some length. */
  readonly #rows = new GrowingColumns([
    { name: 'stretch', type: 'count' },
    { name: 'start', type: 'seconds' },
    { name: 'end', type: 'seconds' },
  ]);
  readonly #open: (Open | undefined)[];
  #ofProcess: Grouped = grouped([], 0, 0);
  #ofStretch: Grouped = grouped([], 0, 0);

  constructor(processes: number) {
    this.#open = new Array<Open | undefined>(processes).fill(undefined);
  }

  /** Number of stretches with a blocked row. */
  get count(): number {
    return this.#stretches.count;
  }

  /**
   * Adds rows of the table `states`.
   *
   * @param intervals index of the interval of each path of the batch
   */
  batch({ columns, count }: Batch, intervals: readonly number[]): void {
    const process = columns['process']!;
    const state = columns['state']!;
    const start = columns['start']!;
    const end = columns['end']!;
    const call = columns['call']!;
    for (let row = 0; row < count; row++) {
      const p = process[row]!;
      const isBlocked = state[row] === WAITING || state[row] === COMMUNICATING;
      if (!isBlocked && call[row] === ABSENT) {
        this.#open[p] = undefined;
        continue;
      }
      let open = this.#open[p];
      if (open === undefined || !continues(open, columns, intervals, row)) {
        open = begin(columns, intervals, row);
        this.#open[p] = open;
      }
      open.end = end[row]!;
      if (isBlocked && end[row]! > start[row]!) this.#blocked(p, open, start[row]!, end[row]!);
      if (open.index >= 0) this.#stretches.column('end')[open.index] = open.end;
    }
  }

  finish(): void {
    const { count } = this.#stretches;
    this.#ofProcess = grouped(this.#stretches.column('process'), count, this.#open.length);
    this.#ofStretch = grouped(this.#rows.column('stretch'), this.#rows.count, count);
  }

  /**
   * The first stretch of a process that contains an instant, its ends included, and has a property; −1 if not found.
   * O(log stretches).
   */
  around(process: number, time: number, has: (stretch: number) => boolean): number {
    const { order, begin: from } = this.#ofProcess;
    const end = this.#stretches.column('end');
    const limit = from[process + 1]!;
    let low = from[process]!;
    for (let high = limit; low < high; ) {
      const middle = (low + high) >> 1;
      if (end[order[middle]!]! >= time) high = middle;
      else low = middle + 1;
    }
    for (; low < limit && this.start(order[low]!) <= time; low++) if (has(order[low]!)) return order[low]!;
    return -1;
  }

  /** Blocked seconds of a stretch from one instant to another. O(log rows + rows between). */
  seconds(stretch: number, from: number, to: number): number {
    const { order, begin: first } = this.#ofStretch;
    const start = this.#rows.column('start');
    const end = this.#rows.column('end');
    const limit = first[stretch + 1]!;
    let low = first[stretch]!;
    for (let high = limit; low < high; ) {
      const middle = (low + high) >> 1;
      if (end[order[middle]!]! > from) high = middle;
      else low = middle + 1;
    }
    let sum = 0;
    for (; low < limit && start[order[low]!]! < to; low++)
      sum += Math.min(to, end[order[low]!]!) - Math.max(from, start[order[low]!]!);
    return sum;
  }

  start(stretch: number): number {
    return this.#stretches.column('start')[stretch]!;
  }

  end(stretch: number): number {
    return this.#stretches.column('end')[stretch]!;
  }

  process(stretch: number): number {
    return this.#stretches.column('process')[stretch]!;
  }

  interval(stretch: number): number {
    return this.#stretches.column('interval')[stretch]!;
  }

  /** Name of the call, partner, and name of the collective operation; {@link ABSENT} where unknown. */
  call(stretch: number): number {
    return this.#stretches.column('call')[stretch]!;
  }

  peer(stretch: number): number {
    return this.#stretches.column('peer')[stretch]!;
  }

  collective(stretch: number): number {
    return this.#stretches.column('collective')[stretch]!;
  }

  /** True if the stretch is one call, by its sequence number. */
  isOneCall(stretch: number): boolean {
    return this.#stretches.column('sequence')[stretch] !== ABSENT;
  }

  #blocked(process: number, open: Open, start: number, end: number): void {
    if (open.index < 0) {
      open.index = this.#stretches.row();
      const set = (name: string, value: number): void => {
        this.#stretches.column(name)[open.index] = value;
      };
      set('process', process);
      set('start', open.start);
      set('interval', open.interval);
      set('call', open.call);
      set('peer', open.peer);
      set('collective', open.collective);
      set('sequence', open.sequence);
    }
    const row = this.#rows.row();
    this.#rows.column('stretch')[row] = open.index;
    this.#rows.column('start')[row] = start;
    this.#rows.column('end')[row] = end;
  }
}

function continues(open: Open, columns: Batch['columns'], intervals: readonly number[], row: number): boolean {
  if (columns['call']![row] !== open.call) return false;
  const sequence = columns['sequence']![row]!;
  if (sequence !== ABSENT || open.sequence !== ABSENT) return sequence === open.sequence;
  return (
    columns['start']![row] === open.end &&
    intervalOf(columns, intervals, row) === open.interval &&
    columns['peer']![row] === open.peer &&
    columns['collective']![row] === open.collective &&
    columns['execution']![row] === open.execution &&
    columns['phase']![row] === open.phase
  );
}

const begin = (columns: Batch['columns'], intervals: readonly number[], row: number): Open => ({
  index: -1,
  interval: intervalOf(columns, intervals, row),
  call: columns['call']![row]!,
  sequence: columns['sequence']![row]!,
  peer: columns['peer']![row]!,
  collective: columns['collective']![row]!,
  execution: columns['execution']![row]!,
  phase: columns['phase']![row]!,
  start: columns['start']![row]!,
  end: columns['end']![row]!,
});

const intervalOf = (columns: Batch['columns'], intervals: readonly number[], row: number): number => {
  const at = columns['interval']![row]!;
  return at === ABSENT ? 0 : intervals[at]!;
};
