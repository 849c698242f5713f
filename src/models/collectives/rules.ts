import type { Collective } from '../../trace/collective.ts';
import { bytesOf } from './smpi/elements.ts';

/** Integers from `from` to `to`, both included; `to` may be infinite. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** The choice `taken` for calls on some numbers of ranks with some numbers of bytes. */
export interface Rule<T> {
  readonly ranks: Range;
  readonly bytes: Range;
  /** Bytes are those of all ranks together, as in Open MPI's files; default: as {@link bytesInRules} says. */
  readonly total?: true;
  readonly taken: T;
}

/** The rule of a call. Rules do not overlap. O(rules). */
export function ruleFor<T>(rules: readonly Rule<T>[], collective: Collective, ranks: number): Rule<T> | undefined {
  const bytes = bytesInRules(collective, ranks);
  const total = totalBytes(collective, ranks);
  return rules.find((rule) => isIn(ranks, rule.ranks) && isIn(rule.total === true ? total : bytes, rule.bytes));
}

/**
 * The bytes of a call that ranges of rules mean, an integer: those of Open MPI's decisions. They are the same on all ranks: the mean
 * part of an allgatherv; 0 for an alltoallv, whose ranks have different lists.
 */
function bytesInRules(collective: Collective, ranks: number): number {
  if (collective.kind === 'alltoallv') return 0;
  const bytes = bytesOf(collective);
  return Math.floor(collective.kind === 'allgatherv' ? bytes / ranks : bytes);
}

/** The bytes that rows of Open MPI's files mean: of all ranks, but those of one rank for a scatter, as its documentation says. */
function totalBytes(collective: Collective, ranks: number): number {
  switch (collective.kind) {
    case 'alltoallv':
      return 0;
    case 'allgather':
    case 'alltoall':
    case 'gather':
      return bytesOf(collective) * ranks;
    default:
      return bytesOf(collective);
  }
}

const isIn = (n: number, { from, to }: Range): boolean => from <= n && n <= to;

/** Calls without a rule, and the rules next to them. */
export interface Gap<T> {
  readonly ranks: Range;
  readonly bytes: Range;
  readonly below: Rule<T> | undefined;
  readonly above: Rule<T> | undefined;
}

/**
 * The gaps of rules, by ranks and bytes; neighbours are those of fewer and more bytes on the same ranks, or of fewer and
 * more ranks where these have no rule at all. O(rules² log rules).
 */
export function gapsOf<T>(rules: readonly Rule<T>[]): Gap<T>[] {
  const gaps: Gap<T>[] = [];
  const ends = rules.flatMap(({ ranks }) => [ranks.from, ranks.to + 1]).filter((cut) => cut < Number.POSITIVE_INFINITY);
  const cuts = [...new Set([1, ...ends])].sort((a, b) => a - b);
  cuts.forEach((from, k) => {
    // Between two cuts the same rules apply to all numbers of ranks.
    const ranks = { from, to: (cuts[k + 1] ?? Number.POSITIVE_INFINITY) - 1 };
    const rows = rules.filter((rule) => isIn(from, rule.ranks)).sort((a, b) => a.bytes.from - b.bytes.from);
    if (rows.length === 0) {
      const below = rules.filter((rule) => rule.ranks.to < from).sort((a, b) => b.ranks.to - a.ranks.to)[0];
      const above = rules.filter((rule) => rule.ranks.from > from).sort((a, b) => a.ranks.from - b.ranks.from)[0];
      gaps.push({ ranks, bytes: { from: 0, to: Number.POSITIVE_INFINITY }, below, above });
      return;
    }
    let next = 0;
    let below: Rule<T> | undefined;
    for (const above of rows) {
      if (above.bytes.from > next) gaps.push({ ranks, bytes: { from: next, to: above.bytes.from - 1 }, below, above });
      if (above.bytes.to < next) continue;
      next = above.bytes.to + 1;
      below = above;
    }
    if (next < Number.POSITIVE_INFINITY)
      gaps.push({ ranks, bytes: { from: next, to: Number.POSITIVE_INFINITY }, below, above: undefined });
  });
  return merged(gaps);
}

/** Gaps with the same bytes and neighbours at adjacent numbers of ranks as one. */
function merged<T>(gaps: readonly Gap<T>[]): Gap<T>[] {
  const all: Gap<T>[] = [];
  for (const gap of gaps) {
    const at = all.findIndex(
      (one) =>
        one.ranks.to + 1 === gap.ranks.from &&
        one.below === gap.below &&
        one.above === gap.above &&
        one.bytes.from === gap.bytes.from,
    );
    if (at < 0) all.push(gap);
    else all[at] = { ...gap, ranks: { from: all[at]!.ranks.from, to: gap.ranks.to } };
  }
  return all;
}

/** Indexes of two rules that both apply to some call, the smaller one first. O(rules²). */
export function overlapsOf(rules: readonly Rule<unknown>[]): [number, number][] {
  const meet = (a: Range, b: Range): boolean => a.from <= b.to && b.from <= a.to;
  return rules.flatMap((later, k) => {
    const first = rules.findIndex((rule, i) => i < k && meet(rule.ranks, later.ranks) && meet(rule.bytes, later.bytes));
    return first < 0 ? [] : [[first, k] as [number, number]];
  });
}
