import { isAs } from '../../../base/options.ts';
import { didYouMean, fail, InputError, quote, shown } from '../../../base/problem.ts';
import { problemsOf, thrown, userPlaceOf, withKnownMethod } from '../../../base/thrown.ts';
import { guardingBuild } from '../../../net/functions/ambient.ts';
import { type Adjustable, checkedParameters, guarded, type Parameters, type Widened } from '../../parameters.ts';
import { Site } from '../../site.ts';
import type { ThreadBuilder } from './builder-types.ts';
import { type ElaborateOptions, elaborate } from './elaborate.ts';
import { ALONE, type ThreadInterface, type ThreadPosition } from './module-scope.ts';
import { ThreadRecorder } from './record/recorder.ts';
import type { ThreadProgram } from './rows.ts';
import { OBJECT_KINDS, type ObjectKind, type RecordedThreads } from './statements.ts';

const BRAND: unique symbol = Symbol.for('foretoken.threads') as never;
const FORM = 2;
/** The model may come from another copy of the package. */
const CHANGE: unique symbol = Symbol.for('foretoken.change') as never;

/** A change of a recorded program. */
export type Change = (recorded: RecordedThreads) => RecordedThreads;

/** The model with a change of its recorded program. */
export function changedModel(model: ThreadModel, change: Change): ThreadModel {
  return {
    // With the brand of a model.
    ...model,
    with: (params) => changedModel(model.with(params), change),
    program: (workers, options) => model.program(workers, { ...options, [CHANGE]: change } as typeof options),
    recordAt: (workers: number, position: ThreadPosition) => change(recordedAt(model, workers, position)),
  } as ThreadModel;
}

/** The recorded program of a model at its position in a composition. */
export function recordedAt(model: ThreadModel, workers: number, position: ThreadPosition): RecordedThreads {
  return (model as unknown as Internal).recordAt(workers, position);
}

/** The part of a model that only compositions use. */
interface Internal {
  recordAt(workers: number, position: ThreadPosition): RecordedThreads;
}

/** Options of {@link threads}. */
export interface ThreadModelOptions<
  P extends Parameters,
  V extends string,
  I extends ThreadInterface = Record<never, never>,
> {
  /** Name of the model in results and messages. */
  readonly name: string;
  /** Parameters with their default values. Default: none. */
  readonly params?: P;
  /** Names in scope (loop counters, arguments of tasks). If given, functions of the state can read only these. */
  readonly vars?: readonly V[];
  /**
   * Objects of `build` that other modules can share in a composition, by name with their kinds: `{ free: 'semaphore' }`.
   * Alone, the model has them for itself. Default: none.
   */
  readonly interface?: I;
  /** Default workers and parameters of a verification. */
  readonly verifyWith?: { readonly workers?: number } & Partial<Widened<P>>;
  /** Records the program. Runs once for each number of workers and choice of parameters. */
  build(t: ThreadBuilder<Widened<P>, V>): void;
}

/** A model of a program with threads or tasks; made by {@link threads}. */
export interface ThreadModel<P = Parameters, I = ThreadInterface> {
  readonly name: string;
  readonly params: Readonly<Widened<P>>;
  readonly verifyWith: Readonly<Record<string, unknown>>;
  /** File that defines the model, if known. */
  readonly file: string | undefined;
  /** Objects that other modules can share, by name with their kinds. */
  readonly interface: ThreadInterface;
  /**
   * The same model with other values of some parameters.
   *
   * @throws InputError MODEL005 for unknown parameters and values of another type
   */
  with(params: Partial<Widened<P>>): ThreadModel<P, I>;
  /**
   * The rows of all strands for a number of workers.
   *
   * @throws InputError THR00x for faults of the model, with its line
   */
  program(workers: number, options?: Pick<ElaborateOptions, 'joins' | 'pools'>): ThreadProgram;
  /** Never set; carries only the types of the labels. */
  readonly labels?: I;
}

/**
 * A model of a program with threads or tasks in one process.
 *
 * @throws InputError THR001 for invalid options
 */
export function threads<
  const P extends Parameters = Record<never, never>,
  const V extends string = string,
  const I extends ThreadInterface = Record<never, never>,
