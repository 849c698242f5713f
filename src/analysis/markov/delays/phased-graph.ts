import { type MarkingView, numbersBelow, type StateSpace, type StepGraph } from '../../space/state-space.ts';
import type { StepRates } from '../step-rates.ts';
import { choice, DRAWN, TANGIBLE, type TimedGraph } from '../timed-graph.ts';
import { TimedSteps } from '../timed-steps.ts';
import { type Clocks, FRESH, OrderNeeded, PhaseClocks } from './phase-clocks.ts';

/** States between two calls of `stop`. */
const CHECK_EVERY = 256;
/** Roundings of a rate: products of number of clocks, speed, rate of the phase, and the probability of the next phase or its complement. */
const ROUNDINGS = 6;

/**
 * As `timedGraph`, for delays with phases: a state is a marking with the phases of all clocks. Undefined if `stop` ended the work, or
 * `isFull` of the number of states.
 *
 * @param space the complete state space of the net
 * @param last by state of the space: 1 where the net is stopped, also if the marking would be left at once
 * @throws InputError CTMC001, CTMC002, CTMC003, RUN008, RUN017
 */
export function phasedGraph(
  space: StateSpace,
  rates: StepRates,
  stop: () => boolean,
  isFull: (states: number) => boolean,
  last?: Uint8Array,
): TimedGraph | undefined {
  const graph = space.stepGraph(stop);
  if (graph === undefined) return undefined;
  const timed = new TimedSteps(space, graph, rates);
  const immediate = Uint8Array.from(graph.steps, (step) => (rates.isImmediate(step) ? 1 : 0));
  const clocks = new PhaseClocks(space, graph, rates, immediate);
  for (;;) {
    try {
      return new PhaseFollower(space, graph, { rates, timed, immediate, clocks }).run(stop, isFull, last);
    } catch (error) {
      if (!(error instanceof OrderNeeded)) throw error;
      clocks.ordered.add(error.node);
    }
  }
}

interface Parts {
  readonly rates: StepRates;
  readonly timed: TimedSteps;
  /** By step: 1 if it takes no time. */
  readonly immediate: Uint8Array;
  readonly clocks: PhaseClocks;
}

class PhaseFollower {
  readonly #space: StateSpace;
  readonly #graph: StepGraph;
  readonly #parts: Parts;
  /** Clocks that occur, and their numbers. */
  readonly #clocks: Clocks[] = [];
  readonly #clocksOf = new Map<string, number>();
  /** States by marking + clocks × markings. */
  readonly #numberOf = new Map<number, number>();
  readonly #marking: number[] = [];
  readonly #own: number[] = [];
  readonly #start: number[] = [0];
  readonly #target: number[] = [];
  readonly #step: number[] = [];
  readonly #value: number[] = [];
  #choices = 1;

  constructor(space: StateSpace, graph: StepGraph, parts: Parts) {
    this.#space = space;
    this.#graph = graph;
    this.#parts = parts;
  }

