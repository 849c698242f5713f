import type { Petri } from '../../petri/petri.ts';
import type { Group } from './groups.ts';
import { EXTRA_WORDS, type HashWords } from './hash-words.ts';
import { maskOf, maxOf, type PackedLayout } from './layout.ts';
import { changesOf, multiplier, testsOf } from './step-code.ts';

/** From this number of transitions on, translating code for each takes longer than many states that read a table. */
export const MANY_STEPS = 5000;

/** Integers of a group before its steps, of a step before its tests, of a test, a guard, a change. */
const GROUP = 3;
const STEP = 6;
const TEST = 4;
const GUARD = 5;
const CHANGE = 2;

/**
 * Steps as numbers that one loop of the kernel executes ({@link PLANNED}). A group is `[end, word, mask]` and its steps; a mask
 * of 0 has no test. A step is `[end, guards, changes, hash, second hash, transition]`, then
 *
 *     tests     [word, shift, maximum, least]         until `guards`
 *     guards    [word, shift, maximum, most, place + 1]   until `changes`
 *     changes   [word, difference]                    until `end`
 */
export class StepPlan {
  readonly #petri: Petri;
  readonly #layout: PackedLayout;
  readonly #hashes: HashWords | undefined;
  readonly #ints: number[] = [];

  constructor(petri: Petri, layout: PackedLayout, hashes?: HashWords) {
    this.#petri = petri;
    this.#layout = layout;
    this.#hashes = hashes;
  }

  /** Steps of these kinds only: a table has no sums and no resets. */
  static takes({ limits, resets }: Petri['transitions'][number]): boolean {
    return limits.length === 0 && resets.length === 0;
  }

  /** Maximum number of integers for the steps of a net, for any layout. */
  static size({ transitions }: Petri, manySteps: number): number {
    if (transitions.length < manySteps) return 0;
    return transitions.reduce(
      (n, t) => n + GROUP + STEP + TEST * t.needs.length + (GUARD + CHANGE) * t.change.length,
      0,
    );
  }

  get ints(): readonly number[] {
    return this.#ints;
  }

  /** Appends groups; returns the transitions in the order of their tests, without those that are never enabled. */
  add(groups: readonly Group[]): number[] {
    const order: number[] = [];
    const ints = this.#ints;
    for (const { place, transitions } of groups) {
      const field = place === undefined ? undefined : this.#layout.fields[place];
      const at = ints.length;
      ints.push(0, field?.word ?? 0, field === undefined ? 0 : maskOf(field));
      for (const t of transitions) if (this.#step(t, field === undefined ? undefined : place)) order.push(t);
      ints[at] = ints.length;
    }
    return order;
  }

  #step(t: number, known: number | undefined): boolean {
    const transition = this.#petri.transitions[t]!;
    const tests = testsOf(this.#layout, transition);
    const effect = changesOf(this.#layout, transition);
    if (tests === undefined || effect === undefined) return false;
    const ints = this.#ints;
    const at = ints.length;
    ints.push(0, 0, 0, 0, 0, t);
    for (const { place, field, least } of tests)
      if (place !== known || least !== 1) ints.push(field.word, field.shift, maxOf(field), least);
    ints[at + 1] = ints.length;
    for (const { place, field, most } of effect.guards)
      ints.push(field.word, field.shift, maxOf(field), most, place + 1);
    ints[at + 2] = ints.length;
    let hash = 0;
    for (const [word, by] of effect.difference) {
      if (by === 0) continue;
      ints.push(word, by);
      hash = (hash + Math.imul(by, multiplier(word))) | 0;
    }
    ints[at] = ints.length;
    ints[at + 3] = this.#hashes === undefined ? hash : this.#hashes.sum(0, effect.changed);
    ints[at + 4] = this.#hashes?.sum(1, effect.changed) ?? 0;
    return true;
  }
}

/** Kernel source that executes the groups of a plan from index `from` to `to`, for wide markings of `words` words at `a`. */
export const plannedSource = (
  planAt: number,
  words: number,
  hashes?: HashWords,
): string => `let plan: ints = at(${planAt});
function planned(from: int, to: int, a: int, l: int) {
let k = from;
while (k < to) {
const after = plan[k];
const marked = plan[k + 2];
if (marked !== 0 && (arena[a + plan[k + 1]] & marked) === 0) { k = after; continue; }
k += ${GROUP};
while (k < after) {
const end = plan[k];
const guards = plan[k + 1];
let x = k + ${STEP};
while (x < guards && ((arena[a + plan[x]] >>> plan[x + 1]) & plan[x + 2]) >= plan[x + 3]) x += ${TEST};
if (x >= guards) {
const changes = plan[k + 2];
let exceeded = 0;
while (x < changes) {
if (exceeded === 0 && ((arena[a + plan[x]] >>> plan[x + 1]) & plan[x + 2]) > plan[x + 3]) exceeded = plan[x + 4];
x += ${GUARD};
}
if (exceeded !== 0) { missed++; if (mode !== 2) overflow = exceeded; }
else ${hashes === undefined ? '' : 'if (overflow === 0) '}{
found++;
label = plan[k + 5];
const row = next * ${words};
while (x < end) { arena[row + plan[x]] = arena[a + plan[x]] + plan[x + 1]; x += ${CHANGE}; }
${hashes === undefined ? 'reach(l + plan[k + 3], a);' : hashed(words)}
const back = next * ${words};
x = changes;
while (x < end) { arena[back + plan[x]] = arena[a + plan[x]]; x += ${CHANGE}; }
}
}
k = end;
}
}
}`;

/** Both hash words of the new row, which the row copied from its predecessor. */
const hashed = (words: number): string => {
  const at = words - EXTRA_WORDS;
  return `arena[row + ${at}] = sumOf(arena[a + ${at}], plan[k + 3]);
arena[row + ${at + 1}] = sumOf(arena[a + ${at + 1}], plan[k + 4]);
reach(0, a);`;
};
