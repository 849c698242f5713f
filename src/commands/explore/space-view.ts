import { andMore, ranges } from '../../base/listing.ts';
import { documentJson } from '../../report/document-json.ts';
import { heading } from '../../report/heading.ts';
import { pageOf } from '../../report/page.ts';
import { sparkline } from '../../report/sparkline.ts';
import { type Style, styleOf, type ViewOptions } from '../../report/style.ts';
import { table } from '../../report/table.ts';
import { clipped, padStart, printable, prose, wrapped } from '../../report/text.ts';
import { counted, formatAmount, formatCount, formatNetSeconds, formatSeconds } from '../../report/units.ts';
import type { SpaceStep } from '../exact/exact-parts.ts';
import { processWord, timeTable } from '../exact/figure-text.ts';
import { assumedLine, subjectWords } from '../exact/subject-text.ts';
import { omissionText } from './omission-text.ts';
import type { DeadMarking, SpaceDocument } from './space.ts';

/**
 * Renders the output of `foretoken explore`: the number of states and edges, and whether exploration was complete; verdicts
 * with reasons; maximum token counts; depth, branching, components and dead states. No line is wider than `width`; without
 * `colour` there are no escape sequences, without `unicode` only ASCII.
 */
export function renderSpace(document: SpaceDocument, options: ViewOptions): string {
  const style = styleOf(options);
  const sections = [
    [...answer(document, style), ...setting(document, style)],
    verdictTable(document, style),
    liveness(document, style),
    parallelism(document, style),
    runTimes(document, style),
    distributionOf(document, style),
    tokens(document, style),
    shape(document, style),
    deadStates(document, style),
  ];
  return pageOf(sections);
}

const WHY: Readonly<Record<NonNullable<SpaceDocument['truncation']>, string>> = {
  states: 'by the state limit',
  memory: 'by the memory limit',
  time: 'by the time limit',
  interrupted: 'by request',
};

function answer({ figures, complete, truncation, omission }: SpaceDocument, style: Style): string[] {
  const found = `${counted(figures.states.value ?? 0, 'state')}, ${counted(figures.edges.value ?? 0, 'edge')}`;
  if (complete) return [style.bold(`${found}: COMPLETE`)];
  if (truncation === undefined && omission !== undefined)
    return prose(`${found}: NOT PROVEN complete; ${omissionText(omission)}`, style.width).map(style.alarm);
  const why = truncation === undefined ? '' : ` ${WHY[truncation]}`;
  return prose(`${found}: TRUNCATED${why}; figures cover the part explored`, style.width).map(style.alarm);
}

/** From this number of states on, bytes per state are shown. */
const MANY = 100_000;

function setting(
  { inputs, options, figures, seconds, totalSeconds, bytesPerState }: SpaceDocument,
  style: Style,
): string[] {
  const { order } = options;
  const states = figures.states.value ?? 0;
  const rate = seconds > 0 ? `${formatAmount(states / seconds, '').trim()} states/s` : '';
  const pieces = [
    ...subjectWords(options, inputs.machine),
    `${order} first`,
    style.units(`${formatSeconds(totalSeconds)}`),
    rate,
    // The hash table of a small space is mostly empty, so only the total is shown.
    states < MANY ? formatAmount(bytesPerState * states, 'B') : `${bytesPerState.toFixed(1)} bytes per state`,
  ];
  const text = pieces.filter((piece) => piece !== '').map((piece) => printable(piece, style.unicode));
  return [
    ...assumedLine(options).flatMap((line) => prose(line, style.width)),
    ...wrapped(text.join(style.dot), style.width, style.dot),
  ];
}

const NAMES: Readonly<Record<keyof SpaceDocument['verdicts'], string>> = {
  deadlock: 'deadlock',
  oneSafe: 'one-safe',
  quasiLive: 'quasi-live',
  live: 'live',
  stableMarking: 'stable place',
  reversible: 'reversible',
};

