import type { NodeShapes, PlaceShape, TurnGroup, Turns } from '../../../net/shapes/node-shapes.ts';
import type { PlainMatrix } from './plain-matrix.ts';

/** Limit of the entries touched by the elimination. */
const MAX_EFFORT = 2_000_000;

/** An equation Σ entries · firings = right, and the message equations combined in it, with their factors. */
interface Equation {
  entries: Map<string, bigint>;
  right: bigint;
  messages: Map<string, bigint>;
}

/**
 * Message places for which no firing counts bring all processes to their ends with every message taken: the complete state
 * equation C · x = m − m₀, m being the marking in which all have ended (Murata 1989), has no solution under the known firing
 * counts, and these places are the rows of its certificate. The equation relates the messages a loop sends to those it
 * receives even if its number of iterations is unknown. Minimum and maximum counts are checked only against each equation
 * that elimination produces, which does not use them fully. Undefined if no contradiction is found, if no place is an end,
 * or if the effort limit is reached.
 *
 * @complexity Gaussian elimination in exact arithmetic, sparse: nearly linear for nets of sequences, branches and loops
 */
export function endGap(
  { takes, puts, initial }: PlainMatrix,
  shapes: ReadonlyMap<string, PlaceShape>,
  { turns = [] }: NodeShapes,
): string[] | undefined {
  if (![...shapes.values()].some(({ kind }) => kind === 'end')) return undefined;
  const control: Equation[] = [];
  const messages: Equation[] = [];
  for (const [place, shape] of shapes) {
    const final = finalTokens(shape);
    if (final === undefined) continue;
    const entries = new Map<string, bigint>();
    const add = (t: string, n: number): void => {
      const sum = (entries.get(t) ?? 0n) + BigInt(n);
      if (sum === 0n) entries.delete(t);
      else entries.set(t, sum);
    };
    for (const [t, n] of puts.get(place)!) add(t, n);
    for (const [t, n] of takes.get(place)!) add(t, -n);
    const isMessage = shape.kind === 'message';
    const of = { entries, right: BigInt(final - initial.get(place)!), messages: new Map<string, bigint>() };
    if (isMessage) of.messages.set(place, 1n);
    (isMessage ? messages : control).push(of);
  }
  for (const { transitions, least, most } of turns)
    if (least === most && Number.isSafeInteger(least))
      control.push({
        entries: new Map(transitions.map((t) => [t, 1n])),
        right: BigInt(least),
        messages: new Map(),
      });
  return contradiction([...control, ...messages], boundsOf(turns));
}

/** Minimum and maximum firings of each transition, as far as the firing counts of its groups imply them. */
function boundsOf(turns: readonly TurnGroup[]): Map<string, Turns> {
  const bounds = new Map<string, Turns>();
  for (const { transitions, least, most } of turns)
    for (const t of transitions) {
      const known = bounds.get(t) ?? ANY_NUMBER;
      const low = transitions.length === 1 ? least : 0;
      bounds.set(t, { least: Math.max(low, known.least), most: Math.min(most, known.most) });
    }
  return bounds;
}

const ANY_NUMBER: Turns = { least: 0, most: Number.POSITIVE_INFINITY };

/** The tokens required in a place when everything has ended; undefined if any number is allowed. */
function finalTokens(shape: PlaceShape): number | undefined {
  switch (shape.kind) {
    case 'end':
      return 1;
    case 'request':
      return shape.mayStay === true ? undefined : 0;
    case 'synchronisation':
    case 'resource':
    case 'data':
      return undefined;
    default:
      return 0;
  }
}

/** The message places of a combination of the equations that no firing counts within the bounds satisfy. */
function contradiction(equations: readonly Equation[], bounds: ReadonlyMap<string, Turns>): string[] | undefined {
  const pivots: { readonly column: string; readonly of: Equation }[] = [];
  const pivotOf = new Map<string, number>();
  let effort = 0;
  for (const of of equations) {
    for (;;) {
      // Earliest pivot first: the entries it introduces have later pivots or none.
      let next: number | undefined;
      for (const t of of.entries.keys()) {
        const k = pivotOf.get(t);
        if (k !== undefined && (next === undefined || k < next)) next = k;
      }
      if (next === undefined) break;
      const { column, of: by } = pivots[next]!;
      effort += of.entries.size + by.entries.size + by.messages.size;
      if (effort > MAX_EFFORT) return undefined;
      eliminate(of, by, column);
    }
    if (of.messages.size > 0 && !isWithin(of, bounds)) return [...of.messages.keys()];
    if (of.entries.size === 0) continue;
    // Prefer a pivot that may fire zero times: transitions that certainly fire are needed for contradictions of bounds.
    const columns = [...of.entries.keys()];
    const column = columns.findLast((t) => (bounds.get(t)?.least ?? 0) === 0) ?? columns.at(-1)!;
    pivotOf.set(column, pivots.length);
    pivots.push({ column, of });
  }
  return undefined;
}

/** True if the right side lies between the minimum and the maximum of the left side. */
function isWithin({ entries, right }: Equation, bounds: ReadonlyMap<string, Turns>): boolean {
  let [min, max]: [number, number] = [0, 0];
  for (const [t, factor] of entries) {
    const own = bounds.get(t) ?? ANY_NUMBER;
    const ends = [own.least, own.most].map((n) => (n === 0 ? 0 : Number(factor) * n));
    min += Math.min(...ends);
    max += Math.max(...ends);
  }
  // Beyond exact integers no contradiction is claimed.
  const exact = [min, max].every((n) => !Number.isFinite(n) || Number.isSafeInteger(n));
  return !exact || (min <= Number(right) && Number(right) <= max);
}

/** Subtracts a multiple of another equation to eliminate a column; coefficients stay integers without a common factor. */
function eliminate(of: Equation, by: Equation, column: string): void {
  const [a, b] = [by.entries.get(column)!, of.entries.get(column)!];
  const combined = (own: Map<string, bigint>, other: ReadonlyMap<string, bigint>): Map<string, bigint> => {
    if (a !== 1n) for (const [key, n] of own) own.set(key, n * a);
    for (const [key, n] of other) {
      const sum = (own.get(key) ?? 0n) - n * b;
      if (sum === 0n) own.delete(key);
      else own.set(key, sum);
    }
    return own;
  };
  combined(of.entries, by.entries);
  combined(of.messages, by.messages);
  of.right = of.right * a - by.right * b;
  let common = of.right < 0n ? -of.right : of.right;
  for (const n of [...of.entries.values(), ...of.messages.values()]) {
    if (common === 1n) return;
    common = gcd(common, n < 0n ? -n : n);
  }
  if (common <= 1n) return;
  of.right /= common;
  for (const map of [of.entries, of.messages]) for (const [key, n] of map) map.set(key, n / common);
}

function gcd(a: bigint, b: bigint): bigint {
  let [x, y] = [a, b];
  while (y !== 0n) [x, y] = [y, x % y];
  return x;
}
