import type { CollectiveCalls } from '../../models/program/collective-calls.ts';
import type { CollectivePaths } from '../../models/program/collective-log.ts';

/** Maximum number of additional pairs of a state and its collective calls, beyond the first pair of each state. */
const MAX_MORE = 1e6;

/**
 * Collective calls on the paths to each state. Different paths to a state may contain different calls. All distinct pairs of
 * a state and its calls are followed, each once.
 */
export class CallsAt {
  readonly #paths: CollectivePaths;
  /** Calls of the first path to a state, by state. */
  readonly #first = new Map<number, CollectiveCalls>();
  readonly #more: { readonly state: number; readonly calls: CollectiveCalls }[] = [];
  readonly #known = new Set<string>();
  #at = 0;

  constructor(paths: CollectivePaths) {
    this.#paths = paths;
    if (paths.some) this.#first.set(0, paths.first());
  }

  /** Records a step from a state to `target`; `from`: the calls before it, default those of the first path. */
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

  /** The next pair whose steps must be followed; `undefined` if none is left. */
  next(): { readonly state: number; readonly calls: CollectiveCalls } | undefined {
    return this.#more[this.#at++];
  }

  /** All pairs recorded so far. */
  *all(): Generator<readonly [number, CollectiveCalls]> {
    yield* this.#first;
    for (const { state, calls } of this.#more) yield [state, calls];
  }
}
