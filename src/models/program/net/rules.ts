import { shown } from '../../../base/problem.ts';
import type { Communicator } from '../record/communicator.ts';
import { numberOf, type Variable, valuesText } from '../record/variables.ts';
import type { Rule } from '../resolve/argument.ts';
import { RANK } from '../resolve/state.ts';

/** An integer from 0. */
export const countRule: Rule = (value) =>
  Number.isSafeInteger(value) && (value as number) >= 0
    ? (value as number)
    : `expected an integer >= 0${hint(value)}, got ${shown(value)}`;

/** A number of ranks that exist. */
export const copiesRule =
  (ranks: number): Rule =>
  (value) =>
    Number.isSafeInteger(value) && (value as number) >= 1 && (value as number) <= ranks
      ? (value as number)
      : `expected a number of ranks from 1 to ${ranks}${hint(value)}, got ${shown(value)}`;

/** An integer of either sign. */
export const integerRule: Rule = (value) =>
  Number.isSafeInteger(value) ? (value as number) : `expected an integer, got ${shown(value)}`;

const hint = (value: unknown): string =>
  typeof value === 'number' && value > 0 && Number.isFinite(value) ? ' (use Math.round or Math.ceil)' : '';

/** A finite number from 0: seconds, flops, bytes of memory. */
export const amountRule: Rule = (value) =>
  typeof value === 'number' && value >= 0 && value < Number.POSITIVE_INFINITY
    ? value + 0
    : `expected a finite number >= 0, got ${shown(value)}`;

/** Natural logarithm of an amount. For 0, whose time is not drawn, any number serves: 0. */
export const logarithmRule: Rule = (value, state) => {
  const amount = amountRule(value, state);
  return typeof amount === 'string' ? amount : amount === 0 ? 0 : Math.log(amount);
};

export const booleanRule: Rule = (value) =>
  typeof value === 'boolean' ? Number(value) : `expected true or false, got ${shown(value)}`;

export const probabilityRule: Rule = (value) =>
  typeof value === 'number' && value >= 0 && value <= 1
    ? value
    : `expected a probability from 0 to 1, got ${shown(value)}`;

/** A tag of a message; `number` maps it to its tag number. */
export const tagRule =
  (number: (tag: number) => number | undefined): Rule =>
  (value) =>
    Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) < 2 ** 31
      ? (number(value as number) ??
        `${value} was unknown when the net was built: give the counter it depends on a bound`)
      : `expected a tag (an integer >= 0), got ${shown(value)}`;

/** Represents an operation without a partner. */
export const NO_PEER: number = -1;

/** A rank of the communicator, or none; `number` maps a pair of world ranks to the argument's value. */
export const peerRule =
  (comm: Communicator, number: (own: number, peer: number) => number | string): Rule =>
  (value, state) => {
    if (value === null || value === undefined) return NO_PEER;
    const own = state[RANK]!;
    if (!comm.has(own)) return 'this rank is not in the communicator';
    const peer = Number.isSafeInteger(value) ? comm.worldRank(own, value as number) : undefined;
    if (peer !== undefined) return number(own, peer);
    const last = comm.sizeOf(own) - 1;
    return `expected a rank from 0 to ${last} (or null for none), got ${shown(value)}`;
  };

/** A value of a variable. */
export const variableRule =
  (variable: Variable, high: number | undefined): Rule =>
  (value) => {
    const bounded = high === undefined ? variable : { ...variable, low: variable.low ?? 0, high };
    return numberOf(bounded, value) ?? `expected ${valuesText(bounded)}, got ${shown(value)}`;
  };
