import { expect, test } from 'vitest';
import { CAUSES } from '../../../src/analysis/diagnosis/causes.ts';
import { diagnose } from '../../../src/commands/diagnose/diagnose.ts';
import { cluster } from '../../../src/machine/cluster.ts';
import { atFullEffort, effort } from '../../effort.ts';
import { planted, randomOf } from './planted.ts';

const machine = cluster({
  ...{ name: 'node', nodes: 1, coresPerNode: 16, speed: '1Gf', eagerBelow: 0 },
  link: { latency: '1us', bandwidth: '1GB/s' },
  // No region is planted that takes long because its threads are created.
  threads: { create: '0.1us' },
});

/** Prints precision and recall with FORETOKEN_TABLE=1. */
test('causes planted in random programs are found, and no others', () => {
  const counts = new Map(CAUSES.map((cause) => [cause, { planted: 0, found: 0, right: 0 }]));
  const wrong: string[] = [];
  const programs = effort(200);
  const regions = { all: 0, clean: 0 };
  for (let seed = 1; seed <= programs; seed++) {
    const { model, workers, causes } = planted(randomOf(seed));
    const document = diagnose(model, { workers, machine, gain: false });
    expect(document.regions.map(({ name }) => name)).toEqual([...causes.keys()]);
    for (const { name, findings } of document.regions) {
      const found = new Set(findings.map(({ cause }) => cause));
      const built = causes.get(name)!;
      regions.all++;
      if (built.size === 0) regions.clean++;
      for (const cause of CAUSES) {
        const count = counts.get(cause)!;
        if (built.has(cause)) count.planted++;
        if (found.has(cause)) count.found++;
        if (built.has(cause) && found.has(cause)) count.right++;
        if (built.has(cause) !== found.has(cause))
          wrong.push(`seed ${seed} ${name}, ${workers} workers: ${[...built].join('+')} found ${[...found].join('+')}`);
      }
    }
  }
  if (process.env['FORETOKEN_TABLE'] !== undefined) {
    console.log(`${programs} programs, ${regions.all} regions, ${regions.clean} of them without a cause`);
    for (const [cause, { planted: built, found, right }] of counts)
      console.log(`${cause}: planted ${built}, precision ${right}/${found}, recall ${right}/${built}`);
    console.log(wrong.join('\n'));
  }
  for (const [cause, { planted: built, found, right }] of counts) {
    expect(built, cause).toBeGreaterThan(atFullEffort(30));
    expect(right, `precision of ${cause}: ${wrong.join('; ')}`).toBeGreaterThanOrEqual(0.95 * found);
    expect(right, `recall of ${cause}: ${wrong.join('; ')}`).toBeGreaterThanOrEqual(0.95 * built);
  }
});
