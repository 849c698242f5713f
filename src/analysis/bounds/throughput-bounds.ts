import { fail } from '../../base/problem.ts';
import { assertGiven } from '../../net/members.ts';
import type { Net } from '../../net/net.ts';
import type { RewardExpression } from '../reward.ts';
import { balancedJobs, type JobBounds } from './balanced-jobs.ts';
import { type Active, type LinearRows, linearRows } from './linear-rows.ts';
import { provedBound } from './proved-bound.ts';
import { type BoundSource, type Ends, type Facts, type RewardBounds, rewardBounds } from './reward-bounds.ts';
import { type Row, Simplex } from './simplex.ts';
import { timedNet } from './timed-net.ts';

/** A proved interval of a long-run mean. */
export interface Bounds {
  readonly name: string;
  readonly lower: number;
  /** Null if no upper bound was found. */
  readonly upper: number | null;
  /** Where each end comes from. */
  readonly lowerBy: BoundSource;
  readonly upperBy: BoundSource;
}

/** Proved bounds of all long-run means of a net. */
export interface ThroughputBounds {
  /** Mean tokens by place, of all colours, in service included. */
  readonly places: readonly Bounds[];
  /** Firings per second by transition. */
  readonly transitions: readonly Bounds[];
  /** By transition: share of time in which a clock of it runs, or a firing is in progress; 0 if it takes no time. */
  readonly enabled: readonly Omit<Bounds, 'name'>[];
  /** False if the search was stopped, or a program not solved: some bounds are then weaker than possible. */
  readonly complete: boolean;
}

/** Limits of {@link throughputBounds}. */
export interface BoundsLimits {
  /** Polled during the searches; once it returns true, figures that are left get their simplest bounds. */
  readonly stop?: () => boolean;
}

/** Maximum number of entries of the tableau: 128 MB. */
const MAX_ENTRIES = 16_000_000;

/**
 * Bounds of long-run means without a state space: linear programs over invariants and operational laws. They hold for any distribution
 * with the same mean in place of delays that are not exponential, and whatever depends on ages or draws, in every net whose means exist. Every bound is
 * proved from the multipliers of its program, with rounding.
 *
 * @throws InputError BND001 no delays, BND003 the net is too large, BND004 immediate firings never end, UNF001 … nets that cannot be unfolded
 */
export function throughputBounds(net: Net, options: BoundsLimits = {}): ThroughputBounds {
  assertGiven('throughputBounds', 'options', options, { stop: 'a function' });
  const { rewards: _, ...found } = boundsOf(net, [], options);
  return found;
}

/** As {@link throughputBounds}, with bounds of the means of rewards, in their order. */
export function boundsOf(
  net: Net,
  rewards: readonly RewardExpression[],
  { stop = () => false }: BoundsLimits,
): ThroughputBounds & { readonly rewards: readonly RewardBounds[] } {
  const timed = timedNet(net);
  const system = withJobs(linearRows(timed, stop), balancedJobs(timed));
  const entries = system.rows.length * (system.variables + 2 * system.rows.length);
  if (entries > MAX_ENTRIES)
    fail(
      'BND003',
      `its linear programs have ${system.rows.length} rows and ${system.variables} variables, more than bounds are computed for`,
      {
        part: `net ${net.name}`,
      },
    );
  if (contradicts(system))
    fail('BND004', 'it has no long-run means: immediate firings never end, so that no time passes', {
      part: `net ${net.name}`,
    });
  const programs = new Programs(system, stop);
  const tokens = net.places.map((): number[] => []);
  timed.places.forEach(({ origin }, p) => {
    if (origin >= 0) tokens[origin]!.push(...system.tokens(p));
  });
  const flows = net.transitions.map((): number[] => []);
  timed.transitions.forEach(({ origin }, t) => {
    const flow = system.firings(t);
    if (flow !== undefined) flows[origin]!.push(flow);
  });
  const sumOf = (variables: readonly number[]): Map<number, number> => new Map(variables.map((v) => [v, 1]));
  const places = net.places.map(({ name }, p) => ({ name, ...programs.bounds(sumOf(tokens[p]!)) }));
  const transitions = net.transitions.map(({ name }, t) => ({ name, ...programs.bounds(sumOf(flows[t]!)) }));
  const parts = net.transitions.map((): number[] => []);
  timed.transitions.forEach(({ origin }, t) => {
    if (system.firings(t) !== undefined) parts[origin]!.push(t);
  });
  const enabled = net.transitions.map(({ delay }, t) =>
    delay === undefined || parts[t]!.length === 0
      ? { ...NEVER }
      : shareOf(
          parts[t]!.map((part) => system.active(part)),
          programs,
        ),
  );
  const placeOf = new Map(net.places.map(({ name }, p) => [name, p]));
  const transitionOf = new Map(net.transitions.map(({ name }, t) => [name, t]));
  const facts: Facts = {
    tokens: (place) => tokens[placeOf.get(place)!]!,
    firings: (transition) => flows[transitionOf.get(transition)!]!,
    most: (variable) => system.bounds[variable]!,
    ends: (sum) => programs.ends(sum),
  };
  const asked = rewards.map((reward) => rewardBounds(reward, facts));
  return { places, transitions, enabled, rewards: asked, complete: programs.isComplete && !stop() };
}

