import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { codesOf } from '../../scripts/errors.ts';
import { explore } from '../../src/analysis/space/explore.ts';
import { steady } from '../../src/commands/steady/steady.ts';
import type { Net } from '../../src/net/net.ts';
import { readPnpro } from '../../src/net/pnpro/pnpro-read.ts';
import { problemsOf } from './problems.ts';

/** A net of place `p` with two tokens, and transition `t` that takes one; more nodes and arcs may follow. */
const project = (nodes = '', arcs = '', more = ''): string =>
  `<?xml version="1.0" encoding="UTF-8"?>
<project name="P" version="121"><gspn name="N" zoom="125">
<nodes><place name="p" marking="2" x="1.0" y="2.0"/><transition name="t" type="EXP" x="3" y="4"/>
${nodes}</nodes>
<edges><arc head="t" kind="INPUT" tail="p" mult-k="0.5"/>
${arcs}</edges></gspn>${more}</project>`;
const read = (nodes = '', arcs = '', more = ''): Net => readPnpro(project(nodes, arcs, more)).net;
const transition = (attributes: string): Net['transitions'][number] =>
  read(`<transition name="u" ${attributes}/>`, '<arc kind="INPUT" tail="p" head="u"/>').transitions[1]!;
const constant = (value: number): { op: 'const'; value: number } => ({ op: 'const', value });

describe('timing', () => {
  const tokens = { op: 'var', name: 'p' };
  const race = (rate: number): object => ({
    delay: { dist: 'exponential', rate: constant(rate) },
    timing: 'race',
  });
  test.each<readonly [string, object]>([
    ['type="EXP"', race(1)],
    ['type="EXP" delay="2.5e1" nservers="Infinite"', race(25)],
    ['type="EXP" delay="1/4" nservers="INF"', race(0.25)],
    ['type="EXP" nservers="1"', { ...race(1), servers: 'single' }],
    ['type="EXP" nservers="2 + 1"', { ...race(1), servers: 3 }],
    [
      'type="EXP" delay="2 * #p"',
      {
        ...race(1),
        servers: 'single',
        speed: { op: 'mul', a: constant(2), b: tokens },
        counts: [{ name: 'p', place: 'p', pattern: {} }],
      },
    ],
    [
      'type="EXP" delay="If[#p &gt;= 2 &amp;&amp; 1 &lt; 2, Min[3, #p] / 2, -(1 - 2)]"',
      {
        ...race(1),
        servers: 'single',
        speed: {
          op: 'if',
          test: { op: 'and', a: { op: 'ge', a: tokens, b: constant(2) }, b: constant(1) },
          a: { op: 'div', a: { op: 'min', a: constant(3), b: tokens }, b: constant(2) },
          b: constant(1),
        },
        counts: [{ name: 'p', place: 'p', pattern: {} }],
      },
    ],
    ['type="EXP" delay="Max[1, If[1 &gt; 2, 7, 5]]"', race(5)],
    ['type="IMM" weight="#p"', { priority: 1, weight: tokens, counts: [{ name: 'p', place: 'p', pattern: {} }] }],
    ['type="EXP" nservers="Single"', { ...race(1), servers: 'single' }],
    ['type="IMM"', { priority: 1, weight: constant(1) }],
    ['type="IMM" priority="3" weight="0.5"', { priority: 3, weight: constant(0.5) }],
    ['type="DET" delay="2"', { delay: constant(2), timing: 'race', servers: 'single' }],
    ['type="GEN" delay="I[1 + 1]"', { delay: constant(2), timing: 'race', servers: 'single' }],
    [
      'type="GEN" delay="Uniform[2.1, 2.4]"',
      { delay: { dist: 'uniform', low: constant(2.1), high: constant(2.4) }, timing: 'race', servers: 'single' },
    ],
  ])('timing of a transition with %s', (attributes, expected) => {
    expect(transition(attributes)).toEqual({
      name: 'u',
      inputs: [{ kind: 'take', place: 'p', pattern: {}, count: 1 }],
      outputs: [],
      ...expected,
    });
  });

  test.each([
    'delay="1.1" nservers="k"',
    'delay="1.1 * Min[k, #down]"',
    'delay="If[#down &gt; k, k, #down] * 2.2 / 2" nservers="1"',
  ])('a transition with k servers fires at min(degree, k) times its rate: %s', (attributes) => {
    const [machines, servers, fail, repair] = [5, 3, 0.7, 1.1];
    const { net, warnings } = readPnpro(
      `<project><gspn name="repair"><nodes><constant name="k" consttype="INTEGER" value="${servers}"/>
<place name="up" marking="${machines}"/><place name="down"/>
<transition name="fail" type="EXP" delay="${fail}"/><transition name="repair" type="EXP" ${attributes}/></nodes>
<edges><arc kind="INPUT" tail="up" head="fail"/><arc kind="OUTPUT" tail="fail" head="down"/>
<arc kind="INPUT" tail="down" head="repair"/><arc kind="OUTPUT" tail="repair" head="up"/></edges></gspn></project>`,
    );
    expect(net.places).toHaveLength(2);
    expect(warnings).toEqual([]);
    const shares = [1];
    for (let down = 0; down < machines; down++)
      shares.push((shares.at(-1)! * fail * (machines - down)) / (repair * Math.min(down + 1, servers)));
    const total = shares.reduce((a, b) => a + b);
    const mean = shares.reduce((sum, share, down) => sum + (down * share) / total, 0);
    expect(steady(net).places.find((p) => p.name === 'down')!.mean).toBeCloseTo(mean, 10);
  });
});

