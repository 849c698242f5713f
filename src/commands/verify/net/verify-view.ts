import { andMore } from '../../../base/listing.ts';
import { documentJson } from '../../../report/document-json.ts';
import { pageOf } from '../../../report/page.ts';
import { type Style, styleOf, type ViewOptions } from '../../../report/style.ts';
import { clipped, padEnd, printable, prose } from '../../../report/text.ts';
import { counted, formatCount, formatSeconds } from '../../../report/units.ts';
import { omissionText } from '../../explore/omission-text.ts';
import type { PropertyResult, VerificationDocument, Witness, WitnessStep } from './verification.ts';

/** Maximum numbers of properties, witnesses, places with bounds, and failing parts listed. */
const MAX_PROPERTIES = 60;
const MAX_WITNESSES = 5;
const MAX_PLACES = 12;
const MAX_FAILING = 8;

/** The state space explored by each reduction. */
const REDUCED = {
  stubborn: 'the space reduced by stubborn sets',
  structural: 'the structurally reduced net',
  symmetry: 'the space reduced by symmetries',
  all: 'the structurally reduced net, reduced by stubborn sets and symmetries',
} as const;

/**
 * Renders the output of `foretoken verify` for nets: a summary, each property with its verdict and reason, then firing
 * sequences that show violations. No line is wider than `width`, except for commands to be copied.
 */
export function renderVerification(document: VerificationDocument, options: ViewOptions): string {
  const style = styleOf(options);
  const { properties } = document;
  const shown = [...properties].sort((a, b) => urgency(a) - urgency(b)).slice(0, MAX_PROPERTIES);
  const left = properties.length - shown.length;
  const witnesses = distinct(shown.filter((p) => p.witness !== undefined && p.witness.steps.length > 0));
  const sections = [
    [...answer(document, style), ...setting(document, style)],
    [
      ...shown.flatMap((p) => verdictLines(p, style)),
      ...(left > 0 ? [`${andMore(left, 'property', formatCount)}, --json lists all`] : []),
    ],
    ...distinct(shown).flatMap((p) =>
      p.bounds === undefined ? [] : [boundLines(p.bounds, p.verdict !== null, style)],
    ),
    ...witnesses.slice(0, MAX_WITNESSES).map((p) => witnessLines(p, p.witness!, style)),
    witnesses.length > MAX_WITNESSES
      ? [`${formatCount(witnesses.length - MAX_WITNESSES)} more firing sequences, --json lists all`]
      : [],
  ];
  return pageOf(sections);
}

/** The first result of each name: a property given twice gets one firing sequence. */
function distinct(results: readonly PropertyResult[]): PropertyResult[] {
  return [...new Map([...results].reverse().map((p) => [p.id, p])).values()].reverse();
}

/** Sort order: violated properties first, then unknown ones. */
function urgency({ verdict }: PropertyResult): number {
  return verdict === false ? 0 : verdict === null ? 1 : 2;
}

function answer({ properties }: VerificationDocument, style: Style): string[] {
  const count = (verdict: (v: PropertyResult['verdict']) => boolean): number =>
    properties.filter((p) => verdict(p.verdict)).length;
  const [violated, unknown] = [count((v) => v === false), count((v) => v === null)];
  const holding = count((v) => v === true);
  const one = properties.length === 1 ? properties[0] : undefined;
  const paint = violated > 0 || unknown > 0 ? style.alarm : style.bold;
  if (one !== undefined) {
    const what =
      { false: 'Violated', true: 'Holds', null: 'Unknown', unbounded: 'Unbounded' }[String(one.verdict)] ??
      `At most ${one.verdict}`;
    return prose(`${what}: ${printable(clipped(one.id, 300, style.more), style.unicode)}`, style.width).map(paint);
  }
  const parts = [
    [violated, 'violated'],
    [unknown, 'unknown'],
    [holding, holding === 1 ? 'holds' : 'hold'],
    [count((v) => typeof v === 'number'), 'measured'],
    [count((v) => v === 'unbounded'), 'unbounded'],
  ].filter(([n]) => n !== 0);
  const text = `${counted(properties.length, 'property').replace(/ys$/, 'ies')}: ${parts.map(([n, what]) => `${formatCount(Number(n))} ${what}`).join(', ')}`;
  return prose(text, style.width).map(paint);
}

