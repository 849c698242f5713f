import type { Element, Scalar, Type } from './syntax.ts';

/** What a name of a kernel text stands for. */
export type Meaning =
  | { readonly k: 'local'; readonly index: number; readonly type: Scalar }
  | { readonly k: 'global'; readonly index: number; readonly type: Scalar }
  | { readonly k: 'constant'; readonly value: number }
  /** An array: its address and its length are globals, or its address a local where it is a parameter. */
  | {
      readonly k: 'array';
      readonly element: Element;
      readonly base: { readonly local: boolean; readonly index: number };
      /** −1 where it is not known. */
      readonly length: number;
    };

export interface Signature {
  readonly index: number;
  readonly parameters: readonly Type[];
  readonly result: Scalar | undefined;
}

/** Names of the whole module. */
export interface ModuleNames {
  readonly meanings: ReadonlyMap<string, Meaning>;
  readonly functions: ReadonlyMap<string, Signature>;
}

export const isArray = (t: Type | undefined): t is Element => t === 'ints' || t === 'nums' || t === 'bytes';

/** Whether a number is written as an int. */
export const isInt = (value: number): boolean => (value | 0) === value && !Object.is(value, -0);
