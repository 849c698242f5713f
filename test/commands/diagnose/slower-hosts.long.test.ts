import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { diagnose } from '../../../src/commands/diagnose/diagnose.ts';
import { renderDiagnosis } from '../../../src/commands/diagnose/diagnose-view.ts';
import type { DiagnosisFinding } from '../../../src/commands/diagnose/diagnosis-document.ts';
import { predict } from '../../../src/commands/predict/predict.ts';
import { profileRun } from '../../../src/commands/profile/profile.ts';
import { profile } from '../../../src/commands/profile/profile-program.ts';
import { cluster } from '../../../src/machine/cluster.ts';
import type { Machine } from '../../../src/machine/machine.ts';
import type { Platform } from '../../../src/machine/platform.ts';
import { readSimgridPlatform } from '../../../src/machine/simgrid/simgrid-xml.ts';
import { counter, spmd } from '../../../src/models.ts';
import { folder } from '../../trace/support.ts';

const SHARED = { coresPerNode: 2, link: { latency: 1e-6, bandwidth: 1e9 }, eagerBelow: 0 };
const groups = (slow: number): Machine =>
  cluster({
    ...SHARED,
    groups: [
      { name: 'fast', nodes: 3, speed: 2e9 },
      { name: 'slow', nodes: 1, speed: slow },
    ],
  });
const slowed = (...at: readonly { at: number; factor: number }[]): Machine =>
  cluster({ ...SHARED, nodes: 4, speed: 2e9, changes: [{ of: 'node2', speed: at }] });

/** Ranks with two threads compute, then meet; `work` are the flops of rank 3 as a factor on those of the others. */
const solver = spmd({
  name: 'solver',
  params: { work: 1 },
  vars: { k: counter() },
  build(m) {
    m.loop('k', 3, () => {
      m.threads({ workers: 2 }, (t) => {
        t.parallelFor({
          name: 'rows',
          n: 100,
          grain: 5,
          body: (b) => b.compute({ flops: (s) => s['count']! * 1e6 * (s.rank === 3 ? m.p.work : 1) }),
        });
      });
      m.barrier();
    });
  },
});

const findingsOn = (machine: Machine | Platform, work = 1): readonly DiagnosisFinding[] =>
  diagnose(solver, { machine, ranks: 4, set: { work } }).regions.find(({ name }) => name === 'rows')!.findings;
const timeOn = (machine: Machine, work = 1): number =>
  predict(solver, { machine, ranks: 4, set: { work } }).figures.runTime.value;

