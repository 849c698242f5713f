import { existsSync } from 'node:fs';
import { createRequire, register } from 'node:module';
import { extname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { fail, InputError, quote } from '../base/problem.ts';
import { isModel, type ProgramModel } from '../models/program/model.ts';

/** Endings of modules that are run as models. */
export const MODEL_ENDINGS: readonly string[] = ['.ts', '.mts', '.js', '.mjs', '.cjs'];

/** Whether a path is one of a module with a model. */
export function isModelFile(path: string): boolean {
  return MODEL_ENDINGS.includes(extname(path));
}

let prepared = false;

/** Lets modules be TypeScript, and `foretoken` be found from files that lie in no package. */
async function prepare(): Promise<void> {
  if (prepared) return;
  prepared = true;
  const tsx = createRequire(import.meta.url).resolve('tsx/esm/api');
  const { register: registerTsx } = (await import(pathToFileURL(tsx).href)) as { register: () => unknown };
  registerTsx();
  register('./resolve-own-package.js', import.meta.url);
}

/**
 * The model that a module exports by default, or else the only model that it exports.
 *
 * @throws InputError APP020 … APP023: not found, failing, without a model or with several
 */
export async function loadModel(path: string): Promise<ProgramModel> {
  const file = resolve(path);
  if (!existsSync(file)) fail('APP001', 'cannot be read: ENOENT', { file: path });
  await prepare();
  let module: Readonly<Record<string, unknown>>;
  try {
    module = (await import(pathToFileURL(file).href)) as Readonly<Record<string, unknown>>;
  } catch (e) {
    if (e instanceof InputError) throw e;
    if (e instanceof Error && 'problems' in e) throw new InputError((e as InputError).problems);
    const message = e instanceof Error ? `${e.name}: ${e.message}` : String(e);
    return fail('APP021', `the module throws ${message.split('\n')[0]}`, { file: path });
  }
  const given = module['default'];
  if (isModel(given)) return given;
  // A module of CommonJS has its exports in `default`.
  const names = { ...(typeof given === 'object' && given !== null ? (given as object) : {}), ...module };
  const models = [...new Map(Object.entries(names).filter(([, value]) => isModel(value)).map(([k, v]) => [v, k]))];
  if (models.length === 1) return models[0]![0] as ProgramModel;
  if (models.length === 0)
    fail('APP022', 'exports no model: `export default spmd({ … })` makes one', { file: path });
  const all = models.map(([, name]) => quote(name)).join(', ');
  return fail('APP023', `exports ${models.length} models (${all}) and none by default: say which one with export default`, {
    file: path,
  });
}
