import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { predict } from '../../../src/commands/predict/predict.ts';
import type { PredictionDocument } from '../../../src/commands/predict/prediction.ts';
import { cluster } from '../../../src/machine/cluster.ts';
import { platformMachine } from '../../../src/machine/simgrid/platform-machine.ts';
import { readSimgridPlatform } from '../../../src/machine/simgrid/simgrid-xml.ts';
import { noise } from '../../../src/models/noise.ts';
import { spmd } from '../../../src/models/program/model.ts';
import { threads } from '../../../src/models/threads/program/threads.ts';
import { folder } from '../../trace/support.ts';
import { expectSame } from './lumping/same-figures.ts';

/** SimGrid's compiler and launcher of MPI programs (Debian: libsimgrid-dev). */
const HAS_SMPI = ((): boolean => {
  try {
    execFileSync('sh', ['-c', 'command -v smpicc && command -v smpirun'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

const platform = (body: string): string => `<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1"><zone id="w" routing="Full">${body}</zone></platform>
`;
const one = (attributes: string, watts: string): string =>
  platform(`<cluster id="c" prefix="n" suffix="" ${attributes} bw="1GBps" lat="1us" loopback_bw="10GBps" loopback_lat="0s">
<prop id="wattage_per_state" value="${watts}"/><prop id="wattage_off" value="3"/></cluster>`);
const files = folder({
  'flat.xml': one('radical="0-5" speed="1Gf" core="2"', '95.0:120.0:200.0'),
  'two.xml': one('radical="0-5" speed="2Gf" core="4"', '100:180'),
  'states.xml':
    platform(`<host id="n0" speed="1Gf,2Gf" pstate="1"><prop id="wattage_per_state" value="50:60:70,80:90:150"/></host>
<host id="n1" speed="1Gf" core="3"><prop id="wattage_per_state" value="40:45:90"/></host>
<link id="l" bandwidth="1GBps" latency="10us"/><link id="o" bandwidth="10GBps" latency="0us" sharing_policy="FATPIPE"/>
<route src="n0" dst="n1"><link_ctn id="l"/></route><route src="n0" dst="n0"><link_ctn id="o"/></route>
<route src="n1" dst="n1"><link_ctn id="o"/></route>`),
  'dragonfly.xml': one('radical="0-23" speed="1Gf" topology="DRAGONFLY" topo_parameters="2,4;3,3;4,1;1"', '95:120:200'),
  'states-off.xml': platform('<host id="n0" speed="1Gf"><prop id="wattage_per_state" value="50:70,80:150"/></host>'),
  'former.xml': platform('<host id="n0" speed="1Gf"><prop id="watt_per_state" value="50:70"/></host>'),
  'down.txt': '2 0\n5 1\n',
  'again.txt': 'PERIODICITY 3\n1 0\n2 1\n',
  'failing.xml': platform(`<host id="a" speed="1Gf"><prop id="wattage_per_state" value="100:120:200"/></host>
<host id="b" speed="1Gf" state_file="down.txt"><prop id="wattage_off" value="7"/><prop id="wattage_per_state" value="100:120:200"/></host>
<host id="c" speed="1Gf" core="2" state_file="again.txt"><prop id="wattage_per_state" value="90:100:150"/></host>
<link id="l" bandwidth="1MBps" latency="1ms"/>${['ab', 'bc', 'ac'].map(([x, y]) => `<route src="${x}" dst="${y}"><link_ctn id="l"/></route>`).join('')}`),
  'alone.ti': '0 init\n0 compute 8e9\n0 finalize\n',
  'all.ti': [8, 9, 0.5].map((g, r) => `${r} init\n${r} compute ${g}e9\n${r} finalize\n`).join(''),
  'failing.c': `#include <mpi.h>
#include <smpi/smpi.h>
int main(int c, char** v) { int r; MPI_Init(&c, &v); MPI_Comm_rank(MPI_COMM_WORLD, &r);
smpi_execute_flops(r == 0 ? 8e9 : r == 1 ? 9e9 : 0.5e9); MPI_Finalize(); return 0; }`,
  'bad.xml': one('radical="0-1" speed="1Gf"', '95:high:200'),
  ...Object.fromEntries(
    Object.entries({ spread: ['n0', 'n1'], dense: ['n0', 'n0', 'n1'], some: ['n1', 'n0', 'n1', 'n1'] }).map(
      ([name, lines]) => [name, `${lines.join('\n')}\n`],
    ),
  ),
});
afterAll(files.remove);

const joules = ({ resources }: PredictionDocument): Record<string, number> =>
  Object.fromEntries(resources.flatMap(({ name, energy }) => (energy === undefined ? [] : [[name, energy.value]])));

describe.skipIf(!HAS_SMPI)('energy of hosts, as SimGrid computes it when it executes the program', () => {
  const binary = files.path('energy');
  test.each([
    ['flat', 'spread', 2],
    ['flat', 'dense', 3],
    ['flat', 'dense', 6],
    ['two', 'some', 4],
    ['states', 'some', 4],
    ['dragonfly', undefined, 7],
    ['dragonfly', undefined, 24],
  ])('%s, hostfile %s, %i ranks', (name, hosts, ranks) => {
    execFileSync('smpicc', ['-O1', fileURLToPath(new URL('./energy.c', import.meta.url)), '-o', binary], {
      stdio: 'ignore',
    });
    const machine = files.path(`${name}.xml`);
    const hostfile = hosts === undefined ? {} : { hostfile: files.path(hosts) };
    const trace = files.path(`${name}-${hosts}-${ranks}.ti`);
    const config = ['plugin:host_energy', 'smpi/simulate-computation:no', `tracing/filename:${trace}`];
    const args = [
      '-np',
      `${ranks}`,
      '-platform',
      machine,
      ...(hosts === undefined ? [] : ['-hostfile', files.path(hosts)]),
      '-trace-ti',
    ];
    const said = execFileSync(
      'sh',
      ['-c', '"$@" 2>&1', 'sh', 'smpirun', ...args, ...config.map((c) => `--cfg=${c}`), binary],
      { encoding: 'utf8' },
    );
    const of = new Map(
      [...said.matchAll(/consumption of host (\S+): (\S+) Joules/g)].map(([, host, value]) => [host, Number(value)]),
    );
    const total = Number(/Total energy consumption: (\S+) Joules/.exec(said)![1]);
    const run = predict(trace, { machine, networkModel: 'simgrid-smpi', ...hostfile });
    const found = Object.entries(joules(run));
    expect(found.length).toBeGreaterThan(1);
    // SimGrid prints six decimals.
    for (const [host, value] of found) expect(Math.abs(value - of.get(host)!), host).toBeLessThan(2e-6);
    expect(Math.abs(run.figures.energy!.value - total)).toBeLessThan(2e-6 * of.size);
  });
});

test.each([
  // Host b: 2 s with 200 W, 3 s with 7 W, 3 s with 100 W; c: 0.5 s with 125 W, 4.5 s with 90 W, off for three.
  ['all', 3, { a: 1600, b: 721, c: 62.5 + 4.5 * 90 }],
  ['alone', 1, { a: 1600, b: 500 + 21, c: 5 * 90 }],
])('hosts that have failed take no power but wattage_off, as in SimGrid: %s', (trace, ranks, expected) => {
  const machine = files.path('failing.xml');
  const found = predict(files.path(`${trace}.ti`), { machine, networkModel: 'simgrid-smpi' });
  const all = Object.values(expected).reduce((sum, one) => sum + one, 0);
  expect(found.figures.energy!.value).toBeCloseTo(all, 6);
  for (const [host, value] of Object.entries(joules(found))) expect(value).toBeCloseTo(expected[host as 'a'], 6);
  if (!HAS_SMPI) return;
  const binary = files.path(`failing-${trace}`);
  execFileSync('smpicc', ['-O1', files.path('failing.c'), '-o', binary], { stdio: 'ignore' });
  const args = [
    '-np',
    `${ranks}`,
    '-platform',
    machine,
    '--cfg=plugin:host_energy',
    '--cfg=smpi/simulate-computation:no',
  ];
  const said = execFileSync('sh', ['-c', '"$@" 2>&1 || true', 'sh', 'smpirun', ...args, binary], { encoding: 'utf8' });
  const of = [...said.matchAll(/consumption of host (\S+): (\S+) Joules/g)].map(([, host, value]) => [
    host,
    Number(value),
  ]);
  expect(Object.fromEntries(of)).toEqual(
    Object.fromEntries(Object.entries(expected).map(([host, value]) => [host, expect.closeTo(value, 5)])),
  );
});

describe('energy of machines', () => {
  const machine = (power: object | undefined, more: object = {}) =>
    cluster({
      nodes: 3,
      coresPerNode: 2,
      speed: 1e9,
      link: { latency: 0, bandwidth: 1e9 },
      eagerBelow: 0,
      ...(power === undefined ? {} : { power: power as { idle: number; full: number } }),
      ...more,
    });
  const work = spmd({ name: 'w', build: (m) => m.compute({ flops: (s) => 1e9 * (s.rank + 1) }) });

  test('is linear in the busy cores, and idle nodes count', () => {
    // Node 0 has two busy cores for 1 s, one for 1 s, none for 1 s; node 1 one for 3 s; node 2 none.
    const run = predict(work, { machine: machine({ idle: 100, busy: 120, full: 200 }), ranks: 3 });
    expect(joules(run)).toEqual({ node0: 100 + 240 + 80 + 40, node1: 360 + 120 });
    expect(run.figures.energy).toEqual({ value: 940 + 300, unit: 'J' });
  });

  test('without busy, it begins at idle; without power there is none', () => {
    const run = predict(work, { machine: machine({ idle: 100, full: 200 }), ranks: 3 });
    expect(joules(run)).toEqual({ node0: 300 + 100 + 50, node1: 300 + 150 });
    expect(predict(work, { machine: machine(undefined), ranks: 3 }).figures.energy).toBeUndefined();
  });

  test('ranks that share cores or slow them down count as cores', () => {
    const shared = predict(work, {
      machine: machine({ idle: 0, full: 200 }, { nodes: 1, coresPerNode: 1 }),
      ranks: 3,
      oversubscribe: true,
    });
    expect(joules(shared)['node0']).toBeCloseTo(1200, 6);
    const turbo = machine({ idle: 0, full: 200 }, { nodes: 1, turbo: [1, 0.5] });
    // Both at half speed for 2 s, then one for 1 s.
    expect(joules(predict(work, { machine: turbo, ranks: 2 }))['node0']).toBeCloseTo(2 * 200 + 100, 6);
  });

  const POWER = { idle: 100, busy: 120, full: 200 };
  /** Threads of the operating system that cost nothing. */
  const FREE = { create: 0, wakeUp: 0, contextSwitch: 0, timeSlice: 0 };

  test('of a thread model: a thread that computes is a busy core of the first node', () => {
    const sections = threads({
      name: 't',
      build: (t) => t.parallel(2, () => t.compute({ flops: (s) => 1e9 * (s.thread + 1) })),
    });
    const own = machine(POWER, { threads: FREE });
    const run = predict(sections, { machine: own, workers: 2, scheduler: 'os' });
    // Two busy cores for 1 s, then one, on one of three nodes.
    expect(run.figures.runTime.value).toBeCloseTo(2, 12);
    expect(joules(run)).toEqual({ node0: expect.closeTo(200 + 160, 9) });
    expect(run.figures.energy!.value).toBeCloseTo(360 + 400, 9);
    // Three threads on two cores: both busy for 3 / 2 s.
    const many = threads({ name: 'm', build: (t) => t.parallel(3, () => t.compute({ flops: 1e9 })) });
    const crowded = predict(many, { machine: own, workers: 3, scheduler: 'os' });
    expect(crowded.figures.runTime.value).toBeCloseTo(1.5, 9);
    expect(joules(crowded)['node0']).toBeCloseTo(300, 6);
    // The costs of a pool are idle time: the energy is that of the time in which threads compute.
    const pooled = predict(sections, { machine: machine(POWER), workers: 2, scheduler: 'stealing' });
    const time = pooled.figures.runTime.value;
    expect(time).toBeGreaterThan(2);
    expect(joules(pooled)['node0']).toBeCloseTo(100 * time + 40 + 120, 3);
  });

  test('of threads in ranks: those of a rank are busy cores of its node', () => {
    const hybrid = spmd({
      name: 'h',
      build: (m) => {
        m.compute({ flops: 1e9 });
        m.threads({ workers: 2, scheduler: 'os' }, (t) =>
          t.parallel(2, () => t.compute({ flops: (s) => 1e9 * (s.thread + 1) })),
        );
      },
    });
    const run = predict(hybrid, { machine: machine(POWER, { threads: FREE }), ranks: 2 });
    expect(run.figures.runTime.value).toBeCloseTo(3, 12);
    // One core for 1 s, two for 1 s, one for 1 s, on two of three nodes.
    const own = expect.closeTo(160 + 200 + 160, 9);
    expect(joules(run)).toEqual({ node0: own, node1: own });
    expect(run.figures.energy!.value).toBeCloseTo(2 * 520 + 300, 9);
  });

  test('of a lumped run is that of all ranks', () => {
    const halves = spmd({
      name: 'l',
      build: (m) => {
        m.compute({ flops: (s) => 1e9 * (1 + (s.rank % 4)) });
        m.barrier();
        m.compute({ flops: 1e9 });
      },
    });
    const on = { machine: machine(POWER, { nodes: 9 }), ranks: 16 };
    expect(expectSame(halves, on)).toMatchObject({ simulated: expect.any(Number), ranks: 16 });
    const run = predict(halves, { ...on, lump: true });
    expect(run.lumping!.simulated).toBeLessThan(16);
    // Nodes of 1 and 2 s, and of 3 and 4 s, before the barrier at 4 s: then two cores for 1 s.
    const [short, long] = [200 + 160 + 200 + 200, 3 * 200 + 160 + 200];
    const node = (k: number): number => joules(run)[`node${k}`]!;
    expect([0, 1, 2, 7].map(node)).toEqual([short, long, short, long].map((value) => expect.closeTo(value, 9)));
    expect(run.figures.energy!.value).toBeCloseTo(4 * (short + long) + 500, 6);
  });

  test('under LogGOPS a core is busy while it computes, not in the overhead of messages', () => {
    const network = { kind: 'loggops', L: 1, o: 0.5, g: 0, G: 0 } as const;
    const on = cluster({ nodes: 3, coresPerNode: 2, speed: 1e9, network: { ...network, L: 0.9 }, power: POWER });
    const trace = files.path('pair.ti');
    writeFileSync(
      trace,
      '0 init\n0 compute 2e9\n0 send 1 0 1\n0 finalize\n1 init\n1 compute 1e9\n1 recv 0 0 1\n1 finalize\n',
    );
    const pair = spmd({
      name: 'p',
      build: (m) => {
        m.compute({ flops: (s) => 1e9 * (2 - s.rank) });
        m.when(
          (s) => s.rank === 0,
          () => m.send({ to: 1, bytes: 1 }),
        );
        m.when(
          (s) => s.rank === 1,
          () => m.recv({ from: 0 }),
        );
      },
    });
    for (const run of [predict(trace, { machine: on }), predict(pair, { machine: on, ranks: 2 })]) {
      // Both ranks are on node 0: two busy cores for 1 s, one for 1 s; the message takes o + L + o.
      expect(run.figures.runTime.value).toBeCloseTo(3.9, 9);
      expect(joules(run)).toEqual({ node0: expect.closeTo(200 + 160 + 190, 9) });
      expect(run.figures.energy!.value).toBeCloseTo(550 + 780, 9);
      expect(run.notes ?? []).toEqual([]);
    }
  });

  test('replications have the mean', () => {
    const random = spmd({ name: 'r', build: (m) => m.compute({ seconds: 1, noise: noise.uniform(0.5) }) });
    const run = predict(random, { machine: machine({ idle: 100, full: 100 }), ranks: 1, replications: 20 });
    expect(run.figures.energy!.value).toBeCloseTo(300 * run.figures.runTime.value, 6);
  });

  test('a platform that becomes a machine keeps the power of its hosts', () => {
    const { machine: made } = platformMachine(readSimgridPlatform(files.path('flat.xml')));
    expect(made.nodes[0]!.power).toEqual({ idle: 95, busy: 120, full: 200 });
  });

  test('a value that is none is refused with its place', () => {
    expect(() => readSimgridPlatform(files.path('bad.xml'))).toThrow(
      /bad\.xml:4:1: PLAT007 value "95:high:200" of "wattage_per_state" of cluster "c": expected IDLE:EPSILON:ALL_CORES in watts/,
    );
  });

  test('a power for each speed, as SimGrid demands it; the former name of the property is not applied', () => {
    expect(() => readSimgridPlatform(files.path('states-off.xml'))).toThrow(
      /states-off\.xml:3:\d+: PLAT007 value "50:70,80:150" .*, 1 of them as the host has 1 speed, got 2/,
    );
    const { warnings = [], hosts } = readSimgridPlatform(files.path('former.xml'));
    expect(hosts[0]!.power).toBeUndefined();
    expect(warnings.map(({ code, message }) => `${code} ${message}`)).toEqual([
      'PLAT050 property "watt_per_state" of host "n0" is not applied: SimGrid 3.32 reads "wattage_per_state"',
    ]);
  });
});
