import { spawnSync } from 'node:child_process';
import { afterAll, expect, test } from 'vitest';
import { TokenGame } from '../../../src/analysis/game/token-game.ts';
import { simulate } from '../../../src/analysis/simulate.ts';
import { predict } from '../../../src/commands/predict/predict.ts';
import { NetBuilder } from '../../../src/net/builder/builder.ts';
import { netToJson } from '../../../src/net/json/json.ts';
import { folder } from '../../trace/support.ts';

/**
 * Rank 3 sends 1 MB to rank 2. Then rank 0 sends 200 kB to ranks 1 and 2 at one instant: both messages have the same first link, the one
 * out of host 0, and that into host 2 is left out by the lazy solver.
 */
const TRACE = [
  ...[0, 1, 2, 3].map((rank) => `${rank} init`),
  ...['3 send 2 0 1000000 6', '2 irecv 3 0 1000000 6', '2 irecv 0 0 200000 6', '1 irecv 0 0 200000 6'],
  ...['0 compute 1e5', '0 isend 1 0 200000 6', '0 isend 2 0 200000 6'],
  ...[0, 1, 2].map((rank) => `${rank} waitall`),
  ...[0, 1, 2, 3].map((rank) => `${rank} finalize`),
];
/** 1.25 GB/s and 10 µs on each link, two links for each message; 16 bytes more than the payload. */
const PLATFORM = (more = '') => `<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">${more}<zone id="z" routing="Full"><cluster id="c" prefix="h" suffix="" radical="0-3" speed="1Gf" bw="1.25GBps" lat="10us" sharing_policy="SPLITDUPLEX"/></zone></platform>
`;
const CONFIG = '<config><prop id="network/optim" value="Lazy"/></config>';
const files = folder({
  'app.ti': `${TRACE.join('\n')}\n`,
  'app.list': 'app.ti\n',
  hosts: 'h0\nh1\nh2\nh3\n',
  'p.xml': PLATFORM(),
  'two.ti': '0 init\n1 init\n0 send 1 0 1000 6\n1 recv 0 0 1000 6\n0 finalize\n1 finalize\n',
  bw: '0 1e9\n1 1e8\n',
  'changing.xml':
    '<?xml version="1.0"?>\n<platform version="4.1"><zone id="z" routing="Full"><host id="a" speed="1Gf"/><host id="b" speed="1Gf"/><link id="l" bandwidth="1GBps" latency="1us" bandwidth_file="bw"/><route src="a" dst="b"><link_ctn id="l"/></route></zone></platform>\n',
  'lazy.xml': PLATFORM(CONFIG),
  // Rank 1 sends 20 bytes to rank 2 on host a, and at the same instant rank 0 on a 1.4 MB to rank 1 on b.
  'listed.ti': `${[
    ...[0, 1, 2].map((rank) => `${rank} init`),
    ...['1 isend 2 1 1 1', '2 irecv 1 1 1 1', '0 isend 1 1 352855 1', '1 irecv 0 1 352855 1'],
    ...[0, 1, 2].map((rank) => `${rank} waitall`),
    ...[0, 1, 2].map((rank) => `${rank} finalize`),
  ].join('\n')}\n`,
  'listed-hosts': 'a\nb\na\n',
  'listed.xml': `<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1"><zone id="z" routing="Dijkstra"><host id="a" speed="1Gf"/><host id="b" speed="1Gf"/>
<link id="l0" bandwidth="184MBps" latency="4us" sharing_policy="FATPIPE"/><link id="l1" bandwidth="49MBps" latency="94us" sharing_policy="FATPIPE"/>
<link id="l2" bandwidth="18MBps" latency="12us" sharing_policy="SPLITDUPLEX"/>
<route src="a" dst="b"><link_ctn id="l0"/><link_ctn id="l1"/><link_ctn id="l2" direction="UP"/></route></zone></platform>
`,
  'own.yaml':
    'nodes: 4\ncoresPerNode: 1\neagerBelow: 64KiB\ndetachedBelow: 64KiB\nspeed: 1Gf\nlink: { latency: 10us, bandwidth: 1.25GB/s }\n',
});
afterAll(() => files.remove());

const [WIRE, SMALL, RATE, LATENCY] = [1_000_016, 200_016, 1.25e9, 20e-6];
/** Rank 0 sends 200 kB at half the rate to each; with its fair share the large message loses half of its rate meanwhile. */
const ENDS = {
  Lazy: LATENCY + WIRE / RATE,
  Full: LATENCY + (WIRE + SMALL) / RATE,
};
const endsOf = (machine: string, cfg?: string): (number | null)[] =>
  predict(files.path('app.ti'), {
    machine: files.path(machine),
    hostfile: files.path('hosts'),
    networkModel: 'simgrid-plain',
    ...(cfg === undefined ? {} : { cfg }),
  }).ranks.map(({ endTime }) => endTime);

test('lazy leaves out the second link of the second message that begins at an instant', () => {
  const short = 1e-4 + LATENCY + (2 * SMALL) / RATE;
  const expected = (end: number) => [short, short, end, end].map((at) => expect.closeTo(at, 13));
  expect(endsOf('p.xml')).toEqual(expected(ENDS.Full));
  expect(endsOf('p.xml', 'network/optim:Full')).toEqual(expected(ENDS.Full));
  expect(endsOf('p.xml', 'network/optim:Lazy')).toEqual(expected(ENDS.Lazy));
  expect(endsOf('lazy.xml')).toEqual(expected(ENDS.Lazy));
  expect(endsOf('lazy.xml', 'network/optim:Full')).toEqual(expected(ENDS.Full));
});

