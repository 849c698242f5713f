import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { predict } from '../../../src/commands/predict/predict.ts';

// Small cases with run times of SimGrid 3.32 (smpirun -replay, settings as in docs/evidence.md), or computed by hand.
const dir = mkdtempSync(join(tmpdir(), 'foretoken-cases-'));
afterAll(() => rmSync(dir, { recursive: true }));

function ends(name: string, platform: string, trace: string, networkModel?: string): (number | null)[] {
  const ranks =
    1 +
    Math.max(
      ...trace
        .trim()
        .split('\n')
        .map((l) => Number(l.split(' ')[0])),
    );
  const lines = Array.from({ length: ranks }, (_, r) => `${r} init\n`).join('') + trace.trimStart();
  const file = join(dir, `${name}.ti`);
  const machine = join(dir, `${name}.xml`);
  writeFileSync(file, lines);
  writeFileSync(machine, `<?xml version="1.0"?>\n<platform version="4.1">${platform}</platform>\n`);
  return predict(file, { machine, ...(networkModel === undefined ? {} : { networkModel }) }).ranks.map(
    (r) => r.endTime,
  );
}

const NIC =
  '<cluster id="c" prefix="n" suffix="" radical="0-7" speed="1Gf" bw="1.25GBps" lat="10us" sharing_policy="SPLITDUPLEX"/>';

test('a receive of any tag takes the oldest message, also if messages of two protocols wait (eager)', () => {
  const trace = `
0 isend 1 2 323
0 send 1 3 361672
1 sleep 1
1 irecv 0 -444 323
1 irecv 0 3 361672
1 waitall
`;
  const [, receiver] = ends('any-tag', NIC, trace, 'simgrid-eager');
  expect(receiver).toBeCloseTo(1.0003093504, 9);
});

test('a saturated FATPIPE holds flows of unequal latency at one level', () => {
  const platform = `<zone id="z" routing="Full"><host id="a" speed="1Gf"/><host id="b" speed="1Gf"/><host id="c" speed="1Gf"/>
<link id="pipe" bandwidth="1MBps" latency="1ms" sharing_policy="FATPIPE"/><link id="far" bandwidth="1GBps" latency="2ms"/>
<route src="a" dst="b"><link_ctn id="pipe"/></route><route src="a" dst="c"><link_ctn id="pipe"/><link_ctn id="far"/></route>
<route src="b" dst="c"><link_ctn id="far"/></route></zone>`;
  const trace = `
0 isend 1 1 999984
0 isend 2 1 999984
0 waitall
1 recv 0 1 999984
2 recv 0 1 999984
`;
  const [sender, near, far] = ends('level', platform, trace, 'simgrid-plain');
  expect(near).toBeCloseTo(1.001, 9);
  expect(far).toBeCloseTo(1.6683333333, 9);
  expect(sender).toBe(far);
});

test('ranks that wake together send in rank order, independent of operation names', () => {
  const trace = `
0 recv -555 7 1000000
0 recv -555 7 1000000
1 send 0 7 100000
2 isend 0 7 1000000
`;
  const [, first] = ends('wake', NIC, trace, 'simgrid-plain');
  // Rank 1's message is matched first, so its time is 20 us plus its own bytes.
  expect(first).toBeCloseTo(20e-6 + 100016 / 1.25e9, 12);
});

test('the number of bytes on the wire decides the factor of the bandwidth', () => {
  const platform = `<config id="General"><prop id="smpi/bw-factor" value="1000:0.5"/>
<prop id="smpi/lat-factor" value=""/><prop id="network/crosstraffic" value="no"/><prop id="network/weight-S" value="0"/></config>
<zone id="z" routing="Full"><host id="a" speed="1Gf"/><host id="b" speed="1Gf"/>
<link id="l" bandwidth="1MBps" latency="1ms"/><route src="a" dst="b"><link_ctn id="l"/></route></zone>`;
  const time = (bytes: number): number | null =>
    ends('wire', platform, `0 send 1 1 ${bytes}\n1 recv 0 1 ${bytes}\n`)[1]!;
  // 16 more than the message has.
  expect(time(984)).toBeCloseTo(1e-3 + 1000 / 1e6, 12);
  expect(time(985)).toBeCloseTo(1e-3 + 1001 / 0.5e6, 12);
});

test('a receive from any rank takes no message of another tag', () => {
  const trace = `
0 sleep 1
0 send 2 7 0
1 sleep 2
1 send 2 8 0
2 recv -555 8 0
2 recv -555 7 0
`;
  const [first, second, receiver] = ends('other-tag', NIC, trace, 'simgrid-rendezvous');
  const message = 20e-6 + 16 / 1.25e9;
  expect(second).toBeCloseTo(2 + message, 12);
  expect([first, receiver].map((t) => t! - second!)).toEqual([message, message].map((t) => expect.closeTo(t, 12)));
});

test('a test that succeeds ends the growth of the pauses', () => {
  const platform = `<config id="General"><prop id="smpi/test" value="0.001"/></config>${NIC}`;
  const trace = `
0 irecv 1 1 0
0 irecv 1 2 0
0 test 1 0 1
0 test 1 0 1
0 test 1 0 2
1 sleep 0.0015
1 send 0 1 0
1 send 0 2 0
`;
  // The first test finds nothing after 1 ms, the second waits for 2 ms, the third for 1 ms again.
  expect(ends('tests', platform, trace)[0]).toBeCloseTo(0.004, 12);
});

describe('the first k-nomial bcast of a trace, on a network whose messages take 1 us', () => {
  const machine = join(dir, 'nodes.yaml');
  const nodes = (count: number): void =>
    writeFileSync(
      machine,
      `nodes: ${count}\ncoresPerNode: ${8 / count}\nspeed: 1Gf\nlink: { latency: 500ns, bandwidth: 1e9GB/s }\nintraNode: { latency: 1us, bandwidth: 1e9GB/s }\neagerBelow: 0\ndetachedBelow: 64KiB\n`,
    );
  const run = (calls: number, options: object): number => {
    const trace = join(dir, 'first.ti');
    const lines = Array.from({ length: 4 }, (_, r) => `${r} init\n${`${r} bcast 100 0\n`.repeat(calls)}`);
    writeFileSync(trace, lines.join(''));
    const chosen = { machine, collectives: 'bcast=mvapich2_knomial_intra_node', ...options };
    return predict(trace, chosen).figures.runTime.value * 1e6;
  };

  test.each([
    // A ring of 4, one of 4 leaders, a reduce, a binomial bcast of 2 rounds, then the call: 3 + 3 + 1 + 2 + 1.
    [8, 'cyclic', 10],
    // A ring of 4, one of 2 leaders, a scatter and a ring of 2 ranks on each node, and the rest.
    [2, 'cyclic', 3 + 1 + 2 + 1 + 2 + 1],
  ])('sets up communicators of nodes under the models of SimGrid: %i nodes', (count, placement, expected) => {
    nodes(count);
    expect(run(1, { placement, networkModel: 'simgrid-plain' })).toBeCloseTo(expected, 3);
    expect(run(2, { placement, networkModel: 'simgrid-plain' })).toBeCloseTo(expected + 1, 3);
  });

  test('does not under other network models', () => {
    nodes(8);
    expect(run(1, { placement: 'cyclic' })).toBeCloseTo(1, 3);
    expect(run(1, { placement: 'cyclic', loggops: 'L=1000,o=0,g=0,G=0' })).toBeCloseTo(1, 3);
  });
});
