import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { InputError } from '../../src/base/problem.ts';
import { merge } from '../../src/net/merge/merge.ts';
import { labelsOf, qualify, rename } from '../../src/net/merge/rename.ts';
import type { Net } from '../../src/net/net.ts';
import { validate } from '../../src/net/validation/validate.ts';
import { atFullEffort, effort } from '../effort.ts';
import { canonical } from './merge-canonical.ts';
import { arbitraryNets } from './merge-random.ts';

/** The merged net in canonical form; `undefined` if the nets cannot be merged. */
function outcome(make: () => Net): string | undefined {
  try {
    return canonical(make());
  } catch (e) {
    if (e instanceof InputError) return undefined;
    throw e;
  }
}

/** Checks a law on random nets, and that enough of them can be merged and have partners. */
function law(holds: (nets: readonly [Net, Net, Net], all: string | undefined) => void, spoil?: number): void {
  let [fitting, failing, combined] = [0, 0, 0];
  fc.assert(
    fc.property(arbitraryNets(spoil === undefined ? {} : { spoil }), (nets) => {
      const all = outcome(() => merge(nets));
      if (all === undefined) failing++;
      else fitting++;
      if (all?.includes('+')) combined++;
      holds(nets, all);
    }),
    { numRuns: effort(200) },
  );
  expect(Math.min(fitting, combined)).toBeGreaterThan(atFullEffort(20));
  if (spoil !== undefined) expect(failing).toBeGreaterThan(atFullEffort(20));
}

describe.each([
  ['nets that fit together', undefined],
  ['nets of which many do not fit together', 8],
])('merging of %s', (_, spoil) => {
  test('associative: folding two at a time is the same as merging all at once', () => {
    law(([a, b, c], all) => {
      expect(outcome(() => merge([merge([a, b]), c]))).toBe(all);
      expect(outcome(() => merge([a, merge([b, c])]))).toBe(all);
    }, spoil);
  });

  test('commutative', () => {
    law(([a, b, c], all) => {
      for (const order of [
        [a, c, b],
        [b, a, c],
        [c, b, a],
      ])
        expect(outcome(() => merge(order))).toBe(all);
    }, spoil);
  });
});

test('the empty net is the unit, and the merge of one net is that net', () => {
  law((nets, all) => {
    const [a] = nets;
    const empty = merge([]);
    expect(canonical(merge([a]))).toBe(canonical(a));
    expect(canonical(merge([a, empty]))).toBe(canonical(a));
    expect(canonical(merge([empty, a]))).toBe(canonical(a));
    expect(outcome(() => merge([empty, ...nets, empty]))).toBe(all);
    expect(merge([merge([a])])).toEqual(merge([a]));
  });
});

test('nets without common names and labels: the disjoint union', () => {
  law((nets) => {
    const apart = nets.map((n, k) => {
      const labels = Object.fromEntries(labelsOf(n).map((label) => [label, `${label}${k}`]));
      return rename(qualify(n, `m${k}`, { data: true }), { labels });
    });
    const union: Net = {
      name: 'union',
      colours: apart.flatMap((n) => n.colours),
      tables: [],
      places: apart.flatMap((n) => n.places),
      transitions: apart.flatMap((n) => n.transitions),
    };
    expect(canonical(merge(apart))).toBe(canonical(union));
  });
});

test('merging and qualifying commute', () => {
  law((nets, all) => {
    fc.pre(all !== undefined);
    const keep = (n: Net): string[] => n.places.map((p) => p.name).filter((name) => name.startsWith('s'));
    const whole = merge(nets);
    // Merging a single net sets the modules of its nodes; before, they are given only by the net's name.
    const known = nets.map((n) => merge([n]));
    const first = qualify(whole, 'm', { keep: keep(whole) });
    expect(canonical(merge(known.map((n) => qualify(n, 'm', { keep: keep(n) }))))).toBe(canonical(first));
  });
});

test('a net that is renamed and renamed back', () => {
  law(([a]) => {
    const to = (names: readonly string[]): Record<string, string> =>
      // A cyclic permutation of the names, which must be renamed simultaneously.
      Object.fromEntries(names.map((name, k) => [name, names[(k + 1) % names.length]!]));
    const back = (names: Readonly<Record<string, string>>): Record<string, string> =>
      Object.fromEntries(Object.entries(names).map(([old, name]) => [name, old]));
    const places = to(a.places.map((p) => p.name));
    const transitions = to(a.transitions.map((t) => t.name));
    const turned = rename(a, { places, transitions });
    expect(turned.places.map((p) => p.name)).toEqual(Object.values(places));
    expect(rename(turned, { places: back(places), transitions: back(transitions) })).toEqual(a);
  });
});

test('merges of valid nets are valid', () => {
  law((nets, all) => {
    fc.pre(all !== undefined && nets.every((n) => validate(n).length === 0));
    expect(validate(merge(nets))).toEqual([]);
  });
});
