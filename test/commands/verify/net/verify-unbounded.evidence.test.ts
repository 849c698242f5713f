import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { flatten } from '../../../../src/analysis/petri/flatten.ts';
import { replay } from '../../../../src/analysis/properties/replay.ts';
import { explore } from '../../../../src/commands/explore/explore.ts';
import { verify } from '../../../../src/commands/verify/net/verify.ts';
import { property } from '../../../../src/index.ts';
import { NetBuilder } from '../../../../src/net/builder/builder.ts';
import type { Net } from '../../../../src/net/net.ts';
import { add } from '../../../../src/net/terms.ts';
import { atFullEffort, effort } from '../../../effort.ts';
import { finiteNet } from '../../../net/random-finite-net.ts';

const RUNS = effort(75);

/** A producer that fills an unbounded heap; red items are shipped in pairs. */
function maker(): Net {
  const n = new NetBuilder('maker');
  const Sort = n.enumeration('Sort', 'red', 'blue');
  const [idle, busy] = [n.place('idle', {}, { initial: 1 }), n.place('busy', {})];
  const [heap, out] = [n.place('heap', { sort: Sort }), n.place('out', {})];
  n.transition('make', (t) => {
    t.take(idle);
    t.put(busy, {});
    t.put(heap, { sort: 'red' });
  });
  n.transition('rest', (t) => {
    t.take(busy);
    t.put(idle, {});
  });
  n.transition('ship', (t) => {
    t.take(heap, { sort: 'red' });
    t.take(heap, { sort: 'red' });
    t.put(out, {});
  });
  return n.build();
}

/** A net that grows in place c; `clear` counts in d, and resets c or is inhibited by c. */
function growing(kind: 'reset' | 'inhibit'): Net {
  const n = new NetBuilder(kind);
  const [a, c, d] = [n.place('a', {}, { initial: 1 }), n.place('c', {}), n.place('d', {})];
  n.transition('more', (t) => {
    t.take(a);
    t.put(a, {});
    t.put(c, {});
  });
  n.transition('clear', (t) => {
    t.take(a);
    t.put(a, {});
    if (kind === 'reset') t.reset(c);
    else t.inhibit(c);
    t.put(d, {});
  });
  n.transition('use', (t) => {
    t.take(d);
    t.take(d);
  });
  return n.build();
}

const GROWS = ': the sequence make, rest can be repeated forever, and adds 1 token each time';

describe('an unbounded net', () => {
  test('has no bounds, and a loop as witness', () => {
    const net = maker();
    const { properties, complete, space } = verify(net, ['bounds', 'upper-bound(busy + idle)', 'upper-bound(heap)']);
    expect(complete).toBe(true);
    expect(space.states).toBeLessThan(10_000);
    const [bounds, sum, heap] = properties;
    expect(bounds).toMatchObject({
      verdict: 'unbounded',
      bounds: { idle: 1, busy: 1, heap: 'unbounded', out: 'unbounded' },
      certificate: { kind: 'coverability', because: `place heap[red] is unbounded${GROWS}` },
    });
    expect(sum!.verdict).toBe(1);
    expect(heap!.verdict).toBe('unbounded');
    const { steps, loop, shows, shortest } = bounds!.witness!;
    expect([steps.map((s) => s.node), loop, shows, shortest]).toEqual([
      ['make', 'rest'],
      0,
      expect.stringContaining('1 to heap[red]'),
      false,
    ]);
    const turns = Array.from({ length: 7 }, () => steps).flat();
    expect(replay(net, turns).marking).toContainEqual({ place: 'heap', colour: ['red'], by: 7 });
  });

  test('is shown by many tokens if loops must alternate', () => {
    const net = maker();
    const [out] = verify(net, ['upper-bound(out)']).properties;
    expect(out!.verdict).toBe('unbounded');
    expect(out!.witness!.loop).toBe(undefined);
    const end = replay(net, out!.witness!.steps).marking.find((m) => m.place === 'out');
    expect(end!.by).toBeGreaterThanOrEqual(10);
    expect(out!.witness!.shows).toContain('any number');
  });

  test('covered and uncovered markings', () => {
    const { properties, complete } = verify(maker(), [
      'EF(tokens(heap[red]) >= 50 & tokens(out) >= 50 & tokens(busy) >= 1)',
      'EF(tokens(heap[red]) >= 3 & tokens(busy) + tokens(idle) >= 2)',
      'AG(tokens(heap) <= 90)',
      'bounded(95)',
      'mutex(idle, busy)',
    ]);
    expect(properties.map((p) => p.verdict)).toEqual([true, false, false, false, true]);
    expect(complete).toBe(true);
    for (const p of properties) if (p.witness !== undefined) replay(maker(), p.witness.steps);
    // Two steps per item except the last, and one per shipped pair: no sequence is shorter.
    const { certificate, witness } = properties[0]!;
    if (certificate?.kind === 'coverability') expect(witness!.steps.length).toBe(2 * 150 - 1 + 50);
    else expect(witness!.steps.length).toBeGreaterThanOrEqual(2 * 150 - 1 + 50);
    expect(
      verify(maker(), ['EF(tokens(heap[red]) >= 4 & tokens(out) >= 2)'], { maxStates: 5 }).properties[0],
    ).toMatchObject({
      verdict: true,
      certificate: { kind: 'coverability', because: expect.stringMatching(/^found by \d+ demands /) },
      witness: { shortest: true, steps: { length: 2 * 8 - 1 + 2 } },
    });
  });

  test('properties that need all markings are given up early', () => {
    const { properties, space } = verify(maker(), ['AG EF initial', 'bounds']);
    expect(properties.map((p) => p.verdict)).toEqual([null, 'unbounded']);
    expect(properties[0]!.reason).toBe(`place heap[red] is unbounded, so no exploration ends${GROWS}`);
    expect(space.states).toBeLessThan(1.1e6);
    const limited = verify(maker(), ['AG EF initial', 'bounds'], { maxStates: 5000 }).properties[0]!;
    expect(limited.reason).toBe(`place heap[red] is unbounded, so no exploration ends${GROWS}`);
    expect(verify(maker(), ['AG EF initial'], { maxStates: 100 }).properties[0]!.reason).toBe(limited.reason);
  });

  test('is not searched further by reductions alone', () => {
    const { properties } = verify(maker(), ['AG !dead'], { reduce: 'stubborn' });
    expect(properties[0]).toMatchObject({ verdict: null });
    expect(properties[0]!.reason).toBe(`the search cannot end: place heap[red] is unbounded${GROWS}`);
  });
});

