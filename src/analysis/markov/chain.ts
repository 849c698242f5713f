import type { Memory } from '../../kernel/memory.ts';
import type { StateGraph } from '../petri/components.ts';
import type { StateSpace } from '../space/state-space.ts';
import { phasedGraph } from './delays/phased-graph.ts';
import { type Outcome, ROUNDING } from './elimination.ts';
import { constantRows, type Rates, RowList, type Rows } from './rows.ts';
import { StepRates } from './step-rates.ts';
import { allocatedIn } from './sweeping/row-room.ts';
import { firedBy, TANGIBLE, type TimedGraph, type TimedStep, timedBy, timedGraph, valueAt } from './timed-graph.ts';
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
  readonly rates: Rates;
  /** The memory that holds the rows, if they are solved there. */
  readonly memory?: Memory | undefined;
  /** Distribution over the states at time 0. */
  readonly initial: Outcome;
  /** Bound on the logarithm of the ratio of each computed rate, also of {@link throughput}, and its exact value. */
  readonly error: number;
  /** By state: firings per second of a transition, immediate ones included. O(edges). */
  throughput(transition: number): Float64Array;
  /** By state: 1 if the clock of a race runs or a holding firing is in progress. O(edges). */
  enabled(transition: number): Float64Array;
  /** By state: 1 if nothing can happen any more. A state whose steps all lead back to it has no rates either, but time passes in it. */
  ended(): Uint8Array;
  /** By state: number of tokens in a place, in service included. O(states of the space). */
  tokens(place: number): Float64Array;
}

/** The chain of a net, with the rates of each of its transitions and the origin of its states. */
export interface NetChain extends MarkovChain {
  /** By state: a number of the phases of all its clocks; undefined without phases. */
  readonly clocks: Int32Array | undefined;
  /** By state: the largest of these values, given by marking, over its own one, and those that its steps pass through and lead to. */
  passing(values: Float64Array): Float64Array;
  /** The part of the rates that is proportional to the rate of a timed transition. Only of a chain that was made with `last`. */
  part(transition: number): ChainPart;
}

/** The rates of one timed transition. */
interface ChainPart {
  /** By state: the sum of rate × (h of the next state − h), and that of rate × (|h| + |h|), which bounds its rounding. O(edges). */
  drift(h: Float64Array): { readonly sum: Float64Array; readonly size: Float64Array };
  /** By state: firings per second of a transition which these steps cause, immediate ones included. O(edges). */
  throughput(transition: number): Float64Array;
}

/** Where a chain ends. */
export interface ChainLimits {
  /** True if this number of states exceeds a limit. With phases of delays, there are more states than markings. */
  readonly isFull?: (states: number) => boolean;
  /** By state of the space: 1 where the chain is stopped; such a marking is a state, also if it would be left at once. */
  readonly last?: Uint8Array;
  /** Room for the rows: that of the kernel which solves them. */
  readonly memory?: Memory | undefined;
}

/**
 * The Markov chain of a net with immediate and exponential delays and phases of them, from its complete state space. Undefined if `stop`
 * or `isFull` ended the work.
 *
 * @throws InputError CTMC001 … CTMC005, RUN008, RUN017
 */
export function markovChain(
  space: StateSpace,
  stop: () => boolean = () => false,
  { isFull = () => false, last, memory }: ChainLimits = {},
): NetChain | undefined {
  const rates = new StepRates(space.net);
  const graph = rates.havePhases
    ? phasedGraph(space, rates, stop, isFull, last)
    : timedGraph(space, rates, stop, last, memory && allocatedIn(memory));
  return graph === undefined ? undefined : new Chain(graph, vanishingOutcomes(graph), memory);
}

class Chain implements NetChain {
  readonly states: number;
  readonly vanishing: number;
  readonly markings: Int32Array;
  readonly start: Uint32Array;
  readonly target: Int32Array;
  readonly rates: Rates;
  readonly memory: Memory | undefined;
  readonly initial: Outcome;
  readonly error: number;
  readonly #graph: TimedGraph;
  readonly #outcomes: readonly (Outcome | undefined)[];
  /** Tangible states by their number in the graph. */
  readonly #tangible: Int32Array;
  /** By number in the graph: that of the state; −1 if it is vanishing. */
  readonly #numberOf: Int32Array;
  /** True if the states have the numbers of the space. */
  readonly #isWhole: boolean;

