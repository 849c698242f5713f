import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NetBuilder } from '../../src/net/builder/builder.ts';
import { incidence } from '../../src/net/incidence/incidence.ts';
import { incidenceToCsv } from '../../src/net/incidence/incidence-csv.ts';
import { resolvedIncidence, type SparseRows } from '../../src/net/incidence/incidence-resolved.ts';
import type { Net } from '../../src/net/net.ts';
import { add, lt } from '../../src/net/terms.ts';
import { unfold } from '../../src/net/unfold/unfold.ts';
import { effort } from '../effort.ts';
import { arbitraryNet } from '../engine/random-net.ts';
import { philosophers } from './contest-nets.ts';
import { codesOf, problemsOf } from './problems.ts';
import { finiteNet } from './random-finite-net.ts';
import { reordered } from './reordered.ts';

/** A producer and a consumer of packets of three, with a stop; uses every kind of arc. */
function producer(): Net {
  const n = new NetBuilder('producer');
  const [free, full, ready, stopped] = [
    n.place('free', {}, { initial: 2 }),
    n.place('full', {}),
    n.place('ready', {}, { initial: 1 }),
    n.place('stopped', {}),
  ];
  n.transition('produce', (t) => {
    t.take(free);
    t.read(ready);
    t.inhibit(stopped, {}, 2);
    t.put(full, {}, 3);
  });
  n.transition('consume', (t) => {
    t.take(full, {}, 2);
    t.put(full, {});
    t.put(free, {});
  });
  n.transition('stop', (t) => {
    t.take(ready);
    t.reset(full);
    t.put(ready, {});
  });
  return n.build();
}

const dense = (rows: SparseRows, width: number): number[][] =>
  Array.from({ length: rows.start.length - 1 }, (_, r) => {
    const row = Array.from({ length: width }, () => 0);
    for (let k = rows.start[r]!; k < rows.start[r + 1]!; k++) row[rows.column[k]!] = rows.value[k]!;
    return row;
  });

test('the matrix of a place/transition net, by hand', () => {
  const m = resolvedIncidence(producer());
  expect([m.places, m.transitions]).toEqual([
    ['free', 'full', 'ready', 'stopped'],
    ['produce', 'consume', 'stop'],
  ]);
  expect([...m.initial]).toEqual([2, 0, 1, 0]);
  const rows = (which: 'pre' | 'post' | 'change' | 'read' | 'inhibit' | 'reset') => dense(m[which], 3);
  expect(rows('pre')).toEqual([
    [1, 0, 0],
    [0, 2, 0],
    [0, 0, 1],
    [0, 0, 0],
  ]);
  expect(rows('post')).toEqual([
    [0, 1, 0],
    [3, 1, 0],
    [0, 0, 1],
    [0, 0, 0],
  ]);
  expect(rows('change')).toEqual([
    [-1, 1, 0],
    [3, -1, 0],
    [0, 0, 0],
    [0, 0, 0],
  ]);
  expect(m.change.value).toHaveLength(4);
  expect(rows('read')[2]).toEqual([1, 0, 0]);
  expect(rows('inhibit')[3]).toEqual([2, 0, 0]);
  expect(rows('reset')[1]).toEqual([0, 0, 1]);
});

test('as a table', () => {
  expect(incidenceToCsv(producer())).toBe(
    [
      'place,consume,produce,stop',
      'free,1,-1,',
      'full,-1,3,resets',
      'ready,,reads 1,0',
      'stopped,,inhibits 2,',
      '',
    ].join('\n'),
  );
});

test('Post − Pre = C of every unfolded net, and C is the change of a firing', () => {
  fc.assert(
    fc.property(finiteNet, (net) => {
      fc.pre(codesOf(() => unfold(net)).length === 0);
      const m = resolvedIncidence(net);
      const width = m.transitions.length;
      const [pre, post, change] = [dense(m.pre, width), dense(m.post, width), dense(m.change, width)];
      expect(change).toEqual(pre.map((row, r) => row.map((x, c) => post[r]![c]! - x + 0)));
      m.net.transitions.forEach((t, c) => {
        for (const a of t.outputs) expect(post[m.places.indexOf(a.place)]![c]).toBeGreaterThan(0);
        const taken = t.inputs.filter((a) => a.kind === 'take').reduce((sum, a) => sum + a.count, 0);
        expect(pre.reduce((sum, row) => sum + row[c]!, 0)).toBe(taken);
      });
    }),
    { numRuns: effort(200) },
  );
});

