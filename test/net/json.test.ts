import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { entryAt, type PagedColumn } from '../../src/base/columns.ts';
import type { MachineOptions } from '../../src/commands/inputs/target.ts';
import { traceNet } from '../../src/commands/subjects/read-trace.ts';
import { NetBuilder } from '../../src/net/builder/builder.ts';
import { type NetDocument, netFromJson, netToJson } from '../../src/net/json/json.ts';
import type { Column, Integers, Net, Place, Table } from '../../src/net/net.ts';
import { add, type Term } from '../../src/net/terms.ts';
import { effort } from '../effort.ts';
import { hasTraces, references, skipped, tiFile } from '../references.ts';
import { everyFeature, withFunction } from './every-feature.ts';
import { codesOf, problemsOf } from './problems.ts';
import { smallNet } from './small-net.ts';
import { writableNet } from './writable-net.ts';

const again = (net: Net): Net => netFromJson(netToJson(net));

test('a small net is read as it was written', () => {
  expect(again(smallNet())).toEqual(smallNet());
});

test('a net with every feature is read as it was written', () => {
  expect(again(everyFeature())).toEqual(everyFeature());
  expect(netToJson(everyFeature())).toMatchSnapshot();
});

test('explicit defaults are kept', () => {
  const [place, ...places] = everyFeature().places;
  const [order, begin, ...transitions] = everyFeature().transitions;
  const net: Net = {
    ...everyFeature(),
    places: [{ ...place!, modules: [] }, ...places],
    transitions: [
      { ...order!, servers: 'infinite', modules: [] },
      { ...begin!, timing: 'holding', free: [], priority: 0, label: { name: 'l', exports: {} } },
      ...transitions,
    ],
  };
  expect(again(net)).toStrictEqual(net);
});

test('older documents stay readable', () => {
  const net = netFromJson(`{
  "format": "foretoken-net", "version": 1, "name": "before",
  "colours": [{ "name": "R", "kind": "range", "low": 0, "high": 3 }],
  "tables": [],
  "places": [
    { "name": "p", "fields": [{ "name": "a.b", "colour": "R" }], "order": "fifo", "key": ["a.b"], "initial": [[0], [1]] }
  ],
  "transitions": [
    { "name": "t", "inputs": [{ "kind": "take", "place": "p", "pattern": { "a.b": "r" } }], "delay": 1,
      "outputs": [{ "place": "p", "values": { "a.b": "r" } }] }
  ],
  "processes": { "colour": "R", "ended": "p" }
}`);
  expect(net.places[0]).toEqual({
    name: 'p',
    fields: [{ name: 'a.b', colour: 'R' }],
    order: 'fifo',
    key: ['a.b'],
    initial: [
      { values: [0], count: 1 },
      { values: [1], count: 1 },
    ],
  });
  expect(Object.keys(net.transitions[0]!).sort()).toEqual(['delay', 'inputs', 'name', 'outputs']);
});

test('the text is JSON of the documented shape, one line for every arc and expression', () => {
  const text = netToJson(smallNet());
  const document = JSON.parse(text) as NetDocument;
  expect(document).toMatchObject({ format: 'foretoken-net', version: 1, name: 'a bit of everything' });
  expect(text).toMatchSnapshot();
});

test('every random net is read as it was written', () => {
  fc.assert(
    fc.property(writableNet, (net) => {
      expect(again(net)).toEqual(net);
    }),
    { numRuns: effort(500) },
  );
});

