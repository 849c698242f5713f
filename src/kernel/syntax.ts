/** The kernel language: a small typed language with TypeScript syntax, compiled to WebAssembly (README.md). */

/**
 * `int`: 32 bits, wraps. `num`: a double. `pair`: two doubles with element-wise operations. Arrays of these and of
 * bytes are in one linear memory; arrays of pairs are views of other arrays.
 */
export type Scalar = 'int' | 'num' | 'pair';
export type Element = 'ints' | 'nums' | 'bytes' | 'pairs';
export type Type = Scalar | Element;

/** `typed`: the type in the last translation that needed it (`FunctionScope.typeOf`); trees are shared by translations. */
export type Expr =
  | { readonly k: 'literal'; readonly value: number; typed?: number }
  | { readonly k: 'name'; readonly name: string; typed?: number }
  | { readonly k: 'index'; readonly array: string; readonly at: Expr; typed?: number }
  | { readonly k: 'length'; readonly array: string; typed?: number }
  | { readonly k: 'call'; readonly name: string; readonly args: readonly Expr[]; typed?: number }
  | { readonly k: 'unary'; readonly op: string; readonly a: Expr; typed?: number }
  | { readonly k: 'binary'; readonly op: string; readonly a: Expr; readonly b: Expr; typed?: number }
  | { readonly k: 'cond'; readonly test: Expr; readonly a: Expr; readonly b: Expr; typed?: number }
  | { readonly k: 'assign'; readonly op: string; readonly to: Target; readonly value: Expr; typed?: number }
  | {
      readonly k: 'step';
      readonly by: 1 | -1;
      readonly prefix: boolean;
      readonly to: Target;
      typed?: number;
    }
  | { readonly k: 'comma'; readonly first: Expr; readonly last: Expr; typed?: number };

export type Target = Extract<Expr, { k: 'name' | 'index' }>;

export interface Declarator {
  readonly name: string;
  readonly type: Type | undefined;
  readonly value: Expr;
}

export interface Case {
  /** Undefined: default. */
  readonly value: Expr | undefined;
  readonly body: readonly Statement[];
}

/** Functions that a section of the source calls, and arrays that it grows; duplicates are possible. */
export interface Reach {
  readonly calls: readonly string[];
  readonly grows: readonly string[];
}

export type Statement =
  | { readonly k: 'let'; readonly constant: boolean; readonly list: readonly Declarator[] }
  | { readonly k: 'expr'; readonly value: Expr }
  | { readonly k: 'if'; readonly test: Expr; readonly body: Statement; readonly otherwise: Statement | undefined }
  | {
      readonly k: 'for';
      readonly init: Statement | undefined;
      readonly test: Expr | undefined;
      readonly update: Expr | undefined;
      readonly body: Statement;
      readonly reach: Reach;
    }
  | { readonly k: 'while'; readonly test: Expr; readonly body: Statement; readonly reach: Reach }
  | { readonly k: 'do'; readonly test: Expr; readonly body: Statement; readonly reach: Reach }
  | { readonly k: 'switch'; readonly on: Expr; readonly cases: readonly Case[] }
  | { readonly k: 'break' }
  | { readonly k: 'continue' }
  | { readonly k: 'return'; readonly value: Expr | undefined }
  | { readonly k: 'block'; readonly body: readonly Statement[] };

export interface Parameter {
  readonly name: string;
  readonly type: Type;
}

export interface FunctionDeclaration {
  readonly name: string;
  readonly parameters: readonly Parameter[];
  readonly result: Scalar | undefined;
  /** Undefined: an import. */
  readonly body: readonly Statement[] | undefined;
  readonly exported: boolean;
  /** Rarely called, or inlining gains nothing: never inlined, and inlines nothing. */
  readonly cold: boolean;
  /** Rarely called, and never returns. */
  readonly noreturn: boolean;
  /** For imports: moves no array of the module. */
  readonly nogrow: boolean;
  readonly reach: Reach;
  /** Number of tokens of its body. */
  readonly size: number;
}

export interface Program {
  readonly functions: readonly FunctionDeclaration[];
  /** Arrays whose contents the host supplies. */
  readonly given: readonly Parameter[];
  /** Number of calls of each function in the source, without those in cold functions. */
  readonly calls: ReadonlyMap<string, number>;
  /** Arrays that grow. */
  readonly grown: ReadonlySet<string>;
  /** Top-level statements in order, including declarations of globals. */
  readonly top: readonly Statement[];
}

/** Meaning of a name in a kernel source; decides the instruction that reads it. */
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

/** True if a number is representable as an int (−0 is not). */
export const isInt = (value: number): boolean => (value | 0) === value && !Object.is(value, -0);
