import { andMore, ranges } from '../../../base/listing.ts';
import { documentJson } from '../../../report/document-json.ts';
import { pageOf } from '../../../report/page.ts';
import { sourcePlace } from '../../../report/source-place.ts';
import { type Style, styleOf, type ViewOptions } from '../../../report/style.ts';
import { becauseLines, firstNoteLines, noteLines, printable, prose } from '../../../report/text.ts';
import { counted, formatCount, formatSeconds } from '../../../report/units.ts';
import type { BlockedRank } from '../../inputs/document-parts.ts';
import type { Choice, Unmatched } from '../../predict/unmatched.ts';
import { blockedStrandTexts, waitsForStrands } from '../../predict/view/blocked-strands.ts';
import { misfit } from '../../predict/view/misfit.ts';
import { incidenceHead, incidenceLines } from './program-incidence-view.ts';
import { sendsText, verdictLines } from './program-verdict.ts';
import type { Deadlock, Endless, ProgramInstance, ProgramVerificationDocument } from './program-verification.ts';

/** Maximum numbers of ranks, steps, groups of messages, races and refusals listed. */
const MAX_ROWS = { ranks: 20, cycle: 12, steps: 16, unmatched: 12, races: 6, refused: 6, never: 12 } as const;

/**
 * Renders the output of `foretoken verify` for programs: verdicts with their ranks, parameters and protocol; then
 * permanently blocked ranks, unmatched messages, and races. No line is wider than `width`.
 */
export function renderProgramVerification(document: ProgramVerificationDocument, options: ViewOptions): string {
  const style = styleOf(options);
  const shown = document.instances.filter((i) => i.properties.some((p) => p.verdict === false));
  const last = lastOf(document.instances);
  const sections = [
    [
      ...answer(document, style),
      ...setting(document, style),
      ...firstNoteLines(document, style),
      ...incidenceHead(document, style),
    ],
    becauseLines(document, style),
    incidenceLines(document, style),
    ...shown.flatMap((i) => [
      ...(i.deadlock === undefined ? [] : [deadlockLines(i, i.deadlock, style)]),
      ...(i.endless === undefined ? [] : [endlessLines(i, i.endless, style)]),
      ...(i.deadlock === undefined && i.unmatched.length > 0 ? [unmatchedLines(i, style)] : []),
    ]),
    ...last.flatMap((i) => (i.buffer === undefined ? [] : [bufferLines(i, style)])),
    ...racesSections(last, style),
    neverLines(document.instances, style),
    refusedLines(document, style),
    noteLines(document, style),
  ];
  return pageOf(sections);
}

/** The largest instance of each protocol. */
function lastOf(instances: readonly ProgramInstance[]): ProgramInstance[] {
  return instances.filter((i, k) => instances[k + 1]?.sends !== i.sends);
}

function answer(document: ProgramVerificationDocument, style: Style): string[] {
  return verdictLines(document).flatMap(({ word, text }) =>
    prose(printable(text, style.unicode), style.width).map(word === 'Holds' ? style.bold : style.alarm),
  );
}

function setting({ options, instances, seconds }: ProgramVerificationDocument, style: Style): string[] {
  const steps = instances.reduce((sum, i) => sum + i.steps, 0);
  const states = instances.reduce((sum, i) => sum + (i.states ?? 0), 0);
  const collectives = options['collectives'] === undefined ? [] : [`collectives: ${options['collectives']}`];
  const parts = [
    String(options['program']),
    ...collectives,
    states > 0 ? counted(states, 'state') : steps > 0 ? 'one run decides each' : 'nothing explored',
    counted(steps, 'step'),
    style.units(formatSeconds(seconds)),
  ];
  return prose(printable(parts.join(style.dot), style.unicode), style.width);
}

function of({ ranks, sends }: ProgramInstance): string {
  return `${counted(ranks, 'rank')}, ${sendsText([sends])}`;
}

