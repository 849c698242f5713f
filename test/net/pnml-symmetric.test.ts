import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { InputError } from '../../src/base/problem.ts';
import { netToJson } from '../../src/net/json/json.ts';
import type { Net } from '../../src/net/net.ts';
import { readPnml } from '../../src/net/pnml/pnml-read.ts';
import { writePnml } from '../../src/net/pnml/pnml-write.ts';
import { unfold } from '../../src/net/unfold/unfold.ts';
import { validate } from '../../src/net/validation/validate.ts';
import { atFullEffort, effort } from '../effort.ts';
import { symmetricNet } from './symmetric-net.ts';
import { explore, type Space } from './untimed-explorer.ts';

const runs = effort(100);
const manageable = symmetricNet.filter((net) => net.bindings <= 1000);

/** State space of the unfolded net, with the transition names of the folded one. */
function behaviour(net: Net): Space {
  const space = explore(unfold(net), 2, 40);
  return new Map(
    [...space].map(([marking, firings]) => [marking, firings.map((f) => f.replace(/\[[^→]*\] →/, ' →')).sort()]),
  );
}

/** Reads a valid net; it may be rejected only if a difference leads to too large an expression. */
function read(xml: string): Net | undefined {
  try {
    return readPnml(xml, 'random.pnml').net;
  } catch (e) {
    expect((e as InputError).problems.map((p) => p.code)).toEqual(['PNML018']);
    return undefined;
  }
}

test('a symmetric net has the bindings of its terms', () => {
  let firings = 0;
  let nets = 0;
  fc.assert(
    fc.property(manageable, ({ xml, explore: wanted }) => {
      const net = read(xml);
      fc.pre(net !== undefined);
      nets++;
      expect(validate(net)).toEqual([]);
      const space = wanted(2, 40);
      expect(behaviour(net)).toEqual(space);
      for (const from of space.values()) firings += from.length;
    }),
    { numRuns: runs },
  );
  expect(nets).toBeGreaterThan(atFullEffort(0.95 * runs));
  expect(firings).toBeGreaterThan(atFullEffort(10 * runs));
});

test('a symmetric net is written as it was read', () => {
  let folded = 0;
  fc.assert(
    fc.property(manageable, ({ xml }) => {
      const net = read(xml);
      fc.pre(net !== undefined);
      const written = writePnml(net);
      expect(netToJson(readPnml(written.text, 'written.pnml').net)).toBe(netToJson(written.net));
      if (written.net === net) folded++;
    }),
    { numRuns: runs },
  );
  // The others contain differences of terms with variables, which cannot be expanded over a colour set.
  expect(folded).toBeGreaterThan(atFullEffort(0.3 * runs));
});

test('a tuple of a difference has the tokens that the difference leaves', () => {
  const term = (name: string, ...parts: string[]): string =>
    `<${name}>${parts.map((p) => `<subterm>${p}</subterm>`).join('')}</${name}>`;
  const x = '<variable refvariable="x"/>';
  const all = '<all><usersort declaration="C"/></all>';
  const label = (name: string, of: string): string => `<${name}><structure>${of}</structure></${name}>`;
  const { net } = readPnml(
    `<pnml><net id="n" type="http://www.pnml.org/version-2009/grammar/symmetricnet"><page id="g">
<place id="p">${label('type', '<usersort declaration="C"/>')}${label('hlinitialMarking', '<useroperator declaration="b"/>')}</place>
<place id="q">${label('type', '<usersort declaration="CC"/>')}</place><transition id="t"/>
<arc id="in" source="p" target="t">${label('hlinscription', x)}</arc>
<arc id="out" source="t" target="q">${label('hlinscription', term('tuple', term('subtract', all, x), x))}</arc></page>
<declaration><structure><declarations><variabledecl id="x" name="x"><usersort declaration="C"/></variabledecl>
<namedsort id="C" name="C"><cyclicenumeration><feconstant id="a" name="a"/><feconstant id="b" name="b"/><feconstant id="c" name="c"/></cyclicenumeration></namedsort>
<namedsort id="CC" name="CC"><productsort><usersort declaration="C"/><usersort declaration="C"/></productsort></namedsort>
</declarations></structure></declaration></net></pnml>`,
    'tuple.pnml',
  );
  expect([...behaviour(net)]).toEqual([
    ['p[b]:1', ['t → q[a,b]:1 q[c,b]:1']],
    ['q[a,b]:1 q[c,b]:1', []],
  ]);
});