test('names, markings, arcs', () => {
  const net = read(
    `<place name="q" marking="3 * (n - 1)" label-x="1" magnets="THREE_PER_SIDE" partition="a"/><place name="r" marking="0"/>
<constant name="n" consttype="INTEGER" value="2"/><text-box name="b" x="1" y="1">any <text/></text-box>
<color-class name="C" definition="c{1..2}"/><color-var name="x" domain="C"/>`,
    `<arc kind="OUTPUT" tail="t" head="q" mult="n" head-magnet="1" broken="true"><point x="1" y="2"/></arc>
<arc type="INHIBITOR" tail="q" head="t" multiplicity="-(1 - n*4)"/><arc kind="OUTPUT" tail="t" head="r" mult="n - 2"/>`,
    '<dta name="d"><nodes/></dta><measures gspn-name="N"><formulas/></measures><resource-list/>',
  );
  expect(net.name).toBe('N');
  expect(net.places.map((p) => [p.name, p.initial])).toEqual([
    ['p', [{ values: [], count: 2 }]],
    ['q', [{ values: [], count: 3 }]],
    ['r', []],
  ]);
  expect(net.transitions[0]).toMatchObject({
    inputs: [
      { kind: 'take', place: 'p', count: 1 },
      { kind: 'inhibit', place: 'q', count: 7 },
    ],
    outputs: [{ place: 'q', count: constant(2) }],
  });
});

test('parameters have their last values, with a warning', () => {
  const { net, warnings } = readPnpro(
    project(
      '<place name="q" marking="N + 1"/><template name="N" type="INTEGER" last-binding="4"/><template name="unset" type="REAL"/>',
    ),
  );
  expect(net.places[1]!.initial).toEqual([{ values: [], count: 5 }]);
  expect(warnings).toEqual(['parameters have the values that they had last in GreatSPN: N = 4']);
});

test.each([
  ['<place name="q" superposition-tags="a|b"/>', '', 'superposition tags are ignored'],
  [
    '<transition name="u" type="DET" delay="2" nservers="1"/>',
    '',
    'the attribute "nservers" of transitions of type DET is ignored',
  ],
  ['', '<algebra name="A"><subnet netname="N"/></algebra>', '<algebra>: compositions of nets are ignored'],
])('warning: %s %s', (nodes, more, warning) => {
  const { warnings } = readPnpro(project(nodes, '', more));
  expect(warnings).toHaveLength(1);
  expect(warnings[0]).toContain(warning);
});

test('a newer version is read with a warning', () => {
  expect(readPnpro(project().replace('"121"', '"122"')).warnings).toHaveLength(1);
});

