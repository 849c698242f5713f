import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Platform } from '../../src/machine/platform.ts';
import { readSimgridPlatform } from '../../src/machine/simgrid/simgrid-xml.ts';
import { platformText, temporary } from './fixtures.ts';
import { ROUTED } from './routing-fixtures.ts';

const read = (body: string): Platform => readSimgridPlatform(temporary(platformText(body)));

/**
 * Hash of the sorted lines `from to link link …` of all pairs of hosts, with sorted links: SimGrid 3.32 lists the links of a
 * zone of routing Dijkstra before those of the zones that a message crosses earlier.
 */
function digest({ hosts, links, route }: Platform): string {
  const crossed = (from: number, to: number): string[] => route(from, to).links.map((link) => links[link]!.name);
  const lines = hosts.flatMap((source, from) =>
    hosts.map((target, to) => `${source.name} ${target.name} ${crossed(from, to).sort().join(' ')}`),
  );
  const ordered = lines.map((line) => Buffer.from(line)).sort(Buffer.compare);
  return createHash('sha256').update(ordered.join('\n')).digest('hex').slice(0, 16);
}

it('links of a route are in the order of travel', () => {
  const { hosts, links, route } = read(ROUTED.find(([name]) => name === 'zones in Dijkstra')![1]);
  const [from, to] = ['a0', 'c0'].map((name) => hosts.findIndex((host) => host.name === name)) as [number, number];
  expect(route(from, to).links.map((link) => links[link]!.name)).toEqual(['al', 'ab', 'bc', 'cl']);
});

describe('routings of SimGrid 3.32', () => {
  it.each(ROUTED)('routes are those of SimGrid: %s', (_, text, hosts, expected) => {
    const platform = read(text);
    expect(platform.hosts).toHaveLength(hosts);
    expect(digest(platform)).toBe(expected);
  });

  it('of Vivaldi take the distance in the plane plus both heights, in milliseconds', () => {
    const { route } = read(ROUTED.find(([name]) => name === 'Vivaldi')![1]);
    // From (1.5, −2) to (4.5, 2): 5 ms, plus 0.25 and 1.
    expect(route(0, 1)).toMatchObject({ latency: 6.25e-3, delay: 6.25e-3 });
    expect(route(2, 2).latency).toBeCloseTo(6e-3, 15);
  });

  it('of a dragonfly multiply the bandwidth of a cable by its wires', () => {
    const { links } = read(ROUTED.find(([name]) => name === 'dragonfly')![1]);
    const wires = new Map<string, Set<number>>();
    for (const { name, bandwidth } of links) {
      const kind = name.slice(0, name.indexOf('_'));
      wires.set(kind, (wires.get(kind) ?? new Set()).add(bandwidth));
    }
    expect(Object.fromEntries(wires)).toEqual({
      local: new Set([1e9]),
      green: new Set([1e9]),
      black: new Set([3e9]),
      blue: new Set([4e9]),
    });
  });

  it('find each cable by its name', () => {
    for (const [name, text] of ROUTED.filter(([, body]) => /TORUS|DRAGONFLY/.test(body))) {
      const { links } = read(text);
      const all = links.filter((link) => /_from_|_link_in_|_link_between_/.test(link.name));
      expect(new Set(all.map((link) => link.name)).size, name).toBe(all.length);
      const last = all.at(-1)!.name;
      const routes = `<zone id="w" routing="Full">${text}<zone id="o" routing="Full"><host id="o" speed="1f"/></zone>
<zoneRoute src="c" dst="o" gw_src="n${name.includes('1 and 2') ? 3 : 0}" gw_dst="o"><link_ctn id="${last}"/></zoneRoute></zone>`;
      const joined = read(routes);
      const { links: crossed } = joined.route(0, joined.hosts.length - 1);
      expect(joined.links[crossed.at(-1)!]!.name, name).toBe(last);
    }
  });

  it.each([
    [
      'no loopback',
      '<cluster id="c" prefix="n" suffix="" radical="0-3" speed="1f" bw="1Bps" lat="0" topology="TORUS" topo_parameters="4"/>',
      0,
      'has no loopback links',
    ],
    [
      'None',
      '<zone id="w" routing="None"><host id="n0" speed="1f"/><host id="n1" speed="1f"/></zone>',
      1,
      'Zone w of routing None connects no points',
    ],
    [
      'unconnected',
      '<zone id="w" routing="Dijkstra"><host id="n0" speed="1f"/><host id="n1" speed="1f"/></zone>',
      1,
      'Zone w has no route from host n0 to host n1',
    ],
    [
      'few blades',
      '<cluster id="c" prefix="n" suffix="" radical="0-15" speed="1f" bw="1Bps" lat="0" topology="DRAGONFLY" topo_parameters="4,1;2,1;2,1;1"/>',
      12,
      'each chassis has 2 blades, and blade n leads to group n',
    ],
    [
      'no coordinates',
      '<zone id="w" routing="Vivaldi"><host id="n0" speed="1f"/><host id="n1" speed="1f"/></zone>',
      1,
      'host n0 of zone w has no coordinates',
    ],
  ])('report missing routes with their reason: %s', (_, text, to, message) => {
    const { route } = read(text);
    expect(() => route(0, to)).toThrow(/PLAT020 no route from host n0/);
    expect(() => route(0, to)).toThrow(message);
  });
});
