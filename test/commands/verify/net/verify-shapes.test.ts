import { describe, expect, it } from 'vitest';
import { InputError } from '../../../../src/base/problem.ts';
import { type ShapeVerification, verifyShapes } from '../../../../src/commands/verify/net/verify-shapes.ts';
import { NetBuilder, type PlaceOf } from '../../../../src/net/builder/builder.ts';
import type { Net } from '../../../../src/net/net.ts';
import type { NodeShapes, PlaceShape, TransitionShape } from '../../../../src/net/shapes/node-shapes.ts';

type Arcs = Readonly<Record<string, readonly [takes: string, puts: string]>>;

/** A net from its arcs: `{ t: ['p q', 'r'] }` consumes p and q and produces r. */
function netOf(arcs: Arcs, initial: readonly string[] = []): Net {
  const n = new NetBuilder('net');
  const places = new Map<string, PlaceOf<Record<never, never>>>();
  const split = (names: string): string[] => names.split(' ').filter((name) => name !== '');
  const all = new Set(Object.values(arcs).flatMap(([takes, puts]) => [...split(takes), ...split(puts)]));
  for (const name of [...all, ...initial])
    if (!places.has(name)) places.set(name, n.place(name, {}, initial.includes(name) ? { initial: 1 } : {}));
  for (const [name, [takes, puts]] of Object.entries(arcs))
    n.transition(name, (t) => {
      for (const p of split(takes)) t.take(places.get(p)!);
      for (const p of split(puts)) t.put(places.get(p)!, {});
    });
  return n.build();
}

const told = ({ findings }: ShapeVerification): unknown[] =>
  findings.map((f) => [f.kind, f.kind === 'transition shape' ? f.transitions[0] : f.places.join(), f.status, f.by]);

/** A fork into x branches and their join. */
function forkJoin(x: number, without?: string): { net: Net; shapes: NodeShapes } {
  const branches = Array.from({ length: x }, (_, k) => k);
  const arcs: Record<string, [string, string]> = {
    fork: ['begin', branches.map((k) => `at${k}`).join(' ')],
    join: [
      branches
        .map((k) => `done${k}`)
        .filter((p) => p !== without)
        .join(' '),
      'end',
    ],
  };
  for (const k of branches) arcs[`work${k}`] = [`at${k}`, `done${k}`];
  const transitions: Record<string, TransitionShape> = {
    fork: { kind: 'fork', parties: x },
    join: { kind: 'join', parties: x },
  };
  for (const k of branches) transitions[`work${k}`] = { kind: 'operation' };
  const places: Record<string, PlaceShape> = { begin: { kind: 'start' }, end: { kind: 'end' } };
  return { net: netOf(arcs, ['begin']), shapes: { places, transitions } };
}

describe('a fork and a join', () => {
  it.each([2, 3, 5])('over %d are well shaped', (x) => {
    const { net, shapes } = forkJoin(x);
    expect(verifyShapes(net, shapes)).toEqual({ findings: [], open: [] });
  });

  it('without the arc of one branch: the join and the place are named', () => {
    const { net, shapes } = forkJoin(3, 'done1');
    const found = verifyShapes(net, shapes);
    // There is one run: the place never holds two tokens, but a token is left at the end.
    expect(told(found)).toEqual([
      ['unsafe place', 'done1', 'refuted', 'state space'],
      ['transition shape', 'join', 'confirmed', 'state space'],
    ]);
    const [place, join] = found.findings;
    expect([place!.expected, place!.found]).toEqual(['operation: 1 in, 1 out', '1 in, 0 out']);
    expect([join!.expected, join!.found]).toEqual(['join: control 3 in, 1 out', 'control 2 in, 1 out']);
    expect(join!.witness!.steps.length).toBeGreaterThan(0);
  });

  it('in a loop, without the arc of one branch: the place is unsafe', () => {
    const net = netOf({ fork: ['begin', 'a b'], join: ['a', 'begin'] }, ['begin']);
    const shapes: NodeShapes = {
      transitions: { fork: { kind: 'fork', parties: 2 }, join: { kind: 'join', parties: 2 } },
    };
    expect(told(verifyShapes(net, shapes))).toEqual([
      ['unsafe place', 'b', 'confirmed', 'state space'],
      ['transition shape', 'join', 'confirmed', 'state space'],
    ]);
  });
});

