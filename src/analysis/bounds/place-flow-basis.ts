import type { SparseVector } from '../flows/elimination.ts';
import type { Petri } from '../petri/petri.ts';
import { gcd } from './exact-ratio.ts';

/** Largest weight of a flow that is kept, so that products stay exact in doubles. */
const MAX_WEIGHT = 2 ** 40;

interface Line {
  /** Effect of each transition that is not eliminated yet, on the weighted tokens. */
  readonly effect: Map<number, bigint>;
  readonly weights: Map<number, bigint>;
}

/**
 * A basis of the place flows: weights of any sign, also negative, whose sum of tokens no transition changes. With places that only
 * their capacities bound, they say more than semiflows. Places that some transition resets belong to none. Integer elimination;
 * undefined once `stop`, polled for each column, returns true.
 */
export function placeFlowBasis({ places, transitions }: Petri, stop: () => boolean): SparseVector[] | undefined {
  const reset = new Set(transitions.flatMap((t) => [...t.resets]));
  const lines = places.map((_, p): Line => ({ effect: new Map(), weights: new Map([[p, 1n]]) }));
  const columns = new Map<string, number>();
  for (const { change } of transitions) {
    const key = change.join(';');
    if (columns.has(key)) continue;
    columns.set(key, columns.size);
    for (const [p, n] of change) lines[p]!.effect.set(columns.get(key)!, BigInt(n));
  }
  const left = new Set(lines.filter((_, p) => !reset.has(p)));
  for (let column = 0; column < columns.size; column++) {
    if (stop()) return undefined;
    const own = [...left].filter(({ effect }) => effect.has(column));
    if (own.length === 0) continue;
    const pivot = own.reduce((a, b) => (sizeOf(b) < sizeOf(a) ? b : a));
    left.delete(pivot);
    for (const line of own) if (line !== pivot) eliminate(line, pivot, column);
  }
  return [...left]
    .map(({ weights }) => new Map([...weights].map(([p, n]) => [p, Number(n)])))
    .filter((flow) => [...flow.values()].every((n) => Math.abs(n) <= MAX_WEIGHT));
}

const sizeOf = ({ effect, weights }: Line): number => effect.size + weights.size;

/** Adds a multiple of the pivot to a multiple of the line, so that its effect in the column is 0. */
function eliminate(line: Line, pivot: Line, column: number): void {
  const [a, b] = [line.effect.get(column)!, pivot.effect.get(column)!];
  for (const part of ['effect', 'weights'] as const) {
    const [to, from] = [line[part], pivot[part]];
    for (const [k, n] of to) to.set(k, n * b);
    for (const [k, n] of from) {
      const sum = (to.get(k) ?? 0n) - n * a;
      if (sum === 0n) to.delete(k);
      else to.set(k, sum);
    }
  }
  let divisor = 0n;
  for (const part of [line.effect, line.weights])
    for (const n of part.values()) divisor = gcd(divisor, n < 0n ? -n : n);
  if (divisor > 1n) for (const part of [line.effect, line.weights]) for (const [k, n] of part) part.set(k, n / divisor);
}
