import { expect, test } from 'vitest';
import { steady } from '../../src/commands/steady/steady.ts';
import { NetBuilder } from '../../src/net/builder/builder.ts';
import { exponential } from '../../src/net/builder/distributions.ts';
import { netFromJson, netToJson } from '../../src/net/json/json.ts';
import { close } from '../../src/net/merge/close.ts';
import { merge } from '../../src/net/merge/merge.ts';
import { rename } from '../../src/net/merge/rename.ts';
import type { Net } from '../../src/net/net.ts';
import { add, div, mul } from '../../src/net/terms.ts';
import { netToText } from '../../src/net/text/text.ts';
import { unfold } from '../../src/net/unfold/unfold.ts';
import { validate } from '../../src/net/validation/validate.ts';
import { problemsOf } from './problems.ts';

/** Speeds and weights that count tokens of one colour, of several, and of all. */
function coloured(servers: 'infinite' | number = 'infinite'): Net {
  const n = new NetBuilder('coloured');
  const K = n.range('K', 0, 2);
  const pool = n.place('pool', { k: K }, { initial: [{ k: 0 }, { k: 0 }, { k: 1 }, { k: 2 }] });
  const line = n.place('line', { k: K });
  const chosen = n.place('chosen', { k: K });
  n.transition('join', (t) => {
    const { k } = t.take(pool);
    t.put(line, { k });
    t.race({ delay: exponential(add(1, k)), memory: 'age', servers, speed: div(t.count(pool, { k }), 2) });
  });
  n.transition('serve', (t) => {
    const { k } = t.take(line);
    t.put(chosen, { k });
    t.race({ delay: exponential(2), speed: div(add(1, t.count(line, { k: 0 })), t.count(line)) });
  });
  n.transition('back', (t) => {
    const { k } = t.take(chosen);
    t.put(pool, { k });
    t.weight(add(1, t.count(line)));
  });
  n.transition('again', (t) => {
    const { k } = t.take(chosen);
    t.put(line, { k });
    t.weight(add(1, t.count(pool, { k })));
  });
  return n.build();
}

const total = (net: Net, place: string): number =>
  steady(net)
    .places.filter((p) => p.name === place || p.name.startsWith(`${place}[`))
    .reduce((sum, p) => sum + p.mean, 0);

test('an unfolded net has the same chain: counts become sums over colours', () => {
  const net = coloured();
  const unfolded = unfold(net);
  expect(unfolded.transitions.some((t) => (t.counts ?? []).length === 3)).toBe(true);
  for (const place of ['pool', 'line']) expect(total(unfolded, place)).toBeCloseTo(total(net, place), 10);
});

test('an unfolded net keeps the tables that a speed or weight looks up by a count', () => {
  const n = new NetBuilder('by table');
  const K = n.range('K', 0, 1);
  const pool = n.place('pool', { k: K }, { initial: [{ k: 0 }, { k: 0 }, { k: 1 }] });
  const line = n.place('line', { k: K });
  const faster = n.realTable('faster', Float64Array.of(0, 1, 3, 4));
  n.realTable('unused', Float64Array.of(1));
  n.transition('go', (t) => {
    t.put(line, t.take(pool));
    t.race({ delay: exponential(2), speed: faster.at(t.count(pool)) });
  });
  n.transition('back', (t) => {
    t.put(pool, t.take(line));
    t.race({ delay: exponential(1) });
  });
  const net = n.build();
  const unfolded = unfold(net);
  expect(validate(unfolded)).toEqual([]);
  expect(unfolded.tables.map((t) => t.name)).toEqual(['faster']);
  for (const place of ['pool', 'line']) expect(total(unfolded, place)).toBeCloseTo(total(net, place), 10);
});

test('servers that several bindings share are not unfolded', () => {
  expect(problemsOf(() => unfold(coloured(2)))[0]).toBe(
    'UNF008 transition join: is a race with 2 servers, shared by its 3 bindings: each would get its own servers. Unfolding needs infinite servers.',
  );
});

test('the JSON form keeps servers, memory, speed and counts', () => {
  const net = coloured(2);
  expect(netFromJson(netToJson(net))).toEqual(net);
  expect(netToText(net)).toContain('race ~ exponential(rate 1 + k), 2 servers, age memory\n  speed n / 2');
});

/** A module with a race that counts a place of its own; the name of the count is the same in both modules. */
function part(name: string, own: string, delay: boolean): Net {
  const n = new NetBuilder(name);
  const [from, to] = [n.place(own, {}, { initial: 3 }), n.place(`${own} done`, {})];
  n.transition(own, (t) => {
    t.take(from);
    t.put(to, {});
    if (delay) t.race({ delay: exponential(2), servers: 1, speed: mul(t.count(from), 3) });
    else t.race({ delay: exponential(2), servers: 1 });
    t.label('go');
  });
  return n.build();
}

test('partners of a merge keep their counts and speeds, under names of their own', () => {
  const [a, b] = [part('A', 'a', true), part('B', 'b', true)];
  const withoutDelay = (net: Net): Net => ({
    ...net,
    transitions: net.transitions.map(({ delay: _, timing: __, servers: ___, speed: ____, ...t }) => ({
      ...t,
      weight: { op: 'var', name: 'n' },
    })),
  });
  const [go] = close(merge([a, withoutDelay(b)])).transitions;
  expect(go).toMatchObject({
    servers: 1,
    counts: [
      { name: 'a.n', place: 'a', pattern: {} },
      { name: 'b.n', place: 'b', pattern: {} },
    ],
    speed: { op: 'mul', a: { op: 'var', name: 'a.n' }, b: { op: 'const', value: 3 } },
    weight: { op: 'var', name: 'b.n' },
  });
  expect(rename(a, { places: { a: 'x' } }).transitions[0]!.counts).toEqual([{ name: 'n', place: 'x', pattern: {} }]);
});
