import { describe, expect, test } from 'vitest';
import { codesOf } from '../../scripts/errors.ts';
import { explore } from '../../src/analysis/space/explore.ts';
import { InputError } from '../../src/base/problem.ts';
import type { PnmlInput } from '../../src/net/pnml/pnml-decode.ts';
import { type PnmlNet, readPnml } from '../../src/net/pnml/pnml-read.ts';

const GRAMMAR = 'http://www.pnml.org/version-2009/grammar';

/** A place/transition net with these elements, one per line from line 2 on. */
const pt = (...elements: readonly string[]): string =>
  `<pnml><net id="n" type="${GRAMMAR}/ptnet"><page id="g">\n${elements.join('\n')}\n</page></net></pnml>`;

const SORTS = `<namedsort id="s" name="S"><cyclicenumeration><feconstant id="a" name="a"/><feconstant id="b" name="b"/></cyclicenumeration></namedsort>
<variabledecl id="x" name="x"><usersort declaration="s"/></variabledecl><variabledecl id="y" name="y"><usersort declaration="s"/></variabledecl>
<namedsort id="r" name="R"><finiteintrange start="1" end="3"/></namedsort>`;
/** A coloured net with elements from line 2 on, and declarations in addition to some standard sorts. */
const coloured = (elements: readonly string[], declarations = ''): string =>
  `<pnml><net id="n" type="${GRAMMAR}/symmetricnet"><page id="g">\n${elements.join('\n')}\n</page>
<declaration><structure><declarations>${declarations}${SORTS}</declarations></structure></declaration></net></pnml>`;
const P = '<place id="p"><type><structure><usersort declaration="s"/></structure></type></place>';
const T = '<transition id="t"/>';
const from = (term: string): string =>
  `<arc id="pt" source="p" target="t"><hlinscription><structure>${term}</structure></hlinscription></arc>`;
const X = '<variable refvariable="x"/>';
const A = '<useroperator declaration="a"/>';
const sub = (...terms: readonly string[]): string => terms.map((t) => `<subterm>${t}</subterm>`).join('');
const sort = (xml: string): string => `<place id="q"><type><structure>${xml}</structure></type></place>`;
const marked = (xml: string): string =>
  `<place id="q"><type><structure><usersort declaration="s"/></structure></type><hlinitialMarking><structure>${xml}</structure></hlinitialMarking></place>`;
const guarded = (xml: string): readonly string[] => [
  P,
  `<transition id="t"><condition><structure>${xml}</structure></condition></transition>`,
  from(X),
];
const p = '<place id="p"/>';

type Case = readonly [what: string, input: PnmlInput, problem: RegExp];