  run(stop: () => boolean, isFull: (states: number) => boolean, last: Uint8Array | undefined): TimedGraph | undefined {
    const { start, step, steps, states } = this.#graph;
    const { clocks, immediate } = this.#parts;
    const kind: number[] = [];
    this.#number(0, clocks.after(new Map(), 0));
    for (let s = 0; s < this.#marking.length; s++) {
      if (s % CHECK_EVERY === 0 && (stop() || isFull(this.#marking.length))) return undefined;
      const marking = this.#marking[s]!;
      const own = this.#clocks[this.#own[s]!]!;
      const edges = Array.from({ length: start[marking + 1]! - start[marking]! }, (_, k) => start[marking]! + k);
      const now = edges.filter((e) => immediate[step[e]!] === 1);
      if (last?.[marking] === 1) kind.push(TANGIBLE);
      else if (now.length > 0) kind.push(this.#vanishing(marking, own, now));
      else kind.push(this.#draws(marking, own) ? DRAWN : this.#timed(marking, own, edges));
      this.#start.push(this.#target.length);
    }
    if (isFull(this.#marking.length)) return undefined;
    const all = [...steps, ...clocks.owners.map(({ node }) => ({ kind: 'phase', node }) as const)];
    const numbers = numbersBelow(all.length, this.#step.length);
    numbers.set(this.#step);
    return {
      net: this.#space.net,
      space: this.#space,
      states: Int32Array.from(this.#marking),
      kind: Uint8Array.from(kind),
      clocks: Int32Array.from(this.#own),
      edges: {
        start: Float64Array.from(this.#start),
        target: Int32Array.from(this.#target),
        step: numbers,
        steps: all,
        constant: new Float64Array(states === 0 ? 0 : all.length).fill(Number.NaN),
        values: Float64Array.from(this.#value),
      },
      choices: this.#choices,
      roundings: ROUNDINGS,
    };
  }

  #vanishing(marking: number, own: Clocks, edges: readonly number[]): number {
    const { step, steps, target } = this.#graph;
    const view = this.#view(marking);
    const { kind, values } = choice(
      edges.map((e) => steps[step[e]!]!),
      this.#parts.rates,
      view,
    );
    for (const [k, e] of edges.entries())
      this.#add(target[e]!, this.#parts.clocks.after(own, target[e]!), step[e]!, values[k]!);
    this.#choices = Math.max(this.#choices, edges.length);
    return kind;
  }

  /** Draws the first phase of a clock; false if none is left to be drawn. */
  #draws(marking: number, own: Clocks): boolean {
    const { clocks } = this.#parts;
    for (const [owner, phases] of own) {
      const position = phases.indexOf(FRESH);
      if (position < 0) continue;
      const { first } = clocks.owners[owner]!.phases;
      for (const { phase, probability } of first)
        this.#add(marking, clocks.moved(own, owner, position, phase), this.#graph.steps.length + owner, probability);
      this.#choices = Math.max(this.#choices, first.length);
      return true;
    }
    return false;
  }

  #timed(marking: number, own: Clocks, edges: readonly number[]): number {
    const { step, target } = this.#graph;
    const { timed, clocks } = this.#parts;
    const view = this.#view(marking);
    timed.visit(marking, view);
    const running = clocks.running(marking);
    for (const e of edges) {
      const k = step[e]!;
      const owner = clocks.ownerOf[k]!;
      if (owner >= 0) {
        if (running.has(owner)) this.#clocksRun(e, marking, own, owner, view);
        continue;
      }
      const rate = timed.rate(k, marking, view);
      if (rate > 0) this.#add(target[e]!, clocks.after(own, target[e]!), k, rate);
    }
    return TANGIBLE;
  }

  /** Each clock of an owner goes on to its next phase, or ends. */
  #clocksRun(edge: number, marking: number, own: Clocks, owner: number, view: () => MarkingView): void {
    const { steps, step, target } = this.#graph;
    const { clocks, rates } = this.#parts;
    const { phases } = clocks.owners[owner]!;
    const running = own.get(owner)!;
    const k = step[edge]!;
    const speed = steps[k]!.kind === 'fire' ? rates.speed(steps[k]!, view) : 1;
    for (let position = 0; position < running.length; ) {
      const phase = running[position]!;
      let equal = 1;
      if (!clocks.isOrdered(owner)) while (running[position + equal] === phase) equal++;
      const rate = equal * (speed * phases.rates[phase - 1]!);
      const onward = phases.onward[phase - 1]!;
      if (onward > 0)
        this.#add(
          marking,
          clocks.moved(own, owner, position, phase + 1),
          this.#graph.steps.length + owner,
          rate * onward,
        );
      if (onward < 1) {
        const to = target[edge]!;
        this.#add(to, clocks.after(clocks.moved(own, owner, position), to), k, rate * (1 - onward));
      }
      position += equal;
    }
  }

  #view(marking: number): () => MarkingView {
    let view: MarkingView | undefined;
    return () => {
      view ??= this.#space.marking(marking);
      return view;
    };
  }

  #add(marking: number, clocks: Clocks, step: number, value: number): void {
    this.#target.push(this.#number(marking, clocks));
    this.#step.push(step);
    this.#value.push(value);
  }

  #number(marking: number, clocks: Clocks): number {
    const key = [...clocks]
      .sort(([a], [b]) => a - b)
      .map(([owner, own]) => `${owner}:${own}`)
      .join(' ');
    let own = this.#clocksOf.get(key);
    if (own === undefined) {
      own = this.#clocks.push(clocks) - 1;
      this.#clocksOf.set(key, own);
    }
    const state = marking + own * this.#graph.states;
    let number = this.#numberOf.get(state);
    if (number === undefined) {
      number = this.#marking.push(marking) - 1;
      this.#own.push(own);
      this.#numberOf.set(state, number);
    }
    return number;
  }
}
