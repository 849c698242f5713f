import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as property from '../../../src/analysis/properties/build.ts';
import { questionOf } from '../../../src/analysis/properties/formula-of.ts';
import type { Formula, Property } from '../../../src/analysis/properties/property.ts';
import { InputError } from '../../../src/base/problem.ts';
import { NetBuilder } from '../../../src/net/builder/builder.ts';
import { effort } from '../../effort.ts';

const { parse, text } = property;

const names = {
  places: ['p', 'P-sety_9', 'U', 'deadlock', 'a place', 'x"y', 'ünï', '1'],
  transitions: ['t', 'A', 'send -> receive', 't.1'],
};
const colours = fc.option(
  fc.array(fc.oneof(fc.integer({ min: -3, max: 9 }), fc.constantFrom('red', 'true', 'dark blue', '7')), {
    minLength: 1,
    maxLength: 2,
  }),
  { nil: undefined },
);

test('a written property is read back', async () => {
  const { properties } = await import('./formulas.ts');
  fc.assert(
    fc.property(properties({ ...names, colours }), (asked) => {
      expect(parse(text(asked))).toEqual(asked);
    }),
    { numRuns: effort(3000) },
  );
});

test('blanks and alternative spellings change nothing', () => {
  const written: readonly (readonly [string, string])[] = [
    ['AG(tokens(p1)+2*tokens(p2)<=3)', ' AG ( tokens( p1 ) + tokens(p2) * 2 <= 3 ) '],
    ['AG(tokens(p, q) <= 3)', 'AG (tokens(p) + tokens(q) <= 3)'],
    ['AG(tokens(p) = 1 & dead | initial)', 'AG(((tokens(p) == 1) && dead) || initial)'],
    ['AG !deadlock', 'AG(!(deadlock))'],
    ['E[dead U initial]', 'E [ dead\n U\tinitial ]'],
    ['AG(dead -> (initial -> dead))', 'AG(dead -> initial -> dead)'],
    ['tokens(p) <= 2', '"p" <= 2'.replace('"p"', 'tokens("p")')],
    ['invariant(2*tokens(p) + tokens(q) = 3)', 'invariant(2*p + q = 3)'],
    ['upper-bound(tokens(p, "a-b"))', 'upper-bound(p + "a-b")'],
    ['tokens(p) > 0', '3*tokens(p) - (tokens(p) + tokens(p)) + 1 > 1'.replace(' + 1 > 1', ' > 0')],
    ['-tokens(p) + 1 < 0', '1 - tokens(p) < 0'],
    ['invariant(tokens(p[red, 1]) >= 1)', 'invariant(p [red, 1] >= 1)'],
    ['invariant(2*tokens(p[0]) + tokens("a-b"[1], q) = 3)', 'invariant(2*p[0] + "a-b"[1] + q = 3)'],
    ['upper-bound(tokens("a place"["dark blue"]))', 'upper-bound("a place"["dark blue"])'],
  ];
  for (const [a, b] of written) expect(parse(b)).toEqual(parse(a));
});

test('a bare name with a colour means tokens(…) of it, for any name of the place', () => {
  const n = new NetBuilder('letters');
  for (const name of ['A', 'E', 'cs']) n.place(name, { at: n.range(`At ${name}`, 0, 3) });
  const letters = n.build();
  for (const place of ['A', 'E', 'cs']) {
    expect(parse(`invariant(${place}[1] <= 1)`, letters)).toEqual(
      parse(`invariant(tokens(${place}[1]) <= 1)`, letters),
    );
    expect(parse(`upper-bound(${place}[1] + ${place})`, letters)).toEqual(
      parse(`upper-bound(tokens(${place}[1], ${place}))`, letters),
    );
  }
  // In other positions they are path operators.
  expect(parse('A[dead U dead]', letters)).toEqual(parse('A[dead U dead]'));
});

