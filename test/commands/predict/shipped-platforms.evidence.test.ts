import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { InputError } from '../../../src/base/problem.ts';
import { predict } from '../../../src/commands/predict/predict.ts';
import { readSimgridPlatform } from '../../../src/machine/simgrid/simgrid-xml.ts';

/**
 * The example platforms of SimGrid (`examples/platforms` of its sources, LGPL-2.1, which are not part of the project): the folder
 * FORETOKEN_PLATFORMS. Each is read, and a small trace has the end of every rank that `smpirun -replay` computes, or it is refused with a
 * reason. Needs SimGrid 3.32 (Debian: libsimgrid-dev). FORETOKEN_TABLE=1 prints the table.
 */
const folder = process.env['FORETOKEN_PLATFORMS'];
const hasSimGrid = spawnSync('sh', ['-c', 'command -v smpirun'], { stdio: 'ignore' }).status === 0;
const missing = folder === undefined ? 'FORETOKEN_PLATFORMS is not set' : hasSimGrid ? undefined : 'no smpirun';

/** A ring, a collective and computing: messages below and above the thresholds of SMPI's factors. */
const ringOf = (ranks: number): string =>
  Array.from({ length: ranks }, (_, r) => {
    const [next, before] = [(r + 1) % ranks, (r + ranks - 1) % ranks];
    const actions = ['init', `compute ${(r + 1) * 1e6}`];
    for (const bytes of ranks === 1 ? [] : [100, 20_000, 1_000_000])
      actions.push(`irecv ${before} 1 ${bytes}`, `send ${next} 1 ${bytes}`, `wait ${before} ${r} 1`);
    return [...actions, 'allreduce 5000 1e5', 'finalize'].map((action) => `${r} ${action}\n`).join('');
  }).join('');

const dir = mkdtempSync(join(tmpdir(), 'foretoken-shipped-'));
afterAll(() => rmSync(dir, { recursive: true }));
const write = (name: string, text: string): string => {
  writeFileSync(join(dir, name), text);
  return join(dir, name);
};

/** Up to three hosts with routes between all of them: the first, the last, the middle one, else others; undefined for a platform that is refused. */
function hostsOf(platform: string): readonly string[] | undefined {
  try {
    const { hosts, route } = readSimgridPlatform(platform);
    const reach = (a: number, b: number): boolean => {
      try {
        route(a, b);
        return true;
      } catch {
        return false;
      }
    };
    const found = [0];
    const { length } = hosts;
    const candidates = [length - 1, length >> 1, ...Array.from({ length: Math.min(length, 200) }, (_, h) => h)];
    for (const h of candidates)
      if (found.length < 3 && !found.includes(h) && found.every((other) => reach(h, other) && reach(other, h)))
        found.push(h);
    return found.map((h) => hosts[h]!.name);
  } catch {
    return undefined;
  }
}

/** The ends of the ranks in SimGrid's replay; its reason if it does not come to the end. */
function replayed(platform: string, trace: string, ranks: number, hostfile: string | undefined): number[] | string {
  const args = ['-no-privatize', '-replay', write('list', `${trace}\n`), '-np', `${ranks}`, '-platform', platform];
  if (hostfile !== undefined) args.push('-hostfile', hostfile);
  const logs = ['--log=smpi_replay.thres:verbose', '--log=root.fmt:%.12r%e%P%e%m%n'];
  const { stdout, stderr } = spawnSync('smpirun', [...args, ...logs, '--cfg=network/optim:Full'], {
    encoding: 'utf8',
    timeout: 120_000,
    cwd: dir,
  });
  const out = stdout + stderr;
  if (!out.includes('Simulation time')) {
    const lines = out.split('\n').filter((line) => !/Configuration change|^\S+ --cfg|^\s*$|finalize/.test(line));
    return (
      lines.find((line) => /error|exception|fail|deadlock|undeclared|no route|unknown|cannot/i.test(line)) ??
      lines.at(-1)!
    );
  }
  const ends = new Array<number>(ranks).fill(0);
  for (const [, time, rank] of out.matchAll(/^(\S+) (\d+) (?!Simulation)/gm)) ends[Number(rank)] = Number(time);
  return ends;
}

/** The predicted ends; the code and the message of a refusal, or of hosts and links that fail. */
function predicted(machine: string, trace: string, hostfile: string | undefined): (number | null)[] | string {
  try {
    const run = predict(trace, { machine, ...(hostfile === undefined ? {} : { hostfile }) });
    return run.deadlock.length > 0 ? 'ranks wait forever: a part fails' : run.ranks.map(({ endTime }) => endTime);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const [{ code, message }] = error.problems as [InputError['problems'][number]];
    return `${code} ${message}`;
  }
}

const isClose = (one: number | null, other: number): boolean =>
  one !== null && Math.abs(one - other) <= 1e-9 * Math.max(other, 1e-3);

describe.skipIf(missing !== undefined)(
  `the example platforms of SimGrid${missing === undefined ? '' : `: skipped, ${missing}`}`,
  () => {
    const files = missing === undefined ? readdirSync(folder!).filter((name) => name.endsWith('.xml')) : [];

    test('each is read with the times of SimGrid, or refused with a reason', () => {
      const rows = files.map((name): { name: string; verdict: string; text: string } => {
        const platform = join(folder!, name);
        const hosts = hostsOf(platform);
        const ranks = Math.max(1, hosts?.length ?? 2);
        const trace = write('ring.ti', ringOf(ranks));
        const hostfile = hosts === undefined ? undefined : write('hosts', `${hosts.join('\n')}\n`);
        const [own, other] = [predicted(platform, trace, hostfile), replayed(platform, trace, ranks, hostfile)];
        const [a, b] = [own, other].map((one) => (typeof one === 'string' ? one : `${Math.max(...one.map(Number))} s`));
        const text = `${ranks} ranks | ${a} | ${b}`;
        if (typeof own === 'string' && typeof other === 'string') return { name, verdict: 'refused by both', text };
        if (typeof own === 'string') return { name, verdict: 'refused', text };
        const equal = typeof other !== 'string' && own.every((end, rank) => isClose(end, other[rank]!));
        return { name, verdict: equal ? 'equal' : 'wrong', text };
      });
      if (process.env['FORETOKEN_TABLE'] === '1')
        console.log(rows.map(({ name, verdict, text }) => `${basename(name)} | ${verdict} | ${text}`).join('\n'));
      expect(rows.length).toBeGreaterThan(20);
      const of = (word: string) => rows.filter(({ verdict }) => verdict === word);
      expect(of('wrong')).toEqual([]);
      // Wifi is refused by name.
      for (const { text } of of('refused')) expect(text).toMatch(/PLAT009 routing "Wifi"/i);
      expect(of('equal').length).toBeGreaterThan(40);
    });
  },
);