const CASES: readonly Case[] = [
  ['a tag of several lines', pt('<place\n  id="p"><delay\n/></place>'), /^n\.pnml:3:1: PNML005 <delay>/],
  ['pages in pages', pt('<page id="x">'.repeat(1001)), /PNML004/],
  ['nothing', '', /^n\.pnml:1:1: PNML001 is empty/],
  ['no bytes', new Uint8Array(0), /^n\.pnml:1:1: PNML001 is empty/],
  [
    'an image',
    Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a),
    /^n\.pnml:1:1: PNML001 is not valid utf-8/,
  ],
  ['zeros', Uint8Array.of(60, 112, 10, 0, 0, 0), /^n\.pnml:2:1: PNML001 is binary/],
  [
    'an encoding that is not known',
    Buffer.from('<?xml version="1.0" encoding="EBCDIC"?><pnml/>'),
    /PNML001 encoding "EBCDIC" is not supported/,
  ],
  ['half a surrogate', Uint8Array.of(0xff, 0xfe, 0x3c, 0), /PNML00\d/],
  ['text', 'once upon a time', /^n\.pnml:1:\d+: PNML002 not well-formed XML/],
  ['JSON', '{"format": "foretoken-net"}', /^n\.pnml:1:\d+: PNML002/],
  [
    'a document that ends too early',
    pt(p).slice(0, -20),
    /^n\.pnml:\d+:\d+: PNML002 not well-formed XML: unclosed tag/,
  ],
  ['crossed tags', '<pnml><net></pnml></net>', /^n\.pnml:1:\d+: PNML002/],
  ['an unknown entity', pt(p, '<place id="&bomb;"/>'), /^n\.pnml:3:\d+: PNML002/],
  ['an entity bomb', `<!DOCTYPE lolz [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]>${pt(p)}`, /^n\.pnml:1:\d+: PNML003/],
  [
    'a document type of elsewhere',
    `<!DOCTYPE pnml SYSTEM "http://example.org/x.dtd">${pt(p)}`,
    /^n\.pnml:1:\d+: PNML003/,
  ],
  [
    'a million elements in one another',
    pt('<page id="x">'.repeat(1e6)),
    /^n\.pnml:2:\d+: PNML004 elements are nested deeper than 1000$/,
  ],
  [
    'an unknown element',
    pt('<place id="p"><delay/></place>'),
    /^n\.pnml:2:15: PNML005 <delay> is not allowed in <place>/,
  ],
  ['another kind of document', '<svg/>', /^n\.pnml:1:1: PNML005 <svg>/],
  ['text between nodes', pt('hello', p), /PNML005 unexpected text "hello"/],
  [
    'a condition without colours',
    pt('<transition id="t"><condition/></transition>'),
    /^n\.pnml:2:20: PNML005 <condition> belongs to coloured/,
  ],
  ['a place without an id', pt('<place/>'), /^n\.pnml:2:1: PNML006 <place> has no attribute "id"/],
  ['an empty id', pt('<place id=""/>'), /^n\.pnml:2:1: PNML006 .* is empty/],
  [
    'an arc without a target',
    pt(p, '<arc id="a" source="p"/>'),
    /^n\.pnml:3:1: PNML006 <arc> has no attribute "target"/,
  ],
  [
    'fewer tokens than none',
    pt('<place id="p"><initialMarking><text>-1</text></initialMarking></place>'),
    /^n\.pnml:2:15: PNML007 .*expected an integer >= 0, got -1/,
  ],
  [
    'too many tokens',
    pt('<place id="p"><initialMarking><text>9007199254740993</text></initialMarking></place>'),
    /PNML007 .*larger than/,
  ],
  [
    'half a token',
    pt('<place id="p"><initialMarking><text>0.5</text></initialMarking></place>'),
    /PNML007 .*expected an integer >= 0, got "0.5"/,
  ],
  [
    'a weight of nothing',
    pt(p, T, '<arc id="a" source="p" target="t"><inscription><text>0</text></inscription></arc>'),
    /^n\.pnml:4:35: PNML007 .*expected an integer >= 1, got 0/,
  ],
  [
    'a huge weight that is brought',
    pt(p, T, '<arc id="a" source="t" target="p"><inscription><text>999999999999</text></inscription></arc>'),
    /^n\.pnml:4:1: PNML007 an arc adds 999999999999 tokens/,
  ],
  ['two places of one id', pt(p, p), /^n\.pnml:3:1: PNML008 duplicate id "p"/],
  ['a place and a transition of one id', pt(p, '<transition id="p"/>'), /^n\.pnml:3:1: PNML008/],
  [
    'an attribute that could be a weight',
    pt(p, T, '<arc id="a" source="p" target="t" wieght="2"/>'),
    /^n\.pnml:4:1: PNML021 the attribute wieght="2" of <arc> is unknown: .* Did you mean "weight"\? Known: id, source, target, type, weight, inscription\.$/,
  ],
  [
    'an attribute of a label',
    pt('<place id="p"><initialMarking tokens="3"/></place>'),
    /^n\.pnml:2:15: PNML021 the attribute tokens="3" of <initialMarking> is unknown/,
  ],
  [
    'two weights',
    pt(p, T, '<arc id="a" source="p" target="t" weight="2"><inscription><text>3</text></inscription></arc>'),
    /^n\.pnml:4:46: PNML008 the arc "a" has two weights, 2 and 3/,
  ],
  [
    'two markings, one of them an attribute',
    pt('<place id="p" initialMarking="2"><initialMarking><text>3</text></initialMarking></place>'),
    /^n\.pnml:2:34: PNML008 the place "p" has two initial markings, 2 and 3 tokens/,
  ],
  [
    'an element in a number',
    pt('<place id="p"><initialMarking><text>1</text><more>2</more></initialMarking></place>'),
    /^n\.pnml:2:45: PNML005 <more> is not allowed/,
  ],
  [
    'a rate over an unknown place',
    pt(p, '<transition id="t"><rate><value>2 * #(q)</value></rate></transition>'),
    /^n\.pnml:3:20: PNML007 <rate> of transition "t": the expression "2 \* #\(q\)" names the unknown place "q"/,
  ],
  [
    'a rate parameter that is not defined',
    pt(p, '<transition id="t"><toolspecific tool="PIPE" version="2.5" rateDefinition="nu"/></transition>'),
    /^n\.pnml:3:1: PNML010 unknown parameter "nu"/,
  ],
  [
    'two markings',
    pt(
      '<place id="p"><initialMarking><text>1</text></initialMarking><initialMarking><text>2</text></initialMarking></place>',
    ),
    /PNML008 duplicate <initialMarking>/,
  ],
  [
    'two sorts of one id',
    coloured([], '<namedsort id="s" name="T"><bool/></namedsort>'),
    /PNML008 duplicate declaration/,
  ],
  [
    'two constants of one id',
    coloured(
      [],
      '<namedsort id="u" name="U"><finiteenumeration><feconstant id="k" name="k"/><feconstant id="k" name="l"/></finiteenumeration></namedsort>',
    ),
    /PNML008 duplicate constant/,
  ],
  ['no net', '<pnml/>', /^n\.pnml:1:1: PNML009 the document has no <net>/],
  ['two nets', pt(p).replace('</pnml>', `${pt(p).slice(6)}`), /PNML009 a second net/],
  [
    'a type that is not known',
    pt(p).replace('/ptnet', '/ptnnet'),
    /^n\.pnml:1:7: PNML009 the net type .*Did you mean ".*\/ptnet"/,
  ],
  [
    'an arc to nowhere',
    pt(p, T, '<arc id="a" source="p" target="tt"/>'),
    /^n\.pnml:4:1: PNML010 the target "tt" of the arc "a" is not there\. Did you mean "t"/,
  ],
  ['a reference to nowhere', pt('<referencePlace id="r" ref="p"/>'), /^n\.pnml:2:1: PNML010 the reference "r"/],
  [
    'an unknown sort',
    coloured([sort('<usersort declaration="ss"/>')]),
    /^n\.pnml:2:\d+: PNML010 unknown sort "ss"\. Did you mean "s"/,
  ],
  [
    'an unknown variable',
    coloured([P, T, from('<variable refvariable="z"/>')]),
    /^n\.pnml:4:\d+: PNML010 unknown variable "z"/,
  ],
  ['an unknown constant', coloured([P, T, from('<useroperator declaration="c"/>')]), /PNML010 unknown operator "c"/],
  [
    'an arc between places',
    pt(p, '<place id="q"/>', '<arc id="a" source="p" target="q"/>'),
    /^n\.pnml:4:1: PNML011 the arc "a" goes from a place to a place/,
  ],
  [
    'an inhibitor arc to a place',
    pt(p, T, '<arc id="a" source="t" target="p"><type value="inhibitor"/></arc>'),
    /PNML011 an arc of kind "inhibit"/,
  ],
  ['a reference to a node of another kind', pt(T, '<referencePlace id="r" ref="t"/>'), /PNML011 the reference "r"/],
  [
    'references in a circle',
    pt('<referencePlace id="r" ref="q"/>', '<referencePlace id="q" ref="r"/>'),
    /PNML012 the reference "r" refers to itself: r → q → r/,
  ],
  [
    'a sort in itself',
    coloured(
      [],
      '<namedsort id="c" name="C"><productsort><usersort declaration="d"/></productsort></namedsort><namedsort id="d" name="D"><usersort declaration="c"/></namedsort>',
    ),
    /PNML012 the sort contains itself: c → d → c/,
  ],
  [
    'an operator of itself',
    coloured(
      guarded('<useroperator declaration="o"/>'),
      '<namedoperator id="o" name="o"><parameter/><def><not><subterm><useroperator declaration="o"/></subterm></not></def></namedoperator>',
    ),
    /PNML012 the operator refers to itself: o → o/,
  ],
  ['natural numbers', coloured([sort('<natural/>')]), /^n\.pnml:2:\d+: PNML013 the sort <natural> is not supported/],
  ['a sort that is none', coloured([sort('<dott/>')]), /PNML013 unsupported sort <dott>\. Did you mean "dot"/],
  [
    'an operator that is not supported',
    coloured(guarded(`<cardinality>${sub(X)}</cardinality>`)),
    /^n\.pnml:3:\d+: PNML014 the operator <cardinality> is not supported/,
  ],
  ['an operator of too few', coloured([P, T, from('<successor/>')]), /PNML015 <successor> has 0 operands: expected 1/],
  [
    'an empty enumeration',
    coloured([], '<namedsort id="u" name="U"><finiteenumeration/></namedsort>'),
    /PNML015 <finiteenumeration> has no values/,
  ],
  [
    'a part that is no term',
    coloured([P, T, from(`<successor>${X}</successor>`)]),
    /PNML005 expected <subterm> in <successor>, got <variable>/,
  ],
  [
    'a partition that leaves out a value',
    coloured(
      [],
      '<partition id="u" name="U"><usersort declaration="s"/><partitionelement id="u0" name="u0"><useroperator declaration="a"/></partitionelement></partition>',
    ),
    /PNML015 the partition omits b/,
  ],
  [
    'a value in two elements',
    coloured(
      [],
      '<partition id="u" name="U"><usersort declaration="s"/><partitionelement id="u0" name="u0"><useroperator declaration="a"/><useroperator declaration="a"/></partitionelement></partition>',
    ),
    /PNML008 a value of S is in two/,
  ],
  [
    'a token of another sort',
    coloured([P, T, from('<dotconstant/>')]),
    /^n\.pnml:4:\d+: PNML016 expected a term of sort S, got dot/,
  ],
  [
    'a tuple that is too long',
    coloured([P, T, from(`<tuple>${sub(X, A)}</tuple>`)]),
    /PNML016 expected a term of sort/,
  ],
  ['a condition that is none', coloured(guarded(X)), /PNML016 expected a condition, but <variable> is S/],
  [
    'a comparison of two sorts',
    coloured(guarded(`<equality>${sub(X, '<booleanconstant value="true"/>')}</equality>`)),
    /PNML016/,
  ],
  [
    'a range without its value',
    coloured(
      guarded(
        '<equality><subterm><finiteintrangeconstant value="4"><finiteintrange start="1" end="3"/></finiteintrangeconstant></subterm></equality>',
      ),
    ),
    /PNML015/,
  ],
  [
    'a value outside its range',
    coloured(
      guarded(
        `<equality>${sub('<finiteintrangeconstant value="4"><usersort declaration="r"/></finiteintrangeconstant>', X)}</equality>`,
      ),
    ),
    /PNML007 "4" is not in the range 1 … 3/,
  ],
  [
    'a range that is empty',
    coloured([sort('<finiteintrange start="3" end="1"/>')]),
    /PNML007 <finiteintrange> is empty/,
  ],
  [
    'a marking with a variable',
    coloured([marked(X)]),
    /PNML017 an initial marking must not have variables, but uses "x"/,
  ],
  [
    'a marking that takes away too much',
    coloured([marked(`<subtract>${sub(A, '<useroperator declaration="b"/>')}</subtract>`)]),
    /PNML017 an initial marking subtracts/,
  ],
  [
    'very many colours',
    coloured([
      marked(`<all><productsort>${'<finiteintrange start="1" end="1000000"/>'.repeat(2)}</productsort></all>`),
    ]),
    /PNML018 represents 1000000000000 colours/,
  ],
  [
    'very wide products',
    coloured(
      [],
      Array.from(
        { length: 40 },
        (_, k) =>
          `<namedsort id="w${k}" name="W${k}"><productsort>${`<usersort declaration="${k === 0 ? 's' : `w${k - 1}`}"/>`.repeat(2)}</productsort></namedsort>`,
      ).join(''),
    ),
    /PNML018 the product has 512 nested parts/,
  ],
  [
    'operators that grow',
    coloured(
      guarded('<useroperator declaration="o30"/>'),
      `<namedoperator id="o0" name="o"><parameter/><def><booleanconstant value="true"/></def></namedoperator>${Array.from({ length: 30 }, (_, k) => `<namedoperator id="o${k + 1}" name="o"><parameter/><def><and>${sub(`<useroperator declaration="o${k}"/>`, `<useroperator declaration="o${k}"/>`)}</and></def></namedoperator>`).join('')}`,
    ),
    /PNML018 yields more than/,
  ],
  ['a place without a type', coloured(['<place id="p"/>']), /^n\.pnml:2:1: PNML019 place "p" has no <type>/],
  ['an arc without an inscription', coloured([P, T, '<arc id="a" source="p" target="t"/>']), /^n\.pnml:4:1: PNML019/],
  [
    'an inscription that is a text only',
    coloured([P, T, '<arc id="a" source="p" target="t"><hlinscription><text>x</text></hlinscription></arc>']),
    /PNML019 <hlinscription> has only <text>/,
  ],
  [
    'an arc that is transported',
    pt(p, T, '<arc id="a" source="p" target="t"><type value="transport"/></arc>'),
    /^n\.pnml:4:35: PNML020 an arc of kind "transport"/,
  ],
  [
    'an inhibitor of several terms',
    coloured([P, T, from(`<add>${sub(X, A)}</add>`).replace('<hlin', '<type value="inhibitor"/><hlin')]),
    /PNML020 an arc of kind "inhibit" must have exactly one term/,
  ],
  [
    'names that JavaScript keeps for itself',
    coloured([
      P,
      '<transition id="toString"/>',
      '<transition id="t"/>',
      `<place id="q"><type><structure><usersort declaration="s"/></structure></type><capacity><text>1</text></capacity><hlinitialMarking><structure><numberof>${sub('<numberconstant value="2"/>', A)}</numberof></structure></hlinitialMarking></place>`,
    ]),
    /^n\.pnml:5:1: NET032 place q/,
  ],
];

