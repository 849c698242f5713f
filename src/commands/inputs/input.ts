import { extname } from 'node:path';
import { didYouMean, fail, InputError, type Problem, quote, shown, withArticle } from '../../base/problem.ts';
import { isModel, type ProgramModel } from '../../models/program/model-object.ts';
import type { BlockedOf } from '../../models/schedule/blocked-in-schedule.ts';
import { isThreadModel, type ThreadModel } from '../../models/threads/program/threads.ts';
import type { NodePositions } from '../../net/drawing/kept-layout.ts';
import type { Net } from '../../net/net.ts';
import { assertValid } from '../../net/validation/validate.ts';
import type { RecordFiles } from '../../trace/run/read-run.ts';
import { assertExists, assertReadable, contentOf, isMachine } from './input-kinds.ts';
import { aboutFile, type ReadSchedule, readNetFile } from './net-file.ts';
import { APPLIES, functionOf, INPUT_KINDS, type InputKind, type JobName, type KindsOf } from './option-rows.ts';
import { MODEL_ENDINGS, NET_ENDINGS, pathFacts } from './path-kinds.ts';

/** A net, and remarks on how it was read. */
export interface ReadNet {
  readonly net: Net;
  /** Where its file draws the nodes, by name. */
  readonly positions?: NodePositions;
  readonly warnings: readonly string[];
  /** Schedules: lists the operations that are blocked at the end of a run. */
  readonly blocked?: BlockedOf;
  readonly schedule?: ReadSchedule;
}

/** The members of an input besides its origin, by kind. */
interface Parts {
  readonly model: { readonly model: ProgramModel };
  readonly 'thread model': { readonly model: ThreadModel };
  readonly net: {
    /** Reads the file. A net that a program has made may be invalid. */
    readonly read: () => ReadNet;
    /** As `read`. @throws InputError the problems of an invalid net */
    readonly readValid: (loggops?: string) => ReadNet;
  };
  readonly trace: { readonly path: string };
  readonly 'machine description': { readonly path: string };
  readonly 'run record': { readonly path: string; readonly files: RecordFiles };
  readonly 'worker states': { readonly path: string };
  readonly 'Chrome trace': { readonly path: string };
  /** The text of `perf sched script`. */
  readonly 'scheduler trace': { readonly path: string };
}

/** The members of inputs of all kinds. */
interface Origin {
  /** The path that was given: of a file, or of the module that exports the input. Undefined: a program has made the value. */
  readonly path: string | undefined;
  /** `path` if it is that of a module. */
  readonly module: string | undefined;
  /** For messages: the file that defines the input, if known. */
  readonly file: string | undefined;
  /** For messages: the file, or else the name. */
  readonly label: string;
}

/** An input of one of these kinds. Only this file decides which. */
export type InputOf<K extends InputKind> = { [k in K]: Origin & { readonly kind: k } & Parts[k] }[K];
export type Input = InputOf<InputKind>;

/** A model of either kind. */
export type ModelInput = InputOf<'model' | 'thread model'>;

/** The kinds of values, as programs make them and modules export them. */
export type ValueKind = 'model' | 'thread model' | 'net';

/** A function for each kind of input. */
export type ByKind<K extends InputKind, A extends readonly unknown[], R> = {
  readonly [k in K]: (input: InputOf<k>, ...args: A) => R;
};

/** Calls the function that a table has for the kind of an input. */
export function byKind<K extends InputKind, A extends readonly unknown[], R>(
  table: ByKind<K, A, R>,
  input: InputOf<K>,
  ...args: A
): R {
  return (table[input.kind as K] as (input: InputOf<K>, ...args: A) => R)(input, ...args);
}

const looksLikeNet = (value: unknown): value is Net =>
  typeof value === 'object' && value !== null && 'places' in value && 'transitions' in value;

/**
 * The input that a value is; undefined for other values. Whether a net is valid is checked where it is used.
 *
 * @param module path of the module that exports it
 */
