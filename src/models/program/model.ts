import { isAs } from '../../base/options.ts';
import { ownOf } from '../../base/own.ts';
import { didYouMean, fail, InputError, type Place, type Problem, quote, shown } from '../../base/problem.ts';
import type { Parameters, Widened } from '../parameters.ts';
import { Site } from '../site.ts';
import type { ProgramBuilder } from './record/builder-types.ts';
import { checkRequests } from './record/check-requests.ts';
import { type ModelPart, type Recorded, Recorder } from './record/recorder.ts';
import type { Variables } from './record/variables.ts';

/** Marks models; shared by all copies of the package. */
const BRAND: unique symbol = Symbol.for('foretoken.model') as never;
/** Version of the model object. Copies of the package accept each other's models only if it is equal. */
const FORM = 1;

/** Number of ranks and parameter values at which a model is verified by default. */
export type VerifyWith<P> = { readonly ranks?: number } & Partial<P>;

/** Options of {@link spmd}. */
export interface ModelOptions<P extends Parameters, V extends Variables> {
  /** Name of the model in results and messages. */
  readonly name: string;
  /** Parameters with their default values; their types are fixed by the defaults. Default: none. */
  readonly params?: P;
  /** Variables that every rank has: `counter()`, `range()`, `oneOf()`, `rankVar()`, `flag()`. Default: none. */
  readonly vars?: V;
  /** Default ranks and parameters of a verification. */
  readonly verifyWith?: VerifyWith<Widened<P>>;
  /**
   * Allowed numbers of ranks: `ranks: (n) => Number.isInteger(Math.sqrt(n))`, or with parameters
   * `ranks: (n, p) => n === p.px * p.py`. Default: all. Other numbers are rejected (MODEL004); if none is given, an
   * allowed one is chosen.
   */
  readonly ranks?: RankRule<Widened<P>>;
  /** Records the program. Runs once for each number of ranks and choice of parameters, not once per rank. */
  build(m: ProgramBuilder<Widened<P>, V>): void;
}

/** A model of a parallel program with the values of its parameters; made by {@link spmd} or {@link mpmd}. */
export interface ProgramModel<P = Parameters, V = Variables> {
  /** Name of the model. */
  readonly name: string;
  /** Current parameter values. */
  readonly params: Readonly<Widened<P>>;
  /** Default ranks and parameters of a verification. */
  readonly verifyWith: Readonly<Record<string, unknown>>;
  /**
   * The number of ranks if only one is possible (coupled models whose parts all have a fixed number); otherwise
   * undefined.
   */
  readonly ranks: number | undefined;
  /** File that defines the model, if known. */
  readonly file: string | undefined;
  /** Whether the model runs on this number of ranks according to its `ranks` rule. */
  allows(ranks: number): boolean;
  /**
   * The same model with other values of some parameters.
   *
   * @throws InputError MODEL005 for unknown parameters and values of another type
   */
  with(params: Partial<Widened<P>>): ProgramModel<P, V>;
  /**
   * Records the program of each part for a number of ranks; a model without parts has one.
   *
   * @throws InputError MODEL004 for a number of ranks that the model does not run on, and errors of `build`
   */
  record(ranks: number): readonly Recorded[];
  /** Never set; carries only the types of the variables. */
  readonly vars?: V;
}

/**
 * A model of one program that every rank runs.
 *
 * @throws InputError MODEL001 for invalid options
 */
export function spmd<
  const P extends Parameters = Record<never, never>,
  const V extends Variables = Record<never, never>,
