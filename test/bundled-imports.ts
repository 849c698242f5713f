import { resolve as resolveFrom } from '../src/commands/inputs/resolve-own-package.ts';

/*
 * Loader hooks of the threads that import models in tests: those of the product, and imports of its entries lead to the bundles
 * that the thread runs. Loading them once more, in hundreds of files, takes seconds in every thread.
 */
export { initialize, load } from '../src/commands/inputs/resolve-own-package.ts';

const ENTRY = /\/(?:src|dist\/cli)\/(index|models)\.[tj]s(?:\?.*)?$/;

export const resolve: typeof resolveFrom = async (specifier, context, next) => {
  const found = await resolveFrom(specifier, context, next);
  const [, entry] = ENTRY.exec(found.url) ?? [];
  return entry === undefined ? found : { url: new URL(`./${entry}.js`, import.meta.url).href, format: 'module' };
};
