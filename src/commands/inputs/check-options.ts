import { isAs } from '../../base/options.ts';
import { didYouMean, fail, InputError, nearest, type Problem, quote, shown, withArticle } from '../../base/problem.ts';
import { isModel } from '../../models/program/model.ts';
import { isThreadModel } from '../../models/threads/program/threads.ts';
import { isRunFile } from '../../trace/run/run-endings.ts';
import { isNet, refuseThreads } from './any-model.ts';
import { isModelFile } from './model-endings.ts';
import { isNetFile } from './net-file.ts';
import { flagOf, INPUT_KINDS, type InputKind, type JobName, type OptionRows } from './option-rows.ts';

/** Options of the pool of a thread model. */
const OF_POOLS: readonly string[] = ['workers', 'scheduler', 'victim', 'take', 'rounds', 'bypass', 'pool'];
/** Options that nets have in several functions, and options of models and traces. */
const OF_MACHINES: readonly string[] = [
  'machine',
  'hostfile',
  'placement',
  'oversubscribe',
  'ranks',
  'networkModel',
  'collectives',
  'derivedTypeBytes',
  'confine',
  'set',
];

/**
 * Checks options against the table of options and kinds of input. Members that are undefined are ignored.
 *
 * @param rows the rows of the function
 * @param file file or name of the input, for messages
 * @throws InputError APP061 options that are not an object; all problems at once: APP060 an unknown name, and an option that
 * does not apply to the kind of input: DIAG009, PROF006, THR011 or VER003 of the function or the kind, otherwise APP004
 */
export function checkOptions<O extends object>(
  job: JobName,
  rows: OptionRows<O>,
  kind: InputKind,
  options: O,
  file?: string,
): void {
  assertObject(job, 'options', options);
  const all: Readonly<Record<string, readonly InputKind[]>> = rows;
  const applicable = Object.keys(all).filter((name) => all[name]!.includes(kind));
  const problems = Object.entries(options).flatMap(([name, value]): Problem[] => {
    if (value === undefined) return [];
    const kinds = Object.hasOwn(all, name) ? all[name]! : undefined;
    if (kinds === undefined) {
      const message = `unknown option ${quote(name)}.${didYouMean(name, applicable)}`;
      return [{ code: 'APP060', message, place: { part: functionOf(job) } }];
    }
    if (kinds.includes(kind)) return [];
    const owners = kinds.length === 0 ? 'it belongs to another function' : `it belongs to ${plurals(kinds)}`;
    const message = `option ${named(job, name)} does not apply to ${singular(kind)}: ${owners}.${nearest(name, applicable)}`;
    return [{ code: codeOf(job, name, kind), message, ...(file === undefined ? {} : { place: { file } }) }];
  });
  if (problems.length > 0) throw new InputError(problems);
}

/** The name of an option, followed by its flag if that is spelled differently: `maxSteps (--max-steps)`. */
export function named(job: JobName, option: string): string {
  const flag = flagOf(job, option);
  return flag === `--${option}` ? option : `${option} (${flag})`;
}

function codeOf(job: JobName, option: string, kind: InputKind): Problem['code'] {
  if (job === 'profile') return 'PROF006';
  if (job === 'diagnose') return 'DIAG009';
  if (job.startsWith('verify')) return kind !== 'thread model' && OF_MACHINES.includes(option) ? 'APP004' : 'VER003';
  return kind === 'thread model' || OF_POOLS.includes(option) ? 'THR011' : 'APP004';
}

const functionOf = (job: JobName): string => (job === 'verifyCommand' ? 'verify' : job);

const singular = (kind: InputKind): string => (kind.endsWith('s') ? kind : withArticle(kind));

function plurals(kinds: readonly InputKind[]): string {
  const words = kinds.map((kind) => (kind.endsWith('s') ? kind : `${kind}s`));
  return words.length === 1 ? words[0]! : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`;
}

/** @throws InputError APP061 for a value that is not an object with members */
export function assertObject(part: string, name: string, value: unknown): void {
  if (!isAs(value, 'an object')) fail('APP061', `${name}: expected an object, got ${shown(value)}`, { part });
}

/**
 * The kind of an input of a function: a model, a net, or the path of a file, by its ending.
 *
 * @param takes the kinds that the function accepts
 * @param modules whether it imports modules
 * @throws InputError APP061 for other values, and for the path of a module that the function cannot import
 */
export function inputKind(
  part: string,
  input: unknown,
  takes: readonly InputKind[] = INPUT_KINDS,
  modules = false,
): InputKind {
  const kind = kindOf(part, input, takes, modules);
  if (!takes.includes(kind)) return refuse(part, input, takes);
  return kind;
}

function kindOf(part: string, input: unknown, takes: readonly InputKind[], modules: boolean): InputKind {
  if (isModel(input)) return 'model';
  if (isThreadModel(input)) return 'thread model';
  if (isNet(input)) return 'net';
  if (typeof input !== 'string' || input === '') return refuse(part, input, takes);
  if (isModelFile(input)) {
    if (modules) return 'model';
    const message = `${quote(input)} is a module, which ${part} cannot import: import it and give the model that it exports`;
    return fail('APP061', message, { part });
  }
  if (takes.includes('run record') && isRunFile(input)) return 'run record';
  if (takes.includes('net') && (isNetFile(input) || !takes.includes('trace'))) return 'net';
  return 'trace';
}

function refuse(part: string, input: unknown, takes: readonly InputKind[]): never {
  if (isThreadModel(input)) refuseThreads(part, input);
  const files = takes.some((kind) => kind !== 'model' && kind !== 'thread model');
  const objects = (['model', 'thread model', 'net'] as const).filter((kind) => takes.includes(kind));
  const from = objects.length === 0 ? '' : `${objects.map(singular).join(', ')}${files ? ', or ' : ''}`;
  const message = `input: expected ${from}${files ? 'the path of a file' : ''}, got ${shown(input)}`;
  return fail('APP061', message, { part });
}
