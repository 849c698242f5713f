import { didYouMean, fail, knownText, nearestOf, quote } from '../../base/problem.ts';
import {
  COLLECTIVES,
  type CollectiveChoice,
  type CollectiveSelector,
  type NamedChoice,
  type OperationChoice,
} from './choice.ts';
import { SELECTABLE, type Selectable } from './selectors/decision.ts';
import { isSimgridName, notModelled, smpiAlgorithms } from './smpi/registry.ts';

/** Textbook names of algorithms; the values are SimGrid's. */
export const ALIASES: { readonly [K in Selectable]?: Readonly<Record<string, string>> } = {
  barrier: { linear: 'ompi_basic_linear', dissemination: 'ompi_bruck', bruck: 'ompi_bruck', tree: 'ompi_tree' },
  bcast: { linear: 'flattree', binomial: 'binomial_tree', pipeline: 'ompi_pipeline' },
  reduce: { linear: 'ompi_basic_linear', rab: 'scatter_gather', pipeline: 'ompi_pipeline' },
  allreduce: { linear: 'default', ring: 'lr', rab: 'rab_rdb' },
  gather: { linear: 'ompi_basic_linear', binomial: 'ompi_binomial' },
  scatter: { linear: 'ompi_basic_linear', binomial: 'ompi_binomial' },
  allgather: { linear: 'default' },
  allgatherv: { linear: 'default', bruck: 'ompi_bruck' },
  alltoall: { linear: 'basic_linear', pairwise: 'pair' },
  alltoallv: { linear: 'ompi_basic_linear', pairwise: 'pair' },
  reducescatter: { linear: 'default', pairwise: 'mpich_pair', ring: 'ompi_ring' },
};

/** Selectors by names of MPI libraries as users, packages and vendors write them: `openmpi-4.1`, `Intel MPI`, `cray-mpich`. */
const LIBRARIES: readonly (readonly [names: RegExp, selector: CollectiveSelector])[] = [
  [/open.?mpi|^ompi|hpc-?x|spectrum/, 'ompi'],
  [/intel|^impi/, 'impi'],
  [/mvapich/, 'mvapich2'],
  [/mpich|cray|ms-?mpi|microsoft/, 'mpich'],
  [/simgrid|smpi/, 'simgrid'],
];

/** The selector of the MPI library that an unknown name means. */
const libraryOf = (name: string): CollectiveSelector | undefined =>
  LIBRARIES.find(([names]) => names.test(name.toLowerCase()))?.[1];

/** The second part of the message about an unknown selector: ` Did you mean "ompi"? Known: …`. */
export function nearestSelector(name: string, known: readonly string[] = COLLECTIVES): string {
  const library = libraryOf(name);
  return library === undefined || !known.includes(library)
    ? didYouMean(name, known)
    : ` Did you mean ${quote(library)}?${knownText(known)}`;
}

/** Endings of files of Open MPI's rules. */
export const OPEN_MPI_ENDINGS: readonly string[] = ['.conf', '.rules', '.txt'];
/** Endings of files of rules. */
export const RULE_ENDINGS: readonly string[] = ['.yaml', '.yml', '.json', ...OPEN_MPI_ENDINGS];

/** A file of rules that was read: the selector of all other calls, and the operations that have rules. */
export interface RuleFile {
  readonly otherwise?: CollectiveSelector;
  readonly operations: CollectiveChoice['operations'];
}

/** @param covered whether calls without a rule have a selector, even if the file names none */
export type ReadRules = (file: string, covered: boolean) => RuleFile;

/**
 * Reads a choice of algorithms: a selector, a file of rules, and operations with a separate algorithm or selector, separated by
 * commas.
 *
 *     ompi
 *     ompi,bcast=binomial
 *     allreduce=rdb,bcast=simgrid
 *     rules.yaml,bcast=NTSL
 *     ompi,bcast=rules.yaml
 *
 * @param otherwise the choice if neither `text` nor its file names a selector
 * @throws InputError MACH026 unknown selector, MACH038 unknown operation, MACH039 unknown algorithm, MACH041 an operation,
 * a selector or a file is given twice; and those of `readRules`
 */