  constructor(graph: TimedGraph, outcomes: readonly (Outcome | undefined)[], memory?: Memory) {
    const { kind, edges, states } = graph;
    this.#graph = graph;
    this.#outcomes = outcomes;
    // If all rates are constant, every marking is tangible, so states have the numbers of the space.
    const isSpace = edges.values === undefined;
    this.#tangible = isSpace ? states : tangibleStates(kind);
    this.states = this.#tangible.length;
    this.vanishing = kind.length - this.states;
    this.markings = isSpace ? states : Int32Array.from(this.#tangible, (s) => states[s]!);
    const numberOf = isSpace ? states : new Int32Array(kind.length).fill(-1);
    this.#numberOf = numberOf;
    if (!isSpace)
      this.#tangible.forEach((s, k) => {
        numberOf[s] = k;
      });
    this.#isWhole = isSpace || (this.states === graph.space.states && this.markings.every((s, k) => s === k));
    const renumbered = ({ to, firings, error }: Outcome): Outcome => ({
      to: new Map([...to].map(([s, p]) => [numberOf[s]!, p])),
      firings,
      error,
    });
    const own = outcomes[0];
    this.initial = own === undefined ? { to: new Map([[0, 1]]), firings: new Map(), error: 0 } : renumbered(own);

    const most = this.#entriesBelow();
    const rows = edges.values === undefined ? constantRows(graph) : this.#rows(most.entries, (s) => numberOf[s]!);
    this.start = rows.start;
    this.target = rows.target;
    this.rates = rows.rates;
    const isIn = (array: ArrayBufferView | undefined): boolean => array?.buffer === memory?.memory.buffer;
    this.memory = isIn(rows.start) && isIn(rows.target) && isIn(rows.rates.code) ? memory : undefined;
    // Product with the probability; sum.
    this.error = most.error + (most.row + graph.roundings + 2) * ROUNDING;
  }

  #rows(entries: number, numberOf: (state: number) => number): Rows {
    const { edges } = this.#graph;
    const rows = new RowList(this.states, new Int32Array(entries));
    for (let k = 0; k < this.states; k++) {
      const s = this.#tangible[k]!;
      for (let e = edges.start[s]!; e < edges.start[s + 1]!; e++) {
        const value = valueAt(edges, e);
        const to = edges.target[e]!;
        const outcome = this.#outcomes[to];
        if (outcome === undefined) rows.add(numberOf(to), value);
        else for (const [state, p] of outcome.to) rows.add(numberOf(state), value * p);
      }
      rows.end();
    }
    return rows.done();
  }

  /** The maximum number of entries if rates are not constants of steps, of steps of a state, and the error of outcomes. */
  #entriesBelow(): { readonly entries: number; readonly row: number; readonly error: number } {
    const { edges } = this.#graph;
    const { start, values } = edges;
    let [entries, row, error] = [0, 0, 0];
    for (let k = 0; k < this.states; k++) {
      const s = this.#tangible[k]!;
      const [from, end] = [start[s]!, start[s + 1]!];
      if (end - from > row) row = end - from;
      if (values === undefined) continue;
      for (let e = from; e < end; e++) {
        const outcome = this.#outcomes[edges.target[e]!];
        entries += outcome?.to.size ?? 1;
        if (outcome !== undefined) error = Math.max(error, outcome.error);
      }
    }
    return { entries, row, error };
  }

  throughput(transition: number): Float64Array {
    return this.#throughput(transition, () => true);
  }

  /** Firings by the steps that count. */
  #throughput(transition: number, counts: (step: number) => boolean): Float64Array {
    const { edges } = this.#graph;
    const fires = this.#of(firedBy, transition);
    if (edges.values === undefined)
      return this.#sums((step) => (fires[step] === 1 && counts(step) ? edges.constant[step]! : 0));
    return this.#tangible.reduce((sums, s, k) => {
      for (let e = edges.start[s]!; e < edges.start[s + 1]!; e++) {
        const further = this.#outcomes[edges.target[e]!]?.firings.get(transition) ?? 0;
        const own = fires[edges.step[e]!]!;
        if (own + further > 0 && counts(edges.step[e]!)) sums[k]! += valueAt(edges, e) * (own + further);
      }
      return sums;
    }, new Float64Array(this.states));
  }

  /** By state: the sum of these values of its steps, if all states are tangible. */
  #sums(of: (step: number) => number): Float64Array {
    const { start, step, constant } = this.#graph.edges;
    const values = constant.map((_, k) => of(k));
    const sums = new Float64Array(this.states);
    for (let s = 0; s < sums.length; s++)
      for (let e = start[s]!, end = start[s + 1]!; e < end; e++) sums[s]! += values[step[e]!]!;
    return sums;
  }

  enabled(transition: number): Float64Array {
    const { edges } = this.#graph;
    const runs = this.#of(timedBy, transition);
    if (edges.values === undefined) return this.#sums((step) => runs[step]!).map((steps) => Math.min(steps, 1));
    return this.#tangible.reduce((is, s, k) => {
      for (let e = edges.start[s]!; e < edges.start[s + 1]!; e++) if (runs[edges.step[e]!] === 1) is[k] = 1;
      return is;
    }, new Float64Array(this.states));
  }

  ended(): Uint8Array {
    const { start } = this.#graph.edges;
    return Uint8Array.from(this.#tangible, (s) => (start[s] === start[s + 1] ? 1 : 0));
  }

  part(transition: number): ChainPart {
    const fires = this.#of(firedBy, transition);
    return {
      drift: (h) => this.#drift(fires, h),
      throughput: (other) => this.#throughput(other, (step) => fires[step] === 1),
    };
  }

  #drift(counts: Uint8Array, h: Float64Array): ReturnType<ChainPart['drift']> {
    const { edges } = this.#graph;
    // Targets of the graph are taken over by the rows of a chain with constant rates.
    if (edges.values === undefined) throw new Error('the chain has not kept its steps');
    const [sum, size] = [new Float64Array(this.states), new Float64Array(this.states)];
    this.#tangible.forEach((s, k) => {
      const add = (to: number, rate: number): void => {
        const other = h[this.#numberOf[to]!]!;
        sum[k]! += rate * (other - h[k]!);
        size[k]! += rate * (Math.abs(other) + Math.abs(h[k]!));
      };
      for (let e = edges.start[s]!; e < edges.start[s + 1]!; e++) {
        if (counts[edges.step[e]!] !== 1) continue;
        const outcome = this.#outcomes[edges.target[e]!];
        if (outcome === undefined) add(edges.target[e]!, valueAt(edges, e));
        else for (const [to, p] of outcome.to) add(to, valueAt(edges, e) * p);
      }
    });
    return { sum, size };
  }

  /** By step: 1 if it is one of the transition. */
  #of(by: (step: TimedStep) => number, transition: number): Uint8Array {
    return Uint8Array.from(this.#graph.edges.steps, (step) => (by(step) === transition ? 1 : 0));
  }

  get clocks(): Int32Array | undefined {
    const { clocks } = this.#graph;
    return clocks && Int32Array.from(this.#tangible, (s) => clocks[s]!);
  }

  passing(values: Float64Array): Float64Array {
    const { kind, edges, states } = this.#graph;
    const most = Float64Array.from(states, (marking) => values[marking]!);
    const own = most.slice();
    const after = (s: number): number => {
      let largest = own[s]!;
      for (let e = edges.start[s]!; e < edges.start[s + 1]!; e++) largest = Math.max(largest, most[edges.target[e]!]!);
      return largest;
    };
    // Through states without time, which may form cycles, until nothing changes.
    for (let changed = true; changed; ) {
      changed = false;
      for (let s = kind.length - 1; s >= 0; s--) {
        if (kind[s] === TANGIBLE) continue;
        const largest = after(s);
        if (largest > most[s]!) changed = true;
        most[s] = largest;
      }
    }
    return Float64Array.from(this.#tangible, after);
  }

  tokens(place: number): Float64Array {
    const { space } = this.#graph;
    const all = space.tokens([place], 0, space.states);
    if (this.#isWhole) return all;
    const tokens = new Float64Array(this.states);
    for (let k = 0; k < this.states; k++) tokens[k] = all[this.markings[k]!]!;
    return tokens;
  }
}

function tangibleStates(kind: Uint8Array): Int32Array {
  const tangible = new Int32Array(kind.length);
  let count = 0;
  for (let s = 0; s < kind.length; s++) if (kind[s] === TANGIBLE) tangible[count++] = s;
  return tangible.subarray(0, count);
}

/** The graph of a chain, for the search of its components. */
export function graphOf({ states, start, target }: MarkovChain): StateGraph {
  return { states, edges: target.length, start, target: (edge) => target[edge]! };
}
