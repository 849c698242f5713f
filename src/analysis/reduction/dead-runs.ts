import { xorshift } from '../../base/random/threefry.ts';
import type { Net } from '../../net/net.ts';
import type { Petri } from '../petri/petri.ts';
import type { Helper, Open } from '../properties/formula-of.ts';
import type { Formula } from '../properties/property.ts';
import { MAX_TOKENS } from '../space/check-limits.ts';
import { relationsOf } from './closure.ts';
import { holdsIn } from './condition.ts';
import { goalOf } from './condition-of.ts';
import { type PairRows, PetriMoves, type Rows, type Tokens } from './petri-moves.ts';
import { petriPath, reducible } from './reduced-answers.ts';
import type { Goal } from './reduced-exploration.ts';

/** Number of runs. A run of a net that never ends takes its whole share of the effort. */
const RUNS = 4;
/** Tests of transitions in all runs together, for each place and transition of the net. */
const TESTS_PER_NODE = 40;
/** Fixed seed, so that the runs are always the same. */
const SEED = 0x2545f491;
/** Steps between two looks at the limits. */
const LOOK_EVERY = 1024;

/**
 * Searches for dead markings by a few random runs. In a large net a run to its end takes less time than a few thousand states of
 * an exploration, which finds dead markings only after all markings that are nearer. Runs prove nothing if none is found.
 *
 * At most O(40 × size of the net) tests of transitions; memory O(size of the net + steps).
 */
export class DeadRuns implements Helper {
  readonly #net: Net;
  readonly #final: Formula | undefined;
  readonly #cancelled: () => boolean;

  constructor(net: Net, final: Formula | undefined, cancelled: () => boolean) {
    this.#net = net;
    this.#final = final;
    this.#cancelled = cancelled;
  }

  work(open: readonly Open[]): void {
    const asks = open.some(({ units }) => units.some((unit) => unit.kind === 'reach'));
    const petri = asks ? reducible(this.#net) : null;
    if (petri === null) return;
    for (const asked of open)
      for (const unit of asked.units) {
        if (asked.settled || unit.kind !== 'reach') continue;
        const goal = goalOf(petri, unit.goal, this.#final);
        const path = goal.kind === 'deadlock' ? new Runs(petri, goal, this.#cancelled).search() : undefined;
        if (path !== undefined)
          asked.know(unit, { value: unit.found, path: petriPath(petri, path, { final: this.#final }) });
      }
  }
}

class Runs {
  readonly #petri: Petri;
  readonly #goal: Goal & { readonly kind: 'deadlock' };
  readonly #cancelled: () => boolean;
  readonly #moves: PetriMoves;
  /** Transitions that the tokens of a place can enable or disable, as two sets of rows. */
  readonly #tests: readonly Rows[];
  readonly #marking: Tokens;
  /** The enabled transitions in the order found, and the position of each in that list, −1 if it is disabled. */
  readonly #enabled: Int32Array;
  readonly #position: Int32Array;
  #count = 0;
  readonly #draw = xorshift(SEED);
  #left = 0;

  constructor(petri: Petri, goal: Goal & { readonly kind: 'deadlock' }, cancelled: () => boolean) {
    this.#petri = petri;
    this.#goal = goal;
    this.#cancelled = cancelled;
    this.#moves = new PetriMoves(petri);
    const { needers, limiters } = relationsOf(petri);
    this.#tests = [needers, limiters];
    this.#marking = this.#moves.initial();
    this.#enabled = new Int32Array(petri.transitions.length);
    this.#position = new Int32Array(petri.transitions.length);
  }

  /** The transitions of a run to a goal marking; undefined if no run ends in one. */
  search(): number[] | undefined {
    for (let run = 0; run < RUNS && !this.#cancelled(); run++) {
      const path = this.#run();
      if (path !== undefined) return path;
    }
    return undefined;
  }

  #run(): number[] | undefined {
    const { places, transitions } = this.#petri;
    this.#marking.set(this.#moves.initial());
    this.#position.fill(-1);
    this.#count = 0;
    for (let t = 0; t < transitions.length; t++) this.#test(t);
    this.#left = (TESTS_PER_NODE / RUNS) * (places.length + transitions.length);
    const path: number[] = [];
    while (this.#count > 0) {
      if (this.#left < 0 || (path.length % LOOK_EVERY === 0 && this.#cancelled())) return undefined;
      const t = this.#enabled[Math.floor(this.#draw() * this.#count)]!;
      path.push(t);
      if (!this.#fire(t)) return undefined;
    }
    const { unless } = this.#goal;
    return unless !== undefined && holdsIn(unless, this.#marking, this.#moves) ? undefined : path;
  }

  /** Fires a transition; false if a place gets more tokens than the engines support. */
  #fire(t: number): boolean {
    const { changes, resets } = this.#moves;
    const marking = this.#marking;
    let most = 0;
    forEachPair(changes, t, (p, n) => {
      marking[p]! += n;
      most = Math.max(most, marking[p]!);
    });
    forEachPair(resets, t, (p, n) => {
      marking[p] = n;
      most = Math.max(most, n);
    });
    const again = (p: number): void => {
      for (const { start, items } of this.#tests)
        for (let k = start[p]!, end = start[p + 1]!; k < end; k++) this.#test(items[k]!);
    };
    forEachPair(changes, t, again);
    forEachPair(resets, t, again);
    this.#left--;
    return most <= MAX_TOKENS;
  }

  /** Adds a transition to the list of enabled ones, or removes it. */
  #test(t: number): void {
    this.#left--;
    const at = this.#position[t]!;
    const isEnabled = this.#moves.enabled(t, this.#marking);
    if (isEnabled === at >= 0) return;
    if (isEnabled) {
      this.#position[t] = this.#count;
      this.#enabled[this.#count++] = t;
      return;
    }
    const last = this.#enabled[--this.#count]!;
    this.#enabled[at] = last;
    this.#position[last] = at;
    this.#position[t] = -1;
  }
}

function forEachPair({ start, items }: PairRows, row: number, of: (place: number, number: number) => void): void {
  for (let k = start[row]!, end = start[row + 1]!; k < end; k += 2) of(items[k]!, items[k + 1]!);
}
