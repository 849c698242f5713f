import { Simplex } from '../../bounds/simplex.ts';
import type { ClassStep, FarStates, Representative } from './far-states.ts';

/**
 * V(s) = exp(θ·n + w(class)) with QV ≤ −γV in all far states and QV ≤ b in the others, which are finitely many (README.md). Its drift
 * was checked in every representative, with room for rounding.
 */
export interface Lyapunov {
  /** By open place. */
  readonly theta: readonly number[];
  /** By class. */
  readonly w: Float64Array;
  /** Logarithms of γ, of a number not below b, and of a number not above V wherever the chain was cut, which is exp(θ·n + least) there. */
  readonly logGamma: number;
  readonly logB: number;
  readonly least: number;
  /** Least θ·n outside the states that are kept. */
  readonly from: number;
}

/** Classes and places for which a linear program is solved. */
const MAX_UNKNOWNS = 400;
/** Relative errors of the computed drift: of exponentials of numbers up to 700, products and sums. */
const MARGIN = 1e-11;
const POWER_STEPS = 60;
/** Values of V by class, the largest being 1, are at least this, so that none is rounded to a denormal number. */
const TINY = 1e-200;

/**
 * The function V whose bound is best; undefined if none was found.
 *
 * @param error bound on the errors of the rates, as logarithms
 */
export function lyapunov(far: FarStates, places: number, error: number, stop: () => boolean): Lyapunov | undefined {
  const own = far.representatives.filter(({ isFar }) => isFar);
  const slope = slopes(own, places, far.classes, stop);
  if (slope === undefined) return undefined;
  // Small multiples have a negative drift by the linear program; the largest useful one is found by trying.
  const square = own.reduce((most, { steps, class: from }) => {
    const sum = steps.reduce((all, { rate, change, to }) => {
      const d = change.reduce((x, n, p) => x + n * slope.theta[p]!, slope.w[to]! - slope.w[from]!);
      return all + rate * d * d;
    }, 0);
    return Math.max(most, sum);
  }, 0);
  let best: Attempt | undefined;
  const attempt = (start: Slope): boolean => {
    const found = scaled(far, start, error);
    if (found === undefined) return false;
    const quality = qualityOf(found);
    if (best !== undefined && quality <= best.quality) return false;
    best = { found, quality };
    return true;
  };
  const times = ({ theta, w }: Slope, by: readonly number[], all: number): Slope => ({
    theta: theta.map((x, p) => x * by[p]!),
    w: w.map((x) => x * all),
  });
  for (let k = -16; k < 30 && !stop(); k += 2) {
    const by = (2 / square) * 1.25 ** k;
    attempt(times(slope, Array<number>(places).fill(by), by));
  }
  // From there, one θ after the other, and all of them.
  for (let step = 1.3; step > 1.003 && !stop(); ) {
    const before = best;
    for (let p = 0; p <= places; p++)
      for (const by of [step, 1 / step]) {
        if (best === undefined) return undefined;
        const each = Array.from({ length: places }, (_, k) => (p === k || p === places ? by : 1));
        attempt(times(best.found, each, p === places ? by : 1));
      }
    if (best === before) step = Math.sqrt(step);
  }
  return best?.found;
}

interface Attempt {
  readonly found: Lyapunov;
  /** Logarithm of what divides the error. */
  readonly quality: number;
}

interface Slope {
  readonly theta: readonly number[];
  readonly w: Float64Array;
}

/**
 * θ ≥ 0 and w whose linear drift is at most −1 in all far states, with the least sum of θ. They are the multipliers of a linear program whose
 * variables are weights of these states. Undefined without a solution: then the far states are not left on average.
 */
