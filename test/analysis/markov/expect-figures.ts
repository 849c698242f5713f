import { expect } from 'vitest';
import { steady } from '../../../src/commands/steady/steady.ts';
import type { SteadyDocument } from '../../../src/commands/steady/steady-result.ts';
import type { Net } from '../../../src/net/net.ts';
import { queue } from './stochastic-nets.ts';

/** Half-width at most 1e-8 of the figure, or 1e-11. */
const NARROW = 1e-8;

export interface Expected {
  readonly mean?: Readonly<Record<string, number>>;
  readonly throughput?: Readonly<Record<string, number>>;
  readonly enabled?: Readonly<Record<string, number>>;
}

/** Expects each figure in its interval, up to the rounding of the expected value, and the interval to be narrow. */
export function expectFigures(found: SteadyDocument, { mean = {}, throughput = {}, enabled = {} }: Expected): void {
  const inside = (what: string, value: number, lower: number | null, upper: number | null): void => {
    const slack = 1e-13 * Math.max(1, value);
    expect([what, value >= lower! - slack, value <= upper! + slack]).toEqual([what, true, true]);
    expect(upper! - lower!).toBeLessThanOrEqual(2 * NARROW * Math.max(value, 1e-3));
  };
  for (const [name, value] of Object.entries(mean)) {
    const place = found.places.find((p) => p.name === name)!;
    inside(name, value, place.lower, place.upper);
    expect(place.mean).toBeCloseTo(value, 9);
  }
  for (const [name, value] of Object.entries(throughput)) {
    const transition = found.transitions.find((t) => t.name === name)!;
    inside(name, value, transition.lower, transition.upper);
    expect(transition.throughput).toBeCloseTo(value, 9);
  }
  for (const [name, value] of Object.entries(enabled)) {
    const transition = found.transitions.find((t) => t.name === name)!;
    inside(name, value, transition.enabled.lower, transition.enabled.upper);
  }
}

/** Solves a net, which must be complete and have one component. */
export function solved(net: Net): SteadyDocument {
  const found = steady(net);
  expect(found).toMatchObject({ kind: 'steady', method: 'ctmc', complete: true, components: [{ probability: 1 }] });
  return found;
}

/** Expects the figures of M/M/1/K at this load. */
export function expectQueue(load: number, room: number): void {
  const weights = Array.from({ length: room + 1 }, (_, k) => load ** k);
  const total = weights.reduce((a, b) => a + b, 0);
  const waiting = weights.reduce((sum, w, k) => sum + k * w, 0) / total;
  const busy = 1 - 1 / total;
  expectFigures(solved(queue(2 * load, 2, room)), {
    mean: { waiting, free: room - waiting },
    throughput: { arrive: 2 * busy, serve: 2 * busy },
    enabled: { serve: busy, arrive: 1 - weights[room]! / total },
  });
}