export function inputOf(value: unknown, module?: string): InputOf<ValueKind> | undefined {
  const origin = (name: string, own?: string): Origin => {
    const file = module ?? own;
    return { path: module, module, file, label: file ?? name };
  };
  if (isModel(value)) return { kind: 'model', model: value, ...origin(value.name, value.file) };
  if (isThreadModel(value)) return { kind: 'thread model', model: value, ...origin(value.name, value.file) };
  if (!looksLikeNet(value)) return undefined;
  const read = (): ReadNet => ({ net: value, warnings: [] });
  const known = origin(value.name);
  const readValid = (loggops?: string): ReadNet => {
    if (loggops !== undefined)
      fail('GOAL006', 'loggops: only a schedule (.goal) has parameters of LogGOPS', { file: known.label });
    aboutFile(known.label, () => assertValid(value));
    return read();
  };
  return { kind: 'net', read, readValid, ...known };
}

/** An input that is a model; undefined for others. */
export const modelIn = (input: Input): ModelInput | undefined => ('model' in input ? input : undefined);

/** Kinds of files with any ending: a function gets the first that it takes. */
const ANY_ENDING: readonly InputKind[] = ['trace', 'net', 'run record'];

/**
 * The input that a function was given: a value, or the path of a file other than a module.
 *
 * @param excluded kinds that an option excludes
 * @throws InputError APP061 and THR011 for values of other kinds, and for the path of a module; DIAG004, PROF006, VER004 for files
 */
export function givenInput<J extends JobName>(
  job: J,
  value: unknown,
  excluded: readonly InputKind[] = [],
): InputOf<KindsOf<J>> {
  if (typeof value !== 'string' || value === '') {
    const input = inputOf(value) ?? recordOf(job, value);
    return input !== undefined && takes(job, input.kind) ? (input as InputOf<KindsOf<J>>) : refuse(job, value);
  }
  const { isCode, kinds } = pathFacts(value);
  if (isCode) return refuseModule(job, value);
  if (kinds.includes('net')) NET_FILES[job]?.(value);
  const all: readonly InputKind[] =
    takes(job, 'machine description') && isMachine(value) ? ['machine description'] : [...kinds, ...ANY_ENDING];
  const kind = all.find((kind) => takes(job, kind) && !excluded.includes(kind));
  if (kind === undefined) return refuse(job, value);
  CONTENTS[kind]?.(value);
  const read = (loggops?: string): ReadNet =>
    kinds.includes('net') ? readNetFile(value, loggops) : refuseEnding(value);
  const origin = { path: value, module: undefined, file: value, label: value };
  return { kind, read, readValid: read, files: value, ...origin } as unknown as InputOf<KindsOf<J>>;
}

/**
 * The input that a module exports, if the function takes its kind.
 *
 * @throws InputError THR011 for a thread model, APP022, PROF006 or APP061 for a net
 */
export function exported<J extends JobName>(job: J, module: string, input: InputOf<ValueKind>): InputOf<KindsOf<J>> {
  if (takes(job, input.kind)) return input as InputOf<KindsOf<J>>;
  const model = modelIn(input)?.model;
  return model === undefined ? (NET_MODULES[job] ?? refuse.bind(undefined, job))(module) : refuse(job, model);
}

const takes = (job: JobName, kind: InputKind): boolean => (APPLIES[kind] as readonly JobName[]).includes(job);

/** The files of one run, which only profiles take. */
function recordOf(job: JobName, value: unknown): InputOf<'run record'> | undefined {
  if (job !== 'profile' || !Array.isArray(value)) return undefined;
  const files = value as readonly unknown[];
  const wrong = files.find((file) => typeof file !== 'string' || !pathFacts(file).isRecord);
  if (files.length === 0 || wrong !== undefined)
    fail('PROF006', 'expected the record files of one run', wrong === undefined ? {} : { file: String(wrong) });
  const [path] = files as [string];
  return { kind: 'run record', files: files as string[], path, module: undefined, file: path, label: path };
}

