import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { filesIn } from '../../scripts/imports.ts';
import { andMore, listing } from '../../src/base/listing.ts';

test('the others of a list are counted, with their noun in the plural', () => {
  expect([0, 1, 2].map((left) => andMore(left, 'place'))).toEqual(['', 'and 1 more place', 'and 2 more places']);
  expect(andMore(2, 'process')).toBe('and 2 more processes');
  expect(andMore(2, 'property')).toBe('and 2 more properties');
  expect(andMore(2, 'series')).toBe('and 2 more series');
  expect(andMore(12345, '', (n) => n.toLocaleString('en'))).toBe('and 12,345 more');
});

test('a list names its first entries, then counts the others', () => {
  expect(listing([])).toBe('');
  expect(listing(['a', 'b'])).toBe('a, b');
  expect(listing(['a', 'b', 'c'], { max: 1, what: 'place' })).toBe('a, and 2 more places');
  expect(listing(['a'], { count: 9, separator: '; ' })).toBe('a; and 8 more');
});

test('every entry of a list is named or counted', () => {
  fc.assert(
    fc.property(fc.array(fc.stringMatching(/^[a-z]{1,3}$/)), fc.integer({ min: 1, max: 20 }), (all, max) => {
      const parts = listing(all, { max })
        .split(', ')
        .filter((part) => part !== '');
      const others = /^and (\d+) more$/.exec(parts.at(-1) ?? '');
      const named = others === null ? parts : parts.slice(0, -1);
      expect(named).toEqual(all.slice(0, max));
      expect(named.length + Number(others?.[1] ?? 0)).toBe(all.length);
    }),
  );
});

test('no other code counts the rest of a list in words', () => {
  const own = /\band \$\{[^`]*\} more\b/;
  expect(filesIn('src').filter((file) => own.test(readFileSync(file, 'utf8')))).toEqual(['src/base/listing.ts']);
});
