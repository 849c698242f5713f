import type { Expression } from '../../src/net/expression.ts';
import type { Net } from '../../src/net/net.ts';

/** A mutable net that a test may corrupt. */
export type Draft<T> = T extends Expression | Int32Array | Float64Array | ((...args: never[]) => unknown)
  ? T
  : T extends readonly (infer E)[]
    ? Draft<E>[]
    : T extends object
      ? { -readonly [K in keyof T]: Draft<T[K]> }
      : T;

export const v = (name: string): Expression => ({ op: 'var', name });
export const num = (value: number): Expression => ({ op: 'const', value });

/** A valid net with all features that the rules cover. */
export function soundNet(): Net {
  return {
    name: 'sound',
    colours: [
      { kind: 'range', name: 'Slot', low: 0, high: 3 },
      { kind: 'bool', name: 'Flag' },
      { kind: 'enum', name: 'Sort', values: ['red', 'green'] },
      { kind: 'product', name: 'Pair', parts: ['Slot', 'Sort'] },
      {
        kind: 'record',
        name: 'Spot',
        fields: [
          { name: 'x', colour: 'Slot' },
          { name: 'at', colour: 'Pair' },
        ],
      },
    ],
    tables: [
      { kind: 'int', name: 'steps', values: Int32Array.of(0, 1, 2), low: 0, high: 2 },
      { kind: 'real', name: 'times', values: Float64Array.of(0.5, 1) },
      { kind: 'step', name: 'factor', from: Float64Array.of(0, 1), values: Float64Array.of(1, 2) },
      {
        kind: 'routes',
        name: 'routes',
        start: Int32Array.of(0, 1),
        link: Int32Array.of(0),
        coefficient: Float64Array.of(1),
      },
    ],
    places: [
      {
        name: 'buffer',
        fields: [
          { name: 'slot', colour: 'Slot' },
          { name: 'sort', colour: 'Sort' },
        ],
        order: 'fifo',
        key: ['slot'],
        initial: [{ values: [1, 0], count: 2 }],
      },
      { name: 'ended', fields: [{ name: 'slot', colour: 'Slot' }], order: 'bag', key: [], initial: [] },
      {
        name: 'wire',
        fields: [{ name: 'slot', colour: 'Slot' }],
        order: 'bag',
        key: [],
        initial: [],
        service: {
          kind: 'max-min',
          links: [{ name: 'up', capacity: 1, fatpipe: false }],
          amount: v('slot'),
          weight: num(1),
          bound: num(Number.POSITIVE_INFINITY),
          routes: 'routes',
          route: num(0),
        },
      },
      {
        name: 'stack',
        fields: [{ name: 'spot', colour: 'Spot' }],
        order: 'priority',
        key: ['spot.x'],
        priority: v('spot.at.1'),
        capacity: 4,
        initial: [{ values: [1, 3, 0], count: 2 }],
        owner: 'node',
        modules: ['left', 'right'],
      },
      {
        name: 'desk',
        fields: [{ name: 'slot', colour: 'Slot' }],
        order: 'bag',
        key: [],
        initial: [],
        service: {
          kind: 'priority',
          servers: 2,
          time: { dist: 'exponential', rate: num(2) },
          priority: v('slot'),
          preemptive: false,
        },
      },
    ],
    transitions: [
      {
        name: 'move',
        inputs: [{ kind: 'take', place: 'buffer', pattern: { slot: v('slot'), sort: v('sort') }, count: 1 }],
        outputs: [{ place: 'ended', values: { slot: v('slot') }, count: num(1) }],
      },
      {
        name: 'toss',
        inputs: [{ kind: 'reset', place: 'stack', pattern: { 'spot.x': v('any') }, count: 1 }],
        free: [{ name: 'any', colour: 'Slot' }],
        outputs: [{ place: 'ended', values: { slot: v('any') }, count: num(1) }],
        priority: 1,
        weight: num(2),
        delay: { dist: 'uniform', low: num(1), high: num(2) },
        timing: 'race',
        servers: 'single',
        label: { name: 'tossed', exports: { which: 'any' } },
        modules: ['left'],
      },
    ],
    processes: { colour: 'Slot', ended: 'ended' },
  };
}

/** A change that violates a rule, and the expected problems. */
export type Case = readonly [title: string, spoil: (net: Draft<Net>) => void, problems: readonly string[]];
