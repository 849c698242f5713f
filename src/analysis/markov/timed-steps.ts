import type { MarkingView, StateSpace, StepGraph } from '../space/state-space.ts';
import type { StepRates } from './step-rates.ts';

/**
 * Rates of timed steps. Each is evaluated where it occurs first, and again only if it depends on more than the number of clocks of a
 * race, which follows from counts of tokens.
 */
export class TimedSteps {
  /** By step: its rate; NaN if it depends on the marking or has not been met. */
  readonly constant: Float64Array;
  /** True if all steps take time, and no rate depends on the marking. */
  readonly areConstant: boolean;
  readonly #met: Uint8Array;
  /** By step: the race whose clocks are counted. */
  readonly #clocks: (Clocks | undefined)[] = [];
  /** Tokens by state, of the places that such races take from. */
  readonly #tokens = new Map<number, Uint32Array>();
  readonly #space: StateSpace;
  /** By step: 1 if it is one of several bindings of a race with a limited number of servers. */
  readonly #shared: Uint8Array;
  readonly #graph: StepGraph;
  readonly #rates: StepRates;

  /** @throws InputError CTMC002, CTMC003 */
  constructor(space: StateSpace, graph: StepGraph, rates: StepRates) {
    const { steps } = graph;
    this.#space = space;
    this.#graph = graph;
    this.#rates = rates;
    this.constant = new Float64Array(steps.length).fill(Number.NaN);
    this.#met = new Uint8Array(steps.length);
    const bindings = new Map<number, number>();
    for (const step of steps) if (rates.isLimited(step)) bindings.set(step.node, (bindings.get(step.node) ?? 0) + 1);
    this.#shared = Uint8Array.from(steps, (step) => (rates.isLimited(step) && bindings.get(step.node)! > 1 ? 1 : 0));
    const first = firstEdges(graph);
    this.areConstant =
      steps.every((step, k) => first[k] === -1 || !(this.#shared[k] === 1 || rates.isImmediate(step))) &&
      steps.every(
        (_, k) => first[k] === -1 || !Number.isNaN(this.#first(k, () => space.marking(stateOf(graph, first[k]!)))),
      );
  }

  /** Looks at the steps of a tangible state. @throws InputError CTMC002, CTMC003, RUN017 */
  visit(state: number, marking: () => MarkingView): void {
    const { start, step, steps } = this.#graph;
    let sharing = 0;
    const [from, end] = [start[state]!, start[state + 1]!];
    for (let e = from; e < end; e++) {
      const k = step[e]!;
      if (this.#met[k] === 0) this.#first(k, marking);
      sharing += this.#shared[k]!;
    }
    if (sharing > 1)
      this.#rates.assertServers(
        Array.from(step.subarray(from, end), (k) => steps[k]!),
        marking,
      );
  }

  /** The rate of a step in a state that was visited. @throws InputError CTMC002, CTMC003, RUN017 */
  rate(k: number, state: number, marking: () => MarkingView): number {
    const constant = this.constant[k]!;
    if (!Number.isNaN(constant)) return constant;
    const clocks = this.#clocks[k];
    if (clocks === undefined) return this.#rates.rate(this.#graph.steps[k]!, marking);
    let count = clocks.servers;
    for (const { tokens, each } of clocks.taken) count = Math.min(count, Math.floor(tokens[state]! / each));
    return clocks.rate * count;
  }

  /** The rate of a step in the first state that has it; NaN if it depends on the marking. */
  #first(k: number, marking: () => MarkingView): number {
    this.#met[k] = 1;
    const step = this.#graph.steps[k]!;
    let depends = false;
    const rate = this.#rates.rate(step, () => {
      depends = true;
      return marking();
    });
    if (!depends) this.constant[k] = rate;
    else {
      const clocks = this.#rates.clocks(step);
      this.#clocks[k] = clocks && {
        ...clocks,
        taken: clocks.taken.map(({ place, count }) => ({ tokens: this.#tokensOf(place), each: count })),
      };
    }
    return this.constant[k]!;
  }

  #tokensOf(place: number): Uint32Array {
    let tokens = this.#tokens.get(place);
    if (tokens === undefined) {
      const { states } = this.#space;
      tokens = new Uint32Array(states);
      for (let from = 0; from < states; from += SLICE)
        tokens.set(this.#space.tokens([place], from, Math.min(states, from + SLICE)), from);
      this.#tokens.set(place, tokens);
    }
    return tokens;
  }
}

/** A race: the rate of a clock, the maximum number of clocks, and what limits it in a state. */
interface Clocks {
  readonly rate: number;
  readonly servers: number;
  readonly taken: readonly { readonly tokens: Uint32Array; readonly each: number }[];
}

/** States whose tokens are counted at a time. */
const SLICE = 1 << 16;

/** By step: its first edge; −1 if it never occurs. */
function firstEdges({ edges, step, steps }: StepGraph): Float64Array {
  const first = new Float64Array(steps.length).fill(-1);
  let left = steps.length;
  for (let e = 0; e < edges && left > 0; e++) {
    if (first[step[e]!] !== -1) continue;
    first[step[e]!] = e;
    left--;
  }
  return first;
}

/** The state of an edge. O(log states). */
function stateOf({ start, states }: StepGraph, edge: number): number {
  let [from, end] = [0, states];
  while (end - from > 1) {
    const middle = (from + end) >>> 1;
    if (start[middle]! <= edge) from = middle;
    else end = middle;
  }
  return from;
}
