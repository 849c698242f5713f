import { extname } from 'node:path';

export const MODEL_ENDINGS: readonly string[] = ['.ts', '.mts', '.js', '.mjs', '.cjs'];

/** True if a path has the ending of a model module. */
export function isModelFile(path: string): boolean {
  return MODEL_ENDINGS.includes(extname(path));
}
