import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';

/**
 * The tutorial, followed in an empty folder. Blocks after `<!-- file: NAME -->` are files: those that are not there yet are
 * written. Lines `$ …` of other blocks are commands, with what they print below. There a line `…` stands for one line or more, and
 * `…` within a line for any text. `-u` writes the files and the outputs that differ, whole, into the page.
 */
const PAGE = resolve('docs/tutorial.md');
const page = readFileSync(PAGE, 'utf8');

const dir = mkdtempSync(join(tmpdir(), 'foretoken-tutorial-'));
afterAll(() => rmSync(dir, { recursive: true }));

mkdirSync(join(dir, 'node_modules'));
for (const name of ['vitest', 'fast-check'])
  symlinkSync(resolve('node_modules', name), join(dir, 'node_modules', name));
symlinkSync(resolve('.'), join(dir, 'node_modules/foretoken'));

const PROGRAMS: Readonly<Record<string, string>> = {
  foretoken: resolve('dist/cli/main.js'),
  'npx vitest': resolve('node_modules/vitest/vitest.mjs'),
};

/** What a command of the page prints, on both streams. */
function printed(command: string): Promise<string> {
  const [program] = Object.entries(PROGRAMS).filter(([name]) => command.startsWith(`${name} `));
  if (program === undefined) throw new Error(`the tutorial has no way to run: ${command}`);
  const args = command.slice(program[0].length + 1).split(' ');
  const env = { PATH: process.env['PATH'], LC_ALL: 'C.UTF-8', COLUMNS: '100', NO_COLOR: '1' };
  return new Promise((end) => {
    execFile(process.execPath, [program[1], ...args], { cwd: dir, env }, (_, stdout, stderr) =>
      end((stdout + stderr).replaceAll(/[ \t]+$/gm, '').replaceAll(/^\n+|\n+$/g, '')),
    );
  });
}

function shows(shown: string, actual: string): boolean {
  const lines = shown.split('\n').map((line) =>
    line === '…'
      ? '[\\s\\S]+'
      : line
          .split('…')
          .map((text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
          .join('.*'),
  );
  return new RegExp(`^${lines.join('\\n')}$`).test(actual);
}

/** A block of commands as it should be: what differs is put in place of what is shown. */
async function played(block: string): Promise<string> {
  const parts: string[] = [];
  for (const part of block.split(/^(?=\$ )/m)) {
    const [command, ...rest] = part.trimEnd().split('\n');
    const shown = rest.join('\n').trim();
    const actual = await printed(command!.slice(2));
    parts.push(`${command}\n${shows(shown, actual) ? shown : actual}\n`);
  }
  return parts.join('\n');
}

function file(name: string, text: string): string {
  const path = join(dir, name);
  if (existsSync(path)) return readFileSync(path, 'utf8');
  writeFileSync(path, text);
  return text;
}

test('every command of the tutorial prints what stands below it', async () => {
  const blocks = /(?:<!-- file: (\S+) -->\n)?```(\w*)\n([\s\S]*?)```\n/g;
  const pieces: (string | Promise<string>)[] = [];
  const lanes: Promise<string>[] = [];
  let end = 0;
  let commands = 0;
  for (const { 0: whole, 1: name, 2: language, 3: text, index } of page.matchAll(blocks)) {
    pieces.push(page.slice(end, index));
    end = index + whole.length;
    if (name !== undefined) pieces.push(`<!-- file: ${name} -->\n\`\`\`${language}\n${file(name, text!)}\`\`\`\n`);
    else if (text!.startsWith('$ ')) {
      // After the first one, which writes the files, two at a time.
      const lane = commands++ % 2;
      lanes[lane] = (lanes[lane] ?? Promise.resolve('')).then(async () => `\`\`\`\n${await played(text!)}\`\`\`\n`);
      pieces.push(commands === 1 ? await lanes[lane] : lanes[lane]);
    } else pieces.push(whole);
  }
  pieces.push(page.slice(end));
  const renewed = (await Promise.all(pieces)).join('');
  expect(commands).toBeGreaterThanOrEqual(9);
  await expect(renewed).toMatchFileSnapshot(PAGE);
});

test('its links lead somewhere', () => {
  const links = [...page.matchAll(/\]\(([^)#]+)[^)]*\)/g)].map((m) => m[1]!).filter((link) => !link.startsWith('http'));
  expect(links.length).toBeGreaterThan(3);
  expect(links.filter((link) => !existsSync(resolve('docs', link)))).toEqual([]);
});