export function parseChoice(text: string, otherwise: CollectiveSelector, readRules?: ReadRules): CollectiveChoice {
  let selector: CollectiveSelector | undefined;
  let file: string | undefined;
  const named: { [K in Selectable]?: NamedChoice | 'rules' } = {};
  let whole = false;
  const parts = text.split(',').map((part) => part.trim());
  const oneFile = (path: string): void => {
    if (file !== undefined && (file !== path || whole))
      fail('MACH041', `${quote(text)} names two files: ${quote(file)} and ${quote(path)}`);
    file = path;
  };
  for (const part of parts) {
    const at = part.indexOf('=');
    if (at < 0 && readRules !== undefined && isRuleFile(part)) {
      oneFile(part);
      whole = true;
      continue;
    }
    if (at < 0) {
      if (selector !== undefined) fail('MACH041', `${quote(text)} names two selectors: ${selector} and ${quote(part)}`);
      selector = selectorOf(part);
      continue;
    }
    const operation = operationOf(part.slice(0, at).trim());
    if (named[operation] !== undefined) fail('MACH041', `${quote(text)} has two algorithms of ${operation}`);
    const value = part.slice(at + 1).trim();
    if (readRules !== undefined && isRuleFile(value)) {
      oneFile(value);
      named[operation] = 'rules';
    } else named[operation] = operationChoice(operation, value);
  }
  const rules = file === undefined ? undefined : readRules?.(file, selector !== undefined);
  if (whole && selector !== undefined && rules?.otherwise !== undefined)
    fail(
      'MACH041',
      `${quote(text)} names the selector ${selector}, and ${quote(file!)} has otherwise: ${rules.otherwise}`,
    );
  const others = selector ?? (whole ? rules?.otherwise : undefined) ?? otherwise;
  const operations: { [K in Selectable]?: OperationChoice } = whole ? { ...rules?.operations } : {};
  for (const [name, choice] of Object.entries(named)) {
    const operation = name as Selectable;
    operations[operation] = choice === 'rules' ? rulesOf(operation, rules!, file!) : choice;
  }
  const chosen = Object.entries(named).map(
    ([operation, choice]) => `${operation}=${choice === 'rules' ? file : choice.name}`,
  );
  const sets = [...(whole ? [file!] : []), ...(whole && rules?.otherwise !== undefined ? [] : [others])];
  return { selector: others, operations, text: [...sets, ...chosen].join(',') };
}

/** The rules of one operation from a file, whose selector takes the calls without a rule. @throws InputError MACH041 */
function rulesOf(operation: Selectable, { otherwise, operations }: RuleFile, file: string): OperationChoice {
  const own = operations[operation];
  if (own === undefined) {
    const known = SELECTABLE.filter((one) => operations[one] !== undefined);
    return fail(
      'MACH041',
      `${operation}=${file}: the file has no rules of ${operation}; it has those of ${known.join(', ') || 'none'}`,
    );
  }
  if (own.kind !== 'rules' || otherwise === undefined) return own;
  return { ...own, otherwise };
}

/** The file of rules that a choice names. */
export function ruleFileIn(text: string): string | undefined {
  return text
    .split(',')
    .map((part) => part.slice(part.indexOf('=') + 1).trim())
    .find(isRuleFile);
}

/** True if a part of a choice is the path of a file of rules. */
function isRuleFile(part: string): boolean {
  return RULE_ENDINGS.some((ending) => part.endsWith(ending));
}

