import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatProblem, InputError } from '../../src/base/problem.ts';
import type { Platform } from '../../src/machine/platform.ts';
import { changePlatform, platformParameters, sharedOnPlatform } from '../../src/machine/platform-parameters.ts';
import { readSimgridPlatform } from '../../src/machine/simgrid/simgrid-xml.ts';
import { platformText, temporary } from './fixtures.ts';

const read = (body: string): Platform => readSimgridPlatform(temporary(platformText(body)));
const equal = read(
  '<cluster id="c" prefix="n" suffix="" radical="0-3" speed="1Gf" core="2" bw="1.25GBps" lat="10us" bb_bw="1.25GBps" bb_lat="10us"/>',
);
const mixed = read(`<zone id="z" routing="Full">
  <host id="a" speed="1Gf"/><host id="b" speed="3Gf" core="4"/>
  <link id="l" bandwidth="1GBps" latency="1us"/><link id="m" bandwidth="2GBps" latency="0" sharing_policy="FATPIPE"/>
  <route src="a" dst="b"><link_ctn id="l"/><link_ctn id="m"/></route></zone>`);
const values = (platform: Platform): Record<string, number | undefined> =>
  Object.fromEntries(platformParameters(platform).map(({ path, value }) => [path, value]));
const asData = ({ name, hosts, links }: Platform): unknown => ({ name, hosts, links });

function problems(platform: Platform, path: string, change: unknown): string {
  try {
    changePlatform(platform, path, change as string);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return error.problems.map(formatProblem).join('\n');
  }
  return '';
}

