import { compileKernel, Kernel } from '../../kernel/kernel.ts';
import { MAX_PAGES, type Memory, MemoryFull } from '../../kernel/memory.ts';
import { ROUNDING } from './elimination.ts';
import type { Rates } from './rows.ts';
import { Relaxation } from './sweeping/relaxation.ts';
import { pagesFor } from './sweeping/row-room.ts';
import { sweepCode } from './sweeping/sweep-code.ts';

/** An irreducible generator: rates to other states in compressed rows. */
export interface Generator {
  readonly states: number;
  readonly start: Uint32Array;
  readonly target: Int32Array;
  readonly rates: Rates;
  /** Sum of the rates out of each state. */
  readonly exit: Float64Array;
  /** The memory that holds the rows; undefined if they are to be copied to one. */
  readonly memory?: Memory | undefined;
}

/** A matrix in the memory of the kernel: addresses of its arrays. */
interface Stored {
  readonly start: number;
  readonly target: number;
  readonly code: number;
  readonly value: number;
}

/** An interval that contains a mean. */
export interface Interval {
  readonly lower: number;
  readonly upper: number;
}

/** Exceeds the total loss of the terms by underflow. */
const UNDERFLOW = 1e-300;
/** Maximum number of sweeps. */
const MAX_SWEEPS = 20_000;
/** Growth of an interval by which over-relaxed sweeps are known to diverge. */
const DIVERGED = 100;

/** Solves systems of a generator by Gauss–Seidel sweeps in WebAssembly. */
export class Sweeps {
  readonly #states: number;
  readonly #exit: Float64Array;
  readonly #kernel: Kernel;
  readonly #rows: Stored;
  readonly #inverse: number;
  readonly #relaxation: Relaxation = new Relaxation();
  /** Rewards, means and the iterated vectors, two of each in pairs. */
  #vectors: { readonly reward: number; readonly mean: number; readonly h: number } | undefined;

  /** @throws MemoryFull if the matrix does not fit in 4 GiB */
  constructor(generator: Generator) {
    const { states, start, target, rates, exit, memory } = generator;
    this.#states = states;
    this.#exit = exit;
    const pages = pagesFor(states, target.length, rates.code === undefined ? 8 : 1);
    if (pages > MAX_PAGES) throw new MemoryFull(`a matrix of ${target.length} rates`);
    this.#kernel = new Kernel({ ...compileKernel(sweepCode(rates.code !== undefined)), pages, memory });
    this.#rows = {
      start: this.#placed(start),
      target: this.#placed(target),
      code: rates.code === undefined ? 0 : this.#placed(rates.code),
      value: this.#placed(rates.value),
    };
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
    const { start, target, code, value } = this.#rows;
    const { call, memory } = this.#kernel;
    const [x, into] = [memory.allocate(8 * n), memory.allocate(8 * n)];
    const begin = (): void => {
      this.#nums(x, n).fill(1 / n);
      const flows = this.#nums(into, n);
      for (let i = 0; i < n; i++) flows[i] = this.#exit[i]! / n;
    };
    begin();
    // States are numbered by their distance from the first one, so that probability flows up the numbers: one sweep carries it far.
    const relaxation = this.#relaxation;
    for (let sweep = 0; sweep < MAX_SWEEPS && !stop(); sweep++) {
      const change = call['flow']!(n, start, target, code, value, this.#inverse, into, x, relaxation.factor);
      if (!(change < smallChange)) {
        if (!relaxation.after(change)) begin();
      } else if (!relaxation.isUsed || this.#nums(x, 1)[0]! > 0) break;
      else {
        // Sweeps that diverged have led to an overflow, or to a negative multiple of the distribution.
        relaxation.giveUp();
        begin();
      }
    }
    // Before it converges, over-relaxation may lead below 0.
    const probability = this.#nums(x, n).map((p) => Math.max(0, p));
    const total = probability.reduce((sum, p) => sum + p, 0);
    if (total > 0 && total < Number.POSITIVE_INFINITY) for (let i = 0; i < n; i++) probability[i]! /= total;
    else probability.fill(1 / n);
    // The vectors of intervals take their place.
    memory.free(x, 8 * n);
    memory.free(into, 8 * n);
    return probability;
  }

  /**
   * Intervals that contain the stationary means of one or two rewards: min(r + Qh) and max(r + Qh), for h that is iterated from 0
   * on Qh = g − r. Matrices of sweeps for h and for the distribution have the same eigenvalues, so the factor of relaxation is that which was
   * found for the distribution.
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
    const { start, target, code, value } = this.#rows;
    const vectors = this.#paired(rewards, means);
    const { reward, mean, h } = vectors;
    const best = rewards.map(() => ({ lower: Number.NEGATIVE_INFINITY, upper: Number.POSITIVE_INFINITY }));
    const checks = new Checks();
    const middles = [means[0]!, means.at(-1)!];
    let factor = this.#relaxation.best;
    let narrowest = Number.POSITIVE_INFINITY;
    for (let sweep = 0; ; sweep++) {
      if (checks.isDue(sweep) || sweep === MAX_SWEEPS || stop()) {
        let widest = 0;
        for (const [lane, interval] of best.entries()) {
          call['bound']!(n, start, target, code, value, reward, h, lane, error, ROUNDING, UNDERFLOW);
          const [low, high] = [this.#kernel.get('low'), this.#kernel.get('high')];
          interval.lower = Math.max(interval.lower, low);
          interval.upper = Math.min(interval.upper, high);
          // The approximate mean is proved wrong.
          if (middles[lane]! < low || middles[lane]! > high) middles.fill((low + high) / 2, lane);
          widest = Math.max(widest, high - low);
        }
        if (factor > 1 && !(widest <= DIVERGED * narrowest)) {
          factor = 1 + (factor - 1) / 2;
          narrowest = widest = Number.POSITIVE_INFINITY;
          this.#nums(h, 2 * n).fill(0);
        }
        narrowest = Math.min(narrowest, widest);
        if (isEnough(best) || sweep === MAX_SWEEPS || stop()) break;
        const width = best.reduce((most, { lower, upper }) => Math.max(most, upper - lower), 0);
        if (!checks.next(sweep, width)) break;
        // Only differences count; without a shift h could grow.
        call['shift']!(n, h);
        this.#nums(mean, 2).set(middles);
      }
      call['relax']!(n, start, target, code, value, this.#inverse, reward, mean, h, factor);
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

  /** The address of an array in the memory of the kernel, to which it is copied unless it is there. */
  #placed(array: Uint32Array | Int32Array | Uint8Array | Float64Array): number {
    const { memory } = this.#kernel;
    if (array.buffer === memory.memory.buffer) return array.byteOffset;
    const at = memory.allocate(array.byteLength);
    memory.bytes.set(new Uint8Array(array.buffer, array.byteOffset, array.byteLength), at);
    return at;
  }

  #nums(at: number, length: number): Float64Array {
    return new Float64Array(this.#kernel.memory.memory.buffer, at, length);
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