>(options: ThreadModelOptions<P, V, I>): ThreadModel<P, I> {
  const site = new Site(threads);
  const known = ['name', 'params', 'vars', 'interface', 'verifyWith', 'build'];
  if (typeof options !== 'object' || options === null)
    fail('THR001', `threads: expected { name, build, … }, got ${shown(options)}`, site.place);
  for (const key of Object.keys(options))
    if (!known.includes(key))
      fail('THR001', `threads has no option ${quote(key)}.${didYouMean(key, known)}`, site.place);
  const { name, params = {} as P, verifyWith = {}, build, interface: labels = {} } = options;
  if (typeof name !== 'string' || name === '')
    fail('THR001', `name: expected a non-empty string, got ${shown(name)}`, site.place);
  if (typeof build !== 'function') fail('THR001', `model ${quote(name)} has no build`, site.place);
  for (const [option, value] of Object.entries({ params, verifyWith, interface: labels }))
    if (!isAs(value, 'an object')) fail('THR001', `${option}: expected an object, got ${shown(value)}`, site.place);
  for (const [key, value] of Object.entries(params))
    if (!['number', 'string', 'boolean'].includes(typeof value) || Number.isNaN(value))
      fail('THR001', `parameter ${quote(key)}: expected a number, string or boolean, got ${shown(value)}`, site.place);
  for (const key of Object.keys(verifyWith))
    if (key !== 'workers' && !Object.hasOwn(params, key))
      fail(
        'THR001',
        `verifyWith: ${quote(key)} is not a parameter.${didYouMean(key, ['workers', ...Object.keys(params)])}`,
        site.place,
      );
  for (const [label, kind] of Object.entries(labels))
    if (!OBJECT_KINDS.includes(kind as ObjectKind))
      fail(
        'THR001',
        `interface: ${quote(label)}: expected a kind of objects, got ${shown(kind)}.${didYouMean(String(kind), OBJECT_KINDS)}`,
        site.place,
      );
  return threadModelOf<P, I>({
    name,
    params,
    verifyWith,
    site,
    interface: { ...labels },
    record: (workers, values, position) => {
      const scope = { ...position, interface: labels, place: site.place };
      const recorder = new ThreadRecorder(name, values, workers, scope);
      run(build as (t: unknown) => unknown, recorder, site);
      return recorder.finish();
    },
  });
}

/** Calls `build` of a model. @throws InputError of the model, and MODEL029 for other errors */
function run(build: (t: unknown) => unknown, recorder: ThreadRecorder, { place }: Site): void {
  try {
    const result: unknown = guardingBuild(() => build(recorder));
    if (typeof (result as { then?: unknown } | undefined)?.then === 'function')
      fail('THR007', 'build returns a promise: it must be synchronous', place);
  } catch (e) {
    const problems = problemsOf(e);
    if (problems !== undefined) throw e instanceof InputError ? e : new InputError(problems);
    const { text, stack, isError } = thrown(e);
    const named = withKnownMethod(text, build, recorder);
    fail('MODEL029', `build throws ${named}`, (isError ? userPlaceOf(stack) : undefined) ?? place);
  }
}

/** True if a value is a thread model of this version. */
export function isThreadModel(value: unknown): value is ThreadModel {
  return typeof value === 'object' && value !== null && (value as { [BRAND]?: unknown })[BRAND] === FORM;
}

/** How a kind of model is recorded. */
export interface ThreadDefinition extends Adjustable {
  readonly verifyWith: Readonly<Record<string, unknown>>;
  readonly site: Site;
  readonly interface: ThreadInterface;
  record(workers: number, params: Parameters, position: ThreadPosition): RecordedThreads;
}

/** Maximum number of workers of a pool. */
export const MAX_WORKERS = 1_000_000;

/** The model of a definition. */
export function threadModelOf<P, I>(d: ThreadDefinition, params: Parameters = d.params): ThreadModel<P, I> {
  const model = {
    [BRAND]: FORM,
    name: d.name,
    params: Object.freeze({ ...params }),
    verifyWith: d.verifyWith,
    file: d.site.place.file,
    interface: d.interface,
    with: (given: Parameters) => threadModelOf<P, I>(d, { ...params, ...checkedParameters(d, given) }),
    choices: (param: string) => d.choices?.(param),
    program: (
      workers: number,
      options: Pick<ElaborateOptions, 'joins' | 'pools'> & { readonly [CHANGE]?: Change } = {},
    ): ThreadProgram => {
      if (!(Number.isSafeInteger(workers) && workers >= 1 && workers <= MAX_WORKERS))
        fail('THR001', `workers: expected an integer from 1 to ${MAX_WORKERS}, got ${shown(workers)}`);
      const { [CHANGE]: change = (recorded: RecordedThreads) => recorded, ...rest } = options;
      const recorded = change(d.record(workers, params, ALONE));
      return elaborate(recorded, { name: d.name, params: guarded(d.name, params), workers, ...rest });
    },
    recordAt: (workers: number, position: ThreadPosition) => d.record(workers, params, position),
  };
  return model as unknown as ThreadModel<P, I>;
}