describe('the parameters of a platform', () => {
  it('are those of all hosts and links, if equal', () => {
    expect(platformParameters(equal)).toEqual([
      { path: 'cores', unit: '1', value: 2 },
      { path: 'speed', unit: 'flop/s', value: 1e9 },
      { path: 'link.latency', unit: 's', value: 1e-5 },
      { path: 'link.bandwidth', unit: 'B/s', value: 1.25e9 },
    ]);
    expect(Object.values(values(mixed))).toEqual(Array(4).fill(undefined));
  });

  it('are changed by a factor or a percentage, even if they differ', () => {
    const before = JSON.stringify(asData(mixed));
    expect(changePlatform(mixed, 'speed', '+50%').hosts.map((h) => h.speed)).toEqual([1.5e9, 4.5e9]);
    expect(changePlatform(mixed, 'cores', 'x3').hosts.map((h) => h.cores)).toEqual([3, 12]);
    expect(
      changePlatform(mixed, 'link.bandwidth', 'x2')
        .links.slice(-2)
        .map((l) => l.bandwidth),
    ).toEqual([2e9, 4e9]);
    const slow = changePlatform(mixed, 'link.latency', 'x4');
    expect(slow.links.slice(-2).map((l) => [l.name, l.latency, l.fatpipe])).toEqual([
      ['l', 4e-6, false],
      ['m', 0, true],
    ]);
    expect(slow.route(0, 1)).toEqual({ links: mixed.route(0, 1).links, latency: 4e-6 });
    expect([slow.hostIndex('b'), slow.name]).toEqual([1, mixed.name]);
    expect(JSON.stringify(asData(mixed))).toBe(before);
    expect(mixed.route(0, 1).latency).toBe(1e-6);
  });

  it('are set if all are equal', () => {
    expect(values(changePlatform(equal, 'link.latency', '2us'))).toMatchObject({ 'link.latency': 2e-6, speed: 1e9 });
    expect(values(changePlatform(equal, 'cores', 8))).toMatchObject({ cores: 8 });
  });

  it('are restored by x2 and x0.5', () => {
    const paths = fc.constantFrom('speed', 'cores', 'link.latency', 'link.bandwidth');
    fc.assert(
      fc.property(paths, fc.constantFrom(equal, mixed), (path, platform) => {
        const twice = changePlatform(platform, path, 'x2');
        expect(twice).not.toEqual(platform);
        expect(asData(changePlatform(twice, path, 'x0.5'))).toEqual(asData(platform));
        expect(changePlatform(twice, path, '-50%').route(0, 1)).toEqual(platform.route(0, 1));
      }),
    );
  });

  it('of one host or link change nothing else, and those of all of them change the shared one', () => {
    expect(changePlatform(mixed, 'hosts.a.speed', '2Gf').hosts.map((h) => h.speed)).toEqual([2e9, 3e9]);
    expect(changePlatform(mixed, 'hosts.b.cores', 'x2').hosts.map((h) => h.cores)).toEqual([1, 8]);
    const slow = changePlatform(mixed, 'links.l.latency', '5us');
    expect(slow.links.slice(-2).map((l) => l.latency)).toEqual([5e-6, 0]);
    expect(slow.route(0, 1).latency).toBe(5e-6);
    const dotted =
      read(`<zone id="z" routing="Full"><host id="a.power.idle" speed="1Gf"><prop id="wattage_per_state" value="1:2:3"/></host>
      <host id="b" speed="1Gf"/></zone>`);
    expect(changePlatform(dotted, 'hosts.a.power.idle.power.idle', 4).hosts.map((h) => h.power?.idle)).toEqual([
      4,
      undefined,
    ]);
    const paths = fc.constantFrom('speed', 'cores', 'link.latency', 'link.bandwidth');
    fc.assert(
      fc.property(
        paths,
        fc.constantFrom('x2', 'x3', '+100%'),
        fc.constantFrom(equal, mixed),
        (path, change, platform) => {
          const names = path.startsWith('link.')
            ? Array.from(platform.links, ({ name }) => `links.${name}.${path.slice(5)}`)
            : platform.hosts.map(({ name }) => `hosts.${name}.${path}`);
          const singly = names.reduce((changed, one) => changePlatform(changed, one, change), platform);
          expect(asData(singly)).toEqual(asData(changePlatform(platform, path, change)));
          for (const name of names) {
            expect(sharedOnPlatform([name, path])).toEqual([path, name]);
            expect(sharedOnPlatform([name, 'power.idle'])).toBeUndefined();
          }
        },
      ),
      { numRuns: 20 },
    );
  });

  it.each<[Platform, string, unknown, string]>([
    [mixed, 'hosts.c.speed', 'x2', 'MACH030 hosts.c.speed: the platform has no host "c". Known: a, b.'],
    [mixed, 'links.n.latency', 'x2', 'MACH030 links.n.latency: the platform has no link "n".'],
    [mixed, 'hosts.a.power.idle', 'x2', 'MACH032 hosts.a.power.idle: the power of host "a" is not known'],
    [mixed, 'hosts.a.bandwidth', 'x2', 'MACH030 a platform has no parameter "hosts.a.bandwidth".'],
    [mixed, 'slowerHosts', 'x2', 'not a parameter; vary the speed of slower hosts: "hosts.a.speed"'],
    [
      equal,
      'slowerHosts',
      'x2',
      'MACH030 "slowerHosts" is a limit that predict tries, not a parameter; all hosts are equally fast',
    ],
    [equal, 'link.latnecy', 'x2', 'MACH030 a platform has no parameter "link.latnecy". Did you mean "link.latency"?'],
    [equal, 'nodes', 'x2', 'MACH030 a platform has no parameter "nodes". Known: cores, speed, link.latency'],
    [mixed, 'speed', '2Gf', 'MACH032 speed: "2Gf": the hosts have different values; give a factor such as "x2"'],
    [mixed, 'link.latency', 0, 'MACH032 link.latency: 0: the links have different values'],
    [equal, 'speed', '2GB/s', 'UNIT002 speed: "2GB/s": "GB/s" is a unit of a data rate; expected a computing speed'],
    [equal, 'speed', 'x0', 'UNIT003 speed x0: 0: must be greater than 0'],
    [equal, 'cores', 'x0.3', 'MACH008 cores x0.3: expected an integer from 1'],
    [equal, 'link.bandwidth', '+1', 'MACH031 link.bandwidth: expected a factor such as "x2"'],
  ])('rejected: %#', (platform, path, change, expected) => {
    const found = problems(platform, path, change);
    expect(found).toContain(expected);
    expect(found.split('\n')).toHaveLength(1);
  });
});
