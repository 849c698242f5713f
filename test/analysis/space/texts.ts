import type { StateSpace } from '../../../src/analysis/space/state-space.ts';
import { markingText, stepText } from '../../reference/explorer.ts';

/** The markings of the states from 0 on, as text. */
export function markings(space: StateSpace, count: number = space.states): string[] {
  return Array.from({ length: count }, (_, k) => markingText(space.net, space.marking(k)));
}

/** The steps of states whose markings are these, as text: `step → marking`, sorted. */
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
