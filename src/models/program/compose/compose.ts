import { isAs } from '../../../base/options.ts';
import { didYouMean, fail, InputError, type Problem, quote, shown } from '../../../base/problem.ts';
import type { Net } from '../../../net/net.ts';
import type { Parameters } from '../../parameters.ts';
import { Site } from '../../site.ts';
import type { ThreadModel } from '../../threads/program/threads.ts';
import { checkRule, type RankRule } from '../allowed-ranks.ts';
import type { ProgramModel } from '../model-object.ts';
import { assertVerifiable, verifiedParameters } from './choices.ts';
import { composeNets, type NetPart } from './compose-nets.ts';
import { composeThreads, type ThreadPart } from './compose-threads.ts';
import { coupled, type Part } from './coupled.ts';
import type { Fitting } from './fitting.ts';
import { joinsOf } from './joins.ts';
import { kindOf, type ModuleKind, netParts, programParts, threadParts } from './modules.ts';

/** A model of any parameters, variables and labels. */
// biome-ignore lint/suspicious/noExplicitAny: models of other types are not assignable to each other
type AnyModel = ProgramModel<any, any, any>;
// biome-ignore lint/suspicious/noExplicitAny: as above
type AnyThreadModel = ThreadModel<any, any>;

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

/**
 * A module of a composition of nets: a net, also with the name of its module, or several nets with the same labels. `whatif` compares these
 * with `--vary model.filter=blur,sharpen`; elsewhere the first one counts.
 */
export type NetModule =
  | Net
  | { readonly model: Net; readonly as?: string }
  | { readonly choose: readonly Net[]; readonly as: string };

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

/** A module of a composition of thread models: a model, or several with the same interface of which a parameter chooses one. */
export type ThreadModule =
  | AnyThreadModel
  | { readonly model: AnyThreadModel; readonly as?: string }
  | { readonly choose: readonly AnyThreadModel[]; readonly as: string };

/** The names of a model's labels; any name if its type does not contain them. */
type NamesOf<I> = unknown extends I ? string : keyof I & string;
/** The names of a module's labels. */
export type LabelsOf<M> = M extends { readonly interface: unknown; readonly labels?: infer I }
  ? NamesOf<I>
  : M extends { readonly choose: readonly (infer C)[] }
    ? LabelsOf<C>
    : M extends { readonly model: infer X }
      ? LabelsOf<X>
      : string;
/** The ends of a module's labels, `module.label`; any module if its type does not contain the name. */
export type EndsOf<M> =
  string extends LabelsOf<M>
    ? string
    : M extends { readonly as: infer A extends string }
      ? `${A}.${LabelsOf<M>}`
      : `${string}.${LabelsOf<M>}`;

/** Labels and lists of ends of some modules. */
type Lists<M extends readonly unknown[]> = readonly (LabelsOf<M[number]> | readonly EndsOf<M[number]>[])[];

/** Options of {@link compose} for thread models. */
export interface ComposeThreadsOptions<L extends string = string, E extends string = string> {
  /** Name of the composition. Default: the names of the modules, joined by `+`. */
  readonly name?: string;
  /**
   * Objects that modules share: a name that several interfaces have, or the ends as `module.object`. Any number of modules,
   * with objects of the same kind, number and initial value.
   */
  readonly synchronise?: readonly (L | readonly E[])[];
  /** Objects that the composition offers to an outer one, by their new names: `{ free: 'reader.free' }`. */
  readonly expose?: Readonly<Record<string, E>>;
  /** Default workers and parameters of a verification. Default: the sum of the modules' workers, and their parameters. */
  readonly verifyWith?: Readonly<Record<string, number | string | boolean>>;
}

