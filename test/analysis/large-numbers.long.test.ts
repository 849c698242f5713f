import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { placeBounds } from '../../src/analysis/coverability/place-bounds.ts';
import { flatten } from '../../src/analysis/petri/flatten.ts';
import { MarkingStore } from '../../src/analysis/reduction/marking-store.ts';
import { reducedSearch } from '../../src/analysis/reduction/reduced-search.ts';
import { explore } from '../../src/analysis/space/explore.ts';
import { verify } from '../../src/commands/verify/net/verify.ts';
import type { Net } from '../../src/net/net.ts';
import { readPnml } from '../../src/net/pnml/pnml-read.ts';

type Arcs = Readonly<Record<string, number>>;

/** A place/transition net from its initial marking and, by transition, the tokens consumed and produced. */
function plainNet(places: Arcs, transitions: Readonly<Record<string, readonly [takes: Arcs, brings: Arcs]>>): Net {
  const arcs: string[] = [];
  const arc = (source: string, target: string, weight: number): void => {
    const id = `a${arcs.length}`;
    arcs.push(
      `<arc id="${id}" source="${source}" target="${target}"><inscription><text>${weight}</text></inscription></arc>`,
    );
  };
  for (const [t, [takes, brings]] of Object.entries(transitions)) {
    for (const [p, n] of Object.entries(takes)) arc(p, t, n);
    for (const [p, n] of Object.entries(brings)) arc(t, p, n);
  }
  const nodes = [
    ...Object.entries(places).map(
      ([p, n]) => `<place id="${p}"><initialMarking><text>${n}</text></initialMarking></place>`,
    ),
    ...Object.keys(transitions).map((t) => `<transition id="${t}"/>`),
  ];
  return readPnml(
    `<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml"><net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="page">${nodes.join('')}${arcs.join('')}</page></net></pnml>`,
  ).net;
}

const P31 = 2 ** 31;
/** Weights around the limits of 32-bit integers, and the largest one supported in PNML. */
const WEIGHTS = [P31 - 1, P31, P31 + 1, 2 * P31 - 1, 2 * P31, 2 * P31 + 1, 2 ** 53 - 1];

describe('weights from 2^31 on', () => {
  test.each(WEIGHTS)('a transition that needs %d tokens never fires without them', (weight) => {
    const net = plainNet({ a: 1, b: 0, c: 0 }, { t: [{ a: 1 }, { b: 1 }], u: [{ b: weight }, { a: 1, c: 1 }] });
    expect(placeBounds(net)).toEqual({ bounded: true, bounds: { a: 1, b: 1, c: 0 } });
    const found = verify(net, ['bounds', 'deadlock-free', 'AG(tokens(c) = 0)']).properties;
    expect(found.map((p) => p.verdict)).toEqual([1, false, true]);
    expect(found[0]!.bounds).toEqual({ a: 1, b: 1, c: 0 });
    for (const method of ['stubborn', 'structural', 'symmetry', 'all'] as const)
      expect(reducedSearch(flatten(net), { kind: 'deadlock' }, method).reached).toBe(true);
  });

  test('an unbounded place has a witness, with a weight that no marking meets', () => {
    const net = plainNet({ a: 1, b: 0 }, { t: [{ a: 1 }, { a: 1, b: 1 }], u: [{ b: 2 * P31 }, {}] });
    const [bounds] = verify(net, ['bounds'], { maxStates: 5000 }).properties;
    expect([bounds!.verdict, bounds!.witness !== undefined]).toEqual(['unbounded', true]);
  });
});

describe('initial markings', () => {
  test('up to 2^31 - 1 tokens are exact, also in sums over places', () => {
    const net = plainNet({ p: P31 - 1, q: P31 - 1 }, { t: [{ p: P31 - 1 }, {}], u: [{ q: P31 - 1 }, {}] });
    const space = explore(net, { engine: 'packed' });
    expect([space.states, space.maxTokensInPlace, space.maxTokensPerMarking]).toEqual([4, P31 - 1, 2 * (P31 - 1)]);
    expect(verify(net, ['upper-bound(tokens(p, q))']).properties[0]!.verdict).toBe(2 * (P31 - 1));
  });

  test('more tokens are rejected with a code if they change, and exact if they do not', () => {
    const taken = plainNet({ p: 2 * P31, q: 0 }, { t: [{ p: 1 }, { q: 1 }] });
    expect(() => explore(taken)).toThrow(/RUN013.*2147483647/s);
    expect(() => verify(taken, ['bounds'])).toThrow(/RUN013/);
    expect(() => reducedSearch(flatten(taken), { kind: 'deadlock' }, 'stubborn')).toThrow(/RED004.*2147483647/s);
    const kept = plainNet({ p: 3 * P31, q: 1 }, { t: [{ p: 10, q: 1 }, { p: 10 }] });
    expect(verify(kept, ['bounds']).properties[0]!.bounds).toEqual({ p: 3 * P31, q: 1 });
  });
});

test('a place that exceeds 31 bits is rejected with a code', () => {
  const net = plainNet({ p: 1 }, { t: [{ p: 1 }, { p: 1_000_000 }] });
  expect(() => explore(net)).toThrow(/RUN013.*2147483647/s);
});

test('markings are stored exactly up to 2^53 - 1', () => {
  const count = fc.oneof(
    fc.nat(),
    fc.maxSafeNat(),
    fc.constantFrom(255, 256, 65_535, 65_536, P31, 2 * P31 - 1, 2 * P31),
  );
  fc.assert(
    fc.property(fc.array(fc.array(count, { minLength: 3, maxLength: 3 }), { minLength: 1, maxLength: 20 }), (rows) => {
      const store = new MarkingStore(3);
      const numbers = rows.map((row) => store.add(Float64Array.from(row)));
      const read = new Float64Array(3);
      for (const [k, row] of rows.entries()) {
        store.read(numbers[k]!, read);
        expect([...read]).toEqual(row);
        expect(store.add(read)).toBe(numbers[k]);
      }
      expect(store.count).toBe(new Set(rows.map((row) => row.join())).size);
    }),
  );
});
