import type { Components } from '../petri/components.ts';
import type { MarkovChain } from './chain.ts';
import { addTimes, eliminated, type Outcome, ROUNDING, type TransientRow, type Weights } from './elimination.ts';
import { rateAt } from './rows.ts';

/** Transient classes up to this number of states are eliminated; more fill a matrix. */
const MAX_CLASS = 2000;

/** Destination and expected gain of a state, until the chain enters a bottom component. */
export interface Passage {
  /** Probability by bottom component. */
  readonly to: Weights;
  /** Expected gain until then; 0 in a bottom component. */
  readonly gain: number;
  /** Bound on the logarithm of the ratio of each computed value and its exact one. */
  readonly error: number;
}

export interface Passages {
  readonly of: readonly Passage[];
  /** The mixture of a distribution over states. */
  from(initial: Outcome): Passage | undefined;
}

/** Key of the gain among the weights of an elimination, which are otherwise keyed by state. */
const GAIN = 0;
/** Key of all bottom components together, if only the gain is wanted. */
const ENDED = -1;
const END: Passage = { to: new Map(), gain: 0, error: 0 };

/**
 * Destination and expected gain of each state, by elimination of one transient class after the other. Undefined if
 * a class has more than 2000 states, a number left the range of a double, or `stop` ended the work.
 *
 * @param gain by state: the gain per second, at least 0; bottom components are then not distinguished
 * @param gainError error of the gains, as in {@link Passage}
 */
export function passages(
  chain: MarkovChain,
  { count, of, bottom, sizes }: Components,
  stop: () => boolean,
  gain?: Float64Array,
  gainError = 0,
): Passages | undefined {
  const members: number[][] = Array.from({ length: count }, () => []);
  of.forEach((c, s) => {
    if (bottom[c] === 0) members[c]!.push(s);
  });
  const known = new Array<Passage>(chain.states);
  for (let s = 0; s < chain.states; s++)
    if (bottom[of[s]!] === 1) known[s] = gain === undefined ? { ...END, to: new Map([[of[s]!, 1]]) } : END;
  const endsAt = (s: number): boolean => gain !== undefined && bottom[of[s]!] === 1;
  // Rates to the ends of one state are added first.
  let merged = 0;
  for (let s = 0; s < chain.states; s++) {
    let ends = 0;
    for (let e = chain.start[s]!; e < chain.start[s + 1]!; e++) if (endsAt(chain.target[e]!)) ends++;
    merged = Math.max(merged, ends);
  }
  for (const own of members) {
    if (own.length === 0) continue;
    if (sizes[of[own[0]!]!]! > MAX_CLASS) return undefined;
    const results = eliminated(transientRows(chain, own, endsAt, gain), chain.error + merged * ROUNDING, stop);
    if (results === undefined) return undefined;
    for (const [k, { to, firings, error }] of results.entries()) {
      // Gains enter linearly, so their error only adds.
      const passage = combined({ to, firings, error: error + gainError }, known);
      if (passage === undefined) return undefined;
      known[own[k]!] = passage;
    }
  }
  return { of: known, from: ({ to, error }) => combined({ to, firings: new Map(), error }, known) };
}

function transientRows(
  chain: MarkovChain,
  states: readonly number[],
  endsAt: (state: number) => boolean,
  gain: Float64Array | undefined,
): TransientRow[] {
  const position = new Map(states.map((s, k) => [s, k]));
  return states.map((s) => {
    // The weights are rates, so a step gains the gain per second over the sum of the rates.
    const own = gain?.[s] ?? 0;
    const firings: Weights = own > 0 ? new Map([[GAIN, own]]) : new Map();
    const row = { inner: new Map<number, number>(), outer: new Map<number, number>(), firings };
    for (let e = chain.start[s]!; e < chain.start[s + 1]!; e++) {
      const to = chain.target[e]!;
      const rate = rateAt(chain.rates, e);
      const inside = position.get(to);
      if (inside !== undefined) row.inner.set(inside, rate);
      else if (endsAt(to)) row.outer.set(ENDED, (row.outer.get(ENDED) ?? 0) + rate);
      else row.outer.set(to, rate);
    }
    return row;
  });
}

/** The passage of a state: the weighted passages of its successors, plus its own gain. Undefined if a number leaves the range of a double. */
function combined({ to, firings, error }: Outcome, known: readonly Passage[]): Passage | undefined {
  const all: Weights = new Map();
  let gain = firings.get(GAIN) ?? 0;
  let worst = 0;
  for (const [s, p] of to) {
    const further = s === ENDED ? END : known[s]!;
    worst = Math.max(worst, further.error);
    gain += p * further.gain;
    if (!addTimes(all, p, further.to)) return undefined;
  }
  return { to: all, gain, error: error + worst + (to.size + 2) * ROUNDING };
}