describe('messages', () => {
  const ends: Record<string, PlaceShape> = {
    a: { kind: 'start' },
    b: { kind: 'start' },
    'a end': { kind: 'end' },
    'b end': { kind: 'end' },
    m: { kind: 'message' },
  };
  const messages = (arcs: Record<string, [string, string]>, more: NodeShapes = {}): ShapeVerification => {
    const named = Object.fromEntries(
      Object.entries(arcs).map(([t, [takes, puts]]) => [
        t,
        [takes.replaceAll('_', ' '), puts.replaceAll('_', ' ')] as [string, string],
      ]),
    );
    return verifyShapes(built(named), { ...more, places: { ...ends, ...more.places } });
  };
  /** Place names that contain a blank are written as `a+end`. */
  const built = (arcs: Arcs): Net => {
    const net = netOf(arcs, ['a', 'b', 'a+end', 'b+end', 'm'].slice(0, 2));
    const rename = (name: string): string => name.replace('+', ' ');
    const missing = ['a end', 'b end', 'm'].filter((p) => !net.places.some((q) => rename(q.name) === p));
    return {
      ...net,
      places: [
        ...net.places.map((p) => ({ ...p, name: rename(p.name) })),
        ...missing.map((name) => ({ ...net.places[0]!, name, initial: [] })),
      ],
      transitions: net.transitions.map((t) => ({
        ...t,
        inputs: t.inputs.map((i) => ({ ...i, place: rename(i.place) })),
        outputs: t.outputs.map((o) => ({ ...o, place: rename(o.place) })),
      })),
    };
  };

  it('that are sent and received are well shaped', () => {
    expect(told(messages({ send: ['a', 'a+end m'], receive: ['b m', 'b+end'] }))).toEqual([]);
  });

  it('that are never received are lost', () => {
    expect(told(messages({ send: ['a', 'a+end m'], rest: ['b', 'b+end'] }))).toEqual([
      ['lost message', 'm', 'confirmed', 'state space'],
    ]);
  });

  it('that are never sent are awaited', () => {
    expect(told(messages({ rest: ['a', 'a+end'], receive: ['b m', 'b+end'] }))).toEqual([
      ['receive that nothing sends to', 'm', 'confirmed', 'state space'],
    ]);
  });

  it('do not match if one is sent and two are received', () => {
    const arcs: Record<string, [string, string]> = {
      send: ['a', 'a+end m'],
      receive: ['b m', 'c'],
      again: ['c m', 'b+end'],
    };
    expect(told(messages(arcs))).toEqual([['unmatched counts', 'm', 'confirmed', 'state space']]);
    // The iteration counts declare two sends: the numbers then match, and there is no finding.
    const turns = [
      { transitions: ['send'], least: 2, most: 2 },
      { transitions: ['receive', 'again'], least: 2, most: 2 },
    ];
    expect(messages(arcs, { turns })).toEqual({ findings: [], open: [] });
    const fewer = turns.map((t, k) => (k === 0 ? { ...t, least: 0, most: 1 } : t));
    expect(told(messages(arcs, { turns: fewer }))).toEqual([['unmatched counts', 'm', 'confirmed', 'state equation']]);
  });

  it('on one of two paths match one receive: the suspicion is refuted', () => {
    const arcs: Record<string, [string, string]> = {
      'one way': ['a', 'a+end m'],
      'another way': ['a', 'a+end m'],
      receive: ['b m', 'b+end'],
    };
    const places: Record<string, PlaceShape> = { a: { kind: 'data' }, 'a end': { kind: 'data' } };
    const found = messages(arcs, { places });
    expect(told(found)).toEqual([['unmatched counts', 'm', 'refuted', 'state space']]);
    const turns = [{ transitions: ['one way', 'another way'], least: 1, most: 1 }];
    expect(
      told(messages(arcs, { places, turns: [...turns, { transitions: ['receive'], least: 1, most: 1 }] })),
    ).toEqual([]);
  });

  it('whose number the iterations leave open are reported as open', () => {
    const turns = [
      { transitions: ['send'], least: 0, most: Number.POSITIVE_INFINITY },
      { transitions: ['receive'], least: 1, most: 1 },
    ];
    expect(messages({ send: ['a', 'a+end m'], receive: ['b m', 'b+end'] }, { turns })).toEqual({
      findings: [],
      open: ['m'],
    });
  });
});

