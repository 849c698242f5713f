import { fail } from '../../base/problem.ts';
import type { Net } from '../../net/net.ts';
import {
  type Allocate,
  type MarkingView,
  type Numbers,
  numbersBelow,
  type StateSpace,
  type Step,
  type StepGraph,
} from '../space/state-space.ts';
import type { StepRates } from './step-rates.ts';
import { TimedSteps } from './timed-steps.ts';

/** Kinds of states: time passes in a tangible one; a vanishing one is left at once, its next step being drawn or open. */
export const TANGIBLE = 0;
export const DRAWN = 1;
/** Several immediate steps are possible and none has a weight: the ages of tokens decide. */
export const OPEN = 2;

/** A step of the net, or the change of a phase of a delay. */
export type TimedStep = Step | { readonly kind: 'phase'; readonly node: number };

/** Steps in compressed rows. Their values are rates per second from tangible states, probabilities from others. */
export interface TimedEdges {
  /** The edges of state s are `start[s]` … `start[s + 1] − 1`. */
  readonly start: Float64Array | Uint32Array;
  readonly target: Int32Array;
  /** By edge: index in the steps. */
  readonly step: Numbers;
  readonly steps: readonly TimedStep[];
  /** By step: its value, wherever it is the same in all states. */
  readonly constant: Float64Array;
  /** By edge; undefined if all values are constants of their steps. */
  readonly values: Float64Array | undefined;
}

/** The markings that are reached with positive probability, numbered from 0, the initial one, and their steps. */
export interface TimedGraph {
  readonly net: Net;
  readonly space: StateSpace;
  /** Number of each state in the space. */
  readonly states: Int32Array;
  readonly kind: Uint8Array;
  /** With phases, by state: a number of the phases of all its clocks. */
  readonly clocks?: Int32Array;
  /** Values from open states are 1 each. */
  readonly edges: TimedEdges;
  /** Maximum number of immediate steps of a state, or of phases that a delay can begin in. */
  readonly choices: number;
  /** Roundings of each value from a tangible state. */
  readonly roundings: number;
}

/** Roundings of values without phases: products with the number of clocks or the share of servers, and with the speed. */
const ROUNDINGS = 3;

export function valueAt({ values, constant, step }: TimedEdges, edge: number): number {
  return values === undefined ? constant[step[edge]!]! : values[edge]!;
}

/** The transition that fires; −1 where none does (services, starts). */
export function firedBy({ kind, node }: TimedStep): number {
  return kind === 'fire' || kind === 'end' ? node : -1;
}

/** The transition whose delay the step ends or continues; −1 for services and starts. */
export function timedBy(step: TimedStep): number {
  return step.kind === 'phase' ? step.node : firedBy(step);
}

/** States between two calls of `stop`. */
const CHECK_EVERY = 1024;

/**
 * Follows the steps that exponential delays allow (docs/semantics.md, S9 to S10): starts happen before anything else, and ends of
 * firings, services and races one at a time. Undefined if `stop` ended the work.
 *
 * @param space the complete state space of the net
 * @param last by state of the space: 1 where the net is stopped, also if the marking would be left at once; such states are tangible
 * @param allocate room for the arrays of the edges of the space
 * @throws InputError CTMC001, CTMC002, CTMC003, RUN008, RUN017
 */
export function timedGraph(
  space: StateSpace,
  rates: StepRates,
  stop: () => boolean,
  last?: Uint8Array,
  allocate?: Allocate,
): TimedGraph | undefined {
  const graph = space.stepGraph(stop, allocate);
  if (graph === undefined) return undefined;
  const timed = new TimedSteps(space, graph, rates);
  // If all steps take time, every state of the space is reached.
  return timed.areConstant && last === undefined
    ? timedOnly(space, graph, timed.constant)
    : new Follower(space, graph, timed, rates).run(stop, last);
}

/** The graph of the space with rates. */
function timedOnly(space: StateSpace, graph: StepGraph, constant: Float64Array): TimedGraph {
  const { states, start, target, step, steps } = graph;
  const numbers = new Int32Array(states);
  for (let s = 0; s < states; s++) numbers[s] = s;
  return {
    net: space.net,
    space,
    states: numbers,
    kind: new Uint8Array(states),
    edges: { start, target, step, steps, constant, values: undefined },
    choices: 1,
    roundings: ROUNDINGS,
  };
}

