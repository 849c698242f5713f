import type { StateSpace } from '../../../src/analysis/space/state-space.ts';
import { markingText, stepText } from '../../reference/explorer.ts';

/** The markings of all states, from state 0, as strings. */
export function markings(space: StateSpace, count: number = space.states): string[] {
  return Array.from({ length: count }, (_, k) => markingText(space.net, space.marking(k)));
}

/** Steps of the states with these markings, as sorted strings `step → marking`. */
export function steps(space: StateSpace, states: number, texts: readonly string[]): Map<string, string[]> {
  return new Map(
    texts.slice(0, states).map((text, state) => [
      text,
      space
        .firings(state)
        .map((f) => `${stepText(space.net, f.kind, f.node, f.binding)} → ${texts[f.target]}`)
        .sort(),
    ]),
  );
}
