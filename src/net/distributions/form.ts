import type { Expression } from '../expression.ts';

/*
 * The structure of a distribution, as data. Reading, writing, checking and changing distributions follow from it, so that a
 * distribution is described in one file:
 *
 *   law({ shape: plain(POSITIVE), scale: time(POSITIVE) }, { moments, cdf, sample })
 */

/** The valid values of a parameter: in words, and as a test. */
export interface Demand {
  readonly text: string;
  readonly integer?: true;
  readonly holds: (value: number) => boolean;
}

export const FINITE: Demand = { text: 'a finite number', holds: Number.isFinite };
export const NOT_NEGATIVE: Demand = {
  text: 'a finite number >= 0',
  holds: (v) => v >= 0 && v < Number.POSITIVE_INFINITY,
};
export const POSITIVE: Demand = {
  text: 'a positive finite number',
  holds: (v) => v > 0 && v < Number.POSITIVE_INFINITY,
};
export const PROBABILITY: Demand = { text: 'a number from 0 to 1', holds: (v) => v >= 0 && v <= 1 };
export const COUNT: Demand = {
  text: 'an integer >= 1',
  integer: true,
  holds: (v) => Number.isSafeInteger(v) && v >= 1,
};

/** Change of a parameter if all times of its distribution are multiplied by a factor. */
type Scales = 'multiplied' | 'divided' | 'shifted by the logarithm' | 'kept';

/** A parameter. It is an expression, or (`known`) a number of the net. */
export interface Parameter<Known extends boolean = boolean> {
  readonly kind: 'parameter';
  readonly known: Known;
  readonly demand: Demand;
  readonly scales: Scales;
}

const parameter =
  (scales: Scales) =>
  (demand: Demand): Parameter<false> => ({ kind: 'parameter', known: false, demand, scales });

/** Seconds. */
export const time: (demand: Demand) => Parameter<false> = parameter('multiplied');
/** Per second. */
export const rate: Parameter<false> = parameter('divided')(POSITIVE);
/** Natural logarithm of seconds. */
export const logarithm: Parameter<false> = parameter('shifted by the logarithm')(FINITE);
/** A number without a unit. */
export const plain: (demand: Demand) => Parameter<false> = parameter('kept');
/** The same parameter as a number of the net. */
export const known = (p: Parameter<false>): Parameter<true> => ({ ...p, known: true });

/** A list of parts with the same members; messages call the first `branch 1`. */
export interface Parts<I extends Readonly<Record<string, Parameter>> = Readonly<Record<string, Parameter>>> {
  readonly kind: 'parts';
  readonly one: string;
  readonly members: I;
}

export const parts = <const I extends Readonly<Record<string, Parameter>>>(one: string, members: I): Parts<I> => ({
  kind: 'parts',
  one,
  members,
});

/** At least two numbers of seconds, known and not negative. */
export interface Samples {
  readonly kind: 'samples';
}

export const samples: Samples = { kind: 'samples' };

/** The members of a distribution by name. Two distributions have members of the same form under one name. */
export type Form = Readonly<Record<string, Parameter | Parts | Samples>>;

type ValueOf<P> = P extends Parameter<true> ? number : Expression;

/** The members that a form describes. */
export type ParametersOf<F extends Form> = {
  readonly [K in keyof F]: F[K] extends Samples
    ? readonly number[]
    : F[K] extends Parts<infer I>
      ? readonly { readonly [M in keyof I]: ValueOf<I[M]> }[]
      : ValueOf<F[K]>;
};
