/** An operation of a program and its source position; line 0: unknown. */
export interface Choice {
  /** The operation, such as `recv` or `when`. */
  readonly operation: string;
  /** File of the operation; empty if unknown. */
  readonly file: string;
  /** Line of the operation, from 1; 0 if unknown. */
  readonly line: number;
}

/** Unreceived sends, or receives without a message, of one rank, partner and tag. */
export interface Unmatched {
  /** True if sends or receives have no partner. */
  readonly kind: 'send' | 'receive';
  /** The rank of the operations. */
  readonly rank: number;
  /** The partner; null for any rank. */
  readonly peer: number | null;
  /** null for any tag. */
  readonly tag: number | null;
  /** Number of operations. */
  readonly count: number;
  /** The first unmatched operation; for models, every line it may come from. */
  readonly at: readonly Choice[];
}

/** Messages that were sent with one tag while their receiver waits for another one. */
export interface TagMismatch {
  /** The messages that are not received. */
  readonly sent: Unmatched;
  /** The receives that no message fits. */
  readonly awaited: Unmatched;
}

/** Maximum number of mismatches in a document. */
const MAX_MISMATCHES = 100;

/** The member `mismatches` of a document; no member without mismatches. */
export function mismatchesOf(all: readonly Unmatched[]): { readonly mismatches?: readonly TagMismatch[] } {
  const mismatches = tagMismatches(all);
  return mismatches.length === 0 ? {} : { mismatches };
}

/**
 * Pairs of unmatched sends and receives of the same two ranks whose tags differ, at most {@link MAX_MISMATCHES}; a receive from
 * any rank fits every sender. O(sends + receives + pairs found).
 */
export function tagMismatches(all: readonly Unmatched[]): TagMismatch[] {
  const receives = new Map<number, Unmatched[]>();
  for (const one of all)
    if (one.kind === 'receive' && one.tag !== null) receives.set(one.rank, [...(receives.get(one.rank) ?? []), one]);
  const found: TagMismatch[] = [];
  for (const sent of all) {
    if (sent.kind !== 'send') continue;
    for (const awaited of receives.get(sent.peer!) ?? []) {
      if (awaited.tag === sent.tag || (awaited.peer !== null && awaited.peer !== sent.rank)) continue;
      if (found.push({ sent, awaited }) === MAX_MISMATCHES) return found;
    }
  }
  return found;
}
