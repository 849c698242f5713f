import type { Batch } from '../../trace/run/batch.ts';
import { ABSENT, INTERVAL_KINDS, type IntervalPath, PHASES, RUN_STATES } from '../../trace/run/run-schema.ts';
import { CollectiveParts } from './collective-parts.ts';
import { type Delay, DelayOrigins } from './delay-origin.ts';
import { type IntervalNode, IntervalTree } from './interval-tree.ts';
import { IoWaits } from './io-waits.ts';
import { SUM, SUM_COUNT, TimeColumns } from './time-columns.ts';

const SEQUENTIAL = INTERVAL_KINDS.indexOf('sequential');
/** Bits of {@link EfficiencyMeter.kinds}. */
export const SEQUENTIAL_ROWS = 1;
export const PARALLEL_ROWS = 2;
const STATE = Object.fromEntries(RUN_STATES.map((state, k) => [state, k])) as Record<string, number>;
/** The sum to which a state is added; for computing and memory it depends on the kind of the interval. */
const SUM_OF_STATE: readonly number[] = RUN_STATES.map(
  (state) =>
    ({
      overhead: SUM.overhead,
      communicating: SUM.communicating,
      waiting: SUM.waiting,
      io: SUM.io,
      idle: SUM.innerIdle,
    })[state as string] ?? -1,
);

/** An asynchronous operation between its start and its wait. */
interface Pending {
  readonly operation: number;
  readonly execution: number;
  readonly interval: number;
  /** Computing since the start, in seconds. */
  computed: number;
}

/** Sums of a kind of collective operation over all processes, in seconds. */
export interface OperationSums {
  /** Index of the operation's name. */
  readonly name: number;
  readonly phase: number;
  count: number;
  communication: number;
  synchronization: number;
  timeVariation: number;
  overlap: number;
}

/** Figures of a collective operation, in the order of {@link EfficiencyMeter.ofOperation}. */
export const OPERATION_FIGURES = ['communication', 'synchronization', 'timeVariation', 'overlap'] as const;
export type OperationFigure = (typeof OPERATION_FIGURES)[number];
const FIGURE_COUNT = OPERATION_FIGURES.length;
/** States of a process that takes part in an operation and does not compute. */
const BLOCKED: ReadonlySet<number> = new Set(
  ['communicating', 'waiting', 'overhead', 'idle'].map((state) => STATE[state]!),
);

/** Idle time that is before the end of a process if another row follows; `part` belongs to an operation. */
interface Idle {
  readonly interval: number;
  readonly seconds: number;
  readonly part?: Labels & { readonly start: number; readonly end: number };
}

/** Operation, phase, number of the execution, and partner of a row. */
interface Labels {
  readonly name: number;
  readonly phase: number;
  readonly execution: number;
  readonly peer: number;
}

const labelsOf = (columns: Batch['columns'], row: number): Labels => ({
  name: columns['collective']![row]!,
  phase: columns['phase']![row]!,
  execution: columns['execution']![row]!,
  peer: columns['peer']![row]!,
});

const [COMMUNICATION, SYNCHRONIZATION, TIME_VARIATION, OVERLAP] = [0, 1, 2, 3] as const;

/**
 * Adds up productive and lost time over nested intervals, after "Debugging the efficiency of DVM programs" (Keldysh
 * Institute, 1998). Takes the states of a run; rows of one process come in the order of time.
 *
 * Gaps between rows are idle. They belong to the innermost interval whose execution both neighbours share. Idle time
 * before a process's end is communication; idle time after it is idle.
 * Time: O(rows). Memory: O(intervals × processes + executions of collectives × processes).
 */
