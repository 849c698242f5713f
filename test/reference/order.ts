import type { Candidate } from './candidates.ts';
import { RunError } from './evaluate.ts';
import type { Happened } from './happened.ts';
import type { Token } from './marking.ts';
import { compareText, type Model } from './model.ts';

/** A candidate, and the step since which it has been enabled without interruption. */
export interface Enabled {
  readonly candidate: Candidate;
  readonly since: number;
}

/**
 * The canonical order of candidates enabled by the same step (S10): by the ages of their tokens, compared arc by arc in
 * the order of the places' names, fewer arcs first; then by transition name; then by the values of the free variables.
 */
export function canonical(a: Candidate, b: Candidate): number {
  const [x, y] = [byPlace(a), byPlace(b)];
  for (const [k, token] of x.entries()) {
    const other = y[k];
    if (other === undefined) return 1;
    if (token.age !== other.age) return token.age - other.age;
  }
  if (x.length !== y.length) return -1;
  return compareText(a.transition.name, b.transition.name) || compareValues(a.free, b.free);
}

/**
 * First come, first served: the candidate enabled longest comes first (S10). For races, ties are broken by the ages of the
 * tokens that they would take now; these may differ from the equal tokens that enabled them (S9a).
 */
export function seniority(a: Enabled, b: Enabled): number {
  return a.since - b.since || canonical(a.candidate, b.candidate);
}

/**
 * Chooses the candidate that starts (S10): the first with the highest priority, or, if one of these transitions declares a
 * weight, a random one in proportion to the weights (RUN008). The chosen candidate's process then draws again among its own
 * candidates (S15).
 *
 * @param inOrder candidates in order; not empty
 * @param weightOf its weight, 1 if none is declared
 */
export function choose<T extends { readonly candidate: Candidate }>(
  inOrder: readonly T[],
  weightOf: (candidate: Candidate) => number,
  model: Model,
  draw: () => number,
  ofProcess: (process: number) => number,
  happened: Happened,
): T {
  const priority = (e: T): number => e.candidate.transition.priority ?? 0;
  const highest = Math.max(...inOrder.map(priority));
  const level = inOrder.filter((e) => priority(e) === highest);
  if (level.length < inOrder.length) happened.note('choice: by priority');
  if (level.length < 2) return level[0]!;
  if (level.every((e) => e.candidate.transition.weight === undefined)) {
    happened.note('choice: by order');
    return level[0]!;
  }
  happened.note('choice: by weight');
  const weights = level.map((e) => weightOf(e.candidate));
  const total = weights.reduce((sum, w) => sum + w, 0);
  if (total === Number.POSITIVE_INFINITY) throw new RunError('RUN008', `weights that add up to ${total}`);
  const drawn = inProportion(level, weights, draw());
  const process = processOf(drawn.candidate, model);
  if (process === undefined) return drawn;
  const own = level.flatMap((e, k) => (processOf(e.candidate, model) === process ? [k] : []));
  if (own.length < 2) return drawn;
  happened.note('choice: of a process');
  return inProportion(
    own.map((k) => level[k]!),
    own.map((k) => weights[k]!),
    ofProcess(process),
  );
}

/** The first item whose cumulative weight exceeds u times the total; the last if none does. */
function inProportion<T>(all: readonly T[], weights: readonly number[], u: number): T {
  const bar = u * weights.reduce((sum, w) => sum + w, 0);
  let sum = 0;
  const drawn = all.find((_, k) => {
    sum += weights[k]!;
    return sum > bar;
  });
  return drawn ?? all.at(-1)!;
}

function processOf({ transition, binding }: Candidate, model: Model): number | undefined {
  return transition.process === undefined ? undefined : model.process(transition.process, binding);
}

/** Tokens of a candidate, sorted by place name, then by position among the arcs of a place. */
function byPlace(c: Candidate): Token[] {
  return c.rule.binding
    .map((arc, k) => ({ place: arc.place, token: c.tokens[k]! }))
    .sort((a, b) => compareText(a.place, b.place))
    .map((x) => x.token);
}

function compareValues(a: readonly number[], b: readonly number[]): number {
  const k = a.findIndex((v, i) => v !== b[i]);
  return k < 0 ? 0 : a[k]! - b[k]!;
}
