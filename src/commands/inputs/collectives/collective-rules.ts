import type { Code } from '../../../base/codes.ts';
import {
  type FormOf,
  list,
  type Member,
  object,
  oneOf,
  optional,
  required,
  type Schema,
  schemaOf,
  text,
} from '../../../base/form.ts';
import { fail, InputError, type Place, Problems, quote, shown } from '../../../base/problem.ts';
import { type Report, readForm } from '../../../machine/description/read-form.ts';
import { readYamlFile } from '../../../machine/description/yaml-file.ts';
import { COLLECTIVES, type NamedChoice, type OperationChoice } from '../../../models/collectives/choice.ts';
import {
  nearestSelector,
  OPEN_MPI_ENDINGS,
  operationChoice,
  type RuleFile,
} from '../../../models/collectives/parse-choice.ts';
import { type Gap, gapsOf, overlapsOf, type Range, type Rule } from '../../../models/collectives/rules.ts';
import { SELECTABLE, type Selectable } from '../../../models/collectives/selectors/decision.ts';
import { readOpenMpiRules } from './open-mpi-rules.ts';

/** Limits: rules of an operation, problems reported. */
const MAX_RULES = 1000;
const MAX_PROBLEMS = 100;
/** Operations whose algorithm depends on the ranks only: they have no bytes, or different ones on each rank. */
const WITHOUT_BYTES: readonly Selectable[] = ['barrier', 'alltoallv'];

const RANGE = {
  pattern: '^(\\d{1,15})?\\.\\.(\\d{1,15})?$',
  words: 'a range of integers, both ends included: LOW..HIGH, LOW.. or ..HIGH',
} as const;

const ruleForm = object(
  'the rule',
  {
    ranks: optional(text('Numbers of ranks, from 1: LOW..HIGH, LOW.. or ..HIGH; default: all.', RANGE), '8..63'),
    bytes: optional(text('Bytes of the message: LOW..HIGH, LOW.. or ..HIGH; default: all.', RANGE), '0..4095'),
    algorithm: required(text('An algorithm of the operation, or a selector whose choice is followed.'), 'binomial'),
  },
  { description: 'The algorithm of calls on these ranks with these bytes.' },
);

const operationForm = list(ruleForm, 1, MAX_RULES, 'Rules of this operation, in any order; they do not overlap.');

const rulesForm = object(
  'the file of rules',
  {
    otherwise: optional(oneOf(COLLECTIVES, 'The selector of all calls without a rule.'), 'ompi'),
    ...(Object.fromEntries(SELECTABLE.map((operation) => [operation, optional(operationForm)])) as {
      readonly [K in Selectable]: Member<FormOf<typeof operationForm>, false>;
    }),
  },
  { description: 'Algorithms of collectives by ranks and bytes.' },
);

/** JSON Schema of files of rules. */
export const rulesSchema: Schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Rules of collectives',
  ...schemaOf(rulesForm),
};

/**
 * Reads a file of rules in YAML or JSON (schema/collectives.schema.json): for each operation, ranges of ranks and bytes with an algorithm.
 *
 *     otherwise: ompi
 *     bcast:
 *       - { ranks: 8.., bytes: 12288.., algorithm: scatter_LR_allgather }
 *
 * @param covered whether calls without a rule have a selector, even if the file names none
 * @throws InputError with all problems, each with file, line and column: MACH001 to MACH009, MACH013 as for machine files; MACH039
 * (unknown algorithm), COLL013 (rules of Open MPI 6), COLL009 (a range runs backwards), COLL010 (a gap), COLL011 (rules overlap), COLL012 (bytes of an operation
 * without any)
 */
