import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { constructsPage, drawings } from '../../../scripts/constructs.ts';

test('docs/models.md and its drawings are what scripts/constructs.ts writes', () => {
  expect(readFileSync('docs/models.md', 'utf8')).toBe(constructsPage());
  const drawn = drawings();
  expect(readdirSync('docs/models').sort()).toEqual([...drawn.keys()].sort());
  for (const [file, text] of drawn) expect(readFileSync(`docs/models/${file}`, 'utf8')).toBe(text);
});
