import type { Petri } from '../../petri/petri.ts';
import { EnablingTests } from './enabling-tests.ts';
import { canHappen, happen } from './groups.ts';
import { OUT_INTS } from './growing-memory.ts';
import { maxOf, type PackedLayout, pack, unpack } from './layout.ts';
import type { PackedKernel } from './packed-kernel.ts';
import type { PackedMemory } from './packed-memory.ts';
import type { Runs } from './runs.ts';
import { levelsOf } from './step-code.ts';

/** Data of an exploration, as currently stored. */
export interface PackedStore {
  readonly petri: Petri;
  readonly layout: PackedLayout;
  readonly memory: Pick<PackedMemory, 'ints' | 'arenaAt' | 'outAt'>;
  readonly kernel: PackedKernel;
  /** Transitions in the order in which the kernel tests them. */
  readonly order: readonly number[];
  /** Maps states to rows of the arena. */
  readonly runs: Pick<Runs, 'ranges' | 'slotOf' | 'stateOf' | 'states'>;
  /** True if the table holds hashes only, so that no state can be looked up. */
  readonly isHashed?: boolean;
}

/** Reads stored markings in loops over bit fields. */
export class PackedStates {
  readonly #store: PackedStore;
  #tests: { readonly layout: PackedLayout; readonly tests: EnablingTests } | undefined;

  constructor(store: PackedStore) {
    this.#store = store;
  }

  /** Adds the counts of some places to `into`, for the states from … to − 1. */
  add(places: readonly number[], from: number, to: number, into: Float64Array): void {
    const { layout } = this.#store;
    let constant = 0;
    for (const p of places) {
      const f = layout.fields[p];
      if (f === undefined) {
        constant += layout.constant[p]!;
        continue;
      }
      const { shift } = f;
      const max = maxOf(f);
      this.#runs(from, to, (ints, at, words, count, k) => {
        for (let i = 0, a = at + f.word; i < count; i++, a += words) into[k + i]! += (ints[a]! >>> shift) & max;
      });
    }
    if (constant !== 0) for (let i = 0; i < to - from; i++) into[i]! += constant;
  }

  /** Marks the states in which one of these transitions is enabled, ignoring priorities. */
  canHappen(transitions: readonly number[], from: number, to: number, into: Uint8Array): void {
    const tests = this.#enabling();
    this.#runs(from, to, (ints, at, words, count, k) => {
      for (let i = 0, a = at; i < count; i++, a += words)
        if (into[k + i] === 0 && transitions.some((t) => tests.holds(t, ints, a))) into[k + i] = 1;
    });
  }

  /**
   * Calls `each` for the states from … to − 1, with a function that tests a transition in that state, ignoring priorities.
   * The markings of wide nets are visited in the order of their addresses.
   */
  eachState(from: number, to: number, each: (state: number, isEnabled: (t: number) => boolean) => void): void {
    const tests = this.#enabling();
    this.#runs(from, to, (ints, at, words, count, k) => {
      let a = at;
      const isEnabled = (t: number): boolean => tests.holds(t, ints, a);
      for (let i = 0; i < count; i++, a += words) each(from + k + i, isEnabled);
    });
  }

  /** Calls `each` with the counts of all places of each state, in a reused array. */
  eachCounts(from: number, to: number, each: (counts: Float64Array) => void): void {
    const { petri, layout } = this.#store;
    const counts = new Float64Array(petri.places.length);
    this.#runs(from, to, (ints, at, words, count) => {
      for (let i = 0, a = at; i < count; i++, a += words) {
        unpack(layout, ints, a, counts);
        each(counts);
      }
    });
  }

  /** Tests for the current layout, which changes when a field is widened. */
  #enabling(): EnablingTests {
    const { petri, layout } = this.#store;
    if (this.#tests?.layout !== layout) this.#tests = { layout, tests: new EnablingTests(petri, layout) };
    return this.#tests.tests;
  }

  /** Calls `run` for consecutive rows: their address, words per row, number, and the index of the first state from `from` on. */
  #runs(
    from: number,
    to: number,
    run: (ints: Int32Array<ArrayBufferLike>, at: number, words: number, count: number, first: number) => void,
  ): void {
    const { memory, layout, runs } = this.#store;
    const base = memory.arenaAt / 4;
    let state = 0;
    for (const [slot, end] of runs.ranges(from, to)) {
      run(memory.ints, base + slot * layout.words, layout.words, end - slot, state);
      state += end - slot;
    }
  }

  counts(state: number): Float64Array {
    const { petri, layout, memory } = this.#store;
    const counts = new Float64Array(petri.places.length);
    unpack(layout, memory.ints, memory.arenaAt / 4 + this.#store.runs.slotOf(state) * layout.words, counts);
    return counts;
  }

  /** The steps of a state in kernel order, with their target states. */
  firings(state: number): { readonly transition: number; readonly target: number }[] {
    const { petri, order } = this.#store;
    const counts = this.counts(state);
    const { starts } = levelsOf(petri);
    const levels = starts.map((list) => petri.transitions[list[0]!]!.level!);
    const able = order.filter((t) => canHappen(petri.transitions[t]!, counts));
    const level = levels.find((l) => able.some((t) => petri.transitions[t]!.level === l));
    return able
      .filter((t) => petri.transitions[t]!.level === undefined || petri.transitions[t]!.level === level)
      .map((transition) => {
        const after = counts.slice();
        happen(petri.transitions[transition]!, after);
        return { transition, target: this.find(after) };
      });
  }

  /** The state with these counts; −1 if not stored. */
  find(counts: Float64Array): number {
    const { layout, memory, kernel, isHashed } = this.#store;
    if (isHashed === true) return -1;
    if (layout.fields.some((f, p) => (f === undefined ? layout.constant[p] !== counts[p] : counts[p]! > maxOf(f))))
      return -1;
    const words = new Int32Array(layout.words);
    pack(layout, counts, words);
    memory.ints.set(words, memory.arenaAt / 4 + kernel.get('next') * layout.words);
    const slot = kernel.call['find']!();
    return slot < 0 ? -1 : this.#store.runs.stateOf(slot);
  }

  outDegree(from: number, to: number): Int32Array {
    const { kernel, memory } = this.#store;
    const degrees = new Int32Array(to - from);
    let state = 0;
    for (const [slot, end] of this.#store.runs.ranges(from, to, OUT_INTS)) {
      kernel.call['degrees']!(slot, end);
      const out = memory.outAt / 4;
      degrees.set(memory.ints.subarray(out, out + end - slot), state);
      state += end - slot;
    }
    return degrees;
  }
}
