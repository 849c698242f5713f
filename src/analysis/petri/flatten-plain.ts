import type { Net, Transition } from '../../net/net.ts';
import { type Petri, type PetriPlace, type PetriTransition, RACE_LEVEL, type Weighted } from './petri.ts';

const NONE: readonly never[] = [];
const NO_BINDING: Readonly<Record<string, number>> = {};
/** Largest token count of an arc that an unfolding accepts. */
const MAX_COUNT = 1e6;

/** Arcs of a transition with place numbers. */
export interface PlainArcs {
  readonly needs: readonly Weighted[];
  readonly change: readonly Weighted[];
  /** Places that receive tokens, with repetitions. */
  readonly puts: readonly number[];
}

/**
 * The unfolded form of a place/transition net, equal to that of the general unfolding: places that can never be marked and
 * transitions that can never fire are left out. Undefined for nets with colours, lasting firings, services, limits or resets.
 *
 * The general unfolding makes about 2 kB of objects per node, which dominates the time of nets of 10⁵ nodes. O(arcs).
 */
export function flattenPlain(net: Net): Petri | undefined {
  if (!isPlain(net) || !net.transitions.every(hasSmallCounts)) return undefined;
  const numbers = new Map(net.places.map((p, k) => [p.name, k]));
  const arcs = net.transitions.map((t) => plainArcs(t, numbers));
  const initial = net.places.map((p) => p.initial.reduce((sum, { count }) => sum + count, 0));
  const { isMarked, isPossible } = possibleNodes(initial, arcs);
  const kept = new Int32Array(net.places.length);
  const places: PetriPlace[] = [];
  for (let p = 0; p < kept.length; p++) {
    if (isMarked[p] === 0) continue;
    kept[p] = places.length;
    places.push({ kind: 'place', node: p, values: NONE, initial: initial[p]! });
  }
  const renamed = (list: readonly Weighted[]): Weighted[] => list.map(([p, n]) => [kept[p]!, n]);
  const transitions: PetriTransition[] = [];
  net.transitions.forEach((t, node) => {
    if (isPossible[node] === 0) return;
    const { needs, change } = arcs[node]!;
    const level = t.timing === 'race' ? RACE_LEVEL : (t.priority ?? 0);
    transitions.push({
      kind: 'fire',
      node,
      binding: NO_BINDING,
      level,
      needs: renamed(needs),
      limits: NONE,
      change: renamed(change),
      resets: NONE,
    });
  });
  return { net, columns: net.places.map(() => NONE), places, transitions };
}

/** True for a place/transition net without services, limits and resets, whose firings take no time. */
export function isPlain({ places, transitions }: Net): boolean {
  return (
    places.every((p) => p.fields.length === 0 && p.service === undefined && p.capacity === undefined) &&
    transitions.every(
      (t) =>
        t.guard === undefined &&
        (t.delay === undefined || t.timing === 'race') &&
        (t.free ?? NONE).length === 0 &&
        t.inputs.every(({ kind }) => kind === 'take' || kind === 'read') &&
        t.outputs.every(({ count }) => count.op === 'const'),
    )
  );
}

/** The general unfolding reports other counts as expressions without a value. */
const hasSmallCounts = ({ inputs, outputs }: Transition): boolean =>
  inputs.every(({ count }) => count > 0) && outputs.every(({ count }) => count.op === 'const' && isCount(count.value));

const isCount = (value: number): boolean => Number.isInteger(value) && value >= 0 && value <= MAX_COUNT;

/** Counts of several take arcs to one place add up; those of read arcs do not (S3). */
export function plainArcs(t: Transition, numbers: ReadonlyMap<string, number>): PlainArcs {
  const needs = new Map<number, number>();
  const change = new Map<number, number>();
  const add = (to: Map<number, number>, p: number, n: number): void => {
    to.set(p, (to.get(p) ?? 0) + n);
  };
  for (const { kind, place, count } of t.inputs) {
    if (kind !== 'take') continue;
    add(needs, numbers.get(place)!, count);
    add(change, numbers.get(place)!, -count);
  }
  for (const { kind, place, count } of t.inputs) {
    const p = numbers.get(place)!;
    if (kind === 'read') needs.set(p, Math.max(count, needs.get(p) ?? 0));
  }
  const puts: number[] = [];
  for (const { place, count } of t.outputs) {
    if (count.op !== 'const' || count.value === 0) continue;
    puts.push(numbers.get(place)!);
    add(change, numbers.get(place)!, count.value);
  }
  return { needs: listed(needs), change: listed(change), puts };
}

function listed(counts: ReadonlyMap<number, number>): Weighted[] {
  return [...counts].filter(([, n]) => n !== 0).sort(([a], [b]) => a - b);
}

/** The least sets of places and transitions that contain the marked places and are closed under firing, ignoring counts. */
function possibleNodes(
  initial: readonly number[],
  arcs: readonly PlainArcs[],
): { readonly isMarked: Uint8Array; readonly isPossible: Uint8Array } {
  const isMarked = new Uint8Array(initial.length);
  const isPossible = new Uint8Array(arcs.length);
  const missing = Int32Array.from(arcs, ({ needs }) => needs.length);
  const needing = initial.map((): number[] => []);
  arcs.forEach(({ needs }, t) => {
    for (const [p] of needs) needing[p]!.push(t);
  });
  const left: number[] = [];
  const mark = (p: number): void => {
    if (isMarked[p] === 1) return;
    isMarked[p] = 1;
    left.push(p);
  };
  const enable = (t: number): void => {
    isPossible[t] = 1;
    for (const p of arcs[t]!.puts) mark(p);
  };
  initial.forEach((tokens, p) => {
    if (tokens > 0) mark(p);
  });
  for (let t = 0; t < missing.length; t++) if (missing[t] === 0) enable(t);
  for (let p = left.pop(); p !== undefined; p = left.pop())
    for (const t of needing[p]!) if (--missing[t]! === 0) enable(t);
  return { isMarked, isPossible };
}
