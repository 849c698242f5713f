import type { Problem } from '../../base/problem.ts';
import type { InputFile } from '../../report/prediction.ts';

/** A property of a thread program; null if a limit was reached before it was decided. */
export interface ThreadProperty {
  readonly id: 'deadlock-free' | 'no-lost-wake-up' | 'no-fault' | 'locks-free' | 'executed';
  readonly verdict: boolean | null;
  readonly reason?: string;
}

/** What a strand does or waits for, and where; line 0: unknown. */
export interface ThreadStep {
  /** Thread, task or `main`. */
  readonly strand: string;
  readonly operation: string;
  readonly file: string;
  readonly line: number;
}

/** A marking that violates a property, and a shortest firing sequence to it. */
export interface ThreadViolation {
  readonly kind: 'deadlock' | 'lost-wake-up' | 'fault' | 'locks-held';
  /** Firings of the explored net. */
  readonly firings: number;
  /** The operations on objects of the program among them. */
  readonly steps: readonly ThreadStep[];
  /** Strands that wait forever, or the strand at fault. */
  readonly stuck: readonly ThreadStep[];
  /** Objects that are held, in words: `mutex fork[1]`. */
  readonly held: readonly string[];
}

/** The verification of a program for a number of workers under a scheduler. */
export interface ThreadInstance {
  readonly workers: number;
  readonly scheduler: string;
  readonly parameters: Readonly<Record<string, number | string | boolean>>;
  readonly strands: number;
  readonly properties: readonly ThreadProperty[];
  readonly violations: readonly ThreadViolation[];
  /** Operations that are never executed. */
  readonly neverExecuted: readonly Omit<ThreadStep, 'strand'>[];
  readonly states: number;
  readonly edges: number;
  readonly seconds: number;
}

/** Result of the verification of a thread program. */
export interface ThreadVerificationDocument {
  readonly format: 'foretoken';
  readonly version: 1;
  readonly kind: 'thread-verification';
  readonly product: string;
  /** True if every property was decided. */
  readonly complete: boolean;
  readonly inputs: Readonly<Record<string, InputFile>>;
  readonly options: Readonly<Record<string, number | string | boolean>>;
  readonly instances: readonly ThreadInstance[];
  readonly seconds: number;
  readonly warnings: readonly string[];
  readonly notes?: readonly Problem[];
}
