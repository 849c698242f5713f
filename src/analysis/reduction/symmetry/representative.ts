import type { Petri } from '../../petri/petri.ts';
import type { Tokens } from '../petri-moves.ts';
import { inverse, type Permutation } from './automorphisms.ts';
import type { Symmetries, Symmetry } from './symmetries.ts';

/**
 * Normalises markings: replaces a marking by a small image under the symmetries, layer by layer (Schmidt, _Integrating low level
 * symmetries into reachability analysis_, TACAS 2000). Markings with the same representative are images of each other. The
 * converse does not hold: images may have different representatives, which costs states but not correctness.
 */
export class Representatives {
  readonly #layers: readonly (readonly (Symmetry & { readonly back: Permutation })[])[];
  readonly #order: Int32Array;
  readonly #image: Tokens;

  constructor({ places }: Petri, { layers }: Symmetries) {
    this.#layers = layers.map(({ transversal }) => transversal.map((s) => ({ ...s, back: inverse(s.places) })));
    // Places that some symmetry moves, bases first: later layers do not change the places minimised by earlier ones.
    const moved = new Set(layers.map(({ base }) => base));
    for (const { transversal } of layers)
      for (const s of transversal) for (let p = 0; p < places.length; p++) if (s.places[p] !== p) moved.add(p);
    this.#order = Int32Array.from(moved);
    this.#image = new Float64Array(places.length);
  }

  /**
   * Replaces a marking by its representative; calls `used` for each applied symmetry, in order. Repeats the layers until none
   * makes the marking smaller, usually twice: O(symmetries × places) each time.
   */
  represent(marking: Tokens, used?: (s: Symmetry) => void): void {
    while (this.#pass(marking, used));
  }

  #pass(marking: Tokens, used: ((s: Symmetry) => void) | undefined): boolean {
    let changed = false;
    for (const layer of this.#layers) {
      let best: (typeof layer)[number] | undefined;
      for (const s of layer) if (this.#isSmaller(marking, s.back, best?.back)) best = s;
      if (best === undefined) continue;
      const image = this.#image;
      for (let p = 0; p < image.length; p++) image[p] = marking[best.back[p]!]!;
      marking.set(image);
      used?.(best);
      changed = true;
    }
    return changed;
  }

  #isSmaller(marking: Tokens, a: Permutation, b: Permutation | undefined): boolean {
    for (const p of this.#order) {
      const x = marking[a[p]!]!;
      const y = marking[b === undefined ? p : b[p]!]!;
      if (x !== y) return x < y;
    }
    return false;
  }
}

/** Converts a path over representatives to a path of the given net, step by step. */
export class Straightened {
  /** Permutations that map the current representative back to the actual marking of the given net. */
  #places: Permutation;
  #transitions: Permutation;

  constructor({ places, transitions }: Petri) {
    this.#places = Int32Array.from(places, (_, k) => k);
    this.#transitions = Int32Array.from(transitions, (_, k) => k);
  }

  /** The transition of the given net that corresponds to one at the representative. */
  transition(t: number): number {
    return this.#transitions[t]!;
  }

  /** Records a symmetry that was applied to the marking after the step. */
  used({ places, transitions }: Symmetry): void {
    this.#places = inverse(places).map((p) => this.#places[p]!);
    this.#transitions = inverse(transitions).map((t) => this.#transitions[t]!);
  }
}
