import type { Element, FunctionDeclaration, Scalar, Type } from './syntax.ts';

/** Meaning of a name in a kernel source. */
export type Meaning =
  | { readonly k: 'local'; readonly index: number; readonly type: Scalar }
  | { readonly k: 'global'; readonly index: number; readonly type: Scalar }
  | { readonly k: 'constant'; readonly value: number }
  /**
   * An array. Its address and length are globals; the address is a local for parameters, or a constant. `own`:
   * allocated by the memory, so that slightly negative indexes are within memory.
   */
  | {
      readonly k: 'array';
      readonly element: Element;
      readonly base:
        | { readonly local: boolean; readonly index: number }
        | { readonly address: number; readonly own: boolean };
      /** −1 if unknown. */
      readonly length: number;
    };

/** A function of the module. */
export interface Signature {
  readonly declaration: FunctionDeclaration;
  /** Number of its calls in the source, without those in cold functions. */
  readonly calls: number;
}

export const isArray = (t: Type | undefined): t is Element =>
  t === 'ints' || t === 'nums' || t === 'bytes' || t === 'pairs';

/** Whether a number is representable as an int (−0 is not). */
export const isInt = (value: number): boolean => (value | 0) === value && !Object.is(value, -0);
