import { describe, expect, test } from 'vitest';
import { BINARY, type Expression, UNARY } from '../../src/net/expression.ts';
import { close, hide } from '../../src/net/merge/close.ts';
import { merge } from '../../src/net/merge/merge.ts';
import { qualify, rename } from '../../src/net/merge/rename.ts';
import type { Delay, Distribution, Net, Service } from '../../src/net/net.ts';
import { label, net, place, put, read, take, transition, v } from './merge-nets.ts';
import { problemsOf } from './problems.ts';

/** A net in which every kind of name occurs in every possible position. */
function full(): Net {
  const time = { op: 'call', function: 'f', args: [{ op: 'at', table: 'T', index: v('i') }] } as const;
  const services: Service[] = [
    { kind: 'is', time },
    { kind: 'priority', servers: 1, time: { dist: 'exponential', rate: time }, priority: time, preemptive: true },
    { kind: 'max-min', links: [], amount: time, weight: time, bound: time, routes: 'T', route: time },
  ];
  return net('full', {
    colours: [
      { kind: 'enum', name: 'C', values: ['a', 'b'] },
      { kind: 'product', name: 'D', parts: ['C', 'C'] },
      { kind: 'record', name: 'E', fields: [{ name: 'C', colour: 'C' }] },
    ],
    tables: [{ kind: 'real', name: 'T', values: Float64Array.of(1) }],
    places: [
      place('p', { i: 'C' }, { order: 'priority', priority: time }),
      ...services.map((service, k) => place(`q${k}`, { i: 'C' }, { service })),
    ],
    transitions: [
      transition(
        't',
        [take('p', { i: v('i') }), read('q0')],
        [put('q1', { i: { op: 'const', value: 1, colour: 'C' } })],
        {
          free: [{ name: 'C', colour: 'C' }],
          delay: { op: 'step', table: 'T', index: v('T') },
          label: label('l', { i: 'i' }),
        },
      ),
    ],
    processes: { colour: 'C', ended: 'p' },
    functions: [{ name: 'f', apply: Math.abs }],
  });
}

