import { andMore, listing, ranges } from '../../../base/listing.ts';
import { sourcePlace } from '../../../report/source-place.ts';
import type { Style } from '../../../report/style.ts';
import { clipped, printable, prose } from '../../../report/text.ts';
import { formatCount, formatSeconds } from '../../../report/units.ts';
import type { BlockedRank, Failure } from '../../inputs/document-parts.ts';
import type { PredictionDocument } from '../prediction.ts';
import type { TagMismatch } from '../unmatched.ts';
import { blockedStrandTexts, waitsForStrands } from './blocked-strands.ts';
import { misfit } from './misfit.ts';
import { cycleOf } from './wait-cycle.ts';

/** Maximum number of waiting ranks listed. */
const MAX_RANKS = 20;
/** Maximum number of ranks listed for a cycle. */
const CYCLE = 12;
/** Maximum number of failures listed. */
const FAILURES = 5;
/** Columns for the ranks of a group. */
const RANKS = 30;
/** Models: up to EACH blocked ranks are listed one per line; more are grouped by source line, at most GROUPS groups. */
const EACH = 8;
const GROUPS = 6;

/**
 * The permanently blocked ranks: operation, source line, and the ranks they wait for; also a cycle, if there is one. For
 * models also mismatched collective calls; many blocked ranks of a model are grouped by source line.
 */
export function deadlockSection(document: PredictionDocument, style: Style): string[] {
  return [...blockedLines(document, style), ...mismatchLines(document, style)];
}

function blockedLines(document: PredictionDocument, style: Style): string[] {
  const { deadlock, ranks, options } = document;
  const clean = (text: string): string => printable(text, style.unicode);
  const ended = new Set(ranks.filter((rank) => rank.endTime !== null).map((rank) => rank.rank));
  const lines = [style.bold('Waiting forever')];
  for (const failure of (document.failures ?? []).slice(0, FAILURES))
    lines.push(...hanging(style.units(clean(failureText(failure, style))), style));
  const more = (document.failures ?? []).length - FAILURES;
  if (more > 0) lines.push(...hanging(`${andMore(more, 'failure', formatCount)}, --json lists all`, style));
  const cycle = cycleOf(deadlock);
  if (cycle !== undefined) {
    const names = cycle.slice(0, CYCLE).map(String);
    names.push(cycle.length > CYCLE ? `${style.more} (${cycle.length} ranks)` : String(cycle[0]));
    lines.push(...hanging(`cycle: ${names.join(style.arrow)}`, style));
  }
  const isModel = options['model'] !== undefined;
  const place = (file: string, line: number): string =>
    clean(isModel || file === '' ? sourcePlace(file, line) : `${file}:${line}`);
  const calls = isModel ? misfit(deadlock) : undefined;
  if (calls !== undefined) {
    const all = calls.map(({ operation, file, line, ranks }) => {
      const at = [place(file, line), ranksOf(ranks, style)];
      return `${clean(operation)} (${at.filter((text) => text !== '').join(', ')})`;
    });
    lines.push(...hanging(`their calls do not match: ${all.slice(0, -1).join(', ')} and ${all.at(-1)}`, style));
  }
  if (isModel && deadlock.length > EACH) {
    const groups = stuckGroups(deadlock);
    for (const group of groups.slice(0, GROUPS)) {
      const at = [clean(group.operation), place(group.file, group.line)].filter((text) => text !== '').join(', ');
      const { ranks: stuck, since } = group;
      const [first, last] = since.map(formatSeconds);
      const text = `${ranksOf(stuck, style)}: ${at}, wait${stuck.length === 1 ? 's' : ''} for ${partnersOfAll(group, ended, style)}, since ${first === last ? first : `${first} to ${last}`}`;
      lines.push(...hanging(style.units(text), style));
    }
    const left = groups.slice(GROUPS).reduce((sum, { ranks: stuck }) => sum + stuck.length, 0);
    if (left > 0) lines.push(...hanging(`${andMore(left, 'rank', formatCount)}, --json lists all`, style));
    return lines;
  }
  for (const blocked of deadlock.slice(0, MAX_RANKS)) {
    const { rank, operation, file, line, since } = blocked;
    const at = file === '' ? '' : `, ${place(file, line)}`;
    const state = blocked.failed === undefined ? `waits for ${partnersOf(blocked, ended)}, since` : 'stopped at';
    const text = `rank ${rank}${clean(inJob(document, blocked))}: ${clean(operation)}${at}, ${state} ${formatSeconds(since)}`;
    lines.push(...hanging(style.units(text), style));
    for (const strand of blockedStrandTexts(blocked))
      lines.push(...hanging(clean(strand), style).map((line) => `  ${line}`));
  }
  const left = deadlock.length - MAX_RANKS;
  if (left > 0) lines.push(...hanging(`${andMore(left, 'rank', formatCount)}, --json lists all`, style));
  return lines;
}

