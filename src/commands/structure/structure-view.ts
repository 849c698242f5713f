import { andMore } from '../../base/listing.ts';
import { documentJson } from '../../report/document-json.ts';
import { heading } from '../../report/heading.ts';
import { pageOf } from '../../report/page.ts';
import { type Style, styleOf, type ViewOptions } from '../../report/style.ts';
import { table } from '../../report/table.ts';
import { clipped, printable, prose, wrapped } from '../../report/text.ts';
import { counted, formatCount, formatSeconds } from '../../report/units.ts';
import { assumedLine, subjectWords } from '../exact/subject-text.ts';
import type { ProvedPlace, ShownSemiflow, StructureDocument, Weights } from './structure-result.ts';

/** Maximum number of places listed with bounds, and of semiflows, siphons and traps each. */
const MAX_PLACES = 16;
const MAX_SETS = 6;

/**
 * Renders the output of `foretoken structure`: facts proved for all markings with their proofs, bounds of places, semiflows,
 * siphons and traps, net classes. No line is wider than `width`; without `colour` there are no escape sequences, without
 * `unicode` only ASCII.
 */
export function renderStructure(document: StructureDocument, options: ViewOptions): string {
  const style = styleOf(options);
  const sections = [
    [...answer(document, style), ...setting(document, style)],
    targets(document, style),
    verdictTable(document, style),
    places(document, style),
    semiflows(document, style),
    siphons(document, style),
    classes(document, style),
  ];
  return pageOf(sections);
}

const WHY: Readonly<Record<NonNullable<StructureDocument['truncation']>, string>> = {
  time: 'by the time limit',
  memory: 'by the memory limit',
  interrupted: 'by request',
};

function answer(document: StructureDocument, style: Style): string[] {
  const { truncation } = document;
  const ended = truncation === undefined ? '' : `TRUNCATED ${WHY[truncation]}; the facts found until then remain true`;
  return [...proved(document, style), ...prose(ended, style.width).map(style.alarm)].filter((line) => line !== '');
}

function proved({ figures, verdicts }: StructureDocument, style: Style): string[] {
  const [bounded, all] = [figures.boundedPlaces.value ?? 0, figures.places.value ?? 0];
  const largest = figures.largestBound.value;
  const text =
    verdicts.safe.value === true
      ? 'Safe: no place ever holds two tokens of one colour; no state was explored'
      : largest !== null
        ? `Bounded: no place ever holds more than ${counted(largest, 'token')}; no state was explored`
        : `Bounded as far as is proved: ${formatCount(bounded)} of ${counted(all, 'place')}; no state was explored`;
  return prose(text, style.width).map(style.bold);
}

const SOLVERS: Readonly<Record<StructureDocument['solver'], string>> = {
  highs: 'linear programs by HiGHS, checked exactly',
  'not needed': '',
  absent: 'without linear programs: the package highs is not installed',
  off: 'without linear programs',
  skipped: 'linear programs were skipped',
  'too large': 'the net is too large for linear programs, so bounds may be weaker',
};

function setting({ inputs, options, figures, solver, seconds }: StructureDocument, style: Style): string[] {
  const pieces = [
    ...subjectWords(options, inputs.machine),
    counted(figures.places.value ?? 0, 'place'),
    counted(figures.transitions.value ?? 0, 'transition'),
    style.units(formatSeconds(seconds)),
    SOLVERS[solver],
  ];
  const text = pieces.filter((piece) => piece !== '').map((piece) => printable(piece, style.unicode));
  return [
    ...assumedLine(options).flatMap((line) => prose(line, style.width)),
    ...wrapped(text.join(style.dot), style.width, style.dot),
  ];
}

function targets({ unreachable }: StructureDocument, style: Style): string[] {
  return (unreachable ?? []).flatMap(({ target, unreachable: never, because, certificates }) => {
    const word = never === true ? 'unreachable' : 'unknown';
    const more = certificates.length > 1 ? `, ${andMore(certificates.length - 1, 'proof', formatCount)}` : '';
    return [
      ...prose(printable(`${word}: ${target}`, style.unicode), style.width).map((line) =>
        never === true ? line : style.alarm(line),
      ),
      ...prose(printable(because + more, style.unicode), style.width - 2).map((line) => style.dim(`  ${line}`)),
    ];
  });
}

const NAMES: Readonly<Record<keyof StructureDocument['verdicts'], string>> = {
  safe: 'safe',
  bounded: 'bounded',
  structurallyBounded: 'structurally bounded',
  conservative: 'conservative',
  consistent: 'consistent',
  deadlockFree: 'deadlock-free',
  live: 'live',
};

function verdictTable({ verdicts }: StructureDocument, style: Style): string[] {
  const names = Object.keys(NAMES) as (keyof typeof NAMES)[];
  const answer = (value: boolean | null): string => (value === null ? '?' : value ? 'yes' : 'no');
  return table(
    [
      { head: 'verdict', cells: names.map((name) => NAMES[name]) },
      { head: '', cells: names.map((name) => answer(verdicts[name].value)) },
      { head: 'because', cells: names.map((name) => verdicts[name].because) },
    ],
    style,
  );
}

