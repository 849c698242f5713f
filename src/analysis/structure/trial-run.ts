import { xorshift } from '../../base/random/threefry.ts';
import type { Petri, PetriTransition, Weighted } from '../petri/petri.ts';

/** Limit of the transitions examined in all runs together. */
const EFFORT = 2_000_000;
/** Maximum number of steps of one run. */
const LENGTH = 2000;
/** Fixed seed, so that the runs are always the same. */
const SEED = 0x9e3779b9;

/**
 * The largest value of each sum of tokens reached by some random runs from the initial marking, a few thousand steps in all;
 * the runs are always the same. Values reached are lower bounds of the maximum, so an upper bound that is attained is exact.
 */
export function reachedSums(
  petri: Petri,
  sums: readonly ReadonlyMap<number, number>[],
  effort: number = EFFORT,
  stop: () => boolean = () => false,
): number[] {
  const run = new TrialRun(petri, sums);
  for (let left = effort / Math.max(1, petri.transitions.length); left > 0 && !stop(); left -= LENGTH)
    run.go(Math.min(left, LENGTH));
  return run.most;
}

class TrialRun {
  readonly most: number[];
  readonly #petri: Petri;
  readonly #marking: Float64Array;
  readonly #values: Float64Array;
  /** By place: the sums it contributes to, with its weight. */
  readonly #in: Weighted[][];
  readonly #draw = xorshift(SEED);

  constructor(petri: Petri, sums: readonly ReadonlyMap<number, number>[]) {
    this.#petri = petri;
    this.#marking = new Float64Array(petri.places.length);
    this.#values = new Float64Array(sums.length);
    this.#in = petri.places.map(() => []);
    sums.forEach((sum, k) => {
      for (const [p, w] of sum) this.#in[p]!.push([k, w]);
    });
    this.most = sums.map(() => Number.NEGATIVE_INFINITY);
  }

  /** A run from the initial marking. */
  go(steps: number): void {
    const { places } = this.#petri;
    this.#marking.fill(0);
    this.#values.fill(0);
    for (const [p, { initial }] of places.entries()) this.#set(p, initial);
    this.#note();
    for (let k = 0; k < steps; k++) {
      const possible = this.#possible();
      if (possible.length === 0) return;
      this.#fire(possible[Math.floor(this.#draw() * possible.length)]!);
      this.#note();
    }
  }

  /** Enabled ends of firings and services, and enabled starts of the highest priority. */
  #possible(): PetriTransition[] {
    const ends: PetriTransition[] = [];
    let starts: PetriTransition[] = [];
    let level = Number.NEGATIVE_INFINITY;
    for (const t of this.#petri.transitions) {
      if (t.level !== undefined && t.level < level) continue;
      if (!this.#enabled(t)) continue;
      if (t.level === undefined) ends.push(t);
      else if (t.level > level) {
        level = t.level;
        starts = [t];
      } else starts.push(t);
    }
    return [...ends, ...starts];
  }

  #enabled({ needs, limits }: PetriTransition): boolean {
    const m = this.#marking;
    for (const [p, n] of needs) if (m[p]! < n) return false;
    for (const { sum, most } of limits) {
      let tokens = 0;
      for (const [p, w] of sum) tokens += w * m[p]!;
      if (tokens > most) return false;
    }
    return true;
  }

  #fire({ change, resets }: PetriTransition): void {
    for (const p of resets) this.#set(p, 0);
    for (const [p, n] of change) this.#set(p, this.#marking[p]! + n);
  }

  #set(p: number, tokens: number): void {
    const by = tokens - this.#marking[p]!;
    this.#marking[p] = tokens;
    for (const [k, w] of this.#in[p]!) this.#values[k]! += w * by;
  }

  #note(): void {
    for (let k = 0; k < this.most.length; k++) if (this.#values[k]! > this.most[k]!) this.most[k] = this.#values[k]!;
  }
}