describe('rename', () => {
  test('changes a name wherever it occurs, and nothing else', () => {
    const renames = {
      places: { p: 'place' },
      transitions: { t: 'transition' },
      labels: { l: 'label' },
      colours: { C: 'colour' },
      tables: { T: 'table' },
      functions: { f: 'function' },
    };
    // Each kind of name has its own spelling in this net, so names can be replaced in the text.
    const expected = JSON.parse(
      JSON.stringify(full())
        .replaceAll('"p"', '"place"')
        .replaceAll('"t"', '"transition"')
        .replaceAll('"l"', '"label"')
        .replaceAll('"colour":"C"', '"colour":"colour"')
        .replaceAll('"enum","name":"C"', '"enum","name":"colour"')
        .replaceAll('["C","C"]', '["colour","colour"]')
        .replaceAll(/"(table|routes)":"T"/g, '"$1":"table"')
        .replaceAll('"real","name":"T"', '"real","name":"table"')
        .replaceAll('"f"', '"function"'),
    );
    expect(JSON.parse(JSON.stringify(rename(full(), renames)))).toEqual(expected);
  });

  const x: Expression = { op: 'at', table: 'T', index: v('x') };
  const distributions: Distribution[] = [
    { dist: 'exponential', rate: x },
    { dist: 'erlang', shape: x, rate: x },
    { dist: 'hyper-exponential', branches: [{ probability: x, rate: x }] },
    { dist: 'cox', phases: [{ rate: x, onward: x }] },
    { dist: 'uniform', low: x, high: x },
    { dist: 'triangular', low: x, mode: x, high: x },
    { dist: 'normal', mean: x, deviation: x },
    { dist: 'lognormal', mean: x, deviation: x },
    { dist: 'weibull', shape: x, scale: x },
    { dist: 'gamma', shape: x, scale: x },
    { dist: 'discrete', values: [{ value: 1, weight: 2 }] },
    { dist: 'empirical', samples: [1, 2] },
  ];
  const expressions: Expression[] = [
    ...UNARY.map((op) => ({ op, a: x })),
    ...BINARY.map((op) => ({ op, a: x, b: x })),
    { op: 'if', test: x, a: x, b: x },
    { op: 'step', table: 'T', index: x },
    { op: 'call', function: 'T', args: [x, x] },
  ];

  test.each<Delay>([...distributions, ...expressions])('reaches every part of %j', (delay) => {
    const timed = net('timed', {
      tables: [{ kind: 'real', name: 'T', values: Float64Array.of(1) }],
      places: [place('p', {}, { service: { kind: 'ps', servers: 1, time: delay } })],
      transitions: [transition('t', [], [], { delay })],
    });
    const renamed = JSON.parse(JSON.stringify(delay).replaceAll('"table":"T"', '"table":"U"'));
    const { places, transitions } = rename(timed, { tables: { T: 'U' } });
    expect(transitions[0]!.delay).toEqual(renamed);
    expect(places[0]!.service).toEqual({ kind: 'ps', servers: 1, time: renamed });
  });

  test('changes all names at once, so that two can be exchanged', () => {
    const two = net('two', { places: [place('a', { i: 'A' }), place('b')] });
    expect(rename(two, { places: { a: 'b', b: 'a' } }).places).toEqual([place('b', { i: 'A' }), place('a')]);
  });

  test('merges two labels', () => {
    const two = net('two', {
      transitions: ['x', 'y'].map((name) => transition(name, [], [], { label: label(name) })),
    });
    expect(rename(two, { labels: { x: 'y' } }).transitions.map((t) => t.label)).toEqual([label('y'), label('y')]);
  });

  test('refuses names that are unknown, empty, taken or given twice', () => {
    const three = net('three', { places: ['buffer', 'full', 'empty'].map((name) => place(name)) });
    expect(
      problemsOf(() =>
        rename(three, { places: { bufer: 'x', full: 'new', empty: 'new', buffer: '' }, tables: { t: 'u' } }),
      ),
    ).toEqual([
      'NET075 place bufer: unknown name. Did you mean "buffer"? Known: buffer, full, empty.',
      'NET076 place empty: the new name "new" is also given to "full"',
      'NET076 place buffer: the new name is empty',
      'NET075 table t: unknown name.',
    ]);
  });
});

describe('qualify', () => {
  test('puts the module before places and transitions', () => {
    const q = qualify(full(), 'm', { keep: ['q1'] });
    expect(q.name).toBe('m');
    expect(q.places.map((p) => p.name)).toEqual(['m.p', 'm.q0', 'q1', 'm.q2']);
    expect(q.transitions[0]!.name).toBe('m.t');
    expect(q.transitions[0]!.inputs.map((a) => a.place)).toEqual(['m.p', 'm.q0']);
    expect(q.transitions[0]!.outputs.map((a) => a.place)).toEqual(['q1']);
    expect(q.transitions[0]!.label).toEqual(label('l', { i: 'i' }));
    expect(q.processes).toEqual({ colour: 'C', ended: 'm.p' });
    expect([q.colours, q.tables]).toEqual([full().colours, full().tables]);
  });

  test('puts the module before data on request', () => {
    const q = qualify(full(), 'm', { data: true, keep: ['C'] });
    expect(q.colours).toEqual([
      { kind: 'enum', name: 'C', values: ['a', 'b'] },
      { kind: 'product', name: 'm.D', parts: ['C', 'C'] },
      { kind: 'record', name: 'm.E', fields: [{ name: 'C', colour: 'C' }] },
    ]);
    expect(q.tables[0]!.name).toBe('m.T');
    expect(q.functions![0]!.name).toBe('m.f');
    expect(q.places[0]!.priority).toEqual({
      op: 'call',
      function: 'm.f',
      args: [{ op: 'at', table: 'm.T', index: v('i') }],
    });
  });

  test('records the module, and the ones inside it', () => {
    const inner = merge([net('a', { places: [place('p')] }), net('b', { places: [place('p'), place('q')] })]);
    expect(qualify(inner, 'm').places.map((p) => p.modules)).toEqual([['m.a', 'm.b'], ['m.b']]);
    expect(qualify(qualify(net('a', { places: [place('p')] }), 'x'), 'y').places).toEqual([
      place('y.x.p', {}, { modules: ['y.x'] }),
    ]);
  });

  test('puts the module before each name of a combined one', () => {
    const combined = net('c', { transitions: [transition('a+b', [], [])] });
    expect(qualify(combined, 'm').transitions[0]!.name).toBe('m.a+m.b');
  });

  test('refuses unknown names to keep and a module without a name', () => {
    expect(problemsOf(() => qualify(full(), 'm', { keep: ['q9', 'C', 't'] }))).toEqual([
      'NET075 name to keep q9: unknown name. Did you mean "q0"? Known: p, q0, q1, q2.',
      'NET075 name to keep C: unknown name. Known: p, q0, q1, q2.',
      'NET075 name to keep t: unknown name. Known: p, q0, q1, q2.',
    ]);
    expect(problemsOf(() => qualify(full(), ''))).toEqual(['NET076 net full: the name of a module is empty']);
  });
});

