import { FIGURES } from '../../analysis/efficiency/interval-figures.ts';
import { finiteDocument } from '../../base/finite-figures.ts';
import { assertIs } from '../../base/options.ts';
import { fail, shown } from '../../base/problem.ts';
import { PRODUCT } from '../../base/version.ts';
import type { ProfileDocument, ProfiledInterval, ProfiledSection } from '../profile/profile-document.ts';
import type { ComparedFigure } from './comparison.ts';
import type {
  ComparedInterval,
  ComparedName,
  ComparedOperation,
  ComparedProfile,
  ProfileComparisonDocument,
} from './profile-comparison.ts';

/** A profile and the input it came from, as given by the user. */
export interface GivenProfile {
  /** Path of the file, or a name for the result. */
  readonly input: string;
  readonly document: ProfileDocument;
}

/** Maximum depth of intervals in a document. */
const MAX_DEPTH = 64;
const SECTION_FIGURES = ['processors', 'totalTime', 'efficiency', ...FIGURES] as const;
const OPERATION_SUMS = ['count', 'communication', 'synchronization', 'timeVariation', 'overlap'] as const;

/**
 * Compares two profiles interval by interval: a prediction with a measured run, a parallel run with a sequential one, or two
 * measured runs. Intervals belong together by their path, operations by name and phase. All differences are b minus a.
 * O(intervals + operations).
 *
 * @throws InputError APP061 and APP010 for a document that is not a profile
 */
export function compareProfiles(a: GivenProfile, b: GivenProfile): ProfileComparisonDocument {
  for (const [name, side] of [
    ['a', a],
    ['b', b],
  ] as const) {
    assertIs('compareProfiles', name, side, 'an object', 'APP061');
    assertIs('compareProfiles', `${name}.input`, side.input, 'a string', 'APP061');
    assertProfile(side.document, side.input);
  }
  const [before, after] = [sectionsOf(a.document), sectionsOf(b.document)];
  const paths = [...new Set([...before.keys(), ...after.keys()])];
  return finiteDocument({
    format: 'foretoken',
    version: 1,
    kind: 'profile-comparison',
    product: PRODUCT,
    a: sideOf(a),
    b: sideOf(b),
    intervals: paths.map((interval): ComparedInterval => {
      const [x, y] = [before.get(interval), after.get(interval)];
      return {
        interval,
        level: (x ?? y)!.level,
        ...(x === undefined ? { only: 'b' as const } : y === undefined ? { only: 'a' as const } : {}),
        figures: (['executions', ...SECTION_FIGURES] as const).map((name) => ({
          ...compared(name, name === 'executions' ? '1' : unitOf(name, x ?? y!), figureIn(x, name), figureIn(y, name)),
          name,
        })),
      };
    }),
    operations: operations(a.document, b.document),
    warnings: [a, b].flatMap(({ document }) => document.warnings),
  });
}

const sideOf = ({ input, document }: GivenProfile): ComparedProfile => ({
  input,
  inputs: document.inputs,
  program: document.program,
  origin: document.origin,
  processes: document.figures.processors.value,
  complete: document.complete,
});

type Section = ProfiledSection & { readonly level: number; readonly executions: number };

/** The program and its intervals by path, parents before children. */
function sectionsOf(document: ProfileDocument): ReadonlyMap<string, Section> {
  const found = new Map<string, Section>([['', { ...document, level: 0, executions: 1 }]]);
  const collect = (interval: ProfiledInterval, around: string): void => {
    const path = around === '' ? interval.name : `${around}/${interval.name}`;
    found.set(path, interval);
    for (const child of interval.children) collect(child, path);
  };
  for (const interval of document.intervals) collect(interval, '');
  return found;
}

const figureIn = (section: Section | undefined, name: ComparedName): number | undefined =>
  name === 'executions' ? section?.executions : section?.figures[name].value;

const unitOf = (name: (typeof SECTION_FIGURES)[number], { figures }: Section): string => figures[name].unit;

