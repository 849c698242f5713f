import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { didYouMean, fail, InputError, type Place, quote } from '../../base/problem.ts';
import { isUserPlace, placesOf, problemsOf, thrown, watchThrows } from '../../base/thrown.ts';
import type { ProgramModel } from '../../models/program/model.ts';
import { isThreadModel } from '../../models/threads/program/threads.ts';
import { guardingImport } from '../../net/functions/ambient.ts';
import { type AnyInput, type AnyModel, isAnyModel, isNet, refuseThreads } from './any-model.ts';
import { duringImport } from './build-phase.ts';
import { assertRegular } from './inputs.ts';
import { type Import, noteLoadedModules, prepare } from './loaded-modules.ts';
import { isModelFile } from './model-endings.ts';
import { guardedImport } from './model-guard.ts';

export type { Import } from './loaded-modules.ts';

/** Maximum size of a model's module, in bytes. */
const MAX_MODULE = 64 * 2 ** 20;

/**
 * The default export of a module if it is a model or a net; else its only exported model, or without models its only
 * exported net.
 *
 * @throws InputError APP001 not found, APP021 the module throws, APP022 neither model nor net, APP023 several without a
 * default
 */
export async function loadInput(path: string, load?: Import): Promise<AnyInput> {
  const module = await imported(path, load);
  const { default: given } = module;
  if (isAnyModel(given) || isNet(given)) return given;
  const models = exportsIn(module, isAnyModel);
  const [what, found] = models.size > 0 ? (['models', models] as const) : (['nets', exportsIn(module, isNet)] as const);
  if (found.size === 1) return [...found.keys()][0]!;
  if (found.size === 0) fail('APP022', noInput(module), { file: path });
  const all = [...found.values()].map((name) => quote(name)).join(', ');
  return fail('APP023', `exports ${found.size} ${what} (${all}) but no default: choose one with export default`, {
    file: path,
  });
}

function noInput(module: Readonly<Record<string, unknown>>): string {
  // The builder may be of another copy of the package.
  const builders = exportsIn(module, (value): value is object => nameOfClass(value) === 'NetBuilder');
  const [name] = builders.values();
  if (name !== undefined)
    return `exports the builder of a net as ${quote(name)}: export the net, which build() returns`;
  return 'exports no model: `export default spmd({ … })` makes one, and `export default net` exports a net';
}

const nameOfClass = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? value.constructor?.name : undefined;

/**
 * As {@link loadInput}, for commands that take no net.
 *
 * @throws InputError also APP022 for a net
 */
export async function loadAnyModel(path: string, load?: Import): Promise<AnyModel> {
  const input = await loadInput(path, load);
  return isNet(input) ? fail('APP022', 'exports a net: expected a model', { file: path }) : input;
}

/**
 * As {@link loadAnyModel}, for commands that take no thread model.
 *
 * @param command name of the command, for the message
 * @throws InputError also THR011 for a thread model
 */
export async function loadModel(path: string, load?: Import, command = 'this command'): Promise<ProgramModel> {
  const model = await loadAnyModel(path, load);
  return isThreadModel(model) ? refuseThreads(command, model, path) : model;
}

export async function loadModels(path: string, load?: Import): Promise<AnyModel[]> {
  return [...exportsIn(await imported(path, load), isAnyModel).keys()];
}

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
    names = readdirSync(dirname(file)).filter(isModelFile).sort();
  } catch {
    return `: there is no folder ${quote(dirname(file))}`;
  }
  return names.length === 0 ? '' : `.${didYouMean(basename(file), names)}`;
}

/** Exported values of a kind with their names. */
function exportsIn<T>(
  module: Readonly<Record<string, unknown>>,
  is: (value: unknown) => value is T,
): ReadonlyMap<T, string> {
  const { default: given } = module;
  // CommonJS modules have their exports in `default`.
  const inside = typeof given === 'object' && given !== null && !isAnyModel(given) && !isNet(given);
  const found = new Map<T, string>();
  for (const [name, value] of Object.entries({ ...(inside ? given : {}), ...module }))
    if (is(value)) found.set(value, name);
  return found;
}
