import { type PackedProgress, PackedSpace } from '../packed/packed-space.ts';
import type { StateGraph, StepGraph } from '../state-space.ts';
import { type Omission, omissionOf } from './omission.ts';

/** Current state of an exploration with hash compaction. */
export interface CompactProgress extends PackedProgress {
  readonly bits: number;
}

/**
 * The states found with hash compaction. Markings are held from the state that is expanded next on, and those found by the last call
 * of `advance`. It is never complete, because a collision of hashes hides a state.
 */
export class CompactSpace extends PackedSpace {
  readonly #of: CompactProgress;

  constructor(of: CompactProgress) {
    super(of);
    this.#of = of;
  }

  override get complete(): boolean {
    return false;
  }

  override get truncation(): PackedSpace['truncation'] {
    return this.#of.truncation;
  }

  get omission(): Omission {
    return omissionOf(this.states, this.#of.bits);
  }

  /** True if all states found were expanded. */
  get exhausted(): boolean {
    return this.expanded === this.states;
  }

  override graph(): StateGraph | undefined {
    return undefined;
  }

  override stepGraph(): StepGraph | undefined {
    return undefined;
  }
}

/** Rows of the states that are still held: consecutive, from state `first` on. */
export class Window {
  /** Number of the state in row 0. */
  first = 0;

  slotOf(state: number): number {
    if (state < this.first) throw new Error(`internal error: the marking of state ${state} is no longer held`);
    return state - this.first;
  }

  stateOf(slot: number): number {
    return slot + this.first;
  }

  states(): undefined {
    return undefined;
  }

  ranges(from: number, to: number, max: number = Number.POSITIVE_INFINITY): [from: number, to: number][] {
    const ranges: [number, number][] = [];
    for (let state = from; state < to; ) {
      const end = Math.min(to, state + max);
      ranges.push([this.slotOf(state), this.slotOf(end)]);
      state = end;
    }
    return ranges;
  }
}
