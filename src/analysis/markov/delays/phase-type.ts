import { fail, type Place as Part } from '../../../base/problem.ts';
import type { Distribution } from '../../../net/distribution.ts';
import { type Evaluate, evaluator, type Surroundings } from '../../../net/evaluate.ts';
import type { Delay } from '../../../net/net.ts';
import { checkedRate } from './rate-range.ts';

/**
 * A delay made of exponential phases, which are numbered from 1. It begins in one of them. After phase k it continues with phase k + 1
 * with probability `onward[k - 1]`; otherwise it ends.
 */
export interface PhaseType {
  /** The phases that it can begin in, with their probabilities. */
  readonly first: readonly { readonly phase: number; readonly probability: number }[];
  /** Per second. */
  readonly rates: readonly number[];
  readonly onward: readonly number[];
}

/** Maximum number of phases of an Erlang delay: each adds one state or more. */
const MAX_PHASES = 10_000;

type Laws = 'erlang' | 'hyper-exponential' | 'cox';
type PhaseTypeDistribution = Extract<Distribution, { readonly dist: Laws }>;

/** True for Erlang, hyper-exponential and Coxian distributions. */
export function isPhaseType(delay: Delay | undefined): delay is PhaseTypeDistribution {
  return (
    delay !== undefined &&
    'dist' in delay &&
    (delay.dist === 'erlang' || delay.dist === 'hyper-exponential' || delay.dist === 'cox')
  );
}

/** The phases of a delay, given the values of the variables. @throws InputError CTMC003 for parameters out of range */
export function phaseTypeOf(
  delay: PhaseTypeDistribution,
  slotOf: ReadonlyMap<string, number>,
  around: Surroundings,
  part: Part,
): (slots: ArrayLike<number>) => PhaseType {
  const term = (e: Parameters<typeof evaluator>[0]): Evaluate => evaluator(e, slotOf, around);
  if (delay.dist === 'erlang') {
    const [shape, rate] = [term(delay.shape), term(delay.rate)];
    return (slots) => series(Array<number>(count(shape(slots), part)).fill(checkedRate(rate(slots), part)));
  }
  if (delay.dist === 'cox') {
    const all = delay.phases.map((p) => [term(p.rate), term(p.onward)] as const);
    return (slots) => {
      const onward = all.map(([, own]) => probability(own(slots), part));
      const last = onward.indexOf(0);
      if (last < 0) fail('CTMC003', 'onward of its last phase is not 0, although no phase follows', part);
      const rates = all.slice(0, last + 1).map(([own]) => checkedRate(own(slots), part));
      return series(rates, onward.slice(0, last + 1));
    };
  }
  const all = delay.branches.map((b) => [term(b.rate), term(b.probability)] as const);
  return (slots) => {
    const weights = all.map(([, own]) => own(slots));
    const total = weights.reduce((sum, w) => sum + w, 0);
    if (!(weights.every((w) => w >= 0) && total > 0 && total < Number.POSITIVE_INFINITY))
      fail('CTMC003', `the probabilities of its delay are ${weights.join(', ')}: expected one above 0`, part);
    const used = all.flatMap(([own], k) =>
      weights[k] === 0 ? [] : [{ rate: own(slots), share: weights[k]! / total }],
    );
    return {
      first: used.map(({ share }, k) => ({ phase: k + 1, probability: share })),
      rates: used.map(({ rate }) => checkedRate(rate, part)),
      onward: used.map(() => 0),
    };
  };
}

function series(rates: readonly number[], onward?: readonly number[]): PhaseType {
  return {
    first: [{ phase: 1, probability: 1 }],
    rates,
    onward: onward ?? rates.map((_, k) => (k + 1 < rates.length ? 1 : 0)),
  };
}

function count(shape: number, part: Part): number {
  if (Number.isSafeInteger(shape) && shape >= 1 && shape <= MAX_PHASES) return shape;
  return fail(
    'CTMC003',
    `the shape of its Erlang delay is ${shape}: expected an integer from 1 to ${MAX_PHASES}`,
    part,
  );
}

function probability(value: number, part: Part): number {
  if (value >= 0 && value <= 1) return value;
  return fail('CTMC003', `a probability of its delay is ${value}: expected a number from 0 to 1`, part);
}
