import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { inputFile } from '../../../src/commands/inputs/inputs.ts';
import { predict } from '../../../src/commands/predict/predict.ts';
import { rerunOf } from '../../../src/commands/predict/predict-rerun.ts';
import type { PredictionDocument } from '../../../src/commands/predict/prediction.ts';
import { renderPrediction } from '../../../src/commands/predict/view/terminal.ts';
import { verifyProgram } from '../../../src/commands/verify/program/verify-program.ts';
import { cluster } from '../../../src/machine/cluster.ts';
import { changeMachine } from '../../../src/machine/description/machine-parameters.ts';
import { idealNetwork } from '../../../src/machine/ideal-network.ts';
import { readSimgridPlatform } from '../../../src/machine/simgrid/simgrid-xml.ts';
import { spmd } from '../../../src/models/program/model.ts';
import { threads } from '../../../src/models/threads/program/threads.ts';
import { folder } from '../../trace/support.ts';

/** SimGrid's launcher of replays (Debian: libsimgrid-dev). */
const HAS_SMPIRUN = ((): boolean => {
  try {
    execFileSync('sh', ['-c', 'command -v smpirun'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

const platform = (host: string, link: string, more = ''): string => `<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1"><zone id="w" routing="Full">
<host id="a" speed="1Gf"/><host id="b" speed="1Gf" ${host}/><host id="c" speed="1Gf"/>
<link id="l" bandwidth="1MBps" latency="1ms" ${link}/><link id="k" bandwidth="1MBps" latency="1ms"/>
<route src="a" dst="b"><link_ctn id="l"/></route><route src="b" dst="c"><link_ctn id="k"/></route>
<route src="a" dst="c"><link_ctn id="k"/></route></zone>
${more}</platform>
`;
const lines = (...rows: readonly string[]): string => `${rows.join('\n')}\n`;
const files = folder({
  'down.txt': lines('# fails, and returns', '2 0', '5 1'),
  'slow.txt': lines('PERIODICITY 4', '1 0.5', '2 1'),
  'narrow.txt': lines('1 5e5', '3 2e6'),
  'late.txt': lines('2 0.5'),
  'plain.xml': platform('', ''),
  'slow.xml': platform('speed_file="slow.txt"', ''),
  'inline.xml': platform(
    '',
    '',
    '<trace id="s" periodicity="4.0">\n1 0.5\n2 1\n</trace><trace_connect kind="SPEED" trace="s" element="b"/>\n',
  ),
  'narrow.xml': platform('', 'bandwidth_file="narrow.txt"'),
  'late.xml': platform('', 'latency_file="late.txt"'),
  'host.xml': platform('state_file="down.txt"', ''),
  'link.xml': platform('', 'state_file="down.txt"'),
  'work.ti': lines('0 init', '1 init', '0 sleep 0.001', '1 compute 1e10', '0 finalize', '1 finalize'),
  'send.ti': lines('0 init', '1 init', '0 send 1 0 4000000 6', '1 recv 0 0 4000000 6', '0 finalize', '1 finalize'),
  'later.ti': lines(
    '0 init',
    '1 init',
    '0 sleep 6',
    '0 send 1 0 100 6',
    '1 recv 0 0 100 6',
    '0 finalize',
    '1 finalize',
  ),
  'three.ti': lines(
    ...['0 init', '1 init', '2 init', '0 compute 1e9', '1 compute 4e9', '0 send 1 0 4000000 6'],
    ...['1 recv 0 0 4000000 6', '2 recv 1 0 100 6', '1 send 2 0 100 6', '0 finalize', '1 finalize', '2 finalize'],
  ),
});
afterAll(files.remove);

/** Writes another file and returns its path. */
const write = (name: string, text: string): string => {
  writeFileSync(files.path(name), text);
  return files.path(name);
};
const run = (trace: string, machine: string, networkModel = 'simgrid-plain'): PredictionDocument =>
  predict(files.path(trace), { machine: files.path(machine), networkModel });
const settings = [
  ...['network/model:CM02', 'network/bandwidth-factor:1', 'network/latency-factor:1', 'network/weight-S:0'],
  ...['network/TCP-gamma:0', 'network/crosstraffic:0', 'smpi/os:0:0:0:0:0', 'smpi/or:0:0:0:0:0', 'smpi/ois:0:0:0:0:0'],
  ...['surf/precision:1e-12', 'network/optim:Full'],
];
/** What SimGrid says of the replay of a trace: its time, or the ranks that wait and since when. */
function simgrid(trace: string, machine: string): string {
  const list = write('list', `${files.path(trace)}\n`);
  const count = new Set(
    readFileSync(files.path(trace), 'utf8')
      .split('\n')
      .flatMap((line) => line.split(' ')[0] || []),
  ).size;
  const args = ['-no-privatize', '-replay', list, '-np', `${count}`, '-platform', files.path(machine)];
  args.push('--log=root.fmt:%.12r%e%P%e%m%n', ...settings.map((s) => `--cfg=${s}`));
  return execFileSync('sh', ['-c', '"$@" 2>&1 || true', 'sh', 'smpirun', ...args], { encoding: 'utf8' });
}

describe('platforms that change over time, by hand and by SimGrid', () => {
  test.each([
    // Rates 1, 0.5, 1, 1 in each 4 s: 7 in 8 s, then 1 + 0.5 + 1 + 0.5.
    ['work.ti', 'slow.xml', 11.5],
    ['work.ti', 'inline.xml', 11.5],
    // 1 ms, 0.999 MB until 1 s, 1 MB until 3 s, then the rest of 4,000,016 B at 2 MB/s.
    ['send.ti', 'narrow.xml', 3 + 2.001016 / 2],
    ['send.ti', 'late.xml', 4.001016],
    ['later.ti', 'late.xml', 6.500116],
    ['later.ti', 'link.xml', 6.001116],
  ])('%s on %s ends after %f s', (trace, machine, time) => {
    expect(run(trace, machine).figures.runTime.value).toBeCloseTo(time, 9);
    if (!HAS_SMPIRUN) return;
    const [, said] = /^(\S+) \d+ Simulation time/m.exec(simgrid(trace, machine))!;
    expect(Number(said)).toBeCloseTo(time, 9);
  });

  test('a host that computes all the time is used in full', () => {
    const host = run('work.ti', 'slow.xml').resources.find(({ name }) => name === 'b')!;
    expect(host.amount.value).toBe(1e10);
    expect(host.utilisation).toBeCloseTo(1, 12);
  });

  test('a failed host: its rank stops, the others wait for it, as in SimGrid', () => {
    const { deadlock, failures, figures } = run('three.ti', 'host.xml');
    expect(failures).toEqual([{ kind: 'host', name: 'b', time: 2, ranks: [1] }]);
    expect(deadlock).toMatchObject([
      { rank: 0, line: 6, waitsFor: [1], since: expect.closeTo(1, 12) },
      { rank: 1, line: 5, waitsFor: [], since: 2, failed: 'b' },
      { rank: 2, line: 8, waitsFor: [1], since: 0 },
    ]);
    expect(figures.runTime.value).toBe(2);
    if (!HAS_SMPIRUN) return;
    const said = simgrid('three.ti', 'host.xml');
    expect(said).toMatch(/^2\.0+ .*Deadlock/m);
    expect([...said.matchAll(/Actor \d+ \((\d)@/g)].map(([, rank]) => Number(rank))).toEqual([0, 2]);
  });

  test('a failed link: the message is lost, its ranks wait', () => {
    const document = run('three.ti', 'link.xml');
    expect(document.failures).toEqual([{ kind: 'link', name: 'l', time: 2, ranks: [0, 1] }]);
    expect(document.deadlock.map(({ rank, waitsFor }) => [rank, waitsFor])).toEqual([
      [0, [1]],
      [1, [0]],
      [2, [1]],
    ]);
    const text = renderPrediction(document, { colour: false, unicode: true, width: 100 } as never);
    expect(text).toContain('link l fails at 2.000 s: a message between ranks 0,1 is lost');
  });

  test('a rank that sleeps on a failed host has not ended', () => {
    const { deadlock } = run('later.ti', 'host.xml');
    // Rank 0 does not wait for its small message.
    expect(deadlock.map(({ rank, failed }) => [rank, failed])).toEqual([[1, 'b']]);
  });
});

describe('machines that change over time', () => {
  const machine = (changes: object[]) =>
    cluster({
      nodes: 2,
      coresPerNode: 2,
      speed: 1e9,
      link: { latency: 0, bandwidth: 1e6 },
      eagerBelow: 0,
      changes: changes as never,
    });
  const work = spmd({ name: 'w', build: (m) => m.compute({ flops: 3e9 }) });
  const sends = spmd({
    name: 's',
    build: (m) => {
      m.when(
        (s) => s.rank === 0,
        () => m.send({ to: 1, bytes: 4e6 }),
        () => m.recv({ from: 0 }),
      );
    },
  });

  test('nodes: the speed of each of their cores', () => {
    const slower = machine([{ of: 'node0', speed: [{ at: '1s', factor: 0.5 }] }]);
    const ends = predict(work, { machine: slower, ranks: 4 }).ranks.map(({ endTime }) => Number(endTime!.toFixed(12)));
    expect(ends).toEqual([5, 5, 3, 3]);
    const faster = machine([
      {
        of: 'node1',
        speed: [
          { at: 0, factor: 2 },
          { at: 1, factor: 1 },
        ],
        every: '2s',
      },
    ]);
    expect(predict(work, { machine: faster, ranks: 4 }).ranks[3]!.endTime).toBeCloseTo(2, 12);
  });

  test('links: bandwidth, latency, failures, in models and changed machines', () => {
    const run = (change: object) => predict(sends, { machine: machine([change]), ranks: 2, placement: 'cyclic' });
    expect(run({ of: 'node1.down', bandwidth: [{ at: '2s', factor: 0.5 }] }).figures.runTime.value).toBe(6);
    const failed = run({ of: 'node0.up', fails: '1s' });
    expect(failed.failures).toEqual([{ kind: 'link', name: 'node0.up', time: 1, ranks: [0, 1] }]);
    expect(failed.deadlock.map(({ waitsFor }) => waitsFor)).toEqual([[1], [0]]);
    const stopped = run({ of: 'node1', fails: '1s' });
    expect(stopped.deadlock).toMatchObject([
      { rank: 0, waitsFor: [1] },
      { rank: 1, failed: 'node1' },
    ]);
    // A host that fails at once does nothing, and has no capacity.
    const none = predict(work, { machine: machine([{ of: 'node1', fails: 0 }]), ranks: 4 });
    expect(none.failures).toEqual([{ kind: 'host', name: 'node1', time: 0, ranks: [2, 3] }]);
    expect(none.resources.find(({ name }) => name === 'node1')).toMatchObject({ utilisation: 0, amount: { value: 0 } });
    const narrow = machine([{ of: 'node1.down', bandwidth: [{ at: '2s', factor: 0.5 }] }]);
    const wider = changeMachine(narrow, 'link.bandwidth', 'x2');
    expect(predict(sends, { machine: wider, ranks: 2, placement: 'cyclic' }).figures.runTime.value).toBe(2);
    const ideal = predict(sends, { machine: idealNetwork(narrow), ranks: 2, placement: 'cyclic' });
    expect(ideal.figures.runTime.value).toBeLessThan(1e-20);
  });

  test('verify says that it leaves failures out', () => {
    const changed = machine([
      { of: 'node1', fails: '1s' },
      { of: 'node0.up', fails: 2, returns: 3 },
    ]);
    const { notes = [], instances } = verifyProgram(sends, { ranks: 2, machine: changed });
    expect(instances.length).toBeGreaterThan(0);
    expect(notes.map(({ code, message }) => `${code} ${message}`)).toEqual([
      'VER006 failures of the machine are left out, because orders have no times: host node1 at 1.000 s, link node0.up at 2.000 s. For a run with them, use predict',
    ]);
    expect(
      verifyProgram(sends, { ranks: 2, machine: machine([{ of: 'node1', speed: [{ at: 1, factor: 0.5 }] }]) }).notes,
    ).toBeUndefined();
  });

  test('threads, schedules and wrong changes are refused with what is expected', () => {
    const slower = machine([{ of: 'node0', speed: [{ at: '1s', factor: 0.5 }] }]);
    const loop = threads({ name: 't', build: (t) => t.compute({ flops: 1e9 }) });
    expect(() => predict(loop, { machine: slower, workers: 1 })).toThrow(/MACH043 host "node0" changes over time/);
    expect(() => predict(work, { machine: slower, ranks: 1, loggops: 'L=1' })).toThrow(
      /GOAL00[68].*host "node0".*changes over time/,
    );
    const wrong: [object, RegExp][] = [
      [
        { of: 'node2', fails: 1 },
        /MACH011 cluster\.changes\.0\.of: unknown node or link "node2"\. Did you mean "node0"\?/,
      ],
      [{ of: 'node0', bandwidth: [{ at: 1, factor: 1 }] }, /"node0" is a node: expected speed or fails/],
      [
        {
          of: 'node0',
          speed: [
            { at: 2, factor: 1 },
            { at: 1, factor: 1 },
          ],
        },
        /expected ascending times, from 2 s on; got 1/,
      ],
      [{ of: 'node0', speed: [{ at: 2, factor: 0 }] }, /expected a factor above 0; use `fails` for a node that fails/],
      [{ of: 'node0', speed: [{ at: 2, factor: 1 }], every: 1 }, /expected a time up to `every`, 1 s; got 2/],
      [{ of: 'node0.up', fails: 2, returns: 1 }, /expected a time after `fails`, 2 s; got 1/],
      [{ of: 'node0' }, /"node0" does not change: give speed or fails/],
    ];
    for (const [change, message] of wrong) expect(() => machine([change])).toThrow(message);
  });
});

test.each([
  [lines('2 0.5', '1 1'), 'speed', /p\.txt:2:1: PLAT014 time 1 s after 2 s: expected times that ascend/],
  [lines('-1 0.5'), 'speed', /p\.txt:1:1: PLAT014 time -1 s after 0 s: expected times that ascend from 0 s on/],
  [
    lines('1 -0.5'),
    'speed',
    /p\.txt:1:1: PLAT014 speed_file of host "b": value -0\.5 at 1 s: expected a factor .* above 0/,
  ],
  [
    lines('1 0'),
    'bandwidth',
    /PLAT014 bandwidth_file of link "l": value 0 at 1 s: expected byte\/s above 0; a link that fails has a state of 0/,
  ],
  [lines('1 -1'), 'latency', /value -1 at 1 s: expected seconds from 0 on/],
  [lines('1 0.5'), 'state', /value 0\.5 at 1 s: expected 0 \(it fails\) or 1/],
  [lines('1'), 'speed', /"1": expected a time in seconds and a value, or PERIODICITY or LOOPAFTER and seconds/],
  [lines('STOCHASTIC', 'EXP 1 UNIF 0 1'), 'speed', /profiles that are drawn at random are not modelled/],
  [lines('PERIODICITY 2', '1 1', '3 1'), 'speed', /repeated after 2 s, before its last time: expected at least 3 s/],
  [lines('# nothing'), 'speed', /the profile has no line of a time and a value/],
])('profile %j of a %s is refused', (text, of, message) => {
  write('p.txt', text);
  const attribute = `${of}_file="p.txt"`;
  const isHost = of === 'speed';
  write('p.xml', platform(isHost ? attribute : '', isHost ? '' : attribute));
  expect(() => readSimgridPlatform(files.path('p.xml'))).toThrow(message);
});

test.each([
  ['<trace_connect kind="SPEED" trace="s" element="b"/>', /PLAT014 unknown trace "s"/],
  [
    '<trace id="slow" periodicity="-1">\n1 1\n</trace><trace_connect kind="SPEED" trace="slw" element="b"/>',
    /unknown trace "slw"\. Did you mean "slow"\?/,
  ],
  [
    '<trace id="s" periodicity="-1">\n1 1\n</trace><trace_connect kind="SPEED" trace="s" element="bb"/>',
    /unknown host "bb"\. Did you mean "b"\?/,
  ],
  [
    '<trace id="s" periodicity="-1">\n1 1\n</trace><trace_connect kind="SPED" trace="s" element="b"/>',
    /kind "SPED" of <trace_connect>\. Did you mean "SPEED"\?/,
  ],
  ['<trace id="s" periodicity="-1" file="none.txt"/>', /PLAT014 profile "none.txt": cannot be opened/],
  ['<trace id="s" periodicity="-1">\n2 1\n1 1\n</trace>', /bad\.xml:10:1: PLAT014 time 1 s after 2 s/],
  ['<trace id="s">\n2 1\n</trace>', /PLAT006 <trace> lacks the attribute periodicity/],
])('%s is refused', (more, message) => {
  write('bad.xml', platform('', '', more));
  expect(() => readSimgridPlatform(files.path('bad.xml'))).toThrow(message);
});

test('files of profiles are inputs: a result is not repeated with a changed one', () => {
  const slow = readFileSync(files.path('slow.txt'), 'utf8');
  const { path: _, ...digest } = inputFile(files.path('slow.txt'));
  const ofTrace = run('work.ti', 'slow.xml');
  expect(ofTrace.inputs.members).toEqual([expect.objectContaining(digest)]);
  const model = spmd({ name: 'm', build: (m) => m.compute({ flops: 1e9 }) });
  expect(predict(model, { machine: files.path('slow.xml') }).inputs.members).toEqual(ofTrace.inputs.members);
  expect(run('work.ti', 'plain.xml').inputs.members).toBeUndefined();
  expect(rerunOf(ofTrace, files.path('result.json')).input).toMatch(/work\.ti$/);
  write('slow.txt', lines(slow, '3 0.5'));
  try {
    expect(() => rerunOf(ofTrace, files.path('result.json'))).toThrow(/slow\.txt: APP011 has changed/);
  } finally {
    write('slow.txt', slow);
  }
});
