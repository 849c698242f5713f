import { largestAllowed, smallestAllowed } from '../../../models/program/allowed-ranks.ts';
import type { ProgramModel } from '../../../models/program/model-object.ts';
import type { ProgramInstance } from './program-verification.ts';

/** Bounds of the rank counts that are tried; the maximum is for one run, a state space, and while the model rejects all. */
const MIN_RANKS = 2;
const MAX_RANKS = { run: 8, space: 4, refused: 64 } as const;
/** No larger rank counts are tried once this many steps or states were used in total. */
const SPENT = { steps: 5e6, states: 1e5 } as const;

/**
 * Outcome of a rank count. `undeclared`: the model declares that it does not run on it; `no more`: nor on any larger one.
 * `rejected`: the model or its machine refused it. Else it was verified, by one run or by a state space.
 */
export type CountOutcome = 'undeclared' | 'no more' | 'rejected' | ProgramInstance['method'];

/** Results and total effort of the rank counts tried so far. */
interface Tried {
  readonly instances: readonly ProgramInstance[];
  readonly spent: { readonly steps: number; readonly states: number };
}

/** Choice of the rank counts with which a model is verified if none is given: small ones, in ascending order. */
export class RankCounts {
  readonly #model: ProgramModel;
  readonly first: number;
  /** The last rank count while the model rejects all. */
  readonly #max: number;

  constructor(model: ProgramModel) {
    this.#model = model;
    // The smallest allowed rank count from the minimum on, else the largest below it.
    const allowed = smallestAllowed(model, MIN_RANKS) ?? largestAllowed(model, MIN_RANKS);
    this.first = Math.min(MIN_RANKS, allowed ?? MIN_RANKS);
    this.#max = Math.max(MAX_RANKS.refused, allowed ?? 0);
  }

  /** Declared refusal of a rank count; the last one is built nevertheless, so that the model itself says why. */
  refusal(ranks: number, tried: Tried): 'undeclared' | 'no more' | undefined {
    if (this.#model.allows(ranks) || this.areExhausted(ranks, tried)) return undefined;
    if (tried.instances.length === 0) return 'undeclared';
    return smallestAllowed(this.#model, ranks) === undefined ? 'no more' : 'undeclared';
  }

  /** True if the model has rejected all rank counts that are tried. */
  areExhausted(ranks: number, { instances }: Tried): boolean {
    return instances.length === 0 && ranks >= this.#max;
  }

  /** True if no larger rank count need be tried. */
  suffice(ranks: number, outcome: CountOutcome, { instances, spent }: Tried): boolean {
    if (instances.length === 0) return false;
    switch (outcome) {
      case 'no more':
        return true;
      case 'undeclared':
      case 'rejected':
        return isEnough(instances, ranks);
      case 'one run':
      case 'state space':
        if (spent.steps > SPENT.steps || spent.states > SPENT.states) return true;
        return outcome === 'one run' ? isEnough(instances, ranks) : ranks >= MAX_RANKS.space;
    }
  }
}

/**
 * True if no larger rank counts need be tried. If one run decides and the model allows few small rank counts (such as
 * squares), at least two rank counts are verified.
 */
function isEnough(instances: readonly ProgramInstance[], ranks: number): boolean {
  if (ranks < MAX_RANKS.run) return false;
  const verified = new Set(instances.map((i) => i.ranks));
  return verified.size > 1 || ranks >= MAX_RANKS.refused || instances.some((i) => i.method !== 'one run');
}
