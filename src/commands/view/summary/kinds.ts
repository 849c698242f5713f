import { andMore } from '../../../base/listing.ts';
import { labelOf } from '../../../report/labels.ts';
import type { AnyDocument } from '../../../report/page-parts.ts';
import { firstFew, formatShare } from '../../../report/units.ts';
import type { Fact, Sentence, ShownFigure } from './findings.ts';

/** Maximum numbers of facts and of statements: the first screen is read in ten seconds. */
const MAX_FACTS = 9;
const MAX_STATEMENTS = 12;
/** Maximum number of properties that hold and are listed one by one. */
const MAX_HOLDING = 6;

type Members = Readonly<Record<string, unknown>>;

const isMembers = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const listOf = (value: unknown): readonly Members[] => (Array.isArray(value) ? value.filter(isMembers) : []);
/** A step of a pointer (RFC 6901). */
const step = (key: string): string => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** A figure `{ value, unit }`, or a mean with its interval. */
function figure(pointer: string, value: unknown, unit = '1'): ShownFigure | undefined {
  if (!isMembers(value)) return undefined;
  const key = 'value' in value ? 'value' : 'mean' in value ? 'mean' : undefined;
  const number = key === undefined ? undefined : value[key];
  if (typeof number !== 'number' && number !== null) return undefined;
  return {
    name: `${pointer}/${key}`.replace(/^\/figures\/(\w+)\/value$/, '$1'),
    value: number,
    unit: typeof value['unit'] === 'string' ? value['unit'] : unit,
  };
}

/** The figures of a record, each with its name in words. */
function facts(record: unknown, pointer: string): Fact[] {
  if (!isMembers(record)) return [];
  return Object.entries(record)
    .flatMap(([key, value]): Fact[] => {
      const found = figure(pointer + step(key), value);
      return found === undefined ? [] : [{ term: labelOf([key]), figures: [found] }];
    })
    .slice(0, MAX_FACTS);
}

/** Figures by the kind of document; `other` are all kinds without a row. */
export const FACTS: Readonly<Record<string, (document: AnyDocument) => readonly Fact[]>> = {
  other: (document) => facts(document['figures'], '/figures'),
  steady: (document) => {
    const of = (term: string, key: string, unit: string): Fact[] => {
      const found = figure(`/${key}`, document[key], unit);
      return found === undefined ? [] : [{ term, figures: [found] }];
    };
    return [
      ...of('Run time', 'runTime', 's'),
      ...of('Degree of parallelism', 'parallelism', '1'),
      ...of('Balance', 'balance', '1'),
      ...listOf(document['rewards']).flatMap((reward, k) => {
        const found = figure(`/rewards/${k}`, reward);
        return found === undefined ? [] : [{ term: String(reward['name']), figures: [found] }];
      }),
    ].slice(0, MAX_FACTS);
  },
};

/** `ranks = 4, machine.speed = x2`. */
const valuesText = (values: unknown): string =>
  Object.entries(isMembers(values) ? values : {})
    .map(([name, value]) => `${name} = ${String(value)}`)
    .join(', ');

const verdictText = (verdict: unknown): string =>
  verdict === true
    ? 'holds'
    : verdict === false
      ? 'is violated'
      : verdict === null
        ? 'is not known'
        : `: ${String(verdict)}`;

/** `deadlock-free holds`. */
const verdictLine = ({ id, verdict }: Members, where = ''): Sentence => [
  `${String(id)} ${verdictText(verdict)}${where}`.replace(' : ', ': '),
];

/** The verdicts of a net, which are plain or have their reasons. */
function verdicts({ verdicts: all, because }: AnyDocument): Sentence[] {
  return Object.entries(isMembers(all) ? all : {}).map(([name, verdict]) => {
    const value = isMembers(verdict) ? verdict['value'] : verdict;
    const reason = isMembers(verdict) ? verdict['because'] : isMembers(because) ? because[name] : undefined;
    const answer = value === true ? 'yes' : value === false ? 'no' : value === null ? 'not known' : String(value);
    return [`${labelOf([name])}: ${answer}${typeof reason === 'string' ? ` (${reason})` : ''}`];
  });
}

/** The verdicts of a program in each of its instances. */
const instances = (document: AnyDocument): readonly Sentence[] =>
  sorted(
    listOf(document['instances']).flatMap((instance) => {
      const where = ['ranks', 'workers', 'scheduler', 'pool', 'sends']
        .filter((key) => instance[key] !== undefined)
        .map((key) => `${key} ${String(instance[key])}`)
        .join(', ');
      return listOf(instance['properties']).map(
        (property) => [property, verdictLine(property, where === '' ? '' : ` (${where})`)] as const,
      );
    }),
  );

/** The fastest and the slowest scenario, and how many failed. */
function scenarios(document: AnyDocument): Sentence[] {
  const all = listOf(document['scenarios']);
  const timed = all.flatMap(({ values, figures }, k) => {
    const found = isMembers(figures) ? figure(`/scenarios/${k}/figures/runTime`, figures['runTime'], 's') : undefined;
    return typeof found?.value === 'number' ? [{ values, found, time: found.value }] : [];
  });
  const failed = all.length - all.filter(({ status }) => status === 'done').length;
  const best = timed.reduce<(typeof timed)[number] | undefined>(
    (a, b) => (a === undefined || b.time < a.time ? b : a),
    undefined,
  );
  const worst = timed.reduce<(typeof timed)[number] | undefined>(
    (a, b) => (a === undefined || b.time > a.time ? b : a),
    undefined,
  );
  return [
    [`${all.length} scenarios${failed === 0 ? '' : `, ${failed} of them without a complete result`}.`],
    ...(best === undefined ? [] : [['Shortest run time: ', best.found, ` with ${valuesText(best.values)}.`]]),
    ...(worst === undefined || worst.time === best?.time
      ? []
      : [['Longest run time: ', worst.found, ` with ${valuesText(worst.values)}.`]]),
  ];
}

