import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { propertyText } from '../../../src/analysis/properties/property-text.ts';
import { readFormulas } from '../../../src/analysis/properties/read-formulas.ts';
import { InputError } from '../../../src/base/problem.ts';
import { NetBuilder } from '../../../src/net/builder/builder.ts';
import { effort } from '../../effort.ts';

const n = new NetBuilder('buffer');
const empty = n.place('empty', {}, { initial: 1 });
const full = n.place('full', {});
n.transition('produce', (t) => {
  t.take(empty);
  t.put(full, {});
});
n.transition('consume', (t) => {
  t.take(full);
  t.put(empty, {});
});
const net = n.build();

const dir = mkdtempSync(join(tmpdir(), 'foretoken-formulas-'));
afterAll(() => rmSync(dir, { recursive: true }));
const path = join(dir, 'f.xml');

const set = (inner: string): string =>
  `<?xml version="1.0"?>\n<property-set xmlns="http://mcc.lip6.fr/">\n${inner}\n</property-set>`;
const one = (formula: string, id = 'f'): string =>
  `<property><id>${id}</id><description>said</description><formula>${formula}</formula></property>`;

function read(text: string | Uint8Array): string[] {
  writeFileSync(path, text);
  return readFormulas(path, net).map(({ id, property }) => `${id}: ${propertyText(property)}`);
}

function problem(text: string | Uint8Array): string {
  try {
    read(text);
  } catch (e) {
    if (e instanceof InputError) return e.message.replaceAll(dir, '');
    throw e;
  }
  return 'no problem';
}

const count = '<tokens-count><place>empty</place><place>full</place></tokens-count>';
const le = `<integer-le>${count}<integer-constant>3</integer-constant></integer-le>`;
const fires = '<is-fireable><transition>produce</transition></is-fireable>';

test('every element of the language', () => {
  const cases: readonly (readonly [string, string])[] = [
    [le, 'tokens(empty, full) <= 3'],
    [`<exists-path><finally>${fires}</finally></exists-path>`, 'EF enabled(produce)'],
    [`<all-paths><globally>${fires}</globally></all-paths>`, 'AG enabled(produce)'],
    [`<all-paths><next>${fires}</next></all-paths>`, 'AX enabled(produce)'],
    [
      `<all-paths><until><before>${le}</before><reach>${fires}</reach></until></all-paths>`,
      'A[tokens(empty, full) <= 3 U enabled(produce)]',
    ],
    [
      `<exists-path><until><reach>${fires}</reach><before>${le}</before></until></exists-path>`,
      'E[tokens(empty, full) <= 3 U enabled(produce)]',
    ],
    [`<negation><disjunction>${le}${fires}</disjunction></negation>`, '!(tokens(empty, full) <= 3 | enabled(produce))'],
    [
      `<conjunction>${le}${fires}${fires}</conjunction>`,
      'tokens(empty, full) <= 3 & enabled(produce) & enabled(produce)',
    ],
    [`<implication>${fires}${le}</implication>`, 'enabled(produce) -> tokens(empty, full) <= 3'],
    [`<equivalence>${fires}<true/></equivalence>`, 'enabled(produce) & true | !enabled(produce) & !true'],
    [
      `<exclusive-disjunction>${fires}<false/></exclusive-disjunction>`,
      '!(enabled(produce) & false | !enabled(produce) & !false)',
    ],
    ['<exists-path><finally><deadlock/></finally></exists-path>', 'EF deadlock'],
    [
      `<integer-gt><integer-sum>${count}<integer-constant>1</integer-constant></integer-sum>${count}</integer-gt>`,
      'tokens(empty, full) + 1 > tokens(empty, full)',
    ],
    [
      `<integer-eq><integer-difference>${count}<integer-constant>1</integer-constant></integer-difference><integer-constant>0</integer-constant></integer-eq>`,
      'tokens(empty, full) - 1 = 0',
    ],
    [count, 'upper-bound(tokens(empty, full))'],
    ['<place-bound><place>full</place></place-bound>', 'upper-bound(tokens(full))'],
  ];
  const formulas = cases.map(([formula], k) => one(formula, `f-${k}`)).join('\n');
  expect(read(set(formulas))).toEqual(cases.map(([, text], k) => `f-${k}: ${text}`));
});

test('prefixes, comments, CDATA and extensions of other tools', () => {
  const text = `<!-- a --><m:property-set xmlns:m="http://mcc.lip6.fr/"><m:property><m:id><![CDATA[f]]></m:id>
    <m:tags><m:formula>no</m:formula></m:tags><m:formula><!-- b --><m:is-fireable><m:transition>
    produce </m:transition></m:is-fireable></m:formula></m:property></m:property-set>`;
  expect(read(text)).toEqual(['f: enabled(produce)']);
});

