import { describe, expect, it } from 'vitest';
import { networkModel, networkModelNames, valueAt } from '../../src/machine/network-model.ts';
import type { Platform } from '../../src/machine/platform.ts';
import { readSimgridPlatform } from '../../src/machine/simgrid/simgrid-xml.ts';
import { transferCost } from '../../src/machine/transfer-cost.ts';
import { platforms, platformText, temporary } from './fixtures.ts';

/** Time of a single message on an otherwise idle network. */
function alone(platform: Platform, modelName: string, from: string, to: string, bytes: number): number {
  const model = networkModel(modelName);
  const cost = transferCost(platform, model, platform.hostIndex(from)!, platform.hostIndex(to)!);
  const wire = bytes + model.envelope;
  let rate = cost.bound;
  for (const [i, link] of cost.links.entries()) {
    rate = Math.min(rate, platform.links[link]!.bandwidth / cost.coefficients[i]!);
  }
  return cost.latency * valueAt(model.latencyFactor, wire) + wire / valueAt(model.bandwidthFactor, wire) / rate;
}

/** Time of one message in SimGrid 3.32 (smpirun -replay), in seconds, with simgrid-plain and with smpirun's settings. */
const measured: [keyof typeof platforms, string, string, bytes: number, plain: number, smpi: number][] = [
  ['flat full-duplex', 'n0', 'n1', 1000000, 0.0008200128, 0.001083321561707],
  ['flat full-duplex', 'n2', 'n2', 1000000, 0.0008200128, 0.001125844039792],
  ['flat half-duplex', 'n0', 'n3', 1000000, 0.0008200128, 0.001125844039792],
  ['flat half-duplex', 'n1', 'n1', 1000, 0.0000108128, 0.000021998533456],
  ['flat with everything', 'n0', 'n3', 1000000, 0.001025016, 0.00140730504974],
  ['flat with everything', 'n1', 'n1', 1000000, 0.0002010032, 0.000224255990427],
  ['flat with everything', 'n1', 'n1', 0, 0.0000010032, 0.000002018610479],
  ['half-duplex limiter', 'n0', 'n1', 5000, 0.000025016, 0.000044416684844],
  ['half-duplex limiter', 'n0', 'n0', 500000, 0.000510016, 0.000674552454447],
  ['full', 'a', 'a', 70000, 0.00015559437751, 0.000324112142085],
  ['full', 'b', 'b', 70000, 0.0000070016, 0.000007443015476],
  ['full', 'a', 'b', 70000, 0.001060128, 0.006447013299968],
  ['full', 'a', 'c', 70000, 0.90019, 3.073370855580829],
  ['full', 'c', 'a', 70000, 0.000551659851074, 0.037564385379041],
  ['full', 'b', 'c', 300, 0.000532528, 0.001043157953038],
  ['nested', 'i0', 'i0', 65536, 0.0000065552, 0.000006968472213],
  ['nested', 'x0', 'x0', 65536, 0.000629416, 0.001807929665898],
  ['nested', 'i0', 'x2', 65536, 0.000582416, 0.001232806577045],
  ['nested', 'z0', 'y1.org', 65536, 0.002272208, 0.023689343360736],
  ['nested', 'y4.org', 'z0', 65536, 0.001141104, 0.011913342388688],
  ['nested', 'z0', 'x1', 65536, 0.001583416, 0.012888050177045],
  ['nested', 'i1', 'z0', 2000, 0.001007032, 0.001622535092986],
  ['tree, 3 levels, limiter', 'h0_10.x', 'h0_28.x', 65536, 0.000071552, 0.000139546322131],
  ['trees, 4 levels', 'h0_3.x', 'h0_20.x', 65536, 0.000073552, 0.000162833522131],
  ['trees, 4 levels', 'h1_6.x', 'h0_20.x', 65536, 0.000078552, 0.000224535758237],
];

describe('one message takes the same time as in SimGrid 3.32', () => {
  it.each(measured)('%s: %s → %s, %i bytes', (name, from, to, bytes, plain, smpi) => {
    const platform = readSimgridPlatform(temporary(platformText(platforms[name])));
    expect(Math.abs(alone(platform, 'simgrid-plain', from, to, bytes) - plain)).toBeLessThan(1e-14 + 1e-10 * plain);
    expect(Math.abs(alone(platform, 'simgrid-smpi', from, to, bytes) - smpi)).toBeLessThan(1e-14 + 1e-10 * smpi);
  });
});