/** The differences between two runs. */
const differences = (document: AnyDocument): Sentence[] =>
  listOf(document['figures']).flatMap(({ name, unit, a, b, relative }, k): Sentence[] => {
    if (typeof a !== 'number' || typeof b !== 'number') return [];
    const of = (key: string, value: number): ShownFigure => ({
      name: `/figures/${k}/${key}`,
      value,
      unit: String(unit),
      like: String(name),
    });
    const change =
      typeof relative === 'number'
        ? relative === 0
          ? ' (no change)'
          : ` (${relative < 0 ? '−' : '+'}${formatShare(Math.abs(relative))})`
        : '';
    return [[`${labelOf([String(name)])}: `, of('a', a), ' → ', of('b', b), change]];
  });

/** Where a pool of threads loses time, and why. */
const regions = (document: AnyDocument): Sentence[] =>
  listOf(document['regions']).map((region, k) => {
    const share = (key: string): ShownFigure => ({
      name: `/regions/${k}/${key}`,
      value: region[key] as number | null,
      unit: '1',
    });
    const causes = listOf(region['findings']).map(({ cause }) => String(cause));
    return [
      `${String(region['name'] ?? `region ${k}`)}: active overhead `,
      share('activeShare'),
      ', inactive ',
      share('inactiveShare'),
      causes.length === 0 ? '' : `: ${causes.join(', ')}`,
    ];
  });

/** How a steady state was found, and where most happens. */
function steadyState(document: AnyDocument): Sentence[] {
  const { method, reason } = document;
  const largest = (list: string, key: string): { readonly name: string; readonly found: ShownFigure } | undefined =>
    listOf(document[list])
      .flatMap((row, k) => {
        const value = row[key];
        const found = {
          name: `/${list}/${k}/${key}`,
          value: value as number,
          unit: key === 'throughput' ? '1/s' : '1',
        };
        return typeof value === 'number' && value > 0 ? [{ name: String(row['name']), found }] : [];
      })
      .reduce<{ readonly name: string; readonly found: ShownFigure } | undefined>(
        (most, one) => (most === undefined || one.found.value! > most.found.value! ? one : most),
        undefined,
      );
  const fastest = largest('transitions', 'throughput');
  const transitions = listOf(document['transitions']);
  return [
    [`Method: ${String(method)}${typeof reason === 'string' ? `, because ${reason}` : ''}.`],
    ...(fastest === undefined
      ? transitions.length > 0 && transitions.every(({ throughput }) => throughput === 0)
        ? [['No transition fires in the long run.']]
        : []
      : [['Highest throughput: ', fastest.found, ` of ${fastest.name}.`]]),
  ];
}

/** Verdicts that are violated first, then those that are not known; those that hold are counted if they are many. */
function sorted(all: readonly (readonly [property: Members, line: Sentence])[]): readonly Sentence[] {
  const of = (...verdicts: unknown[]): Sentence[] =>
    all.filter(([{ verdict }]) => verdicts.includes(verdict)).map(([, line]) => line);
  const holding = of(true);
  const others = all
    .filter(([{ verdict }]) => typeof verdict !== 'boolean' && verdict !== null)
    .map(([, line]) => line);
  const wrong = [...of(false), ...of(null)];
  if (holding.length <= MAX_HOLDING) return [...wrong, ...others, ...holding];
  const count = `${wrong.length === 0 && others.length === 0 ? 'All ' : ''}${holding.length} verdicts hold`;
  const names = [...new Set(all.flatMap(([{ id, verdict }]) => (verdict === true ? [String(id)] : [])))];
  return [...wrong, ...others, [`${count}: ${firstFew(names, 'property')}.`]];
}

const limited = (all: readonly Sentence[]): readonly Sentence[] =>
  all.length <= MAX_STATEMENTS
    ? all
    : [...all.slice(0, MAX_STATEMENTS), [`${andMore(all.length - MAX_STATEMENTS)}: see the tables`]];

/** Statements by the kind of document. */
export const STATEMENTS: Readonly<Record<string, (document: AnyDocument) => readonly Sentence[]>> = {
  'what-if': (document) => limited(scenarios(document)),
  comparison: (document) => limited(differences(document)),
  space: (document) => limited(verdicts(document)),
  structure: (document) => limited(verdicts(document)),
  verification: (document) =>
    limited(sorted(listOf(document['properties']).map((property) => [property, verdictLine(property)]))),
  'program-verification': (document) => limited(instances(document)),
  'thread-verification': (document) => limited(instances(document)),
  diagnosis: (document) => limited(regions(document)),
  steady: (document) => limited(steadyState(document)),
  witnesses: (document) => [[`${listOf(document['sequences']).length} firing sequences.`]],
  'run-check': ({ program, processes, time }) => [
    [
      `${String(program)}: a sound run record of ${String(processes)} processes, which ends at `,
      { name: '/time', value: time as number, unit: 's' },
    ],
  ],
  none: ({ because }) => [[`There is no result: ${String(because)}.`]],
};