test('the forks of philosophers: each is in use once, so the rows of Fork, Catch and Eat keep their sum', () => {
  const m = resolvedIncidence(philosophers(4));
  const change = dense(m.change, m.transitions.length);
  const row = (place: string): number[] => change[m.places.indexOf(place)]!;
  for (let x = 0; x < 4; x++) {
    const next = (x + 1) % 4;
    // Fork x is held by philosopher x (Catch2 takes the own fork first) or by the next one (Catch1 takes the left fork).
    const rows = [
      row(`Fork[${x}]`),
      row(`Catch2[${x}]`),
      row(`Catch1[${next}]`),
      row(`Eat[${x}]`),
      row(`Eat[${next}]`),
    ];
    for (let c = 0; c < m.transitions.length; c++) expect(rows.reduce((sum, r) => sum + r[c]!, 0)).toBe(0);
  }
});

describe('folded', () => {
  const coloured = (): Net => {
    const n = new NetBuilder('coloured');
    const K = n.range('K', 0, 9);
    const p = n.place('p', { k: K, l: K });
    const q = n.place('q', { k: K });
    n.transition('t', (t) => {
      const { k, l } = t.take(p);
      t.take(q, { k }, 2);
      t.read(q, { k: 1 });
      t.inhibit(p, { l: 2 });
      t.put(p, { k, l: add(l, 1) });
      t.put(q, { k });
      t.put(q, { k: l }, lt(k, l));
    });
    return n.build();
  };

  test('signed inscriptions: equal ones add up, conditions stay', () => {
    const { entries, places, transitions } = incidence(coloured());
    expect([places, transitions]).toEqual([['p', 'q'], ['t']]);
    const [p, q] = entries;
    const told = (list: readonly { readonly text: string; readonly count: object }[]): unknown[] =>
      list.map(({ text, count }) => [text, count]);
    const constant = (value: number) => ({ op: 'const', value });
    expect(told(p!.change)).toEqual([
      ['(k, l + 1)', constant(1)],
      ['(k, l)', constant(-1)],
    ]);
    expect(told(q!.pre)).toEqual([['(k)', constant(2)]]);
    expect(told(q!.change)).toEqual([
      ['(l)', expect.objectContaining({ op: 'lt' })],
      ['(k)', constant(-1)],
    ]);
    expect(q!.tests.map((x) => [x.kind, x.text])).toEqual([['read', '(1)']]);
    expect(incidenceToCsv(coloured())).toBe(
      ['place,t', 'p,"(k, l + 1) − (k, l); inhibits (_, 2)"', 'q,(k < l) × (l) − (k); reads (1)', ''].join('\n'),
    );
  });

  test('tokens of unknown colour do not cancel', () => {
    const net = coloured();
    const loose: Net = {
      ...net,
      transitions: net.transitions.map((t) => ({
        ...t,
        inputs: [{ kind: 'take', place: 'q', pattern: {}, count: 1 }],
        outputs: [{ place: 'q', values: { k: { op: 'const', value: 1 } }, count: { op: 'const', value: 1 } }],
      })),
    };
    expect(incidenceToCsv(loose)).toBe('place,t\np,\nq,(1) − (_)\n');
  });

  test('an entry for every arc, independent of the order of declaration', () => {
    fc.assert(
      fc.property(arbitraryNet, fc.nat({ max: 20 }), (net, turn) => {
        const { entries } = incidence(net);
        const pairs = net.transitions.flatMap((t) =>
          [...new Set([...t.inputs, ...t.outputs].map((a) => a.place))].map((p) => `${p} ${t.name}`),
        );
        expect(entries.map((e) => `${e.place} ${e.transition}`).sort()).toEqual(pairs.sort());
        expect(incidenceToCsv(reordered(net, turn))).toBe(incidenceToCsv(net));
      }),
      { numRuns: effort(200) },
    );
  });
});

describe('tables', () => {
  test('numbers in names count as numbers, and no name becomes a formula', () => {
    const n = new NetBuilder('names');
    for (const name of ['p10', 'p9', '=1+1', '-x', 'a "b", c', 'p[2]', 'p[10]']) n.place(name, {});
    expect(incidenceToCsv(n.build()).split('\n').slice(1)).toEqual([
      "'-x",
      "'=1+1",
      '"a ""b"", c"',
      'p9',
      'p10',
      'p[2]',
      'p[10]',
      '',
    ]);
  });

  test('INC001 beyond ten million cells', () => {
    const net = producer();
    const many = <T extends { readonly name: string }>(item: T): T[] =>
      Array.from({ length: 3200 }, (_, k) => ({ ...item, name: `${item.name} ${k}` }));
    const big: Net = {
      ...net,
      places: many(net.places[0]!),
      transitions: many({ ...net.transitions[0]!, inputs: [] }),
    };
    expect(problemsOf(() => incidenceToCsv(big))).toEqual([expect.stringMatching(/^INC001 .*10240000 cells/)]);
  });
});