/** What provokes each code: nodes, arcs, and the problem. Line 4 has the first node that is added, line 6 the first arc. */
const REFUSALS: readonly (readonly [nodes: string, arcs: string, problem: string])[] = [
  ['<clock name="x"/>', '', '4:1: PNPRO002 <clock> is not allowed in <nodes>.'],
  ['', '<edge/>', '6:1: PNPRO002 <edge> is not allowed in <edges>. Expected: arc.'],
  ['<place name="q"><toolspecific/></place>', '', '4:17: PNPRO002 <toolspecific> is not allowed in <place>.'],
  ['text', '', 'PNPRO002 unexpected text "text"'],
  ['<place marking="1"/>', '', '4:1: PNPRO003 a place has no attribute "name"'],
  ['<transition name="u"/>', '', '4:1: PNPRO003 transition "u" has no attribute "type": expected EXP, IMM, DET, GEN'],
  ['<constant name="c" consttype="REAL"/>', '', 'PNPRO003 constant "c" has no attribute "value"'],
  ['', '<arc kind="INPUT" head="t"/>', '6:1: PNPRO003 an arc has no attribute "tail"'],
  ['', '<arc tail="p" head="t"/>', '6:1: PNPRO003 an arc has no attribute "kind"'],
  ['<transition name="u" type="CONT"/>', '', 'PNPRO004 transition "u" has type="CONT", which is not supported'],
  ['<transition name="u" type="constructor"/>', '', 'PNPRO004 transition "u" has type="constructor"'],
  ['<transition name="u" type="EXP" guard="#p &gt; 1"/>', '', 'PNPRO004 transition "u" has guard="#p > 1"'],
  ['<transition name="u" type="GEN" delay="Erlang[1, 4]"/>', '', 'PNPRO004 the general delay of transition "u"'],
  ['<transition name="u" type="GEN" delay="FN: f"/>', '', 'PNPRO004 the general delay of transition "u", "FN: f"'],
  ['<transition name="u" type="EXP" policy="age"/>', '', '4:1: PNPRO004 the attribute policy="age" of <transition>'],
  ['<place name="q" capacity="1"/>', '', '4:1: PNPRO004 the attribute capacity="1" of <place> is unknown'],
  ['<place name="q" type="CONTINUOUS"/>', '', 'PNPRO004 place "q" has type="CONTINUOUS"'],
  ['<constant name="c" consttype="BOOL" value="1"/>', '', 'PNPRO004 constant "c" has consttype="BOOL"'],
  ['<template name="c" type="COLOR_CLASS"/>', '', 'PNPRO004 parameter "c" has type="COLOR_CLASS"'],
  ['', '<arc kind="RESET" tail="p" head="t"/>', '6:1: PNPRO004 an arc has kind="RESET": expected INPUT'],
  ['<place name="q" marking="N"/>', '', '4:1: PNPRO005 marking of place "q": unknown constant "N".'],
  [
    '<place name="q" marking="1 +"/>',
    '',
    'PNPRO005 marking of place "q", "1 +": expected a number, a constant or (, got the end',
  ],
  ['<place name="q" marking="(1"/>', '', 'PNPRO005 marking of place "q", "(1": expected ), got the end'],
  ['<place name="q" marking="2 3"/>', '', 'PNPRO005 marking of place "q", "2 3": expected an operator, got "3"'],
  ['<place name="q" marking="7 / 2 * 2"/>', '', 'PNPRO005 marking of place "q", "7 / 2 * 2": 7 / 2 is not an integer'],
  ['<place name="q" marking="1 / 0"/>', '', 'PNPRO005 marking of place "q", "1 / 0": divides by 0'],
  ['', '<arc kind="OUTPUT" tail="t" head="p" mult="Max[1,#p]"/>', 'depends on the marking, which is not supported'],
  [
    '<transition name="u" type="EXP" delay="2 * #q"/>',
    '',
    'PNPRO005 delay of transition "u", "2 * #q": unknown place "q"',
  ],
  ['<transition name="u" type="EXP" delay="#"/>', '', 'expected a place, got the end'],
  ['<transition name="u" type="EXP" delay="If[#p, 1, 2]"/>', '', 'expected a comparison, got ","'],
  ['<transition name="u" type="EXP" delay="Sin[#p]"/>', '', 'the function "Sin" is not supported'],
  [
    '',
    '<arc kind="OUTPUT" tail="t" head="p" mult="&lt;x++&gt;"/>',
    'PNPRO005 mult of the output arc from "t" to "p", "<x++>"',
  ],
  [
    '<constant name="a" consttype="REAL" value="b"/><constant name="b" consttype="REAL" value="a"/>',
    '',
    'PNPRO005 constant "a" refers to itself',
  ],
  [
    '<template name="N" type="INTEGER"/><place name="q" marking="N"/>',
    '',
    'PNPRO005 marking of place "q": parameter "N" has no value',
  ],
  ['<place name="q" marking="-1"/>', '', 'PNPRO006 marking of place "q": expected an integer >= 0, got "-1"'],
  ['<place name="q" marking="1.5"/>', '', 'PNPRO006 marking of place "q": expected an integer >= 0, got "1.5"'],
  ['<place name="q" marking="1e300"/>', '', 'PNPRO006 marking of place "q": expected an integer >= 0, got "1e300"'],
  [
    '<transition name="u" type="EXP" delay="0"/>',
    '',
    'PNPRO006 delay of transition "u": expected a number > 0, got "0"',
  ],
  [
    '<transition name="u" type="EXP" delay="1-2"/>',
    '',
    'PNPRO006 delay of transition "u": expected a number > 0, got "1-2", which is -1',
  ],
  ['<transition name="u" type="EXP" delay="1e999"/>', '', 'PNPRO006 delay of transition "u": expected a number > 0'],
  [
    '<transition name="u" type="EXP" nservers="0"/>',
    '',
    'PNPRO006 nservers of transition "u": expected an integer >= 1',
  ],
  [
    '<transition name="u" type="IMM" priority="0"/>',
    '',
    'PNPRO006 priority of transition "u": expected an integer >= 1',
  ],
  ['<transition name="u" type="IMM" weight="0.0"/>', '', 'PNPRO006 weight of transition "u": expected a number > 0'],
  [
    '<transition name="u" type="GEN" delay="Uniform[2, 1]"/>',
    '',
    'PNPRO006 delay of transition "u": 2 is larger than 1',
  ],
  [
    '<constant name="c" consttype="INTEGER" value="0.5"/>',
    '',
    '4:1: PNPRO006 constant "c": expected an integer, got "0.5"',
  ],
  ['', '<arc kind="INHIBITOR" tail="p" head="t" mult="0"/>', 'PNPRO006 mult of the inhibitor arc from "p" to "t"'],
  ['', '<arc kind="OUTPUT" tail="t" head="p" mult="1000001"/>', 'expected an integer >= 0 and <= 1000000'],
  ['<transition name="p" type="EXP"/>', '', 'PNPRO007 duplicate name "p": it is that of a place'],
  ['<constant name="t" consttype="REAL" value="1"/>', '', 'PNPRO007 duplicate name "t": it is that of a transition'],
  ['', '<arc kind="INPUT" tail="p" head="t"/>', '6:1: PNPRO007 the input arc from "p" to "t" occurs more than once'],
  [
    '',
    '<arc kind="INPUT" tail="q" head="t"/>',
    '6:1: PNPRO008 an arc from "q" to "t": "q" is no place and no transition.',
  ],
  [
    '',
    '<arc kind="OUTPUT" tail="p" head="t"/>',
    '6:1: PNPRO008 an arc of kind OUTPUT from the place "p" to the transition "t"',
  ],
  ['', '<arc kind="INHIBITOR" tail="t" head="p"/>', 'PNPRO008 an arc of kind INHIBITOR from the transition "t"'],
  ['', '<arc kind="INPUT" tail="p" head="p"/>', 'PNPRO008 an arc of kind INPUT from the place "p" to the place "p"'],
  ['<place name="q" domain="L" marking="&lt;All&gt;"/>', '', '4:1: PNPRO009 place "q" has colours, domain="L"'],
  ['<constant name="S" consttype="INTEGER" domain="L" value="&lt;All&gt;"/>', '', 'PNPRO009 constant "S" has colours'],
];

