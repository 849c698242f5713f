import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NetBuilder } from '../../src/net/builder/builder.ts';
import { netToText } from '../../src/net/text/text.ts';
import { effort } from '../effort.ts';
import { arbitraryNet } from '../engine/random-net.ts';
import { everyFeature, withFunction } from './every-feature.ts';
import { reordered } from './reordered.ts';
import { smallNet } from './small-net.ts';
import { writableNet } from './writable-net.ts';

test('a small net', () => {
  expect(netToText(smallNet())).toMatchSnapshot();
});

test('a net with every feature', () => {
  expect(netToText(everyFeature())).toMatchSnapshot();
});

test('a function is written as its name and its calls', () => {
  const text = netToText(withFunction());
  expect(text).toContain('\nfunction wear\n');
  expect(text).toContain('\n  delay wear(3) s\n');
});

test('the order of declaration does not matter', () => {
  for (let turn = 0; turn < 20; turn++)
    expect(netToText(reordered(everyFeature(), turn))).toBe(netToText(everyFeature()));
  fc.assert(
    fc.property(fc.oneof(arbitraryNet, writableNet), fc.nat({ max: 20 }), (net, turn) => {
      expect(netToText(reordered(net, turn))).toBe(netToText(net));
    }),
    { numRuns: effort(500) },
  );
});

describe('different nets have different texts', () => {
  const long = (change: (values: Float64Array) => void): string => {
    const values = Float64Array.from({ length: 1000 }, (_, k) => k);
    change(values);
    const n = new NetBuilder('long');
    n.realTable('t', values);
    return netToText(n.build());
  };

  test('an entry far down in a table', () => {
    expect(long(() => {})).toContain('table t: real [0, 1, 2, 3, 4, 5, 6, 7, …] 1000 entries #');
    expect(long(() => {})).toBe(long(() => {}));
    expect(long((v) => (v[900] = 0.5))).not.toBe(long(() => {}));
  });

  const marked = (change: number): string => {
    const n = new NetBuilder('marked');
    const I = n.range('I', 0, 999);
    n.place('p', { i: I }, { initial: Array.from({ length: 100 }, (_, i) => ({ i: i === 50 ? change : i })) });
    return netToText(n.build());
  };

  test('a token among many', () => {
    expect(marked(50)).toContain('  initial 100\n    (0)\n    (1)\n');
    expect(marked(50)).toMatch(/ {4}… 100 in all #[0-9a-f]{8}\n/);
    expect(marked(51)).not.toBe(marked(50));
  });
});

test('paged columns are written as arrays are', () => {
  const net = (paged: boolean): string => {
    const size = 1 << 5;
    const all = Int32Array.from({ length: size + 10 }, (_, k) => k % 7);
    const n = new NetBuilder('paged');
    const column = {
      length: all.length,
      shift: 5,
      pages: [],
      load: (p: number) => all.slice(p * size, (p + 1) * size),
    };
    n.intTable('t', paged ? column : all, { low: 0, high: 6 });
    return netToText(n.build());
  };
  expect(net(true)).toBe(net(false));
});

test('names cannot be mistaken for the text around them', () => {
  const n = new NetBuilder('two\nlines');
  const I = n.range('a, b', 0, 1);
  const p = n.place('p(x)', { 'i + 1': I }, { initial: [{ 'i + 1': 0 }] });
  n.transition('t\u2028', (t) => {
    const token = t.take(p);
    t.put(p, { 'i + 1': token['i + 1'] });
  });
  expect(netToText(n.build())).toBe(`net "two\\nlines"

colour "a, b": 0 … 1

place "p(x)"("i + 1": "a, b"): bag
  initial 1
    (0)

transition "t\\u{2028}"
  take "p(x)"("i + 1")
  put "p(x)"("i + 1")
`);
});
