import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { explore } from '../../src/analysis/space/explore.ts';
import { arbitraryNet, NET_FEATURES } from '../../src/fast-check.ts';
import { netFromJson, netToJson } from '../../src/net/json/json.ts';
import type { Net } from '../../src/net/net.ts';
import { validate } from '../../src/net/validation/validate.ts';
import { effort } from '../effort.ts';

const all = arbitraryNet({ places: 6, transitions: 6, arcs: 5, tokens: 3, with: NET_FEATURES });

test('every net is valid, and its JSON is read back', () => {
  fc.assert(
    fc.property(all, (net) => {
      expect(validate(net)).toEqual([]);
      expect(netFromJson(netToJson(net))).toEqual(net);
    }),
    { numRuns: effort(500) },
  );
});

test('every feature occurs if requested, and only then', () => {
  const signs: Record<(typeof NET_FEATURES)[number], (net: Net) => boolean> = {
    colours: (net) => net.places.some((p) => p.fields.length > 0),
    reads: (net) => net.transitions.some((t) => t.inputs.some((a) => a.kind === 'read')),
    inhibitors: (net) => net.transitions.some((t) => t.inputs.some((a) => a.kind === 'inhibit')),
    resets: (net) => net.transitions.some((t) => t.inputs.some((a) => a.kind === 'reset')),
    capacities: (net) => net.places.some((p) => p.capacity !== undefined),
    queues: (net) => net.places.some((p) => p.order === 'fifo'),
    priorities: (net) => net.transitions.some((t) => t.priority !== undefined),
    weights: (net) => net.transitions.some((t) => t.weight !== undefined),
    delays: (net) => net.transitions.some((t) => t.delay !== undefined),
    growth: (net) => net.transitions.some((t) => brought(t) > taken(t)),
  };
  for (const wanted of NET_FEATURES)
    for (const net of fc.sample(arbitraryNet({ with: [wanted] }), 200))
      for (const feature of NET_FEATURES)
        if (feature !== wanted) expect([feature, signs[feature](net)]).toEqual([feature, false]);
  const seen = new Set(fc.sample(all, 300).flatMap((net) => NET_FEATURES.filter((f) => signs[f](net))));
  expect([...seen].sort()).toEqual([...NET_FEATURES].sort());
});

const taken = (t: Net['transitions'][number]): number =>
  t.inputs.reduce((sum, a) => sum + (a.kind === 'take' ? a.count : 0), 0);
const brought = (t: Net['transitions'][number]): number =>
  t.outputs.reduce((sum, a) => sum + (a.count.op === 'const' ? a.count.value : Number.NaN), 0);

test('without growth every net has finitely many markings', () => {
  const bounded = arbitraryNet({ with: NET_FEATURES.filter((f) => f !== 'growth') });
  fc.assert(
    fc.property(bounded, (net) => {
      const tokens = net.places.reduce((sum, p) => sum + p.initial.reduce((s, t) => s + t.count, 0), 0);
      const space = explore(net, { maxStates: 50_000 });
      expect(space.complete).toBe(true);
      expect(space.maxTokensPerMarking).toBeLessThanOrEqual(Math.max(1, tokens));
    }),
    { numRuns: effort(200) },
  );
});

describe('shrinking ends at the smallest net', () => {
  const smallest = (holds: (net: Net) => boolean, seed: number): Net => {
    const run = fc.check(
      fc.property(all, (net) => !holds(net)),
      { seed, numRuns: effort(5000) },
    );
    expect(run.failed).toBe(true);
    return run.counterexample![0];
  };
  const sizes = (net: Net): number[] => [
    net.places.length,
    net.transitions.length,
    net.transitions.reduce((sum, t) => sum + t.inputs.length + t.outputs.length, 0),
    net.places.reduce((sum, p) => sum + p.initial.reduce((s, t) => s + t.count, 0), 0),
  ];

  test.each([1, 2, 3, 4, 5])('a resetting transition, seed %i', (seed) => {
    const net = smallest((n) => n.transitions.some((t) => t.inputs.some((a) => a.kind === 'reset')), seed);
    // The place that is reset, and the input that the transition needs.
    expect(sizes(net)).toEqual([1, 1, 2, 0]);
  });

  test.each([1, 2, 3, 4, 5])('an unsafe marking, seed %i', (seed) => {
    const net = smallest((n) => explore(n, { maxStates: 2000 }).maxTokensInPlace > 1, seed);
    // Two tokens in one place, or one that joins another: shrinking single steps leads from neither to the other.
    const [places, transitions, arcs, tokens] = sizes(net);
    expect(tokens).toBe(2);
    expect([`${places} ${transitions} ${arcs}`]).toContain(transitions === 0 ? '1 0 0' : '2 1 2');
  });
});

test.each([
  [{ place: 3 }, 'TEST002 arbitraryNet: has no option "place". Did you mean "places"?'],
  [{ places: 0 }, 'TEST002 arbitraryNet: places: expected an integer from 1 to 100, got 0'],
  [{ with: ['colour'] }, 'TEST002 arbitraryNet: unknown feature "colour". Did you mean "colours"?'],
  [{ with: 'colours' }, 'TEST002 arbitraryNet: with: expected a list of features, got "colours"'],
  [null, 'TEST002 arbitraryNet: options: expected an object, got null'],
])('%j is rejected', (options, message) => {
  expect(() => arbitraryNet(options as never)).toThrow(message);
});
