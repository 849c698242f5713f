import { ROWS } from './grammar.ts';
import { grown } from './intern.ts';

/**
 * Compares the collectives of all ranks while they are read: the k-th of every rank must be of one kind and have one
 * root. Memory: one byte for each collective of one rank (four with more than 255 different ones). O(1) per call.
 */
export class CollectiveOrder {
  readonly #count: Int32Array;
  readonly #signatures = new Map<number, number>();
  readonly #meaning: { row: number; root: number }[] = [];
  /** What the rank that is furthest did; a 0 at least follows. */
  #sequence: Uint8Array | Int32Array = new Uint8Array(1 << 10);
  #length = 0;

  constructor(ranks: number) {
    this.#count = new Int32Array(ranks);
  }

  /** A small number above 0 for a kind (its row) and root (−1 for none), to be given to {@link next}. */
  signature(row: number, root: number): number {
    const key = (root + 1) * ROWS.length + row;
    let signature = this.#signatures.get(key);
    if (signature === undefined) {
      signature = this.#meaning.push({ row, root });
      this.#signatures.set(key, signature);
    }
    return signature;
  }

  /** The next collective of a rank. False, and not counted, where another rank has a different one there. */
  next(rank: number, signature: number): boolean {
    const k = this.#count[rank]!;
    if (this.#sequence[k] !== signature) {
      if (k < this.#length) return false;
      this.#add(signature);
    }
    this.#count[rank] = k + 1;
    return true;
  }

  /** Collectives of a rank so far. */
  count(rank: number): number {
    return this.#count[rank]!;
  }

  /** What the first rank to get there did as the k-th collective (0, 1 …): for messages. */
  describe(k: number): string {
    return this.name(this.#sequence[k]!);
  }

  name(signature: number): string {
    const { row, root } = this.#meaning[signature - 1]!;
    return `${ROWS[row]!.name}${root < 0 ? '' : ` with root ${root}`}`;
  }

  #add(signature: number): void {
    if (signature > 255 && this.#sequence instanceof Uint8Array) this.#sequence = Int32Array.from(this.#sequence);
    this.#sequence[this.#length++] = signature;
    if (this.#length === this.#sequence.length) this.#sequence = grown(this.#sequence, this.#length * 2);
  }
}
