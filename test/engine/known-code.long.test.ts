import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { compile } from '../../src/engine/compile.ts';
import type { EmitOptions } from '../../src/engine/emit/emission.ts';
import { codeOf, emitNet, type NetCode } from '../../src/engine/emit/net.ts';
import { NetBuilder } from '../../src/net/builder/builder.ts';
import { scalarNet } from '../../src/net/expressions.ts';
import type { Net, Place, Table } from '../../src/net/net.ts';
import { effort } from '../effort.ts';
import { compare } from './agree.ts';
import { arbitraryNet } from './random-net.ts';

/** The same net with different table entries, link capacities and initial tokens. */
function otherNumbers(net: Net): Net {
  const table = (t: Table): Table => {
    if (t.kind === 'real') return { ...t, values: Float64Array.from({ length: t.values.length }, (_, k) => k + 0.125) };
    if (t.kind === 'int') return { ...t, values: Int32Array.from({ length: t.values.length }, () => t.low) };
    if (t.kind === 'step') return { ...t, values: t.values.map((v) => v + 1) };
    return { ...t, coefficient: t.coefficient.map((c) => c / 2) };
  };
  const place = (p: Place): Place => ({
    ...p,
    initial: p.initial.map((tokens) => ({ ...tokens, count: tokens.count + 1 })),
    ...(p.service?.kind === 'max-min'
      ? { service: { ...p.service, links: p.service.links.map((l) => ({ ...l, capacity: l.capacity * 3 })) } }
      : {}),
  });
  return { ...net, tables: net.tables.map(table), places: net.places.map(place) };
}

const plain: EmitOptions = {
  observed: new Set(),
  logged: new Map(),
  counted: new Set(),
  timed: new Set(),
  lastAge: 2 ** 31 - 1,
};

const told = ({ source, emission }: NetCode) => ({
  source,
  layouts: emission.layouts.map(({ indexes, groupIndex }) => ({ indexes, groupIndex })),
});

test('cached code of another net equals newly generated code', () => {
  let [same, different] = [0, 0];
  fc.assert(
    fc.property(arbitraryNet, arbitraryNet, (a, b) => {
      const [net, other] = [scalarNet(a), scalarNet(b)];
      codeOf(net, plain);
      const changed = otherNumbers(net);
      expect(told(codeOf(changed, plain))).toEqual(told(emitNet(changed, plain)));
      expect(codeOf(changed, plain).emission.net).toBe(changed);
      // Other nets and other options have different code.
      expect(told(codeOf(other, plain))).toEqual(told(emitNet(other, plain)));
      const timed = { ...plain, timed: new Set([net.places[0]!.name]), lastAge: 1000 };
      expect(told(codeOf(net, timed))).toEqual(told(emitNet(net, timed)));
      if (told(emitNet(net, timed)).source === told(emitNet(net, plain)).source) same++;
      else different++;
    }),
    { numRuns: effort(75) },
  );
  expect([same, different > 0]).toEqual([0, true]);
});

test('a net with cached code runs as in the reference', () => {
  fc.assert(
    fc.property(arbitraryNet, (net) => {
      compare(net, { maxSteps: 30 });
      compare({ ...net, places: [...net.places] }, { maxSteps: 30 });
    }),
    { numRuns: effort(40) },
  );
});

test('numbers that JSON cannot represent are distinguished', () => {
  const net = (value: number): Net => ({
    name: 'n',
    colours: [{ kind: 'integer', name: 'Int' }],
    tables: [],
    places: [{ name: 'p', fields: [{ name: 'k', colour: 'Int' }], order: 'bag', key: [], initial: [] }],
    transitions: [
      {
        name: 't',
        inputs: [{ kind: 'take', place: 'p', pattern: { k: { op: 'var', name: 'k' } }, count: 1 }],
        outputs: [],
        guard: { op: 'lt', a: { op: 'var', name: 'k' }, b: { op: 'const', value } },
      },
    ],
  });
  const values = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0, 1];
  const sources = values.map((v) => codeOf(net(v), plain).source);
  expect(new Set(sources).size).toBe(values.length);
});

test('the number of routes is part of the code, which checks routes against it', () => {
  const net = (routes: number): Net => {
    const n = new NetBuilder('routes');
    const Route = n.range('Route', 0, 9);
    const table = n.routesTable(
      'routes',
      Int32Array.from({ length: routes + 1 }, (_, k) => k),
      new Int32Array(routes),
      new Float64Array(routes).fill(1),
    );
    n.place(
      'p',
      { r: Route },
      {
        initial: [{ r: 7 }],
        service: ({ r }) => ({
          links: [{ name: 'l', capacity: 1, fatpipe: false }],
          amount: 1,
          weight: 1,
          bound: 1,
          routes: table,
          route: r,
        }),
      },
    );
    return n.build();
  };
  const play = (routes: number): void => void compile(net(routes)).start().run(10);
  play(10);
  expect(() => play(5)).toThrow(/RUN007/);
  play(8);
});
