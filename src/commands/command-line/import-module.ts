import type { Import } from '../inputs/load-model.ts';

/** Imports a user's module. */
export const importModule: Import = (url) => import(url);
