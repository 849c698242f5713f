/**
 * npx tsx test/commands/predict/random-simgrid/record.ts FROM TO > test/commands/predict/random-simgrid/ends-3.32.jsonl: the ends that
 * SimGrid's replay computes for the cases of these seeds; with `FROM TO profiles`, > profile-ends-3.32.jsonl, on platforms that change
 * over time. Needs SimGrid 3.32 (Debian: libsimgrid-dev, for smpirun). About four cases a
 * second.
 *
 * One entry (JSON) a line: seed, and the end of each rank's last action in seconds; cases on which SimGrid aborts or deadlocks are absent,
 * as under `mpich`, whose reductions have no operator in a replay. With SimGrid's default `network/optim:Lazy` some rates no longer fit
 * (docs/evidence.md), so all are recorded with `Full`.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Case, caseOf, profiledCase } from './cases.ts';

const zero = ['smpi/os', 'smpi/ois', 'smpi/or'].map((name) => `${name}:0:0:0:0:0`);
const PLAIN = [
  ...['network/model:CM02', 'network/bandwidth-factor:1', 'network/latency-factor:1', 'network/weight-S:0'],
  ...['network/TCP-gamma:0', 'network/crosstraffic:0', 'smpi/test:0', 'smpi/iprobe:0', 'smpi/init:0', 'smpi/wtime:0'],
  ...[...zero, 'maxmin/concurrency-limit:-1'],
];
const SETTINGS: Readonly<Record<string, readonly string[]>> = {
  'simgrid-plain': PLAIN,
  'simgrid-eager': [...PLAIN, 'smpi/async-small-thresh:65536'],
  'simgrid-rendezvous': [...PLAIN, 'smpi/send-is-detached-thresh:0'],
  'simgrid-smpi': [],
};

/** The ends of all ranks; undefined if SimGrid does not come to the end. */
function endsOf(
  { xml, hosts, trace, model, collectives, files = {} }: Case & { readonly files?: Readonly<Record<string, string>> },
  dir: string,
): number[] | undefined {
  const write = (name: string, text: string): string => {
    writeFileSync(join(dir, name), text);
    return join(dir, name);
  };
  for (const [name, text] of Object.entries(files)) write(name, text);
  const list = write('list', `${write('trace.ti', trace)}\n`);
  const selector = collectives === 'simgrid' ? [] : [`smpi/coll-selector:${collectives}`];
  const settings = [
    ...SETTINGS[model]!,
    ...selector,
    'surf/precision:1e-12',
    `network/optim:${isLazy ? 'Lazy' : 'Full'}`,
  ];
  const args = ['-no-privatize', '-replay', list, '-np', `${hosts.length}`];
  args.push('-platform', write('platform.xml', xml), '-hostfile', write('hosts', `${hosts.join('\n')}\n`));
  args.push('--log=smpi_replay.thres:verbose', '--log=root.fmt:%.12r%e%P%e%m%n', ...settings.map((s) => `--cfg=${s}`));
  const { stdout, stderr } = spawnSync('smpirun', args, { encoding: 'utf8', timeout: 60_000 });
  const out = stdout + stderr;
  if (!out.includes('Simulation time')) return undefined;
  const ends = hosts.map(() => 0);
  for (const [, time, rank] of out.matchAll(/^(\S+) (\d+) (?!Simulation)/gm)) ends[Number(rank)] = Number(time);
  return ends;
}

const [from, to] = process.argv.slice(2, 4).map(Number) as [number, number];
const isLazy = process.argv[4] === 'lazy';
const of = process.argv[4] === 'profiles' ? profiledCase : caseOf;
const dir = mkdtempSync(join(tmpdir(), 'foretoken-record-'));
for (let seed = from; seed <= to; seed++) {
  const ends = endsOf(of(seed), dir);
  if (ends !== undefined) console.log(JSON.stringify({ seed, ends }));
}
rmSync(dir, { recursive: true });
