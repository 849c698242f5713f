import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalPlacement, equalHosts } from '../../../../src/commands/predict/placement/equal-hosts.ts';
import { partitioned } from '../../../../src/commands/predict/placement/partition.ts';
import { Placing } from '../../../../src/commands/predict/placement/placing.ts';
import { type Found, searchPlacement } from '../../../../src/commands/predict/placement/search.ts';
import { bytesBetweenHosts, type Flow } from '../../../../src/commands/predict/placement/traffic.ts';
import { cluster } from '../../../../src/machine/cluster.ts';
import type { Platform } from '../../../../src/machine/platform.ts';
import { machinePlatform } from '../../../../src/machine/topology/machine-platform.ts';
import { exampleNetwork, TOPOLOGY_NAMES } from '../../../../src/machine/topology/topologies.ts';
import { effort } from '../../../effort.ts';
import { shortest } from './random-exchange.ts';

const LINK = { latency: 1e-6, bandwidth: 1e9 };
const platformOf = (kind: (typeof TOPOLOGY_NAMES)[number], nodes: number, cores: number): Platform =>
  machinePlatform(
    cluster({
      nodes,
      coresPerNode: cores,
      speed: 1e9,
      link: LINK,
      eagerBelow: 0,
      network: exampleNetwork(kind, nodes, LINK),
    }),
  );

/** A search with its platform and flows; the run time of a placement is a sum over flows and nodes, so that it has local optima. */
const searches = fc
  .record({
    kind: fc.constantFrom(...TOPOLOGY_NAMES),
    nodes: fc.integer({ min: 1, max: 6 }),
    cores: fc.integer({ min: 1, max: 3 }),
    spare: fc.nat({ max: 3 }),
    flows: fc.array(fc.tuple(fc.nat({ max: 9 }), fc.nat({ max: 9 }), fc.integer({ min: 1, max: 1000 })), {
      maxLength: 20,
    }),
    limit: fc.integer({ min: 1, max: 60 }),
    weight: fc.integer({ min: 1, max: 5 }),
  })
  .map(({ kind, nodes, cores, spare, flows: drawn, limit, weight }) => {
    const platform = platformOf(kind, nodes, cores);
    const ranks = Math.max(1, Math.min(10, nodes * cores - spare));
    const flows = drawn
      .map(([from, to, bytes]): Flow => ({ from: from % ranks, to: to % ranks, messages: 1, bytes }))
      .filter(({ from, to }) => from !== to);
    const room = new Int32Array(nodes).fill(cores);
    const given = Int32Array.from({ length: ranks }, (_, rank) => Math.floor(rank / cores));
    const placing = new Placing({ platform, flows, work: new Float64Array(ranks), room });
    const classes = equalHosts(platform, () => 0);
    const seconds = (placement: Int32Array): number => {
      const onHost = new Int32Array(nodes);
      for (const host of placement) onHost[host]!++;
      return 1 + bytesBetweenHosts(flows, placement) + weight * 100 * Math.max(...onHost);
    };
    return { platform, placing, classes, given, seconds, limit, room, ranks };
  });
type Search = typeof searches extends fc.Arbitrary<infer T> ? T : never;

function search({ placing, classes, given, seconds, limit }: Search, cancelled = (): boolean => false): Found {
  return searchPlacement({
    placing,
    classes,
    given: { placement: given, seconds: seconds(given) },
    limit,
    predict: seconds,
    cancelled,
  });
}

const usedRoom = (placement: Int32Array, hosts: number): number[] => {
  const used = new Array<number>(hosts).fill(0);
  for (const host of placement) used[host]!++;
  return used;
};