/** Options of {@link compose}. */
export interface ComposeOptions<L extends string = string, E extends string = string> {
  /** Name of the composition. Default: the names of the modules, joined by `+`. */
  readonly name?: string;
  /**
   * Labels that are connected: a name that several modules use, or the ends as `module.label`. Labels of messages have two
   * ends, those of phases and resources any number.
   */
  readonly synchronise?: readonly (L | readonly E[])[];
  /** Labels that the composition offers to an outer one, by their new names: `{ frames: 'reader.frames' }`. */
  readonly expose?: Readonly<Record<string, E>>;
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
 *   MODEL038 for a label that nobody meets, MODEL039 for an unknown label or place, MODEL040 for one that is met twice, MODEL041 for nets
 *   that cannot replace each other; the codes of `merge` for colour sets, tables, places and process declarations that do not agree
 */
export function compose(modules: readonly NetModule[], options?: ComposeNetsOptions): Net;
/**
 * Thread models as modules: each is a task of one main strand, so they run side by side. Modules share the objects of their
 * interfaces that are connected; other objects, tasks and regions become `module.name`, and parameters `module.parameter`.
 * The result is the program that spawns each module's `build` as a task. Use at least as many workers as modules that wait
 * for each other.
 *
 * @throws InputError MODEL001 for invalid options and modules of several kinds, MODEL037 for objects that do not fit,
 *   MODEL038 for one that nobody meets, MODEL039 for an unknown one, MODEL040 for one that is met twice, MODEL041 for models
 *   that cannot replace each other; MODEL037 for numbers and initial values when the program is made, as these may depend on
 *   parameters
 */
export function compose<const M extends readonly ThreadModule[], const S extends Lists<M>>(
  modules: M,
  options?: ComposeThreadsOptions<LabelsOf<M[number]>, EndsOf<M[number]>> & {
    readonly synchronise?: S & Fitting<M[number], S>;
  },
): ThreadModel<Parameters>;
/**
 * Modules that run side by side on consecutive ranks, connected by the labels of their interfaces. The net of the result is
 * the synchronised merge of the modules' nets (S16). Parameters are named `module.parameter`.
 *
 * @throws InputError MODEL001 for invalid options, MODEL037 for labels that do not fit, MODEL038 for a label that nobody
 *   meets, MODEL039 for an unknown module or label, MODEL040 for a label that is met twice, MODEL041 for modules that cannot
 *   replace each other
 */
export function compose<const M extends readonly Module[], const S extends Lists<M>>(
  modules: M,
  options?: ComposeOptions<LabelsOf<M[number]>, EndsOf<M[number]>> & {
    readonly synchronise?: S & Fitting<M[number], S>;
  },
): ProgramModel<Parameters>;
export function compose(
  modules: readonly (Module | NetModule | ThreadModule)[],
  options: ComposeOptions & ComposeNetsOptions = {},
): ProgramModel<Parameters> | Net | ThreadModel<Parameters> {
  const site = new Site(compose);
  if (!isAs(options, 'an object')) fail('MODEL001', `compose: expected options, got ${shown(options)}`, site.place);
  const kind = kindOf('compose', modules, site);
  const known = ['name', 'synchronise', 'expose', ...OWN_OPTIONS[kind]];
  for (const key of Object.keys(options))
    if (key === 'machine')
      fail('MODEL001', `compose has no option "machine": expected modules only. ${MACHINE_OF[kind]}`, site.place);
    else if (!known.includes(key))
      fail('MODEL001', `compose has no option ${quote(key)}.${didYouMean(key, known)}`, site.place);
  if (kind === 'program') checkRule(options.ranks, site);
  const parts = PARTS[kind](modules, site);
  const name = options.name ?? parts.map((part) => part.name).join('+');
  if (typeof name !== 'string' || name === '')
    fail('MODEL001', `name: expected a non-empty string, got ${shown(name)}`, site.place);
  if (kind === 'net') return composeNets(parts as NetPart[], { ...options, name }, site);
  if (kind === 'thread model') return composeThreads(parts as ThreadPart[], { ...options, name }, site);
  const programs = parts as readonly Part[];
  const problems: Problem[] = [];
  const { joins, exposed } = joinsOf(programs, options, (code, message) =>
    problems.push({ code, message, place: site.place }),
  );
  if (problems.length > 0) throw new InputError(problems);
  const verifyWith = options.verifyWith ?? verifyWithOf(programs);
  const model: ProgramModel<Parameters> = coupled({
    name,
    parts: programs,
    joins,
    exposed,
    rule: options.ranks,
    verifyWith,
    site,
  });
  assertVerifiable(model, options.verifyWith, 'ranks', site);
  return model;
}

/** Options besides names and labels. */
const OWN_OPTIONS: Readonly<Record<ModuleKind, readonly string[]>> = {
  net: ['share'],
  'thread model': ['verifyWith'],
  program: ['ranks', 'verifyWith'],
};

/** How a composition gets its machine. */
const MACHINE_OF: Readonly<Record<ModuleKind, string>> = {
  net: 'Add `machineModule(machine, { ranks })` as a module',
  'thread model': 'Give the machine to `predict`',
  program: 'Give the machine to `predict` or `map`',
};

const PARTS: Readonly<Record<ModuleKind, (modules: unknown, site: Site) => readonly { readonly name: string }[]>> = {
  net: netParts,
  'thread model': threadParts,
  program: programParts,
};

/** The sum of the modules' ranks, if all are known, and their parameters. */
function verifyWithOf(parts: readonly Part[]): Record<string, unknown> {
  let ranks = 0;
  for (const { ranks: own, choices } of parts) {
    const known = choices[0]!.verifyWith['ranks'] as number | undefined;
    ranks += own === 'rest' ? (known ?? Number.NaN) : own;
  }
  return { ...verifiedParameters(parts), ...(Number.isNaN(ranks) ? {} : { ranks }) };
}