function compared(name: string, unit: string, x: number | undefined, y: number | undefined): ComparedFigure {
  if (x === undefined || y === undefined)
    return { name, unit, a: x ?? null, b: y ?? null, difference: null, relative: null };
  return { name, unit, a: x, b: y, difference: y - x, relative: x === 0 ? null : (y - x) / Math.abs(x) };
}

function operations(a: ProfileDocument, b: ProfileDocument): ComparedOperation[] {
  const keyOf = ({ kind, phase }: ProfileDocument['operations'][number]): string => `${phase ?? ''} ${kind}`;
  const [before, after] = [a, b].map((document) => new Map(document.operations.map((o) => [keyOf(o), o]))) as [
    Map<string, ProfileDocument['operations'][number]>,
    Map<string, ProfileDocument['operations'][number]>,
  ];
  return [...new Set([...before.keys(), ...after.keys()])].map((key) => {
    const [x, y] = [before.get(key), after.get(key)];
    const { kind, phase } = (x ?? y)!;
    return {
      operation: kind,
      ...(phase === undefined ? {} : { phase }),
      figures: OPERATION_SUMS.map((name) => compared(name, name === 'count' ? '1' : 's', x?.[name], y?.[name])),
    };
  });
}

/**
 * Checks the parts of an untrusted profile that a comparison reads.
 *
 * @throws InputError APP010
 */
export function assertProfile(value: unknown, file: string): asserts value is ProfileDocument {
  const refuse = (what: string, found: unknown): never => fail('APP010', `${what}, got ${shown(found)}`, { file });
  if (!isObject(value) || value['kind'] !== 'profile')
    return refuse('expected a profile, the output of profile --json', isObject(value) ? value['kind'] : value);
  if (value['version'] !== 1) refuse('version: expected 1', value['version']);
  const section = (of: Record<string, unknown>, place: string): void => {
    const figures = of['figures'];
    for (const name of SECTION_FIGURES) {
      const figure = isObject(figures) ? figures[name] : undefined;
      if (!isObject(figure) || typeof figure['value'] !== 'number' || typeof figure['unit'] !== 'string')
        refuse(`${place}figures.${name}: expected { "value": number, "unit": string }`, figure);
    }
  };
  const intervals = (list: unknown, place: string, depth: number): void => {
    if (!Array.isArray(list) || depth > MAX_DEPTH) {
      refuse(`${place}: expected a list of intervals, at most ${MAX_DEPTH} levels deep`, list);
      return;
    }
    list.forEach((one: unknown, k) => {
      const at = `${place}[${k}]`;
      if (!isObject(one) || typeof one['name'] !== 'string') {
        refuse(`${at}: expected an interval`, one);
        return;
      }
      for (const key of ['level', 'executions'])
        if (typeof one[key] !== 'number') refuse(`${at}.${key}: expected a number`, one[key]);
      section(one, `${at}.`);
      intervals(one['children'], `${at}.children`, depth + 1);
    });
  };
  for (const key of ['program', 'origin'])
    if (typeof value[key] !== 'string') refuse(`${key}: expected a string`, value[key]);
  if (typeof value['complete'] !== 'boolean') refuse('complete: expected true or false', value['complete']);
  if (!isObject(value['inputs'])) refuse('inputs: expected an object', value['inputs']);
  if (!Array.isArray(value['warnings'])) refuse('warnings: expected a list', value['warnings']);
  section(value, '');
  intervals(value['intervals'], 'intervals', 1);
  const list = value['operations'];
  if (!Array.isArray(list)) return refuse('operations: expected a list', list);
  list.forEach((one: unknown, k) => {
    if (!isObject(one) || typeof one['kind'] !== 'string') {
      refuse(`operations[${k}]: expected an operation`, one);
      return;
    }
    for (const key of OPERATION_SUMS)
      if (typeof one[key] !== 'number') refuse(`operations[${k}].${key}: expected a number`, one[key]);
  });
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
