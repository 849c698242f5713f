import type { WhatIfOptions } from '../app/whatif/whatif-options.ts';
import type { Problem } from '../base/problem.ts';
import type { ProfileOptions } from '../commands/profile/profile.ts';
import type { ProfileDocument } from '../commands/profile/profile-document.ts';
import type { PredictionDocument } from '../report/prediction.ts';
import type { ProgramVerificationDocument } from '../report/program-verification.ts';
import type { SpaceDocument } from '../report/space.ts';
import type { StructureDocument } from '../report/structure.ts';
import type { VerificationDocument } from '../report/verification.ts';
import type { WhatIfDocument } from '../report/whatif.ts';
import type { SpaceFlags } from './space-options.ts';

/** What the command line hands to the application layer; plain data, so that it can go to the worker thread. */
export interface JobOptions {
  readonly machine?: string;
  readonly hostfile?: string;
  readonly placement?: string;
  readonly oversubscribe?: boolean;
  readonly ranks?: number;
  readonly networkModel?: string;
  readonly collectives?: string;
  /** Of a trace: bytes of an element of a derived datatype. */
  readonly derivedTypeBytes?: number;
  readonly seed?: string;
  readonly until?: number;
  readonly maxSteps?: number;
  /** Parameters of a model. */
  readonly set?: Readonly<Record<string, number | string | boolean>>;
  /** Of a model; a precision and a confidence are shares: 0.01 or `1%`. */
  readonly replications?: number;
  readonly precision?: number | `${number}%`;
  readonly confidence?: number | `${number}%`;
  /** Chrome trace to write. */
  readonly trace?: string;
  /** Run record to write. */
  readonly run?: string;
}

/** What `foretoken verify` hands over. */
export interface VerifyJobOptions extends JobOptions, SpaceFlags {
  readonly properties?: readonly string[];
  /** A file of properties of the Model Checking Contest. */
  readonly formulas?: string;
  readonly final?: string;
  /** Files for firing sequences: as JSON. As a Chrome trace: `trace`. */
  readonly witness?: string;
  /** Of a program: protocols of its sends, and the most messages that may wait for a receive. */
  readonly sends?: 'eager' | 'rendezvous' | 'both';
  readonly buffer?: number;
  /** How a net is reduced before it is searched. */
  readonly reduce?: 'auto' | 'none' | 'stubborn' | 'structural' | 'symmetry' | 'all';
}

/** What an exploration is asked; of a model also its machine, ranks and parameters. */
export interface SpaceJobOptions extends JobOptions, SpaceFlags {
  /** Groups of places: `p1,p2;p3`. */
  readonly bounds?: string;
  /** Drawing to write. */
  readonly graph?: string;
}

/** What the structure of a net, or of a model's, is asked. */
export interface StructureJobOptions extends JobOptions {
  /** Targets that are to be proved unreachable. */
  readonly unreachable?: readonly string[];
  readonly sets?: number;
  readonly linearPrograms?: boolean;
}

export interface ConvertResult {
  readonly places: number;
  readonly transitions: number;
  readonly bytes: number;
  /** What is to be known of the result, in sentences. */
  readonly notes: readonly string[];
}

export interface PredictJob {
  readonly command: 'predict';
  readonly input: string;
  readonly options: JobOptions;
}

/** The simulation of a model or a trace, and what of its run is profiled. */
export interface ProfileJob {
  readonly command: 'profile';
  readonly input: string;
  readonly options: JobOptions & { readonly profile: Omit<ProfileOptions, 'messages'> };
}

/** One piece of work of the worker thread. */
export type Job =
  | PredictJob
  | ProfileJob
  | { readonly command: 'convert'; readonly input: string; readonly output: string; readonly options: JobOptions }
  | { readonly command: 'verify'; readonly input: string; readonly options: VerifyJobOptions }
  | { readonly command: 'explore'; readonly input: string; readonly options: SpaceJobOptions }
  | { readonly command: 'structure'; readonly input: string; readonly options: StructureJobOptions }
  /** Of a model; studies of traces run no code of users and need no thread. */
  | { readonly command: 'whatif'; readonly input: string; readonly options: WhatIfOptions };

/** An exception that is no problem of the input, as plain data. */
export interface Crash {
  readonly message: string;
  readonly stack: string;
}

