import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { apiReport, ENTRIES } from '../scripts/api.ts';

describe.each(Object.entries(ENTRIES))('entry point %s', (name, entry) => {
  const report = apiReport(entry);

  test('exports the names and signatures of its report (after a change: npm run docs:api)', () => {
    expect(report).toBe(readFileSync(new URL(`../api/${name}.api.md`, import.meta.url), 'utf8'));
  });

  test('every export has a docstring', () => {
    const missing = report
      .split('\n')
      .filter((line, k, all) => /^export /.test(line) && /\(undocumented\)/.test(all[k - 1]!));
    expect(missing).toEqual([]);
  });
});
