import { valueText } from '../properties/colours.ts';
import type { GameRule } from './rules.ts';

/** Tokens of one place: those that arcs see, and those in service. */
export interface PlaceMarking {
  readonly place: string;
  readonly count: number;
  readonly tokens: readonly {
    readonly values: readonly number[];
    readonly text: string;
    readonly inService: boolean;
  }[];
}

/**
 * A binding as in `send(x=1, y=2)`; `send` without variables.
 *
 * @param value the value of a variable by its name and slot; variables without a value are left out
 */
export function labelOf(
  { folded, transition }: GameRule,
  value: (name: string, slot: number) => number | undefined,
): string {
  const words = [...folded.slotOf].flatMap(([name, slot]) => {
    const known = value(name, slot);
    return known === undefined ? [] : [`${name}=${valueText(folded.slots[slot], known)}`];
  });
  return words.length === 0 ? transition.name : `${transition.name}(${words.join(', ')})`;
}
