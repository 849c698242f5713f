import type { BlockedRank, PredictionDocument } from './prediction.ts';
import type { Style } from './style.ts';
import { printable, prose } from './text.ts';
import { formatCount, formatSeconds } from './units.ts';

/** Most waiting ranks that are listed. */
const MOST = 20;
/** Most ranks of a cycle that are named. */
const CYCLE = 12;

/** Each rank that waits for ever: its operation, where it stands, whom it waits for; and the cycle, if there is one. */
export function deadlockSection({ deadlock, ranks }: PredictionDocument, style: Style): string[] {
  const clean = (text: string): string => printable(text, style.unicode);
  const ended = new Set(ranks.filter((rank) => rank.endTime !== null).map((rank) => rank.rank));
  const lines = [style.bold('Waiting for ever')];
  const cycle = cycleOf(deadlock);
  if (cycle !== undefined) {
    const names = cycle.slice(0, CYCLE).map(String);
    names.push(cycle.length > CYCLE ? `${style.more} (${cycle.length} ranks)` : String(cycle[0]));
    lines.push(...hanging(`cycle: ${names.join(style.arrow)}`, style));
  }
  for (const blocked of deadlock.slice(0, MOST)) {
    const { rank, operation, file, line, since } = blocked;
    const at = file === '' ? '' : `, ${clean(file)}:${line}`;
    const text = `rank ${rank}: ${clean(operation)}${at}, waits for ${whom(blocked, ended)}, since ${formatSeconds(since)}`;
    lines.push(...hanging(style.units(text), style));
  }
  const left = deadlock.length - MOST;
  if (left > 0) lines.push(...hanging(`and ${formatCount(left)} more ranks, --json has all`, style));
  return lines;
}

function whom({ waitsFor }: BlockedRank, ended: ReadonlySet<number>): string {
  if (waitsFor === null) return 'any rank';
  if (waitsFor.length === 0) return 'no one who is known';
  const name = (rank: number): string => (ended.has(rank) ? `${rank} (which has ended)` : String(rank));
  const some = waitsFor.slice(0, 6).map(name).join(', ');
  return `rank${waitsFor.length === 1 ? '' : 's'} ${some}${waitsFor.length > 6 ? ` and ${waitsFor.length - 6} more` : ''}`;
}

/**
 * Ranks that wait for each other in a circle, the smallest first; undefined where there is none. A rank waits for all
 * ranks it names; one that waits for any is left out, for a message from outside the circle could free it.
 * Depth first with an explicit stack, O(ranks + waits).
 */
export function cycleOf(deadlock: readonly BlockedRank[]): number[] | undefined {
  const waits = new Map(deadlock.map((b) => [b.rank, b.waitsFor ?? []]));
  const done = new Set<number>();
  for (const root of waits.keys()) {
    const path: { readonly rank: number; next: number }[] = [];
    const position = new Map<number, number>();
    const enter = (rank: number): void => {
      position.set(rank, path.length);
      path.push({ rank, next: 0 });
    };
    if (!done.has(root)) enter(root);
    while (path.length > 0) {
      const top = path.at(-1)!;
      const target = waits.get(top.rank)![top.next++];
      if (target === undefined) {
        done.add(top.rank);
        position.delete(top.rank);
        path.pop();
        continue;
      }
      const seen = position.get(target);
      if (seen !== undefined) return fromSmallest(path.slice(seen).map((p) => p.rank));
      if (waits.has(target) && !done.has(target)) enter(target);
    }
  }
  return undefined;
}

function fromSmallest(cycle: readonly number[]): number[] {
  const first = cycle.reduce((best, rank, k) => (rank < cycle[best]! ? k : best), 0);
  return [...cycle.slice(first), ...cycle.slice(0, first)];
}

function hanging(text: string, style: Style): string[] {
  return prose(text, style.width - 4).map((line, k) => (k === 0 ? '  ' : '    ') + line);
}