test('built and written properties are the same', () => {
  const { AG, EF, AF, EG, AX, EX, AU, EU, and, or, not, implies, le, lt, eq, ne, ge, gt } = property;
  const { tokens, tokensOf, sum, minus, times, enabled, deadlock, initial, within } = property;
  const cases: readonly (readonly [Formula | Property, string])[] = [
    [AG(le(sum(tokens('p1'), times(2, tokens('p2'))), 3)), 'AG(tokens(p1) + 2*tokens(p2) <= 3)'],
    [EF(deadlock), 'EF deadlock'],
    [AG(not(and(enabled('t1'), gt(tokens('cs'), 1)))), 'AG !(enabled(t1) & tokens(cs) > 1)'],
    [AG(EF(initial)), 'AG EF initial'],
    [AU(lt(tokens('p'), 1), eq(tokens('q'), 2)), 'A[tokens(p) < 1 U tokens(q) = 2]'],
    [EU(property.always, ne(tokens('q'), 2)), 'E[true U tokens(q) != 2]'],
    [AX(EX(or(within(1), property.never))), 'AX EX(within(1) | false)'],
    [AF(implies(ge(minus(tokens('p'), 1), 0), EG(property.dead))), 'AF(tokens(p) - 1 >= 0 -> EG dead)'],
    [EF(gt(tokensOf('p', 'red', 3), 0)), 'EF(tokens(p[red, 3]) > 0)'],
    [property.deadlockFree, 'deadlock-free'],
    [property.safe, 'safe'],
    [property.oneSafe, 'one-safe'],
    [property.live, 'live'],
    [property.quasiLive, 'quasi-live'],
    [property.reversible, 'reversible'],
    [property.sound, 'sound'],
    [property.liveTransitions('t', 'u'), 'live(t, u)'],
    [property.quasiLiveTransitions('t'), 'quasi-live(t)'],
    [property.home(eq(tokens('p'), 3)), 'home(tokens(p) = 3)'],
    [property.bounds, 'bounds'],
    [property.bounded(3), 'bounded(3)'],
    [property.mutex('p', 'q'), 'mutex(p, q)'],
    [property.invariant(eq(tokens('p'), 3)), 'invariant(tokens(p) = 3)'],
    [property.upperBound(tokens('p', 'q')), 'upper-bound(tokens(p, q))'],
  ];
  for (const [built, written] of cases) {
    const asked: Property = 'kind' in built ? built : { kind: 'formula', formula: built };
    expect(text(asked)).toBe(written);
    expect(parse(written)).toEqual(asked);
  }
});

const n = new NetBuilder('lights');
const Light = n.enumeration('Light', 'red', 'green');
const buffer = n.place('buffer', {}, { initial: 1 });
const full = n.place('full', {});
n.place('lamp', { colour: Light, at: n.range('At', 0, 3) });
n.transition('produce', (t) => {
  t.take(buffer);
  t.put(full, {});
});
n.transition('consume', (t) => {
  t.take(full);
  t.put(buffer, {});
});
const net = n.build();

const problemOf = (run: () => unknown): string => {
  try {
    run();
  } catch (e) {
    if (e instanceof InputError) return e.message;
    throw e;
  }
  return 'no problem';
};