describe('other shapes', () => {
  it('a resource is returned', () => {
    const places: Record<string, PlaceShape> = { p: { kind: 'start' }, q: { kind: 'end' }, r: { kind: 'resource' } };
    expect(told(verifyShapes(netOf({ t: ['p r', 'q r'] }, ['p', 'r']), { places }))).toEqual([]);
    expect(told(verifyShapes(netOf({ t: ['p r', 'q'] }, ['p', 'r']), { places }))).toEqual([
      ['unsafe place', 'r', 'confirmed', 'state space'],
    ]);
  });

  it('a synchronisation has one arc per party, and every party arrives equally often', () => {
    const arcs: Arcs = {
      'x comes': ['x', 'xw in'],
      'y comes': ['y', 'yw in'],
      meet: ['in in', 'out out'],
      'x goes': ['xw out', 'xe'],
      'y goes': ['yw out', 'ye'],
    };
    const places: Record<string, PlaceShape> = {
      x: { kind: 'start' },
      y: { kind: 'start' },
      xe: { kind: 'end' },
      ye: { kind: 'end' },
      in: { kind: 'synchronisation', parties: 2 },
      out: { kind: 'synchronisation', parties: 2 },
    };
    const net = netOf(arcs, ['x', 'y']);
    expect(told(verifyShapes(net, { places }))).toEqual([]);
    const party = (name: string, n: number) => ({
      transitions: [`${name} comes`, `${name} goes`],
      least: n,
      most: n,
      party: name,
    });
    expect(told(verifyShapes(net, { places, turns: [party('x', 3), party('y', 3)] }))).toEqual([]);
    const uneven = verifyShapes(net, { places, turns: [party('x', 3), party('y', 2)] });
    expect(uneven.findings.map((f) => [f.kind, f.places[0], f.status, f.found])).toEqual([
      ['unmatched counts', 'in', 'confirmed', 'x 3, y 2'],
      ['unmatched counts', 'out', 'confirmed', 'x 3, y 2'],
    ]);
    const alone = { ...arcs, 'y comes': ['y', 'yw'] as const };
    expect(told(verifyShapes(netOf(alone, ['x', 'y']), { places }))).toEqual([
      ['unmatched counts', 'in', 'confirmed', 'state space'],
    ]);
  });

  it('a limit leaves a suspicion, with the reason', () => {
    const net = netOf({ t: ['p', 'p q r'] }, ['p']);
    const shapes: NodeShapes = {
      places: { q: { kind: 'data' }, r: { kind: 'data' }, p: { kind: 'operation' } },
      transitions: { t: { kind: 'join', parties: 2 } },
    };
    const [found] = verifyShapes(net, shapes, { seconds: 1e-9 }).findings;
    expect([found!.status, found!.reason]).toEqual(['suspected', 'the time limit was reached']);
  });

  it('unknown names and coloured nets are rejected', () => {
    const net = netOf({ t: ['p', 'q'] }, ['p']);
    expect(() => verifyShapes(net, { places: { pp: { kind: 'start' } } })).toThrow(/STR003.*unknown place "pp".*"p"/);
    expect(() => verifyShapes(net, { transitions: { u: { kind: 'operation' } } })).toThrow(InputError);
    const n = new NetBuilder('coloured');
    n.place('p', { x: n.range('X', 0, 1) });
    expect(() => verifyShapes(n.build())).toThrow(/STR003.*without colours/);
  });
});
