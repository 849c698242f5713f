import { ROWS } from './grammar.ts';

/**
 * Compares the collectives of all ranks while they are read: the k-th of every rank must be of one kind and have one
 * root. Memory: one byte for each collective of one rank (four with more than 255 different ones). O(1) per call.
 */
export class CollectiveOrder {
  readonly #count: Int32Array;
  readonly #signatures = new Map<number, number>();
  readonly #meaning: { row: number; root: number }[] = [];
  #sequence: Uint8Array | Int32Array = new Uint8Array(1 << 10);
  #length = 0;

  constructor(ranks: number) {
    this.#count = new Int32Array(ranks);
  }

  /** A small number for a kind (its row) and root (−1 for none), to be given to {@link next}. */
  signature(row: number, root: number): number {
    const key = (root + 1) * ROWS.length + row;
    let signature = this.#signatures.get(key);
    if (signature === undefined) {
      signature = this.#meaning.length;
      this.#signatures.set(key, signature);
      this.#meaning.push({ row, root });
    }
    return signature;
  }

  /** The next collective of a rank. False, and not counted, where another rank has a different one there. */
  next(rank: number, signature: number): boolean {
    const k = this.#count[rank]!;
    if (k < this.#length && this.#sequence[k] !== signature) return false;
    this.#count[rank] = k + 1;
    if (k < this.#length) return true;
    if (k === this.#sequence.length) this.#sequence = copy(this.#sequence, k * 2);
    if (signature > 255 && this.#sequence instanceof Uint8Array) {
      this.#sequence = Int32Array.from(this.#sequence);
    }
    this.#sequence[k] = signature;
    this.#length = k + 1;
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
    const { row, root } = this.#meaning[signature]!;
    return `${ROWS[row]!.name}${root < 0 ? '' : ` with root ${root}`}`;
  }
}

function copy(column: Uint8Array | Int32Array, length: number): Uint8Array | Int32Array {
  const longer = column instanceof Uint8Array ? new Uint8Array(length) : new Int32Array(length);
  longer.set(column);
  return longer;
}
