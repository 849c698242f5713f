import type { Label } from '../record/labels.ts';
import type { ValueOf } from '../record/variables.ts';

/*
 * Type-level check of whether labels fit: kinds, and colours of carried values. A label without known kind or colours
 * fits any; values decide then (MODEL037).
 */

/** Label whose kind and colours do not follow from types. */
interface Unknown {
  readonly unknown: true;
}

/** Values that a label carries, by variable. */
type ColoursOf<V, C extends string> = { [N in C]: N extends keyof V ? ValueOf<V[N]> : unknown };

/** Kind and colours of a label; distributes over unions of labels. */
type LabelOf<L, V> =
  L extends Label<infer K, infer C>
    ? string extends C
      ? Unknown
      : readonly [K, ColoursOf<V, C>]
    : L extends string
      ? readonly [L, unknown]
      : Unknown;

/** The same of a label of a model by its name; never if it has no such label. */
type LabelIn<X, N> = X extends { readonly labels?: infer I }
  ? string extends keyof I
    ? Unknown
    : N extends keyof I
      ? LabelOf<I[N], X extends { readonly vars?: infer V } ? V : unknown>
      : never
  : Unknown;

/** The models that a module may be. */
type ModelsOf<M> = M extends { readonly choose: readonly (infer C)[] }
  ? C
  : M extends { readonly model: infer X }
    ? X
    : M;

/** The labels that an end `module.label` may name: names of modules are known by `as` only. */
type LabelAt<M, E> = M extends { readonly as: infer A extends string }
  ? E extends `${A}.${infer N}`
    ? LabelIn<ModelsOf<M>, N>
    : never
  : E extends `${string}.${infer N}`
    ? LabelIn<ModelsOf<M>, N>
    : never;

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
/** False if the types show that the values differ; unknown types may be the same. */
type SameValues<A, B> = unknown extends A ? true : unknown extends B ? true : Same<A, B>;
type SameColours<C, D> =
  Same<keyof C, keyof D> extends true
    ? false extends { [N in keyof C]: N extends keyof D ? SameValues<C[N], D[N]> : false }[keyof C]
      ? false
      : true
    : false;

/** True if two labels fit: a sender and a receiver of the same colours, or two of one other kind. */
type FitsOne<A, B> = A extends readonly [infer K, infer C]
  ? B extends readonly [infer L, infer D]
    ? [K, L] extends ['sends', 'receives'] | ['receives', 'sends']
      ? SameColours<C, D>
      : K extends 'sends' | 'receives'
        ? false
        : Same<K, L>
    : true
  : true;
/** Distributes over what either end may be: true is among the results if some of these fit. */
type FitsAny<A, B> = A extends unknown ? (B extends unknown ? FitsOne<A, B> : never) : never;

/** The end if it fits the first one of its list, or the reason as a type that no end has. */
type FittingEnd<M, A extends string, B> = B extends string
  ? [LabelAt<M, A>] extends [never]
    ? B
    : [LabelAt<M, B>] extends [never]
      ? B
      : true extends FitsAny<LabelAt<M, A>, LabelAt<M, B>>
        ? B
        : { readonly MODEL037: `${B} does not fit ${A}` }
  : B;

/** Lists of ends that fit, by their entries: a misfit becomes a type that names both ends. */
export type Fitting<M, S> = {
  [K in keyof S]: S[K] extends readonly [infer A extends string, ...infer R]
    ? readonly [A, ...{ [J in keyof R]: FittingEnd<M, A, R[J]> }]
    : S[K];
};
