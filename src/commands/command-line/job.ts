import type { filesRead } from '../../base/files/reads.ts';
import type { Problem } from '../../base/problem.ts';
import type { ThreadOptions } from '../inputs/thread-options.ts';

/** Options that the command line passes to the application layer; plain data, so they can be sent to the worker thread. */
export interface JobOptions extends ThreadOptions {
  readonly machine?: string;
  readonly hostfile?: string;
  readonly placement?: string;
  readonly oversubscribe?: boolean;
  readonly ranks?: number;
  readonly scale?: 'weak' | 'strong';
  readonly networkModel?: string;
  readonly collectives?: string;
  readonly cfg?: string;
  /** Size of one element of a derived datatype, in bytes. */
  readonly derivedTypeBytes?: number | string;
  /** Members of a listing must lie in its folder. */
  readonly confine?: boolean;
  readonly seed?: string;
  /** Schedules: parameters of LogGOPS. */
  readonly loggops?: string;
  /** End of the simulation, in simulated seconds. */
  readonly until?: number;
  /** Nets: maximum number of simulation steps. Program verification: maximum number of steps of a run. */
  readonly maxSteps?: number;
  /** Look for a placement of the ranks with a shorter run time. */
  readonly suggestPlacement?: boolean;
  /** Parameters of a model, by name. */
  readonly set?: Readonly<Record<string, number | string | boolean>>;
  /** Number of runs with independent random numbers. Precision and confidence are shares: 0.01 or `1%`. */
  readonly replications?: number;
  readonly precision?: number | `${number}%`;
  readonly confidence?: number | `${number}%`;
  /** Traces that run at the same time; when jobs start (s), and hostfiles of single jobs, by name. */
  readonly otherPrograms?: readonly string[];
  readonly start?: Readonly<Record<string, number>>;
  readonly jobHostfiles?: Readonly<Record<string, string>>;
  /** Output file for a Chrome trace. */
  readonly trace?: string;
  /** Run record to write. */
  readonly run?: string;
}

/** A unit of work for the worker thread: plain data. */
export interface Job<Options = unknown> {
  /** The command whose `job.ts` does the work. */
  readonly command: string;
  readonly input: string;
  readonly options: Options;
}

/** An exception that is not an input problem, as plain data. */
export interface Crash {
  readonly message: string;
  readonly stack: string;
}

/** The answer of the worker thread; it sends exactly one. */
export type Answer<Result = unknown> =
  | { readonly kind: 'done'; readonly result: Result }
  | { readonly kind: 'problems'; readonly problems: readonly Problem[] }
  | { readonly kind: 'crash'; readonly crash: Crash };

/** Progress of a simulation: simulated time in seconds, and the share of the work done, from 0 to 1 (NaN if unknown). */
export interface SimulationProgress {
  readonly time: number;
  readonly share: number;
}

/** Progress of an exploration: states found, states whose successors are known, elapsed seconds, and if known the share of its limits that is used. */
export interface SpaceProgress {
  readonly states: number;
  readonly expanded: number;
  readonly seconds: number;
  readonly used?: number;
}

/** Progress of a what-if study, in scenarios. */
export interface StudyProgress {
  readonly done: number;
  readonly scenarios: number;
}

/** Progress of an analysis of structure: it has begun. */
export interface StructureProgress {
  readonly analysing: true;
}

/** The answer of the worker thread, and warnings about the model's code that are not part of a result document. */
export interface Answered {
  readonly answer: Answer;
  readonly warnings: readonly Problem[];
  /** Files that the thread read. */
  readonly read?: ReturnType<typeof filesRead>;
}

/** End of a job as seen by the main thread. `signal` is set if the user requested the end. */
export interface JobEnd<Result = unknown> {
  readonly answer: Answer<Result> | { readonly kind: 'memory' } | { readonly kind: 'ended' };
  readonly signal?: 'SIGINT' | 'SIGTERM';
}

/**
 * Runs a job in a worker thread. `Result` is what `run` of the command's `job.ts` returns.
 *
 * @param onKilled called if the thread ended without cleaning up
 */
export type RunJob = <Result>(job: Job, onKilled?: () => void) => Promise<JobEnd<Result>>;

/** End of a job in a separate process. */
export interface ForkedEnd<Result = unknown> extends Omit<JobEnd<Result>, 'signal'> {
  /** Files that it read, as far as it came. */
  readonly read: readonly string[];
  /** The signal that ended the process. */
  readonly by?: string;
}

/** A job in a separate process. */
export interface ForkedJob<Result = unknown> {
  readonly ended: Promise<ForkedEnd<Result>>;
  /** Ends the process at once. */
  kill(): void;
}