describe('the search for a placement', () => {
  test('is never worse than the given placement, keeps to room and limit, and is repeatable', () => {
    fc.assert(
      fc.property(searches, (one) => {
        const found = search(one);
        expect(found.seconds).toBeLessThanOrEqual(one.seconds(one.given));
        expect(found.seconds).toBe(one.seconds(found.placement));
        expect(found.predictions).toBeLessThanOrEqual(one.limit);
        expect(found.complete).toBe(true);
        expect(usedRoom(found.placement, one.room.length).every((used, host) => used <= one.room[host]!)).toBe(true);
        expect(search(one)).toEqual(found);
      }),
      { numRuns: effort(2000) },
    );
  });

  test('that tried all placements has the shortest time of all', () => {
    fc.assert(
      fc.property(
        searches.filter(({ ranks }) => ranks <= 6),
        (one) => {
          const found = search({ ...one, limit: 500 });
          if (found.all) expect(found.seconds).toBe(shortest(one.ranks, [...one.room], one.seconds));
        },
      ),
      { numRuns: effort(1000) },
    );
  });

  test('of two nodes with four cores each tries the 34 other placements of 8 ranks', () => {
    const platform = platformOf('crossbar', 2, 4);
    const room = Int32Array.of(4, 4);
    const placing = new Placing({ platform, flows: [], work: new Float64Array(8), room });
    const classes = equalHosts(platform, () => 0);
    const given = { placement: Int32Array.of(0, 0, 0, 0, 1, 1, 1, 1), seconds: 2 };
    const parts = { placing, classes, given, predict: () => 2, cancelled: () => false };
    expect(searchPlacement({ ...parts, limit: 34 })).toMatchObject({ predictions: 34, all: true });
    expect(searchPlacement({ ...parts, limit: 33 })).toMatchObject({ predictions: 33, all: false });
  });

  test('that is cancelled gives the best placement so far', () => {
    fc.assert(
      fc.property(searches, fc.nat({ max: 20 }), (one, after) => {
        let polls = 0;
        const found = search(one, () => polls++ >= after);
        expect(found.seconds).toBeLessThanOrEqual(one.seconds(one.given));
        expect(found.seconds).toBe(one.seconds(found.placement));
        expect(found.complete).toBe(polls <= after);
        if (!found.complete) expect(found.all).toBe(false);
      }),
      { numRuns: effort(1000) },
    );
  });

  test('takes a placement that cannot run for none', () => {
    fc.assert(
      fc.property(searches, (one) => {
        const found = searchPlacement({
          placing: one.placing,
          classes: one.classes,
          given: { placement: one.given, seconds: 1 },
          limit: one.limit,
          predict: () => undefined,
          cancelled: () => false,
        });
        expect(found.placement).toEqual(one.given);
      }),
      { numRuns: effort(200) },
    );
  });
});

describe('the estimate', () => {
  test('falls by the gains of exchanges and moves', () => {
    fc.assert(
      fc.property(searches, fc.nat(), fc.nat(), fc.nat(), ({ placing, given, ranks, room }, x, y, z) => {
        const [a, b, host] = [x % ranks, y % ranks, z % room.length];
        const before = placing.estimate(given);
        if (a !== b) {
          const other = given.slice();
          [other[a], other[b]] = [given[b]!, given[a]!];
          expect(before - placing.estimate(other)).toBeCloseTo(placing.exchangeGain(given, a, b), 12);
        }
        const moved = given.slice();
        moved[a] = host;
        expect(before - placing.estimate(moved)).toBeCloseTo(placing.moveGain(given, a, host), 12);
      }),
      { numRuns: effort(2000) },
    );
  });

  test('of two groups that exchange bytes within them puts each on a node', () => {
    const groups = [0, 1, 0, 1, 1, 0, 1, 0];
    const flows = groups.flatMap((group, from) =>
      groups.flatMap((other, to) => (from === to ? [] : [{ from, to, messages: 1, bytes: group === other ? 1e6 : 1 }])),
    );
    const room = Int32Array.of(4, 4);
    const placing = new Placing({ platform: platformOf('crossbar', 2, 4), flows, work: new Float64Array(8), room });
    const placement = partitioned(placing, room, 0);
    expect(bytesBetweenHosts(flows, placement)).toBe(32);
  });
});

describe('equal hosts', () => {
  test('of each topology', () => {
    const classes = Object.fromEntries(
      TOPOLOGY_NAMES.map((kind) => [kind, [...equalHosts(platformOf(kind, 4, 1), () => 0)]]),
    );
    expect(classes).toMatchObject({ crossbar: [0, 0, 0, 0], backbone: [0, 0, 0, 0], torus: [0, 1, 2, 3] });
    expect([...equalHosts(platformOf('crossbar', 4, 1), (host) => host % 2)]).toEqual([0, 1, 0, 1]);
  });

  test('give one canonical placement to all that differ by their exchanges', () => {
    fc.assert(
      fc.property(searches, fc.nat(), fc.nat(), ({ classes, given, room }, x, y) => {
        const [a, b] = [x % room.length, y % room.length];
        fc.pre(classes[a] === classes[b]);
        const swapped = given.map((host) => (host === a ? b : host === b ? a : host));
        expect(canonicalPlacement(swapped, classes)).toEqual(canonicalPlacement(given, classes));
      }),
      { numRuns: effort(500) },
    );
  });
});