describe('refusals', () => {
  test.each(REFUSALS)('refused: %s %s', (nodes, arcs, problem) => {
    const found = problemsOf(() => readPnpro(project(nodes, arcs), 'a.PNPRO'));
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(problem);
    expect(found[0]).toMatch(/^a\.PNPRO:\d+:\d+: PNPRO00\d /);
  });

  test.each([
    ['<project/>', /1:1: PNPRO001 the project has no <gspn>/],
    [
      project('', '', '<gspn name="M"><nodes/><edges/></gspn>'),
      /:6:\d+: PNPRO001 the project has 2 nets, "N", "M": expected one/,
    ],
    ['<pnml><net id="n"/></pnml>', /PNPRO002 <pnml> is not allowed as the root\. Expected: project\./],
    [project('', '', '<page/>'), /PNPRO002 <page> is not allowed in <project>/],
    ['<!DOCTYPE project [<!ENTITY a "b">]><project/>', /PNML003 a document type is refused/],
    ['<project><gspn>', /PNML002 not well-formed XML/],
    ['', /PNML001 is empty/],
    [`<project>${'<dta>'.repeat(1001)}`, /PNML004 elements are nested deeper than 1000/],
  ])('document %# is refused', (text, problem) => {
    expect(() => readPnpro(text)).toThrow(problem);
  });

  test('an immediate transition without input in a net with delays is refused at its line', () => {
    const found = problemsOf(() => readPnpro(project('<transition name="u" type="IMM"/>'), 'a.PNPRO'));
    expect(found[0]).toMatch(/^a\.PNPRO:4:1: NET\d+ transition u/);
  });

  test('limits and bytes', () => {
    expect(() => readPnpro(project(), 'a.PNPRO', { bytes: 100 })).toThrow(
      /PNML001 is larger than the limit of 100 bytes/,
    );
    const many = '<place/>'.repeat(50);
    expect(problemsOf(() => readPnpro(project(many), 'a', { problems: 3 }))).toHaveLength(4);
    const latin = Buffer.from(project('<place name="caf\u00e9"/>').replace('UTF-8', 'ISO-8859-1'), 'latin1');
    expect(readPnpro(latin).net.places[1]!.name).toBe('caf\u00e9');
    expect(readPnpro(project('<place name="a&amp;b"/>')).net.places[1]!.name).toBe('a&b');
  });

  test('parentheses and constants may be nested only to a depth', () => {
    const nested = (depth: number): string => `<place name="q" marking="${'('.repeat(depth)}1${')'.repeat(depth)}"/>`;
    expect(read(nested(150)).places).toHaveLength(2);
    expect(() => read(nested(100_000))).toThrow(/is nested deeper than 200/);
    const chain = (length: number): string =>
      Array.from({ length }, (_, k) => `<constant name="c${k}" consttype="REAL" value="c${k + 1}"/>`).join('') +
      `<constant name="c${length}" consttype="REAL" value="1"/>`;
    expect(read(chain(50)).places).toHaveLength(1);
    expect(() => read(chain(10_000))).toThrow(/is nested deeper than 200/);
  });

  test('every code is provoked', () => {
    const provoked = new Set(REFUSALS.map(([, , problem]) => /PNPRO\d{3}/.exec(problem)?.[0]));
    expect(
      codesOf('pnpro')
        .map(({ code }) => code)
        .filter((code) => !provoked.has(code)),
    ).toEqual(['PNPRO001']);
  });
});

test('names of JavaScript are names of nodes', () => {
  const net = read(
    '<place name="constructor" marking="__proto__"/><constant name="__proto__" consttype="INTEGER" value="2"/>',
    '<arc kind="OUTPUT" tail="t" head="constructor"/>',
  );
  expect(net.places[1]).toMatchObject({ name: 'constructor', initial: [{ count: 2 }] });
  expect(explore(net).states).toBe(3);
});

test('the page lists the codes', () => {
  expect(readFileSync('docs/pnml.md', 'utf8')).toContain(`PNPRO001 to ${codesOf('pnpro').at(-1)!.code}`);
});
