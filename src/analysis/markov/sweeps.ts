import { compileKernel, Kernel } from '../../kernel/kernel.ts';
import { ROUNDING } from './elimination.ts';
import type { Rates } from './rows.ts';
import { sweepCode } from './sweep-code.ts';

/** An irreducible generator: rates to other states in compressed rows. */
export interface Generator {
  readonly states: number;
  readonly start: Uint32Array;
  readonly target: Int32Array;
  readonly rates: Rates;
  /** Sum of the rates out of each state. */
  readonly exit: Float64Array;
}

/** A matrix in the memory of the kernel: addresses of its arrays. */
interface Stored {
  readonly start: number;
  readonly other: number;
  readonly code: number;
  readonly value: number;
}

/** An interval that contains a mean. */
export interface Interval {
  readonly lower: number;
  readonly upper: number;
}

/** Bytes of a page of WebAssembly memory, and what the kernel needs besides the arrays. */
const PAGE = 2 ** 16;
const SPARE = 2 ** 17;
/** Exceeds all that terms can lose by underflow. */
const UNDERFLOW = 1e-300;
/** Maximum number of sweeps. */
const MAX_SWEEPS = 20_000;

/** Solves systems of a generator by Gauss–Seidel sweeps in WebAssembly. */
export class Sweeps {
  readonly #states: number;
  readonly #generator: Generator;
  readonly #kernel: Kernel;
  readonly #rows: Stored;
  readonly #inverse: number;
  /** Rewards, means and the iterated vectors, two of each in pairs. */
  #vectors: { readonly reward: number; readonly mean: number; readonly h: number } | undefined;

