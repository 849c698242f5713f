import { describe, expect, it } from 'vitest';
import { mapMessagePassing } from '../../src/machine/map-message-passing.ts';
import { networkModel } from '../../src/machine/network-model.ts';
import { readSimgridPlatform } from '../../src/machine/simgrid/simgrid-xml.ts';
import { cablesOf } from '../../src/machine/topology/fat-tree-shape.ts';
import { FatTreeCables } from '../../src/machine/topology/zones/fat-tree-cables.ts';
import { platformText, temporary } from './fixtures.ts';

const shapes = [
  { down: [4], up: [1], cables: [1] },
  { down: [4, 4], up: [1, 2], cables: [1, 3] },
  { down: [2, 3, 2], up: [2, 1, 3], cables: [2, 1, 2] },
];

const cluster = (id: string, cables: number): string =>
  `<cluster id="${id}" prefix="${id}-" radical="0-15" suffix="" speed="1Gf" bw="1GBps" lat="1us" topology="FAT_TREE" topo_parameters="2;4,4;1,2;1,${cables}"/>`;

describe('cables of a fat tree', () => {
  it.each(shapes)('have the names and indexes of the enumeration of $down, $up, $cables', (shape) => {
    for (const split of [true, false]) {
      const cables = new FatTreeCables(shape, { bandwidth: 1, latency: 0, split, firstLink: 7, firstNumber: 5 });
      const all = [...cablesOf(shape)].map(({ lower, upper }, k) => `link_from_${lower}_${upper}_${5 + k}`);
      const names = split ? all.flatMap((name) => [`${name}_UP`, `${name}_DOWN`]) : all;
      expect(cables.count).toBe(all.length);
      expect([...cables.links()].map(({ name }) => name)).toEqual(names);
      expect(cables.linkCount).toBe(names.length);
      expect(names.map((name) => cables.linkOf(name))).toEqual(names.map((_, k) => 7 + k));
      for (const other of ['link_from_0_99_5_UP', 'link_from_0_99_5', `${names[0]}0`, 'x'])
        expect(cables.linkOf(other)).toBeUndefined();
    }
  });

  it('clash with links of the same name, before and after', () => {
    const zone = (inside: string): string => platformText(`<zone id="w" routing="Full">${inside}</zone>`);
    const link = '<link id="link_from_0_31_0" bandwidth="1GBps" latency="1us" sharing_policy="SPLITDUPLEX"/>';
    const [name] = [...cablesOf({ down: [4, 4], up: [1, 2], cables: [1, 1] })].map(
      (c) => `link_from_${c.lower}_${c.upper}_0`,
    );
    const same = link.replace('link_from_0_31_0', name!);
    for (const text of [cluster('t', 1) + same, same + cluster('t', 1)])
      expect(() => readSimgridPlatform(temporary(zone(text)))).toThrow(/PLAT008/);
  });

  it('are part of a model only if a route crosses them, if there are many', () => {
    const pairs = { from: Int32Array.of(0, 3), to: Int32Array.of(5, 15) };
    const placement = Int32Array.from({ length: 16 }, (_, k) => k);
    const [few, many] = [1, 20_000].map((cables) => {
      const platform = readSimgridPlatform(temporary(platformText(cluster('t', cables))));
      const machine = mapMessagePassing(platform, networkModel('simgrid-plain'), placement, pairs);
      const { start, link } = machine.routes;
      return { platform, machine, hops: [...start], used: new Set(link).size };
    });
    expect(many!.platform.links.length).toBeGreaterThan(300_000);
    expect(many!.machine.links.length).toBe(many!.used);
    expect(few!.machine.links.length).toBe(few!.platform.links.length);
    expect(many!.hops).toEqual(few!.hops);
    expect(many!.machine.latency).toEqual(few!.machine.latency);
    for (const l of many!.machine.routes.link) expect(many!.machine.links[l]!.name).toMatch(/^link_from_/);
  });

  it('many are computed at each access, between links that are stored', () => {
    const link = (id: string): string => `<link id="${id}" bandwidth="1GBps" latency="1us" sharing_policy="SHARED"/>`;
    const inside = link('a') + cluster('t', 10_000) + link('b') + cluster('few', 1) + link('c');
    const text = platformText(`<zone id="w" routing="Full">${inside}</zone>`);
    const { links } = readSimgridPlatform(temporary(text));
    const cables = 16 + 4 * 2 * 10_000;
    expect(links).toHaveLength(3 + 1 + 2 * cables + 2 * (16 + 4 * 2));
    const at = [0, 1, 2, 1 + 2 * cables, 2 + 2 * cables, 3 + 2 * cables].map((k) => links[k]!.name);
    expect(at[2]).toMatch(/_0_UP$/);
    expect(at[3]).toMatch(new RegExp(`_${cables - 1}_DOWN$`));
    expect([at[0], at[1], at[4]]).toEqual(['__loopback__', 'a', 'b']);
    expect(at[5]).toMatch(new RegExp(`_${cables}_UP$`));
    const names = links.map(({ name }) => name);
    expect(new Set(names).size).toBe(links.length);
    expect(names.filter((name) => /^[abc]$/.test(name))).toEqual(['a', 'b', 'c']);
    expect([...links].map(({ name }) => name)).toEqual(names);
    expect([links[-1], links[links.length], links.at(-1)?.name]).toEqual([undefined, undefined, 'c']);
  });

  it('take little memory for a short file', () => {
    const text = platformText(cluster('t', 100_000));
    const before = process.memoryUsage.rss();
    const { links } = readSimgridPlatform(temporary(text));
    expect(links.length).toBeGreaterThan(1_600_000);
    expect(process.memoryUsage.rss() - before).toBeLessThan(50e6);
  });
});
