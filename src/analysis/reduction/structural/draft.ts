import type { AtMost, Petri, PetriTransition } from '../../petri/petri.ts';

/** A transition of a net that is being reduced. */
export interface DraftTransition {
  readonly needs: ReadonlyMap<number, number>;
  /** Token changes, none of them 0; for a reset place, the tokens it holds afterwards. */
  readonly change: ReadonlyMap<number, number>;
  readonly limits: readonly AtMost[];
  readonly resets: readonly number[];
  /** Transitions of the given net that it represents, in firing order. */
  readonly steps: readonly number[];
}

/** Maximum number of given transitions that one draft transition may represent. */
export const MAX_STEPS = 1000;

/**
 * A net that is being reduced. Places and transitions keep their numbers; some are removed. Each place knows the transitions
 * that test or change it.
 */
export class Draft {
  readonly petri: Petri;
  readonly #transitions = new Map<number, DraftTransition>();
  readonly #places = new Set<number>();
  readonly #touching: Set<number>[];
  /** Sequences removed by pre-fusions, in order. Fired as often as possible, they turn a dead marking into one of the given net. */
  readonly pending: (readonly number[])[] = [];
  #next: number;

  constructor(petri: Petri) {
    this.petri = petri;
    this.#touching = petri.places.map(() => new Set());
    for (const p of petri.places.keys()) this.#places.add(p);
    this.#next = 0;
    for (const t of petri.transitions) this.add(draftOf(t, this.#next));
  }

  get places(): Iterable<number> {
    return this.#places;
  }

  get transitions(): ReadonlyMap<number, DraftTransition> {
    return this.#transitions;
  }

  initial(p: number): number {
    return this.petri.places[p]!.initial;
  }

  /** Transitions that test or change a place. */
  touching(p: number): [number, DraftTransition][] {
    return [...this.#touching[p]!].map((t) => [t, this.#transitions.get(t)!]);
  }

  add(t: DraftTransition): void {
    const number = this.#next++;
    this.#transitions.set(number, t);
    for (const p of touched(t)) this.#touching[p]!.add(number);
  }

  remove(number: number): void {
    for (const p of touched(this.#transitions.get(number)!)) this.#touching[p]!.delete(number);
    this.#transitions.delete(number);
  }

  replace(number: number, t: DraftTransition): void {
    for (const p of touched(this.#transitions.get(number)!)) this.#touching[p]!.delete(number);
    this.#transitions.set(number, t);
    for (const p of touched(t)) this.#touching[p]!.add(number);
  }

  /** Removes a place with its arcs. It must not occur in a limit. */
  removePlace(p: number): void {
    for (const [number, t] of this.touching(p))
      this.replace(number, {
        ...t,
        needs: without(t.needs, p),
        change: without(t.change, p),
        resets: t.resets.filter((q) => q !== p),
      });
    this.#places.delete(p);
  }

  /** True if a place occurs in a limit or is reset. */
  isSpecial(p: number): boolean {
    return this.touching(p).some(([, t]) => t.resets.includes(p) || limits(t, p));
  }
}

export function limits(t: DraftTransition, p: number): boolean {
  return t.limits.some(({ sum }) => sum.some(([q, n]) => q === p && n !== 0));
}

function touched({ needs, change, limits, resets }: DraftTransition): Set<number> {
  return new Set([...needs.keys(), ...change.keys(), ...resets, ...limits.flatMap((l) => l.sum.map(([p]) => p))]);
}

function draftOf(t: PetriTransition, number: number): DraftTransition {
  return {
    needs: new Map(t.needs),
    change: new Map(t.change),
    limits: t.limits,
    resets: t.resets,
    steps: [number],
  };
}

export function without(map: ReadonlyMap<number, number>, key: number): Map<number, number> {
  const copy = new Map(map);
  copy.delete(key);
  return copy;
}

/**
 * One transition equivalent to firing `first`, then `second`; undefined if it would be too long or numbers exceed 2⁵³ − 1.
 * `second` must not limit a place that `first` changes, and neither may reset a place that the other changes.
 */
export function sequence(first: DraftTransition, second: DraftTransition): DraftTransition | undefined {
  if (first.steps.length + second.steps.length > MAX_STEPS) return undefined;
  const needs = new Map(first.needs);
  for (const [p, n] of second.needs) {
    const min = Math.max(needs.get(p) ?? 0, n - (first.change.get(p) ?? 0));
    if (min > 0) needs.set(p, min);
  }
  const change = new Map(first.change);
  for (const [p, n] of second.change) {
    const sum = (change.get(p) ?? 0) + n;
    if (sum === 0) change.delete(p);
    else change.set(p, sum);
  }
  if ([...needs.values(), ...change.values()].some((n) => !Number.isSafeInteger(n))) return undefined;
  return {
    needs,
    change,
    limits: [...first.limits, ...second.limits],
    resets: [...new Set([...first.resets, ...second.resets])],
    steps: [...first.steps, ...second.steps],
  };
}

/**
 * Class of properties that a reduction preserves.
 *
 * - `deadlock`: whether a dead marking is reachable, and the tokens of visible places in it
 * - `reachability`: whether a marking is reachable in which a condition on visible places holds
 * - `paths`: every path formula over the visible places: the marking graphs are bisimilar
 */
export type PropertyClass = 'deadlock' | 'reachability' | 'paths';

/** Properties to preserve: their class, and the visible places, which are never removed. */
export interface Aim {
  readonly keep: PropertyClass;
  readonly visible: ReadonlySet<number>;
}

/** A structural reduction rule. */
export interface Rule {
  readonly name: string;
  /** Property classes that the rule preserves; it is rejected for any other. */
  readonly keeps: readonly PropertyClass[];
  /** Applies the rule wherever possible; returns the number of applications. */
  apply(draft: Draft, aim: Aim): number;
}

export const ALL: readonly PropertyClass[] = ['deadlock', 'reachability', 'paths'];
