import type { Net } from '../../../net/net.ts';
import { firingKey, type MarkingView, type StateSpace, type Step, type StepGraph } from '../../space/state-space.ts';
import type { StepRates } from '../step-rates.ts';
import type { PhaseType } from './phase-type.ts';

/** The phase of a clock that is not drawn yet: clocks are drawn where time begins to pass. */
export const FRESH = 0;

/** The owner of clocks: a binding of a race, or of the firings of a holding transition. */
interface Owner {
  /** Index of the transition. */
  readonly node: number;
  readonly step: Step;
  readonly phases: PhaseType;
  readonly memory: 'enabling' | 'age' | 'resampling';
}

/** The clocks of each owner, by its number: phases, in ascending order or, if order matters, the oldest first. */
export type Clocks = ReadonlyMap<number, readonly number[]>;

/** Some clocks of a transition were dropped, so that their order matters; the graph is built again with it. */
export class OrderNeeded extends Error {
  readonly node: number;

  constructor(node: number) {
    super('clocks without order');
    this.node = node;
  }
}

/** The clocks that a marking has, by number. */
interface Situation {
  /** By owner: firings in progress. */
  readonly firings: readonly (readonly [owner: number, count: number])[];
  /** By owner: enabled clocks of races; undefined in a marking that takes no time. */
  readonly races: readonly (readonly [owner: number, count: number])[] | undefined;
  /** By owner, in a marking that takes no time: clocks that are enabled. */
  readonly enabled: Map<number, number>;
  readonly isDead: boolean;
}

/**
 * Follows the clocks of delays with phases from marking to marking (docs/semantics.md, S9 to S9c). Clocks of one owner differ
 * in their phase only, unless a marking enables fewer of them: then the youngest ones are dropped.
 */
export class PhaseClocks {
  readonly owners: Owner[] = [];
  /** By step: its owner; −1 if its delay has no phases. */
  readonly ownerOf: Int32Array;
  readonly #space: StateSpace;
  readonly #graph: StepGraph;
  readonly #rates: StepRates;
  readonly #immediate: Uint8Array;
  readonly #known: (Situation | undefined)[];
  /** By transition and binding in progress. */
  readonly #firing = new Map<string, number>();
  /** Transitions whose clocks are kept in order. */
  readonly ordered: Set<number> = new Set();

  constructor(space: StateSpace, graph: StepGraph, rates: StepRates, immediate: Uint8Array) {
    this.#space = space;
    this.#graph = graph;
    this.#rates = rates;
    this.#immediate = immediate;
    this.#known = new Array<Situation | undefined>(graph.states);
    this.ownerOf = Int32Array.from(graph.steps, (step) => this.#owner(space.net, step));
  }

  #owner({ transitions }: Net, step: Step): number {
    const phases = this.#rates.phases(step);
    if (phases === undefined) return -1;
    const number = this.owners.length;
    this.owners.push({ node: step.node, step, phases, memory: transitions[step.node]!.memory ?? 'enabling' });
    if (step.kind === 'end') this.#firing.set(firingKey(step.node, step.binding), number);
    return number;
  }

  /** The clocks after a step to a marking, from those before without the one that was used up. */
  after(before: Clocks, marking: number): Clocks {
    const { firings, races, isDead } = this.#situation(marking);
    const next = new Map<number, readonly number[]>();
    for (const [owner, count] of firings) next.set(owner, this.#filled(owner, before.get(owner) ?? [], count));
    if (isDead) return next;
    for (const [owner, count] of races ?? []) {
      const kept = this.#kept(owner, before.get(owner), count);
      if (count > 0) next.set(owner, this.#filled(owner, kept, count));
    }
    for (const [owner, clocks] of before) {
      const { memory, step } = this.owners[owner]!;
      if (step.kind === 'end' || next.has(owner) || clocks.length === 0) continue;
      if (memory === 'age') next.set(owner, clocks);
      else if (races === undefined && memory === 'enabling') {
        const kept = this.#kept(owner, clocks, this.#enabled(owner, marking));
        if (kept.length > 0) next.set(owner, kept);
      }
    }
    return next;
  }

  /** The clocks with one moved to another phase, or used up. */
  moved(clocks: Clocks, owner: number, position: number, phase?: number): Clocks {
    const own = [...clocks.get(owner)!];
    if (phase === undefined) own.splice(position, 1);
    else own[position] = phase;
    return new Map(clocks).set(owner, this.#sorted(owner, own));
  }

  /** Owners whose clocks run in a marking that takes time. */
  running(marking: number): ReadonlySet<number> {
    const { firings, races = [] } = this.#situation(marking);
    return new Set([...firings, ...races].flatMap(([owner, count]) => (count > 0 ? [owner] : [])));
  }

  isOrdered(owner: number): boolean {
    return this.ordered.has(this.owners[owner]!.node);
  }

  /** At most `count` clocks: the youngest are dropped. */
  #kept(owner: number, clocks: readonly number[] = [], count: number): readonly number[] {
    if (this.owners[owner]!.memory === 'resampling') return [];
    const excess = clocks.length - count;
    if (excess <= 0) return clocks;
    if (count === 0 || this.isOrdered(owner)) return clocks.slice(0, count);
    // Those that are not drawn are the youngest, and first in the list.
    const left = clocks.slice(Math.min(excess, clocks.lastIndexOf(FRESH) + 1));
    if (left.length > count && left[0] !== left.at(-1)) throw new OrderNeeded(this.owners[owner]!.node);
    return left.slice(0, count);
  }

  #filled(owner: number, clocks: readonly number[], count: number): readonly number[] {
    if (clocks.length === count) return clocks;
    const { first } = this.owners[owner]!.phases;
    const fresh = first.length === 1 ? first[0]!.phase : FRESH;
    return this.#sorted(owner, [...clocks, ...Array<number>(count - clocks.length).fill(fresh)]);
  }

  #sorted(owner: number, clocks: number[]): number[] {
    return this.isOrdered(owner) ? clocks : clocks.sort((a, b) => a - b);
  }

  #enabled(owner: number, marking: number): number {
    const { enabled } = this.#situation(marking);
    let count = enabled.get(owner);
    if (count === undefined) {
      count = this.#rates.clocksIn(this.owners[owner]!.step, this.#space.marking(marking), false);
      enabled.set(owner, count);
    }
    return count;
  }

  #situation(marking: number): Situation {
    let known = this.#known[marking];
    if (known === undefined) {
      known = this.#read(marking, this.#space.marking(marking));
      this.#known[marking] = known;
    }
    return known;
  }

  #read(marking: number, view: MarkingView): Situation {
    const { start, step, steps } = this.#graph;
    const own = step.subarray(start[marking], start[marking + 1]);
    const firings = view.busy.flatMap(({ transition, binding, count }) => {
      const owner = this.#firing.get(firingKey(transition, binding));
      return owner === undefined ? [] : [[owner, count] as const];
    });
    const takesTime = own.every((k) => this.#immediate[k] === 0);
    const races: [number, number][] = [];
    for (const k of takesTime ? own : []) {
      const owner = this.ownerOf[k]!;
      if (owner >= 0 && steps[k]!.kind === 'fire') races.push([owner, this.#rates.clocksIn(steps[k]!, view, true)]);
    }
    return { firings, races: takesTime ? races : undefined, enabled: new Map(), isDead: own.length === 0 };
  }
}
