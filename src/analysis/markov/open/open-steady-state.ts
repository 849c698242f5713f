import { components } from '../../petri/components.ts';
import type { StateSpace } from '../../space/state-space.ts';
import { graphOf, type NetChain } from '../chain.ts';
import { ROUNDING } from '../elimination.ts';
import { isFound, type Reward } from '../mean-bounds.ts';
import { rateAt } from '../rows.ts';
import { exitRates, type SteadyFigure, type SteadyState } from '../steady-state.ts';
import { Sweeps } from '../sweeps.ts';
import { BandedSolver } from './banded-solver.ts';
import { type FarStates, farStates } from './far-states.ts';
import { type Lyapunov, lyapunov, qualityOf } from './lyapunov.ts';
import type { OpenPlaces } from './open-places.ts';

/** Numbers of tokens beyond the thresholds that classes distinguish, tried in this order until a proof is found. */
const FURTHER = [0, 2, 5];
/** The same where rates of leaving grow: the drift is the stronger, the further the tokens. All are tried, for the best bound. */
const FURTHER_GROWING = [0, 2, 5, 10, 20, 40, 80];
/** Half-width at which iteration ends, relative to the mean or to a thousandth of the largest reward. */
const AIM = 1e-10;
/** Shares of the largest |h| to which h is limited; all are tried. */
const LIMITS = [1, 1 / 4, 1 / 16, 1 / 64, 1 / 256];
/** Exceeds the absolute error from exponentials that are too small for a double. */
const UNDERFLOW = 1e-290;
/** Room for the rounding of a few positive products and exponentials. */
const WIDER = 1 + 1e-9;
/** Share of the mean that is added where the drift of V is positive. */
const SHARE = 1e-11;

/** The reason without intervals that a larger capacity removes. */
export const TOO_SMALL = 'the capacity is too small for a proof';

/** A reward with its approximate mean and the bounds proved so far. */
interface Bounded {
  readonly reward: Reward;
  /** Approximate. */
  readonly mean: number;
  readonly most: number;
  lower: number;
  upper: number;
}

interface Proof {
  readonly far: FarStates;
  readonly v: Lyapunov;
  /** Undefined for a wide matrix, which is solved by sweeps. */
  readonly solver: BandedSolver | undefined;
}

/** The long run of a net with infinitely many states, by its chain cut at a capacity (README.md). */
export class OpenSteadyState {
  /** Why no figure has an interval; undefined if all have one. */
  readonly because: string | undefined;
  readonly #chain: NetChain;
  readonly #open: OpenPlaces;
  readonly #cut: SteadyState;
  readonly #proof: Proof | undefined;
  readonly #exit: Float64Array;
  readonly #stop: () => boolean;
  #sweeps: Sweeps | undefined;

  /** @param cut the long run of the chain that was cut */
  constructor(
    chain: NetChain,
    space: StateSpace,
    open: OpenPlaces,
    capacity: number,
    cut: SteadyState,
    stop: () => boolean,
  ) {
    this.#chain = chain;
    this.#open = open;
    this.#cut = cut;
    this.#stop = stop;
    this.#exit = exitRates(chain);
    const proof = open.obstacle ?? this.#proved(space, capacity);
    if (typeof proof === 'string') this.because = proof;
    else this.#proof = proof;
  }

