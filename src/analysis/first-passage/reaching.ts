import { type AbsorptionTime, absorptionTime, allEnds, type Ends } from '../markov/absorption-time.ts';
import { type ChainLimits, graphOf, type MarkovChain, markovChain } from '../markov/chain.ts';
import { ROUNDING } from '../markov/elimination.ts';
import type { BoundedMean } from '../markov/mean-bounds.ts';
import { RateList, rateAt } from '../markov/rows.ts';
import { type Components, components } from '../petri/components.ts';
import type { Formula } from '../properties/property.ts';
import { StateFormulas } from '../properties/state-formula.ts';
import type { StateSpace } from '../space/state-space.ts';
import { expectedGain } from './expected-gain.ts';

/** A chain that stops where a formula holds for the first time, or can never hold any more. */
export interface Reaching {
  readonly chain: MarkovChain;
  readonly parts: Components;
  /** States in which the formula holds. */
  readonly reached: Int32Array;
  /** States from which it never holds. */
  readonly lost: Int32Array;
}

/**
 * The chain of a net until a formula holds for the first time. A marking that is left at once counts, too. Undefined if `stop` or `isFull`
 * ended the work.
 *
 * @throws InputError as `markovChain`
 */
export function reaching(
  space: StateSpace,
  formula: Formula,
  stop: () => boolean,
  limits: Pick<ChainLimits, 'isFull'> = {},
): Reaching | undefined {
  const holds = new StateFormulas(space).holds(formula, 0, space.states);
  const whole = markovChain(space, stop, { last: holds, ...limits });
  if (whole === undefined) return undefined;
  const states = Int32Array.from(whole.markings.keys());
  const reached = states.filter((s) => holds[whole.markings[s]!] === 1);
  const leads = leadingTo(whole, reached);
  const lost = states.filter((s) => leads[s] === 0);
  const chain = stoppedIn(whole, leads);
  return { chain, parts: components(graphOf(chain)), reached, lost };
}

/** By state: 1 if one of the states `ends` can be reached from it. */
function leadingTo({ states, start, target }: MarkovChain, ends: Int32Array): Uint8Array {
  const into = new Uint32Array(states + 1);
  for (const to of target) into[to + 1]!++;
  for (let s = 0; s < states; s++) into[s + 1]! += into[s]!;
  const next = into.slice();
  const source = new Int32Array(target.length);
  for (let s = 0; s < states; s++) for (let e = start[s]!; e < start[s + 1]!; e++) source[next[target[e]!]!++] = s;
  const leads = new Uint8Array(states);
  const open = [...ends];
  for (const s of open) leads[s] = 1;
  for (let s = open.pop(); s !== undefined; s = open.pop())
    for (let e = into[s]!; e < into[s + 1]!; e++) {
      const from = source[e]!;
      if (leads[from] === 1) continue;
      leads[from] = 1;
      open.push(from);
    }
  return leads;
}

/**
 * The chain without the rates from some states, so that it stops in them.
 *
 * @param keeps by state: 1 if its rates are kept
 */
export function stoppedIn(chain: MarkovChain, keeps: Uint8Array): MarkovChain {
  const start = new Uint32Array(chain.states + 1);
  const target = new Int32Array(chain.target.length);
  const rates = new RateList(chain.target.length);
  let end = 0;
  for (let s = 0; s < chain.states; s++) {
    if (keeps[s] === 1)
      for (let e = chain.start[s]!; e < chain.start[s + 1]!; e++) {
        target[end] = chain.target[e]!;
        rates.set(end++, rateAt(chain.rates, e));
      }
    start[s + 1] = end;
  }
  return {
    states: chain.states,
    vanishing: chain.vanishing,
    markings: chain.markings,
    start,
    target: target.subarray(0, end),
    rates: rates.first(end),
    initial: chain.initial,
    error: chain.error,
    throughput: (transition) => chain.throughput(transition),
    enabled: (transition) => chain.enabled(transition),
    ended: () => chain.ended().map((ended, s) => (keeps[s] === 1 ? ended : 1)),
    tokens: (place) => chain.tokens(place),
  };
}

/** The time until a formula holds for the first time. */
interface ReachTime {
  /** Probability that it ever holds. */
  readonly probability: BoundedMean;
  /** The time, on condition that it ever holds; undefined if it never does. */
  readonly time: AbsorptionTime | undefined;
  /** Probability that it has held by a time in seconds. */
  until(seconds: number): BoundedMean;
}

const NEVER: BoundedMean = { mean: 0, lower: 0, upper: 0 };

/** The probability that a formula ever holds, and the time until it first does. */
export function reachTime(found: Reaching, stop: () => boolean): ReachTime {
  const { reached, chain, parts } = found;
  if (reached.length === 0) return { probability: NEVER, time: undefined, until: () => NEVER };
  const ends = endsOf(found, stop);
  const time = absorptionTime(chain, parts, stop, ends);
  return { probability: ends.probability, time, until: (seconds) => time.entered(seconds) };
}

/** The probability to reach the states, by expected gains: the rate into them is the gain per second. */
function endsOf({ chain, parts, reached, lost }: Reaching, stop: () => boolean): Ends {
  if (lost.length === 0) return allEnds(parts);
  const isReached = new Uint8Array(chain.states);
  for (const s of reached) isReached[s] = 1;
  const gain = new Float64Array(chain.states);
  let widest = 0;
  for (let s = 0; s < chain.states; s++) {
    const [from, end] = [chain.start[s]!, chain.start[s + 1]!];
    widest = Math.max(widest, end - from);
    for (let e = from; e < end; e++) if (isReached[chain.target[e]!] === 1) gain[s]! += rateAt(chain.rates, e);
  }
  const { of, error, from } = expectedGain(chain, parts, gain, chain.error + widest * ROUNDING, stop);
  let atOnce = 0;
  for (const [s, p] of chain.initial.to) if (isReached[s] === 1) atOnce += p;
  const off = 1.1 * chain.initial.error + (chain.initial.to.size + 2) * ROUNDING;
  const lower = Math.max(0, (from.lower + atOnce * (1 - off)) * (1 - 2 * ROUNDING));
  const upper = Math.min(1, (from.upper + atOnce * (1 + off)) * (1 + 2 * ROUNDING));
  const probability = { mean: Math.min(Math.max(from.mean + atOnce, lower), upper), lower, upper };
  return { states: reached, others: lost, chance: of, error, probability };
}
