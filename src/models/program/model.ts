import { isAs } from '../../base/options.ts';
import { ownOf } from '../../base/own.ts';
import { didYouMean, fail, quote, shown } from '../../base/problem.ts';
import type { Parameters, Widened } from '../parameters.ts';
import { Site } from '../site.ts';
import { checkRule, type RankRule, ruleAllows } from './allowed-ranks.ts';
import { modelOf, type ProgramModel } from './model-object.ts';
import type { ProgramBuilder, State } from './record/builder-types.ts';
import { checkRequests } from './record/check-requests.ts';
import type { ColouredInterface, Interface, Label } from './record/labels.ts';
import { Recorder } from './record/recorder.ts';
import type { Variables } from './record/variables.ts';

/** Members of a state besides its variables, by name, with their meaning. */
const STATE: Readonly<Record<string, string>> = {
  rank: 'the number of the rank',
  size: 'the number of ranks',
  p: 'the parameters',
};

/** Number of ranks and parameter values at which a model is verified by default. */
export type VerifyWith<P> = { readonly ranks?: number } & Partial<P>;

/** Options of {@link spmd}. */
export interface ModelOptions<P extends Parameters, V extends Variables, I extends Interface = Record<never, never>> {
  /** Name of the model in results and messages. */
  readonly name: string;
  /** Parameters with their default values; their types are fixed by the defaults. Default: none. */
  readonly params?: P;
  /** Variables that every rank has: `counter()`, `range()`, `oneOf()`, `rankVar()`, `flag()`. Default: none. */
  readonly vars?: V;
  /**
   * Labels that `compose` connects with those of other modules: `sends()`, `receives()`, `phase()`, `resource()`. A label
   * that is not connected is open: its partner is always ready. Default: none.
   */
  readonly interface?: I;
  /** Default ranks and parameters of a verification. */
  readonly verifyWith?: VerifyWith<Widened<P>>;
  /**
   * Allowed numbers of ranks: `ranks: (n) => Number.isInteger(Math.sqrt(n))`, or with parameters
   * `ranks: (n, p) => n === p.px * p.py`. Default: all. Other numbers are rejected (MODEL004); if none is given, an
   * allowed one is chosen.
   */
  readonly ranks?: RankRule<Widened<P>>;
  /** Records the program. Runs once for each number of ranks and choice of parameters, not once per rank. */
  build(m: ProgramBuilder<Widened<P>, V, State<Widened<P>, V>, I>): void;
}

/**
 * A model of one program that every rank runs.
 *
 * @throws InputError MODEL001 for invalid options
 */
export function spmd<
  const P extends Parameters = Record<never, never>,
  const V extends Variables = Record<never, never>,
  const I extends Interface = Record<never, never>,
>(options: ModelOptions<P, V, I>): ProgramModel<P, V, I> {
  const site = new Site(spmd);
  const known = ['name', 'params', 'vars', 'interface', 'verifyWith', 'ranks', 'build'];
  if (typeof options !== 'object' || options === null)
    fail('MODEL001', `spmd: expected { name, build, … }, got ${shown(options)}`, site.place);
  for (const key of Object.keys(options))
    if (!known.includes(key))
      fail('MODEL001', `spmd has no option ${quote(key)}.${didYouMean(key, known)}`, site.place);
  const { name, params = {} as P, vars = {} as V, verifyWith = {}, ranks: rule, build } = options;
  const labels = options.interface ?? ({} as I);
  if (typeof name !== 'string' || name === '')
    fail('MODEL001', `name: expected a non-empty string, got ${shown(name)}`, site.place);
  if (typeof build !== 'function') fail('MODEL001', `model ${quote(name)} has no build`, site.place);
  checkRule(rule, site);
  for (const [option, value] of Object.entries({ params, vars, interface: labels, verifyWith }))
    if (!isAs(value, 'an object')) fail('MODEL001', `${option}: expected an object, got ${shown(value)}`, site.place);
  for (const [key, value] of Object.entries(params))
    if (!['number', 'string', 'boolean'].includes(typeof value) || Number.isNaN(value))
      fail(
        'MODEL001',
        `parameter ${quote(key)}: expected a number, string or boolean, got ${shown(value)}`,
        site.place,
      );
  for (const [key, value] of Object.entries(vars)) {
    const taken = ownOf(STATE, key);
    if (taken !== undefined || !/^[A-Za-z_]\w*$/.test(key))
      fail(
        'MODEL001',
        `${quote(key)} is not a valid name of a variable: ${taken === undefined ? 'expected letters, digits and _, not a digit first' : `s.${key} is ${taken}`}`,
        site.place,
      );
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
  return modelOf<P, V, I>({
    name,
    params,
    verifyWith,
    place: site.place,
    interface: coloured(labels, vars, site),
    refusal: (ranks, values) =>
      rule === undefined || ruleAllows(rule as RankRule, name, ranks, values, site.place)
        ? undefined
        : `model ${quote(name)} does not run on ${ranks} rank${ranks === 1 ? '' : 's'}`,
    ranksOf: (_, size, __, first) => [{ first, size }],
    record: (size, values, position) => {
      const given = { size, params: Object.freeze({ ...values }), variables: vars, interface: labels };
      const program = Recorder.record(given, position, build as (m: never) => unknown, site);
      checkRequests(program);
      return [program];
    },
  });
}

/**
 * The labels with the colour sets of the variables that they carry.
 *
 * @throws InputError MODEL001 for a value that is not a label, or a variable that is not declared
 */
function coloured(labels: Interface, vars: Variables, { place }: Site): ColouredInterface {
  const known = Object.keys(vars);
  const colour = (label: string, name: string): Variables[string] =>
    ownOf(vars, name) ??
    fail(
      'MODEL001',
      `label ${quote(label)} carries ${quote(name)}, which is not in vars.${didYouMean(name, known)}`,
      place,
    );
  return Object.fromEntries(
    Object.entries(labels).map(([name, label]) => {
      if (!isLabel(label))
        fail(
          'MODEL001',
          `label ${quote(name)}: expected sends(), receives(), phase() or resource(), got ${shown(label)}`,
          place,
        );
      if (!/^[A-Za-z_]\w*$/.test(name)) fail('MODEL001', `${quote(name)} is not a valid name of a label`, place);
      return [name, { ...label, colours: Object.fromEntries(label.carry.map((v) => [v, colour(name, v)])) }];
    }),
  );
}

const isLabel = (value: unknown): value is Label =>
  typeof value === 'object' && value !== null && Array.isArray((value as Partial<Label>).carry);

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