>(options: ModelOptions<P, V>): ProgramModel<P, V> {
  const site = new Site(spmd);
  const known = ['name', 'params', 'vars', 'verifyWith', 'ranks', 'build'];
  if (typeof options !== 'object' || options === null)
    fail('MODEL001', `spmd: expected { name, build, … }, got ${shown(options)}`, site.place);
  for (const key of Object.keys(options))
    if (!known.includes(key))
      fail('MODEL001', `spmd has no option ${quote(key)}.${didYouMean(key, known)}`, site.place);
  const { name, params = {} as P, vars = {} as V, verifyWith = {}, ranks: rule, build } = options;
  if (typeof name !== 'string' || name === '')
    fail('MODEL001', `name: expected a non-empty string, got ${shown(name)}`, site.place);
  if (typeof build !== 'function') fail('MODEL001', `model ${quote(name)} has no build`, site.place);
  checkRule(rule, site);
  for (const [option, value] of Object.entries({ params, vars, verifyWith }))
    if (!isAs(value, 'an object')) fail('MODEL001', `${option}: expected an object, got ${shown(value)}`, site.place);
  for (const [key, value] of Object.entries(params))
    if (!['number', 'string', 'boolean'].includes(typeof value) || Number.isNaN(value))
      fail(
        'MODEL001',
        `parameter ${quote(key)}: expected a number, string or boolean, got ${shown(value)}`,
        site.place,
      );
  for (const [key, value] of Object.entries(vars)) {
    if (['rank', 'size', 'p'].includes(key) || !/^[A-Za-z_]\w*$/.test(key))
      fail('MODEL001', `${quote(key)} is not a valid name of a variable`, site.place);
    if (typeof value !== 'object' || value === null || typeof value.kind !== 'string')
      fail(
        'MODEL001',
        `variable ${quote(key)}: expected counter(), range(), oneOf(), rankVar() or flag(), got ${shown(value)}`,
        site.place,
      );
  }
  for (const key of Object.keys(verifyWith))
    if (key !== 'ranks' && !Object.hasOwn(params, key))
      fail(
        'MODEL001',
        `verifyWith: ${quote(key)} is not a parameter.${didYouMean(key, ['ranks', ...Object.keys(params)])}`,
        site.place,
      );
  checkVerifyWith(params, verifyWith, site);
  const at = (
    ranks: number,
    first: number,
    values: Parameters,
  ): Omit<Recorded, 'body' | 'requests' | 'communicators'> => ({
    name,
    size: ranks,
    first,
    params: Object.freeze({ ...values }),
    variables: vars,
  });
  return modelOf<P, V>({
    name,
    params,
    verifyWith,
    place: site.place,
    refusal: (ranks, values) =>
      rule === undefined || ruleAllows(rule as RankRule, name, ranks, values, site.place)
        ? undefined
        : `model ${quote(name)} does not run on ${ranks} rank${ranks === 1 ? '' : 's'}`,
    record: (ranks, values, first = 0, all = [{ name, first: 0, size: ranks }]) => {
      const program = Recorder.record(at(ranks, first, values), all, build as (m: never) => unknown, site);
      checkRequests(program);
      return [program];
    },
  });
}

/** @throws InputError MODEL001 if the rule is not a function */
function checkRule(rule: unknown, { place }: Site): void {
  if (rule !== undefined && typeof rule !== 'function')
    fail('MODEL001', `ranks: expected a function, as in ranks: (n) => n % 2 === 0, got ${shown(rule)}`, place);
}

/** @throws InputError MODEL001 for invalid parameter values or numbers of ranks */
function checkVerifyWith(params: Parameters, given: Readonly<Record<string, unknown>>, { place }: Site): void {
  for (const [key, value] of Object.entries(given)) {
    if (key === 'ranks' && !Object.hasOwn(params, 'ranks')) {
      if (Number.isSafeInteger(value) && (value as number) >= 1) continue;
      fail('MODEL001', `verifyWith: ranks: expected an integer >= 1, got ${shown(value)}`, place);
    }
    const expected = typeof ownOf(params, key);
    if (typeof value !== expected || Number.isNaN(value))
      fail('MODEL001', `verifyWith: ${quote(key)}: expected a ${expected}, got ${shown(value)}`, place);
  }
}

/** One part of coupled models: a model and its number of ranks, or `'rest'` for all remaining ranks. */
export interface MpmdPart {
  /** The program of the part. */
  readonly model: ProgramModel<never, never> | ProgramModel;
  /** Number of ranks of the part. */
  readonly ranks: number | 'rest';
}

/**
 * Several models that run together on consecutive ranks (coupled codes). They communicate through `everyone`, the
 * communicator of all ranks. Parameters are named `model.parameter`.
 *
 * The result runs on a number of ranks if every part runs on its share; `ranks` may restrict the total further.
 *
 * @throws InputError MODEL001 for invalid options
 */