describe('slower hosts as a cause', () => {
  test.each([
    ['a group of nodes', groups(1e9), 'slow0'],
    ['a node that a profile slows down', slowed({ at: 0, factor: 0.5 }), 'node2'],
  ] as const)('%s is named with its speed, and the gain is that of the machine with one speed', (_, machine, name) => {
    const [finding, ...others] = findingsOn(machine);
    expect(others).toEqual([]);
    expect(finding).toMatchObject({
      cause: 'slower-host',
      hosts: [{ name, speed: expect.closeTo(1e9, 3), others: expect.closeTo(2e9, 3) }],
      change: `speed of ${name}: 1.00 Gflop/s → 2.00 Gflop/s, as the fastest host`,
    });
    // Three of four ranks wait for half of the time.
    expect(finding!.share).toBeCloseTo(3 / 8, 2);
    expect(finding!.predictedGain).toBe(timeOn(machine) - timeOn(groups(2e9)));
  });

  test('a SimGrid platform with hosts of different speeds', () => {
    const { path, remove } = folder({
      'p.xml': `<?xml version="1.0"?><!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1"><zone id="z" routing="Full">
${[0, 1, 2, 3].map((k) => `<host id="h${k}" speed="${k === 1 ? 1 : 2}Gf" core="2"/>`).join('')}<link id="l" bandwidth="1GBps" latency="1us"/>
${[0, 1, 2, 3].flatMap((a) => [0, 1, 2, 3].filter((b) => b > a).map((b) => `<route src="h${a}" dst="h${b}"><link_ctn id="l"/></route>`)).join('')}
</zone></platform>`,
    });
    try {
      const [finding] = findingsOn(readSimgridPlatform(path('p.xml')) as unknown as Platform);
      expect(finding).toMatchObject({ cause: 'slower-host', hosts: [{ name: 'h1', speed: 1e9, others: 2e9 }] });
      expect(finding!.predictedGain).toBeGreaterThan(0.07);
    } finally {
      remove();
    }
  });

  test('a record of the run names the same hosts as the model, in diagnose and in profile', () => {
    const { path, remove } = folder({});
    try {
      for (const machine of [groups(1e9), slowed({ at: 0, factor: 0.5 }), slowed({ at: 0.01, factor: 0.3 })]) {
        const [model] = findingsOn(machine);
        for (const file of ['r.jsonl', 'r.ftrun'].map(path)) {
          predict(solver, { machine, ranks: 4, run: file });
          const [finding, ...others] = diagnose(file).regions[0]!.findings;
          expect(others).toEqual([]);
          expect(finding).toMatchObject({ cause: 'slower-host', hosts: model!.hosts });
          expect(finding!.share).toBeCloseTo(model!.share, 2);
          expect(profileRun(file).findings.at(-1)).toMatchObject({ cause: 'slower-host' });
        }
        expect(profile(solver, { machine, ranks: 4 }).findings).toEqual(profileRun(path('r.ftrun')).findings);
      }
    } finally {
      remove();
    }
  });

  test('a record without the number of cores is read as before, and has no speeds; an impossible number is refused', () => {
    const { path, remove } = folder({});
    try {
      predict(solver, { machine: groups(1e9), ranks: 4, run: path('new.jsonl') });
      const text = readFileSync(path('new.jsonl'), 'utf8');
      expect(text).toContain('{"name":"slow0","sockets":1,"cores":2}');
      const changed = (name: string, cores: string): string => {
        writeFileSync(path(name), text.replaceAll(',"cores":2', cores));
        return path(name);
      };
      expect(diagnose(changed('old.jsonl', '')).regions[0]!.findings).toMatchObject([{ cause: 'excessive-waiting' }]);
      expect(profileRun(path('old.jsonl')).findings.at(-1)).toMatchObject({ cause: 'load-imbalance' });
      for (const cores of ['0', '1.5', '"2"', '1e10'])
        expect(() => diagnose(changed('bad.jsonl', `,"cores":${cores}`)), cores).toThrow(
          /REC\d+ nodes\[0\]\.cores: expected an integer from 1 to 1000000000, got/,
        );
    } finally {
      remove();
    }
  });

  test('profile asks for slower hosts where they are, and its seconds are the imbalance that equal hosts would not have', () => {
    const finding = (slow: number, work: number) => {
      const { findings } = profile(solver, { machine: groups(slow), ranks: 4, set: { work } });
      return {
        asked: findings.find(({ question }) => question === 'Do slower hosts explain it?'),
        end: findings.at(-1)!,
      };
    };
    // Three of four ranks compute 3 × 25 ms; rank 3 on the slow host twice as long.
    const all = finding(1e9, 1);
    expect(all.asked!.answer).toBe('yes, 100 %: slow0 with 1.00 Gflop/s a core, the fastest with 2.00 Gflop/s');
    expect(all.asked!.seconds).toBeCloseTo(3 * 0.075, 4);
    expect(all.end.cause).toBe('slower-host');
    // With 8 times the work it takes 16 times as long: 15 parts of imbalance, of which 7 remain; with 1.5 times, 2 of which 0.5.
    expect(finding(1e9, 8)).toMatchObject({
      asked: { answer: expect.stringMatching(/^yes, 53 %/), seconds: expect.closeTo(3 * 0.025 * 3 * 8, 3) },
      end: { cause: 'slower-host' },
    });
    expect(finding(1.6e9, 3)).toMatchObject({
      asked: { answer: expect.stringMatching(/^no, 27 %/) },
      end: { cause: 'load-imbalance' },
    });
    expect(finding(2e9, 3)).toMatchObject({ asked: undefined, end: { cause: 'load-imbalance' } });
  });

  test('is not one where hosts are equal, or the slow host ends first', () => {
    const causes = (machine: Machine, work: number) => findingsOn(machine, work).map(({ cause }) => cause);
    expect(causes(groups(2e9), 1)).toEqual([]);
    expect(causes(groups(2e9), 2)).toEqual(['excessive-waiting']);
    expect(causes(groups(1e9), 0.25)).not.toContain('slower-host');
    expect(causes(groups(1e9), 0.5)).toEqual([]);
  });

  test('uneven work on top of it remains a finding of its own', () => {
    // Rank 3 takes 8 times as long: twice for its host, and four times for its work.
    const [first, second] = findingsOn(groups(1e9), 4);
    expect([first!.cause, second!.cause]).toEqual(['slower-host', 'excessive-waiting']);
    expect(first!.share + second!.share).toBeCloseTo((3 / 4) * (7 / 8), 2);
  });

  test('the text names host, speeds and gain', () => {
    const document = diagnose(solver, { machine: groups(1e9), ranks: 4 });
    const text = renderDiagnosis(document, { width: 200, colour: false, unicode: true });
    expect(text).toContain(
      'slower-host: hosts compute more slowly than others: slow0 with 1.00 Gflop/s a core; the fastest has 2.00 Gflop/s.',
    );
    expect(text).toContain('(threshold 10 %), 1 host.');
    expect(text).toMatch(
      /Predicted gain: [\d.]+ ms, with speed of slow0: 1.00 Gflop\/s → 2.00 Gflop\/s, as the fastest host\./,
    );
  });
});
