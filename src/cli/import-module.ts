import type { Import } from '../app/load-model.ts';

/** Imports a user's module. */
export const importModule: Import = (url) => import(url);
