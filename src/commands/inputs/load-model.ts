import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { didYouMean, fail, InputError, type Place, quote } from '../../base/problem.ts';
import { isUserPlace, placesOf, problemsOf, thrown, watchThrows } from '../../base/thrown.ts';
import { guardingImport } from '../../net/functions/ambient.ts';
import { duringImport } from './build-phase.ts';
import { exported, givenInput, type InputOf, inputOf, type ModelInput, modelIn, type ValueKind } from './input.ts';
import { assertRegular } from './inputs.ts';
import { type Import, noteLoadedModules, prepare } from './loaded-modules.ts';
import { guardedImport } from './model-guard.ts';
import type { InputKind, JobName, KindsOf } from './option-rows.ts';
import { pathFacts } from './path-kinds.ts';

export type { Import } from './loaded-modules.ts';

/** Maximum size of a model's module, in bytes. */
const MAX_MODULE = 64 * 2 ** 20;

/** Modules prefer models: a net counts if there is no model. */
const PREFERRED = { model: 'models', 'thread model': 'models', net: 'nets' } as const satisfies Record<
  ValueKind,
  string
>;

/**
 * Imports the module of a path; other values, and paths of other files, become inputs without an import.
 *
 * @throws InputError as {@link loadInput} and {@link givenInput}; for inputs of kinds that the function does not take
 */
export async function openInput<J extends JobName>(
  job: J,
  given: unknown,
  load?: Import,
  excluded?: readonly InputKind[],
): Promise<InputOf<KindsOf<J>>> {
  return typeof given === 'string' && pathFacts(given).isCode
    ? exported(job, given, await loadInput(given, load))
    : givenInput(job, given, excluded);
}

/**
 * The default export of a module if it is a model or a net; else its only exported model, or without models its only
 * exported net.
 *
 * @throws InputError APP001 not found, APP021 the module throws, APP022 neither model nor net, APP023 several without a
 * default
 */
async function loadInput(path: string, load?: Import): Promise<InputOf<ValueKind>> {
  const module = await imported(path, load);
  const { default: given } = module;
  // CommonJS modules have their exports in `default`.
  const own = inputOf(given, path) ?? inputOf(Object(given)['default'], path);
  if (own !== undefined) return own;
  const inputs = exportsIn(module, (value) => inputOf(value, path));
  for (const what of ['models', 'nets'] as const) {
    const found = inputs.filter(([{ kind }]) => PREFERRED[kind] === what);
    if (found.length === 1) return found[0]![0];
    if (found.length === 0) continue;
    const all = found.map(([, name]) => quote(name)).join(', ');
    fail('APP023', `exports ${found.length} ${what} (${all}) but no default: choose one with export default`, {
      file: path,
    });
  }
  return fail('APP022', noInput(module), { file: path });
}

/**
 * As {@link loadInput}, for callers that take no net.
 *
 * @throws InputError also APP022 for a net
 */
export async function loadModel(path: string, load?: Import): Promise<ModelInput> {
  const input = await loadInput(path, load);
  return modelIn(input) ?? fail('APP022', 'exports a net: expected a model', { file: path });
}

/** All models that a module exports, also those in its default export. */
export async function loadModels(path: string, load?: Import): Promise<ModelInput[]> {
  const inputs = exportsIn(await imported(path, load), (value) => inputOf(value, path));
  return inputs.flatMap(([input]) => modelIn(input) ?? []);
}

function noInput(module: Readonly<Record<string, unknown>>): string {
  // The builder may be of another copy of the package.
  const [builder] = exportsIn(module, (value) => (nameOfClass(value) === 'NetBuilder' ? true : undefined));
  if (builder !== undefined)
    return `exports the builder of a net as ${quote(builder[1])}: export the net, which build() returns`;
  return 'exports no model: `export default spmd({ … })` makes one, and `export default net` exports a net';
}

const nameOfClass = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? value.constructor?.name : undefined;

/**
 * The exports of a module.
 *
 * @throws InputError APP001 not found, APP021 the module throws
 */
async function imported(path: string, load: Import = (url) => import(url)): Promise<Readonly<Record<string, unknown>>> {
  const file = resolve(path);
  if (!existsSync(file)) fail('APP001', `cannot be read: ENOENT${modelsBeside(file)}`, { file: path });
  assertRegular(path, MAX_MODULE);
  await prepare(load);
  const url = pathToFileURL(file).href;
  try {
    const module = await duringImport(() => guardedImport(path, () => guardingImport(() => load(url))));
    noteLoadedModules();
    return module;
  } catch (e) {
    // The error may come from another copy of the package.
    const problems = problemsOf(e);
    if (problems !== undefined) throw new InputError(problems);
    const { text, stack, isError } = thrown(e);
    const place = isError ? placesOf(stack).find(isUserPlace) : await throwPlace(url, load);
    return fail('APP021', `the module throws ${text}`, place ?? { file: path });
  }
}

/** Imports a failed module again to locate the throw of a value without a stack. */
async function throwPlace(url: string, load: Import): Promise<Place | undefined> {
  const place = watchThrows();
  if (place === undefined) return undefined;
  try {
    await load(`${url}?again`);
  } catch {
    // Expected: only the place counts.
  }
  return place();
}

/** Suggestions from the folder of a missing file: the nearest name, and the modules. */
function modelsBeside(file: string): string {
  let names: string[];
  try {
    names = readdirSync(dirname(file))
      .filter((name) => pathFacts(name).isCode)
      .sort();
  } catch {
    return `: there is no folder ${quote(dirname(file))}`;
  }
  return names.length === 0 ? '' : `.${didYouMean(basename(file), names)}`;
}

/** The defined results of `of` for the exported values, each with the last name of the value. */
function exportsIn<T>(
  module: Readonly<Record<string, unknown>>,
  of: (value: unknown) => T | undefined,
): (readonly [T, name: string])[] {
  const { default: given } = module;
  // CommonJS modules have their exports in `default`.
  const inside = typeof given === 'object' && given !== null && inputOf(given) === undefined;
  const names = new Map(Object.entries({ ...(inside ? given : {}), ...module }).map(([name, value]) => [value, name]));
  return [...names].flatMap(([value, name]) => {
    const found = of(value);
    return found === undefined ? [] : [[found, name] as const];
  });
}
