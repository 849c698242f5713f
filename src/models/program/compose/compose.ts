import { isAs } from '../../../base/options.ts';
import { didYouMean, fail, InputError, type Problem, quote, shown } from '../../../base/problem.ts';
import type { Net } from '../../../net/net.ts';
import { isNet } from '../../../net/validation/validate-shape.ts';
import type { Parameters } from '../../parameters.ts';
import { Site } from '../../site.ts';
import { isThreadModel } from '../../threads/program/threads.ts';
import { checkRule, type RankRule } from '../allowed-ranks.ts';
import { isModel, type ProgramModel } from '../model-object.ts';
import { assertNetModule, composeNets, type NetPart } from './compose-nets.ts';
import { coupled, type Part } from './coupled.ts';
import { joinsOf } from './joins.ts';
import { assertDifferentNames } from './module-names.ts';

/** A model of any parameters, variables and labels. */
// biome-ignore lint/suspicious/noExplicitAny: models of other types are not assignable to each other
type AnyModel = ProgramModel<any, any, any>;

/** A module of a composition: a model, or several with the same interface of which a parameter chooses one. */
export type Module = AnyModel | ModuleOptions;

/** A module with its number of ranks and its name. */
export interface ModuleOptions {
  /** The program; give either `model` or `choose`. */
  readonly model?: AnyModel;
  /**
   * Models with the same labels. The parameter `as` of the composition chooses one by its name, the first one by default:
   * `whatif` compares them with `--vary model.filter=blur,sharpen`.
   */
  readonly choose?: readonly AnyModel[];
  /**
   * Number of ranks, or `'rest'` for all remaining ones. Default: the model's own number, else all remaining ones; at most
   * one module takes these.
   */
  readonly ranks?: number | 'rest';
  /** Name of the module. Default: that of the model. */
  readonly as?: string;
}

/** A module of a composition of nets: a net, or a net with the name of its module. */
export type NetModule = Net | { readonly model: Net; readonly as?: string };

/** Options of {@link compose} for nets. */
export interface ComposeNetsOptions {
  /** Name of the composition. Default: the names of the modules, joined by `+`. */
  readonly name?: string;
  /**
   * Labels that are connected: a name that several modules use, or the ends as `module.label`. Any number of modules; all
   * export variables of the same names and colour sets. Connected labels are hidden.
   */
  readonly synchronise?: readonly (string | readonly string[])[];
  /** Labels that the composition offers to an outer one, by their new names: `{ frames: 'reader.frames' }`. */
  readonly expose?: Readonly<Record<string, string>>;
  /** Places that modules share, as `module.place`; each list becomes one place with the first name. */
  readonly share?: readonly (readonly string[])[];
}

/** Options of {@link compose}. */
export interface ComposeOptions {
  /** Name of the composition. Default: the names of the modules, joined by `+`. */
  readonly name?: string;
  /**
   * Labels that are connected: a name that several modules use, or the ends as `module.label`. Labels of messages have two
   * ends, those of phases and resources any number.
   */
  readonly synchronise?: readonly (string | readonly string[])[];
  /** Labels that the composition offers to an outer one, by their new names: `{ frames: 'reader.frames' }`. */
  readonly expose?: Readonly<Record<string, string>>;
  /** Restricts the number of ranks further. */
  readonly ranks?: RankRule;
  /** Default ranks and parameters of a verification. Default: those of the modules. */
  readonly verifyWith?: Readonly<Record<string, number | string | boolean>>;
}

/**
 * Nets as modules: their places and transitions become `module.name`, their labels are connected, and places may be shared.
 * The result is their `merge`, with the connected labels hidden.
 *
 * @throws InputError MODEL001 for invalid options and modules of several kinds, MODEL037 for labels that do not fit,
 *   MODEL038 for a label that nobody meets, MODEL039 for an unknown label or place, MODEL040 for one that is met twice; the
 *   codes of `merge` for colour sets, tables, places and process declarations that do not agree
 */
export function compose(modules: readonly NetModule[], options?: ComposeNetsOptions): Net;
/**
 * Modules that run side by side on consecutive ranks, connected by the labels of their interfaces. The net of the result is
 * the synchronised merge of the modules' nets (S16). Parameters are named `module.parameter`.
 *
 * @throws InputError MODEL001 for invalid options, MODEL037 for labels that do not fit, MODEL038 for a label that nobody
 *   meets, MODEL039 for an unknown module or label, MODEL040 for a label that is met twice, MODEL041 for modules that cannot
 *   replace each other
 */
export function compose(modules: readonly Module[], options?: ComposeOptions): ProgramModel<Parameters>;
export function compose(
  modules: readonly (Module | NetModule)[],
  options: ComposeOptions & ComposeNetsOptions = {},
): ProgramModel<Parameters> | Net {
  const site = new Site(compose);
  if (!isAs(options, 'an object')) fail('MODEL001', `compose: expected options, got ${shown(options)}`, site.place);
  const nets = netsOf(modules, site);
  const known = ['name', 'synchronise', 'expose', ...(nets === undefined ? ['ranks', 'verifyWith'] : ['share'])];
  for (const key of Object.keys(options))
    if (!known.includes(key))
      fail('MODEL001', `compose has no option ${quote(key)}.${didYouMean(key, known)}`, site.place);
  if (nets === undefined) checkRule(options.ranks, site);
  const parts = nets ?? partsOf(modules, site);
  const name = options.name ?? parts.map((part) => part.name).join('+');
  if (typeof name !== 'string' || name === '')
    fail('MODEL001', `name: expected a non-empty string, got ${shown(name)}`, site.place);
  if (nets !== undefined) return composeNets(nets, { ...options, name }, site);
  const programs = parts as readonly Part[];
  const problems: Problem[] = [];
  const { joins, exposed } = joinsOf(programs, options, (code, message) =>
    problems.push({ code, message, place: site.place }),
  );
  if (problems.length > 0) throw new InputError(problems);
  const verifyWith = options.verifyWith ?? verifyWithOf(programs);
  return coupled({ name, parts: programs, joins, exposed, rule: options.ranks, verifyWith, site });
}