describe('resets and inhibitors', () => {
  test('with resets, coverability is decided, and growth is found if no reset undoes it', () => {
    const net = growing('reset');
    const { properties } = verify(net, ['EF(tokens(c) >= 90 & tokens(d) >= 90)', 'bounds', 'mutex(a)', 'bounded(100)']);
    expect(properties.map((p) => p.verdict)).toEqual([true, 'unbounded', true, false]);
    expect(properties[1]!.bounds).toBe(undefined);
    expect(properties[1]!.witness!.steps.map((s) => s.node)).toEqual(['more']);
  });

  test('undecided properties have a reason', () => {
    const most = (net: Net, asked: string): string =>
      verify(net, [asked], { maxStates: 6000 }).properties.map((p) => `${p.verdict} ${p.reason}`)[0]!;
    expect(most(growing('inhibit'), 'bounds')).toMatch(/^null the state limit was reached; COV001 transition clear/);
    expect(most(growing('reset'), 'upper-bound(a + d)')).toMatch(
      /^null the state limit was reached; COV002 transition clear: resets a place/,
    );
  });

  test('infinite colours are named', () => {
    const n = new NetBuilder('counter');
    const Int = n.integer('Int');
    const p = n.place('count', { k: Int }, { initial: [{ k: 0 }] });
    n.transition('up', (t) => {
      const { k } = t.take(p);
      t.put(p, { k: add(k, 1) });
    });
    const [found] = verify(n.build(), ['bounds'], { maxStates: 300 }).properties;
    expect(found!.reason).toMatch(/^the state limit was reached; UNF001 place count/);
    expect(explore(n.build(), { maxStates: 300 }).warnings.join()).toContain('place count: "k" is of colour');
  });
});

describe('explore', () => {
  test('ends early and names the place', () => {
    const { complete, truncation, figures, warnings } = explore(maker());
    expect([complete, truncation, figures.states.value]).toEqual([false, 'states', 1e6]);
    expect(warnings[0]).toContain('place heap[red] is unbounded');
    expect(explore(maker(), { maxStates: 2000 }).warnings).toHaveLength(1);
  });
});

test('bounds from coverability equal those of all markings: random nets', { timeout: 300_000 }, () => {
  const seen = { finite: 0, infinite: 0, same: 0, unbounded: 0, checked: 0 };
  const { AG, EF, bounded, ge, tokens, le } = property;
  fc.assert(
    fc.property(finiteNet, fc.nat({ max: 4 }), (net, k) => {
      try {
        flatten(net);
      } catch {
        return;
      }
      const [first, last] = [net.places[0]!.name, net.places.at(-1)!.name];
      const asked = [
        'bounds',
        { kind: 'upper-bound', sum: { terms: [{ factor: 2, place: last }], constant: 1 } } as const,
        bounded(k + 1),
        EF(ge(tokens(first, last), k + 2)),
        AG(le(tokens(last), k)),
      ];
      // Verdicts of such a truncated exploration come from structure, coverability or reductions.
      const cut = verify(net, asked, { maxStates: 3 });
      const whole = verify(net, asked, { maxStates: 3000, reduce: 'none' });
      if (whole.space.complete) seen.finite++;
      else seen.infinite++;
      for (const [n, p] of cut.properties.entries()) {
        const other = whole.properties[n]!;
        if (p.verdict === null) continue;
        seen.checked++;
        if (p.verdict === 'unbounded') {
          seen.unbounded++;
          expect(whole.space.complete).toBe(false);
          const more = p.witness!.steps.slice(p.witness!.loop ?? 0);
          replay(net, p.witness!.loop === undefined ? p.witness!.steps : [...p.witness!.steps, ...more, ...more]);
        } else if (other.verdict !== null) {
          expect([p.property, p.verdict]).toEqual([p.property, other.verdict]);
          if (p.bounds !== undefined && other.bounds !== undefined) expect(p.bounds).toEqual(other.bounds);
          seen.same++;
        } else if (typeof p.verdict === 'number') expect(other.atLeast).toBeLessThanOrEqual(p.verdict);
      }
    }),
    { numRuns: RUNS, endOnFailure: true },
  );
  if (process.env['FORETOKEN_TABLE'] !== undefined) console.log(seen);
  expect(Math.min(seen.finite, seen.infinite, seen.same, seen.unbounded)).toBeGreaterThan(atFullEffort(RUNS / 20));
});
