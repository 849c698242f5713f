import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

import { warmly } from '../cli/warm.ts';

test('threads-loop: the run times of the table on its page', async () => {
  const page = readFileSync('examples/threads-loop/README.md', 'utf8');
  const [, command] = [...page.matchAll(/^foretoken (.*)$/gm)].map((m) => m[1]!);
  const rows = [...page.matchAll(/^\| (\d+) \| ([\d.]+) ms \|/gm)].map(([, grain, time]) => [Number(grain), time]);
  const { code, stdout } = await warmly([...command!.split(' '), '--json']);
  expect(code).toBe(0);
  const { scenarios } = JSON.parse(stdout) as {
    scenarios: { values: Record<string, number>; figures: { runTime: { value: number } } }[];
  };
  expect(rows).toEqual(
    scenarios.map(({ values, figures }) => [values['model.grain'], (figures.runTime.value * 1e3).toFixed(1)]),
  );
  expect(rows).toHaveLength(6);
});
