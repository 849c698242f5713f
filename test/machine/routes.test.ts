import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Platform } from '../../src/machine/platform.ts';
import { readSimgridPlatform } from '../../src/machine/simgrid/simgrid-xml.ts';
import { platforms, platformText, references, temporary } from './fixtures.ts';

/** Hash of the sorted lines `from to link link …` of all pairs of hosts. */
function digest(platform: Platform): string {
  const lines: string[] = [];
  for (const [from, source] of platform.hosts.entries()) {
    for (const [to, target] of platform.hosts.entries())
      lines.push(`${source.name} ${target.name} ${names(platform, from, to)}`);
  }
  const ordered = lines.map((line) => Buffer.from(line)).sort(Buffer.compare);
  return createHash('sha256').update(ordered.join('\n')).digest('hex').slice(0, 16);
}

function names(platform: Platform, from: number, to: number): string {
  return platform
    .route(from, to)
    .links.map((link) => platform.links[link]!.name)
    .join(' ');
}

function between(platform: Platform, from: string, to: string): string {
  return names(platform, platform.hostIndex(from)!, platform.hostIndex(to)!);
}

function expectSums(platform: Platform): void {
  const last = platform.hosts.length - 1;
  for (const [from, to] of [
    [0, 0],
    [0, last],
    [last, 0],
    [1, last >> 1],
  ] as const) {
    const { links, latency } = platform.route(Math.min(from, last), to);
    expect(latency).toBeCloseTo(
      links.reduce((sum, link) => sum + platform.links[link]!.latency, 0),
      15,
    );
  }
}

/** Digests of SimGrid 3.32's routes (`Host::route_to` of every pair). */
const own: [keyof typeof platforms, hosts: number, links: number, digest: string][] = [
  ['flat full-duplex', 4, 8, 'b1fa8905f75b12eb'],
  ['flat half-duplex', 4, 4, 'b5ac5d028af2d882'],
  ['flat FATPIPE', 4, 4, 'b5ac5d028af2d882'],
  ['flat with everything', 4, 17, '70dca1a831ce8335'],
  ['half-duplex limiter', 4, 9, '99e96af03701699b'],
  ['full', 3, 6, '5eef3066a52bfd64'],
  ['nested', 9, 18, '1ef16d2e1bc4f893'],
  ['tree, 3 levels, limiter', 24, 189, 'f1e46ec7da2f46b1'],
  ['trees, 3 joined', 7, 93, 'd287576b0a178f33'],
  ['trees, 2 joined, cables', 34, 199, '3bef8374028b78c3'],
  ['trees, 2 joined, shared', 10, 158, 'd1821bf28e007864'],
  ['trees, 4 levels', 28, 290, 'c6e1950fa0ff6138'],
];
const reference: [file: string, hosts: number, links: number, digest: string][] = [
  ['platforms/fattree64.xml', 64, 192, '6750a629e2a898a3'],
  ['platforms/flat-backbone.xml', 256, 513, '4214b08ed8f74544'],
  ['platforms/flat-halfduplex.xml', 256, 256, '543ec06d2f03094a'],
  ['platforms/flat-nic.xml', 256, 512, 'be3a8a13b70ef425'],
  ['platforms/flat-nocontention.xml', 256, 513, '4214b08ed8f74544'],
  ['platforms/smp16x4.xml', 16, 48, 'f50e128b18c79658'],
  ['simgrid/platforms/cluster_backbone.xml', 100, 201, 'b604a013ef6e534f'],
  ['simgrid/platforms/cluster_fat_tree.xml', 16, 81, '9458c5441febf3d2'],
  ['simgrid/platforms/cluster_multi.xml', 24, 44, '8ee83d1642e52408'],
  ['simgrid/platforms/small_platform.xml', 7, 25, 'f48303d43c240253'],
  ['simgrid/platforms/small_platform_with_routers.xml', 5, 15, '95dda006e3862301'],
];

