import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const FOLDER = 'examples/diagnose-threads';
const page = readFileSync(`${FOLDER}/README.md`, 'utf8');
const printed = (script: string, ...args: string[]): string =>
  execFileSync(process.execPath, ['node_modules/tsx/dist/cli.mjs', `${FOLDER}/${script}`, ...args], {
    encoding: 'utf8',
  });

/** The cells of a table in Markdown, without its head. */
const rowsOf = (table: string): string[][] =>
  table
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(2)
    .map((line) => line.slice(2, -2).split(' | '));

const comparison = printed('compare.ts');

test('every program is diagnosed as what was built in; the corrected one has nothing to report', () => {
  const expected = new Map(
    [...page.matchAll(/^\| \[(.*)\.ts\]\(.*\) \| .* \| `(.*)` \|$/gm)].map(([, name, cause]) => [name, cause]),
  );
  expect(expected.size).toBe(5);
  const rows = rowsOf(comparison);
  expect(new Map(rows.map(([name, causes]) => [name, causes]))).toEqual(expected);
  for (const row of rows) expect(row.at(-1)).toBe('none');
});

test('the predicted gain is at least what the correction saves, and within 5 % of it', () => {
  for (const [name, , , gain, , saved] of rowsOf(comparison)) {
    const ratio = Number.parseFloat(gain!) / Number.parseFloat(saved!);
    expect([name, ratio > 0.98 && ratio < 1.05]).toEqual([name, true]);
  }
});

test('the table on the page is the output of the script', () => {
  expect(/<!-- output of compare.ts -->\n```\n([\s\S]*?)```/.exec(page)![1]).toBe(comparison);
});

test('recursive spawning: the first rows of the table', () => {
  const rows = rowsOf(printed('spawning.ts', '2'));
  expect(rows.map(([tasks]) => tasks)).toEqual(['10', '20', '50', '100']);
  // Thieves draw their victims at random: each change of the net's random numbers moves the ratios by some percent.
  for (const [tasks, ...ratios] of rows) {
    const shown = rowsOf(page.slice(page.indexOf('| tasks'))).find(([first]) => first === tasks)!;
    ratios.forEach((ratio, k) => {
      expect(Math.abs(Number(ratio) / Number(shown[k + 1]) - 1)).toBeLessThan(0.15);
    });
  }
  for (const ratio of rows.at(-1)!.slice(2)) expect(Number(ratio)).toBeGreaterThan(1.2);
});
