import { shown } from '../../base/problem.ts';
import type { Rule } from './argument.ts';
import type { Communicator } from './communicator.ts';
import { RANK } from './state.ts';
import { numberOf, type Variable, valuesText } from './variables.ts';

/** An integer from 0. */
export const countRule: Rule = (value) =>
  Number.isSafeInteger(value) && (value as number) >= 0
    ? (value as number)
    : `${shown(value)} where a whole number from 0 on is expected${hint(value)}`;

/** An integer of either sign. */
export const integerRule: Rule = (value) =>
  Number.isSafeInteger(value) ? (value as number) : `expected an integer, got ${shown(value)}`;

const hint = (value: unknown): string =>
  typeof value === 'number' && value > 0 && Number.isFinite(value) ? ' (Math.round or Math.ceil makes one)' : '';

/** A finite number from 0: seconds, flops, bytes of memory. */
export const amountRule: Rule = (value) =>
  typeof value === 'number' && value >= 0 && value < Number.POSITIVE_INFINITY
    ? value + 0
    : `${shown(value)} where a finite number from 0 on is expected`;

/** Natural logarithm of an amount. For 0, whose time is not drawn, any number serves: 0. */
export const logarithmRule: Rule = (value, state) => {
  const amount = amountRule(value, state);
  return typeof amount === 'string' ? amount : amount === 0 ? 0 : Math.log(amount);
};

export const truthRule: Rule = (value) =>
  typeof value === 'boolean' ? Number(value) : `${shown(value)} where true or false is expected`;

export const probabilityRule: Rule = (value) =>
  typeof value === 'number' && value >= 0 && value <= 1
    ? value
    : `${shown(value)} where a probability from 0 to 1 is expected`;

/** A tag of a message; `number` maps it to its tag number. */
export const tagRule =
  (number: (tag: number) => number | undefined): Rule =>
  (value) =>
    Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) < 2 ** 31
      ? (number(value as number) ??
        `${value}, which was not known when the net was made: give the counter that it depends on a bound`)
      : `${shown(value)} where a tag, a whole number from 0 on, is expected`;

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
    return `${shown(value)} where a rank from 0 to ${last} is expected (or null for none)`;
  };

/** A value of a variable. */
export const variableRule =
  (variable: Variable, high: number | undefined): Rule =>
  (value) => {
    const bounded = high === undefined ? variable : { ...variable, low: variable.low ?? 0, high };
    return numberOf(bounded, value) ?? `${shown(value)} where one of ${valuesText(bounded)} is expected`;
  };
