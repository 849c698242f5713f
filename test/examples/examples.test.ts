import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

import { warmly } from '../cli/warm.ts';

const FOLDER = 'examples';
const names = readdirSync(FOLDER).filter((name) => existsSync(`${FOLDER}/${name}/model.ts`));

/** Commands of a page: lines of code blocks that start with `foretoken`. */
const commandsOf = (page: string): string[] => [...page.matchAll(/^foretoken (.*)$/gm)].map((m) => m[1]!);
const pageOf = (name: string): string => readFileSync(`${FOLDER}/${name}/README.md`, 'utf8');

describe('every example', () => {
  test('exists', () => {
    expect(names.length).toBeGreaterThanOrEqual(12);
  });

  test.each(names)('%s prints its expected output', async (name) => {
    const expected = resolve(`${FOLDER}/${name}/expected.txt`);
    expect(existsSync(expected)).toBe(true);
    const [command] = commandsOf(pageOf(name));
    const { code, stdout, stderr } = await warmly(command!.split(' '));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    await expect(stdout).toMatchFileSnapshot(expected);
  });

  test('is in the index', () => {
    const index = readFileSync(`${FOLDER}/README.md`, 'utf8');
    expect(readdirSync(FOLDER).filter((name) => name !== 'README.md' && !index.includes(`(${name})`))).toEqual([]);
  });
});

/** Run times in the pages for other parameters. */
const FIGURES: readonly (readonly [name: string, ranks: number, options: string, figure: string])[] = [
  ['jacobi-2d', 16, '--set check=20', '13.13 ms'],
  ['jacobi-2d', 16, '--set n=512', '1.240 ms'],
  ['master-worker', 8, '--seed 2', '2.817 s'],
  ['block-lu', 8, '--set b=32', '72.0 ms'],
  ['block-lu', 8, '--set b=16', '68.5 ms'],
  ['wavefront', 16, '--set planes=32 --set flops=5e5', '38.4 ms'],
  ['wavefront', 16, '--set planes=8 --set flops=2e6', '56.4 ms'],
  ['conjugate-gradient', 16, '--set pipelined=true', '35.4 ms'],
  ['conjugate-gradient', 16, '--set n=16', '5.27 ms'],
  ['coupled', 16, '--set ocean.flops=6e8', '1.534 s'],
  ['pipeline', 3, '--set filter=features', '258.4 ms'],
  ['transpose', 8, '--set bytes=1000000', '48.0 ms'],
];

test.each(FIGURES)('%s on %d ranks with %s takes the time given on its page', async (name, ranks, options, figure) => {
  const page = pageOf(name);
  expect(page).toContain(options);
  expect(page.replaceAll('\n', ' ')).toContain(figure);
  const [command] = commandsOf(page);
  expect(command).toContain(`--ranks ${ranks}`);
  const { stdout } = await warmly([...command!.split(' '), ...options.split(' ')]);
  const [, value, unit] = /^Run time (\S+) (\S+) /.exec(stdout)!;
  const [shown, shownUnit] = figure.split(' ');
  expect(unit).toBe(shownUnit);
  expect(Number(value).toFixed(shown!.split('.')[1]!.length)).toBe(shown);
});

test('dvm-jacobi: the table on its page is the output of its script', async () => {
  const page = pageOf('dvm-jacobi');
  const [command, script] = commandsOf(page)[1]!.split(' | npx ');
  const { stdout } = await warmly(command!.split(' '));
  const printed = await new Promise<string>((resolve, reject) => {
    const [, file] = script!.split(' ');
    const child = execFile(process.execPath, ['node_modules/tsx/dist/cli.mjs', file!], (error, out) =>
      error === null ? resolve(out) : reject(error),
    );
    child.stdin!.end(stdout);
  });
  const shown = /<!-- output of compare.ts -->\n```\n([\s\S]*?)```/.exec(page)![1];
  expect(shown).toBe(printed);
});