/** Several programs at once: ` (rank 1 of job b)`; otherwise empty. */
function inJob({ jobs }: PredictionDocument, { rank, job }: BlockedRank): string {
  const own = jobs?.find(({ name }) => name === job);
  return own === undefined ? '' : ` (rank ${rank - own.firstRank} of job ${own.name})`;
}

/** Maximum number of mismatches listed. */
const MISMATCHES = 5;

/** Messages that are left because their receiver waits for another tag. */
function mismatchLines({ mismatches = [], options }: PredictionDocument, style: Style): string[] {
  const isModel = options['model'] !== undefined;
  const at = ({ at: places }: TagMismatch['sent']): string => {
    const text = places
      .map(({ operation, file, line }) =>
        [operation, isModel || file === '' ? sourcePlace(file, line) : `${file}:${line}`]
          .filter((t) => t !== '')
          .join(', '),
      )
      .join(' or ');
    return text === '' ? '' : ` (${text})`;
  };
  const lines = mismatches.slice(0, MISMATCHES).flatMap(({ sent, awaited }) => {
    const from = awaited.peer === null ? 'from any rank' : `from rank ${awaited.peer}`;
    const text = `tags differ: rank ${sent.rank} sent to rank ${sent.peer} with tag ${sent.tag}${at(sent)}; rank ${awaited.rank} receives ${from} with tag ${awaited.tag}${at(awaited)}`;
    return hanging(printable(text, style.unicode), style);
  });
  const left = mismatches.length - MISMATCHES;
  return left > 0 ? [...lines, ...hanging(`${andMore(left, '', formatCount)}, --json lists all`, style)] : lines;
}

function failureText({ kind, name, time, ranks }: Failure, style: Style): string {
  const of = ranksOf(ranks, style);
  const effect =
    kind === 'host' ? `${of} on it stop${ranks.length === 1 ? 's' : ''}` : `a message between ${of} is lost`;
  return `${kind} ${name} fails at ${formatSeconds(time)}: ${effect}`;
}

function partnersOf(blocked: BlockedRank, ended: ReadonlySet<number>): string {
  const { waitsFor } = blocked;
  const own = waitsForStrands(blocked);
  if (own !== undefined) return own;
  if (waitsFor === null) return 'any rank';
  if (waitsFor.length === 0) return 'an unknown partner';
  const name = (rank: number): string => (ended.has(rank) ? `${rank} (which has ended)` : String(rank));
  return `rank${waitsFor.length === 1 ? '' : 's'} ${listing(waitsFor.slice(0, 6).map(name), { count: waitsFor.length })}`;
}

/** `rank 3 (which has ended) and each other`. */
function partnersOfAll(
  { ranks, others, eachOther, isInThreads }: StuckGroup,
  ended: ReadonlySet<number>,
  style: Style,
): string {
  if (isInThreads) return 'their threads and tasks';
  if (others === null) return 'any rank';
  const themselves = ranks.length === 1 ? 'itself' : 'each other';
  if (others.length === 0) return eachOther ? themselves : 'an unknown partner';
  const gone = others.filter((rank) => ended.has(rank));
  const which = gone.length === others.length ? 'which' : `of which ${ranksOf(gone, style)}`;
  const verb = gone.length === 1 ? 'has' : 'have';
  const note = gone.length > 0 ? ` (${which} ${verb} ended)` : '';
  return `${ranksOf(others, style)}${note}${eachOther ? ` and ${themselves}` : ''}`;
}

/** `ranks 0-3,7`. */
function ranksOf(ranks: readonly number[], style: Style): string {
  return `rank${ranks.length === 1 ? '' : 's'} ${clipped(ranges(ranks), RANKS, style.more)}`;
}

function hanging(text: string, style: Style): string[] {
  return prose(text, style.width - 4).map((line, k) => (k === 0 ? '  ' : '    ') + line);
}

/** Ranks permanently blocked at one line of a model. */
interface StuckGroup {
  readonly operation: string;
  readonly file: string;
  readonly line: number;
  /** Ascending. */
  readonly ranks: readonly number[];
  /** Ranks outside the group that they wait for, ascending; null if one of them waits for any rank. */
  readonly others: readonly number[] | null;
  /** True if some of them wait for each other. */
  readonly eachOther: boolean;
  /** True if they wait for the end of regions of threads. */
  readonly isInThreads: boolean;
  /** Times at which the first and the last of them became blocked (s). */
  readonly since: readonly [number, number];
}

/** Groups blocked ranks by operation and line, the largest group first. O(ranks + waits), plus sorting. */
function stuckGroups(deadlock: readonly BlockedRank[]): StuckGroup[] {
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
    isInThreads: group.every(({ strands }) => strands !== undefined),
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
