import type { Petri, PetriTransition, Weighted } from '../petri/petri.ts';

/** Work limit of a search, in arcs visited. */
export const SIPHON_EFFORT = 5_000_000;
/** Default limit of the number of sets that a search lists. */
export const MAX_SIPHONS = 1000;

/**
 * The closure condition of a kind of sets. A set of places is _closed_ if every transition with a place of `made` in the set
 * also has a place of `kept` in it. Siphons: a transition that adds tokens to the set also takes from it. Traps: a transition
 * that takes tokens from the set also adds to it.
 */
export interface Closure {
  readonly places: number;
  /** By transition: places that impose the condition (`made`), and places that fulfil it (`kept`). */
  readonly made: readonly (readonly number[])[];
  readonly kept: readonly (readonly number[])[];
  /** Inverse of `kept`: transitions by place. */
  readonly keeping: readonly (readonly number[])[];
}

/** Siphons, •S ⊆ S•: once empty, they stay empty. */
export function siphonsOf({ places, inputs, outputs, consumers }: Arcs): Closure {
  return { places, made: outputs.map(names), kept: inputs.map(names), keeping: consumers };
}

/** Traps, S• ⊆ •S: once marked, they stay marked. A reset counts as taking. */
export function trapsOf({ places, inputs, outputs, producers, resets }: Arcs): Closure {
  return {
    places,
    made: inputs.map((list, t) => [...names(list), ...resets[t]!]),
    kept: outputs.map(names),
    keeping: producers,
  };
}

const names = (list: readonly (readonly [number, number])[]): number[] => list.map(([p]) => p);

/** The result of a search for closed sets. */
export interface ClosedSets {
  /** The places of each set, ascending. */
  readonly sets: readonly (readonly number[])[];
  /** True if no set is missing. */
  readonly complete: boolean;
}

/** The largest closed subset of a set of places (1: in the set); it may be empty. O(arcs). */
export function largestClosed(closure: Closure, within: Uint8Array): Uint8Array {
  return new Closing(closure).largest(within);
}

/** Limits of a search for minimal closed sets. */
export interface ClosedLimits {
  readonly effort?: number;
  readonly sets?: number;
  /** Called between sets; `true` aborts. */
  readonly stop?: () => boolean;
}

/** All minimal closed sets, including places without arcs: minimal siphons or traps ({@link minimalConnected}). */
export function minimalClosed(closure: Closure, limits: ClosedLimits = {}): ClosedSets {
  return withIsolated(minimalConnected(closure, limits), closure, limits.sets);
}

/**
 * The minimal closed sets (minimal siphons or traps): non-empty, and none contains another. Each is found inside the allowed
 * places and reduced place by place; the remaining search is split by the first of its places that another set lacks
 * (Cordone, Ferrarini & Piroddi 2005). Their number can be exponential; `complete` is true if all were found. Places without
 * arcs are left out; {@link withIsolated} adds them.
 */
export function minimalConnected(closure: Closure, limits: ClosedLimits = {}): ClosedSets {
  const { effort = SIPHON_EFFORT, sets: max = MAX_SIPHONS, stop = () => false } = limits;
  const closing = new Closing(closure);
  const tired = (): boolean => closing.effort > effort || stop();
  const sets: number[][] = [];
  const ended = (complete: boolean): ClosedSets => ({ sets: sets.sort(byPlaces), complete });
  // Open subproblems as a path: places that must be in the set, and places that may be.
  const open: Split[] = [];
  let next: Problem | undefined = { must: new Uint8Array(closure.places), may: withArcs(closure) };
  for (; next !== undefined; next = nextOf(open)) {
    if (sets.length >= max || tired()) return ended(false);
    const { must, may } = next;
    const found = closing.smaller(closing.largest(may), must, tired);
    if (found === undefined) continue;
    const own = listed(found);
    const minimal = own.every((p) => must[p] === 0 || tired() || isEmpty(closing.largest(without(found, p))));
    // Out of effort: the set need not be minimal.
    if (tired()) return ended(false);
    if (minimal) sets.push(own);
    open.push({ ...next, others: own.filter((p) => must[p] === 0), done: 0 });
  }
  return ended(true);
}

/** Sets of places as one byte per place. */
interface Problem {
  readonly must: Uint8Array;
  readonly may: Uint8Array;
}

/** Every other set than the one found lacks one of these places; the problem is split by the first one that it lacks. */
interface Split extends Problem {
  readonly others: readonly number[];
  /** Number of parts that were made. Each is made only when it is next: all together take memory O(places²). */
  done: number;
}

function nextOf(open: Split[]): Problem | undefined {
  for (let split = open.at(-1); split !== undefined; split = open.at(-1)) {
    const { others, done, may } = split;
    if (done === others.length) {
      open.pop();
      continue;
    }
    split.done++;
    const must = Uint8Array.from(split.must);
    for (let k = 0; k < done; k++) must[others[k]!] = 1;
    return { must, may: without(may, others[done]!) };
  }
  return undefined;
}

