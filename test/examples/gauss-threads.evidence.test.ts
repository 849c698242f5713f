import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { calibrated, machine, run } from '../../examples/gauss-threads/experiment.ts';
import { readMachineFile } from '../../src/machine/description/machine-file.ts';
import { ALL_EVIDENCE } from '../effort.ts';

const SCHEDULERS = ['a0', 'a1', 'a2'] as const;

test.runIf(ALL_EVIDENCE)(
  'the table on the page is the output of its script; the order of the schedulers is right everywhere',
  async () => {
    const page = readFileSync('examples/gauss-threads/README.md', 'utf8');
    const printed = await new Promise<string>((resolve, reject) => {
      execFile(process.execPath, ['node_modules/tsx/dist/cli.mjs', 'examples/gauss-threads/table.ts'], (error, out) =>
        error === null ? resolve(out) : reject(error),
      );
    });
    expect(/<!-- output of table.ts -->\n```\n([\s\S]*?)```/.exec(page)![1]).toBe(printed);
    const times = [...printed.matchAll(/^(method \d, [a-z ]+), A\d +[\d.]+ +([\d.]+) s/gm)];
    expect(times).toHaveLength(12);
    for (let k = 0; k < times.length; k += 3) {
      const [a0, a1, a2] = times.slice(k, k + 3).map((m) => Number(m[2]));
      expect([times[k]![1], a0! > a1!, a1! > a2!]).toEqual([times[k]![1], true, true]);
    }
    // Every predicted gain is positive, as every measured one.
    const gains = [...printed.matchAll(/^method .*gain.* ([-\d.]+) %/gm)].map((m) => Number(m[1]));
    expect(gains).toHaveLength(20);
    expect(Math.min(...gains)).toBeGreaterThan(0);
    const all = [...printed.matchAll(/^ +[12] +\d+(?: +[\d.]+){3} +([-\d.]+) % +([-\d.]+) %$/gm)];
    expect(all).toHaveLength(16);
    expect(Math.min(...all.flatMap(([, a1, a2]) => [Number(a1), Number(a2)]))).toBeGreaterThan(0);
  },
  1_200_000,
);

test('the gain grows with the number of blockings', () => {
  const all = (ALL_EVIDENCE ? [8, 16, 32, 64] : [8, 16]).map((blocks) =>
    SCHEDULERS.map((scheduler) => run(1, 496, scheduler, calibrated, false, blocks, 64)),
  );
  for (let k = 1; k < all.length; k++) {
    const [before, after] = [all[k - 1]!, all[k]!];
    expect(after[2]!.blockings).toBeGreaterThan(before[2]!.blockings);
    for (const s of [0, 1])
      expect(after[s]!.back / after[s + 1]!.back).toBeGreaterThan(before[s]!.back / before[s + 1]!.back);
  }
}, 300_000);

test.each([1, 2] as const)(
  'method %i: the order of the schedulers is that of the measurements with few threads',
  (method) => {
    for (const threads of [32, 128]) {
      const [a0, a1, a2] = SCHEDULERS.map((scheduler) => run(method, threads, scheduler, calibrated, false).back);
      expect([threads, a0! > a1!, a1! > a2!]).toEqual([threads, true, true]);
    }
  },
);

test('the machine file has the calibrated costs', () => {
  const file = readMachineFile('examples/gauss-threads/machine.yaml');
  const { threads } = machine(calibrated);
  for (const [name, seconds] of Object.entries(threads!))
    expect([name, file.threads![name as keyof typeof threads]]).toEqual([name, expect.closeTo(seconds!, 12)]);
});