/** What the worker thread answers, once. */
export type Answer =
  | { readonly kind: 'prediction'; readonly document: PredictionDocument }
  | { readonly kind: 'profile'; readonly document: ProfileDocument }
  | { readonly kind: 'conversion'; readonly result: ConvertResult }
  | { readonly kind: 'space'; readonly document: SpaceDocument }
  | { readonly kind: 'structure'; readonly document: StructureDocument }
  | { readonly kind: 'program'; readonly document: ProgramVerificationDocument }
  | { readonly kind: 'verification'; readonly document: VerificationDocument }
  | { readonly kind: 'study'; readonly document: WhatIfDocument }
  | { readonly kind: 'problems'; readonly problems: readonly Problem[] }
  | { readonly kind: 'crash'; readonly crash: Crash };

/** How far a simulation is: simulated seconds, and the share of the work that is done (NaN where unknown). */
export interface SimulationProgress {
  readonly time: number;
  readonly share: number;
}

/** How far an exploration is: states that were found, those whose successors are known, and seconds. */
export interface SpaceProgress {
  readonly states: number;
  readonly expanded: number;
  readonly seconds: number;
}

/** How far a study is, in scenarios. */
export interface StudyProgress {
  readonly done: number;
  readonly scenarios: number;
}

/** The answer of the worker thread, and warnings about the model's code that no result document has. */
export interface Answered {
  readonly answer: Answer;
  readonly warnings: readonly Problem[];
}

/** Whether the main thread makes the digest of the input: not, it is at it, it is made, it cannot be made. */
const DIGEST = { none: 0, expected: 1, made: 2, failed: 3 } as const;
const DIGEST_BYTES = 32;

/**
 * Memory that both threads see while the worker computes without ever returning to its event loop: the main thread asks
 * for the end (`cancel`) and may make the digest of the input meanwhile, the worker says how far it is.
 */
export class Shared {
  readonly buffer: SharedArrayBuffer;
  readonly #flags: Int32Array;
  readonly #figures: Float64Array;
  readonly #digest: Uint8Array;

  constructor(buffer: SharedArrayBuffer = new SharedArrayBuffer(48 + DIGEST_BYTES)) {
    this.buffer = buffer;
    this.#flags = new Int32Array(buffer, 0, 5);
    this.#figures = new Float64Array(buffer, 24, 3);
    this.#digest = new Uint8Array(buffer, 48, DIGEST_BYTES);
  }

  /** Says, before the job is given, that its input's digest will be told. */
  expectDigest(): void {
    Atomics.store(this.#flags, 2, DIGEST.expected);
  }

  /** Tells the digest; undefined where it cannot be made. */
  tellDigest(sha256: Uint8Array | undefined): void {
    if (sha256 !== undefined) this.#digest.set(sha256);
    Atomics.store(this.#flags, 2, sha256 === undefined ? DIGEST.failed : DIGEST.made);
    Atomics.notify(this.#flags, 2);
  }

  /** The digest of the job's input in hexadecimal, waiting for it; undefined where nobody makes it. */
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

  reportSpace({ states, expanded, seconds }: SpaceProgress): void {
    this.#figures.set([states, expanded, seconds]);
    Atomics.store(this.#flags, 1, 2);
  }

  reportStudy({ done, scenarios }: StudyProgress): void {
    this.#figures.set([done, scenarios]);
    Atomics.store(this.#flags, 1, 3);
  }

  /** Says that code of a model begins or ends whose time is limited. */
  reportBuild(building: boolean): void {
    // Counts beginnings and ends, so that one build is told from the next.
    if (building !== this.build % 2 > 0) Atomics.add(this.#flags, 3, 1);
  }

  /** Number of the present build if odd; even between builds. */
  get build(): number {
    return Atomics.load(this.#flags, 3);
  }

  /** What was reported last; undefined before the first report, that is while inputs are read. */
  get progress(): SimulationProgress | SpaceProgress | StudyProgress | undefined {
    const kind = Atomics.load(this.#flags, 1);
    const [a = 0, b = 0, c = 0] = this.#figures;
    if (kind === 0) return undefined;
    if (kind === 1) return { time: a, share: b };
    return kind === 2 ? { states: a, expanded: b, seconds: c } : { done: a, scenarios: b };
  }
}
