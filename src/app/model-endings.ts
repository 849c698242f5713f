import { extname } from 'node:path';

/** Endings of modules that are run as models. */
export const MODEL_ENDINGS: readonly string[] = ['.ts', '.mts', '.js', '.mjs', '.cjs'];

/** Whether a path is one of a module with a model. */
export function isModelFile(path: string): boolean {
  return MODEL_ENDINGS.includes(extname(path));
}