  #proved(space: StateSpace, capacity: number): Proof | string {
    const chain = this.#chain;
    if (this.#exit.some((rate) => rate === 0)) return 'the net stops';
    const isGrowing = this.#open.places.some(({ growth }) => growth > 0);
    let best: Pick<Proof, 'far' | 'v'> | undefined;
    for (const further of isGrowing ? FURTHER_GROWING : FURTHER) {
      const far = farStates(chain, space, this.#open, capacity, further);
      if (typeof far === 'string') {
        if (further === 0) return far;
        break;
      }
      if (oneEnd(chain, far) < 0) return 'the chain may end in one of several sets of states';
      const v = lyapunov(far, this.#open.places.length, chain.error, this.#stop);
      if (v === undefined) continue;
      if (best === undefined || qualityOf(v) > qualityOf(best.v)) best = { far, v };
      if (!isGrowing) break;
    }
    if (best === undefined) return UNSTABLE;
    const { far, v } = best;
    if (v.from < 1) return TOO_SMALL;
    const tokens = far.tokens.reduce((sum, own) => sum.map((n, s) => n + own[s]!));
    return { far, v, solver: BandedSolver.of(chain, this.#exit, tokens, oneEnd(chain, far)) };
  }

  /** The mean of the chain that was cut, without an interval. */
  unproved(reward: Reward): number {
    return this.#cut.unproved(reward);
  }

  means(rewards: readonly Reward[]): SteadyFigure[] {
    const found: SteadyFigure[] = [];
    for (let k = 0; k < rewards.length; k += 2) found.push(...this.#pair(rewards.slice(k, k + 2)));
    return found;
  }

  #pair(rewards: readonly Reward[]): SteadyFigure[] {
    const proof = this.#proof;
    if (proof === undefined)
      return rewards.map((reward) => ({
        mean: this.#cut.unproved(reward),
        lower: 0,
        upper: Number.POSITIVE_INFINITY,
        isFound: false,
      }));
    const direct = rewards.map(({ reward }) => proof.solver?.solution(reward));
    const found = rewards.map((reward, k): Bounded => {
      const most = reward.reward.reduce((a, b) => Math.max(a, b), 0);
      const mean = direct[k]?.mean ?? this.#cut.unproved(reward);
      return { reward, mean, most, lower: Number.NEGATIVE_INFINITY, upper: Number.POSITIVE_INFINITY };
    });
    for (const [k, one] of found.entries()) {
      if (direct[k] === undefined) continue;
      const { h } = direct[k];
      const most = h.reduce((all, x) => Math.max(all, Math.abs(x)), 0);
      // Any h gives an interval. A limited h has its errors where tokens are many, which V covers, and fewer where the chain was cut.
      for (const share of LIMITS)
        this.#narrow(
          proof,
          one,
          h.map((x) => Math.max(-share * most, Math.min(x, share * most))),
        );
    }
    if (proof.solver === undefined) this.#sweep(proof, found);
    return found.map(({ reward, mean: near, most, lower, upper }) => {
      const isPositive = [...(reward.slopes?.values() ?? [])].every((slope) => slope >= 0);
      const ends = { lower: isPositive ? Math.max(0, lower) : lower, upper };
      const mean = Math.min(Math.max(near, ends.lower), upper);
      return { mean, ...ends, isFound: isFound({ mean, ...ends }, most || 1) };
    });
  }

  #sweep(proof: Proof, found: readonly Bounded[]): void {
    this.#sweeps ??= new Sweeps({ ...this.#chain, exit: this.#exit });
    const sweeps = this.#sweeps;
    sweeps.intervals(
      found.map(({ reward }) => reward.reward),
      found.map(({ mean }) => mean),
      this.#chain.error,
      () => {
        for (const [k, one] of found.entries()) this.#narrow(proof, one, sweeps.solution(k));
        return found.every(({ mean, most, lower, upper }) => upper - lower <= 2 * AIM * Math.max(mean, 1e-3 * most));
      },
      this.#stop,
    );
  }

  /** min and max of r + Q(h ± δV) over all states of the infinite chain, h being continued by one of its values. */
  #narrow({ far, v }: Proof, one: Bounded, h: Float64Array): void {
    const { reward, mean, most } = one;
    const slopes = reward.slopes ?? new Map<number, number>();
    const width = h.reduce((a, b) => Math.max(a, b)) - h.reduce((a, b) => Math.min(a, b));
    const exit = far.representatives.reduce((all, { state }) => Math.max(all, this.#exit[state]!), 0);
    const slope = this.#open.places.reduce(
      (all, { place }, p) => Math.max(all, Math.abs(slopes.get(place) ?? 0) / v.theta[p]!),
      0,
    );
    // Rates of leaving grow in proportion to the tokens.
    const growth = this.#open.places.reduce((all, place, p) => Math.max(all, place.growth / v.theta[p]!), 0);
    // Bound of |r + Qh| where rates or states were cut, plus the mean; a formula may hold only there.
    const outside = (Math.max(1, most) + exit * width + (slope + growth * width) * v.from + mean) * WIDER;
    // Logarithm of δ. It must cover the states outside; a larger one that adds little where the drift is positive is used, too.
    const enough = Math.log(outside) - v.from - v.least - v.logGamma + 1e-9;
    const little = Math.log(SHARE * Math.max(mean, 1e-3 * most, Number.MIN_VALUE)) - v.logB;
    const delta = Math.max(enough, little);
    const { low, high } = this.#extremes(far, v, delta, reward.reward, h);
    // In the states outside, r + Q(h + δV) is at most −mean, and r + Q(h − δV) at least the mean.
    one.upper = Math.min(one.upper, Math.max(high, -mean));
    one.lower = Math.max(one.lower, Math.min(low, mean));
  }

  /** Least and largest r + Q(h ± δV) of the whole states. */
  #extremes(far: FarStates, v: Lyapunov, delta: number, reward: Float64Array, h: Float64Array) {
    const { start, target, rates, states, error } = this.#chain;
    const near = Math.exp(delta + v.logB) * WIDER + UNDERFLOW;
    let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (let s = 0; s < states; s++) {
      if (far.isWhole[s] === 0) continue;
      let sum = reward[s]!;
      let size = sum;
      for (let e = start[s]!; e < start[s + 1]!; e++) {
        const term = rateAt(rates, e) * (h[target[e]!]! - h[s]!);
        sum += term;
        size += Math.abs(term);
      }
      let off = (2 * error + (start[s + 1]! - start[s]! + 6) * ROUNDING) * size + UNDERFLOW;
      if (far.isFar[s] === 0) off += near;
      else {
        const height = v.theta.reduce((x, theta, p) => x + theta * far.tokens[p]![s]!, v.w[far.classOf[s]!]!);
        off -= Math.exp(delta + v.logGamma + height - 1e-9) / WIDER;
      }
      low = Math.min(low, sum - off);
      high = Math.max(high, sum + off);
    }
    return { low, high };
  }
}

const UNSTABLE = 'no proof that the queues are stable: their tokens may grow without end';

/**
 * A state that is reached from all states that are not far, with steps of the infinite chain only; −1 if none is known. The infinite chain
 * returns to states that are not far again and again. So it has one stationary distribution.
 */
function oneEnd(chain: NetChain, { isWhole, representatives }: FarStates): number {
  const { of, bottom } = components(graphOf(chain));
  // Solving takes a single end of the chain that was cut, too.
  if (bottom.reduce((sum, is) => sum + is, 0) !== 1) return -1;
  const end = isWhole.findIndex((is, s) => is === 1 && bottom[of[s]!] === 1);
  if (end < 0) return end;
  const leads = new Uint8Array(chain.states);
  leads[end] = 1;
  const visit = (s: number): boolean => {
    if (isWhole[s] === 0 || leads[s] === 1) return false;
    for (let e = chain.start[s]!; e < chain.start[s + 1]!; e++) if (leads[chain.target[e]!] === 1) leads[s] = 1;
    return leads[s] === 1;
  };
  for (let changed = true; changed; ) {
    changed = false;
    for (let s = 0; s < chain.states; s++) if (visit(s)) changed = true;
    for (let s = chain.states - 1; s >= 0; s--) if (visit(s)) changed = true;
  }
  return representatives.every(({ state, isFar }) => isFar || leads[state] === 1) ? end : -1;
}
