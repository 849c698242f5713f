import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { explore } from '../../src/analysis/space/explore.ts';
import type { Transition } from '../../src/net/net.ts';
import { type PnmlNet, readPnml } from '../../src/net/pnml/pnml-read.ts';
import { effort } from '../effort.ts';

const pt = (elements: string): string =>
  `<pnml><net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="g">${elements}</page></net></pnml>`;

/** The attributes of each element, as its reader knows them. */
const BASE = {
  place: 'id="p"',
  transition: 'id="t"',
  arc: 'id="a" source="p" target="t"',
} as const;

/** A net of one place with two tokens, one transition and one arc, with more attributes at one element. */
function netWith(element: keyof typeof BASE, more: string): PnmlNet {
  const tag = (name: keyof typeof BASE): string => `<${name} ${BASE[name]}${name === element ? ` ${more}` : ''}`;
  return readPnml(
    pt(`${tag('place')}><initialMarking><text>2</text></initialMarking></place>${tag('transition')}/>${tag('arc')}/>`),
  );
}

const outcome = (run: () => PnmlNet): string => {
  try {
    const { net, warnings } = run();
    const { inputs } = net.transitions[0]!;
    return `${inputs[0]!.kind} ${inputs[0]!.count}${warnings.length > 0 ? `, ${warnings.length} warning` : ''}`;
  } catch (e) {
    return (e as Error).message.slice(0, 400);
  }
};

describe('attributes of other tools', () => {
  // TimedArcPetriNetNetworkWriter and PNMLWriter of TAPAAL, GenerateObjectList.xsl of PIPE, exporters of ProM and pm4py.
  test.each([
    ['place', 'positionX="1" positionY="2" nameOffsetX="0" nameOffsetY="0" displayName="true" name="P0"', 'take 1'],
    ['place', 'initialMarking="2" invariant="&lt; inf"', 'take 1'],
    ['place', 'initialMarking="0"', 'take 1'],
    ['place', 'invariant="&lt;= 5"', 'PNML021'],
    ['place', 'capacity="3" markingOffsetX="0" markingOffsetY="0"', 'take 1, 1 warning'],
    ['transition', 'angle="0" infiniteServer="false" priority="0" urgent="false" player="0" name="T"', 'take 1'],
    ['transition', 'urgent="true"', 'take 1'],
    ['transition', 'player="1"', 'take 1, 1 warning'],
    ['transition', 'distribution="constant" value="1.0"', 'PNML021'],
    ['transition', 'firingMode="Oldest"', 'PNML021'],
    ['transition', 'invisible="true"', 'take 1'],
    ['transition', 'guard="x &gt; 1"', 'take 1, 1 warning'],
    ['arc', 'weight="2"', 'take 2'],
    ['arc', 'weight="2" type="timed" inscription="[0,inf)" nameOffsetX="0" nameOffsetY="0"', 'take 2'],
    ['arc', 'weight="2" type="tapnInhibitor" inscription="[0,inf)"', 'inhibit 2, 1 warning'],
    ['arc', 'weight="2" type="normal" inscription="1"', 'take 2'],
    ['arc', 'type="normal" inscription="2"', 'take 2'],
    ['arc', 'type="timed" inscription="[1,2]"', 'PNML021'],
    ['arc', 'type="transport" inscription="[0,inf):1" transportID="1"', 'PNML020'],
    ['arc', 'weight="K"', 'PNML007'],
    ['arc', 'weight="0"', 'PNML007'],
    ['arc', 'weight=""', 'PNML007'],
    ['arc', 'tagged="false" inscriptionOffsetX="0" inscriptionOffsetY="0"', 'take 1'],
    ['arc', 'multiplicity="2"', 'PNML021'],
  ] as const)('<%s %s> is %s', (element, more, expected) => {
    const found = outcome(() => netWith(element, more));
    if (expected.startsWith('PNML')) expect(found).toContain(expected);
    else expect(found).toBe(expected);
  });

  test('a file of TAPAAL is read with its bound and queries ignored', () => {
    const { net, titles, warnings } = readPnml(`<pnml xmlns="http://www.informatik.hu-berlin.de/top/pnml/ptNetb">
<net active="true" id="A" type="P/T net"><labels border="true" height="9" positionX="0" positionY="0" width="9">note</labels>
<place displayName="true" id="P0" initialMarking="3" invariant="&lt; inf" name="start" nameOffsetX="0" nameOffsetY="0" positionX="0" positionY="0"/>
<place displayName="true" id="P1" initialMarking="0" invariant="&lt; inf" name="end" nameOffsetX="0" nameOffsetY="0" positionX="0" positionY="0"/>
<transition angle="0" displayName="true" id="T0" infiniteServer="false" name="go" nameOffsetX="0" nameOffsetY="0" player="0" positionX="0" positionY="0" priority="0" urgent="false"/>
<arc id="A0" inscription="[0,inf)" nameOffsetX="0" nameOffsetY="0" source="P0" target="T0" type="timed" weight="2"><arcpath arcPointType="false" id="0" xCoord="0" yCoord="0"/></arc>
<arc id="A1" inscription="1" nameOffsetX="0" nameOffsetY="0" source="T0" target="P1" type="normal" weight="4"/></net>
<query active="true" name="q"><formula/></query><k-bound bound="3"/><feature isColored="false" isGame="false" isTimed="false"/></pnml>`);
    expect([...titles.places.values()]).toEqual(['start', 'end']);
    expect(net.places[0]!.initial).toEqual([{ values: [], count: 3 }]);
    expect(net.transitions).toMatchObject([{ inputs: [{ count: 2 }], outputs: [{ count: { value: 4 } }] }]);
    expect(Object.keys(net.transitions[0]!)).toEqual(['name', 'inputs', 'outputs']);
    expect(warnings.map((w) => w.split(':')[0])).toEqual([
      'the net type "P/T net" is not in the standard',
      '<labels> is ignored',
      '<arcpath> is ignored',
      '<query>',
      '<k-bound>',
      '<feature>',
    ]);
  });

  test('an unknown attribute is refused, one of another name space is not examined', () => {
    const element = fc.constantFrom('place', 'transition', 'arc');
    const name = fc.stringMatching(/^[a-z]{1,10}$/);
    const known =
      /^(id|name|source|target|ref|type|weight|rate|timed|priority|urgent|player|guard|angle|tagged|invariant|capacity|inscription|invisible)$/;
    fc.assert(
      fc.property(element, name, fc.stringMatching(/^[a-z0-9]{0,5}$/), (element, name, value) => {
        fc.pre(!known.test(name));
        expect(outcome(() => netWith(element, `${name}="${value}"`))).toContain('PNML021');
        expect(outcome(() => netWith(element, `xmlns:x="urn:x" x:${name}="${value}"`))).toBe('take 1');
      }),
      { numRuns: effort(2000) },
    );
  });
});

