import type { Petri } from '../../space/petri.ts';
import { inverse, type Permutation } from './automorphisms.ts';
import type { Symmetries, Symmetry } from './symmetries.ts';

/**
 * Puts markings into a common form: of those that symmetries make of a marking a small one, layer by layer (Schmidt,
 * _Integrating low level symmetries into reachability analysis_, TACAS 2000). Markings of one form are images of each
 * other; images of each other may have different forms, which costs states, and no answer.
 */
export class Representatives {
  readonly #layers: readonly (readonly (Symmetry & { readonly back: Permutation })[])[];
  readonly #order: Int32Array;
  readonly #image: Int32Array;

  constructor({ places }: Petri, { layers }: Symmetries) {
    this.#layers = layers.map(({ ways }) => ways.map((s) => ({ ...s, back: inverse(s.places) })));
    // Places that some symmetry moves. What a layer has made small the next ones leave as it is.
    const moved = new Set(layers.map(({ base }) => base));
    for (const { ways } of layers)
      for (const s of ways) for (let p = 0; p < places.length; p++) if (s.places[p] !== p) moved.add(p);
    this.#order = Int32Array.from(moved);
    this.#image = new Int32Array(places.length);
  }

  /**
   * Changes a marking into its representative; tells each symmetry that was used, in turn. Goes through the layers until
   * none makes it smaller, twice for most markings: O(symmetries × places) each time.
   */
  represent(marking: Int32Array, used?: (s: Symmetry) => void): void {
    while (this.#pass(marking, used));
  }

  #pass(marking: Int32Array, used: ((s: Symmetry) => void) | undefined): boolean {
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

  #isSmaller(marking: Int32Array, a: Permutation, b: Permutation | undefined): boolean {
    for (const p of this.#order) {
      const x = marking[a[p]!]!;
      const y = marking[b === undefined ? p : b[p]!]!;
      if (x !== y) return x < y;
    }
    return false;
  }
}

/** A way over representatives as a way of the given net, step by step. */
export class Straightened {
  /** What takes the representative that was come to back to where the given net is. */
  #places: Permutation;
  #transitions: Permutation;

  constructor({ places, transitions }: Petri) {
    this.#places = Int32Array.from(places, (_, k) => k);
    this.#transitions = Int32Array.from(transitions, (_, k) => k);
  }

  /** The transition of the given net for one of the representative. */
  transition(t: number): number {
    return this.#transitions[t]!;
  }

  /** The marking after the step was put into its form by a symmetry. */
  used({ places, transitions }: Symmetry): void {
    this.#places = inverse(places).map((p) => this.#places[p]!);
    this.#transitions = inverse(transitions).map((t) => this.#transitions[t]!);
  }
}