function verdictTable({ verdicts, because }: SpaceDocument, style: Style): string[] {
  const names = Object.keys(NAMES) as (keyof typeof NAMES)[];
  const answer = (value: boolean | null): string => (value === null ? '?' : value ? 'yes' : 'no');
  return table(
    [
      { head: 'verdict', cells: names.map((name) => NAMES[name]) },
      { head: '', cells: names.map((name) => answer(verdicts[name])) },
      { head: 'because', cells: names.map((name) => because[name]) },
    ],
    style,
  );
}

/** Maximum number of transitions listed. */
const MAX_TRANSITIONS = 20;

const LEVELS = { 0: '0 dead', 1: '1 possible', 3: '3 repeatable', 4: '4 live' } as const;

/** The transitions with the lowest levels first, unknown ones before them. */
function liveness({ liveness: levels, figures }: SpaceDocument, style: Style): string[] {
  if (levels === undefined) return [];
  const sorted = levels.toSorted((a, b) => (a.level ?? -1) - (b.level ?? -1));
  const listed = sorted.slice(0, MAX_TRANSITIONS);
  const left = sorted.length - listed.length;
  const homes = figures.homeStates.value;
  const from = sorted.find(({ witness }) => witness !== null)?.witness;
  const path = from?.steps ?? [];
  return [
    heading('Liveness', `: ${homes === null ? 'home states not known' : counted(homes, 'home state')}`, style),
    ...table(
      [
        { head: 'transition', cells: listed.map(({ transition }) => printable(transition, style.unicode)) },
        { head: 'level', cells: listed.map(({ level }) => (level === null ? '?' : LEVELS[level])) },
        { head: 'because', cells: listed.map(({ because }) => because) },
      ],
      style,
    ),
    ...(left > 0 ? [`${andMore(left, 'transition', formatCount)}, --json lists all`] : []),
    ...(path.length === 0 ? [] : paragraph(`state ${from!.state} is reached by ${path.join('; ')}`, style)),
  ];
}

/** Maximum number of groups of places listed. */
const MAX_GROUPS = 20;

function tokens({ figures, bounds, options, complete }: SpaceDocument, style: Style): string[] {
  const { maxTokensPerMarking, maxTokensInPlace } = figures;
  const prefix = `${complete ? '' : 'at least '}`;
  const rest = `: ${prefix}${formatCount(maxTokensPerMarking.value ?? 0)} in a marking, ${formatCount(maxTokensInPlace.value ?? 0)} equal tokens in a place`;
  const groups = String(options['bounds'] ?? '').split(';');
  const listed = (bounds ?? []).slice(0, MAX_GROUPS);
  const width = Math.max(0, ...listed.map((sum) => formatCount(sum).length));
  const lines = listed.map((sum, k) =>
    clipped(
      `${padStart(formatCount(sum), width)}  ${printable((groups[k] ?? '').trim(), style.unicode)}`,
      style.width,
      style.more,
    ),
  );
  const left = (bounds?.length ?? 0) - listed.length;
  return [
    heading('Maximum tokens', rest, style),
    ...lines,
    ...(left > 0 ? [`${andMore(left, 'group', formatCount)}, --json lists all`] : []),
  ];
}

/** Maximum number of fragments listed. */
const MAX_FRAGMENTS = 10;

function parallelism({ parallelism: found, fragments = [], options }: SpaceDocument, style: Style): string[] {
  if (found === undefined) return [];
  const what = processWord(options);
  const least = found.complete ? '' : 'at least ';
  const { steps } = found.witness;
  const how =
    steps === null || steps.length === 0
      ? []
      : paragraph(`state ${found.witness.state} has the maximum, after ${steps.join('; ')}`, style);
  const listed = fragments.slice(0, MAX_FRAGMENTS);
  const left = found.fragments - listed.length;
  return [
    heading(
      'Parallelism',
      `: maximum ${least}${formatCount(found.maximum)}, ${least}${counted(found.fragments, 'fragment')}`,
      style,
    ),
    ...table(
      [
        { head: `${what} numbers`, cells: listed.map(({ processes }) => ranges(processes) || 'none') },
        { head: 'active', right: true, cells: listed.map(({ processes }) => formatCount(processes.length)) },
        { head: 'markings', right: true, cells: listed.map(({ markings }) => formatCount(markings)) },
      ],
      style,
    ),
    ...(left > 0
      ? [
          `${andMore(left, 'fragment', formatCount)}, --json lists ${left + listed.length > fragments.length ? 'the largest' : 'all'}`,
        ]
      : []),
    ...how,
  ];
}