export class EfficiencyMeter {
  readonly tree: IntervalTree;
  readonly sums: TimeColumns;
  readonly parts: CollectiveParts;
  readonly operations: OperationSums[] = [];
  readonly ioWaits: IoWaits = new IoWaits();
  /** Kinds of the rows of each interval: {@link SEQUENTIAL_ROWS}, {@link PARALLEL_ROWS}; complete after finish. */
  readonly kinds: number[] = [];
  /** 1 for each process that has rows in the interval. */
  readonly #executors: Uint8Array[] = [];
  /** Earliest start of any row; infinite without rows. */
  begin: number = Number.POSITIVE_INFINITY;
  /** End of the last row of each process that is not idle, or of the measured part of a run if one comes later; NaN without rows. */
  readonly end: Float64Array;
  /** Start of the first row of each process. */
  readonly #first: Float64Array;
  /** End of the latest row of each process, idle or not, and its path. */
  readonly #lastEnd: Float64Array;
  readonly #lastPath: (IntervalPath | undefined)[];
  /** Idle time since `end`, per process, and the intervals it belongs to. */
  readonly #trailing: Idle[][];
  readonly #origins: DelayOrigins;
  /** Synchronization by the intervals in which it is lost and in which its delay arose; complete after finish. */
  delays: readonly Delay[] = [];
  readonly #pending: Pending[][];
  readonly #operationIndex = new Map<number, number>();
  /** Seconds of each operation by process and figure; NaN for a process that never executes it. */
  readonly #ofOperation: Float64Array[] = [];

  constructor(program: string, processes: number) {
    this.tree = new IntervalTree(program);
    this.sums = new TimeColumns(processes);
    this.parts = new CollectiveParts(processes);
    this.#origins = new DelayOrigins(processes);
    this.end = new Float64Array(processes).fill(Number.NaN);
    this.#first = new Float64Array(processes).fill(Number.NaN);
    this.#lastEnd = new Float64Array(processes).fill(Number.NaN);
    this.#lastPath = new Array<IntervalPath | undefined>(processes).fill(undefined);
    this.#trailing = Array.from({ length: processes }, () => []);
    this.#pending = Array.from({ length: processes }, () => []);
  }

  /**
   * Adds rows of the table `states`.
   *
   * @returns the index of the interval of each path of the batch
   */
  batch({ columns, count, paths }: Batch): number[] {
    const nodes = paths.map((path) => this.tree.enter(path));
    const process = columns['process']!;
    const start = columns['start']!;
    const end = columns['end']!;
    const state = columns['state']!;
    const interval = columns['interval']!;
    for (let row = 0; row < count; row++) {
      const p = process[row]!;
      const at = interval[row]!;
      const path = at === ABSENT ? NO_PATH : paths[at]!;
      const node = at === ABSENT ? this.tree.root : nodes[at]!;
      this.#gap(p, start[row]!, path);
      this.#row(p, start[row]!, end[row]!, state[row]!, node.index, columns, row);
      this.#lastEnd[p] = end[row]!;
      this.#lastPath[p] = path;
    }
    return nodes.map(({ index }) => index);
  }

  /** A process ends after `time`, the end of the part of a run that is measured: until then it is not at its end. Call after its rows. */
  goesOn(p: number, time: number, path: IntervalPath): void {
    this.#gap(p, time, path);
    this.#addTrailing(p);
    this.end[p] = time;
    this.#lastEnd[p] = time;
    this.#lastPath[p] = path;
  }