/** The kind of a marking with these immediate steps, and their values. @throws InputError RUN008 */
export function choice(
  steps: readonly Step[],
  rates: StepRates,
  marking: () => MarkingView,
): { readonly kind: number; readonly values: readonly number[] } {
  const weights = steps.length === 1 ? [1] : steps.map((step) => rates.weight(step, marking));
  const isOpen = weights.every((w) => w === undefined);
  const total = weights.reduce<number>((sum, w) => sum + (w ?? 1), 0);
  if (total === Number.POSITIVE_INFINITY) fail('RUN008', 'weights without a finite sum');
  return { kind: isOpen ? OPEN : DRAWN, values: weights.map((w) => (isOpen ? 1 : (w ?? 1) / total)) };
}

/** Follows steps from the initial state, because immediate ones keep others from happening. */
class Follower {
  readonly #space: StateSpace;
  readonly #graph: StepGraph;
  readonly #immediate: Uint8Array;
  readonly #rates: StepRates;
  readonly #timedSteps: TimedSteps;
  readonly #numberOf: Int32Array;
  readonly #states: Int32Array;
  #found = 0;
  readonly #target: Int32Array;
  readonly #step: Numbers;
  readonly #values: Float64Array;
  #edges = 0;

  constructor(space: StateSpace, graph: StepGraph, timed: TimedSteps, rates: StepRates) {
    this.#space = space;
    this.#graph = graph;
    this.#immediate = Uint8Array.from(graph.steps, (step) => (rates.isImmediate(step) ? 1 : 0));
    this.#timedSteps = timed;
    this.#rates = rates;
    this.#numberOf = new Int32Array(graph.states).fill(-1);
    this.#states = new Int32Array(graph.states);
    this.#target = new Int32Array(graph.edges);
    this.#step = numbersBelow(graph.steps.length, graph.edges);
    this.#values = new Float64Array(graph.edges);
  }

  run(stop: () => boolean, last: Uint8Array | undefined): TimedGraph | undefined {
    const { start, step, steps, states } = this.#graph;
    const kind = new Uint8Array(states);
    const starts = new Uint32Array(states + 1);
    let choices = 1;
    this.#number(0);
    for (let s = 0; s < this.#found; s++) {
      if (s % CHECK_EVERY === 0 && stop()) return undefined;
      const state = this.#states[s]!;
      const [from, end] = [start[state]!, start[state + 1]!];
      if (last?.[state] !== 1) {
        let now = 0;
        for (let e = from; e < end; e++) now += this.#immediate[step[e]!]!;
        if (now === 0) this.#timed(state, from, end);
        else kind[s] = this.#vanishing(state, from, end);
        choices = Math.max(choices, now);
      }
      starts[s + 1] = this.#edges;
    }
    const edges = {
      start: starts.slice(0, this.#found + 1),
      target: this.#target.subarray(0, this.#edges),
      step: this.#step.subarray(0, this.#edges),
      steps,
      constant: this.#timedSteps.constant,
      values: this.#values.subarray(0, this.#edges),
    };
    return {
      net: this.#space.net,
      space: this.#space,
      states: this.#states.slice(0, this.#found),
      kind: kind.slice(0, this.#found),
      edges,
      choices,
      roundings: ROUNDINGS,
    };
  }

  #timed(state: number, from: number, end: number): void {
    const marking = this.#marking(state);
    this.#timedSteps.visit(state, marking);
    for (let e = from; e < end; e++) {
      const rate = this.#timedSteps.rate(this.#graph.step[e]!, state, marking);
      if (rate > 0) this.#add(e, rate);
    }
  }

  /** The marking of a state, which is decoded at the first call. */
  #marking(state: number): () => MarkingView {
    let marking: MarkingView | undefined;
    return () => {
      marking ??= this.#space.marking(state);
      return marking;
    };
  }

  /** The immediate steps of a state; returns its kind. @throws InputError RUN008 */
  #vanishing(state: number, from: number, end: number): number {
    const { step, steps } = this.#graph;
    const own: number[] = [];
    for (let e = from; e < end; e++) if (this.#immediate[step[e]!] === 1) own.push(e);
    const { kind, values } = choice(
      own.map((e) => steps[step[e]!]!),
      this.#rates,
      this.#marking(state),
    );
    own.forEach((e, k) => {
      this.#add(e, values[k]!);
    });
    return kind;
  }

  #add(edge: number, value: number): void {
    this.#target[this.#edges] = this.#number(this.#graph.target[edge]!);
    this.#step[this.#edges] = this.#graph.step[edge]!;
    this.#values[this.#edges++] = value;
  }

  #number(state: number): number {
    if (this.#numberOf[state] === -1) {
      this.#numberOf[state] = this.#found;
      this.#states[this.#found++] = state;
    }
    return this.#numberOf[state]!;
  }
}