export function mpmd(options: {
  readonly name: string;
  readonly parts: readonly MpmdPart[];
  readonly ranks?: RankRule;
}): ProgramModel<Parameters> {
  const site = new Site(mpmd);
  if (!isAs(options, 'an object'))
    fail('MODEL001', `mpmd: expected { name, parts, … }, got ${shown(options)}`, site.place);
  const known = ['name', 'parts', 'ranks'];
  for (const key of Object.keys(options))
    if (!known.includes(key))
      fail('MODEL001', `mpmd has no option ${quote(key)}.${didYouMean(key, known)}`, site.place);
  const { name, parts, ranks: rule } = options;
  checkRule(rule, site);
  if (typeof name !== 'string' || name === '')
    fail('MODEL001', `name: expected a non-empty string, got ${shown(name)}`, site.place);
  if (!isAs(parts, 'a list of objects') || parts.length === 0)
    fail('MODEL001', 'mpmd: expected parts, a non-empty list of { model, ranks }', site.place);
  const names = parts.map(({ model }) =>
    isModel(model)
      ? model.name
      : fail('MODEL001', 'mpmd: model of a part: expected a model of spmd or mpmd', site.place),
  );
  const twice = names.find((n, k) => names.indexOf(n) < k);
  if (twice !== undefined) fail('MODEL001', `duplicate part ${quote(twice)}`, site.place);
  if (parts.filter((p) => p.ranks === 'rest').length > 1)
    fail('MODEL001', "only one part can have ranks: 'rest'", site.place);
  for (const { ranks } of parts)
    if (ranks !== 'rest' && !(Number.isSafeInteger(ranks) && ranks > 0))
      fail('MODEL001', `ranks of a part: expected an integer >= 1 or 'rest', got ${shown(ranks)}`, site.place);
  const fixed = parts.reduce((sum, p) => sum + (p.ranks === 'rest' ? 0 : p.ranks), 0);
  const hasRest = parts.some((p) => p.ranks === 'rest');
  const params: Record<string, number | string | boolean> = {};
  for (const { model } of parts)
    for (const [k, v] of Object.entries(model.params)) params[`${model.name}.${k}`] = v as number;
  return modelOf<Parameters, Variables>({
    name,
    params,
    verifyWith: {},
    ranks: hasRest ? undefined : fixed,
    place: site.place,
    refusal: (ranks, values) => {
      const rest = ranks - fixed;
      if (hasRest ? rest < 1 : rest !== 0)
        return `model ${quote(name)} does not run on ${ranks} rank${ranks === 1 ? '' : 's'}: its parts need ${hasRest ? `at least ${fixed + 1}` : fixed}`;
      const wrong = parts.find((part) => !changed(part, values).allows(part.ranks === 'rest' ? rest : part.ranks));
      if (wrong !== undefined) {
        const own = wrong.ranks === 'rest' ? rest : wrong.ranks;
        return `model ${quote(name)} does not run on ${ranks} rank${ranks === 1 ? '' : 's'}: its part ${quote(wrong.model.name)} does not run on ${own}`;
      }
      if (rule === undefined || ruleAllows(rule, name, ranks, values, site.place)) return undefined;
      return `model ${quote(name)} does not run on ${ranks} rank${ranks === 1 ? '' : 's'}`;
    },
    record: (ranks, values) => {
      const rest = ranks - fixed;
      let next = 0;
      const all = parts.map(({ model, ranks: own }): ModelPart => {
        const size = own === 'rest' ? rest : own;
        next += size;
        return { name: model.name, first: next - size, size };
      });
      return parts.flatMap((part, k) => {
        const { size, first } = all[k]!;
        return (changed(part, values) as unknown as Internal).recordAt(size, first, all);
      });
    },
  });
}

/** The model of a part with its own share of the coupled parameters. */
function changed({ model }: MpmdPart, values: Parameters): ProgramModel {
  const prefix = `${model.name}.`;
  const mine = Object.entries(values).filter(([key]) => key.startsWith(prefix));
  return model.with(Object.fromEntries(mine.map(([key, value]) => [key.slice(prefix.length), value])) as never);
}

interface Definition {
  readonly name: string;
  readonly params: Parameters;
  readonly verifyWith: Readonly<Record<string, unknown>>;
  readonly ranks?: number | undefined;
  /** Where the model is defined. */
  readonly place: Place;
  /** Reason why a number of ranks is not allowed; undefined if it is. */
  readonly refusal: (ranks: number, params: Parameters) => string | undefined;
  readonly record: (
    ranks: number,
    params: Parameters,
    first?: number,
    all?: readonly ModelPart[],
  ) => readonly Recorded[];
}

interface Internal {
  recordAt(size: number, first: number, all: readonly ModelPart[]): readonly Recorded[];
}

function modelOf<P, V>(d: Definition, params: Parameters = d.params): ProgramModel<P, V> {
  const model = {
    [BRAND]: FORM,
    name: d.name,
    params: Object.freeze({ ...params }),
    verifyWith: d.verifyWith,
    ranks: d.ranks,
    file: d.place.file,
    allows: (ranks: number) => isCount(ranks) && d.refusal(ranks, params) === undefined,
    with: (given: Parameters) => modelOf<P, V>(d, { ...params, ...checkedParameters(d, given) }),
    record: (ranks: number) => {
      if (!isCount(ranks)) fail('MODEL004', `ranks: expected an integer from 1 to ${MAX_RANKS}, got ${shown(ranks)}`);
      const refusal = d.refusal(ranks, params);
      if (refusal !== undefined) fail('MODEL004', `${refusal}${nearestAllowed(model, ranks)}`, d.place);
      return d.record(ranks, params);
    },
    recordAt: (size: number, first: number, all: readonly ModelPart[]) => d.record(size, params, first, all),
  };
  return model as unknown as ProgramModel<P, V>;
}

