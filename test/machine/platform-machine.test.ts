import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readMachineFile } from '../../src/machine/description/machine-file.ts';
import { writeMachineFile } from '../../src/machine/description/write-machine.ts';
import type { Machine } from '../../src/machine/machine.ts';
import { mapMessagePassing } from '../../src/machine/map-message-passing.ts';
import { networkModel, networkModelNames } from '../../src/machine/network-model.ts';
import type { Platform } from '../../src/machine/platform.ts';
import { platformMachine } from '../../src/machine/simgrid/platform-machine.ts';
import { readSimgridPlatform } from '../../src/machine/simgrid/simgrid-xml.ts';
import { machinePlatform } from '../../src/machine/topology/machine-platform.ts';
import { effort } from '../effort.ts';
import { platforms, platformText, temporary } from './fixtures.ts';

function described(body: string): { platform: Platform; machine: Machine; notes: readonly string[] } {
  const platform = readSimgridPlatform(temporary(platformText(body), 'p.xml'));
  const { machine, notes } = platformMachine(platform);
  const file = temporary('', 'm.yaml');
  writeMachineFile(machine, file);
  expect(readMachineFile(file)).toEqual(machine);
  return { platform, machine, notes: notes.map(({ message }) => message) };
}

/** Costs of all pairs of hosts, and the links of each, numbered in the order of their first use. */
function costs(platform: Platform, model: string, isWithin: boolean): unknown {
  const hosts = [...platform.hosts.keys()];
  const pairs = hosts.flatMap((from) => hosts.filter((to) => isWithin || from !== to).map((to) => [from, to] as const));
  const mapped = mapMessagePassing(platform, networkModel(model), Int32Array.from(hosts), {
    from: Int32Array.from(pairs, ([from]) => from),
    to: Int32Array.from(pairs, ([, to]) => to),
  });
  const { speed, latency, weight, bound, routes, links } = mapped;
  const used = [...new Set(routes.link)];
  const { start, coefficient } = routes;
  const link = Int32Array.from(routes.link, (l) => used.indexOf(l));
  const properties = used.map((l) => ({ ...links[l]!, name: '' }));
  return { speed, latency, weight, bound, start, link, coefficient, properties };
}

const bandwidth = fc.integer({ min: 1, max: 5000 }).map((n) => `${n}MBps`);
const latency = fc.integer({ min: 0, max: 500 }).map((n) => `${n / 10}us`);
const shapes = fc.constantFrom('1;4;1;1', '2;2,3;1,2;1,1', '2;3,2;2,2;2,1', '3;2,2,2;1,2,2;1,1,3');
const cluster = fc
  .record({
    shape: fc.option(shapes, { nil: undefined }),
    radical: fc.constantFrom('0-3', '2-6', '0'),
    cores: fc.integer({ min: 1, max: 4 }),
    cable: fc.tuple(bandwidth, latency),
    backbone: fc.option(fc.tuple(bandwidth, latency), { nil: undefined }),
    loopback: fc.option(fc.tuple(bandwidth, latency), { nil: undefined }),
    suffix: fc.constantFrom('', '.org'),
  })
  .map(({ shape, radical, cores, cable, backbone, loopback, suffix }) => {
    const hosts =
      shape === undefined
        ? radical
        : `0-${
            shape
              .split(';')[1]!
              .split(',')
              .reduce((a, b) => a * Number(b), 1) - 1
          }`;
    const parts = [
      `id="c" prefix="n" suffix="${suffix}" radical="${hosts}" speed="2Gf" bw="${cable[0]}" lat="${cable[1]}"`,
      loopback === undefined ? '' : `core="${cores}" loopback_bw="${loopback[0]}" loopback_lat="${loopback[1]}"`,
      shape === undefined ? '' : `topology="FAT_TREE" topo_parameters="${shape}"`,
      backbone === undefined || shape !== undefined ? '' : `bb_bw="${backbone[0]}" bb_lat="${backbone[1]}"`,
    ];
    return {
      body: `<cluster ${parts.join(' ')}/>`,
      isSame: loopback !== undefined,
      isNamed: suffix === '' && !/^2/.test(hosts),
    };
  });

