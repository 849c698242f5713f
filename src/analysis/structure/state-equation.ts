import type { SparseVector } from '../flows/elimination.ts';
import type { Petri, Weighted } from '../petri/petri.ts';
import type { LinearRow, LinearSolver } from './linear-program.ts';
import { integerProportions } from './rational.ts';

/*
 * The state equation m = m₀ + C · x, x ≥ 0 (Murata 1989, section IV) holds in every reachable marking, so markings excluded
 * by its linear relaxation are unreachable. The dual program is solved: its solution is a vector y of place weights with
 * y · C ≤ 0, that is y · m never increases. The solution is then verified in exact integer arithmetic.
 */

/** The demand weights · m ≥ `least`. */
export interface Demand {
  readonly weights: SparseVector;
  readonly least: number;
}

/** A bound of a sum of tokens, and its proof: `scale` × sum ≤ y · m ≤ y · m₀. */
export interface SumBound {
  readonly bound: number;
  readonly scale: number;
  readonly weights: SparseVector;
}

/**
 * The smallest upper bound of a sum of tokens that the state equation proves, rounded down to an integer; undefined if it
 * proves none.
 */
export function boundOfSum(petri: Petri, sum: SparseVector, solver: LinearSolver): SumBound | undefined {
  const { places } = petri;
  const resets = new Set(petri.transitions.flatMap((t) => [...t.resets]));
  const costs = new Map<number, number>();
  places.forEach(({ initial }, p) => {
    if (initial > 0) costs.set(p, initial);
  });
  // y ≥ sum, so entries of y may be negative only where weights of the sum are.
  const rows = [
    ...changeRows(petri),
    ...[...sum].map(([p, w]): LinearRow => ({ coefficients: new Map([[p, -1]]), most: -w })),
  ];
  const free = (p: number): boolean => (sum.get(p) ?? 0) < 0 && !resets.has(p);
  const solved = solver({ costs, variables: places.length, free, rows });
  if (solved === undefined) return undefined;
  // The appended 1 becomes the scale.
  const integers = integerProportions(Float64Array.from([...solved, 1]));
  return integers === undefined ? undefined : checkedBound(petri, sum, integers.slice(0, -1), integers.at(-1)!);
}

/** The bound proved by the given weights, all conditions checked in exact arithmetic; undefined if they prove none. */
export function checkedBound(
  petri: Petri,
  sum: SparseVector,
  weights: readonly bigint[],
  scale: bigint,
): SumBound | undefined {
  if (scale <= 0n || !neverGrows(petri, weights)) return undefined;
  for (let p = 0; p < weights.length; p++) if (weights[p]! < scale * BigInt(sum.get(p) ?? 0)) return undefined;
  const bound = floorDivided(initialTokens(petri, weights), scale);
  const numbers = sparse(weights);
  if (numbers === undefined || !isSafe(bound) || !isSafe(scale)) return undefined;
  return { bound: Number(bound), scale: Number(scale), weights: numbers };
}

/** Places that weights of the state equation bound, and some weights of all of them. */
export interface BoundedPlaces {
  /** False: no weights y ≥ 0 with y · C ≤ 0 are positive in this place, as far as the solver is right. */
  readonly hasWeights: (place: number) => boolean;
  /** Weights that are positive in all these places, checked in exact arithmetic; undefined if they could not be made exact. */
  readonly weights: SparseVector | undefined;
}

/**
 * The largest set of places that weights bound, by one linear program: weights form a cone, so that the sum of those of single places
 * has all of them; the program counts places of weight 1 or more. Undefined if it is not solved.
 */
export function boundedPlaces(petri: Petri, solver: LinearSolver): BoundedPlaces | undefined {
  const n = petri.places.length;
  // Variable p is a weight, n + p ≤ 1 counts the place.
  const counted = petri.places.flatMap((_, p): LinearRow[] => [
    {
      coefficients: new Map([
        [n + p, 1],
        [p, -1],
      ]),
      most: 0,
    },
    { coefficients: new Map([[n + p, 1]]), most: 1 },
  ]);
  const costs = new Map(petri.places.map((_, p) => [n + p, -1]));
  const rows = [...changeRows(petri), ...counted];
  const solved = solver({ costs, variables: 2 * n, free: () => false, rows });
  if (solved === undefined) return undefined;
  const integers = integerProportions(solved.slice(0, n));
  const isProved = integers?.every((w) => w >= 0n) === true && neverGrows(petri, integers);
  return { hasWeights: (place) => solved[n + place]! > 0.5, weights: isProved ? sparse(integers) : undefined };
}

