import type { Kernel } from '../kernel/kernel.ts';
import type { TransitionPlan } from './emit/bindings/plan.ts';
import type { Emission } from './emit/emission.ts';
import { passThroughUses, passThroughWord } from './emit/firing/pass-through.ts';
import { AGE, FREE, HIDDEN, type PlaceLayout, SERVED, stateAt, strideOf, VISIBLE } from './emit/layout.ts';
import { inOrderOfPlaces } from './emit/queue/agenda.ts';

/** A token of a marking. */
export interface MarkedToken {
  /** Values of its columns, in the order of the place's fields. */
  readonly values: readonly number[];
  /** Orders the tokens of a place by arrival; Infinity while the token is in service. */
  readonly age: number;
  /** Arrival time in seconds; NaN if the place is not `timed`, or while the token is in service. */
  readonly time: number;
}

/** The tokens of a place, stored and pass-through, in no particular order. O(number of records and agenda entries). */
export function tokensOf(e: Emission, kernel: Kernel, layout: PlaceLayout): MarkedToken[] {
  const n = layout.number;
  const words = kernel.array(`I${n}`);
  const doubles = kernel.array<Float64Array<ArrayBuffer>>(`D${n}`);
  const out: MarkedToken[] = [];
  const stride = strideOf(layout);
  for (let s = 0; s < words.length; s += stride) {
    const state = stateAt(words, s);
    if (state === FREE) continue;
    out.push({
      values: layout.offsets.map((o, k) => (layout.wide[k] ? doubles[(s >> 1) + o]! : words[s + o]!)),
      age: state === SERVED ? Number.POSITIVE_INFINITY : words[s + AGE]!,
      time: layout.timed && state !== SERVED ? doubles[(s >> 1) + layout.timeOffset]! : Number.NaN,
    });
  }
  const passThrough = passThroughUses(e, layout);
  for (const { plan } of passThrough)
    for (const { queue, doubles, q } of entriesOf(e, kernel, plan.priority))
      if (queue[q] === plan.number + e.plans.length)
        out.push({
          values: layout.offsets.map((_, k) => {
            const at = q + passThroughWord(layout, k);
            return layout.wide[k] ? doubles[at >> 1]! : queue[at]!;
          }),
          age: queue[q + 1]!,
          time: Number.NaN,
        });
  return out;
}

export function byColour(a: readonly number[], b: readonly number[]): number {
  const k = a.findIndex((v, i) => v !== b[i]);
  return k < 0 ? 0 : a[k]! - b[k]!;
}

/** The entries of a priority's agenda. */
function* entriesOf(
  e: Emission,
  kernel: Kernel,
  priority: number,
): Generator<{ queue: Int32Array; doubles: Float64Array; q: number }> {
  const l = e.levels.indexOf(priority);
  const queue = kernel.array(`Q${l}`);
  const doubles = kernel.array<Float64Array<ArrayBuffer>>(`QD${l}`);
  const back = kernel.get(`back${l}`);
  for (let q = kernel.get(`front${l}`); q < back; q += e.stride) yield { queue, doubles, q };
}

/** Renumbers the ages of all tokens, keeping their order, when the 32-bit ages run out. */
export function renumber(e: Emission, kernel: Kernel): void {
  const all: { array: Int32Array; at: number }[] = [];
  for (const l of e.layouts) {
    const words = kernel.array(`I${l.number}`);
    for (let s = 0; s < words.length; s += strideOf(l)) {
      const state = stateAt(words, s);
      if (state === HIDDEN || state === VISIBLE) all.push({ array: words, at: s + AGE });
    }
  }
  const passes = (p: TransitionPlan): boolean =>
    p.arcs.length === 1 && passThroughUses(e, e.layoutOf(p.arcs[0]!)).some((u) => u.plan === p);
  const stored: (() => void)[] = [];
  for (const priority of e.levels)
    for (const { queue, q } of entriesOf(e, kernel, priority)) {
      const number = queue[q]!;
      if (number < 0) continue;
      if (number >= e.plans.length) {
        if (passes(e.plans[number - e.plans.length]!)) all.push({ array: queue, at: q + 1 });
        continue;
      }
      const { k, layout } = inOrderOfPlaces(e, e.plans[number]!)[0]!;
      stored.push(() => {
        queue[q + 1] = kernel.array(`I${layout.number}`)[queue[q + 2 + 2 * k]! + AGE]!;
      });
    }
  all.sort((a, b) => a.array[a.at]! - b.array[b.at]!);
  for (const [age, { array, at }] of all.entries()) array[at] = age;
  kernel.set('ages', all.length);
  for (const set of stored) set();
}

/** Sorts the entries of one step, from `mark` on, into canonical order and removes duplicates. */
export function sortMany(e: Emission, kernel: Kernel, level: number, mark: number): void {
  const queue = kernel.array(`Q${level}`);
  const compare = kernel.call[`compare${level}`]!;
  const { stride } = e;
  const back = kernel.get(`back${level}`);
  // Most entries differ in the age of their first token, which is compared without a call of the kernel.
  const inOrder = (a: number, b: number): number => queue[a + 1]! - queue[b + 1]! || compare(a, b);
  const order: number[] = [];
  for (let k = mark; k < back; k += stride) order.push(k);
  order.sort(inOrder);
  const kept = order.filter((k, i) => i === 0 || inOrder(order[i - 1]!, k) !== 0);
  const copy = queue.slice(mark, back);
  kept.forEach((from, i) => {
    queue.set(copy.subarray(from - mark, from - mark + stride), mark + i * stride);
  });
  kernel.set(`back${level}`, mark + kept.length * stride);
}
