import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { apiReports, ENTRIES } from '../scripts/api.ts';
import { constructsPage, drawings } from '../scripts/constructs.ts';
import { errorsPage } from '../scripts/errors.ts';

/* Files that scripts write from the sources: a change that makes one stale is told by `npm test`. Schemas: commands/schema/schemas. */

test('docs/errors.md is what scripts/errors.ts writes (npm run docs:errors)', () => {
  expect(readFileSync('docs/errors.md', 'utf8')).toBe(errorsPage());
});

test('docs/models.md and its drawings are what scripts/constructs.ts writes (npm run docs:models)', () => {
  expect(readFileSync('docs/models.md', 'utf8')).toBe(constructsPage());
  const drawn = drawings();
  expect(readdirSync('docs/models').sort()).toEqual([...drawn.keys()].sort());
  for (const [file, text] of drawn) expect(readFileSync(`docs/models/${file}`, 'utf8')).toBe(text);
});

describe('the interface of the package', () => {
  const reports = apiReports();

  test.each(Object.keys(ENTRIES))('api/%s.api.md is what scripts/api.ts writes (npm run docs:api)', (name) => {
    expect(reports.get(name)).toBe(readFileSync(`api/${name}.api.md`, 'utf8'));
  });

  test.each(Object.keys(ENTRIES))('every export of %s has a docstring', (name) => {
    const missing = reports
      .get(name)!
      .split('\n')
      .filter((line, k, all) => /^export /.test(line) && /\(undocumented\)/.test(all[k - 1]!));
    expect(missing).toEqual([]);
  });
});