/** Functions of the command line that its commands call. */
export interface Shell {
  readonly ends: (code: number) => void;
  readonly runJob: RunJob;
  /** Runs a job in a separate process, so that no model can end this one. */
  readonly forkJob: <Result>(job: Job) => Promise<ForkedJob<Result>>;
  /** Runs a job in this thread if it is small; otherwise returns `undefined`. */
  readonly smallJob: <Result>(job: Job) => Promise<Answer<Result> | undefined>;
}

/** State of the input's digest: not computed by the main thread, in progress, ready, failed. */
const DIGEST = { none: 0, expected: 1, made: 2, failed: 3 } as const;
const DIGEST_BYTES = 32;

/**
 * Memory shared by both threads, because the worker computes without returning to its event loop. The main thread
 * requests cancellation (`cancel`) and may compute the digest of the input; the worker reports its progress.
 */
export class Shared {
  readonly buffer: SharedArrayBuffer;
  readonly #flags: Int32Array;
  readonly #figures: Float64Array;
  readonly #digest: Uint8Array;

  constructor(buffer: SharedArrayBuffer = new SharedArrayBuffer(56 + DIGEST_BYTES)) {
    this.buffer = buffer;
    this.#flags = new Int32Array(buffer, 0, 5);
    this.#figures = new Float64Array(buffer, 24, 4);
    this.#digest = new Uint8Array(buffer, 56, DIGEST_BYTES);
  }

  /** Announces, before the job is sent, that the main thread computes the digest of its input. */
  expectDigest(): void {
    Atomics.store(this.#flags, 2, DIGEST.expected);
  }

  /** Publishes the digest; `undefined` if it could not be computed. */
  publishDigest(sha256: Uint8Array | undefined): void {
    if (sha256 !== undefined) this.#digest.set(sha256);
    Atomics.store(this.#flags, 2, sha256 === undefined ? DIGEST.failed : DIGEST.made);
    Atomics.notify(this.#flags, 2);
  }

  /** Blocks until the digest of the job's input is ready; in hexadecimal. `undefined` if no thread computes it, or on failure. */
  digest(): string | undefined {
    Atomics.wait(this.#flags, 2, DIGEST.expected);
    if (Atomics.load(this.#flags, 2) !== DIGEST.made) return undefined;
    return Buffer.from(this.#digest).toString('hex');
  }

  cancel(): void {
    Atomics.store(this.#flags, 0, 1);
  }

  get cancelled(): boolean {
    return Atomics.load(this.#flags, 0) === 1;
  }

  report(time: number, share: number): void {
    this.#figures.set([time, share]);
    Atomics.store(this.#flags, 1, 1);
  }

  reportSpace({ states, expanded, seconds, used = Number.NaN }: SpaceProgress): void {
    this.#figures.set([states, expanded, seconds, used]);
    Atomics.store(this.#flags, 1, 2);
  }

  reportStudy({ done, scenarios }: StudyProgress): void {
    this.#figures.set([done, scenarios]);
    Atomics.store(this.#flags, 1, 3);
  }

  reportStructure(): void {
    Atomics.store(this.#flags, 1, 4);
  }

  /** Reports that model code with a time limit begins or ends. */
  reportBuild(building: boolean): void {
    // A counter of starts and ends, so that consecutive builds can be distinguished.
    if (building !== this.build % 2 > 0) Atomics.add(this.#flags, 3, 1);
  }

  /** Counter of build starts and ends: odd during a build, even between builds. */
  get build(): number {
    return Atomics.load(this.#flags, 3);
  }

  /** The latest report; `undefined` before the first, while inputs are read. */
  get progress(): SimulationProgress | SpaceProgress | StudyProgress | StructureProgress | undefined {
    const kind = Atomics.load(this.#flags, 1);
    const [a = 0, b = 0, c = 0, d = 0] = this.#figures;
    if (kind === 0) return undefined;
    if (kind === 4) return { analysing: true };
    if (kind === 1) return { time: a, share: b };
    return kind === 2 ? { states: a, expanded: b, seconds: c, used: d } : { done: a, scenarios: b };
  }
}

/** Limits and order of a state-space exploration, as parsed. */
export interface SpaceFlags {
  readonly maxStates?: number;
  /** Bytes. */
  readonly memory?: number;
  readonly seconds?: number;
  readonly workers?: number;
  readonly order?: 'breadth' | 'depth';
  /** Hash compaction, and the choice of its hash functions. */
  readonly hashCompact?: boolean;
  readonly seed?: string;
}
