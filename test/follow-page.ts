import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const PROGRAMS: Readonly<Record<string, string>> = {
  foretoken: resolve('dist/cli/main.js'),
  'npx vitest': resolve('node_modules/vitest/vitest.mjs'),
  'npx tsx': resolve('node_modules/tsx/dist/cli.mjs'),
};

/**
 * Follows a page in an empty folder and returns the page with actual files and outputs. Blocks after `<!-- file: NAME -->` are
 * files; missing ones are written. Lines `$ …` of other blocks are commands, followed by their output. In an output a line `…`
 * matches one or more lines, and `…` within a line any text. Files and outputs that differ are returned in full.
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
      // The first command may write files; the others run two at a time.
      const lane = commands++ % 2;
      lanes[lane] = (lanes[lane] ?? Promise.resolve('')).then(
        async () => `\`\`\`\n${await updated(text!, dir)}\`\`\`\n`,
      );
      pieces.push(commands === 1 ? await lanes[lane] : lanes[lane]);
    } else pieces.push(whole);
  }
  pieces.push(page.slice(end));
  return { page: (await Promise.all(pieces)).join(''), commands };
}

/** A block of commands in which outputs that differ are replaced by the actual ones. */
async function updated(block: string, dir: string): Promise<string> {
  const parts: string[] = [];
  for (const part of block.split(/^(?=\$ )/m)) {
    const [command, ...rest] = part.trimEnd().split('\n');
    const shown = rest.join('\n').trim();
    const actual = await printed(command!.slice(2), dir);
    parts.push(`${command}\n${shows(shown, actual) ? shown : actual}\n`);
  }
  return parts.join('\n');
}

/** Output of a command on stdout and stderr. */
function printed(command: string, cwd: string): Promise<string> {
  const [program] = Object.entries(PROGRAMS).filter(([name]) => command.startsWith(`${name} `));
  if (program === undefined) throw new Error(`cannot run this command of the page: ${command}`);
  // A shell reads the command, because readers paste it into one.
  const inShell = `exec "$0" "$1" ${command.slice(program[0].length + 1)}`;
  const env = { PATH: process.env['PATH'], LC_ALL: 'C.UTF-8', COLUMNS: '100', NO_COLOR: '1' };
  return new Promise((end) => {
    execFile('sh', ['-c', inShell, process.execPath, program[1]], { cwd, env }, (_, stdout, stderr) =>
      end((stdout + stderr).replaceAll(/[ \t]+$/gm, '').replaceAll(/^\n+|\n+$/g, '')),
    );
  });
}

/** True if a shown output matches the actual one: a line `…` matches one or more lines, `…` within a line any text. */
export function shows(shown: string, actual: string): boolean {
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
