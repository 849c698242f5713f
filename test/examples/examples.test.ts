import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { foretoken } from '../cli/run.ts';

const FOLDER = 'examples';
const names = readdirSync(FOLDER).filter((name) => existsSync(`${FOLDER}/${name}/model.ts`));

/** The commands of a page: lines of its blocks that start with the program's name. */
const commandsOf = (page: string): string[] => [...page.matchAll(/^foretoken (.*)$/gm)].map((m) => m[1]!);
const pageOf = (name: string): string => readFileSync(`${FOLDER}/${name}/README.md`, 'utf8');

describe('every example', () => {
  test('is there', () => {
    expect(names.length).toBeGreaterThanOrEqual(12);
  });

  test.each(names)('%s prints what stands beside it', async (name) => {
    const expected = resolve(`${FOLDER}/${name}/expected.txt`);
    expect(existsSync(expected)).toBe(true);
    const [command] = commandsOf(pageOf(name));
    const { code, stdout, stderr } = await foretoken(command!.split(' '));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    await expect(stdout).toMatchFileSnapshot(expected);
  });

  test('is in the index', () => {
    const index = readFileSync(`${FOLDER}/README.md`, 'utf8');
    expect(readdirSync(FOLDER).filter((name) => name !== 'README.md' && !index.includes(`(${name})`))).toEqual([]);
  });
});

test('dvm-jacobi: the table of its page is what its script prints', async () => {
  const page = pageOf('dvm-jacobi');
  const [command, script] = commandsOf(page)[1]!.split(' | npx ');
  const { stdout } = await foretoken(command!.split(' '));
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