function runTimes({ runTime: found }: SpaceDocument, style: Style): string[] {
  if (found === undefined) return [];
  const { witnesses, because, deadlocks } = found;
  const [shortest, longest] = [found.shortest.value, found.longest.value];
  const text = (seconds: number | null): string =>
    style.units(seconds === null ? 'not known' : formatNetSeconds(seconds));
  const order = (name: string, steps: readonly SpaceStep[] | null): string[] =>
    steps === null || steps.length === 0 ? [] : paragraph(`${name}: ${orderText(steps, style)}`, style);
  const isOne = shortest !== null && shortest === longest;
  const isKnown = shortest !== null || longest !== null;
  const range = isOne || !isKnown ? text(shortest) : `shortest ${text(shortest)}, longest ${text(longest)}`;
  const why = because === null ? '' : ` (${printable(because, style.unicode)})`;
  const [first = '', ...others] = prose(`Run time over all orders: ${range}${why}`, style.width);
  return [
    style.bold('Run time') + first.slice('Run time'.length),
    ...others,
    ...(isOne
      ? order('one order', witnesses.shortest)
      : [...order('shortest', witnesses.shortest), ...order('longest', witnesses.longest)]),
    ...(deadlocks === 0
      ? []
      : prose(`Runs that stop in one of ${counted(deadlocks, 'deadlock')} have no run time`, style.width)),
  ];
}

/** Mean, variance and quantiles of a random run time. */
function distributionOf({ distribution }: SpaceDocument, style: Style): string[] {
  return distribution === undefined ? [] : timeTable(distribution, RUN_TIME, {}, style);
}

const RUN_TIME = { head: 'run time', verb: 'have ended' } as const;

/** `0 s produce (x 1); 2 s end of produce (x 1), consume`. */
function orderText(steps: readonly SpaceStep[], style: Style): string {
  const instants = new Map<number, string[]>();
  for (const { seconds, step } of steps) instants.set(seconds, [...(instants.get(seconds) ?? []), step]);
  return [...instants]
    .map(([seconds, all]) => `${style.units(formatNetSeconds(seconds))} ${all.join(', ')}`)
    .join('; ');
}

/** Maximum number of lines of a path or a marking. */
const MAX_LINES = 4;

/** Text in at most {@link MAX_LINES} lines. */
function paragraph(text: string, style: Style): string[] {
  const all = prose(printable(text, style.unicode), style.width);
  return all.length <= MAX_LINES ? all : [...all.slice(0, MAX_LINES - 1), style.more];
}

function shape({ depths, branching, components, figures }: SpaceDocument, style: Style): string[] {
  const lines: string[] = [];
  if (branching !== undefined)
    lines.push(
      heading(
        'Branching',
        `: ${branching.least} to ${counted(branching.most, 'step')}, mean ${branching.mean.toFixed(2)}`,
        style,
      ),
    );
  if (components !== undefined) lines.push(...componentLines(components, figures, style));
  if (depths !== undefined) {
    const top = Math.max(...depths.states);
    const width = Math.min(style.width, Math.max(depths.states.length, 1));
    const at = depths.slice === 1 ? 'at one depth' : `in a column of ${formatCount(depths.slice)} depths`;
    lines.push(
      heading('Depth', `: ${counted(depths.deepest, 'step')}; at most ${counted(top, 'state')} ${at}`, style),
      sparkline(depths.states, width, top, style.unicode),
    );
  }
  return lines;
}

