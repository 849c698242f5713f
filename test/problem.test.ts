import { expect, test } from 'vitest';
import { didYouMean, formatProblem, InputError, quote } from '../src/base/problem.ts';

test('a problem is one line with its place first', () => {
  expect(formatProblem({ code: 'NET012', message: 'unknown place.', place: { part: 'arc a' } })).toBe(
    'NET012 arc a: unknown place.',
  );
  expect(formatProblem({ code: 'TI001', message: 'bad.', place: { file: 'x.ti', line: 3, column: 5 } })).toBe(
    'x.ti:3:5: TI001 bad.',
  );
});

test('a near known name is suggested, a distant one is not', () => {
  expect(didYouMean('bufer', ['buffer', 'full'])).toBe(' Did you mean "buffer"? Known: buffer, full.');
  expect(didYouMean('zzz', ['buffer'])).toBe(' Known: buffer.');
});

test('an input error lists all problems', () => {
  const e = new InputError([
    { code: 'NET001', message: 'one' },
    { code: 'NET002', message: 'two' },
  ]);
  expect(e.message).toBe('NET001 one\nNET002 two');
  expect(quote('a\nb'.repeat(50), 4)).toBe('"a\\nba…"');
});

test('a name that is far by letters, but shares words, is suggested', () => {
  const keys = ['nodes', 'coresPerNode', 'link', 'network.latency', 'eager-below'];
  expect(didYouMean('cores', keys)).toContain('Did you mean "coresPerNode"?');
  expect(didYouMean('networkLatencySeconds', keys)).toContain('Did you mean "network.latency"?');
  expect(didYouMean('eagerLimit', keys)).toContain('Did you mean "eager-below"?');
  // Letters decide first, and words of three letters or a small part of a name do not count.
  expect(didYouMean('links', keys)).toContain('Did you mean "link"?');
  expect(didYouMean('one.to', ['one.out', 'b.to'])).not.toContain('Did you mean');
  expect(didYouMean('numberOfProcessorsOfNodes', keys)).not.toContain('Did you mean');
});
