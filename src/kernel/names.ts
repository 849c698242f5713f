import type { Element, FunctionDeclaration, Scalar, Type } from './syntax.ts';

/** What a name of a kernel text stands for. */
export type Meaning =
  | { readonly k: 'local'; readonly index: number; readonly type: Scalar }
  | { readonly k: 'global'; readonly index: number; readonly type: Scalar }
  | { readonly k: 'constant'; readonly value: number }
  /**
   * An array: its address and its length are globals, or its address a local where it is a parameter, or a constant. `own`: it
   * was given out by the memory, so that indexes a little below it are within memory.
   */
  | {
      readonly k: 'array';
      readonly element: Element;
      readonly base:
        | { readonly local: boolean; readonly index: number }
        | { readonly address: number; readonly own: boolean };
      /** −1 where it is not known. */
      readonly length: number;
    };

/** A function of the module. */
export interface Signature {
  readonly declaration: FunctionDeclaration;
  /** How often it is called in the text, but for functions that are seldom called. */
  readonly calls: number;
}

export const isArray = (t: Type | undefined): t is Element =>
  t === 'ints' || t === 'nums' || t === 'bytes' || t === 'pairs';

/** Whether a number is written as an int. */
export const isInt = (value: number): boolean => (value | 0) === value && !Object.is(value, -0);
