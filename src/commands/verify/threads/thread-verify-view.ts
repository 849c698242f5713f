import { andMore } from '../../../base/listing.ts';
import { documentJson } from '../../../report/document-json.ts';
import { pageOf } from '../../../report/page.ts';
import { sourcePlace } from '../../../report/source-place.ts';
import { type Style, styleOf, type ViewOptions } from '../../../report/style.ts';
import { printable, prose } from '../../../report/text.ts';
import { counted, formatCount, formatSeconds } from '../../../report/units.ts';
import type {
  ThreadInstance,
  ThreadProperty,
  ThreadStep,
  ThreadVerificationDocument,
  ThreadViolation,
} from './thread-verification.ts';

/** Maximum number of lines of a list. */
const MAX = { steps: 40, stuck: 12, never: 12 } as const;

const HOLDS: Readonly<Record<ThreadProperty['id'], string>> = {
  'deadlock-free': 'no deadlock',
  'no-lost-wake-up': 'no lost wake-up',
  'no-fault': 'no lock is released that is not held',
  'locks-free': 'all locks are free at the end',
  executed: 'all operations are executed',
};
const VIOLATED: Readonly<Record<ThreadProperty['id'], string>> = {
  'deadlock-free': 'deadlock',
  'no-lost-wake-up': 'lost wake-up',
  'no-fault': 'a lock is released that is not held',
  'locks-free': 'a lock is held at the end',
  executed: 'operations that are never executed',
};
const TITLES: Readonly<Record<ThreadViolation['kind'], string>> = {
  deadlock: 'Waiting forever',
  'lost-wake-up': 'Waiting forever for a signal',
  fault: 'Released but not held',
  'locks-held': 'Held at the end',
};

/** Renders the output of `foretoken verify` for thread programs. */
export function renderThreadVerification(document: ThreadVerificationDocument, options: ViewOptions): string {
  const style = styleOf(options);
  const { instances } = document;
  const sections = [
    [...instances.flatMap((i) => verdict(i, style)), ...setting(document, style)],
    ...instances.flatMap((i) => i.violations.map((v) => violationLines(i, v, style))),
    // Instances often agree.
    ...[...new Set(instances.map((i) => neverLines(i, style).join('\n')))].map((text) =>
      [text].filter((t) => t !== ''),
    ),
  ];
  return pageOf(sections);
}

export function threadVerificationJson(document: ThreadVerificationDocument): string {
  return documentJson(document, Object.keys(document) as (keyof ThreadVerificationDocument)[]);
}

/** `2 workers, scheduler stealing, pool stack`; threads of the operating system have no workers. */
function of({ workers, scheduler, pool }: ThreadInstance): string {
  if (scheduler === 'os') return 'threads of the operating system';
  return `${counted(workers, 'worker')}, scheduler ${scheduler}${pool === undefined ? '' : `, pool ${pool}`}`;
}

function verdict(instance: ThreadInstance, style: Style): string[] {
  const { properties, parameters } = instance;
  const list = (wanted: boolean | null, names: typeof HOLDS): string =>
    properties
      .filter((p) => p.verdict === wanted)
      .map((p) => names[p.id])
      .join(', ');
  const unknown = properties.find((p) => p.verdict === null);
  const isViolated = properties.some((p) => p.verdict === false);
  const word = isViolated ? 'Violated' : unknown === undefined ? 'Holds' : 'Unknown';
  const what = isViolated ? list(false, VIOLATED) : unknown === undefined ? list(true, HOLDS) : (unknown.reason ?? '');
  const values = Object.entries(parameters).map(([name, value]) => `${name} = ${value}`);
  const given = values.length === 0 ? '' : ` (${values.join(', ')})`;
  const { decidedBy } = instance;
  const why =
    decidedBy === undefined ? '' : `; as with pool ${decidedBy}, because only the main strand waits for tasks`;
  const text = printable(`${word} for ${of(instance)}${given}: ${what}${why}`, style.unicode);
  return prose(text, style.width).map(word === 'Holds' ? style.bold : style.alarm);
}

function setting({ options, instances, seconds }: ThreadVerificationDocument, style: Style): string[] {
  const states = instances.reduce((sum, i) => sum + i.states, 0);
  const strands = Math.max(...instances.map((i) => i.strands));
  const parts = [
    String(options['program']),
    counted(strands, 'strand'),
    counted(states, 'state'),
    style.units(formatSeconds(seconds)),
  ];
  return prose(printable(parts.join(style.dot), style.unicode), style.width);
}

function violationLines(instance: ThreadInstance, violation: ThreadViolation, style: Style): string[] {
  const { kind, firings, steps, stuck, held } = violation;
  const hanging = (text: string): string[] =>
    prose(printable(text, style.unicode), style.width - 6).map((line, k) => (k === 0 ? '  ' : '    ') + line);
  const lines = [style.bold(`${TITLES[kind]}: ${of(instance)}, after ${counted(firings, 'firing')} at the earliest`)];
  for (const step of stuck.slice(0, MAX.stuck)) lines.push(...hanging(told(step, kind === 'fault' ? '' : 'at ')));
  if (stuck.length > MAX.stuck)
    lines.push(...hanging(`${andMore(stuck.length - MAX.stuck, '', formatCount)}, --json lists all`));
  if (held.length > 0) lines.push(...hanging(`held: ${held.slice(0, MAX.stuck).join(', ')}`));
  if (steps.length > 0) lines.push('Operations in order:');
  const cut = steps.length > MAX.steps;
  steps.forEach((step, k) => {
    if (cut && k === MAX.steps / 2) lines.push(`    ${style.more} ${formatCount(steps.length - MAX.steps)} more`);
    if (cut && k >= MAX.steps / 2 && k < steps.length - MAX.steps / 2) return;
    lines.push(...hanging(told(step, '')));
  });
  return lines;
}

function told({ strand, operation, file, line }: ThreadStep, before: string): string {
  const at = sourcePlace(file, line);
  return `${strand}: ${before}${operation}${at === '' ? '' : `, ${at}`}`;
}

function neverLines({ neverExecuted }: ThreadInstance, style: Style): string[] {
  if (neverExecuted.length === 0) return [];
  const placed = neverExecuted.slice(0, MAX.never).map(({ operation, file, line }) => {
    const at = sourcePlace(file, line);
    return at === '' ? operation : `${operation}, ${at}`;
  });
  const more =
    neverExecuted.length > MAX.never ? `, ${andMore(neverExecuted.length - MAX.never, '', formatCount)}` : '';
  return prose(printable(`Never executed: ${placed.join('; ')}${more}`, style.unicode), style.width);
}
