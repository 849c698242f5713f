import fc from 'fast-check';
import { expect, it, test } from 'vitest';
import { jsonFault } from '../../src/commands/rerun/result-file.ts';
import { effort } from '../effort.ts';

const parses = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

it.each([
  ['{"a": }', 6],
  ['[1,]', 3],
  ['{"a" 1}', 5],
  ['[1 2]', 3],
  ['', 0],
  ['  ', 2],
  ['[1', 2],
  ['{"a": 01}', 7],
  ['"a\nb"', 0],
  ['[1] x', 4],
  ['{,}', 1],
  ['[}', 1],
])('%j is at fault at %d', (text, at) => {
  expect(parses(text)).toBe(false);
  expect(jsonFault(text)).toBe(at);
});

test('text that JSON.parse accepts has no fault, with or without blanks', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(undefined, 2, '\t'), (value, blanks) => {
      expect(jsonFault(JSON.stringify(value, null, blanks))).toBeUndefined();
    }),
  );
});

test('finds a fault where JSON.parse does, and the text before it is a valid prefix', () => {
  const piece = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"a"',
    '1',
    '-',
    'true',
    'nul',
    ' ',
    '"',
    '0',
    '.5',
    'e1',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const text = pieces.join('');
      expect(jsonFault(text) === undefined).toBe(parses(text));
    }),
    { numRuns: effort(2000) },
  );
});