const hasSimGrid = spawnSync('sh', ['-c', 'command -v smpirun'], { stdio: 'ignore' }).status === 0;

/** SimGrid's options for simgrid-plain. */
const PLAIN = [
  ...['network/model:CM02', 'network/bandwidth-factor:1', 'network/latency-factor:1', 'network/weight-S:0'],
  ...['network/TCP-gamma:0', 'network/crosstraffic:0', 'smpi/os:0:0:0:0:0', 'smpi/ois:0:0:0:0:0', 'smpi/or:0:0:0:0:0'],
];

/** The run time in SimGrid. */
function simgridTime(trace: string, platform: string, hosts: string, ranks: number, optim: string): number {
  const list = folder({ list: `${files.path(trace)}\n` });
  const settings = [...PLAIN, 'surf/precision:1e-12', `network/optim:${optim}`].map((one) => `--cfg=${one}`);
  const given = [
    '-platform',
    files.path(platform),
    '-hostfile',
    files.path(hosts),
    '--log=smpi_replay.thres:verbose',
    '--log=root.fmt:%.12r%e%m%n',
  ];
  const args = ['-no-privatize', '-replay', list.path('list'), '-np', String(ranks), ...given, ...settings];
  const { stdout, stderr } = spawnSync('smpirun', args, { encoding: 'utf8' });
  list.remove();
  return Number(/^(\S+) Simulation time/m.exec(stdout + stderr)?.[1]);
}

test.skipIf(!hasSimGrid).each(['Lazy', 'Full'] as const)('these are the times of SimGrid: %s', (optim) => {
  expect(simgridTime('app.ti', 'p.xml', 'hosts', 4, optim)).toBeCloseTo(ENDS[optim], 11);
});

/**
 * SimGrid lists the links of each written route of a Dijkstra zone backwards, so that the first link is l0 from b to a, and l2 from a to b.
 * The message that begins last would leave out l2, whose bandwidth limits it, if its first link were l0.
 */
test('the first link of a route is the one that SimGrid lists first', () => {
  const end = 110e-6 + (4 * 352855 + 16) / 18e6;
  const found = predict(files.path('listed.ti'), {
    machine: files.path('listed.xml'),
    hostfile: files.path('listed-hosts'),
    networkModel: 'simgrid-plain',
    cfg: 'network/optim:Lazy',
  });
  expect(found.figures.runTime.value).toBeCloseTo(end, 12);
  if (hasSimGrid) expect(simgridTime('listed.ti', 'listed.xml', 'listed-hosts', 3, 'Lazy')).toBeCloseTo(end, 11);
});

test('a machine file, another value, and links that change do not go with lazy', () => {
  expect(() => endsOf('own.yaml', 'network/optim:Lazy')).toThrow(/--network-solver: settings of SimGrid apply/);
  expect(() => endsOf('p.xml', 'network/optim:lazy')).toThrow(/expected Lazy or Full/);
  const { notes = [], warnings } = predict(files.path('two.ti'), {
    machine: files.path('changing.xml'),
    ranks: 2,
    cfg: 'network/optim:Lazy',
  });
  expect([...notes, ...warnings].map(({ code, message }) => `${code} ${message}`)).toEqual([
    'PLAT051 NOT APPLIED: setting "network/optim" with value "Lazy": link "l" changes over time. SimGrid\'s times differ',
  ]);
});

/** At 1 s a token on link a and one on a and b begin; one that has 2 of its 3 units left is on b. */
function lazyNet(more: object = {}) {
  const n = new NetBuilder('lazy');
  const Flow = n.range('Flow', 0, 2);
  const routes = n.routesTable(
    'routes',
    Int32Array.of(0, 1, 3, 4),
    Int32Array.of(0, 0, 1, 1),
    new Float64Array(4).fill(1),
  );
  const latency = n.realTable('latency', Float64Array.of(1, 1, 0));
  const amount = n.realTable('amount', Float64Array.of(1, 1, 3));
  const links = ['a', 'b'].map((name) => ({ name, capacity: 1, fatpipe: false, ...more }));
  const shared = n.place(
    'shared',
    { f: Flow },
    {
      initial: [0, 1, 2].map((f) => ({ f })),
      service: ({ f }) => ({
        ...{ links, weight: 1, bound: 10, routes, route: f },
        ...{ amount: amount.at(f), latency: latency.at(f), solver: 'lazy' as const },
      }),
    },
  );
  n.transition('end', (t) => {
    t.take(shared);
  });
  return n.build();
}

test('a net has the lazy solver, and its JSON', () => {
  const { time } = simulate(lazyNet());
  expect(time).toBe(3);
  expect(netToJson(lazyNet())).toContain('"solver": "lazy"');
  expect(() => lazyNet({ byTokens: [1, 2] })).toThrow(/NET015.*link "a" changes/);
  expect(() => new TokenGame(lazyNet())).toThrow(/RUN018 place shared/);
});
