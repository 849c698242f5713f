import { isAs } from '../../../base/options.ts';
import { didYouMean, fail, quote, shown } from '../../../base/problem.ts';
import { isNet } from '../../../net/validation/validate-shape.ts';
import type { Site } from '../../site.ts';
import { isThreadModel } from '../../threads/program/threads.ts';
import { isModel, type ProgramModel } from '../model-object.ts';
import type { Alternatives } from './choices.ts';
import type { NetPart } from './compose-nets.ts';
import type { ThreadPart } from './compose-threads.ts';
import type { Part } from './coupled.ts';

/** A kind of modules: those of one composition are of one kind. */
export type ModuleKind = 'net' | 'program' | 'thread model';

/** A module as the user gives it, not yet checked. */
interface Given {
  readonly model?: unknown;
  readonly choose?: unknown;
  readonly ranks?: unknown;
  readonly as?: unknown;
}

/** Nouns for the results of calls, for messages. */
const NOUNS = { compose: 'composition', sequence: 'sequence' } as const;

const isBare = (module: unknown): boolean => isModel(module) || isNet(module) || isThreadModel(module);

/** The module with its options. */
const givenOf = (module: unknown): Given => (isBare(module) ? { model: module } : (module as Given));

function kindOfModel(model: unknown): ModuleKind | undefined {
  if (isNet(model)) return 'net';
  if (isModel(model)) return 'program';
  return isThreadModel(model) ? 'thread model' : undefined;
}

/**
 * The kind of all modules; programs if no module is a model.
 *
 * @throws InputError MODEL001 for modules of several kinds
 */
export function kindOf(call: keyof typeof NOUNS, modules: unknown, site: Site): ModuleKind {
  if (!Array.isArray(modules))
    fail('MODEL001', `${call}: expected a list of modules, got ${shown(modules)}`, site.place);
  if (modules.length === 0)
    fail('MODEL001', `${call}: expected at least one module, got an empty list, as in ${call}([a, b])`, site.place);
  for (const module of modules as unknown[])
    if (!isAs(module, 'an object'))
      fail('MODEL001', `a module of a ${NOUNS[call]}: expected a model, got ${shown(module)}`, site.place);
  const found = (modules as readonly unknown[]).flatMap((module) => {
    const { model, choose, as } = givenOf(module);
    return [model, ...(Array.isArray(choose) ? (choose as unknown[]) : [])].flatMap((one) => {
      const kind = kindOfModel(one);
      const own = (one as { name?: unknown } | undefined)?.name;
      const inChoice = model === undefined && as !== undefined && ` of module ${shown(as)}`;
      return kind === undefined
        ? []
        : [{ kind, text: inChoice ? `${shown(own)}${inChoice}` : `module ${shown(as ?? own)}` }];
    });
  });
  const other = found.find(({ kind }) => kind !== found[0]!.kind);
  if (other !== undefined)
    fail(
      'MODEL001',
      `${found[0]!.text} is a ${found[0]!.kind}, and ${other.text} is a ${other.kind}: expected modules of one kind${mapped(found[0]!.kind, other.kind)}`,
      site.place,
    );
  return found[0]?.kind ?? 'program';
}

/** The way to join a program with a net, which is most often a machine, or with threads. */
function mapped(...kinds: readonly ModuleKind[]): string {
  if (!kinds.includes('program')) return '';
  return kinds.includes('net')
    ? '. `map(program, { machine })` merges a program with a machine; `map(…).program` is the net of a program'
    : '. `m.threads({ workers }, (t) => …)` in a program runs threads in its ranks';
}

/** @throws InputError MODEL001 for invalid modules and equal names */
export function netParts(modules: unknown, site: Site): NetPart[] {
  return named(
    (modules as readonly unknown[]).map((module): NetPart => {
      const given = givenOf(module);
      assertNoRanks(given, 'a net', site);
      return choicesOf(given, ['model', 'choose', 'as'], isNet, 'a net', 'net', site);
    }),
    site,
  );
}

/** @throws InputError MODEL001 for invalid modules and equal names */
export function threadParts(modules: unknown, site: Site): ThreadPart[] {
  return named(
    (modules as readonly unknown[]).map((module): ThreadPart => {
      const given = givenOf(module);
      assertNoRanks(given, 'a thread model', site);
      return choicesOf(
        given,
        ['model', 'choose', 'as'],
        isThreadModel,
        'a model of threads, compose or sequence',
        'thread model',
        site,
      );
    }),
    site,
  );
}

/** @throws InputError MODEL001 for an option that only programs side by side have */
function assertNoRanks({ ranks, as, model }: Given, what: string, site: Site): void {
  if (ranks === undefined) return;
  const name = as ?? (model as { readonly name?: unknown } | undefined)?.name;
  fail('MODEL001', `module ${shown(name)} is ${what}: it has no ranks, expected { model, as }`, site.place);
}

/**
 * The programs of a sequence: all run on the same ranks.
 *
 * @throws InputError MODEL001 for invalid modules and equal names
 */
export function sequenceParts(modules: unknown, site: Site): Alternatives<ProgramModel>[] {
  return named(
    (modules as readonly unknown[]).map((module) => {
      const given = givenOf(module);
      assertNoRanks(given, 'in a sequence', site);
      return choicesOf(given, ['model', 'choose', 'as'], isModel, 'a model of spmd or sequence', 'program', site);
    }),
    site,
  );
}