const SLOW: readonly string[] = ['operators that grow', 'a million elements in one another'];

function problemsOf(input: PnmlInput): readonly string[] {
  try {
    readPnml(input, 'n.pnml');
  } catch (e) {
    if (!(e instanceof InputError)) throw e;
    for (const { place } of e.problems)
      expect(place).toMatchObject({ file: 'n.pnml', line: expect.any(Number), column: expect.any(Number) });
    return e.message.split('\n');
  }
  return [];
}

describe('faults are reported with their place', () => {
  test.each(CASES)('a fault in PNML is reported with its place: %s', (_, input, problem) => {
    expect(problemsOf(input)).toContainEqual(expect.stringMatching(problem));
  });
});

test('every code has a case that provokes it', () => {
  const provoked = CASES.filter(([what]) => !SLOW.includes(what))
    .flatMap(([, input]) => problemsOf(input))
    .join('\n');
  for (const { code } of codesOf('pnml')) expect(provoked).toContain(` ${code} `);
});

test('all problems are reported, up to a hundred', () => {
  const places = Array.from({ length: 300 }, () => '<place/>');
  expect(problemsOf(pt(...places.slice(0, 50)))).toHaveLength(50);
  const many = problemsOf(pt(...places));
  expect(many).toHaveLength(101);
  expect(many.at(-1)).toMatch(/reading ended after 100 problems/);
});

