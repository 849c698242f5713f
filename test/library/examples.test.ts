import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { outputsOf } from './outputs-of.ts';

const FOLDER = 'examples/library';
const names = readdirSync(FOLDER)
  .filter((f) => f.endsWith('.ts'))
  .map((f) => f.slice(0, -'.ts'.length));

describe('every example prints the output in its comments', () => {
  let printed: string[] = [];
  beforeAll(() => {
    printed = outputsOf(names.map((name) => `${FOLDER}/${name}.ts`));
  });
  test.each(names.map((name, k) => [name, k] as const))('the example %s prints its expected output', (name, k) => {
    expect(printed[k]).toBe(readFileSync(`${FOLDER}/${name}.expected.txt`, 'utf8'));
  });
});

test('an example runs with the built package by the commands of docs/library', () => {
  const out = execFileSync(process.execPath, ['node_modules/tsx/dist/cli.mjs', `${FOLDER}/lock.ts`], {
    encoding: 'utf8',
    timeout: 60_000,
  });
  expect(out).toBe(readFileSync(`${FOLDER}/lock.expected.txt`, 'utf8'));
});

test('the index of docs/library names every example', () => {
  const index = readFileSync('docs/library/README.md', 'utf8');
  expect(names.filter((name) => !index.includes(`${FOLDER}/${name}.ts`))).toEqual([]);
});