/** Nets other than schedules have no ranks to profile. */
export const refuseProfile = (file: string, content = 'a net'): never =>
  fail('PROF006', `is ${content}: expected a model, a trace, a schedule (.goal), or a run record`, { file });

/** How functions refuse the module of a net, and the file of one; all others refuse these as other inputs. */
type Refusals<R> = { readonly [job in JobName]?: (file: string) => R };
const NET_MODULES: Refusals<never> = {
  diagnose: (file) => fail('APP022', 'exports a net: expected a model', { file }),
};
const NET_FILES: Refusals<void> = {
  profile: (file) => {
    assertExists(file);
    if (extname(file) !== '.goal') refuseProfile(file, contentOf(file) ?? 'a file of another kind');
  },
};

/** Checks the content of files whose ending other kinds have, too. */
const CONTENTS: { readonly [kind in InputKind]?: (file: string) => void } = {
  'Chrome trace': (file) => {
    assertExists(file);
    const found = contentOf(file) ?? 'a Chrome trace';
    if (found !== 'a Chrome trace')
      fail('DIAG004', `is ${found}: expected worker states as .csv, a run record, or a Chrome trace as .json`, {
        file,
      });
  },
};

function refuseModule(job: JobName, path: string): never {
  if (job === 'verifyProgram')
    fail('VER004', 'is a module: import it and give the model that it exports', { file: path });
  const message = `${quote(path)} is a module, which ${functionOf(job)} cannot import: import it and give the model that it exports`;
  return fail('APP061', message, { part: functionOf(job) });
}

/**
 * Rejects a file that is not a net by its ending. If the file does not exist, that is reported first.
 *
 * @throws InputError APP001, APP009, APP030
 */
function refuseEnding(file: string): never {
  assertReadable(file);
  const ending = extname(file);
  const trace = ending === '.ti' ? ' For a trace, use foretoken verify.' : '';
  const message = `${quote(ending)} is not the extension of a net or a model.${didYouMean(ending, [...NET_ENDINGS, ...MODEL_ENDINGS])}${trace}`;
  const problem: Problem = { code: 'APP030', message, place: { file } };
  try {
    assertExists(file);
  } catch (e) {
    if (e instanceof InputError) throw new InputError([...e.problems, problem]);
    throw e;
  }
  throw new InputError([problem]);
}

/** Commands or functions that accept thread models. `verify` is one command, but has a function for each kind of model. */
function threadJobs(refusing: JobName): string[] {
  const isFunction = refusing === 'verify' || refusing === 'verifyProgram';
  const others = APPLIES['thread model'].filter((job) => job !== (isFunction ? 'verifyCommand' : 'verifyThreads'));
  return [...new Set(others.map(functionOf))];
}

function refuse(job: JobName, value: unknown): never {
  if (isThreadModel(value)) {
    fail(
      'THR011',
      `model ${quote(value.name)} has threads: ${functionOf(job)} takes models of message passing only. Thread models are taken by ${threadJobs(job).join(', ')}`,
      value.file === undefined ? undefined : { file: value.file },
    );
  }
  const all = INPUT_KINDS.filter((kind) => takes(job, kind));
  const objects = (['model', 'thread model', 'net'] as const).filter((kind) => all.includes(kind));
  const files = all.some((kind) => kind !== 'model' && kind !== 'thread model');
  const from =
    objects.length === 0 ? '' : `${objects.map((kind) => withArticle(kind)).join(', ')}${files ? ', or ' : ''}`;
  const kind = inputOf(value)?.kind;
  const got = kind === undefined ? shown(value) : withArticle(kind);
  const message = `input: expected ${from}${files ? 'the path of a file' : ''}, got ${got}`;
  return fail('APP061', message, { part: functionOf(job) });
}
