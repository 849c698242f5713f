import { expect, test } from 'vitest';
import { threefry } from '../../src/base/random/threefry.ts';

/** Parses hexadecimal words in the format of Random123's tables. */
const words = (text: string): Int32Array => Int32Array.from(text.split(' '), (w) => Number.parseInt(w, 16) | 0);
const hex = (given: Int32Array): string => [...given].map((w) => (w >>> 0).toString(16).padStart(8, '0')).join(' ');

// Counter, key and result: known-answer tests of Random123 (tests/kat_vectors, "threefry4x32 20").
test.each([
  ['00000000 00000000 00000000 00000000', '00000000 00000000 00000000 00000000', '9c6ca96a e17eae66 fc10ecd4 5256a7d8'],
  ['ffffffff ffffffff ffffffff ffffffff', 'ffffffff ffffffff ffffffff ffffffff', '2a881696 57012287 f6c7446e a16a6732'],
  ['243f6a88 85a308d3 13198a2e 03707344', 'a4093822 299f31d0 082efa98 ec4e6c89', '59cd1dbb b8879579 86b5d00c ac8b6d84'],
])('the known answer to counter %s', (counter, key, result) => {
  const out = new Int32Array(4);
  threefry(words(key), words(counter), out);
  expect(hex(out)).toBe(result);
});
