import type { Kernel } from '../../kernel/kernel.ts';
import { ROWS } from './grammar.ts';

/**
 * Compares the collectives of all ranks while they are read: the k-th collectives of all ranks must have the same kind
 * and root. Memory: one byte per collective of one rank (four bytes if there are more than 255 signatures). O(1) per
 * call. `sequence`, or `wide`, contains the signatures of the rank with the most collectives, followed by at least one
 * 0.
 */
export const ORDER: string = `
let done: ints = ints(1); let apart: bytes = bytes(1);
let sequence: bytes = bytes(1024); let wide: ints = ints(1); let isWide: int = 0; let furthest: int = 0;
function signatureAt(k): int { return isWide ? wide[k] : sequence[k]; }
// The next collective of a rank; false, and not counted, where another rank has a different one there, or it is apart.
function collective(rank, signature): int {
  if (apart[rank]) return 0;
  const k = done[rank];
  if (signatureAt(k) !== signature) {
    if (k < furthest) return 0;
    addCollective(signature);
  }
  done[rank] = k + 1;
  return 1;
}
cold function addCollective(signature) {
  if (signature > 255 && !isWide) {
    wide = grown(wide, sequence.length);
    for (let k = 0; k < furthest; k++) wide[k] = sequence[k];
    isWide = 1;
  }
  if (isWide) wide[furthest] = signature;
  else sequence[furthest] = signature;
  furthest++;
  if (isWide) {
    if (furthest === wide.length) wide = grown(wide, furthest * 2);
  } else if (furthest === sequence.length) sequence = grown(sequence, furthest * 2);
}
export cold function beginOrder(ranks) { done = grown(done, ranks); apart = grown(apart, ranks); }
export function nextCollective(rank, signature): int { return collective(rank, signature); }
export function collectivesOf(rank): int { return done[rank]; }
export function signatureOf(k): int { return signatureAt(k); }
export function setApart(rank) { apart[rank] = 1; }
export function isApart(rank): int { return apart[rank]; }`;

/** Access to this part of the reader's kernel, and the meaning of signatures. */
export class CollectiveOrder {
  readonly #call: Kernel['call'];
  readonly #signatures = new Map<number, number>();
  readonly #meaning: { row: number; root: number }[] = [];

  constructor({ call }: Kernel, ranks: number) {
    this.#call = call;
    call['beginOrder']!(ranks);
  }

  /** A small positive number for a kind (its row) and root (−1: none), used by {@link next}. */
  signature(row: number, root: number): number {
    const key = (root + 1) * ROWS.length + row;
    let signature = this.#signatures.get(key);
    if (signature === undefined) {
      signature = this.#meaning.push({ row, root });
      this.#signatures.set(key, signature);
    }
    return signature;
  }

  /**
   * Adds the next collective of a rank. Returns false, without adding it, if another rank has a different collective at
   * this position.
   */
  next(rank: number, signature: number): boolean {
    return this.#call['nextCollective']!(rank, signature) === 1;
  }

  /** Excludes a rank with a faulty line from the comparison, because all later mismatches could result from that line. */
  exclude(rank: number): void {
    this.#call['setApart']!(rank);
  }

  isExcluded(rank: number): boolean {
    return this.#call['isApart']!(rank) === 1;
  }

  /** Number of collectives of a rank so far. */
  count(rank: number): number {
    return this.#call['collectivesOf']!(rank);
  }

  /** Describes the k-th collective (from 0), as called by the first rank that reached it, for messages. */
  describe(k: number): string {
    return this.name(this.#call['signatureOf']!(k));
  }

  name(signature: number): string {
    const { row, root } = this.#meaning[signature - 1]!;
    return `${ROWS[row]!.name}${root < 0 ? '' : ` with root ${root}`}`;
  }
}