  /** @throws MemoryFull if the matrix does not fit in 4 GiB */
  constructor(generator: Generator) {
    const { states, start, target, rates, exit } = generator;
    this.#states = states;
    this.#generator = generator;
    const entries = target.length;
    const matrix = 4 * (states + 1) + 4 * entries + (rates.code === undefined ? 8 * entries : entries + 8 * 256) + 64;
    const bytes = 2 * matrix + 8 * states * 6 + SPARE;
    this.#kernel = new Kernel({
      ...compileKernel(sweepCode(rates.code !== undefined)),
      pages: Math.ceil(bytes / PAGE),
    });
    this.#rows = this.#stored(entries, rates);
    this.#ints(this.#rows.start, states + 1).set(start);
    this.#ints(this.#rows.other, entries).set(target);
    if (rates.code !== undefined) this.#bytes(this.#rows.code, entries).set(rates.code);
    this.#nums(this.#rows.value, rates.value.length).set(rates.value);
    this.#inverse = this.#kernel.memory.allocate(8 * states);
    const inverse = this.#nums(this.#inverse, states);
    for (let i = 0; i < states; i++) inverse[i] = 1 / exit[i]!;
  }

  /**
   * The approximate stationary distribution, until no probability changes by more than `smallChange` of it in a sweep. Its quality
   * is not measured by that, but by bounds.
   */
  stationary(smallChange: number, stop: () => boolean): Float64Array {
    const n = this.#states;
    const { start, other, code, value } = this.#transposed();
    const { call, memory } = this.#kernel;
    const x = memory.allocate(8 * n);
    this.#nums(x, n).fill(1 / n);
    // States are numbered by their distance from the first one, so that probability flows up the numbers: one sweep carries it far.
    for (let sweep = 0; sweep < MAX_SWEEPS && !stop(); sweep++) {
      const change = call['flow']!(n, start, other, code, value, this.#inverse, x);
      call['scale']!(n, x, 1 / this.#kernel.get('total'));
      if (change < smallChange) break;
    }
    const probability = this.#nums(x, n).slice();
    // The vectors of intervals take their place.
    const entries = this.#generator.target.length;
    memory.free(x, 8 * n);
    memory.free(start, 4 * (n + 1));
    memory.free(other, 4 * entries);
    if (code !== 0) memory.free(code, entries);
    memory.free(value, 8 * this.#generator.rates.value.length);
    return probability;
  }

  /**
   * Intervals that contain the stationary means of one or two rewards: min(r + Qh) and max(r + Qh), for h that is iterated from 0
   * on Qh = g − r.
   *
   * @param means approximate means
   * @param error bound on the errors of rates and rewards as logarithms
   * @param isEnough true if the intervals are narrow enough
   */
  intervals(
    rewards: readonly Float64Array[],
    means: readonly number[],
    error: number,
    isEnough: (intervals: readonly Interval[]) => boolean,
    stop: () => boolean,
  ): readonly Interval[] {
    const n = this.#states;
    const { call } = this.#kernel;
    const { start, other, code, value } = this.#rows;
    const vectors = this.#paired(rewards, means);
    const { reward, mean, h } = vectors;
    const best = rewards.map(() => ({ lower: Number.NEGATIVE_INFINITY, upper: Number.POSITIVE_INFINITY }));
    const checks = new Checks();
    const middles = [means[0]!, means.at(-1)!];
    for (let sweep = 0; ; sweep++) {
      if (checks.isDue(sweep) || sweep === MAX_SWEEPS || stop()) {
        for (const [lane, interval] of best.entries()) {
          call['bound']!(n, start, other, code, value, reward, h, lane, error, ROUNDING, UNDERFLOW);
          const [low, high] = [this.#kernel.get('low'), this.#kernel.get('high')];
          interval.lower = Math.max(interval.lower, low);
          interval.upper = Math.min(interval.upper, high);
          // The approximate mean is proved wrong.
          if (middles[lane]! < low || middles[lane]! > high) middles.fill((low + high) / 2, lane);
        }
        if (isEnough(best) || sweep === MAX_SWEEPS || stop()) break;
        const width = best.reduce((most, { lower, upper }) => Math.max(most, upper - lower), 0);
        if (!checks.next(sweep, width)) break;
        // Only differences count; without a shift h could grow.
        call['shift']!(n, h);
        this.#nums(mean, 2).set(middles);
      }
      call['relax']!(n, start, other, code, value, this.#inverse, reward, mean, h);
    }
    return best;
  }

  /** The vector h of a reward of the last {@link intervals}. */
  solution(lane: number): Float64Array {
    const pairs = this.#nums(this.#vectors!.h, 2 * this.#states);
    return Float64Array.from({ length: this.#states }, (_, k) => pairs[2 * k + lane]!);
  }

  #paired(rewards: readonly Float64Array[], means: readonly number[]) {
    const n = this.#states;
    const { memory } = this.#kernel;
    this.#vectors ??= { reward: memory.allocate(16 * n), mean: memory.allocate(16), h: memory.allocate(16 * n) };
    const { reward, mean, h } = this.#vectors;
    const pairs = this.#nums(reward, 2 * n);
    const [a, b] = [rewards[0]!, rewards.at(-1)!];
    for (let k = 0; k < n; k++) {
      pairs[2 * k] = a[k]!;
      pairs[2 * k + 1] = b[k]!;
    }
    this.#nums(mean, 2).set([means[0]!, means.at(-1)!]);
    this.#nums(h, 2 * n).fill(0);
    return this.#vectors;
  }

  /** The rates into each state. */
  #transposed(): Stored {
    const { states: n, start, target, rates } = this.#generator;
    const columns = this.#stored(target.length, rates);
    const into = this.#ints(columns.start, n + 1);
    const source = this.#ints(columns.other, target.length);
    const codes = this.#bytes(columns.code, target.length);
    const values = this.#nums(columns.value, rates.value.length);
    if (rates.code !== undefined) values.set(rates.value);
    for (const j of target) into[j + 1]!++;
    for (let j = 0; j < n; j++) into[j + 1]! += into[j]!;
    const next = into.slice();
    for (let i = 0; i < n; i++)
      for (let e = start[i]!; e < start[i + 1]!; e++) {
        const at = next[target[e]!]!++;
        source[at] = i;
        if (rates.code === undefined) values[at] = rates.value[e]!;
        else codes[at] = rates.code[e]!;
      }
    return columns;
  }

  #stored(entries: number, { code, value }: Rates): Stored {
    const { memory } = this.#kernel;
    return {
      start: memory.allocate(4 * (this.#states + 1)),
      other: memory.allocate(4 * entries),
      code: code === undefined ? 0 : memory.allocate(entries),
      value: memory.allocate(8 * value.length),
    };
  }

  #ints(at: number, length: number): Uint32Array {
    return new Uint32Array(this.#kernel.memory.memory.buffer, at, length);
  }

  #nums(at: number, length: number): Float64Array {
    return new Float64Array(this.#kernel.memory.memory.buffer, at, length);
  }

  #bytes(at: number, length: number): Uint8Array {
    return new Uint8Array(this.#kernel.memory.memory.buffer, at, length);
  }
}

/** Sweeps until the first evaluation of bounds, and the most between two of them. */
const FIRST = 8;
const FARTHEST = 256;
/** Iteration ends if the intervals have not become narrower by this factor in this number of sweeps. */
const STALLED = 0.9;
const STALLED_AFTER = 4096;

/** When to evaluate the bounds, which costs as much as two sweeps: ever more rarely, and no longer if they do not improve. */
class Checks {
  #due = 0;
  #since = 0;
  #width = Number.POSITIVE_INFINITY;

  isDue(sweep: number): boolean {
    return sweep === this.#due;
  }

  /** False if the iteration makes no progress. */
  next(sweep: number, width: number): boolean {
    this.#due = sweep + Math.max(FIRST, Math.min(FARTHEST, Math.floor(sweep / 8)));
    if (width <= STALLED * this.#width) {
      this.#width = width;
      this.#since = sweep;
    }
    return sweep - this.#since < STALLED_AFTER;
  }
}
