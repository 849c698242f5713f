import type { BlockedRank } from './prediction.ts';

/** Ranks that wait for ever at one line of a model. */
export interface StuckGroup {
  readonly operation: string;
  readonly file: string;
  readonly line: number;
  /** Ascending. */
  readonly ranks: readonly number[];
  /** Whom they wait for beside each other, ascending; null where any would do for one of them. */
  readonly others: readonly number[] | null;
  /** Whether some of them wait for each other. */
  readonly eachOther: boolean;
  /** When the first of them came there, and the last. */
  readonly since: readonly [number, number];
}

/** Ranks by where they are stuck, the largest group first. O(ranks + waits), but for sorting. */
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
