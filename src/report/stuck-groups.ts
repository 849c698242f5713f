import type { BlockedRank } from './prediction.ts';

/** Ranks permanently blocked at one line of a model. */
export interface StuckGroup {
  readonly operation: string;
  readonly file: string;
  readonly line: number;
  /** Ascending. */
  readonly ranks: readonly number[];
  /** Ranks outside the group that they wait for, ascending; null if one of them waits for any rank. */
  readonly others: readonly number[] | null;
  /** True if some of them wait for each other. */
  readonly eachOther: boolean;
  /** Times at which the first and the last of them became blocked (s). */
  readonly since: readonly [number, number];
}

/** Groups blocked ranks by operation and line, the largest group first. O(ranks + waits), plus sorting. */
export function stuckGroups(deadlock: readonly BlockedRank[]): StuckGroup[] {
  const groups = new Map<string, BlockedRank[]>();
  for (const blocked of deadlock) {
    const key = JSON.stringify([blocked.operation, blocked.file, blocked.line]);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [blocked]);
    else group.push(blocked);
  }
  return [...groups.values()].sort((a, b) => b.length - a.length).map(groupOf);
}

function groupOf(group: readonly BlockedRank[]): StuckGroup {
  const { operation, file, line } = group[0]!;
  const ranks = ascending(new Set(group.map(({ rank }) => rank)));
  const members = new Set(ranks);
  const waits = new Set(group.flatMap(({ waitsFor }) => waitsFor ?? []));
  const isAny = group.some(({ waitsFor }) => waitsFor === null);
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { since } of group) [first, last] = [Math.min(first, since), Math.max(last, since)];
  return {
    operation,
    file,
    line,
    ranks,
    others: isAny ? null : ascending(waits).filter((rank) => !members.has(rank)),
    eachOther: ranks.some((rank) => waits.has(rank)),
    since: [first, last],
  };
}

function ascending(ranks: ReadonlySet<number>): number[] {
  return [...ranks].sort((a, b) => a - b);
}
