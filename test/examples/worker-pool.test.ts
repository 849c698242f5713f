import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { diagnose } from '../../src/commands/diagnose/diagnose.ts';
import { foretoken } from '../cli/run.ts';

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
  const causes = (path: string): string[] =>
    diagnose(path).regions.flatMap((r) => r.findings.map(({ cause }) => cause));

  test('tasks of 100 ns are too fine', () => {
    expect(causes(recorded(1, 100_000, 100, 'linear'))).toEqual(['fine-grain']);
  });

  test('tasks of 1 ms on one worker have nothing to report', () => {
    expect(causes(recorded(1, 50, 1e6, 'linear'))).toEqual([]);
  });

  test('one task on two workers is too few', () => {
    expect(causes(recorded(2, 1, 5e7, 'linear'))).toEqual(['too-few-tasks']);
  });

  test.each(['linear', 'recursive'] as const)('%s spawning on two workers executes every task once', (spawning) => {
    const region = diagnose(recorded(2, 1000, 1000, spawning)).regions[0]!;
    // The spawning tasks are tasks, too: one, or one for each split.
    expect(region.ownTasks + region.otherTasks).toBe(spawning === 'linear' ? 1001 : 1999);
  });

  test('from the command line, --fail-on gives exit code 1', async () => {
    const path = recorded(2, 1, 5e7, 'linear');
    const { code, stdout } = await foretoken(['diagnose', path, '--fail-on', 'too-few-tasks', '--json']);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ kind: 'diagnosis', regions: [{ name: 'all' }] });
    expect((await foretoken(['diagnose', path, '--fail-on', 'fine-grain'])).code).toBe(0);
  });
});
