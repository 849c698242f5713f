import { onlyHeads, type PlaceLayout } from './layout.ts';

/** Fields of a token that are passed as arguments when it enters its place, so that they are not read from its record again. */
export const keysOf = (layout: PlaceLayout): readonly number[] => (onlyHeads(layout) ? layout.group : []);

/** Code that links the record in `slot` into the chains of its place, with the given age; `field` is code for a field of its group. */
export const linkCall = (layout: PlaceLayout, slot: string, age: string, field: (k: number) => string): string =>
  `link${layout.number}(${[slot, age, ...keysOf(layout).map(field)].join(', ')});`;

/** Code that adds the token in `slot` to its place and examines what it enables; `field` is code for a field of its group. */
export const enterCall = (layout: PlaceLayout, slot: string, field: (k: number) => string): string =>
  `enter${layout.number}(${[slot, ...keysOf(layout).map(field)].join(', ')});`;
