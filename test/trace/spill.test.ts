import { expect, test } from 'vitest';
import { Spill } from '../../src/trace/ti/spill.ts';

test('records are read back, those that are written and those that wait for it, also in part', () => {
  const spill = new Spill('test', 10);
  const record = (n: number): Uint8Array => Uint8Array.from({ length: 10 - (n % 3) }, (_, i) => (n * 7 + i) & 255);
  for (let n = 0; n < 75; n++) expect(spill.add(record(n))).toBe(n);
  for (const n of [0, 31, 32, 63, 64, 74, 3]) {
    const whole = new Uint8Array(10 - (n % 3));
    spill.read(n, whole);
    expect(whole).toEqual(record(n));
    const part = new Uint8Array(4);
    spill.read(n, part);
    expect(part).toEqual(record(n).subarray(0, 4));
  }
  spill.close();
});
