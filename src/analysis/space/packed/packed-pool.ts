import { MessageChannel, type MessagePort, type Worker } from 'node:worker_threads';
import { startThread } from '../../../base/workers/start-thread.ts';
import type { PackedKernel } from './packed-kernel.ts';
import { type PackedMemory, QUEUE } from './packed-memory.ts';
import type { WorkerStart } from './packed-worker.ts';
import {
  BLOCK,
  CONTROL,
  JOB,
  MAX_PIECES,
  MAX_THREADS,
  type Report,
  reportOf,
  sharedWork,
  takePart,
} from './shared-work.ts';

/** Seconds without any progress after which a thread is considered dead. */
const PATIENCE = 60;

interface PoolWorker {
  readonly worker: Worker;
  readonly code: MessagePort;
}

/** Milliseconds that threads have to start. */
const START_TIME = 500;

export interface Phase {
  readonly reports: readonly Report[];
  /** Rows still to be expanded. */
  readonly left: readonly (readonly [from: number, to: number])[];
}

/**
 * Worker threads that expand states together with this thread (Laarman, van de Pol & Weber, _Boosting multi-core reachability
 * performance with shared hash tables_, FMCAD 2010: one table, entries set by compare-and-swap). A phase ends when its pieces
 * are done, or when shared data must change: a larger table or wider fields.
 */
export class PackedPool {
  readonly #work: ReturnType<typeof sharedWork>;
  readonly #workers: readonly PoolWorker[];

  constructor(workers: number, memory: PackedMemory) {
    const threads = Math.min(workers, MAX_THREADS);
    this.#work = sharedWork(threads);
    this.#workers = Array.from({ length: threads - 1 }, (_, k) => this.#start(k + 1, memory));
  }

  /** Sets the kernel code from now on, and optionally the first free row. */
  use(module: WebAssembly.Module, nextRow?: number): void {
    if (nextRow !== undefined) this.#work.control[CONTROL.nextRow] = nextRow;
    for (const { code } of this.#workers) code.postMessage({ module, next: 0, end: 0 });
  }

  /** Waits briefly until the other threads are ready; later ones join in a later phase. */
  waitUntilReady(): void {
    const { control } = this.#work;
    const until = performance.now() + START_TIME;
    for (let k = 1; k <= this.#workers.length; k++)
      while (performance.now() < until && Atomics.load(control, CONTROL.ready + k) === 0)
        Atomics.wait(control, CONTROL.ready + k, 0, START_TIME);
  }

  /** End of the rows handed out. */
  get rows(): number {
    return this.#work.control[CONTROL.nextRow]!;
  }

  /** Takes a block of rows for this thread; undefined if none is left below `end`. */
  takeRows(end: number): number | undefined {
    const { control } = this.#work;
    const row = control[CONTROL.nextRow]!;
    if (row + BLOCK > end) return undefined;
    control[CONTROL.nextRow] = row + BLOCK;
    return row;
  }

  /** Expands rows with all threads; new states get rows below `end`. */
  expand(ranges: readonly (readonly [number, number])[], kernel: PackedKernel, mask: number, end: number): Phase {
    this.#work.control[CONTROL.rowsEnd] = end;
    const late = ranges.slice(MAX_PIECES);
    const taken = this.#phase(JOB.expand, ranges.slice(0, MAX_PIECES), kernel, mask);
    const reports = Array.from({ length: this.#workers.length + 1 }, (_, k) => reportOf(this.#work, k));
    const open = reports.flatMap(({ left }) => (left === undefined ? [] : [left]));
    return { reports, left: [...open, ...ranges.slice(taken, MAX_PIECES), ...late] };
  }

  /** Inserts rows into the table. */
  rehash(ranges: readonly (readonly [number, number])[], kernel: PackedKernel, mask: number): void {
    for (let k = 0; k < ranges.length; k += MAX_PIECES)
      this.#phase(JOB.rehash, ranges.slice(k, k + MAX_PIECES), kernel, mask);
  }

  end(): void {
    const { control } = this.#work;
    Atomics.store(control, CONTROL.quit, 1);
    Atomics.add(control, CONTROL.epoch, 1);
    Atomics.notify(control, CONTROL.epoch);
    for (const { code } of this.#workers) code.close();
  }

  /** Runs one phase; returns the number of pieces taken. */
  #phase(job: number, pieces: readonly (readonly [number, number])[], kernel: PackedKernel, mask: number): number {
    const { control } = this.#work;
    pieces.forEach(([from, to], k) => {
      this.#work.pieces[2 * k] = from;
      this.#work.pieces[2 * k + 1] = to;
    });
    control[CONTROL.nextPiece] = 0;
    control[CONTROL.pieces] = pieces.length;
    control[CONTROL.stop] = 0;
    control[CONTROL.done] = 0;
    control[CONTROL.mask] = mask;
    control[CONTROL.job] = job;
    let others = 0;
    for (let k = 1; k <= this.#workers.length; k++) {
      const ready = Atomics.load(control, CONTROL.ready + k);
      control[CONTROL.takesPart + k] = ready;
      others += ready;
    }
    // Threads that do not take part must not report results of an earlier phase.
    this.#work.reports.fill(0);
    this.#work.found.fill(0);
    Atomics.add(control, CONTROL.epoch, 1);
    Atomics.notify(control, CONTROL.epoch);
    takePart(this.#work, 0, kernel);
    this.#wait(others);
    return Math.min(control[CONTROL.nextPiece]!, pieces.length);
  }

  #wait(others: number): void {
    const { control } = this.#work;
    let seen = -1;
    let since = performance.now();
    for (let done = Atomics.load(control, CONTROL.done); done < others; done = Atomics.load(control, CONTROL.done)) {
      const progress = done + Atomics.load(control, CONTROL.nextPiece);
      if (progress !== seen) since = performance.now();
      else if (performance.now() - since > PATIENCE * 1000)
        throw new Error(`an exploration thread made no progress for ${PATIENCE} s and is considered dead`);
      seen = progress;
      Atomics.wait(control, CONTROL.done, done, 1000);
    }
  }

  #start(thread: number, { memory }: PackedMemory): PoolWorker {
    const { port1, port2 } = new MessageChannel();
    const ending = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
    const start: WorkerStart = {
      thread,
      work: this.#work,
      memory,
      queueStart: (thread * QUEUE) / 4,
      code: port2,
    };
    const worker = startThread(new URL(`./packed-worker.${ending}`, import.meta.url), {
      workerData: start,
      transferList: [port2],
    });
    // A thread that fails to start takes no part; the others work without it.
    worker.on('error', () => {});
    worker.unref();
    return { worker, code: port1 };
  }
}
