import type { PackedKernel } from './packed-kernel.ts';

/*
 * Data shared by exploration threads in addition to the states: a list of work pieces, from which each thread takes the next;
 * rows for new states, which threads take in blocks; and a report per thread.
 */

/** Rows per block. */
export const BLOCK: number = 1 << 14;
/** Maximum number of work pieces per phase. */
export const MAX_PIECES: number = 1 << 16;
/** Maximum number of runs of rows per thread and phase. */
const MAX_RUNS = 1 << 12;

/** Word indices of the control block. */
export const CONTROL = {
  /** Incremented when a phase begins. */
  epoch: 0,
  /** Number of threads that have finished the phase. */
  done: 1,
  nextPiece: 2,
  pieces: 3,
  /** Set to stop all threads after their current piece. */
  stop: 4,
  /** The next free row, and the end of the rows that may be taken. */
  nextRow: 5,
  rowsEnd: 6,
  quit: 7,
  mask: 8,
  /** Operation of the phase: a {@link JOB}. */
  job: 9,
  /** Start of per-thread words: whether the thread is ready, and whether it takes part in the phase. */
  ready: 16,
  takesPart: 32,
  length: 48,
} as const;
export const MAX_THREADS = 16;

export const JOB = { expand: 0, rehash: 1 } as const;

/** Word indices of a thread's report. */
const REPORT = { overflow: 0, leftFrom: 1, leftTo: 2, runs: 3, first: 4 } as const;
const REPORT_WORDS = REPORT.first + 2 * MAX_RUNS;

export interface SharedWork {
  readonly control: Int32Array<SharedArrayBuffer>;
  readonly pieces: Int32Array<SharedArrayBuffer>;
  readonly reports: Int32Array<SharedArrayBuffer>;
  readonly found: Float64Array<SharedArrayBuffer>;
}

const ints = (words: number): Int32Array<SharedArrayBuffer> => new Int32Array(new SharedArrayBuffer(4 * words));

export function sharedWork(threads: number): SharedWork {
  return {
    control: ints(CONTROL.length),
    pieces: ints(2 * MAX_PIECES),
    reports: ints(REPORT_WORDS * threads),
    found: new Float64Array(new SharedArrayBuffer(8 * threads)),
  };
}

/** Report of a thread on a phase. */
export interface Report {
  /** 1 + index of a place whose count overflowed its bits; 0: none. */
  readonly overflow: number;
  /** Rows of an incomplete piece. */
  readonly left: readonly [from: number, to: number] | undefined;
  /** Rows of the states found. */
  readonly runs: readonly (readonly [slot: number, count: number])[];
  readonly found: number;
}

export function reportOf({ reports, found }: SharedWork, thread: number): Report {
  const at = thread * REPORT_WORDS;
  const [from, to] = [reports[at + REPORT.leftFrom]!, reports[at + REPORT.leftTo]!];
  const runs = Array.from({ length: reports[at + REPORT.runs]! }, (_, k) => {
    const run = at + REPORT.first + 2 * k;
    return [reports[run]!, reports[run + 1]!] as const;
  });
  return { overflow: reports[at]!, left: from < to ? [from, to] : undefined, runs, found: found[thread]! };
}

/** Processes work pieces until none is left or `stop` is set. */
export function takePart(work: SharedWork, thread: number, kernel: PackedKernel): void {
  const { control, pieces, reports } = work;
  const at = thread * REPORT_WORDS;
  reports.fill(0, at, at + REPORT.first);
  work.found[thread] = 0;
  kernel.set('mask', Atomics.load(control, CONTROL.mask));
  const expand = Atomics.load(control, CONTROL.job) === JOB.expand;
  let begun = kernel.get('next');
  const note = (): void => {
    const next = kernel.get('next');
    if (next > begun) {
      const run = at + REPORT.first + 2 * reports[at + REPORT.runs]!++;
      reports[run] = begun;
      reports[run + 1] = next - begun;
    }
    begun = next;
  };
  // The last row of a block is reserved for assembling markings.
  const more = (): boolean => {
    const row = reports[at + REPORT.runs]! < MAX_RUNS ? takeRows(control) : -1;
    if (row < 0) return false;
    kernel.set('next', row);
    kernel.set('end', row + BLOCK - 1);
    begun = row;
    return true;
  };
  const last = Atomics.load(control, CONTROL.pieces);
  if (expand && kernel.get('end') === 0 && !more()) return;
  while (Atomics.load(control, CONTROL.stop) === 0) {
    const piece = Atomics.add(control, CONTROL.nextPiece, 1);
    if (piece >= last) break;
    let from = pieces[2 * piece]!;
    const to = pieces[2 * piece + 1]!;
    if (!expand) {
      kernel.call['rehash']!(from, to);
      continue;
    }
    while (from < to) {
      kernel.set('found', 0);
      from = kernel.call['expand']!(from, to);
      work.found[thread]! += kernel.get('found');
      const overflow = kernel.get('overflow');
      if (overflow !== 0) reports[at] = overflow;
      else if (kernel.get('full') !== 0) {
        kernel.set('full', 0);
        note();
        if (more()) continue;
      } else continue;
      Atomics.store(control, CONTROL.stop, 1);
      reports[at + REPORT.leftFrom] = from;
      reports[at + REPORT.leftTo] = to;
      break;
    }
  }
  note();
}

/** Takes a block of rows; returns −1 if none is left. */
function takeRows(control: Int32Array): number {
  const row = Atomics.add(control, CONTROL.nextRow, BLOCK);
  if (row + BLOCK <= Atomics.load(control, CONTROL.rowsEnd)) return row;
  Atomics.sub(control, CONTROL.nextRow, BLOCK);
  return -1;
}
