import type { NodeShapes, PlaceShape, TurnGroup, Turns } from '../../../net/shapes/node-shapes.ts';
import type { PlainMatrix } from './plain-matrix.ts';

/** Entries that elimination touches before it gives up. */
const MAX_EFFORT = 2_000_000;

/** An equation: Σ entries · firings = right, and the messages that it was made of, with their factors. */
interface Equation {
  entries: Map<string, bigint>;
  right: bigint;
  messages: Map<string, bigint>;
}

/**
 * Message places of which no numbers of firings make all processes come to their ends with every message taken: the whole
 * state equation C · x = m − m₀ of the marking m in which all have ended (Murata 1989), with the turns that are
 * known, has no solution, and these are the rows of its certificate. That ties what a loop sends to what it receives
 * where its turns are not known. Least and most turns are held against each equation as elimination leaves it, which is not all
 * that they say. Undefined where no contradiction is found so, where nothing has an end, and where the effort is spent first.
 *
 * @complexity Gaussian elimination in exact numbers, sparse: nearly linear for nets of sequences, branches and loops
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

/** How often a transition fires at least and at most, as far as turns say it of it alone. */
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

/** The tokens of a place when all has ended; undefined where they are not demanded. */
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

/** The messages of a combination of the equations that no numbers within the bounds satisfy. */
function contradiction(equations: readonly Equation[], bounds: ReadonlyMap<string, Turns>): string[] | undefined {
  const pivots: { readonly column: string; readonly of: Equation }[] = [];
  const pivotOf = new Map<string, number>();
  let effort = 0;
  for (const of of equations) {
    for (;;) {
      // The earliest first: what it brings in has later pivots, or none.
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
    // What surely fires stays: that is what a contradiction of bounds needs.
    const columns = [...of.entries.keys()];
    const column = columns.findLast((t) => (bounds.get(t)?.least ?? 0) === 0) ?? columns.at(-1)!;
    pivotOf.set(column, pivots.length);
    pivots.push({ column, of });
  }
  return undefined;
}

/** Whether the right side lies between the least and the most that the left can be. */
function isWithin({ entries, right }: Equation, bounds: ReadonlyMap<string, Turns>): boolean {
  let [least, most]: [number, number] = [0, 0];
  for (const [t, factor] of entries) {
    const own = bounds.get(t) ?? ANY_NUMBER;
    const ends = [own.least, own.most].map((n) => (n === 0 ? 0 : Number(factor) * n));
    least += Math.min(...ends);
    most += Math.max(...ends);
  }
  // Beyond what numbers hold exactly nothing is said.
  const exact = [least, most].every((n) => !Number.isFinite(n) || Number.isSafeInteger(n));
  return !exact || (least <= Number(right) && Number(right) <= most);
}

/** Takes a multiple of another equation away, so that a column is gone; whole numbers without a common factor. */
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
