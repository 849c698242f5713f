import type { Import } from '../app/load-model.ts';

/** Imports a module of the user. */
export const importModule: Import = (url) => import(url);