describe('errors are reported with their position', () => {
  test.each([
    ['', '1:1: PROP007', 'empty'],
    ['   ', 'PROP007', 'empty'],
    ['AG(tokens(buffer) <= )', '1:22: PROP001', '")"'],
    ['AG(tokens(bufer) <= 1)', '1:11: PROP002', 'Did you mean "buffer"? Known: buffer, full, lamp.'],
    ['EF enabled(prodcue)', '1:12: PROP003', 'Did you mean "produce"?'],
    ['AG\n(tokens(ful) <= 1)', '2:9: PROP002', 'Did you mean "full"?'],
    ['AG tokens(buffer)', '1:4: PROP001', 'got a sum: compare it'],
    ['AG(deadlock <= 3)', '1:4: PROP001', 'expects a sum of tokens, got a formula'],
    ['AG deadlok', '1:4: PROP001', 'Did you mean "deadlock"?'],
    ['AG(safe)', '1:4: PROP001', 'is a whole property'],
    ['tokens(buffer) = 1 extra', '1:20: PROP001', 'expected the end of the property, got "extra"'],
    ['tokens(buffer) < 1 < 2', '1:20: PROP001', 'comparisons cannot be chained'],
    ['A[dead W dead]', '1:8: PROP001', '"U"'],
    ['E[dead U dead', '1:14: PROP001', '"]"'],
    ['tokens(lamp[red]) > 0', '1:8: PROP004', 'have 2 values (colour, at), not 1'],
    ['tokens(lamp[blue, 1]) > 0', '1:8: PROP004', 'Known: red, green.'],
    ['tokens(lamp[red, 9]) > 0', '1:8: PROP004', 'Expected 0 … 3.'],
    ['tokens(buffer) <= 99999999999999999999', '1:19: PROP006', 'expected an integer'],
    ['1000001*tokens(buffer) <= 1', 'PROP006', 'expected an integer'],
    ['tokens(buffer) * tokens(full) <= 1', 'PROP001', 'linear'],
    ['mutex(buffer, buffer)', 'PROP001', 'duplicate place'],
    ['mutex()', '1:7: PROP001', 'the name of a place'],
    ['bounded(-1)', '1:9: PROP001', 'expected a number'],
    ['bounded(1.5)', '1:10: PROP001', '")"'],
    ['invariant(AG buffer = 1)', 'PROP001', 'no path operators'],
    ['invariant(lamp[blue, 1] > 0)', '1:11: PROP004', 'Known: red, green.'],
    ['upper-bound(lamp[red])', '1:13: PROP004', 'have 2 values (colour, at), not 1'],
    ['invariant("lamp"[red, 9] = 0)', '1:11: PROP004', 'Expected 0 … 3.'],
    ['EF(tokens(lamp)[red, 1] > 0)', '1:16: PROP001', 'inside the parentheses: tokens(p[1])'],
    ['mutex(lamp[red, 1], full)', '1:11: PROP001', 'invariant(p[1] + q[1] <= 1)'],
    ['invariant(A[dead U dead])', 'PROP001', 'no path operators'],
    ['xx', '1:1: PROP001', 'unknown word "xx". Known: buffer, full, lamp, true, false'],
    ['EF buffr', '1:4: PROP001', 'Did you mean "buffer"?'],
    ['ag dead', '1:1: PROP001', 'Did you mean "AG"?'],
    ['AG(buffer <= 1)', '1:4: PROP001', '"buffer" is a place: write tokens(buffer)'],
    ['EF consume', '1:4: PROP001', '"consume" is a transition: write enabled(consume)'],
    ['dedlock-free', '1:1: PROP001', 'Did you mean "deadlock-free"?'],
    ['tokens("buffer) > 1', '1:8: PROP001', 'the name of a place'],
    ['tokens("a\\q") > 1', '1:8: PROP001', 'JSON'],
    ['\u0000', 'PROP001', '\\u0000'],
    [`${'!'.repeat(1e5)}dead`, 'PROP005', 'nested deeper than 500'],
    [`${'('.repeat(1e5)}dead`, 'PROP005', 'nested deeper than 500'],
    [`dead${' -> dead'.repeat(1e4)}`, 'PROP005', 'nested deeper than 500'],
  ])('%.40s', (written, place, message) => {
    const problem = problemOf(() => parse(written, net));
    expect(problem).toContain(place);
    expect(problem).toContain(message);
  });

  test('long sums and long conjunctions are accepted', () => {
    const many = Array.from({ length: 50_000 }, () => 'tokens(buffer)');
    expect(parse(`${many.join(' + ')} > 0`, net)).toEqual(parse('50000*tokens(buffer) > 0'));
    expect(parse(many.map((t) => `${t} > 0`).join(' & '), net).kind).toBe('formula');
  });

  test('any text is read or rejected', () => {
    const piece = fc.constantFrom(
      'AG',
      'EF',
      'tokens(',
      'buffer',
      ')',
      '(',
      '<=',
      '3',
      '&',
      '|',
      '->',
      '!',
      '[',
      ']',
      'U',
      '"',
      '*',
      '-',
      'mutex',
      ',',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string({ maxLength: 3 })), { maxLength: 12 }), (pieces) => {
        const written = pieces.join(' ');
        const problem = problemOf(() => parse(written, net));
        expect(problem).toMatch(/PROP00[1-7] |^no problem$/);
      }),
      { numRuns: effort(2000) },
    );
  });
});

describe('values from plain JavaScript are checked', () => {
  const cases: readonly (readonly [unknown, string])[] = [
    [{ kind: 'saef' }, 'PROP009'],
    [{ kind: 'formula', formula: { op: 'AGG', of: { op: 'dead' } } }, 'PROP009'],
    [property.AG(property.le(property.tokens('nowhere'), 1)), 'PROP002'],
    [property.EF(property.enabled('nothing')), 'PROP003'],
    [property.EF(property.ge(property.tokensOf('lamp', 'blue', 1), 1)), 'PROP004'],
    [{ kind: 'bounded', tokens: 1.5 }, 'PROP006'],
    [{ kind: 'invariant', formula: property.EF(property.dead) }, 'PROP001'],
  ];
  test.each(cases)('the value %o is refused as a property', (asked, code) => {
    const given = asked as Property | Formula;
    expect(problemOf(() => questionOf(net, 'kind' in given ? given : { kind: 'formula', formula: given }))).toContain(
      code,
    );
  });

  test('too deep nesting', () => {
    let f: Formula = property.dead;
    for (let k = 0; k < 1e5; k++) f = property.not(f);
    expect(problemOf(() => questionOf(net, { kind: 'formula', formula: f }))).toContain('PROP005');
  });

  test('invalid numbers', () => {
    expect(problemOf(() => property.times(0.5, property.tokens('buffer')))).toContain('PROP006');
    expect(problemOf(() => property.le(property.tokens('buffer'), Number.NaN))).toContain('PROP006');
  });
});
