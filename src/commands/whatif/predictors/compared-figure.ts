import { didYouMean, fail, formatProblem, quote } from '../../../base/problem.ts';
import { isBareNumber, quantity, splitQuantity } from '../../../base/units.ts';
import { formatAmount, formatSeconds } from '../../../report/units.ts';
import type { ScenarioEnd } from '../run-scenarios.ts';
import type { StudyFigure, WhatIfDocument } from '../whatif-result.ts';
import type { Outcome, Predictor } from './predictor.ts';

/** Words and unit of a figure by which scenarios are compared. */
export interface Compared {
  readonly unit: 's' | 'J';
  readonly words: string;
  /** Says that a scenario has more of it than another one. */
  readonly exceeds: string;
  readonly takes: string;
  /** Values that `--target` accepts, for its messages. */
  readonly expected: string;
  readonly format: (value: number) => string;
}

/** The figures by which studies of programs compare their scenarios. */
export const COMPARED: Readonly<Record<StudyFigure, Compared>> = {
  runTime: {
    unit: 's',
    words: 'run time',
    exceeds: 'takes longer',
    takes: 'takes',
    expected: 'seconds >= 0',
    format: formatSeconds,
  },
  energy: {
    unit: 'J',
    words: 'energy',
    exceeds: 'needs more',
    takes: 'needs',
    expected: 'joules >= 0',
    format: (joules) => formatAmount(joules, 'J'),
  },
};

const NAMES = Object.keys(COMPARED) as StudyFigure[];

/** Figure by which the scenarios of a program are compared, from the option `figures`. @throws InputError WHAT022 */
export function comparedName(figures: readonly string[] | undefined): StudyFigure {
  const [name = 'runTime', ...more] = [...new Set(figures ?? [])];
  const unknown = [name, ...more].find((one) => !NAMES.includes(one as StudyFigure));
  if (unknown !== undefined)
    fail('WHAT022', `a program has no figure ${quote(unknown)} to compare.${didYouMean(unknown, NAMES)}`);
  if (more.length > 0)
    fail('WHAT022', `expected one figure to compare scenarios of a program by, got ${[name, ...more].join(', ')}`);
  return name as StudyFigure;
}

/** The figure of a document. */
export const comparedOf = ({ figures, net }: WhatIfDocument['options']): StudyFigure =>
  net === undefined && figures === 'energy' ? 'energy' : 'runTime';

const JOULES: Readonly<Record<string, number>> = { J: 1, kJ: 1e3, MJ: 1e6, GJ: 1e9, Wh: 3600, kWh: 3.6e6, MWh: 3.6e9 };

/** Reads `--target`: a time, or an energy as `500J` or `1.5kWh`; a plain number is in SI units. @throws InputError UNIT001, UNIT002 */
export function readTarget(text: string, name: StudyFigure): number {
  const isPlain = isBareNumber(text);
  if (name === 'runTime') {
    const found = quantity('time', isPlain ? Number(text) : text);
    return typeof found === 'number' ? found : fail(found.code, found.message, { part: '--target' });
  }
  const { digits = '', unit = '' } = splitQuantity(text) ?? {};
  const scale = isPlain ? 1 : JOULES[unit.trim()];
  const value = digits === '' ? Number.NaN : Number(digits) * (scale ?? 1);
  if (scale === undefined || !(value >= 0 && value < Infinity))
    fail(
      digits === '' || scale !== undefined ? 'UNIT001' : 'UNIT002',
      `${quote(text)}: expected an energy such as "500J", in ${Object.keys(JOULES).join(', ')}, or a number in joules`,
      { part: '--target' },
    );
  return value;
}

/** The figure of a finished scenario, and its values by replication. */
export function comparedValue(
  { runTime, replications, figures, samples }: Outcome,
  name: StudyFigure,
): { readonly value: number; readonly replications?: readonly number[] } | undefined {
  const value = name === 'runTime' ? runTime : figures[name]?.value;
  const values = name === 'runTime' ? replications : samples?.[name];
  return value === undefined ? undefined : { value, ...(values === undefined ? {} : { replications: values }) };
}

/** The figure of a scenario that ended; undefined for others. */
export function figureOf(end: ScenarioEnd, name: StudyFigure): number | undefined {
  return end.status === 'predicted' && end.outcome.complete && end.outcome.blocked === 0
    ? comparedValue(end.outcome, name)?.value
    : undefined;
}

/** Reason why a scenario has no such figure; `undefined` if it has one. */
export function whyNone(end: ScenarioEnd): string | undefined {
  if (end.status === 'cancelled') return 'the run was cancelled';
  if (end.status === 'failed') return `the run fails: ${end.problems.map(formatProblem).join('; ')}`;
  if (end.outcome.blocked > 0) return 'the program deadlocks';
  return end.outcome.complete ? undefined : 'the run is incomplete';
}

/** The predictor; a scenario without the figure fails. @throws InputError WHAT026 */
export function withFigure(predict: Predictor, name: StudyFigure): Predictor {
  if (name === 'runTime') return predict;
  return async (scenario) => {
    const outcome = await predict(scenario);
    if (outcome.complete && outcome.blocked === 0 && comparedValue(outcome, name) === undefined)
      fail(
        'WHAT026',
        'the energy is not known: no host has a power (`power` of a machine file, wattage_per_state of a SimGrid platform)',
      );
    return outcome;
  };
}