/** The modules if they are nets; undefined if none is. */
function netsOf(modules: unknown, site: Site): NetPart[] | undefined {
  if (!Array.isArray(modules) || !isAs(modules, 'a list of objects')) return undefined;
  const given = (modules as readonly { model?: unknown; choose?: unknown; as?: unknown; name?: unknown }[]).map(
    (module) => {
      const isBare = isModel(module) || isNet(module) || isThreadModel(module);
      const [first] = Array.isArray(module.choose) ? module.choose : [];
      const model = isBare ? module : (module.model ?? first);
      const name = (isBare ? undefined : module.as) ?? (model as { name?: unknown } | undefined)?.name;
      return { module, isBare, model, name };
    },
  );
  const kindOf = (model: unknown): string | undefined =>
    isNet(model) ? 'a net' : isModel(model) ? 'a program' : isThreadModel(model) ? 'a thread model' : undefined;
  const kinds = given
    .map(({ model, name }) => ({ name, kind: kindOf(model) }))
    .filter(({ kind }) => kind !== undefined);
  const other = kinds.find(({ kind }) => kind !== kinds[0]!.kind);
  if (other !== undefined)
    fail(
      'MODEL001',
      `module ${shown(kinds[0]!.name)} is ${kinds[0]!.kind}, and module ${shown(other.name)} is ${other.kind}: expected modules of one kind`,
      site.place,
    );
  if (kinds[0]?.kind !== 'a net') return undefined;
  const parts = given.map(({ module, isBare, model, name }): NetPart => {
    if (!isNet(model)) fail('MODEL001', `a module: expected a net, got ${shown(model)}`, site.place);
    assertName(name, site);
    if (!isBare) {
      assertNetModule(name, module, site);
      const unknown = Object.keys(module).find((key) => key !== 'model' && key !== 'as');
      if (unknown !== undefined)
        fail(
          'MODEL001',
          `a module has no option ${quote(unknown)}.${didYouMean(unknown, ['model', 'as'])}`,
          site.place,
        );
    }
    return { name, net: model };
  });
  assertDifferentNames(
    parts.map((part) => part.name),
    site,
  );
  return parts;
}

function assertName(name: unknown, site: Site): asserts name is string {
  if (typeof name === 'string' && name !== '' && !name.includes('.')) return;
  fail(
    'MODEL001',
    `name of a module: expected a name without dots, got ${shown(name)}; give it as { model, as }`,
    site.place,
  );
}

function partsOf(modules: unknown, site: Site): Part[] {
  if (!Array.isArray(modules) || modules.length === 0 || !isAs(modules, 'a list of objects'))
    fail('MODEL001', `compose: expected a list of modules, got ${shown(modules)}`, site.place);
  const parts = (modules as readonly Module[]).map((module) => partOf(module, site));
  assertDifferentNames(
    parts.map((part) => part.name),
    site,
  );
  const rest = parts.filter((part) => part.ranks === 'rest').map((part) => quote(part.name));
  if (rest.length > 1)
    fail(
      'MODEL001',
      `modules ${rest.join(' and ')} have no number of ranks: expected ranks for all but one, as in { model, ranks: 1 }`,
      site.place,
    );
  return parts;
}

function partOf(module: Module, site: Site): Part {
  const { model, choose, ranks, as, ...others } = isModel(module)
    ? ({ model: module } as ModuleOptions)
    : (module as ModuleOptions);
  const [unknown] = Object.keys(others);
  const known = ['model', 'choose', 'ranks', 'as'];
  if (unknown !== undefined)
    fail('MODEL001', `a module has no option ${quote(unknown)}.${didYouMean(unknown, known)}`, site.place);
  if ((model === undefined) === (choose === undefined))
    fail('MODEL001', 'a module: expected a model, { model, … } or { choose: [model, …], as, … }', site.place);
  const choices: readonly unknown[] = choose ?? [model];
  if (!Array.isArray(choices) || choices.length === 0)
    fail('MODEL001', `choose: expected a list of models, got ${shown(choose)}`, site.place);
  const models = choices.map((one) =>
    isModel(one)
      ? one
      : fail('MODEL001', `a module: expected a model of spmd, mpmd or compose, got ${shown(one)}`, site.place),
  );
  if (choose !== undefined && as === undefined)
    fail('MODEL001', 'a module with choose: expected its name, { choose, as: … }', site.place);
  const name = as ?? models[0]!.name;
  assertName(name, site);
  if (ranks !== undefined && ranks !== 'rest' && !(Number.isSafeInteger(ranks) && ranks > 0))
    fail(
      'MODEL001',
      `ranks of module ${quote(name)}: expected an integer >= 1 or 'rest', got ${shown(ranks)}`,
      site.place,
    );
  return { name, choices: models, ranks: ranks ?? models[0]!.ranks ?? 'rest' };
}

/** The sum of the modules' ranks, if all are known, and their parameters. */
function verifyWithOf(parts: readonly Part[]): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  let ranks = 0;
  for (const { name, ranks: own, choices } of parts) {
    const { ranks: known, ...params } = choices[0]!.verifyWith;
    ranks += own === 'rest' ? ((known as number | undefined) ?? Number.NaN) : own;
    for (const [key, value] of Object.entries(params)) found[`${name}.${key}`] = value;
  }
  return Number.isNaN(ranks) ? found : { ...found, ranks };
}
