import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { convertFile } from '../../../src/commands/convert/convert.ts';
import type { MachineOptions } from '../../../src/commands/inputs/target.ts';
import { predict } from '../../../src/commands/predict/predict.ts';
import type { PredictionDocument } from '../../../src/commands/predict/prediction.ts';

const dir = mkdtempSync(join(tmpdir(), 'foretoken-cfg-'));
afterAll(() => rmSync(dir, { recursive: true }));
const written = (name: string, text: string): string => {
  const path = join(dir, name);
  writeFileSync(path, text);
  return path;
};
const trace = written(
  'l.ti',
  '0 init\n1 init\n0 send 1 0 1000\n1 recv 0 0 1000\n0 isend 1 0 30000\n1 recv 0 0 30000\n0 waitall\n1 send 0 0 200000\n0 recv 1 0 200000\n0 finalize\n1 finalize\n',
);
const platform = (name: string, config: string): string =>
  written(
    name,
    `<?xml version="1.0"?>\n<platform version="4.1">${config}<zone id="w" routing="Full"><host id="a" speed="1Gf"/><host id="b" speed="1Gf"/>
<link id="l" bandwidth="100MBps" latency="20us"/><route src="a" dst="b"><link_ctn id="l"/></route></zone></platform>\n`,
  );
const bare = platform('bare.xml', '');
const configured = platform(
  'configured.xml',
  '<config id="g"><prop id="network/crosstraffic" value="no"/><prop id="smpi/os" value="0:0.0002:0"/><prop id="smpi/bw-factor" value="0:0.7;65536:0.9"/></config>',
);
const run = (machine: string, cfg?: string, networkModel?: string): PredictionDocument =>
  predict(trace, {
    machine,
    ...(cfg === undefined ? {} : { cfg }),
    ...(networkModel === undefined ? {} : { networkModel }),
  });
const time = (...given: Parameters<typeof run>): number => run(...given).figures.runTime.value;

// SimGrid 3.32: the trace replayed with network/model:SMPI and each setting as an option --cfg of its own.
test.each([
  ['bare', undefined, 0.003057031],
  ['bare', 'smpi/bw-factor:0:0.5;10000:0.8 smpi/lat-factor:0:3', 0.003220506],
  ['bare', 'smpi/send-is-detached-thresh:0', 0.003057031],
  ['configured', undefined, 0.003207361],
  ['configured', 'smpi/bw-factor:0:0.5;10000:0.8 smpi/lat-factor:0:3', 0.00327572],
  ['configured', 'smpi/send-is-detached-thresh:0', 0.003007361],
])('the run time on %s with settings %s is that of SimGrid', (name, cfg, expected) => {
  expect(time(name === 'bare' ? bare : configured, cfg)).toBeCloseTo(expected, 8);
});

test('a setting equals the same one in <config>, and wins over another value there', () => {
  const inside = platform('inside.xml', '<config id="g"><prop id="smpi/or" value="0:0.01:0"/></config>');
  expect(time(bare, 'smpi/or:0:0.01:0')).toBe(time(inside));
  expect(time(bare)).toBeCloseTo(time(inside) - 0.02, 12);
  const all = 'network/crosstraffic:yes smpi/os:0:0:0';
  expect(time(configured, `${all} smpi/bw-factor:0:0.5`)).toBe(time(bare, 'smpi/bw-factor:0:0.5'));
});

test('of two values the last one counts', () => {
  expect(time(bare, 'smpi/or:0:1:0 smpi/or:0:0.01:0')).toBe(time(bare, 'smpi/or:0:0.01:0'));
});

test('a setting wins over the name of the network model', () => {
  const plain = time(bare, undefined, 'simgrid-plain');
  expect(time(bare, 'smpi/lat-factor:0:2', 'simgrid-plain')).toBeCloseTo(plain + 3 * 20e-6, 12);
  expect(time(configured, 'smpi/lat-factor:0:1', 'simgrid-plain')).toBe(plain);
});

test('settings that a replay does not use are noted, those without effect are not', () => {
  expect(run(bare, 'cpu/model:ti').notes).toMatchObject([{ code: 'PLAT051', place: { part: '--cfg' } }]);
  expect(run(bare, 'network/latency-factor:2').warnings).toMatchObject([{ code: 'PLAT050' }]);
  expect(run(bare, 'tracing/filename:x').notes).toBeUndefined();
  expect(run(bare, 'smpi/or:0:0.01:0').options.cfg).toBe('smpi/or:0:0.01:0');
});