/** @throws InputError MODEL001 for invalid modules, equal names, and two modules that take all remaining ranks */
export function programParts(modules: unknown, site: Site): Part[] {
  const known = ['model', 'choose', 'ranks', 'as'];
  const parts = (modules as readonly unknown[]).map((module): Part => {
    const given = givenOf(module);
    const { name, choices } = choicesOf(given, known, isModel, 'a model of spmd, mpmd or compose', 'program', site);
    const { ranks } = given;
    if (ranks !== undefined && ranks !== 'rest' && !(Number.isSafeInteger(ranks) && (ranks as number) > 0))
      fail(
        'MODEL001',
        `ranks of module ${quote(name)}: expected an integer >= 1 or 'rest', got ${shown(ranks)}`,
        site.place,
      );
    return { name, choices, ranks: (ranks as Part['ranks'] | undefined) ?? choices[0]!.ranks ?? 'rest' };
  });
  named(parts, site);
  const rest = parts.filter((part) => part.ranks === 'rest').map((part) => quote(part.name));
  if (rest.length > 1)
    fail(
      'MODEL001',
      `modules ${rest.join(' and ')} have no number of ranks: expected ranks for all but one, as in { model, ranks: 1 }`,
      site.place,
    );
  return parts;
}

/** A module's name, and the models that it may be. */
function choicesOf<M extends { readonly name: string }>(
  given: Given,
  known: readonly string[],
  is: (model: unknown) => model is M,
  expected: string,
  kind: ModuleKind,
  site: Site,
): { readonly name: string; readonly choices: readonly M[] } {
  const { model, choose, as } = given;
  const machine = [given, model].find(isMachine);
  if (machine !== undefined) {
    const { name } = machine;
    fail('MODEL001', `module ${shown(as ?? name)} is a machine: ${ONE_MACHINE[kind]}`, site.place);
  }
  checkKeys(given, known, kind, site);
  if ((model === undefined) === (choose === undefined))
    fail('MODEL001', 'a module: expected a model, { model, … } or { choose: [model, …], as, … }', site.place);
  const choices: unknown = choose ?? [model];
  if (!Array.isArray(choices) || choices.length === 0)
    fail(
      'MODEL001',
      `choose: expected a list of models, got ${Array.isArray(choose) ? 'an empty list' : shown(choose)}`,
      site.place,
    );
  const models = (choices as unknown[]).map((one) =>
    is(one) ? one : fail('MODEL001', `a module: expected ${expected}, got ${shown(one)}`, site.place),
  );
  if (choose !== undefined && as === undefined)
    fail('MODEL001', 'a module with choose: expected its name, { choose, as: … }', site.place);
  return { name: checkedName(as ?? models[0]!.name, site), choices: models };
}

function checkKeys(given: Given, known: readonly string[], kind: ModuleKind, site: Site): void {
  const unknown = Object.keys(given).find((key) => !known.includes(key));
  if (unknown === undefined) return;
  const name = given.as ?? (given.model as { readonly name?: unknown } | undefined)?.name;
  const text = typeof name === 'string' ? `module ${quote(name)}` : 'a module';
  if (MACHINE_KEYS.has(unknown))
    fail('MODEL001', `${text} has its own machine, by the option ${quote(unknown)}: ${ONE_MACHINE[kind]}`, site.place);
  fail('MODEL001', `${text} has no option ${quote(unknown)}.${didYouMean(unknown, known)}`, site.place);
}

/** Members by which a module would have its own machine, or be one. */
const MACHINE_KEYS: ReadonlySet<string> = new Set(['machine', 'nodes', 'coresPerNode', 'placement', 'hostfile']);

/** The machine of all modules, by their kind. */
const ONE_MACHINE: Readonly<Record<ModuleKind, string>> = {
  net: 'expected modules without, as all modules run on one machine. Add `machineModule(machine, { ranks })` as a module',
  'thread model': 'expected modules without, as all modules run on one machine. Give it to `predict`',
  program:
    'expected modules without, as all modules run on one machine. Give it to `predict` or `map`, and place modules on its hosts by a hostfile',
};

/** A machine or a platform, which is given as a module. */
const isMachine = (value: unknown): value is { readonly name?: unknown } =>
  typeof value === 'object' &&
  value !== null &&
  'name' in value &&
  ['nodes', 'groups', 'route'].some((k) => k in value);

function checkedName(name: unknown, site: Site): string {
  if (typeof name === 'string' && name !== '' && !name.includes('.')) return name;
  return fail(
    'MODEL001',
    `name of a module: expected a name without dots, got ${shown(name)}; give it as { model, as }`,
    site.place,
  );
}

function named<T extends { readonly name: string }>(parts: T[], site: Site): T[] {
  assertDifferentNames(
    parts.map((part) => part.name),
    site,
  );
  return parts;
}

/**
 * Checks that modules have different names, by which results, parameters and labels know them.
 *
 * @throws InputError MODEL001
 */
function assertDifferentNames(names: readonly string[], { place }: Site): void {
  const twice = names.find((name, k) => names.indexOf(name) < k);
  if (twice === undefined) return;
  const other = quote(`${twice}2`);
  fail('MODEL001', `two modules are called ${quote(twice)}: give one another name, { model, as: ${other} }`, place);
}