describe('numbers', () => {
  const through = (values: readonly number[]): number[] => {
    const n = new NetBuilder('numbers');
    n.realTable('t', Float64Array.from(values));
    const [t] = again(n.build()).tables;
    return t?.kind === 'real' ? Array.from({ length: t.values.length }, (_, k) => entryAt(t.values, k)) : [];
  };

  test('every double is restored bit for bit', () => {
    const odd = [0, -0, 5e-324, 1.7976931348623157e308, 0.1, 1e21, 2 ** 53 + 2, Infinity, -Infinity, -1.5e-7];
    expect(through(odd)).toEqual(odd);
    fc.assert(
      fc.property(fc.array(fc.double({ noNaN: true })), (values) => {
        expect(through(values)).toEqual(values);
      }),
    );
  });

  test('runs of equal entries are written short and read in full', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat({ max: 20 }), fc.constantFrom(0, -0, 1, Infinity))), (runs) => {
        const values = runs.flatMap(([n, value]) => new Array<number>(n).fill(value));
        expect(through(values)).toEqual(values);
      }),
    );
    const n = new NetBuilder('runs');
    n.intTable('t', new Int32Array(1e6).fill(7));
    expect(netToJson(n.build())).toContain('"values": [[1000000, 7]]');
  });

  test('a table is wrapped at 120 columns', () => {
    const n = new NetBuilder('wide');
    n.realTable(
      't',
      Float64Array.from({ length: 5000 }, (_, k) => Math.sqrt(k)),
    );
    const lines = netToJson(n.build()).split('\n');
    expect(Math.max(...lines.map((l) => l.length))).toBeLessThanOrEqual(120);
    expect(lines.length).toBeLessThan(1200);
  });
});

test('names of any kind survive', () => {
  const name = fc.oneof(
    fc.string({ unit: 'binary', minLength: 1 }),
    fc.constantFrom('__proto_', '"', '\\', '\n', '\u2028', '0', 'Infinity', '\ud800', '</script>'),
  );
  fc.assert(
    fc.property(fc.uniqueArray(name, { minLength: 6, maxLength: 6 }), (names) => {
      // i is a variable of the net.
      fc.pre(names.every((x) => !(x in {}) && x !== 'i'));
      const [net, colour, table, place, field, value] = names as [string, string, string, string, string, string];
      const n = new NetBuilder(net);
      const C = n.enumeration(colour, value, `${value}2`);
      const I = n.range('range', 0, 9);
      const t = n.intTable(table, Int32Array.of(1, 2));
      const p = n.place(place, { [field]: C, i: I }, { order: { fifo: [field] } });
      n.transition('t', (b) => {
        const token = b.take(p) as { i: Term<number>; [field: string]: Term<number> | Term<string> };
        b.guard({ op: 'eq', a: token[field]!, b: C.is(value) });
        b.put(p, { [field]: C.is(`${value}2`), i: t.at(token.i) } as never);
      });
      expect(again(n.build())).toEqual(n.build());
    }),
    { numRuns: effort(300) },
  );
});

describe('paged columns', () => {
  const SHIFT = 6;
  const PAGE_SIZE = 1 << SHIFT;

  /** A column without pages in memory, whose last page may be shorter. */
  function paged<A extends Int32Array | Float64Array>(all: A, length: number): PagedColumn<A> & { loads: number } {
    const pages: (A | undefined)[] = [];
    return {
      length,
      shift: SHIFT,
      pages,
      loads: 0,
      load(page) {
        this.loads++;
        return all.slice(page * PAGE_SIZE, (page + 1) * PAGE_SIZE) as A;
      },
    };
  }
  const net = (values: Column<Int32Array>): Net => {
    const n = new NetBuilder('paged');
    n.intTable('t', values, { low: 0, high: 1e6 });
    return n.build();
  };

  test('are read page by page and become arrays', () => {
    const all = Int32Array.from({ length: 3 * PAGE_SIZE + 5 }, (_, k) => k);
    const column = paged(all, all.length);
    expect(again(net(column))).toEqual(net(all));
    expect(column.loads).toBe(4);
  });

  test('cells beyond a short page are 0', () => {
    const all = Int32Array.of(1, 2, 3);
    const expected = new Int32Array(PAGE_SIZE);
    expected.set(all);
    expect(again(net(paged(all, PAGE_SIZE)))).toEqual(net(expected));
  });
});

