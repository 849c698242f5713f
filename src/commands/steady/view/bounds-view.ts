import { heading } from '../../../report/heading.ts';
import { lowerEnd, upperEnd } from '../../../report/outward.ts';
import type { Style } from '../../../report/style.ts';
import { table } from '../../../report/table.ts';
import { printable, prose } from '../../../report/text.ts';
import { counted, formatCount } from '../../../report/units.ts';
import { halfWidth, plusMinus, rest } from '../../exact/figure-text.ts';
import type { FigureError } from '../../inputs/document-parts.ts';
import type { MethodAnswer, SteadyCycle, SteadyDocument } from '../steady-result.ts';

/** Maximum number of rows of a table, and of cycles. */
const MAX_ROWS = 40;
const MAX_CYCLES = 10;
const MAX_STEPS = 20;
const DIGITS = 9;
const FEW_DIGITS = 6;

/** Sections of a result of bounds: the proved ends of each figure. */
export function boundsSections(document: SteadyDocument, style: Style): string[][] {
  const { places, transitions, rewards = [], runTime } = document;
  const ends = (
    head: string,
    name: string,
    all: readonly (FigureError & { name: string; exact?: string })[],
  ): string[] => {
    const shown = all.slice(0, MAX_ROWS);
    if (shown.length === 0) return [];
    const exact = shown.map((one) => one.exact ?? '');
    const lines = table(
      [
        { head, cells: shown.map((one) => one.name) },
        { head: `${name} >=`, cells: shown.map(({ lower }) => end(lower, DIGITS, lowerEnd)), right: true },
        { head: `${name} <=`, cells: shown.map(({ upper }) => end(upper, DIGITS, upperEnd)), right: true },
        ...(exact.some((text) => text !== '') ? [{ head: 'exact', cells: exact, right: true }] : []),
      ],
      style,
    );
    return [...lines, ...rest(all.length - shown.length, head)];
  };
  return [
    ends('figure', 'seconds', runTime === undefined ? [] : [{ name: 'run time', ...runTime }]),
    ends('place', 'tokens', places),
    ends('transition', 'firings/s', transitions),
    ends('reward', 'mean', rewards),
    rewards.flatMap(({ name, because }) =>
      because === undefined ? [] : prose(printable(`Unknown, ${name}: ${because}`, style.unicode), style.width),
    ),
    cyclesSection(document, style),
  ];
}

/** Sections that show all methods side by side. */
export function comparedSections(document: SteadyDocument, style: Style): string[][] {
  const { methods = [], places, transitions, rewards = [] } = document;
  const compared = (
    head: string,
    names: readonly string[],
    of: (answer: MethodAnswer) => readonly (FigureError & { readonly value: number })[],
  ): string[] => {
    const shown = names.slice(0, MAX_ROWS);
    if (shown.length === 0) return [];
    const columns = methods.flatMap((answer) => {
      const all = of(answer);
      if (all.length === 0) return [];
      const cells = (text: (one: FigureError & { readonly value: number }) => string): string[] =>
        shown.map((_, k) => text(all[k]!));
      if (answer.method === 'bounds')
        return [
          { head: '>=', cells: cells(({ lower }) => end(lower, FEW_DIGITS, lowerEnd)), right: true },
          { head: '<=', cells: cells(({ upper }) => end(upper, FEW_DIGITS, upperEnd)), right: true },
        ];
      return [
        { head: HEADS[answer.method], cells: cells(({ value }) => number(value, FEW_DIGITS)), right: true },
        { head: plusMinus(style), cells: cells((one) => halfWidth(number(one.value, FEW_DIGITS), one)), right: true },
      ];
    });
    const lines = table([{ head, cells: shown }, ...columns], style);
    return [...lines, ...rest(names.length - shown.length, head)];
  };
  return [
    compared(
      'place',
      places.map((p) => p.name),
      (a) => a.places.map((p) => ({ ...p, value: p.mean })),
    ),
    compared(
      'transition',
      transitions.map((t) => t.name),
      (a) => a.transitions.map((t) => ({ ...t, value: t.throughput })),
    ),
    compared(
      'reward',
      rewards.map((r) => r.name),
      (a) => (a.rewards ?? []).map((r) => ({ ...r, value: r.mean })),
    ),
    methods.flatMap(({ method, because }) =>
      because === undefined
        ? []
        : prose(printable(`Not compared, ${NAMES[method]}: ${because}`, style.unicode), style.width),
    ),
    cyclesSection(document, style),
  ];
}

