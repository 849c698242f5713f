import type { StateGraph } from '../petri/components.ts';
import type { StateSpace } from '../space/state-space.ts';
import { type Outcome, ROUNDING } from './elimination.ts';
import { StepRates } from './step-rates.ts';
import { TANGIBLE, type TimedGraph, timedGraph } from './timed-graph.ts';
import { vanishingOutcomes } from './vanishing.ts';

/**
 * The continuous-time Markov chain of a net: its tangible markings, numbered from 0, and the rates between different ones in
 * compressed rows. Vanishing markings are eliminated.
 */
export interface MarkovChain {
  readonly states: number;
  /** Number of vanishing markings. */
  readonly vanishing: number;
  /** By state: its number in the state space. */
  readonly markings: Int32Array;
  /** Rates to other states, in compressed rows; only one entry for a pair of states. */
  readonly start: Uint32Array;
  readonly target: Int32Array;
  readonly rate: Float64Array;
  /** Distribution over the states at time 0. */
  readonly initial: Outcome;
  /** Bound on the logarithm of the ratio of each computed rate, also of {@link throughput}, and its exact value. */
  readonly error: number;
  /** By state: firings per second of a transition, immediate ones included. O(edges). */
  throughput(transition: number): Float64Array;
  /** By state: 1 if the clock of a race runs or a holding firing is in progress. O(edges). */
  enabled(transition: number): Float64Array;
  /** By state: number of tokens in a place, in service included. O(states of the space). */
  tokens(place: number): Float64Array;
}

/**
 * The Markov chain of a net with immediate and exponential delays, from its complete state space. Undefined if `stop` ended
 * the work.
 *
 * @throws InputError CTMC001 … CTMC005, RUN008, RUN017
 */
export function markovChain(space: StateSpace, stop: () => boolean = () => false): MarkovChain | undefined {
  const graph = timedGraph(space, new StepRates(space.net), stop);
  return graph === undefined ? undefined : new Chain(graph, vanishingOutcomes(graph));
}

class Chain implements MarkovChain {
  readonly states: number;
  readonly vanishing: number;
  readonly markings: Int32Array;
  readonly start: Uint32Array;
  readonly target: Int32Array;
  readonly rate: Float64Array;
  readonly initial: Outcome;
  readonly error: number;
  readonly #graph: TimedGraph;
  readonly #outcomes: readonly (Outcome | undefined)[];
  /** Tangible states by their number in the graph. */
  readonly #tangible: Int32Array;

  constructor(graph: TimedGraph, outcomes: readonly (Outcome | undefined)[]) {
    const { kind, edges, states } = graph;
    this.#graph = graph;
    this.#outcomes = outcomes;
    this.#tangible = Int32Array.from(kind.keys()).filter((s) => kind[s] === TANGIBLE);
    this.states = this.#tangible.length;
    this.vanishing = kind.length - this.states;
    this.markings = this.#tangible.map((s) => states[s]!);
    const numberOf = new Int32Array(kind.length).fill(-1);
    this.#tangible.forEach((s, k) => {
      numberOf[s] = k;
    });
    const renumbered = ({ to, firings, error }: Outcome): Outcome => ({
      to: new Map([...to].map(([s, p]) => [numberOf[s]!, p])),
      firings,
      error,
    });
    const own = outcomes[0];
    this.initial = own === undefined ? { to: new Map([[0, 1]]), firings: new Map(), error: 0 } : renumbered(own);

    this.start = new Uint32Array(this.states + 1);
    const target: number[] = [];
    const rate: number[] = [];
    let most = 0;
    let worst = 0;
    // The sum of the rates from the current state to each other one.
    const sums = new Float64Array(this.states);
    const touched: number[] = [];
    const add = (to: number, value: number): void => {
      if (sums[to] === 0) touched.push(to);
      sums[to]! += value;
    };
    for (let k = 0; k < this.states; k++) {
      const s = this.#tangible[k]!;
      const [from, end] = [edges.start[s]!, edges.start[s + 1]!];
      most = Math.max(most, end - from);
      for (let e = from; e < end; e++) {
        const outcome = outcomes[edges.target[e]!];
        if (outcome === undefined) add(numberOf[edges.target[e]!]!, edges.value[e]!);
        else {
          worst = Math.max(worst, outcome.error);
          for (const [to, p] of outcome.to) add(numberOf[to]!, edges.value[e]! * p);
        }
      }
      for (const to of touched.sort((a, b) => a - b)) {
        if (to !== k) {
          target.push(to);
          rate.push(sums[to]!);
        }
        sums[to] = 0;
      }
      touched.length = 0;
      this.start[k + 1] = target.length;
    }
    this.target = Int32Array.from(target);
    this.rate = Float64Array.from(rate);
    // Products with the number of clocks or the share of servers, with the speed, and with the probability; sum.
    this.error = worst + (most + 5) * ROUNDING;
  }

  throughput(transition: number): Float64Array {
    const { edges } = this.#graph;
    return this.#tangible.reduce((sums, s, k) => {
      for (let e = edges.start[s]!; e < edges.start[s + 1]!; e++) {
        const further = this.#outcomes[edges.target[e]!]?.firings.get(transition) ?? 0;
        const own = edges.node[e] === transition ? 1 : 0;
        if (own + further > 0) sums[k]! += edges.value[e]! * (own + further);
      }
      return sums;
    }, new Float64Array(this.states));
  }

  enabled(transition: number): Float64Array {
    const { edges } = this.#graph;
    return Float64Array.from(this.#tangible, (s) =>
      edges.node.subarray(edges.start[s], edges.start[s + 1]).includes(transition) ? 1 : 0,
    );
  }

  tokens(place: number): Float64Array {
    const { space } = this.#graph;
    const all = space.tokens([place], 0, space.states);
    return Float64Array.from(this.markings, (state) => all[state]!);
  }
}

/** The graph of a chain, for the search of its components. */
export function graphOf({ states, start, target }: MarkovChain): StateGraph {
  return { states, edges: target.length, start, target: (edge) => target[edge]! };
}