describe('errors are reported with their line', () => {
  const bomb = `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "bbbbbbbb">]><property-set>&b;</property-set>`;
  const deep = (by: number, inner: string): string => '<negation>'.repeat(by) + inner + '</negation>'.repeat(by);
  test.each([
    ['unknown place', set(one(le.replace('empty', 'emty'))), '/f.xml:3:', 'PROP002', 'Did you mean "empty"?'],
    [
      'unknown transition',
      set(one(fires.replace('produce', 'prodcue'))),
      '/f.xml:3:',
      'PROP003',
      'Did you mean "produce"?',
    ],
    ['entities', bomb, '/f.xml:1:', 'PROP022', 'declarations'],
    ['undefined entity', set(one('&x;')), '/f.xml:3:', 'PROP021', 'entity'],
    ['cut', set(one(fires)).slice(0, 150), '/f.xml:3:', 'PROP021', 'unclosed'],
    ['empty', '', '/f.xml: ', 'PROP020', 'empty'],
    ['binary', new Uint8Array([60, 0, 1, 2]), '/f.xml: ', 'PROP020', 'binary'],
    ['not UTF-8', new Uint8Array([60, 0xff, 0xfe]), '/f.xml: ', 'PROP020', 'UTF-8'],
    ['no property', set(''), '/f.xml: ', 'PROP007', 'contains no properties'],
    ['another document', '<pnml/>', '/f.xml:1:1', 'PROP023', '"property-set"'],
    ['no formula', set('<property><id>f</id></property>'), '/f.xml:3:', 'PROP023', 'no formula'],
    ['no id', set(`<property><formula>${fires}</formula></property>`), '/f.xml:3:', 'PROP023', 'without id'],
    ['an id twice', set(one(fires) + one(fires)), '/f.xml:3:', 'PROP010', '"f"'],
    ['two formulas in one', set(one(fires + fires)), '/f.xml:3:', 'PROP023', 'one element in a formula, got 2'],
    ['unknown element', set(one('<exists-path><nxt/></exists-path>')), '/f.xml:3:', 'PROP023', 'Did you mean "next"?'],
    [
      'a path without quantifier',
      set(one(`<next>${fires}</next>`)),
      '/f.xml:3:',
      'PROP023',
      'expected a formula or a bound',
    ],
    ['a quantifier without path', set(one(`<all-paths>${fires}</all-paths>`)), '/f.xml:3:', 'PROP023', '<next>'],
    [
      'half an until',
      set(one(`<all-paths><until><before>${le}</before></until></all-paths>`)),
      '/f.xml:3:',
      'PROP023',
      '<reach>',
    ],
    [
      'three numbers',
      set(one(`<integer-le>${count}${count}${count}</integer-le>`)),
      '/f.xml:3:',
      'PROP023',
      'two numbers',
    ],
    ['a formula as a number', set(one(`<integer-le>${fires}${count}</integer-le>`)), '/f.xml:3:', 'PROP023', 'only'],
    ['a number as a formula', set(one(`<negation>${count}</negation>`)), '/f.xml:3:', 'PROP023', 'formulas'],
    ['an empty conjunction', set(one('<conjunction/>')), '/f.xml:3:', 'PROP023', 'got 0'],
    ['nothing to fire', set(one('<is-fireable/>')), '/f.xml:3:', 'PROP023', 'got nothing'],
    ['no number', set(one(le.replace('>3<', '>three<'))), '/f.xml:3:', 'PROP006', 'expected an integer'],
    [
      'a large number',
      set(one(le.replace('>3<', `>${'9'.repeat(30)}<`))),
      '/f.xml:3:',
      'PROP006',
      'expected an integer',
    ],
    ['a deep formula', set(one(deep(600, fires))), '/f.xml:3:', 'PROP005', 'deeper than 500'],
    ['a million elements', set(one(deep(1e6, fires))), '/f.xml:3:', 'PROP022', 'deeper than 1600'],
    ['an endless name', set(`<property><id>${'x'.repeat(1e5)}</id></property>`), '/f.xml:3:', 'PROP022', 'characters'],
  ])('%s is reported with its line', (_, text, place, code, message) => {
    const found = problem(text);
    expect(found).toContain(place);
    expect(found).toContain(code);
    expect(found).toContain(message);
  });

  test('files that cannot be read', () => {
    expect(() => readFormulas(join(dir, 'none.xml'), net)).toThrow('PROP020');
    expect(() => readFormulas(dir, net)).toThrow('PROP020');
  });

  test('any mutation of a file is read or rejected', () => {
    const whole = set([one(le), one(`<exists-path><finally>${fires}</finally></exists-path>`, 'g')].join('\n'));
    fc.assert(
      fc.property(fc.nat({ max: whole.length }), fc.nat({ max: 20 }), fc.string({ maxLength: 4 }), (at, cut, put) => {
        const text = whole.slice(0, at) + put + whole.slice(at + cut);
        expect(problem(text)).toMatch(/PROP0(?:0[1-7]|10|2[0-3]) |^no problem$/);
      }),
      { numRuns: effort(600) },
    );
  });
});