describe('nets that cannot be written are rejected', () => {
  test('a net that is not valid', () => {
    expect(codesOf(() => netToJson({ ...smallNet(), tables: [] }))).toContain('NET016');
  });

  test('functions of the host language, by the transition that calls them', () => {
    expect(problemsOf(() => netToJson(withFunction()))).toEqual([
      'NET111 transition sweep: host-language function "wear" cannot be written to a file: use a table instead',
    ]);
    const functions = ['f', 'g'].map((name) => ({ name, apply: () => 1 }));
    const [first, ...places] = everyFeature().places;
    const priority = { op: 'call', function: 'g', args: [] } as const;
    const called: Place = { ...first!, order: 'priority', priority };
    expect(problemsOf(() => netToJson({ ...everyFeature(), functions, places: [called, ...places] }))).toEqual([
      'NET111 function f: host-language function "f" cannot be written to a file: use a table instead',
      'NET111 place workers: host-language function "g" cannot be written to a file: use a table instead',
    ]);
  });

  test('not a number, also in pages', () => {
    const values = { length: 2, shift: 7, pages: [], load: () => Float64Array.of(1, Number.NaN) };
    const net: Net = { ...smallNet(), tables: [...smallNet().tables, { kind: 'real', name: 'bad', values }] };
    expect(problemsOf(() => netToJson(net))).toEqual(['NET007 table bad: page 0 has an entry that is not a number']);
  });

  test('an expression that the reader would reject', () => {
    const deep = (depth: number): Net => {
      const n = new NetBuilder('deep');
      const I = n.integer('I');
      const p = n.place('p', { i: I });
      n.transition('t', (t) => {
        let { i } = t.take(p);
        for (let k = 1; k < depth; k++) i = add(i, 1);
        t.put(p, { i });
      });
      return n.build();
    };
    expect(again(deep(200))).toEqual(deep(200));
    expect(problemsOf(() => netToJson(deep(201)))).toEqual([
      'NET103 transition t: an expression is nested deeper than 200',
    ]);
  });
});

test('a large table', () => {
  const n = new NetBuilder('large');
  const values = Float64Array.from({ length: 150_000 }, (_, k) => (k % 3 === 0 ? k : k / 7));
  n.realTable('t', values);
  const net = again(n.build());
  // `toEqual` takes seconds for as many numbers.
  const read = (net.tables[0] as Table & { kind: 'real' }).values as Float64Array;
  expect(Buffer.from(read.buffer).equals(Buffer.from(values.buffer))).toBe(true);
});

describe.skipIf(!hasTraces)(`nets of traces${hasTraces ? '' : ` (${skipped})`}`, () => {
  const chosen = references().filter(
    (e, k, all) =>
      e.actions < 5000 && e.networkModel === 'simgrid-smpi' && all.findIndex((x) => x.trace === e.trace) === k,
  );
  const some =
    chosen.length > 0 ? chosen : references().filter((e) => e.actions < 500 && e.networkModel === 'simgrid-smpi');

  test.each(some.slice(0, 8).map((e) => [e.name, e] as const))('the net of %s is read as it was written', (_, e) => {
    const options: MachineOptions = {
      machine: tiFile(e.platform),
      hostfile: tiFile(e.hostfile),
      ranks: e.ranks,
      networkModel: e.networkModel,
    };
    const { trace, net } = traceNet(tiFile(e.trace), options, true);
    const back = again(net);
    expect({ ...back, tables: [] }).toEqual({ ...net, tables: [] });
    expect(back.tables.map(plain)).toEqual(net.tables.map(plain));
    trace.close();
  });
});

/** A table without pages. */
function plain(t: Table): Table {
  const all = (values: Integers | Column<Float64Array>): number[] =>
    Array.from(
      { length: values.length },
      (_, k) => (entryAt<Int32Array | Uint8Array | Float64Array>(values, k) as number | undefined) ?? 0,
    );
  if (t.kind === 'int') return { ...t, values: Int32Array.from(all(t.values)) };
  return t.kind === 'real' ? { ...t, values: Float64Array.from(all(t.values)) } : t;
}
