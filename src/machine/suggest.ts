import { didYouMean } from '../base/problem.ts';

/** Maximum number of known names for which the nearest one is searched; more would take seconds. */
const MANY = 5000;
const LISTED = 8;

/** `didYouMean`, or, for more than {@link MANY} known names, the first few names and the number of the others in O(1). */
export function suggest(name: string, known: Iterable<string>, size: number): string {
  if (size <= MANY) return didYouMean(name, known);
  const first: string[] = [];
  for (const one of known) {
    if (first.length === LISTED) break;
    first.push(one);
  }
  return ` Known: ${first.join(', ')}, and ${size - LISTED} more.`;
}