function places({ proved, deadTransitions }: StructureDocument, style: Style): string[] {
  if (proved.length === 0) return [];
  // Unproved places first, then by decreasing bound.
  const rank = ({ bound }: ProvedPlace): number => (bound === null ? Number.POSITIVE_INFINITY : bound);
  const order = [...proved].sort((a, b) => (rank(a) === rank(b) ? 0 : rank(b) - rank(a)));
  const shown = order.slice(0, MAX_PLACES);
  const left = proved.length - shown.length;
  const never = deadTransitions.slice(0, MAX_SETS).join(', ') + (deadTransitions.length > MAX_SETS ? ' …' : '');
  return [
    ...table(
      [
        { head: 'place', cells: shown.map((p) => p.place) },
        { head: 'initially', cells: shown.map((p) => formatCount(p.initial)), right: true },
        { head: 'at most', cells: shown.map((p) => (p.bound === null ? '?' : formatCount(p.bound))), right: true },
        { head: 'because', cells: shown.map((p) => p.because) },
      ],
      style,
    ),
    ...(left > 0 ? [`${andMore(left, 'place', formatCount)}, --json lists all`] : []),
    ...(deadTransitions.length === 0
      ? []
      : prose(
          printable(`${counted(deadTransitions.length, 'transition')} can never fire: ${never}`, style.unicode),
          style.width,
        )),
  ];
}

function semiflows(document: StructureDocument, style: Style): string[] {
  const { placeSemiflows, transitionSemiflows, complete } = document;
  return [
    ...listing('Place semiflows', 'invariant weighted sums of tokens', placeSemiflows, complete.placeSemiflows, style),
    ...listing(
      'Transition semiflows',
      'firings that reproduce the marking',
      transitionSemiflows,
      complete.transitionSemiflows,
      style,
    ),
  ];
}

function listing(
  title: string,
  meaning: string,
  flows: readonly ShownSemiflow[],
  complete: boolean,
  style: Style,
): string[] {
  const lines = flows
    .slice(0, MAX_SETS)
    .map(({ weights, tokens }) => sum(weights) + (tokens === undefined ? '' : ` = ${formatCount(tokens)}`));
  return section(title, `${count(flows.length, complete)}, ${meaning}`, lines, flows.length, style);
}

function siphons({ siphons: all, traps, complete }: StructureDocument, style: Style): string[] {
  const open = all.filter((s) => s.trap === null);
  // Siphons without a marked trap come first, because they can become empty.
  const shown = [...open, ...all.filter((s) => s.trap !== null)].slice(0, MAX_SETS);
  const lines = shown.map(
    ({ places, tokens, trap }) =>
      `${places.join(' ')}: ${trap === null ? (tokens === 0 ? 'empty forever' : 'no marked trap, may become empty') : 'contains a marked trap'}`,
  );
  const about = `${count(all.length, complete.siphons)}${all.length === 0 ? '' : `, ${formatCount(all.length - open.length)} with a marked trap`}`;
  return [
    ...section('Siphons', about, lines, all.length, style),
    ...section(
      'Traps',
      count(traps.length, complete.traps),
      traps.slice(0, MAX_SETS).map(({ places, tokens }) => `${places.join(' ')}: ${tokens === 0 ? 'empty' : 'marked'}`),
      traps.length,
      style,
    ),
  ];
}

const count = (n: number, complete: boolean): string =>
  complete ? `${formatCount(n)} minimal` : `${formatCount(n)} found, more exist`;

function section(title: string, rest: string, lines: readonly string[], all: number, style: Style): string[] {
  const left = all - lines.length;
  return [
    heading(title, `: ${rest}`, style),
    ...lines.map((line) => clipped(`  ${printable(line, style.unicode)}`, style.width, style.more)),
    ...(left > 0 ? [`  ${andMore(left, '', formatCount)}`] : []),
  ];
}

function sum(weights: Weights): string {
  return Object.entries(weights)
    .map(([name, weight]) => (weight === 1 ? name : `${weight}·${name}`))
    .join(' + ');
}

function classes({ classes: all }: StructureDocument, style: Style): string[] {
  if (all === null) return [`${style.bold('Classes')}: none, because the net has reset or inhibitor arcs`];
  const held = Object.entries(all).flatMap(([name, holds]) => (holds ? [name.replaceAll('_', ' ')] : []));
  return prose(`Classes: ${held.length === 0 ? 'none of the known classes' : held.join(', ')}`, style.width).map(
    (line, k) => (k === 0 ? style.bold('Classes') + line.slice('Classes'.length) : line),
  );
}

/** All keys of the document in file order; the type ensures that none is missing. */
const keyOrder: Readonly<Record<keyof StructureDocument, true>> = {
  format: true,
  version: true,
  kind: true,
  product: true,
  inputs: true,
  options: true,
  figures: true,
  complete: true,
  truncation: true,
  classes: true,
  verdicts: true,
  proved: true,
  sums: true,
  placeSemiflows: true,
  transitionSemiflows: true,
  siphons: true,
  traps: true,
  deadTransitions: true,
  unreachable: true,
  solver: true,
  seconds: true,
  warnings: true,
};

/** The document as JSON text, in the same format as other results. */
export function structureJson(document: StructureDocument): string {
  return documentJson(document, Object.keys(keyOrder) as (keyof StructureDocument)[]);
}
