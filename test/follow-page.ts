import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const PROGRAMS: Readonly<Record<string, string>> = {
  foretoken: resolve('dist/cli/main.js'),
  'npx vitest': resolve('node_modules/vitest/vitest.mjs'),
  'npx tsx': resolve('node_modules/tsx/dist/cli.mjs'),
};

/**
 * Does in an empty folder what a page says, and returns the page as it should be. Blocks after `<!-- file: NAME -->` are
 * files: those that are not there yet are written. Lines `$ …` of other blocks are commands, with what they print below. There a
 * line `…` stands for one line or more, and `…` within a line for any text. Files and outputs that differ come back whole.
 */
export async function followPage(page: string, dir: string): Promise<{ page: string; commands: number }> {
  mkdirSync(join(dir, 'node_modules'));
  for (const name of ['vitest', 'fast-check'])
    symlinkSync(resolve('node_modules', name), join(dir, 'node_modules', name));
  symlinkSync(resolve('.'), join(dir, 'node_modules/foretoken'));

  const blocks = /(?:<!-- file: (\S+) -->\n)?```(\w*)\n([\s\S]*?)```\n/g;
  const pieces: (string | Promise<string>)[] = [];
  const lanes: Promise<string>[] = [];
  let end = 0;
  let commands = 0;
  for (const { 0: whole, 1: name, 2: language, 3: text, index } of page.matchAll(blocks)) {
    pieces.push(page.slice(end, index));
    end = index + whole.length;
    if (name !== undefined)
      pieces.push(`<!-- file: ${name} -->\n\`\`\`${language}\n${file(join(dir, name), text!)}\`\`\`\n`);
    else if (text!.startsWith('$ ')) {
      // After the first one, which may write files, two at a time.
      const lane = commands++ % 2;
      lanes[lane] = (lanes[lane] ?? Promise.resolve('')).then(
        async () => `\`\`\`\n${await played(text!, dir)}\`\`\`\n`,
      );
      pieces.push(commands === 1 ? await lanes[lane] : lanes[lane]);
    } else pieces.push(whole);
  }
  pieces.push(page.slice(end));
  return { page: (await Promise.all(pieces)).join(''), commands };
}

/** A block of commands as it should be: what differs is put in place of what is shown. */
async function played(block: string, dir: string): Promise<string> {
  const parts: string[] = [];
  for (const part of block.split(/^(?=\$ )/m)) {
    const [command, ...rest] = part.trimEnd().split('\n');
    const shown = rest.join('\n').trim();
    const actual = await printed(command!.slice(2), dir);
    parts.push(`${command}\n${shows(shown, actual) ? shown : actual}\n`);
  }
  return parts.join('\n');
}

/** What a command prints, on both streams. */
function printed(command: string, cwd: string): Promise<string> {
  const [program] = Object.entries(PROGRAMS).filter(([name]) => command.startsWith(`${name} `));
  if (program === undefined) throw new Error(`the page has no way to run: ${command}`);
  const args = command.slice(program[0].length + 1).split(' ');
  const env = { PATH: process.env['PATH'], LC_ALL: 'C.UTF-8', COLUMNS: '100', NO_COLOR: '1' };
  return new Promise((end) => {
    execFile(process.execPath, [program[1], ...args], { cwd, env }, (_, stdout, stderr) =>
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

function file(path: string, text: string): string {
  if (existsSync(path)) return readFileSync(path, 'utf8');
  writeFileSync(path, text);
  return text;
}