function setting({ inputs, options, space, seconds }: VerificationDocument, style: Style): string[] {
  const { states, expanded, edges, complete, truncation, omission } = space;
  const why = { states: 'the state limit', memory: 'the memory limit', time: 'the time limit' } as const;
  const extent = complete
    ? 'all reachable markings'
    : truncation === null
      ? omission !== undefined && expanded === states
        ? omissionText(omission)
        : 'as far as needed'
      : truncation === 'interrupted'
        ? 'ended by request'
        : `ended by ${why[truncation]}`;
  const { reduce } = options as { readonly reduce?: string };
  const alone = reduce !== undefined && reduce !== 'auto' && reduce !== 'none';
  const { ranks, builtIn, assumed } = options;
  const machine = inputs.machine?.path ?? builtIn;
  const on = machine === undefined ? '' : ` on ${machine}${assumed === undefined ? '' : ' (assumed)'}`;
  const parts = [
    inputs.net?.path ?? String(options['net'] ?? options['model'] ?? ''),
    ranks === undefined ? '' : `${counted(Number(ranks), 'rank')}${on}`,
    ...(alone ? [`reduced: ${reduce}`] : [counted(states, 'state'), counted(edges, 'edge'), extent]),
    style.units(formatSeconds(seconds.total)),
  ].filter((part) => part !== '');
  return prose(printable(parts.join(style.dot), style.unicode), style.width);
}

function verdictLines(p: PropertyResult, style: Style): string[] {
  const word =
    p.verdict === null
      ? 'unknown'
      : p.verdict === false
        ? 'VIOLATED'
        : p.verdict === true
          ? 'holds'
          : String(p.verdict);
  const paint = p.verdict === false || p.verdict === null ? style.alarm : (text: string) => text;
  const indent = ' '.repeat(10);
  const text = p.id === p.property ? p.property : `${p.id}: ${p.property}`;
  const first = clipped(printable(text, style.unicode), style.width - 10, style.more);
  const about = reasons(p, style).flatMap((line) => prose(line, style.width - 10));
  return [`${paint(padEnd(word, 9))} ${first}`, ...about.map((line) => style.dim(indent + line))];
}

function reasons(p: PropertyResult, style: Style): string[] {
  const clean = (text: string): string => printable(text, style.unicode);
  const lines: string[] = [];
  if (p.reason !== undefined) {
    const lowerBound = p.atLeast === undefined ? '' : `; at least ${formatCount(p.atLeast)}`;
    lines.push(`${p.reason}, ${counted(p.states, 'state')} explored${lowerBound}`);
  }
  if (p.certificate?.kind === 'structure') lines.push(clean(`proved without exploration: ${p.certificate.because}`));
  if (p.certificate?.kind === 'complete space' && p.verdict !== null)
    lines.push(`all ${counted(p.certificate.states, 'state')} and ${counted(p.certificate.edges, 'edge')} explored`);
  if (p.certificate?.kind === 'coverability') lines.push(clean(p.certificate.because));
  if (p.certificate?.kind === 'reduced space') {
    const { method, states, edges } = p.certificate;
    lines.push(`${counted(states, 'state')} and ${counted(edges, 'edge')} of ${REDUCED[method]}`);
  }
  if (p.witness !== undefined && p.witness.steps.length === 0) lines.push(clean(`initially: ${p.witness.shows}`));
  if (p.failing !== undefined) {
    const some = p.failing.slice(0, MAX_FAILING).map(clean).join(', ');
    const more = p.failing.length > MAX_FAILING ? `, ${andMore(p.failing.length - MAX_FAILING, '', formatCount)}` : '';
    lines.push(`${p.property === 'safe' || p.property.startsWith('bounded') ? 'places' : 'fails'}: ${some}${more}`);
  }
  for (const { formula, states } of p.holdsIn ?? [])
    lines.push(clipped(clean(`${counted(states, 'state')} where ${formula}`), style.width - 10, style.more));
  return lines;
}