function deadlockLines(instance: ProgramInstance, deadlock: Deadlock, style: Style): string[] {
  const { blocked, cycle, ended, steps, shortest, choices } = deadlock;
  const clean = (text: string): string => printable(text, style.unicode);
  const fewest = !shortest ? '' : instance.method === 'one run' ? ', in every order' : ' at the earliest';
  const lines = [style.bold(`Waiting forever: ${of(instance)}, after ${counted(steps, 'step')}${fewest}`)];
  if (cycle !== undefined) {
    const names = cycle.slice(0, MAX_ROWS.cycle).map(String);
    names.push(cycle.length > MAX_ROWS.cycle ? `${style.more} (${cycle.length} ranks)` : String(cycle[0]));
    lines.push(...hanging(`cycle: ${names.join(style.arrow)}`, style));
  }
  const calls = misfit(blocked);
  if (calls !== undefined) {
    const all = calls.map(
      (c) =>
        `${clean(c.operation)} (${[sourcePlace(c.file, c.line), `ranks ${ranges(c.ranks)}`].filter((t) => t !== '').join(', ')})`,
    );
    lines.push(...hanging(`their calls do not match: ${all.join(', ')}`, style));
  }
  const gone = new Set(ended);
  for (const one of blocked.slice(0, MAX_ROWS.ranks)) {
    lines.push(...hanging(clean(waiting(one, gone)), style));
    for (const strand of blockedStrandTexts(one))
      lines.push(...hanging(clean(strand), style).map((line) => `  ${line}`));
  }
  const left = blocked.length - MAX_ROWS.ranks;
  if (left > 0) lines.push(...hanging(`${andMore(left, 'rank', formatCount)}, --json lists all`, style));
  if (choices.length > 0) lines.push(...hanging('Choices on the path to it:', style));
  const cut = choices.length > MAX_ROWS.steps;
  choices.forEach((text, k) => {
    if (cut && k === MAX_ROWS.steps / 2)
      lines.push(`    ${style.more} ${formatCount(choices.length - MAX_ROWS.steps)} more`);
    if (cut && k >= MAX_ROWS.steps / 2 && k < choices.length - MAX_ROWS.steps / 2) return;
    lines.push(...hanging(clean(text), style).map((line) => `  ${line}`));
  });
  return lines;
}

/** Ranks that continue forever without reaching their end. */
function endlessLines(instance: ProgramInstance, { blocked, steps }: Endless, style: Style): string[] {
  const lines = [style.bold(`Never ending: ${of(instance)}, after ${counted(steps, 'step')}`)];
  for (const { rank, operation, file, line } of blocked.slice(0, MAX_ROWS.ranks)) {
    const at = sourcePlace(file, line);
    lines.push(
      ...hanging(printable(`rank ${rank} is at ${operation}${at === '' ? '' : `, ${at}`}`, style.unicode), style),
    );
  }
  const left = blocked.length - MAX_ROWS.ranks;
  if (left > 0) lines.push(...hanging(`${andMore(left, 'rank', formatCount)}, --json lists all`, style));
  return lines;
}

function waiting(blocked: BlockedRank, ended: ReadonlySet<number>): string {
  const { rank, operation, file, line, waitsFor } = blocked;
  const at = sourcePlace(file, line);
  const name = (r: number): string =>
    ended.has(r) ? `${r} (which has ended)` : r === rank ? `${r} (itself)` : String(r);
  const partners =
    waitsForStrands(blocked) ??
    (waitsFor === null
      ? 'any rank'
      : waitsFor.length === 0
        ? 'an unknown partner'
        : waitsFor.length === 1 && waitsFor[0] === rank
          ? 'itself'
          : `rank${waitsFor.length === 1 ? '' : 's'} ${waitsFor.slice(0, 6).map(name).join(', ')}${waitsFor.length > 6 ? `, ${andMore(waitsFor.length - 6)}` : ''}`);
  return `rank ${rank}: ${operation}${at === '' ? '' : `, ${at}`}, waits for ${partners}`;
}

function unmatchedLines(instance: ProgramInstance, style: Style): string[] {
  const lines = [style.bold(`Unmatched at the end: ${of(instance)}`)];
  for (const one of instance.unmatched.slice(0, MAX_ROWS.unmatched))
    lines.push(...hanging(printable(leftOver(one), style.unicode), style));
  const left = instance.unmatched.length - MAX_ROWS.unmatched;
  if (left > 0) lines.push(...hanging(`${andMore(left, '', formatCount)}, --json lists all`, style));
  return lines;
}

function leftOver({ kind, rank, peer, tag, count, at }: Unmatched): string {
  const far = peer === null ? 'any rank' : `rank ${peer}`;
  const what =
    kind === 'send'
      ? `${counted(count, 'message')} from rank ${rank} to ${far}`
      : `${counted(count, 'receive')} of rank ${rank} from ${far}`;
  const tagged = tag === null ? '' : `, tag ${tag}`;
  const where = at.map(placed).join(' or ');
  return `${what}${tagged}: ${kind === 'send' ? 'never received' : 'no matching send'}${where === '' ? '' : ` (${where})`}`;
}

function placed({ operation, file, line }: Choice): string {
  const at = sourcePlace(file, line);
  return at === '' ? operation : `${operation}, ${at}`;
}

