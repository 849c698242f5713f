import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { followPage, shows } from './follow-page.ts';

const readme = readFileSync('README.md', 'utf8');
const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };

test('the README shows the output of npm start', () => {
  const shown = /<!-- output of npm start -->\n```\n([\s\S]*?)```/.exec(readme)![1];
  const [command, ...args] = manifest.scripts['start']!.split(' ');
  const printed = execFileSync(command!, args, {
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1', COLUMNS: '100' },
  });
  expect(shows(shown!.trim(), printed.trim()) ? printed : shown).toBe(printed);
});

test('its model is predicted as shown', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'foretoken-readme-model-'));
  try {
    const { page, commands } = await followPage(readme, dir);
    expect(commands).toBe(3);
    await expect(page).toMatchFileSnapshot(resolve('README.md'));
  } finally {
    rmSync(dir, { recursive: true });
  }
});

test('its links lead to files', () => {
  const links = [...readme.matchAll(/\]\(([^)#]+)[^)]*\)/g)].map((m) => m[1]!).filter((l) => !l.startsWith('http'));
  expect(links.length).toBeGreaterThan(8);
  expect(links.filter((link) => !existsSync(link))).toEqual([]);
});

test('the snippet prints the output given in its comments', () => {
  const snippets = [...readme.matchAll(/(?<!file: \S+ -->\n)```ts\n([\s\S]*?)```/g)].map((m) => m[1]!);
  expect(snippets.length).toBeGreaterThan(0);
  const dir = mkdtempSync(join(tmpdir(), 'foretoken-readme-'));
  try {
    execFileSync('mkdir', ['node_modules'], { cwd: dir });
    symlinkSync(resolve('.'), join(dir, 'node_modules/foretoken'));
    for (const snippet of snippets) {
      writeFileSync(join(dir, 'snippet.mts'), snippet);
      const printed = execFileSync(process.execPath, [resolve('node_modules/tsx/dist/cli.mjs'), 'snippet.mts'], {
        cwd: dir,
        encoding: 'utf8',
      });
      const comments = [...snippet.matchAll(/console\.log\(.*\); \/\/ (.*)/g)].map((m) => m[1]);
      expect(printed.trim().split('\n')).toEqual(comments);
    }
  } finally {
    rmSync(dir, { recursive: true });
  }
});
