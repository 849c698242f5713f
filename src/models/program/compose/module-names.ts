import { fail, quote } from '../../../base/problem.ts';
import type { Site } from '../../site.ts';

/**
 * Checks that modules have different names, by which results, parameters and labels know them.
 *
 * @throws InputError MODEL001
 */
export function assertDifferentNames(names: readonly string[], { place }: Site): void {
  const twice = names.find((name, k) => names.indexOf(name) < k);
  if (twice === undefined) return;
  const other = quote(`${twice}2`);
  fail('MODEL001', `two modules are called ${quote(twice)}: give one another name, { model, as: ${other} }`, place);
}