/** Proof that no reachable marking meets some demands together: a non-negative combination of them exceeds y · m₀. */
export interface Refutation {
  /** Factor of each demand. */
  readonly multipliers: readonly number[];
  readonly weights: SparseVector;
  /** y · m₀. */
  readonly tokens: number;
  /** The combined demand, greater than `tokens`. */
  readonly demanded: number;
}

/** The refutation of the demands by the state equation; undefined if it does not exclude them. */
export function refutation(petri: Petri, demands: readonly Demand[], solver: LinearSolver): Refutation | undefined {
  const { places } = petri;
  const resets = new Set(petri.transitions.flatMap((t) => [...t.resets]));
  const n = places.length;
  const costs = new Map<number, number>();
  places.forEach(({ initial }, p) => {
    if (initial > 0) costs.set(p, initial);
  });
  demands.forEach(({ least }, k) => {
    if (least !== 0) costs.set(n + k, -least);
  });
  // The combined weights of the demands must not exceed y.
  const sums = new Map<number, Map<number, number>>();
  demands.forEach(({ weights }, k) => {
    for (const [p, w] of weights) {
      const row = sums.get(p) ?? new Map([[p, -1]]);
      sums.set(p, row.set(n + k, w));
    }
  });
  const rows = [
    ...changeRows(petri),
    ...[...sums.values()].map((coefficients): LinearRow => ({ coefficients, most: 0 })),
    { coefficients: new Map(demands.map((_, k) => [n + k, 1])), most: 1 },
  ];
  const negative = new Set(demands.flatMap(({ weights }) => [...weights].flatMap(([p, w]) => (w < 0 ? [p] : []))));
  const free = (v: number): boolean => v < n && negative.has(v) && !resets.has(v);
  const solved = solver({ costs, variables: n + demands.length, free, rows });
  const integers = solved === undefined ? undefined : integerProportions(solved);
  return integers === undefined
    ? undefined
    : checkedRefutation(petri, demands, integers.slice(0, n), integers.slice(n));
}

/** The refutation by the given weights and multipliers, all conditions checked in exact arithmetic; undefined if they fail. */
export function checkedRefutation(
  petri: Petri,
  demands: readonly Demand[],
  weights: readonly bigint[],
  multipliers: readonly bigint[],
): Refutation | undefined {
  if (multipliers.some((z) => z < 0n) || !neverGrows(petri, weights)) return undefined;
  const sum = weights.map(() => 0n);
  let demanded = 0n;
  demands.forEach((demand, k) => {
    demanded += multipliers[k]! * BigInt(demand.least);
    for (const [p, w] of demand.weights) sum[p]! += multipliers[k]! * BigInt(w);
  });
  if (sum.some((w, p) => w > weights[p]!)) return undefined;
  const tokens = initialTokens(petri, weights);
  if (demanded <= tokens) return undefined;
  const numbers = sparse(weights);
  const factors = multipliers.map(Number);
  if (numbers === undefined || !isSafe(tokens) || !isSafe(demanded) || !factors.every(Number.isSafeInteger))
    return undefined;
  return { multipliers: factors, weights: numbers, tokens: Number(tokens), demanded: Number(demanded) };
}

/** y · C ≤ 0: one row for each distinct effect of a transition. */
function changeRows({ transitions }: Petri): LinearRow[] {
  const rows = new Map<string, LinearRow>();
  for (const { change } of transitions)
    if (change.length > 0) rows.set(change.join(';'), { coefficients: new Map(change), most: 0 });
  return [...rows.values()];
}

/** True if y · m never increases: no transition has a positive weighted effect, and reset places have no negative weight. */
function neverGrows({ transitions }: Petri, weights: readonly bigint[]): boolean {
  return transitions.every(
    ({ change, resets }) => gain(change, weights) <= 0n && resets.every((p) => weights[p]! >= 0n),
  );
}

function gain(change: readonly Weighted[], weights: readonly bigint[]): bigint {
  return change.reduce((sum, [p, n]) => sum + BigInt(n) * weights[p]!, 0n);
}

function initialTokens({ places }: Petri, weights: readonly bigint[]): bigint {
  return weights.reduce((sum, w, p) => sum + w * BigInt(places[p]!.initial), 0n);
}

function sparse(weights: readonly bigint[]): Map<number, number> | undefined {
  const numbers = new Map<number, number>();
  for (const [p, w] of weights.entries()) {
    if (!isSafe(w)) return undefined;
    if (w !== 0n) numbers.set(p, Number(w));
  }
  return numbers;
}

const isSafe = (n: bigint): boolean => n <= BigInt(Number.MAX_SAFE_INTEGER) && n >= -BigInt(Number.MAX_SAFE_INTEGER);

function floorDivided(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return a % b !== 0n && a < 0n ? quotient - 1n : quotient;
}