describe('machines of SimGrid platforms', () => {
  it('have the costs of their platform under every network model of SimGrid', () => {
    fc.assert(
      fc.property(cluster, fc.constantFrom(...networkModelNames), ({ body, isSame, isNamed }, model) => {
        const { platform, machine, notes } = described(body);
        const own = machinePlatform(machine);
        expect(costs(own, model, isSame), body).toEqual(costs(platform, model, isSame));
        expect(own.hosts.map(({ cores }) => cores)).toEqual(platform.hosts.map(({ cores }) => cores));
        for (const host of platform.hosts.keys())
          expect(own.route(host, host).latency).toBe(platform.route(host, host).latency);
        if (isNamed) expect(own.hosts).toEqual(platform.hosts);
        expect(notes.length).toBe((isSame ? 0 : 1) + (isNamed ? 0 : 1));
      }),
      { numRuns: effort(200) },
    );
  });

  it('have the thresholds of the file, by default those of SimGrid', () => {
    const body = platforms['flat full-duplex'];
    const { eagerBelow, detachedBelow } = described(body).machine;
    expect([eagerBelow, detachedBelow]).toEqual([0, 65536]);
    const config = '<config><prop id="smpi/async-small-thresh" value="1000"/></config>';
    expect(described(config + body).machine.eagerBelow).toBe(1000);
  });

  it('are found in explicit routes and in clusters inside zones', () => {
    const host = (k: number, speed: number): string =>
      `<host id="n${k}" speed="${speed}Gf"/><link id="l${k}" bandwidth="1GBps" latency="1us" sharing_policy="SPLITDUPLEX"/>`;
    const route = (from: number, to: number): string =>
      `<route src="n${from}" dst="n${to}"><link_ctn id="l${from}" direction="UP"/><link_ctn id="l${to}" direction="DOWN"/></route>`;
    const star = `<zone id="z" routing="Full">${host(0, 1)}${host(1, 1)}${host(2, 3)}${route(0, 1)}${route(0, 2)}${route(1, 2)}</zone>`;
    const { machine, platform } = described(star);
    expect(machine.network).toEqual({ kind: 'crossbar' });
    expect(machine.nodes.map(({ name, count, speed }) => [name, count, speed])).toEqual([
      ['group0-', 2, 1e9],
      ['group1-', 1, 3e9],
    ]);
    // Messages of a host to itself share a fatpipe, which caps each alone.
    expect(costs(machinePlatform(machine), 'simgrid-smpi', false)).toEqual(costs(platform, 'simgrid-smpi', false));
    const inside = described(
      `<zone id="z" routing="Full"><cluster id="c" prefix="n" suffix="" radical="0-999" speed="1Gf" bw="1GBps" lat="1us"/></zone>`,
    );
    expect(inside.machine.nodes).toMatchObject([{ name: 'n', count: 1000 }]);
  });

  it.each([
    ['TORUS', '4,2', { kind: 'torus', sizes: [4, 2] }],
    ['TORUS', '2,2,2', { kind: 'torus', sizes: [2, 2, 2] }],
    ['DRAGONFLY', '2,3;1,1;2,4;2', { groups: 2, chassis: 1, blades: 2, perBlade: 2, wires: [3, 1, 4] }],
    ['DRAGONFLY', '1,1;2,2;2,1;2', { groups: 1, chassis: 2, blades: 2, perBlade: 2, wires: [1, 2, 1] }],
  ])('are found in a cluster of topology %s with %s', (topology, parameters, network) => {
    const { machine, platform } = described(
      `<cluster id="c" prefix="n" suffix="" radical="0-7" speed="1Gf" bw="1GBps" lat="1us" loopback_bw="2GBps" loopback_lat="0s" topology="${topology}" topo_parameters="${parameters}"/>`,
    );
    expect(machine.network).toEqual({ kind: topology.toLowerCase(), ...network });
    expect(costs(machinePlatform(machine), 'simgrid-smpi', false)).toEqual(costs(platform, 'simgrid-smpi', false));
  });

  const flat = (more: string): string =>
    `<cluster id="c" prefix="n" suffix="" radical="0-3" speed="1Gf" bw="1GBps" lat="1us" ${more}/>`;
  const two = `<zone id="z" routing="Full"><host id="a" speed="1Gf"/><host id="b" speed="1Gf"/>
    <link id="ab" bandwidth="1GBps" latency="1us"/><link id="ba" bandwidth="2GBps" latency="1us"/>`;
  it.each<[body: string, reason: string]>([
    [
      flat('sharing_policy="SHARED"'),
      'link c_link_0 carries both directions, and a cable has a link for each (SPLITDUPLEX)',
    ],
    [flat('limiter_link="2GBps"'), '2 links are between the cables of two hosts, and a backbone is one'],
    [
      flat('core="2"'),
      'messages between the ranks of host n0 cross c_link_0_UP, c_link_0_DOWN, as it has no loopback link',
    ],
    [
      flat('bb_bw="2GBps" bb_lat="0s" bb_sharing_policy="FATPIPE"'),
      'the route from n0 to n1 crosses c_link_0_UP, c_backbone (FATPIPE), c_link_1_DOWN, which is no route of a backbone with links that only its cables share',
    ],
    [
      flat('topology="FAT_TREE" topo_parameters="1;4;1;1" sharing_policy="SHARED"'),
      'link link_from_0_7_0 carries both directions, and a cable has a link for each (SPLITDUPLEX)',
    ],
    [
      flat('topology="FAT_TREE" topo_parameters="1;4;1;1" limiter_link="2GBps"'),
      'link c_link_0_limiter carries both directions, and a cable has a link for each (SPLITDUPLEX)',
    ],
    [
      `<config><prop id="network/TCP-gamma" value="1e6"/></config>${flat('')}`,
      'it sets network/TCP-gamma, and a machine file has no such setting of the network model',
    ],
    [
      `<config><prop id="smpi/os" value="8:1:0;8:2:0"/></config>${flat('')}`,
      'several times of a call have the same threshold',
    ],
    [
      `${two}<route src="a" dst="b"><link_ctn id="ab"/></route></zone>`,
      'the route from a to b has no cable of each host',
    ],
    [
      `${two}<route src="a" dst="b" symmetrical="NO"><link_ctn id="ab"/><link_ctn id="ba"/></route><route src="b" dst="a" symmetrical="NO"><link_ctn id="ba"/><link_ctn id="ba"/></route></zone>`,
      'the links ab and ba differ, and the directions of a cable are equal',
    ],
  ])('are refused with the reason: %#', (body, reason) => {
    const file = temporary(platformText(body), 'p.xml');
    expect(() => platformMachine(readSimgridPlatform(file))).toThrow(
      new RegExp(
        `^${file}:4:\\d+: MACH036 no machine file describes this platform: ${reason.replace(/[()]/g, '\\$&')}$`,
      ),
    );
  });

  it.each(['nested', 'full', 'trees, 3 joined'] as const)('are refused for %s', (name) => {
    expect(() => described(platforms[name])).toThrow('MACH036');
  });
});