export function readRuleFile(file: string, covered: boolean): RuleFile {
  if (OPEN_MPI_ENDINGS.some((ending) => file.endsWith(ending))) return readOpenMpiRules(file);
  const { value, placeOf } = readYamlFile(file, 'a file of rules of collectives');
  if (typeof value === 'object' && value !== null && ('rule_file_version' in value || 'collectives' in value))
    fail(
      'COLL013',
      `rules of Open MPI 6 in JSON are not read: expected the classic format, in a file that ends in ${OPEN_MPI_ENDINGS.join(', ')}, or rules by operation, as in { "bcast": [{ "bytes": "12288..", "algorithm": "scatter_LR_allgather" }] }`,
      placeOf([], 'value'),
    );
  const problems = new Problems(MAX_PROBLEMS);
  const report: Report = (code, message, path, at = 'value') => {
    const selector = path.join() === 'otherwise' ? (value as { otherwise?: unknown }).otherwise : undefined;
    if (code === 'MACH009' && typeof selector === 'string') {
      problems.add(code, `unknown selector ${quote(selector)}.${nearestSelector(selector)}`, placeOf(path, at));
      return;
    }
    const isRange = code === 'MACH007' && ['ranks', 'bytes'].includes(String(path.at(-1)));
    problems.add(code, isRange ? `expected ${RANGE.words}; g${message.split(', g')[1]}` : message, placeOf(path, at));
  };
  const written = readForm(rulesForm, value, [], report);
  problems.end();
  const { otherwise, ...lists } = written!;
  const operations: { [K in Selectable]?: OperationChoice } = {};
  for (const operation of SELECTABLE) {
    const own = lists[operation];
    if (own === undefined) continue;
    const rules = own.map((rule, k) =>
      readRule(operation, rule, (member) => placeOf([operation, k, member], 'value'), problems),
    );
    operations[operation] = { kind: 'rules', rules };
    const placeOfRule = (k: number): Place => placeOf([operation, k], 'value');
    const line = (k: number): string => `line ${placeOfRule(k).line}`;
    for (const [first, later] of overlapsOf(rules))
      problems.add(
        'COLL011',
        `${operation} has two rules of the same calls: this one, ${rangesOf(rules[later]!)}, and the one in ${line(first)}, ${rangesOf(rules[first]!)}`,
        placeOfRule(later),
      );
    if (covered || otherwise !== undefined || overlapsOf(rules).length > 0) continue;
    for (const gap of gapsOf(rules)) {
      const at = rules.indexOf(gap.above ?? gap.below!);
      const named = (rule: Rule<NamedChoice>): string => `the rule of ${rangesOf(rule)} (${line(rules.indexOf(rule))})`;
      problems.add('COLL010', gapText(operation, gap, named), placeOfRule(at));
    }
  }
  problems.end();
  return { ...(otherwise === undefined ? {} : { otherwise }), operations };
}

type WrittenRule = FormOf<typeof ruleForm>;

function readRule(
  operation: Selectable,
  { ranks, bytes, algorithm }: WrittenRule,
  placeOf: (member: string) => Place,
  problems: Problems,
): Rule<NamedChoice> {
  const wrong = (code: Code, message: string, member: string): void => problems.add(code, message, placeOf(member));
  if (bytes !== undefined && WITHOUT_BYTES.includes(operation))
    wrong(
      'COLL012',
      `rules of ${operation} have no bytes: ${operation === 'barrier' ? 'it carries none' : 'each rank has its own'}; give ranks only`,
      'bytes',
    );
  const range = (text: string | undefined, least: number, member: string): Range => {
    const [from = '', to = ''] = text?.split('..') ?? [];
    const found = {
      from: from === '' ? least : Number(from),
      to: to === '' ? Number.POSITIVE_INFINITY : Number(to),
    };
    if (found.from < least) wrong('COLL009', `expected ranks from ${least}, got ${shown(text)}`, member);
    else if (found.to < found.from)
      wrong('COLL009', `the range ${shown(text)} runs backwards: expected LOW..HIGH with LOW <= HIGH`, member);
    else return found;
    return { from: least, to: Number.POSITIVE_INFINITY };
  };
  return {
    ranks: range(ranks, 1, 'ranks'),
    bytes: range(bytes, 0, 'bytes'),
    taken: readAlgorithm(operation, algorithm, placeOf('algorithm'), problems),
  };
}

function readAlgorithm(operation: Selectable, name: string, place: Place, problems: Problems): NamedChoice {
  try {
    const choice = operationChoice(operation, name);
    return choice.kind === 'algorithm' ? { ...choice, place } : choice;
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    for (const { code, message } of error.problems) problems.add(code as Code, message, place);
    return { kind: 'selector', name: 'simgrid' };
  }
}

function gapText(operation: string, gap: Gap<NamedChoice>, named: (rule: Rule<NamedChoice>) => string): string {
  const { below, above } = gap;
  const neighbours = [
    ...(below === undefined ? [] : [`after ${named(below)}`]),
    ...(above === undefined ? [] : [`before ${named(above)}`]),
  ];
  return `${operation} has no rule for ${rangesOf(gap)}, ${neighbours.join(' and ')}: add one, or otherwise: SELECTOR`;
}

function rangesOf({ ranks, bytes }: { readonly ranks: Range; readonly bytes: Range }): string {
  return `${rangeText(ranks)} ranks and ${rangeText(bytes)} bytes`;
}

function rangeText({ from, to }: Range): string {
  return `${from}..${to === Number.POSITIVE_INFINITY ? '' : to}`;
}