function boundLines(bounds: NonNullable<PropertyResult['bounds']>, known: boolean, style: Style): string[] {
  const size = (n: number | 'unbounded'): number => (n === 'unbounded' ? Number.MAX_VALUE : n);
  const all = Object.entries(bounds).sort((a, b) => size(b[1]) - size(a[1]));
  const some = all
    .slice(0, MAX_PLACES)
    .map(([place, n]) => `${printable(place, style.unicode)} ${n === 'unbounded' ? n : formatCount(n)}`);
  const more = all.length > some.length ? `, ${andMore(all.length - some.length, 'place', formatCount)}` : '';
  return [
    style.bold(`Maximum tokens${known ? '' : ' so far'}, all colours together`),
    ...prose(some.join(', ') + more, style.width),
  ];
}

/** Steps shown at the beginning and end of a longer sequence. */
const FIRST = 20;
const LAST = 20;

/** Renders a firing sequence: steps with bindings and marking changes, the demonstrated property, and the command that repeats it. */
function witnessLines({ id, repeat }: PropertyResult, witness: Witness, style: Style): string[] {
  const { steps, loop, shows, shortest, delays } = witness;
  const clean = (text: string): string => printable(text, style.unicode);
  const length = `${counted(steps.length, 'step')}${shortest ? ', shortest' : ''}`;
  const digits = String(steps.length).length;
  const lines = [style.bold(clipped(clean(`${id}: ${length}`), style.width, style.more))];
  steps.forEach((step, k) => {
    const cut = steps.length > FIRST + LAST + 1;
    if (cut && k === FIRST)
      lines.push(`${' '.repeat(digits + 2)}${style.more} ${formatCount(steps.length - FIRST - LAST)} steps`);
    if (cut && k >= FIRST && k < steps.length - LAST) return;
    const again = loop === k ? (loop === steps.length ? '' : 'repeated from here: ') : '';
    const text = clean(`${again}${stepText(step)}`);
    lines.push(clipped(`${String(k + 1).padStart(digits + 1)} ${text}`, style.width, style.more));
  });
  lines.push(...prose(clean(shows), style.width - digits - 2).map((line) => `${' '.repeat(digits + 2)}${line}`));
  if (delays !== undefined) {
    const words = {
      yes: 'The delays permit this order',
      no: 'The delays rule out this order',
      unknown: 'The delays may or may not permit this order',
    };
    const others = delays.permitted === 'no' ? ' Another order may still be possible.' : '';
    lines.push(...prose(clean(`${words[delays.permitted]}: ${delays.reason}.${others}`), style.width));
  }
  if (repeat !== undefined) lines.push(style.dim(clean(`reproduce with: ${style.runner}${repeat}`)));
  return lines;
}

/** `FF1a x=0: Think[0] −1, Catch1[0] +1`. */
function stepText({ kind, node, binding, changes }: WitnessStep): string {
  const how = { fire: '', start: 'start ', end: 'end ', serve: 'serve ' }[kind];
  const values = Object.entries(binding).map(([name, value]) => `${name}=${value}`);
  const what = changes.map(({ place, colour, by }) => {
    const of = colour.length === 0 ? '' : `[${colour.join(', ')}]`;
    return `${place}${of} ${by > 0 ? '+' : '-'}${Math.abs(by)}`;
  });
  return `${how}${[node, ...values].join(' ')}${what.length === 0 ? '' : `: ${what.join(', ')}`}`;
}

/** All keys of the document in file order; the type ensures that none is missing. */
const keyOrder: Readonly<Record<keyof VerificationDocument, true>> = {
  format: true,
  version: true,
  kind: true,
  product: true,
  complete: true,
  inputs: true,
  options: true,
  final: true,
  properties: true,
  space: true,
  seconds: true,
  warnings: true,
};

/** The document as JSON text: keys in a fixed order, one line per property. */
export function verificationJson(document: VerificationDocument): string {
  return documentJson(document, Object.keys(keyOrder) as (keyof VerificationDocument)[]);
}
