import { didYouMean } from '../base/problem.ts';

/** Above this many known names nearness is not computed: it would take seconds. */
const MANY = 5000;
const LISTED = 8;

/** `didYouMean`, or, where there are too many known names for that, the first few and their number. O(1) then. */
export function suggest(name: string, known: Iterable<string>, size: number): string {
  if (size <= MANY) return didYouMean(name, known);
  const first: string[] = [];
  for (const one of known) {
    if (first.length === LISTED) break;
    first.push(one);
  }
  return ` Known: ${first.join(', ')}, and ${size - LISTED} more.`;
}