test.each([
  [
    'an unknown name',
    'smpi/oss:0:1:0',
    /PLAT052 SimGrid 3\.32 has no setting "smpi\/oss"\. Did you mean "smpi\/os"\?|no setting "smpi\/oss"\. Did you mean "smpi\/os"/,
  ],
  ['no value', 'smpi/os', /expected KEY:VALUE, got "smpi\/os"/],
  ['nothing', '', /expected KEY:VALUE, got ""/],
  ['separators only', ' , ', /expected KEY:VALUE, got " , "/],
  ['a malformed value', 'smpi/os:x', /value "x" of "smpi\/os" of --cfg: expected THRESHOLD/],
  ['a negative factor', 'smpi/bw-factor:0:-1', /of "smpi\/bw-factor" of --cfg: expected/],
  ['a negative time', 'smpi/test:-0.1', /value "-0.1" of "smpi\/test" of --cfg: expected a number >= 0/],
  ['a negative weight', 'network/weight-S:-3', /of "network\/weight-S" of --cfg: expected a number >= 0/],
  ['thresholds that contradict each other', 'smpi/async-small-thresh:70000', /expected at most 65536/],
])('refused: %s', (_, cfg, message) => expect(() => run(bare, cfg)).toThrow(message));

test('settings of SimGrid need a SimGrid platform', () => {
  const own = written(
    'm.yaml',
    'nodes: 2\ncoresPerNode: 1\nspeed: 1Gf\nlink: { latency: 1us, bandwidth: 1GB/s }\neagerBelow: 64KiB\n',
  );
  expect(() => run(own, 'smpi/os:0:1:0')).toThrow(/apply to the file of a SimGrid platform, not to/);
});

// SimGrid 3.32, smpirun -replay of the same platform with `smpi/or` of host a: 0.005230 s without the option, 0.015230 s with it.
test('times of calls that are properties of a host win over a setting', () => {
  const host = '<host id="a" speed="1Gf"><prop id="smpi/or" value="0:0.002:0"/></host>';
  const own = written(
    'host.xml',
    `<?xml version="1.0"?>\n<platform version="4.1"><zone id="w" routing="Full">${host}<host id="b" speed="1Gf"/>
<link id="l" bandwidth="1GBps" latency="20us"/><route src="a" dst="b"><link_ctn id="l"/></route></zone></platform>\n`,
  );
  const body = ['compute 2e6', 'send 1 5 4000', 'recv 1 6 700', 'allreduce 100000 0', 'bcast 200000 0'];
  const other = ['compute 1e6', 'recv 0 5 4000', 'send 0 6 700', 'allreduce 100000 0', 'bcast 200000 0'];
  const small = written(
    's.ti',
    [body, other].flatMap((lines, r) => ['init', ...lines, 'finalize'].map((line) => `${r} ${line}\n`)).join(''),
  );
  const at = (options: { cfg?: string }): number => predict(small, { machine: own, ...options }).figures.runTime.value;
  expect(at({})).toBeCloseTo(0.00523, 6);
  expect(at({ cfg: 'smpi/or:0:0.01:0' })).toBeCloseTo(0.01523, 6);
});

test('the machine file of a platform has the settings of --cfg, and its algorithms of collectives', async () => {
  const cluster = written(
    'cluster.xml',
    '<?xml version="1.0"?>\n<platform version="4.1"><cluster id="c" prefix="n" radical="0-7" suffix="" speed="1Gf" bw="1GBps" lat="1us" sharing_policy="SPLITDUPLEX"/></platform>\n',
  );
  const lines = Array.from({ length: 8 }, (_, r) => `${r} init\n${r} bcast 3000 0\n${r} allreduce 100000 1\n`).join('');
  const calls = written('calls.ti', lines);
  const cfg = 'smpi/os:0:1e-5:0;1000:3e-5:1e-9 smpi/bw-factor:0:0.5;10000:0.8 smpi/coll-selector:ompi smpi/bcast:NTSL';
  const machine = join(dir, 'cluster.yaml');
  await convertFile(cluster, machine, { cfg });
  const of = (options: MachineOptions): number => predict(calls, options).figures.runTime.value;
  const expected = of({ machine: cluster, cfg });
  expect(of({ machine, networkModel: 'simgrid-smpi' })).toBeCloseTo(expected, 12);
  expect(readFileSync(machine, 'utf8')).toContain('collectives: "ompi,bcast=NTSL"');
  await convertFile(cluster, machine, {});
  expect(of({ machine, networkModel: 'simgrid-smpi' })).not.toBeCloseTo(expected, 6);
});

test.each(['sdsc-trestles', 'own.yaml'])('other machines than platforms take no settings: %s', async (machine) => {
  const path = machine.endsWith('.yaml') ? written(machine, 'nodes: 2\n') : machine;
  await expect(convertFile(path, join(dir, 'x.json'), { cfg: 'smpi/os:0:1:0' })).rejects.toThrow(
    `PLAT052 --cfg: settings of SimGrid apply to the file of a SimGrid platform, not to "${path}"`,
  );
});
