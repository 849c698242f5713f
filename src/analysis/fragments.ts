/** A set of processes that were active at the same time, and the total time spent in this set. */
export interface Fragment {
  /** Number of processes. */
  readonly size: number;
  /** Seconds. */
  readonly seconds: number;
  /** The processes, ascending; at most the first {@link MAX_NAMED}. */
  readonly processes: readonly number[];
}

/** Maximum number of processes listed per fragment. */
export const MAX_NAMED = 64;
/** Maximum number of distinct fragments; further ones count by size only. */
const MAX_FRAGMENTS = 1 << 14;

/**
 * Measures the fragments of a run: the sets `F = { active(M) }` of the markings M it passes through (the method, result 1),
 * with the time spent in each. O(1) per change; a new fragment costs O(processes).
 */
export class FragmentMeter {
  /** Computations in progress by process: of the process itself and of its collectives. */
  readonly #active: Int32Array;
  readonly #found = new Map<string, { size: number; seconds: number; processes: readonly number[] }>();
  /** Seconds by fragment size. */
  readonly #bySize: number[] = [];
  #size = 0;
  #since = 0;
  // Two independent hashes of the set of active processes: each is the XOR of random words of its members.
  readonly #words: Int32Array;
  #a = 0;
  #b = 0;
  #unreported = 0;

  constructor(processes: number) {
    this.#active = new Int32Array(processes);
    this.#words = new Int32Array(processes * 2);
    let state = 0x9e3779b9;
    for (let k = 0; k < this.#words.length; k++) {
      // Xorshift (Marsaglia 2003), period 2³² − 1. The words are fixed so that equal runs have equal hashes.
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      this.#words[k] = state;
    }
  }

  /** A computation of a process begins (1) or ends (−1). `time` in seconds. */
  change(time: number, process: number, by: 1 | -1): void {
    this.advance(time);
    const before = this.#active[process]!;
    this.#active[process] = before + by;
    if (before > 0 === before + by > 0) return;
    this.#size += by;
    this.#a ^= this.#words[2 * process]!;
    this.#b ^= this.#words[2 * process + 1]!;
  }

  /** Adds the time since the last change to the current fragment. */
  advance(time: number): void {
    const elapsed = time - this.#since;
    if (!(elapsed > 0)) return;
    this.#since = time;
    this.#bySize[this.#size] = (this.#bySize[this.#size] ?? 0) + elapsed;
    const key = `${this.#a},${this.#b}`;
    const known = this.#found.get(key);
    if (known !== undefined) known.seconds += elapsed;
    else if (this.#found.size < MAX_FRAGMENTS)
      this.#found.set(key, { size: this.#size, seconds: elapsed, processes: this.#members() });
    else this.#unreported++;
  }

  /** The fragments, longest total time first. */
  fragments(): Fragment[] {
    return [...this.#found.values()].sort((a, b) => b.seconds - a.seconds || a.size - b.size || first(a) - first(b));
  }

  /** Number of distinct fragments; a lower bound if `complete` is false. */
  get count(): { readonly found: number; readonly complete: boolean } {
    return { found: this.#found.size, complete: this.#unreported === 0 };
  }

  /** Seconds spent with 0, 1, 2 … active processes. */
  get bySize(): readonly number[] {
    return Array.from(this.#bySize, (s) => s ?? 0);
  }

  #members(): number[] {
    const members: number[] = [];
    for (let p = 0; p < this.#active.length && members.length < MAX_NAMED; p++)
      if (this.#active[p]! > 0) members.push(p);
    return members;
  }
}

function first({ processes }: Fragment): number {
  return processes[0] ?? -1;
}
