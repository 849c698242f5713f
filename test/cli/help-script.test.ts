import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { asksForHelp } from '../../src/cli/help-script.ts';
import { foretoken, main, wholeProgram } from './run.ts';

const folder = mkdtempSync(join(tmpdir(), 'foretoken-help-'));
afterAll(() => rmSync(folder, { recursive: true }));
const whole = wholeProgram(folder);

const commands = (await foretoken(['--help'])).stdout.matchAll(/^ {2}([a-z]+) \[options\]/gm);
const FORMS = ['', '-h', '-V', '--version', 'help', 'help steady', 'help nothing', 'nothing --help', 'view -h'];

describe('the script of helps prints what the whole program prints', () => {
  test.each([...FORMS, ...[...commands].map(([, name]) => `${name} --help`)])('foretoken %s', async (line) => {
    const args = line === '' ? [] : line.split(' ');
    expect(asksForHelp(args)).toBe(true);
    const printed = await foretoken(args);
    expect(printed.stdout + printed.stderr).toMatch(/^(?:Usage: |foretoken)/);
    expect(printed).toEqual(await foretoken(args, { main: whole }));
  });

  test('without a working directory, too, where the whole program refuses', () => {
    const gone = (path: string) =>
      spawnSync(
        'sh',
        [
          '-c',
          'cd "$1" && rmdir "$1" && exec "$2" "$3" --help',
          '',
          mkdtempSync(join(folder, 'gone-')),
          process.execPath,
          path,
        ],
        {
          encoding: 'utf8',
        },
      );
    const { status, stdout, stderr } = gone(main);
    expect({ status, stdout, stderr }).toMatchObject({
      status: 2,
      stdout: '',
      stderr: expect.stringContaining('APP051'),
    });
    expect(gone(whole)).toMatchObject({ status, stdout, stderr });
  });
});

test.each([
  [['--help', 'predict']],
  [['predict', '--set', '--help']],
  [['predict', 'a.ti', '--help']],
  [['predict']],
  [['./model.ts', '--help']],
])('a command line of another form runs the whole program: %j', (args) => {
  expect(asksForHelp(args)).toBe(false);
});