/** Adds the places without arcs, each of which is both a minimal siphon and a minimal trap. */
export function withIsolated(found: ClosedSets, closure: Closure, max: number = MAX_SIPHONS): ClosedSets {
  const isolated = listed(withArcs(closure).map((has) => 1 - has));
  const room = Math.max(0, max - found.sets.length);
  const sets = [...found.sets, ...isolated.slice(0, room).map((p) => [p])].sort(byPlaces);
  return { sets, complete: found.complete && isolated.length <= room };
}

/** 1 for places that have at least one arc. */
function withArcs({ places, made, kept }: Closure): Uint8Array {
  const has = new Uint8Array(places);
  for (const list of [...made, ...kept]) for (const p of list) has[p] = 1;
  return has;
}

class Closing {
  /** Arcs visited so far. */
  effort = 0;
  readonly #closure: Closure;

  constructor(closure: Closure) {
    this.#closure = closure;
  }

  largest(within: Uint8Array): Uint8Array {
    const { made, kept, keeping } = this.#closure;
    const set = Uint8Array.from(within);
    const left: number[] = [];
    const counts = kept.map((list) => list.reduce((n, p) => n + set[p]!, 0));
    this.effort += counts.length;
    const leave = (t: number): void => {
      this.effort += made[t]!.length;
      for (const p of made[t]!)
        if (set[p] === 1) {
          set[p] = 0;
          left.push(p);
        }
    };
    counts.forEach((n, t) => {
      if (n === 0) leave(t);
    });
    for (let p = left.pop(); p !== undefined; p = left.pop()) {
      this.effort += keeping[p]!.length;
      for (const t of keeping[p]!) if (--counts[t]! === 0) leave(t);
    }
    return set;
  }

  /**
   * A minimal set among the closed subsets of `closed` that contain all places of `must`; undefined if none does. O(places ×
   * arcs); after `stop` has returned true, the set may not be minimal.
   */
  smaller(closed: Uint8Array, must: Uint8Array, stop: () => boolean): Uint8Array | undefined {
    if (isEmpty(closed) || !isWithin(must, closed)) return undefined;
    let set = closed;
    for (const p of listed(closed)) {
      if (stop()) break;
      if (set[p] === 0 || must[p] === 1) continue;
      const less = this.largest(without(set, p));
      if (!isEmpty(less) && isWithin(must, less)) set = less;
    }
    return set;
  }
}

/** The places in a set, ascending. */
export function listed(set: Uint8Array): number[] {
  const places: number[] = [];
  for (let p = 0; p < set.length; p++) if (set[p] === 1) places.push(p);
  return places;
}

function without(set: Uint8Array, place: number): Uint8Array {
  const less = Uint8Array.from(set);
  less[place] = 0;
  return less;
}

function isEmpty(set: Uint8Array): boolean {
  return !set.includes(1);
}

function isWithin(inner: Uint8Array, outer: Uint8Array): boolean {
  for (let p = 0; p < inner.length; p++) if (inner[p]! > outer[p]!) return false;
  return true;
}

function byPlaces(a: readonly number[], b: readonly number[]): number {
  if (a.length !== b.length) return a.length - b.length;
  const k = a.findIndex((p, i) => p !== b[i]);
  return k < 0 ? 0 : a[k]! - b[k]!;
}

/** The arcs of an unfolded net. A transition that only reads a token has an input and an output arc for it. */
export interface Arcs {
  readonly places: number;
  /** By transition: pairs of place and weight. */
  readonly inputs: readonly (readonly Weighted[])[];
  readonly outputs: readonly (readonly Weighted[])[];
  /** By transition: the places that it empties. */
  readonly resets: readonly (readonly number[])[];
  /** By place: transitions that add tokens. */
  readonly producers: readonly (readonly number[])[];
  /** By place: transitions that need tokens. */
  readonly consumers: readonly (readonly number[])[];
}

/** The arcs of an unfolded net. O(size of the net). */
export function arcsOf({ places, transitions }: Pick<Petri, 'places' | 'transitions'>): Arcs {
  const outputs = transitions.map(outputsOf);
  const producers = places.map((): number[] => []);
  const consumers = places.map((): number[] => []);
  transitions.forEach(({ needs }, t) => {
    for (const [p] of needs) consumers[p]!.push(t);
    for (const [p] of outputs[t]!) producers[p]!.push(t);
  });
  return {
    places: places.length,
    inputs: transitions.map((t) => t.needs),
    outputs,
    resets: transitions.map((t) => t.resets),
    producers,
    consumers,
  };
}

function outputsOf({ needs, change, resets }: PetriTransition): Weighted[] {
  const out = new Map<number, number>();
  for (const [p, n] of needs) if (!resets.includes(p)) out.set(p, n);
  for (const [p, n] of change) out.set(p, (out.get(p) ?? 0) + n);
  return [...out].filter(([, n]) => n > 0).sort(([a], [b]) => a - b);
}
