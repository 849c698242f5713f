import type { PackedKernel } from './packed-kernel.ts';

/*
 * What threads that explore together share besides the states: pieces of work, of which each takes the next, rows for new
 * states, which each takes by the block, and what each has done.
 */

/** Rows that a thread takes at a time. */
export const BLOCK: number = 1 << 14;
/** Most pieces of work, and of runs of rows of a thread, in one phase. */
export const MOST_PIECES: number = 1 << 16;
const MOST_RUNS = 1 << 12;

/** Words of the control block. */
export const CONTROL = {
  /** Changes when a phase begins. */
  epoch: 0,
  /** Threads that have ended their part of it. */
  done: 1,
  nextPiece: 2,
  pieces: 3,
  /** Asks all to stop after the piece at hand. */
  stop: 4,
  /** The next row that is free, and the end of those that may be taken. */
  nextRow: 5,
  rowsEnd: 6,
  quit: 7,
  mask: 8,
  /** What is to be done with the pieces. */
  job: 9,
  /** From here on, by thread: whether it waits for work, and whether it takes part in the phase. */
  ready: 16,
  takesPart: 32,
  length: 48,
} as const;
export const MOST_THREADS = 16;

export const JOB = { expand: 0, rehash: 1 } as const;

/** Words of what a thread tells of a phase. */
const REPORT = { overflow: 0, leftFrom: 1, leftTo: 2, runs: 3, first: 4 } as const;
const REPORT_WORDS = REPORT.first + 2 * MOST_RUNS;

/** The shared arrays. */
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
    pieces: ints(2 * MOST_PIECES),
    reports: ints(REPORT_WORDS * threads),
    found: new Float64Array(new SharedArrayBuffer(8 * threads)),
  };
}

/** What a thread did in a phase. */
export interface Report {
  /** A place that outgrew its bits, + 1; 0: none. */
  readonly overflow: number;
  /** Rows of a piece that it did not complete. */
  readonly left: readonly [from: number, to: number] | undefined;
  /** Rows of the states that it found. */
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

/** Does pieces of work until none is left, or all are to stop. */
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
  // Behind its last state a thread puts markings together: that row is its own, too.
  const more = (): boolean => {
    const row = reports[at + REPORT.runs]! < MOST_RUNS ? takeRows(control) : -1;
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

/** A block of rows; −1: none is left. */
function takeRows(control: Int32Array): number {
  const row = Atomics.add(control, CONTROL.nextRow, BLOCK);
  if (row + BLOCK <= Atomics.load(control, CONTROL.rowsEnd)) return row;
  Atomics.sub(control, CONTROL.nextRow, BLOCK);
  return -1;
}
