import { expect, test } from 'vitest';
import type { PagedColumn } from '../../src/base/columns.ts';
import type { Net, Table } from '../../src/net/net.ts';
import { netHash } from '../../src/net/net-hash.ts';
import { everyFeature, withFunction } from '../net/every-feature.ts';

/** The same data with the members of every object in reverse order. */
function turned<T>(x: T): T {
  if (Array.isArray(x)) return x.map(turned) as T;
  if (typeof x !== 'object' || x === null || ArrayBuffer.isView(x)) return x;
  const members = Object.entries(x).map(([key, value]) => [key, turned(value)]);
  return Object.fromEntries([...members.reverse(), ['absent', undefined]]) as T;
}

/** All nets that differ from the given one in a single number, string or boolean. */
function* changes(net: Net): Generator<Net> {
  const visit = function* (x: unknown, set: (y: unknown) => Net): Generator<Net> {
    if (typeof x === 'number') yield set(x === 1 ? 2 : 1);
    else if (typeof x === 'string') yield set(`${x}'`);
    else if (typeof x === 'boolean') yield set(!x);
    else if (ArrayBuffer.isView(x)) {
      const column = x as Float64Array;
      for (let k = 0; k < column.length; k++) yield set(column.with(k, column[k] === 1 ? 2 : 1));
    } else if (Array.isArray(x)) for (const [k, y] of x.entries()) yield* visit(y, (z) => set(x.with(k, z)));
    else if (typeof x === 'object' && x !== null)
      for (const [key, y] of Object.entries(x)) yield* visit(y, (z) => set({ ...x, [key]: z }));
  };
  yield* visit(net, (whole) => whole as Net);
}

test('depends on the content', () => {
  expect(netHash(everyFeature())).toBe(netHash(everyFeature()));
  expect(netHash(turned(everyFeature()))).toBe(netHash(everyFeature()));
  expect(netHash(everyFeature())).toMatch(/^[0-9a-f]{64}$/);
});

test('detects every change', () => {
  const net = withFunction();
  const hashes = new Set([netHash(net)]);
  let count = 1;
  for (const changed of changes(net)) {
    hashes.add(netHash(changed));
    count++;
  }
  expect(count).toBeGreaterThan(500);
  expect(hashes.size).toBe(count);
});

test('depends on the order of declarations', () => {
  const net = everyFeature();
  expect(netHash({ ...net, places: net.places.toReversed() })).not.toBe(netHash(net));
});

test('a paged column equals its entries', () => {
  const shift = 8;
  const size = 1 << shift;
  const length = size + 3;
  const whole = Int32Array.from({ length }, (_, k) => k);
  const pages = [whole.slice(0, size), new Int32Array(size)];
  pages[1]!.set(whole.subarray(size));
  // Entries beyond the end of the column are leftovers of another page.
  pages[1]!.fill(99, 3);
  const paged: PagedColumn<Int32Array> = { length, shift, pages: [undefined, undefined], load: (page) => pages[page]! };
  const withTable = (values: (Table & { kind: 'int' })['values']): Net => ({
    ...everyFeature(),
    tables: [{ kind: 'int', name: 'next', values, low: 0, high: length }],
  });
  expect(netHash(withTable(paged))).toBe(netHash(withTable(whole)));
  expect(netHash(withTable(whole.with(length - 1, 0)))).not.toBe(netHash(withTable(whole)));
});