const HEADS = { ctmc: 'chain', simulate: 'simulated' } as const;
const NAMES: Readonly<Record<MethodAnswer['method'], string>> = {
  ctmc: 'Markov chain',
  bounds: 'bounds',
  simulate: 'simulation',
};

/** The first line of a result of bounds or of all methods, and whether it is an alarm. */
export function boundsAnswer({ methods, complete, cycles, runTime }: SteadyDocument): {
  readonly text: string;
  readonly isAlarm: boolean;
} {
  const apart = methods?.flatMap((m) => m.apart ?? []) ?? [];
  if (apart.length > 0)
    return { text: `METHODS DISAGREE about ${[...new Set(apart)].slice(0, MAX_CYCLES).join(', ')}`, isAlarm: true };
  if (methods !== undefined) {
    const namesOf = (of: (m: MethodAnswer) => boolean): string[] => methods.filter(of).map((m) => NAMES[m.method]);
    const agreeing = namesOf(({ agree }) => agree === true);
    const answering = namesOf(({ places, transitions }) => places.length + transitions.length > 0);
    const text =
      agreeing.length > 1
        ? `All methods agree: ${agreeing.join(', ')}`
        : agreeing.length === 1
          ? `Only one method applies: ${agreeing[0]}`
          : `No method gives an interval, so none is compared: ${answering.join(', ') || 'none applies'}`;
    return complete ? { text, isAlarm: false } : { text: `INCOMPLETE. ${text}`, isAlarm: true };
  }
  if (runTime !== undefined)
    return { text: 'The run time lies between proved bounds, and so do figures of the restarted net', isAlarm: false };
  if (!complete) return { text: 'INCOMPLETE: some bounds are weaker than possible, all are proved', isAlarm: true };
  const text =
    cycles === undefined
      ? 'Every figure lies between proved bounds, whatever the distributions with these means'
      : 'Throughputs are exact, by the slowest cycle; mean tokens lie between proved bounds';
  return { text, isAlarm: false };
}

const LIMITS: Readonly<Record<SteadyCycle['limitedBy'], string>> = {
  cycle: 'its slowest cycle',
  input: 'what arrives in',
  deadlock: 'a deadlock: a cycle without tokens',
  starved: 'a place that is never filled again,',
};

function cyclesSection({ cycles = [] }: SteadyDocument, style: Style): string[] {
  const shown = cycles.filter((c) => c.limitedBy !== 'input').slice(0, MAX_CYCLES);
  if (shown.length === 0) return [];
  const lines = shown.flatMap((cycle) => {
    const { transitions, limitedBy, place = '', critical = [], exact } = cycle;
    const names = transitions.slice(0, 3).map((t) => t.name);
    const others = transitions.length > 3 ? ` and ${counted(transitions.length - 3, 'other')}` : '';
    const limit = `${names.join(', ')}${others}: limited by ${LIMITS[limitedBy]}${place === '' ? '' : ` ${place}`}`;
    const tokens = critical.reduce((sum, step) => sum + step.tokens, 0);
    const seconds = critical.reduce((sum, step) => sum + step.time.value, 0);
    const time =
      tokens === 0 ? '' : `; ${number(seconds, FEW_DIGITS)} s for ${counted(tokens, 'token')}, period ${exact} s`;
    const steps = critical.slice(0, MAX_STEPS).map((step) => `${step.transition} > ${step.place}`);
    const path =
      critical.length === 0 || limitedBy === 'input'
        ? []
        : [`  ${steps.join(' > ')}${critical.length > MAX_STEPS ? ' > …' : ''}${time}`];
    return [limit, ...path].flatMap((line) => prose(printable(line, style.unicode), style.width));
  });
  return [
    heading('Cycles', `: ${formatCount(cycles.length)} sets of transitions that wait for each other`, style),
    ...lines,
  ];
}

const number = (value: number, digits: number): string =>
  Number.isInteger(value) ? String(value) : value.toPrecision(digits);

const end = (value: number | null, digits: number, round: typeof lowerEnd): string =>
  value === null ? 'unknown' : round(value, digits);
