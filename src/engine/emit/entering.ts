import { onlyHeads, type PlaceLayout } from './layout.ts';

/** The fields that are told of a token when it is entered, so that they need not be read from its record again. */
export const keysOf = (layout: PlaceLayout): readonly number[] => (onlyHeads(layout) ? layout.group : []);

/** Code that links the record in a slot, of an age; `field`: code of the fields of its group. */
export const linkCall = (layout: PlaceLayout, slot: string, age: string, field: (k: number) => string): string =>
  `link${layout.number}(${[slot, age, ...keysOf(layout).map(field)].join(', ')});`;

/** Code that enters the token in a slot. */
export const enterCall = (layout: PlaceLayout, slot: string, field: (k: number) => string): string =>
  `enter${layout.number}(${[slot, ...keysOf(layout).map(field)].join(', ')});`;