const isCount = (ranks: number): boolean => Number.isSafeInteger(ranks) && ranks >= 1 && ranks <= MAX_RANKS;

/** Whether a value is a model of this version. */
export function isModel(value: unknown): value is ProgramModel {
  return typeof value === 'object' && value !== null && (value as { [BRAND]?: unknown })[BRAND] === FORM;
}

/**
 * Suggestions for an unknown parameter. In coupled models these are the parts' parameters of the same name,
 * `prod.items` for `items`.
 */
function nearest(key: string, known: readonly string[]): string {
  const inParts = known.filter((name) => name.endsWith(`.${key}`));
  if (inParts.length === 0) return didYouMean(key, known);
  const meant = inParts.slice(0, 3).map((name) => quote(name));
  const more = known.length > 12 ? `, and ${known.length - 12} more` : '';
  return ` Did you mean ${meant.join(' or ')}? Known: ${known.slice(0, 12).join(', ')}${more}.`;
}

/**
 * Checks that the parameters exist and that the values have their types.
 *
 * @throws InputError MODEL005 with all problems
 */
function checkedParameters({ name, params }: Definition, given: Parameters): Parameters {
  const known = Object.keys(params);
  const problems = Object.entries(given ?? {}).flatMap(([key, value]): Problem[] => {
    if (!known.includes(key)) {
      const none = known.length === 0 ? ' It has none.' : nearest(key, known);
      return [{ code: 'MODEL005', message: `model ${quote(name)} has no parameter ${quote(key)}.${none}` }];
    }
    const expected = typeof params[key];
    if (typeof value === expected && !Number.isNaN(value)) return [];
    return [
      {
        code: 'MODEL005',
        message: `parameter ${quote(key)} of model ${quote(name)}: expected a ${expected}, got ${shown(value)}`,
      },
    ];
  });
  if (problems.length > 0) throw new InputError(problems);
  return given;
}

/** Whether a program runs on a number of ranks with these parameter values. */
type RankRule<P = Parameters> = (ranks: number, params: Readonly<P>) => boolean;

/** A model that restricts its number of ranks. */
interface TakesRanks {
  allows(ranks: number): boolean;
}

/**
 * Evaluates a declared rule.
 *
 * @throws InputError MODEL001 if the rule throws or does not return a boolean
 */
function ruleAllows(rule: RankRule, name: string, ranks: number, params: Parameters, place: Place): boolean {
  let answer: unknown;
  try {
    answer = rule(ranks, params);
  } catch (e) {
    const { message } = e instanceof Error ? e : new Error(String(e));
    return fail('MODEL001', `ranks of model ${quote(name)}, called with ${ranks}, throws: ${message}`, place);
  }
  if (typeof answer === 'boolean') return answer;
  return fail(
    'MODEL001',
    `ranks of model ${quote(name)}, called with ${ranks}: expected true or false, got ${shown(answer)}`,
    place,
  );
}

/** Maximum number of ranks of a model. */
export const MAX_RANKS: number = 2 ** 20;

/** Upper end of the search for an allowed number: includes one for any rule of multiples, squares, cubes or powers. */
const reach = (ranks: number): number => Math.min(MAX_RANKS, 16 * ranks + 4096);

/** The largest allowed number up to `max`; undefined if no number is allowed. */
export function largestAllowed(model: TakesRanks, max: number): number | undefined {
  for (let n = Math.min(max, MAX_RANKS); n >= 1; n--) if (model.allows(n)) return n;
  return undefined;
}

/** The smallest allowed number from `min`; undefined if none is within the search range. */
export function smallestAllowed(model: TakesRanks, min: number): number | undefined {
  const end = reach(min);
  for (let n = Math.max(1, min); n <= end; n++) if (model.allows(n)) return n;
  return undefined;
}

/** Suggests the nearest allowed numbers: `; the nearest allowed are 4 and 9`. */
export function nearestAllowed(model: TakesRanks, ranks: number): string {
  const near = [largestAllowed(model, ranks - 1), smallestAllowed(model, ranks + 1)].filter((n) => n !== undefined);
  if (near.length === 0) return '';
  return `; ${near.length === 1 ? `the nearest allowed is ${near[0]}` : `the nearest allowed are ${near.join(' and ')}`}`;
}
