import type { SparseVector } from '../flows/elimination.ts';

/** A prime below 2²⁶: products stay exact in doubles. */
const PRIME = 67_108_859;

/**
 * Some of the given integer vectors that span all of them, the shortest first. Vectors count as dependent if they are so modulo a prime:
 * one too few may be chosen, which callers must allow for. O(result × vectors × length).
 */
export function independent(vectors: readonly SparseVector[], length: number): SparseVector[] {
  const chosen: SparseVector[] = [];
  /** Reduced vectors by their pivot, which is 1. */
  const reduced = new Map<number, Float64Array>();
  for (const vector of [...vectors].sort((a, b) => a.size - b.size)) {
    const rest = new Float64Array(length);
    for (const [k, n] of vector) rest[k] = modulo(n);
    let pivot = -1;
    for (let k = 0; k < length; k++) {
      if (rest[k] === 0) continue;
      const other = reduced.get(k);
      if (other === undefined) {
        if (pivot < 0) pivot = k;
        continue;
      }
      const factor = rest[k]!;
      for (let i = k; i < length; i++) rest[i] = modulo(rest[i]! - factor * other[i]!);
    }
    if (pivot < 0) continue;
    const by = inverse(rest[pivot]!);
    for (let i = pivot; i < length; i++) rest[i] = modulo(rest[i]! * by);
    reduced.set(pivot, rest);
    chosen.push(vector);
  }
  return chosen;
}

const modulo = (n: number): number => ((n % PRIME) + PRIME) % PRIME;

/** By Fermat's little theorem. */
function inverse(n: number): number {
  let result = 1;
  let power = n;
  for (let e = PRIME - 2; e > 0; e = Math.floor(e / 2)) {
    if (e % 2 === 1) result = modulo(result * power);
    power = modulo(power * power);
  }
  return result;
}