describe('ids and empty labels', () => {
  test('arcs may share ids, have ids of nodes, or none', () => {
    const place = '<place id="p"><initialMarking><text>3</text></initialMarking></place><place id="q"/>';
    const { net, warnings } = readPnml(
      pt(
        `${place}<transition id="t"/><arc id="p" source="p" target="t"/><arc id="t" source="t" target="q"/><arc source="t" target="q"/>`,
      ),
    );
    expect(net.transitions[0]).toMatchObject({ inputs: [{ count: 1 }], outputs: [{ count: { value: 2 } }] });
    expect(warnings).toEqual([]);
    const twice = readPnml(pt(`${place}<transition id="t"/>${'<arc id="a" source="p" target="t"/>'.repeat(2)}`));
    expect(twice.net.transitions[0]).toMatchObject({ inputs: [{ count: 2 }] });
    expect(twice.warnings).toEqual(['the arc "a" from "p" to "t" occurs more than once: the weights are added']);
  });

  test.each(['<text/>', '<text> </text>', '', '<value/>', '<graphics/>'])(
    'an empty label %s is the default',
    (text) => {
      const { net } = readPnml(
        pt(
          `<place id="p"><initialMarking>${text}</initialMarking><capacity>${text}</capacity></place><transition id="t"/><arc id="a" source="p" target="t"><inscription>${text}</inscription></arc>`,
        ),
      );
      expect(net.places[0]).toEqual({ name: 'p', fields: [], order: 'bag', key: [], initial: [] });
      expect(net.transitions[0]!.inputs[0]!.count).toBe(1);
    },
  );
});

describe('subprocesses of WoPeD', () => {
  const arcs = (...list: readonly (readonly [string, string])[]): string =>
    list.map(([s, t]) => `<arc id="a" source="${s}" target="${t}"/>`).join('');
  /** A chain i → sub → o, where `sub` is a net of two steps, the second of which may again be a net. */
  const chain = (weight = '', inner = ''): string =>
    pt(`<place id="i"><initialMarking><text>1</text></initialMarking></place><place id="o"/><transition id="sub"/>
<arc id="a" source="i" target="sub"${weight}/><arc id="b" source="sub" target="o"/>
<page id="sub"><net><place id="o"/><place id="i"/><place id="m"/><transition id="s1"/><transition id="s2"/>
${arcs(['i', 's1'], ['s1', 'm'], ['m', 's2'], ['s2', 'o'])}${inner}</net></page>`);

  test('a subprocess replaces its transition', () => {
    const { net, warnings } = readPnml(chain());
    expect(net.places.map((p) => p.name)).toEqual(['i', 'o', 'm']);
    expect(net.transitions.map((t) => t.name)).toEqual(['s1', 's2']);
    expect(warnings).toEqual(['transition "sub" is replaced by the net of its page (a subprocess of WoPeD)']);
    const space = explore(net);
    expect([space.states, space.edges]).toEqual([3, 2]);
  });

  test('a subprocess in a subprocess', () => {
    const inner = `<page id="s2"><net><place id="m"/><place id="o"/><place id="k"/><transition id="x"/><transition id="y"/>${arcs(['m', 'x'], ['x', 'k'], ['k', 'y'], ['y', 'o'])}</net></page>`;
    const { net } = readPnml(chain('', inner));
    expect(net.transitions.map((t: Transition) => t.name)).toEqual(['s1', 'x', 'y']);
    expect(explore(net).states).toBe(4);
  });

  test.each([
    [
      chain().replace('<page id="sub">', '<page id="other">'),
      /PNML005 the net in page "other" is not a subprocess: expected one transition/,
    ],
    [chain(' weight="2"'), /PNML005 the net in page "sub" is not a subprocess: expected one arc of weight 1/],
    [chain().replace('<place id="o"/><place id="i"/>', '<place id="o"/>'), /it does not contain place "i"/],
    [chain().replace('<place id="m"/>', '<place id="m"/><place id="m"/>'), /PNML008 duplicate id "m"/],
  ])('another nested net is refused (%#)', (text, problem) => {
    expect(() => readPnml(text)).toThrow(problem);
  });
});
