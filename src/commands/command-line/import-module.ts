import type { AnyInput } from '../inputs/any-model.ts';
import type { Import } from '../inputs/load-model.ts';
import { isModelFile } from '../inputs/model-endings.ts';

/** Imports a user's module. */
export const importModule: Import = (url) => import(url);

/** The model or net that the module at `path` exports; other paths unchanged. */
export async function inputOf(path: string): Promise<string | AnyInput> {
  if (!isModelFile(path)) return path;
  const { loadInput } = await import('../inputs/load-model.ts');
  return loadInput(path, importModule);
}
