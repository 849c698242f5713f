import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';

const dir = mkdtempSync(join(tmpdir(), 'foretoken-threads-'));
afterAll(() => rmSync(dir, { recursive: true }));

function runs(program: string, args: readonly string[]): boolean {
  try {
    execFileSync(program, args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Compiles a source by the command of its page. */
function compiled(folder: string, source: string, output: string): string {
  const page = readFileSync(`examples/${folder}/README.md`, 'utf8');
  const [command] = new RegExp(`^g\\S+ .*${source} .*$`, 'm').exec(page)!;
  const [compiler, ...args] = command
    .replace(source, `examples/${folder}/${source}`)
    .replace(`-o ${output}`, `-o ${dir}/${output}`)
    .split(' ');
  execFileSync(compiler!, args);
  return join(dir, output);
}

const compared = (folder: string, program: string, args: readonly string[]): string =>
  execFileSync(process.execPath, ['node_modules/tsx/dist/cli.mjs', `examples/${folder}/compare.ts`, program, ...args], {
    encoding: 'utf8',
    timeout: 240_000,
  });

/** Lines of the table: measured and predicted times are positive, and the error follows from them. */
function checkTable(text: string, cases: number): void {
  const [head, ...lines] = text.trimEnd().split('\n');
  expect(head).toMatch(/measured ms +predicted ms +error$/);
  expect(lines.length % cases).toBe(0);
  expect(lines.length).toBeGreaterThanOrEqual(cases);
  for (const line of lines) {
    const [, measured, predicted, error] = /(\S+) +(\S+) +(\S+) %$/.exec(line)!.map(Number);
    expect(measured).toBeGreaterThan(0);
    expect(predicted).toBeGreaterThan(0);
    // Both times are rounded to microseconds.
    const from = ((predicted! - measured!) / measured!) * 100;
    expect(Math.abs(error! - from)).toBeLessThan(0.1 + 200 / (1000 * measured!));
  }
}

const hasOpenMp =
  runs('gcc', ['--version']) && runs('gcc', ['-fopenmp', '-fsyntax-only', 'examples/openmp-loop/loop.c']);

describe.skipIf(!hasOpenMp)(`an OpenMP loop${hasOpenMp ? '' : ' (gcc with OpenMP is not installed)'}`, () => {
  test('the script runs and predicts every case', () => {
    checkTable(compared('openmp-loop', compiled('openmp-loop', 'loop.c', 'loop'), ['200', '100', '0.01']), 7);
  }, 300_000);

  test('wrong arguments are reported', () => {
    const program = compiled('openmp-loop', 'loop.c', 'loop');
    expect(() => execFileSync(program, ['1'], { stdio: 'pipe' })).toThrow(/usage/);
  });
});

const hasCompiler = runs('g++', ['--version']);

describe.skipIf(!hasCompiler)(`a real pool${hasCompiler ? '' : ' (g++ is not installed)'}`, () => {
  test('the script runs and predicts every case', () => {
    checkTable(compared('worker-pool', compiled('worker-pool', 'pool.cpp', 'pool'), ['3']), 6);
  }, 300_000);
});
