import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { didYouMean, fail, InputError, type Place, quote } from '../../base/problem.ts';
import { isUserPlace, placesOf, problemsOf, thrown, watchThrows } from '../../base/thrown.ts';
import type { ProgramModel } from '../../models/program/model.ts';
import { type AnyModel, isAnyModel, messagePassing } from './any-model.ts';
import { duringImport } from './build-phase.ts';
import { assertRegular } from './inputs.ts';
import { type Import, noteLoadedModules, prepare } from './loaded-modules.ts';
import { isModelFile } from './model-endings.ts';
import { guardedImport } from './model-guard.ts';

export type { Import } from './loaded-modules.ts';

/** Maximum size of a model's module, in bytes. */
const MAX_MODULE = 64 * 2 ** 20;

/**
 * The default export of a module if it is a model, else its only exported model.
 *
 * @throws InputError APP001 not found, APP021 the module throws, APP022 no model, APP023 several models without a default
 */
export async function loadAnyModel(path: string, load?: Import): Promise<AnyModel> {
  const module = await imported(path, load);
  if (isAnyModel(module['default'])) return module['default'];
  const models = modelsIn(module);
  if (models.size === 1) return [...models.keys()][0]!;
  if (models.size === 0)
    fail(
      'APP022',
      isNetLike(module['default'])
        ? 'exports a net, not a model: write it with netToJson(net) to a .json file'
        : 'exports no model: `export default spmd({ … })` makes one',
      { file: path },
    );
  const all = [...models.values()].map((name) => quote(name)).join(', ');
  return fail('APP023', `exports ${models.size} models (${all}) but no default: choose one with export default`, {
    file: path,
  });
}

/**
 * As {@link loadAnyModel}, for commands that take no thread model.
 *
 * @param command name of the command, for the message
 * @throws InputError also THR011 for a thread model
 */
export async function loadModel(path: string, load?: Import, command = 'this command'): Promise<ProgramModel> {
  return messagePassing(await loadAnyModel(path, load), command, path);
}

/** All models that a module exports. */
export async function loadModels(path: string, load?: Import): Promise<AnyModel[]> {
  return [...modelsIn(await imported(path, load)).keys()];
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
    const module = await duringImport(() => guardedImport(path, () => load(url)));
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

function isNetLike(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'places' in value && 'transitions' in value;
}

/** Models with their export names. */
function modelsIn(module: Readonly<Record<string, unknown>>): Map<AnyModel, string> {
  const given = module['default'];
  // CommonJS modules have their exports in `default`.
  const names = {
    ...(typeof given === 'object' && given !== null && !isAnyModel(given) ? (given as object) : {}),
    ...module,
  };
  const models = new Map<AnyModel, string>();
  for (const [name, value] of Object.entries(names)) if (isAnyModel(value)) models.set(value, name);
  return models;
}
