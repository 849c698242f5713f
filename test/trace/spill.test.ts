import { expect, test } from 'vitest';
import { Spill } from '../../src/trace/ti/pages/packed-pages.ts';

test('records are read back, written and pending ones, also in part', () => {
  const spill = new Spill('test');
  const record = (n: number): Uint8Array =>
    Uint8Array.from({ length: 20_000 - (n % 3) * 5_000 }, (_, i) => (n * 7 + i) & 255);
  const places = Array.from({ length: 75 }, (_, n) => spill.add(record(n)));
  for (const n of [0, 5, 8, 9, 31, 63, 74, 3]) {
    const whole = new Uint8Array(record(n).length);
    spill.read(places[n]!, whole);
    expect(whole).toEqual(record(n));
    const part = new Uint8Array(4);
    spill.read(places[n]!, part);
    expect(part).toEqual(record(n).subarray(0, 4));
  }
  spill.close();
});
