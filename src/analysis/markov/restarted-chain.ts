import type { MarkovChain } from './chain.ts';
import { type Outcome, ROUNDING } from './elimination.ts';
import { RowList, rateAt } from './rows.ts';

/**
 * A chain that starts again from its initial distribution whenever the given chain ends. If that one ends with certainty, each state leads
 * to all others.
 */
export interface RestartedChain extends MarkovChain {
  /** By state: restarts per second. */
  readonly restarts: Float64Array;
}

/**
 * The chain of a net that is restarted at each of its ends, which take no time. By renewal reward, its stationary means are the expected
 * gains of one run over its expected time (README.md).
 *
 * @param ended by state: 1 for those in which nothing can happen any more
 * @returns undefined if the net ends at once with certainty
 */
export function restartedChain(chain: MarkovChain, ended: Uint8Array): RestartedChain | undefined {
  const states = Int32Array.from(ended.keys()).filter((s) => ended[s] === 0);
  if (states.length === 0) return undefined;
  const position = new Int32Array(chain.states).fill(-1);
  states.forEach((s, k) => {
    position[s] = k;
  });
  const begin = conditional(chain.initial, position);
  const entries = states.reduce((sum, s) => sum + chain.start[s + 1]! - chain.start[s]!, states.length * begin.to.size);
  const rows = new RowList(states.length, new Int32Array(entries));
  const ends = new Float64Array(states.length);
  let longest = 0;
  states.forEach((s, k) => {
    const [from, end] = [chain.start[s]!, chain.start[s + 1]!];
    longest = Math.max(longest, end - from);
    for (let e = from; e < end; e++) {
      const to = position[chain.target[e]!]!;
      if (to >= 0) rows.add(to, rateAt(chain.rates, e));
      else ends[k]! += rateAt(chain.rates, e);
    }
    if (ends[k]! > 0) for (const [to, p] of begin.to) rows.add(to, ends[k]! * p);
    rows.end();
  });
  const own = (values: Float64Array): Float64Array => Float64Array.from(states, (s) => values[s]!);
  return {
    states: states.length,
    vanishing: chain.vanishing,
    markings: Int32Array.from(states, (s) => chain.markings[s]!),
    ...rows.done(),
    initial: begin,
    error: chain.error + begin.error + (longest + 4) * ROUNDING,
    restarts: ends.map((rate) => rate * begin.runs),
    throughput: (transition) => {
      const first = (chain.initial.firings.get(transition) ?? 0) * begin.runs;
      return own(chain.throughput(transition)).map((rate, k) => rate + ends[k]! * first);
    },
    enabled: (transition) => own(chain.enabled(transition)),
    ended: () => new Uint8Array(states.length),
    tokens: (place) => own(chain.tokens(place)),
  };
}

/** The distribution at the start of a run that takes time, and the expected number of runs until there is one. */
function conditional({ to, firings, error }: Outcome, position: Int32Array): Outcome & { readonly runs: number } {
  const lasting = [...to].filter(([s]) => position[s]! >= 0);
  const share = lasting.length === to.size ? 1 : lasting.reduce((sum, [, p]) => sum + p, 0);
  return {
    to: new Map(lasting.map(([s, p]) => [position[s]!, p / share])),
    firings,
    error: 2 * error + (lasting.length + 2) * ROUNDING,
    runs: 1 / share,
  };
}
