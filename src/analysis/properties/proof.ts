import type { FoundPath } from './found-path.ts';

/** What an answer rests on that was found beside the exploration. */
export type Ground =
  | {
      /** Searches of a reduced net, in which as much was reached as in the given one. */
      readonly kind: 'reduced space';
      readonly method: 'stubborn' | 'structural' | 'symmetry' | 'all';
      /** Markings that were found there, and firings that were followed. */
      readonly states: number;
      readonly edges: number;
    }
  | {
      /** What can be covered: by trees of Karp and Miller, or backwards from what is to be covered. */
      readonly kind: 'coverability';
      /** In one line. */
      readonly because: string;
    };

/** An answer that needs no states. */
export interface Proof {
  readonly value: boolean | number;
  /** Of bounds: as those of a decision; null where only the largest is known. */
  readonly bounds?: readonly number[] | null;
  /** What proves it, and how in one line. */
  readonly by: string;
  readonly because: string;
  /** Where it is not the structure that proves it. */
  readonly ground?: Ground;
  /** What shows it. */
  readonly way?: FoundPath;
}
