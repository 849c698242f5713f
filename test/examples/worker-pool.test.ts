import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { diagnose } from '../../src/commands/diagnose/diagnose.ts';
import type { DiagnosisDocument } from '../../src/commands/diagnose/diagnosis-document.ts';
import { warmly } from '../cli/warm.ts';

const dir = mkdtempSync(join(tmpdir(), 'foretoken-pool-'));
afterAll(() => rmSync(dir, { recursive: true }));

function hasCompiler(): boolean {
  try {
    execFileSync('g++', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
const compiles = hasCompiler();

describe.skipIf(!compiles)(`a real pool${compiles ? '' : ' (g++ is not installed)'}`, () => {
  beforeAll(() => {
    const [command] = /^g\+\+ .*$/m.exec(readFileSync('examples/worker-pool/README.md', 'utf8'))!;
    const args = command.replace('pool.cpp', 'examples/worker-pool/pool.cpp').replace('-o pool', `-o ${dir}/pool`);
    execFileSync('g++', args.split(' ').slice(1));
  });

  const recorded = (workers: number, tasks: number, nanoseconds: number, spawning: 'linear' | 'recursive'): string => {
    const path = join(dir, 'workers.csv');
    const args = [workers, tasks, nanoseconds].map(String);
    writeFileSync(path, execFileSync(join(dir, 'pool'), [...args, spawning], { maxBuffer: 1e9 }));
    return path;
  };

  // Times depend on the load of the machine: the causes that README.md names are not asserted.
  test.each([
    [1, 10_000, 100],
    [1, 50, 1e6],
    [2, 1, 5e7],
  ])('a run of %i workers, %i tasks of %i ns has findings with figures beyond their thresholds', (...run) => {
    const { regions } = diagnose(recorded(...run, 'linear'));
    expect(regions).toHaveLength(1);
    expect(regions[0]!.workersCount).toBe(run[0]);
    for (const { cause, evidence } of regions[0]!.findings)
      for (const { figure, value = Number.POSITIVE_INFINITY, threshold } of evidence)
        if (
          (figure === 'searchRate' && cause === 'excessive-waiting') ||
          (figure === 'tasksPerWorker' && cause === 'too-few-tasks')
        )
          expect(value).toBeLessThanOrEqual(threshold);
        else expect(value).toBeGreaterThanOrEqual(threshold);
  });

  test.each(['linear', 'recursive'] as const)('%s spawning on two workers executes every task once', (spawning) => {
    const region = diagnose(recorded(2, 1000, 1000, spawning)).regions[0]!;
    // The spawning tasks are tasks, too: one, or one for each split.
    expect(region.ownTasks + region.otherTasks).toBe(spawning === 'linear' ? 1001 : 1999);
  });

  test('from the command line, --fail-on gives exit code 1 for a cause that is found', async () => {
    const path = recorded(2, 1, 5e7, 'linear');
    const { code, stdout } = await warmly(['diagnose', path, '--fail-on', 'too-few-tasks', '--json']);
    const document = JSON.parse(stdout) as DiagnosisDocument;
    expect(document).toMatchObject({ kind: 'diagnosis', regions: [{ name: 'all' }] });
    expect(code).toBe(document.regions[0]!.findings.some(({ cause }) => cause === 'too-few-tasks') ? 1 : 0);
  });
});
