import type { ColourSet } from '../../../src/net/colour.ts';
import type { NetFunction, ServiceLink, Table } from '../../../src/net/net.ts';

/** Scalar colour sets. */
export const SCALARS: readonly ColourSet[] = [
  { kind: 'range', name: 'Two', low: 0, high: 1 },
  { kind: 'range', name: 'Three', low: -1, high: 1 },
  { kind: 'integer', name: 'Int' },
  { kind: 'bool', name: 'Bool' },
  { kind: 'enum', name: 'Sort', values: ['red', 'green', 'blue'] },
];

/** Composite colour sets, and the unit. */
export const COMPOSITES: readonly ColourSet[] = [
  { kind: 'product', name: 'Pair', parts: ['Two', 'Sort'] },
  {
    kind: 'record',
    name: 'Point',
    fields: [
      { name: 'y', colour: 'Three' },
      { name: 'x', colour: 'Two' },
    ],
  },
  {
    kind: 'record',
    name: 'Deep',
    fields: [
      { name: 'pair', colour: 'Pair' },
      { name: 'nothing', colour: 'Unit' },
      { name: 'set', colour: 'Bool' },
    ],
  },
  { kind: 'unit', name: 'Unit' },
];

/** Values of a scalar colour set for tokens and constants. */
export function valuesOf(colour: string): readonly number[] {
  switch (colour) {
    case 'Two':
    case 'Bool':
      return [0, 1];
    case 'Sort':
      return [0, 1, 2];
    default:
      return [0, 1, -1];
  }
}

export const LINKS: readonly ServiceLink[] = [
  { name: 'wide', capacity: 10, fatpipe: false },
  { name: 'narrow', capacity: 3, fatpipe: false },
  { name: 'pipe', capacity: 2.5, fatpipe: true },
  { name: 'level', capacity: 2, fatpipe: true, level: true },
  { name: 'cores', capacity: 2.5, fatpipe: false, byTokens: [1.5, 2.5, 2] },
];

/** Number of entries of `steps` and `times`. */
export const LENGTH = 5;

export const TABLES: readonly Table[] = [
  { kind: 'int', name: 'steps', values: Int32Array.of(0, 2, 1, 1, 3), low: 0, high: 3 },
  { kind: 'real', name: 'times', values: Float64Array.of(0, 0.5, 1, 1, 2.25) },
  {
    kind: 'step',
    name: 'factor',
    from: Float64Array.of(Number.NEGATIVE_INFINITY, 0, 2),
    values: Float64Array.of(0.5, 1, 3),
  },
  {
    kind: 'routes',
    name: 'routes',
    start: Int32Array.of(0, 2, 5, 9, 9),
    link: Int32Array.of(1, 3, 0, 1, 4, 1, 2, 3, 4),
    coefficient: Float64Array.of(1, 1, 1, 0.5, 0.5, 2, 1, 0.5, 1),
  },
];

/** `broken` returns NaN for argument 1. */
export const FUNCTIONS: readonly NetFunction[] = [
  { name: 'square', apply: (x) => x! * x! },
  { name: 'mix', apply: (x, y) => 0.5 * Math.abs(x! - 2 * y!) },
  { name: 'broken', apply: (x) => (x === 1 ? Number.NaN : 1) },
];
