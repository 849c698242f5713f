import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { commandLine, fileArgument, runner } from '../../src/base/shell-words.ts';

describe('a command line', () => {
  test.each([
    'plain',
    "it's",
    '$HOME',
    'a b',
    '"x"',
    '`id`',
    'a\\nb',
    '',
    '~root',
    '*',
    '!x',
    '=ls',
    '{a,b}',
    'AG(tokens(p) <= 1)',
    'a\nb',
    'a\tb%d\\',
    'Büro',
    '-x',
    '#1',
    'a;b&c|d>e',
  ])('gives a shell the word %j back', (word) => {
    const line = commandLine(['printf', '%s', word]);
    expect(line).not.toMatch(/\p{Cc}/u);
    expect(execFileSync('sh', ['-c', line], { encoding: 'utf8' })).toBe(word);
  });

  test('quotes only words that need it', () => {
    expect(commandLine(['verify', 'a/b-1.pnml', '--set', 'n=2', 'EF dead'])).toBe(
      "verify a/b-1.pnml --set n=2 'EF dead'",
    );
    expect([fileArgument('-x.pnml'), fileArgument('-'), fileArgument('x')]).toEqual(['./-x.pnml', '-', 'x']);
  });

  test('starts with npx in processes started by npm', () => {
    expect([runner({}), runner({ npm_command: 'exec' }), runner({ npm_command: 'run-script' })]).toEqual([
      '',
      'npx ',
      'npx ',
    ]);
  });
});