/** Maximum number of component sizes listed. */
const MAX_SIZES = 6;

function componentLines(
  components: NonNullable<SpaceDocument['components']>,
  { sccs, bottomSccs }: SpaceDocument['figures'],
  style: Style,
): string[] {
  if (sccs.value === 1) return [heading('Components', ': one, with all states', style)];
  const listed = components.slice(0, MAX_SIZES).map(({ size, count, bottom }) => {
    const left = bottom === 0 ? '' : bottom === count ? ' (bottom)' : ` (${formatCount(bottom)} bottom)`;
    return `${count === 1 ? 'one' : formatCount(count)} with ${counted(size, 'state')}${left}`;
  });
  const rest = sccs.value! - components.slice(0, MAX_SIZES).reduce((sum, c) => sum + c.count, 0);
  const more = rest > 0 ? `, ${formatCount(rest)} of other sizes` : '';
  const text = `: ${formatCount(sccs.value ?? 0)}, ${formatCount(bottomSccs.value ?? 0)} of them without outgoing edges: ${listed.join(', ')}${more}`;
  const [first = '', ...others] = prose(`Components${text}`, style.width);
  return [style.bold('Components') + first.slice('Components'.length), ...others];
}

function deadStates({ dead, figures }: SpaceDocument, style: Style): string[] {
  if (dead.length === 0) return [];
  const final = figures.finalStates?.value ?? 0;
  const stuck = figures.deadlockStates.value ?? 0;
  const counts = [
    ...(stuck > 0 || final === 0 ? [counted(stuck, 'deadlock')] : []),
    ...(final > 0 ? [counted(final, 'final state')] : []),
  ];
  const lines = dead.flatMap((one) => {
    const after = one.distance === null ? '' : `, ${counted(one.distance, 'step')} from the initial state`;
    const head = `state ${one.state}${one.final === true ? ' (final)' : ''}${after}: `;
    return paragraph(`${head}${markingText(one)}`, style);
  });
  const left = stuck + final - dead.length;
  return [
    heading('Dead states', `: ${counts.join(' and ')}`, style),
    ...lines,
    ...(left > 0 ? [andMore(left, '', formatCount)] : []),
  ];
}

/** `Fork (0) (1), buffer 3, busy compute (x 1)`. */
function markingText({ marking, busy }: DeadMarking): string {
  const places = new Map<string, string[]>();
  for (const { place, token, count, inService } of marking) {
    const name = `${place}${inService ? ' in service' : ''}`;
    const text = token === '' ? String(count) : `${count === 1 ? '' : `${count}×`}${token}`;
    places.set(name, [...(places.get(name) ?? []), text]);
  }
  const all = [
    ...[...places].map(([name, texts]) => `${name} ${texts.join(' ')}`),
    ...busy.map(
      ({ transition, binding, count }) => `busy ${transition} (${binding})${count === 1 ? '' : ` ${count}×`}`,
    ),
  ];
  return all.length === 0 ? 'no token' : all.join(', ');
}

/** All keys of the document in file order; the type ensures that none is missing. */
const keyOrder: Readonly<Record<keyof SpaceDocument, true>> = {
  format: true,
  version: true,
  kind: true,
  product: true,
  complete: true,
  truncation: true,
  omission: true,
  inputs: true,
  options: true,
  figures: true,
  verdicts: true,
  because: true,
  liveness: true,
  parallelism: true,
  fragments: true,
  runTime: true,
  distribution: true,
  bounds: true,
  depths: true,
  branching: true,
  components: true,
  dead: true,
  seconds: true,
  totalSeconds: true,
  bytesPerState: true,
  warnings: true,
};

/** The document as JSON text, in the same format as other results. */
export function spaceJson(document: SpaceDocument): string {
  return documentJson(document, Object.keys(keyOrder) as (keyof SpaceDocument)[]);
}
