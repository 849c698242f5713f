import { expect, test } from 'vitest';
import { part } from '../../src/engine/emit/part.ts';

const link = (node: string): string => `N[${node} + 1]`;

test('parameters are replaced as text', () => {
  const drop = part({ NONE: 'number', link: 'macro' }, '$link(node) = $NONE;');
  expect(drop({ NONE: -1, link })).toBe('N[node + 1] = -1;');
  expect(drop({ NONE: 7, link })).toBe('N[node + 1] = 7;');
});

test('names are pieces of identifiers, records have members, macros several operands or none', () => {
  const all = part(
    { S_: 'name', name: 'name', flow: 'record', before: 'macro', rest: 'macro', test: 'code' },
    '$nameSize = $S_of($flow.next(f)); if ($before(a, b) && $test) { $rest() }',
  );
  const given = {
    S_: 'S0_',
    name: 'heap',
    flow: { next: link },
    before: (a: string, b: string) => `${a} < ${b}`,
    rest: () => 'return;',
    test: 'x > 0',
  };
  expect(all(given)).toBe('heapSize = S0_of(N[f + 1]); if (a < b && x > 0) { return; }');
});

test('undeclared and unused parameters, and arguments of other types, are refused', () => {
  expect(() => part({ NONE: 'number' }, '$NONE + $FREE')({ NONE: -1 })).toThrow('undeclared parameter: $FREE');
  expect(() => part({ NONE: 'number' }, '$NONEX')({ NONE: -1 })).toThrow('undeclared parameter: $NONEX');
  expect(() => part({ NONE: 'number', FREE: 'number' }, '$NONE')({ NONE: -1, FREE: -3 })).toThrow(
    'unused parameters: FREE',
  );
  const none = part({ NONE: 'number' }, '$NONE');
  // @ts-expect-error a number is expected
  expect(none({ NONE: 'x' })).toBe('x');
  // @ts-expect-error the argument is missing
  expect(none({})).toBe('undefined');
});