describe('labels', () => {
  const offers = (name: string, ...labels: string[]): Net =>
    net(name, { transitions: labels.map((l) => transition(`${name}.${l}`, [], [], { label: label(l) })) });

  test('no longer combine after hiding', () => {
    const hidden = hide(offers('a', 'x', 'y'), ['x']);
    expect(hidden.transitions.map((t) => t.label)).toEqual([undefined, label('y')]);
    expect(merge([hidden, offers('b', 'x')]).transitions.map((t) => t.name)).toEqual(['a.x', 'a.y', 'b.x']);
    expect(hide(offers('a', 'x'), [])).toEqual(offers('a', 'x'));
  });

  test('must exist to be hidden', () => {
    expect(problemsOf(() => hide(offers('a', 'send', 'x'), ['sent', 'x', 'other']))).toEqual([
      'NET075 label sent: unknown name. Did you mean "send"? Known: send, x.',
      'NET075 label other: unknown name. Known: send, x.',
    ]);
  });

  test('are gone from a closed net', () => {
    const closed = close(merge([offers('a', 'x'), offers('b', 'x')]));
    expect(closed.transitions).toEqual([{ name: 'a.x+b.x', inputs: [], outputs: [], modules: ['a', 'b'] }]);
    expect(close(net('none'))).toEqual(net('none'));
  });

  test('without partners keep a net from being closed', () => {
    const open = merge([offers('a', 'x', 'send'), offers('b', 'x', 'snd'), offers('c', 'x')]);
    expect(problemsOf(() => close(open))).toEqual([
      'NET074 label send: "a.send" of a has no partner in another module. Did you mean "snd"? Known: snd, x.',
      'NET074 label snd: "b.snd" of b has no partner in another module. Did you mean "send"? Known: send, x.',
    ]);
    expect(problemsOf(() => close(offers('a', 'x')))).toEqual([
      'NET074 label x: "a.x" of a has no partner in another module.',
    ]);
    expect(problemsOf(() => close(offers('', 'x')))).toEqual([
      'NET074 label x: ".x" has no partner in another module.',
    ]);
  });

  test('have found their partners in a net that is qualified afterwards', () => {
    const inner = qualify(merge([offers('a', 'x'), offers('b', 'x')]), 'inner');
    expect(close(inner).transitions.map((t) => t.name)).toEqual(['inner.a.x+inner.b.x']);
    expect(close(merge([inner, offers('c', 'x')])).transitions[0]!.modules).toEqual(['c', 'inner.a', 'inner.b']);
  });
});
