import { isAs } from '../../base/options.ts';
import { didYouMean, fail, InputError, nearest, type Problem, quote, shown, withArticle } from '../../base/problem.ts';
import { flagOf, functionOf, type InputKind, type JobName, type OptionRows, THREAD_OPTIONS } from './option-rows.ts';

/** Options that nets have in several functions, and options of models and traces. */
const OF_MACHINES: readonly string[] = [
  'machine',
  'hostfile',
  'placement',
  'oversubscribe',
  'ranks',
  'scale',
  'networkModel',
  'collectives',
  'cfg',
  'derivedTypeBytes',
  'confine',
  'set',
];
/** By kind: the code for an option that does not apply, unless the function has one; default APP004. */
const CODES: { readonly [kind in InputKind]?: 'THR011' } = { 'thread model': 'THR011' };

/**
 * Checks options against the table of options and kinds of input. Members that are undefined are ignored.
 *
 * @param rows the rows of the function
 * @param input its kind, and its file for messages
 * @param part the function that messages name, if it shares the rules of another
 * @throws InputError APP061 options that are not an object; all problems at once: APP060 an unknown name, and an option that
 * does not apply to the kind of input: DIAG009, PROF006, THR011 or VER003 of the function or the kind, otherwise APP004
 */
export function checkOptions<O extends object>(
  job: JobName,
  rows: OptionRows<O>,
  { kind, file }: { readonly kind: InputKind; readonly file?: string | undefined },
  options: O,
  part: string = functionOf(job),
): void {
  assertObject(part, 'options', options);
  const all: Readonly<Record<string, readonly InputKind[]>> = rows;
  const applicable = Object.keys(all).filter((name) => all[name]!.includes(kind));
  const problems = Object.entries(options).flatMap(([name, value]): Problem[] => {
    if (value === undefined) return [];
    const kinds = Object.hasOwn(all, name) ? all[name]! : undefined;
    if (kinds === undefined) {
      const message = `unknown option ${quote(name)}.${didYouMean(name, applicable)}`;
      return [{ code: 'APP060', message, place: { part } }];
    }
    if (kinds.includes(kind)) return [];
    const owners = kinds.length === 0 ? 'it belongs to another function' : `it belongs to ${plurals(kinds)}`;
    const message = `option ${named(job, name)} does not apply to ${singular(kind)}: ${owners}.${nearest(name, applicable)}`;
    return [{ code: codeOf(job, name, kind), message, ...(file === undefined ? {} : { place: { file } }) }];
  });
  if (problems.length > 0) throw new InputError(problems);
}

/** The name of an option, followed by its flag if it has one that is spelled differently: `maxSteps (--max-steps)`. */
export function named(job: JobName, option: string): string {
  const flag = flagOf(job, option);
  return flag === undefined || flag === `--${option}` ? option : `${option} (${flag})`;
}

function codeOf(job: JobName, option: string, kind: InputKind): Problem['code'] {
  if (job === 'profile') return 'PROF006';
  if (job === 'diagnose') return 'DIAG009';
  const code = CODES[kind] ?? 'APP004';
  if (job.startsWith('verify')) return code === 'APP004' && OF_MACHINES.includes(option) ? code : 'VER003';
  return (THREAD_OPTIONS as readonly string[]).includes(option) ? 'THR011' : code;
}

const singular = (kind: InputKind): string => (kind.endsWith('s') ? kind : withArticle(kind));

function plurals(kinds: readonly InputKind[]): string {
  const words = kinds.map((kind) => (kind.endsWith('s') ? kind : `${kind}s`));
  return words.length === 1 ? words[0]! : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

/** @throws InputError APP061 for a value that is not an object with members */
export function assertObject(part: string, name: string, value: unknown): void {
  if (!isAs(value, 'an object')) fail('APP061', `${name}: expected an object, got ${shown(value)}`, { part });
}