function slopes(
  far: readonly Representative[],
  places: number,
  classes: number,
  stop: () => boolean,
): Slope | undefined {
  const numbers = new Map<number, number>();
  const numberOf = (c: number): number => {
    if (!numbers.has(c)) numbers.set(c, places + numbers.size);
    return numbers.get(c)!;
  };
  const rows: Map<number, number>[] = Array.from({ length: places }, () => new Map<number, number>());
  const add = (unknown: number, state: number, value: number): void => {
    rows[unknown] ??= new Map();
    rows[unknown].set(state, (rows[unknown].get(state) ?? 0) + value);
  };
  far.forEach(({ steps, class: from }, k) => {
    for (const { rate, change, to } of steps) {
      change.forEach((n, p) => {
        if (n !== 0) add(p, k, -rate * n);
      });
      if (to === from) continue;
      add(numberOf(to), k, -rate);
      add(numberOf(from), k, rate);
    }
  });
  if (rows.length > MAX_UNKNOWNS) return undefined;
  const program = new Simplex(
    far.length,
    rows.map((coefficients, u) => ({ coefficients, most: u < places ? 1 : 0, isEquation: u >= places })),
    stop,
  );
  const y = program.maximise(new Map(far.map((_, k) => [k, 1])));
  if (y === undefined) return undefined;
  const theta = [...y.subarray(0, places)];
  if (theta.some((x) => !(x > 0))) return undefined;
  const w = new Float64Array(classes);
  for (const [c, u] of numbers) w[c] = y[u]!;
  return { theta, w };
}

/** Logarithm of what divides the error of a bound by a function. */
export const qualityOf = ({ from, least, logGamma, logB }: Lyapunov): number => from + least + logGamma - logB;

/** V for these slopes, w being improved; undefined if its drift is not negative. */
function scaled(far: FarStates, { theta, w }: Slope, error: number): Lyapunov | undefined {
  const growth = ({ change }: ClassStep): number => Math.exp(change.reduce((x, n, p) => x + n * theta[p]!, 0));
  const rows = far.representatives.map(({ steps, ...state }) => ({
    ...state,
    steps: steps.map((step) => ({ to: step.to, rate: step.rate, grown: step.rate * growth(step) })),
    total: steps.reduce((sum, { rate }) => sum + rate, 0),
  }));
  type Row = (typeof rows)[number];
  const g = w.map((x) => Math.exp(x));
  const into = ({ steps }: Row): number => steps.reduce((sum, { to, grown }) => sum + grown * g[to]!, 0);
  const distant = rows.filter(({ isFar }) => isFar);
  const uniform = distant.reduce((most, { total }) => Math.max(most, total), 0);
  // Steps of the power method for a monotone operator never increase the largest ratio (Collatz & Wielandt).
  for (let k = 0; k < POWER_STEPS; k++) {
    const next = new Map<number, number>();
    for (const row of distant) {
      const value = g[row.class]! + (into(row) - row.total * g[row.class]!) / uniform;
      next.set(row.class, Math.max(next.get(row.class) ?? 0, value));
    }
    const largest = [...next.values()].reduce((a, b) => Math.max(a, b), 0);
    if (!(largest > 0 && largest < Number.POSITIVE_INFINITY)) return undefined;
    for (const [c, value] of next) g[c] = value / largest;
  }
  const off = MARGIN + 2 * error;
  let [gamma, b, least] = [Number.POSITIVE_INFINITY, 0, Number.POSITIVE_INFINITY];
  for (const row of rows) {
    const own = g[row.class]!;
    const flow = into(row) / own;
    const drift = flow - row.total + off * (flow + row.total);
    if (row.isFar) {
      gamma = Math.min(gamma, -drift);
      least = Math.min(least, own);
    } else {
      const height = Math.exp(row.tokens.reduce((x, n, p) => x + n * theta[p]!, 0)) * own * (1 + MARGIN);
      b = Math.max(b, height * drift);
    }
  }
  if (!(gamma > 0 && least > TINY && b < Number.POSITIVE_INFINITY)) return undefined;
  const from = far.within.reduce((all, n, p) => Math.min(all, theta[p]! * (n + 1)), Number.POSITIVE_INFINITY);
  return {
    theta,
    w: g.map((x) => Math.log(x)),
    logGamma: Math.log(gamma),
    logB: Math.log(Math.max(b, Number.MIN_VALUE)),
    least: Math.log(least),
    from,
  };
}