const NEVER: Omit<Bounds, 'name'> = { lower: 0, upper: 0, lowerBy: 'trivial', upperBy: 'trivial' };
/** Roundings of a factor and of a quotient. */
const ROUNDED = 2 ** -50;

/** The share of time with at least one active, from the mean number of them, which is at most their bound. */
function shareOf(active: readonly (Active | undefined)[], programs: Programs): Omit<Bounds, 'name'> {
  const known = active.filter((a) => a !== undefined);
  if (known.length < active.length) return { ...NEVER, upper: 1 };
  const { lower, upper, lowerBy, upperBy } = programs.bounds(new Map(known.map((a) => [a.variable, a.factor])));
  const most = known.reduce((sum, a) => sum + a.most, 0);
  const share = upper === null ? 1 : Math.min(1, upper * (1 + ROUNDED));
  const least = most === 0 ? 0 : Math.min(share, (lower / most) * (1 - ROUNDED));
  return {
    lower: least,
    upper: share,
    lowerBy: least === 0 ? 'trivial' : lowerBy,
    upperBy: share === 1 ? 'trivial' : upperBy,
  };
}

/** Relative room in which a row is not contradicted by the bounds of its variables, which are rounded. */
const ROOM = 1e-6;

/** True if a row cannot be satisfied within the bounds of its variables. No means exist then, because every row holds for all means. */
function contradicts({ rows, most }: LinearRows): boolean {
  return rows.some(({ coefficients, most: right, isEquation }) =>
    (isEquation ? [1, -1] : [1]).some((sign) => {
      if (sign * right >= 0) return false;
      let least = 0;
      for (const [v, c] of coefficients) if (sign * c < 0) least += sign * c * most[v]!;
      return least * (1 + ROOM) > sign * right * (1 - ROOM);
    }),
  );
}

/** The rows of a net, and those of balanced jobs. */
interface System extends LinearRows {
  /** Number of the first row of balanced jobs. */
  readonly jobs: number;
}

function withJobs(system: LinearRows, jobs: readonly JobBounds[] = []): System {
  const more = jobs.flatMap(({ lower, upper }, t): Row[] => {
    const flow = system.firings(t);
    if (flow === undefined) return [];
    return [
      { coefficients: new Map([[flow, 1]]), most: upper, isEquation: false },
      { coefficients: new Map([[flow, -1]]), most: -lower, isEquation: false },
    ];
  });
  return { ...system, rows: [...system.rows, ...more], jobs: system.rows.length };
}

/** Relative difference of a proved bound and the value of its program above which the tableau has lost its precision. */
const LOST = 1e-6;

interface End {
  readonly bound: number;
  readonly by: BoundSource;
}

class Programs {
  readonly #system: System;
  readonly #stop: () => boolean;
  #simplex: Simplex | undefined;
  /** False once a program had no feasible point: rounding, since every net has one. */
  isComplete = true;

  constructor(system: System, stop: () => boolean) {
    this.#system = system;
    this.#stop = stop;
  }

  /** The bounds of a sum of variables with positive weights. */
  bounds(sum: ReadonlyMap<number, number>): Omit<Bounds, 'name'> {
    const { upper, ...ends } = this.ends(sum);
    return { ...ends, upper: upper < Number.POSITIVE_INFINITY ? upper : null };
  }

  /** The ends of a weighted sum of variables; infinite where none is known. */
  ends(sum: ReadonlyMap<number, number>): Ends {
    const above = this.#greatest(sum, 1);
    const below = this.#greatest(sum, -1);
    let [least, simple] = [0, 0];
    for (const [v, factor] of sum) {
      const most = factor * this.#system.most[v]! * (1 + ROUNDED);
      if (factor > 0) simple += most;
      else least += most;
    }
    const upper = Math.min(above.bound, simple);
    return {
      lower: Math.max(least, -below.bound),
      upper,
      lowerBy: -below.bound > least ? below.by : 'trivial',
      upperBy: above.bound <= simple && upper < Number.POSITIVE_INFINITY ? above.by : 'trivial',
    };
  }

  #greatest(sum: ReadonlyMap<number, number>, sign: 1 | -1): End {
    if (sum.size === 0) return { bound: 0, by: 'trivial' };
    const none: End = { bound: Number.POSITIVE_INFINITY, by: 'trivial' };
    if (this.#stop()) return none;
    const objective = new Map([...sum].map(([v, factor]) => [v, sign * factor]));
    const isFresh = this.#simplex === undefined;
    this.#simplex ??= new Simplex(this.#system.variables, this.#system.rows, this.#stop);
    this.isComplete &&= this.#simplex.isFeasible;
    const found = this.#proved(objective);
    if (isFresh || found?.isTight === true) return found ?? none;
    this.#simplex = undefined;
    return this.#greatest(sum, sign);
  }

  #proved(objective: ReadonlyMap<number, number>): (End & { readonly isTight: boolean }) | undefined {
    const { rows, most, jobs } = this.#system;
    const y = this.#simplex!.maximise(objective);
    if (y === undefined) return undefined;
    const bound = provedBound(rows, objective, y, most);
    const value = rows.reduce((total, row, i) => total + y[i]! * row.most, 0);
    const isTight = Math.abs(bound - value) <= LOST * (1 + Math.abs(value));
    return { bound, isTight, by: y.subarray(jobs).some((n) => n > LOST) ? 'balanced jobs' : 'linear program' };
  }
}