describe('routes are those of SimGrid 3.32', () => {
  it.each(own)('routes are those of SimGrid: %s', (name, hosts, links, expected) => {
    const platform = readSimgridPlatform(temporary(platformText(platforms[name])));
    expect([platform.hosts.length, platform.links.length]).toEqual([hosts, links]);
    expect(digest(platform)).toBe(expected);
    expectSums(platform);
  });

  it('through limiter, backbone and loopback', () => {
    const platform = readSimgridPlatform(temporary(platformText(platforms['flat with everything'])));
    const way = 'c_link_0_limiter c_link_0_UP c_backbone c_link_3_DOWN c_link_3_limiter';
    expect(between(platform, 'n0', 'n3')).toBe(way);
    expect(between(platform, 'n2', 'n2')).toBe('c_link_2_loopback');
    expect(platform.hosts[1]).toEqual({ name: 'n1', speed: 1e9, cores: 4 });
    expect(platform.links.find(({ name }) => name === 'c_backbone')).toMatchObject({ bandwidth: 2e9, fatpipe: true });
  });

  it('without loopback a message of a host to itself crosses its links, each once', () => {
    const full = readSimgridPlatform(temporary(platformText(platforms['flat full-duplex'])));
    expect(between(full, 'n2', 'n2')).toBe('c_link_2_UP c_link_2_DOWN');
    const half = readSimgridPlatform(temporary(platformText(platforms['half-duplex limiter'])));
    expect(between(half, 'n2', 'n2')).toBe('c_link_2_limiter c_link_2 c_backbone');
  });

  it('in a zone of routing Full a host without a route to itself has the default loopback of 10 GB/s', () => {
    const platform = readSimgridPlatform(temporary(platformText(platforms.full)));
    expect(between(platform, 'a', 'a')).toBe('loop');
    const { links, latency } = platform.route(1, 1);
    expect(latency).toBe(0);
    expect(platform.links[links[0]!]).toEqual({ name: '__loopback__', bandwidth: 1e10, latency: 0, fatpipe: true });
  });

  it('through gateways of nested zones, in both directions', () => {
    const platform = readSimgridPlatform(temporary(platformText(platforms.nested)));
    expect(between(platform, 'x0', 'z0')).toBe('x_link_0_UP x_backbone ix_DOWN xy ix_DOWN');
    expect(between(platform, 'z0', 'x1')).toBe('ix_UP xy ix_UP x_backbone x_link_1_DOWN');
    expect(between(platform, 'z0', 'y3.org')).toBe('xy xy y_link_3_DOWN');
  });

  it('reads speeds, cores, pstates and units', () => {
    const platform = readSimgridPlatform(temporary(platformText(platforms.full, '4')));
    expect(platform.hosts).toEqual([
      { name: 'a', speed: 98.095e6, cores: 2 },
      { name: 'b', speed: 1e9, cores: 1 },
      { name: 'c', speed: 48e6, cores: 1 },
    ]);
    expect(platform.links.map(({ name, bandwidth }) => [name, bandwidth]).slice(1, 4)).toEqual([
      ['ab', 1.25e8],
      ['bc_UP', 128 * 2 ** 20],
      ['bc_DOWN', 128 * 2 ** 20],
    ]);
  });
});

const folder = join(references, 'traces/ti');
describe.skipIf(!existsSync(folder))(`reference platforms in ${folder} (skipped where absent)`, () => {
  it.each(reference)('routes of %s are those of SimGrid', (file, hosts, links, expected) => {
    const platform = readSimgridPlatform(join(folder, file));
    expect([platform.hosts.length, platform.links.length]).toEqual([hosts, links]);
    expect(digest(platform)).toBe(expected);
    expectSums(platform);
  });

  it.each([
    ['platforms/flat-nic-1024.xml', 1024, 2048, 'c_link_0_UP c_link_1023_DOWN'],
    ['platforms/flat-nocontention-1024.xml', 1024, 2049, 'c_link_0_UP c_backbone c_link_1023_DOWN'],
  ])('the route from the first to the last host of %s', (file, hosts, links, way) => {
    const platform = readSimgridPlatform(join(folder, file));
    expect([platform.hosts.length, platform.links.length]).toEqual([hosts, links]);
    expect(between(platform, 'n0', 'n1023')).toBe(way);
    expect(platform.route(0, 1023).latency).toBeCloseTo(2e-5, 15);
  });

  // Two simultaneous messages of 1,000,016 wire bytes in SimGrid 3.32: 1.64 ms where they share a cable, else 0.84 ms.
  it.each([
    ['n1', 'n12', true],
    ['n1', 'n9', false],
  ])('fattree64: n0→n8 and %s→%s share cables: %s', (from, to, share) => {
    const platform = readSimgridPlatform(join(folder, 'platforms/fattree64.xml'));
    const first = new Set(between(platform, 'n0', 'n8').split(' '));
    const shared = between(platform, from, to)
      .split(' ')
      .some((link) => first.has(link));
    expect(shared).toBe(share);
  });
});