test('a large document is refused before it is read', () => {
  const input = (function* () {
    for (;;) yield pt(p).repeat(1000);
  })();
  expect(() => readPnml(input, 'n.pnml', { bytes: 1e6 })).toThrow(/PNML00[12]/);
});

describe('forms in use', () => {
  const net = (input: PnmlInput): PnmlNet => readPnml(input, 'n.pnml');
  const simple = pt(
    '<place id="ä"><name><value>P</value></name><initialMarking><value> 2 </value></initialMarking></place>',
  );
  const withHead = (encoding: string): string => `<?xml version="1.0" encoding="${encoding}"?>${simple}`;
  const bigEndian = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16();

  test.each([
    ['a text', simple],
    ['UTF-8', Buffer.from(withHead('UTF-8'))],
    ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${withHead('utf-8')}`)],
    ['UTF-16, little end first', Buffer.from(`\ufeff${withHead('UTF-16')}`, 'utf16le')],
    ['UTF-16, big end first', bigEndian(`\ufeff${withHead('UTF-16')}`)],
    ['UTF-16 without a mark', bigEndian(withHead('UTF-16BE'))],
    ['ISO-8859-1', Buffer.from(withHead('ISO-8859-1'), 'latin1')],
    ['bytes one by one', [...Buffer.from(withHead('UTF-8'))].map((b) => Uint8Array.of(b))],
    ['a prefix', simple.replace(/<(\/?)([a-z])/gi, '<$1pnml:$2')],
  ] as const)('PNML is read: %s', (_, input) => {
    const { net: read, titles } = net(input);
    expect(read.places).toEqual([
      { name: 'ä', fields: [], order: 'bag', key: [], initial: [{ values: [], count: 2 }] },
    ]);
    expect(titles.places.get('ä')).toBe('P');
  });

  test('pages, references, graphics and parts of tools', () => {
    const { net: read, warnings } = net(
      pt(
        '<name><text>top</text></name><graphics/><toolspecific tool="x" version="1"><anything><place/></anything></toolspecific>',
        '<place id="p"><graphics><position x="1" y="2"/></graphics></place>',
        '<page id="inner"><referencePlace id="r" ref="r2"/><referencePlace id="r2" ref="p"/><transition id="t"/>',
        '<arc id="a" source="r" target="t"><graphics/></arc><arc id="b" source="p" target="t"/></page>',
      ),
    );
    expect(warnings).toEqual([]);
    expect(read.transitions).toEqual([
      { name: 't', inputs: [{ kind: 'take', place: 'p', pattern: {}, count: 2 }], outputs: [] },
    ]);
  });

  test.each([
    [
      '<arc id="a" source="p" target="t"><type value="inhibitor"/><inscription><text>3</text></inscription></arc>',
      'inhibit',
      3,
    ],
    ['<arc id="a" source="p" target="t" type="inhibitor"/>', 'inhibit', 1],
    ['<arc id="a" source="p" target="t"><arctype><text>inhibitor</text></arctype></arc>', 'inhibit', 1],
    ['<arc id="a" source="p" target="t"><type value="test"/></arc>', 'read', 1],
    ['<arc id="a" source="p" target="t"><type value="reset"/></arc>', 'reset', 1],
    ['<arc id="a" source="p" target="t"><type value="normal"/></arc>', 'take', 1],
  ])('a special arc is read: %s', (arc, kind, count) => {
    const { net: read } = net(pt(p, T, arc));
    expect(read.transitions[0]!.inputs).toEqual([{ kind, place: 'p', pattern: {}, count }]);
  });

  test('inputs of count 0', () => {
    const arcs = [
      '<arc id="a" source="t" target="p"/>',
      '<arc id="b" source="p" target="t"><type value="inhibitor"/><inscription><text>3</text></inscription></arc>',
      '<arc id="c" source="p" target="u"/>',
    ];
    const { net: read, warnings } = net(pt(p, T, '<transition id="u"/>', ...arcs));
    for (const t of read.transitions) expect(t).toMatchObject({ delay: { op: 'const', value: 1 }, timing: 'race' });
    expect(warnings).toEqual([expect.stringMatching(/^transition "t" takes no token/)]);
    // 0 to 3 tokens; each step adds or removes one.
    const { states, edges, complete } = explore(read);
    expect({ states, edges, complete }).toEqual({ states: 4, edges: 6, complete: true });
  });

  test('many tokens from several arcs', () => {
    const brought = '<arc id="b" source="t" target="p"><inscription><text>2500000</text></inscription></arc>';
    const { net: read } = net(pt(p, T, '<arc id="a" source="p" target="t"/>', brought));
    expect(read.transitions[0]!.outputs.map((a) => a.count)).toEqual(
      [1e6, 1e6, 5e5].map((value) => ({ op: 'const', value })),
    );
  });

  test('hundreds of thousands of arcs', () => {
    const nodes = function* (): Generator<string> {
      yield pt().split('\n')[0]!;
      for (let k = 0; k < 5e4; k++)
        yield `<place id="p${k}"/><transition id="t${k}"/><arc id="a${k}" source="p${k}" target="t${k}"/><arc id="b${k}" source="t${k}" target="p${(7 * k) % 5e4}"/>\n`;
      yield '</page></net></pnml>';
    };
    const read = net(nodes());
    expect([read.net.places.length, read.net.transitions.length, read.arcs]).toEqual([5e4, 5e4, 1e5]);
  }, 60_000);
});