/** @throws InputError MACH026 */
function selectorOf(name: string): CollectiveSelector {
  const known = COLLECTIVES.find((one) => one === name);
  if (known !== undefined) return known;
  // Names of libraries end in a version: `openmpi-4.1`.
  if (/[./]/.test(name.replace(/[\d.]+$/, '')))
    fail(
      'MACH026',
      `unknown collectives ${quote(name)}: the name of a file of rules ends in ${RULE_ENDINGS.join(', ')}`,
    );
  const operation = SELECTABLE.find((one) => one === plainOperation(name));
  if (operation !== undefined)
    fail(
      'MACH026',
      `${quote(name)} is an operation: expected ${operation}=ALGORITHM.${knownText(algorithmNames(operation))}`,
    );
  const [first, ...more] = SELECTABLE.filter((one) => algorithmNames(one).includes(name));
  if (first !== undefined)
    fail(
      'MACH026',
      `${quote(name)} is an algorithm of ${[first, ...more].join(', ')}: expected OPERATION=${name}, as in ${first}=${name}`,
    );
  return fail('MACH026', `unknown collectives ${quote(name)}.${nearestSelector(name)}`);
}

/** Names of the algorithms of an operation: SimGrid's, then textbook names. */
const algorithmNames = (operation: Selectable): string[] => [
  ...Object.keys(smpiAlgorithms[operation]),
  ...Object.keys(ALIASES[operation] ?? {}),
];

const plainOperation = (name: string): string => name.replaceAll('_', '').toLowerCase();

/** The collective of an operation; `reduce_scatter` is SimGrid's name. @throws InputError MACH038 */
export function operationOf(name: string): Selectable {
  const plain = plainOperation(name);
  const known = SELECTABLE.find((one) => one === plain);
  if (known !== undefined) return known;
  return fail('MACH038', `no operation ${quote(name)} has several algorithms.${didYouMean(name, SELECTABLE)}`);
}

/** The choice of one operation: a selector, or an algorithm by SimGrid's name or a textbook's. @throws InputError MACH039 */
export function operationChoice(operation: Selectable, name: string): NamedChoice {
  const selector = COLLECTIVES.find((one) => one === name);
  if (selector !== undefined) return { kind: 'selector', name: selector };
  // SimGrid's `default` is its default choice, whether or not that has several algorithms.
  if (name === 'default') return { kind: 'selector', name: 'simgrid' };
  return { kind: 'algorithm', name: algorithmOf(operation, name) };
}

/** SimGrid's name of an algorithm. @throws InputError MACH039 */
export function algorithmOf(operation: Selectable, name: string): string {
  const algorithms = Object.keys(smpiAlgorithms[operation]);
  const found = ALIASES[operation]?.[name] ?? name;
  if (algorithms.includes(found)) return found;
  const known = algorithmNames(operation);
  if (notModelled(operation, name)) {
    fail('MACH039', `SimGrid's algorithm ${quote(name)} of ${operation} is not modelled.${didYouMean('', known)}`);
  }
  const library = nearestOf(name, known) === undefined ? libraryOf(name) : undefined;
  const meant =
    library === undefined
      ? didYouMean(name, known)
      : ` Did you mean the selector ${quote(library)}?${knownText(known)}`;
  return fail('MACH039', `unknown algorithm ${quote(name)} of ${operation}.${meant}`);
}

/** Selectors that SimGrid has by these names. */
const SIMGRIDS: readonly CollectiveSelector[] = ['impi', 'mpich', 'mvapich2', 'ompi'];

/**
 * True if a value of `smpi/OPERATION`, or of `smpi/coll-selector` if no operation is given, is modelled. Textbook names are
 * not values of SimGrid.
 *
 * @throws InputError MACH026, MACH039 for values with which SimGrid ends
 */
export function isModelled(operation: string | undefined, value: string): boolean {
  const isSelector = SIMGRIDS.some((one) => one === value);
  const known = operation === undefined ? undefined : operationOf(operation);
  if (isSelector || (known !== undefined && Object.hasOwn(smpiAlgorithms[known], value))) return true;
  if (value === '' || isSimgridName(known, value)) return false;
  if (known === undefined) {
    const nearest = nearestSelector(value, ['default', ...SIMGRIDS]);
    return fail('MACH026', `SimGrid has no selector ${quote(value)} of collectives.${nearest}`);
  }
  const nearest = didYouMean(value, Object.keys(smpiAlgorithms[known]));
  return fail('MACH039', `SimGrid has no algorithm ${quote(value)} of ${known}.${nearest}`);
}