function bufferLines(instance: ProgramInstance, style: Style): string[] {
  const { most, rank, exact } = instance.buffer!;
  const whose = most === 0 ? '' : ` of rank ${rank}`;
  const text = `${exact ? 'At most' : 'At least'} ${counted(most, 'message')} ${most === 1 ? 'waits' : 'wait'} for a receive${whose}: ${of(instance)}`;
  return prose(text, style.width);
}

/** Races of each instance; instances with the same races are merged. */
function racesSections(instances: readonly ProgramInstance[], style: Style): string[][] {
  const some = instances.filter((i) => (i.races?.length ?? 0) > 0);
  if (some.length === 0) {
    const none = instances.filter((i) => i.races !== undefined && i.properties.every((p) => p.verdict !== null));
    return none.length > 0 && none.length === instances.length
      ? [prose('No two messages race for a receive.', style.width)]
      : [];
  }
  const groups = new Map<string, ProgramInstance[]>();
  for (const i of some) {
    const key = JSON.stringify([i.ranks, i.races]);
    groups.set(key, [...(groups.get(key) ?? []), i]);
  }
  return [...groups.values()].map((alike) => racesLines(alike, style));
}

function racesLines(alike: readonly ProgramInstance[], style: Style): string[] {
  const one = alike[0]!;
  const lines = [style.bold(`Races: ${counted(one.ranks, 'rank')}, ${sendsText(alike.map((i) => i.sends))}`)];
  for (const { receive, messages } of one.races!.slice(0, MAX_ROWS.races))
    lines.push(
      ...hanging(printable(`${receive} can take the message of ${messages.join(', or of ')}`, style.unicode), style),
    );
  const left = one.races!.length - MAX_ROWS.races;
  if (left > 0) lines.push(...hanging(`${andMore(left, '', formatCount)}, --json lists all`, style));
  return lines;
}

/** Operations that no rank executes in any instance that ends. */
function neverLines(instances: readonly ProgramInstance[], style: Style): string[] {
  const ended = instances.filter((i) => i.deadlock === undefined && i.properties.every((p) => p.verdict !== null));
  if (ended.length === 0) return [];
  const always = ended[0]!.neverDone.filter((c) =>
    ended.every((i) => i.neverDone.some((d) => d.file === c.file && d.line === c.line && d.operation === c.operation)),
  );
  if (always.length === 0) return [];
  const all = always.slice(0, MAX_ROWS.never).map(placed).join('; ');
  const more = always.length > MAX_ROWS.never ? `, ${andMore(always.length - MAX_ROWS.never, '', formatCount)}` : '';
  return prose(printable(`Never executed by any rank: ${all}${more}`, style.unicode), style.width);
}

/** Numbers of ranks that were not verified, merged by reason. */
function refusedLines({ refused }: ProgramVerificationDocument, style: Style): string[] {
  const byReason = new Map<string, Set<number>>();
  for (const { ranks, reason } of refused) byReason.set(reason, (byReason.get(reason) ?? new Set()).add(ranks));
  if (byReason.size === 0) return [];
  const groups = [...byReason].map(([reason, numbers]) => [reason, [...numbers].sort((a, b) => a - b)] as const);
  const lines = groups.slice(0, MAX_ROWS.refused).flatMap(([reason, numbers]) => {
    const all = numbers.length === 1 ? counted(numbers[0]!, 'rank') : `${ranges(numbers)} ranks`;
    return hanging(printable(`${all}: ${reason}`, style.unicode), style);
  });
  const left = new Set(groups.slice(MAX_ROWS.refused).flatMap(([, numbers]) => numbers)).size;
  return [
    style.bold('Not verified'),
    ...lines,
    ...(left > 0 ? hanging(andMore(left, 'rank count', formatCount), style) : []),
  ];
}

function hanging(text: string, style: Style): string[] {
  return prose(text, style.width - 6).map((line, k) => (k === 0 ? '  ' : '    ') + line);
}

/** All keys of the document in file order; the type ensures that none is missing. */
const keyOrder: Readonly<Record<keyof ProgramVerificationDocument, true>> = {
  format: true,
  version: true,
  kind: true,
  product: true,
  complete: true,
  because: true,
  inputs: true,
  options: true,
  instances: true,
  refused: true,
  seconds: true,
  warnings: true,
  notes: true,
};

/** The document as JSON text: keys in a fixed order, one line per instance. */
export function programVerificationJson(document: ProgramVerificationDocument): string {
  return documentJson(document, Object.keys(keyOrder) as (keyof ProgramVerificationDocument)[]);
}
