import type { CollectiveCalls } from '../../models/program/collective-calls.ts';
import type { CollectivePaths } from '../../models/program/collective-log.ts';

/** Pairs of a state and calls that are looked at in addition to the first of each state. */
const MAX_MORE = 1e6;

/**
 * The calls of collectives on the paths to each state. Ranks may have called other collectives on another path to the same
 * state; such pairs of a state and calls are followed, too, each once.
 */
export class CallsAt {
  readonly #paths: CollectivePaths;
  /** By state: the calls of the first path to it. */
  readonly #first = new Map<number, CollectiveCalls>();
  readonly #more: { readonly state: number; readonly calls: CollectiveCalls }[] = [];
  readonly #known = new Set<string>();
  #at = 0;

  constructor(paths: CollectivePaths) {
    this.#paths = paths;
    if (paths.some) this.#first.set(0, paths.first());
  }

  /** A step leads from a state to another one; `from`: the calls before it, default those of the first path. */
  step(
    state: number,
    transition: string,
    binding: Readonly<Record<string, number>>,
    target: number,
    from: CollectiveCalls | undefined = this.#first.get(state),
  ): void {
    if (from === undefined) return;
    const calls = this.#paths.after(from, transition, binding);
    const known = this.#first.get(target);
    if (known === undefined) this.#first.set(target, calls);
    else if (known !== calls && known.key !== calls.key) this.#add(target, calls);
  }

  #add(state: number, calls: CollectiveCalls): void {
    const key = `${state} ${calls.key}`;
    if (this.#known.has(key) || this.#more.length >= MAX_MORE) return;
    this.#known.add(key);
    this.#more.push({ state, calls });
  }

  /** The next pair whose steps are to be followed; undefined: none is left. */
  next(): { readonly state: number; readonly calls: CollectiveCalls } | undefined {
    return this.#more[this.#at++];
  }

  *all(): Generator<readonly [number, CollectiveCalls]> {
    yield* this.#first;
    for (const { state, calls } of this.#more) yield [state, calls];
  }
}
