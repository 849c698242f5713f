import { createRequire } from 'node:module';
import type { Import } from '../app/load-model.ts';

/** Imports a module of the user. */
export const importModule: Import = createRequire(import.meta.url)('./import.cjs') as Import;