  #executorsOf(interval: number): Uint8Array {
    this.#executors[interval] ??= new Uint8Array(this.sums.processes);
    return this.#executors[interval];
  }

  /** True if a process has rows in an interval, or in one inside it; complete after finish. */
  executes(interval: number, process: number): boolean {
    return this.#executors[interval]?.[process] === 1;
  }

  /** Completes the sums: leading gaps, synchronization, and intervals around intervals. Call once, after all rows. */
  finish(): void {
    for (let p = 0; p < this.#first.length; p++) {
      if (Number.isNaN(this.end[p]!)) continue;
      this.sums.add(0, p, SUM.innerIdle, this.#first[p]! - this.begin);
    }
    this.delays = this.#origins.finish(this.parts, this.tree.nodes.length);
    this.parts.each(({ operation, process, startInterval, endInterval, synchronization, timeVariation }) => {
      this.sums.add(startInterval, process, SUM.synchronization, synchronization);
      this.sums.add(endInterval, process, SUM.timeVariation, timeVariation);
      const sums = this.operations[operation]!;
      sums.synchronization += synchronization;
      sums.timeVariation += timeVariation;
      this.#addTo(operation, process, SYNCHRONIZATION, synchronization);
      this.#addTo(operation, process, TIME_VARIATION, timeVariation);
    });
    this.operations.forEach((sums, operation) => {
      sums.count = this.parts.count(operation);
    });
    this.#executors[0] = new Uint8Array(this.sums.processes).fill(1);
    const inner = [...this.tree.nodes].reverse();
    for (const { index, parent } of inner) {
      if (parent === undefined) continue;
      const around = this.#executorsOf(parent.index);
      this.#executors[index]?.forEach((isIn, p) => {
        around[p]! |= isIn;
      });
    }
    for (const { index } of inner) this.#repeatSequential(index);
    for (const node of inner)
      if (node.parent !== undefined) {
        this.sums.fold(node.index, node.parent.index);
        this.kinds[node.parent.index] = (this.kinds[node.parent.index] ?? 0) | (this.kinds[node.index] ?? 0);
      }
  }

  /**
   * Sequential computing of an interval is the same on all n processes that execute it: all but 1/n of it is lost. Outside of
   * intervals these are all processes of the run.
   */
  #repeatSequential(interval: number): void {
    const columns = this.sums.of(interval);
    const executors = this.#executors[interval];
    if (columns === undefined || executors === undefined) return;
    const count = executors.reduce((sum, isIn) => sum + isIn, 0);
    executors.forEach((isIn, p) => {
      const seconds = columns[p * SUM_COUNT + SUM.computingSequential]!;
      if (isIn === 1 && seconds > 0)
        this.sums.add(interval, p, SUM.repeatedSequential, (seconds * (count - 1)) / count);
    });
  }

  /** Idle time of all processes before their ends, in seconds. Complete after finish. */
  innerIdle(): number {
    const sums = this.sums.of(0);
    let total = 0;
    for (let p = 0; sums !== undefined && p < this.sums.processes; p++) total += sums[p * SUM_COUNT + SUM.innerIdle]!;
    return total;
  }

  #gap(p: number, start: number, path: IntervalPath): void {
    const before = this.#lastEnd[p]!;
    if (Number.isNaN(before)) {
      this.#first[p] = start;
      this.begin = Math.min(this.begin, start);
    } else if (start > before)
      this.#trailing[p]!.push({
        interval: this.#shared(this.#lastPath[p] ?? NO_PATH, path).index,
        seconds: start - before,
      });
  }

  /** The process was not at its end: its idle time since its last other row is inside its time. */
  #addTrailing(p: number): void {
    for (const { interval, seconds, part } of this.#trailing[p]!) {
      this.sums.add(interval, p, SUM.innerIdle, seconds);
      // A process that sleeps within an operation takes part in it.
      if (part !== undefined) this.#collective(p, part.start, part.end, STATE['idle']!, interval, part);
    }
    this.#trailing[p]!.length = 0;
  }

  /** The innermost interval whose execution two paths share. */
  #shared(a: IntervalPath, b: IntervalPath): IntervalNode {
    let depth = 0;
    while (
      depth < a.length &&
      depth < b.length &&
      a[depth]!.name === b[depth]!.name &&
      a[depth]!.expression === b[depth]!.expression &&
      a[depth]!.execution === b[depth]!.execution
    )
      depth++;
    return depth === 0 ? this.tree.root : this.tree.enter(a.slice(0, depth));
  }

  #row(
    p: number,
    start: number,
    end: number,
    state: number,
    interval: number,
    columns: Batch['columns'],
    row: number,
  ): void {
    const seconds = end - start;
    this.#executorsOf(interval)[p] = 1;
    const kind = columns['kind']![row]!;
    if (kind !== ABSENT)
      this.kinds[interval] = (this.kinds[interval] ?? 0) | (kind === SEQUENTIAL ? SEQUENTIAL_ROWS : PARALLEL_ROWS);
    if (state === STATE['idle']) {
      // Idle time is after the end of the process until another row follows.
      const name = columns['collective']![row]!;
      const part = name === ABSENT ? {} : { part: { start, end, ...labelsOf(columns, row) } };
      this.#trailing[p]!.push({ interval, seconds, ...part });
      return;
    }
    this.#addTrailing(p);
    this.end[p] = end;
    const computes = state === STATE['computing'] || state === STATE['memory'];
    const sum = computes
      ? kind === SEQUENTIAL
        ? SUM.computingSequential
        : SUM.computingParallel
      : SUM_OF_STATE[state]!;
    this.sums.add(interval, p, sum, seconds);
    const iterations = columns['iterations']![row]!;
    if (!Number.isNaN(iterations)) this.sums.add(interval, p, SUM.iterations, iterations);
    if (sum === SUM.computingParallel) {
      const copies = columns['copies']![row]!;
      if (copies > 1) this.sums.add(interval, p, SUM.repeated, (seconds * (copies - 1)) / copies);
    }
    if (computes || state === STATE['io'] || state === STATE['overhead']) this.#origins.busy(p, interval, seconds);
    if (computes) for (const pending of this.#pending[p]!) pending.computed += seconds;
    const name = columns['collective']![row]!;
    const io = name === ABSENT ? columns['call']![row]! : name;
    if (io !== ABSENT && !computes) {
      if (state === STATE['io']) this.ioWaits.io(io);
      else this.ioWaits.waits(io, interval, seconds);
    }
    if (name !== ABSENT) this.#collective(p, start, end, state, interval, labelsOf(columns, row));
  }

  #collective(
    p: number,
    start: number,
    end: number,
    state: number,
    interval: number,
    { name, phase, execution, peer }: Labels,
  ): void {
    const operation = this.#operation(name, phase);
    if (this.parts.row(operation, execution, p, start, end, interval, peer)) this.#origins.starts(p);
    const sums = this.operations[operation]!;
    const blocked = BLOCKED.has(state);
    if (blocked) sums.communication += end - start;
    this.#addTo(operation, p, COMMUNICATION, blocked ? end - start : 0);
    const pending = this.#pending[p]!;
    if (PHASES[phase] === 'start') {
      const begun = pending.find((other) => other.operation === operation && other.execution === execution);
      if (begun === undefined) pending.push({ operation, execution, interval, computed: 0 });
      else begun.computed = 0;
    } else if (PHASES[phase] === 'wait') {
      const started = this.#operation(name, PHASES.indexOf('start'));
      const k = pending.findIndex((other) => other.operation === started && other.execution === execution);
      if (k < 0) return;
      const [ended] = pending.splice(k, 1);
      this.sums.add(ended!.interval, p, SUM.overlap, ended!.computed);
      this.operations[started]!.overlap += ended!.computed;
      this.#addTo(started, p, OVERLAP, ended!.computed);
    }
  }

  /** The start of an asynchronous operation, for its wait; otherwise the operation itself. */
  startOf(operation: number): number {
    const { name, phase } = this.operations[operation]!;
    if (PHASES[phase] !== 'wait') return operation;
    return this.#operationIndex.get(4 * name + PHASES.indexOf('start')) ?? operation;
  }

  /** Seconds of a figure of an operation on each process; NaN for a process that never executes it. O(processes). */
  ofOperation(operation: number, figure: OperationFigure): Float64Array {
    const sums = this.#ofOperation[operation]!;
    const at = OPERATION_FIGURES.indexOf(figure);
    return Float64Array.from({ length: this.sums.processes }, (_, p) => sums[p * FIGURE_COUNT + at]!);
  }

  #addTo(operation: number, process: number, figure: number, seconds: number): void {
    const sums = this.#ofOperation[operation]!;
    const first = process * FIGURE_COUNT;
    if (Number.isNaN(sums[first]!)) sums.fill(0, first, first + FIGURE_COUNT);
    sums[first + figure]! += seconds;
  }

  #operation(name: number, phase: number): number {
    const key = 4 * name + (phase === ABSENT ? 3 : phase);
    let index = this.#operationIndex.get(key);
    if (index === undefined) {
      const sums = { name, phase, count: 0, communication: 0, synchronization: 0, timeVariation: 0, overlap: 0 };
      index = this.operations.push(sums) - 1;
      this.#operationIndex.set(key, index);
      this.#ofOperation.push(new Float64Array(this.sums.processes * FIGURE_COUNT).fill(Number.NaN));
    }
    return index;
  }
}

const NO_PATH: IntervalPath = [];