describe('transferCost', () => {
  const flat = readSimgridPlatform(temporary(platformText(platforms['flat full-duplex'])));
  const half = readSimgridPlatform(temporary(platformText(platforms['flat half-duplex'])));
  const full = readSimgridPlatform(temporary(platformText(platforms.full)));
  const named = (
    platform: Platform,
    cost: { links: readonly number[]; coefficients: readonly number[] },
  ): [string, number][] => [...cost.links].map((link, i) => [platform.links[link]!.name, cost.coefficients[i]!]);

  it('plain: the penalty is the latency; no bound, no reverse path', () => {
    const cost = transferCost(flat, networkModel('simgrid-plain'), 0, 1);
    expect(cost.latency).toBeCloseTo(2e-5, 15);
    expect(cost.weight).toBeCloseTo(1 / 2e-5, 6);
    expect(cost.bound).toBe(Number.POSITIVE_INFINITY);
    expect(named(flat, cost)).toEqual([
      ['c_link_0_UP', 1],
      ['c_link_1_DOWN', 1],
    ]);
  });

  it('smpi: weight-S, window over the unfactored latency, 5 % on the reverse path', () => {
    const cost = transferCost(flat, networkModel('simgrid-smpi'), 0, 1);
    expect(1 / cost.weight).toBeCloseTo(2e-5 + (2 * 8775) / 1.25e9, 15);
    expect(cost.bound).toBeCloseTo(4194304 / 4e-5, 0);
    expect(named(flat, cost)).toEqual([
      ['c_link_0_UP', 1],
      ['c_link_1_DOWN', 1],
      ['c_link_1_UP', 0.05],
      ['c_link_0_DOWN', 0.05],
    ]);
  });

  it('adds on shared links and uses the maximum on FATPIPE', () => {
    expect(named(half, transferCost(half, networkModel('simgrid-smpi'), 0, 1))).toEqual([
      ['c_link_0', 1.05],
      ['c_link_1', 1.05],
    ]);
    expect(named(full, transferCost(full, networkModel('simgrid-smpi'), 0, 2))).toEqual([
      ['ac', 1],
      ['bc_UP', 1],
      ['bc_DOWN', 0.05],
    ]);
    expect(named(full, transferCost(full, networkModel('simgrid-smpi'), 0, 0))).toEqual([['loop', 1]]);
  });

  // SimGrid 3.32: the flow without latency got 1/1001 of a link shared with a flow of 1 ms latency.
  it('a route without latency has weight 1 and no bound, whatever weight-S', () => {
    for (const name of networkModelNames) {
      const cost = transferCost(full, networkModel(name), 1, 1);
      expect([cost.latency, cost.weight, cost.bound]).toEqual([0, 1, Number.POSITIVE_INFINITY]);
    }
  });
});

describe('network models', () => {
  // SimGrid 3.32, flat 20 us, 1.25 GB/s: wire bytes at and just above each threshold.
  it.each([
    [16, 0.000040309161916],
    [257, 0.00004054657578],
    [258, 0.000039678648609],
    [732, 0.000040800170471],
    [733, 0.000040720685061],
    [1426, 0.000042341799314],
    [1427, 0.00003408985014],
    [65472, 0.000144822950185],
    [65473, 0.000288552593264],
  ])('smpi factors change strictly above a threshold: %i wire bytes', (wire, seconds) => {
    const model = networkModel('simgrid-smpi');
    const time = 2e-5 * valueAt(model.latencyFactor, wire) + wire / (1.25e9 * valueAt(model.bandwidthFactor, wire));
    expect(Math.abs(time - seconds)).toBeLessThan(2e-15);
  });

  it('differ like the SimGrid settings of each', () => {
    const figures = networkModelNames.map((name) => {
      const model = networkModel(name);
      expect(model.name).toBe(name);
      expect(model.envelope).toBe(16);
      return [model.detachedBelow, model.eagerBelow, model.crossTraffic, model.testSleep];
    });
    expect(figures).toEqual([
      [65536, 0, 0, 0],
      [65536, 65536, 0, 0],
      [0, 0, 0, 0],
      [65536, 0, 0.05, 1e-4],
    ]);
  });

  it.each(['simgrid', 'simgrid-smp', 'constructor', '__proto__', ''])('%j is unknown', (name) => {
    expect(() => networkModel(name)).toThrow(
      /PLAT030 unknown network model .* Known: foretoken, fcfs, simgrid-plain, simgrid-eager/,
    );
  });

  it('proposes the nearest name', () => {
    expect(() => networkModel('simgrid-smpl')).toThrow('Did you mean "simgrid-smpi"?');
  });
});
