import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { simulate } from '../../src/analysis/simulate.ts';
import { explore } from '../../src/analysis/space/explore.ts';
import { netToDot } from '../../src/net/drawing/dot.ts';
import { netToSvg } from '../../src/net/drawing/svg.ts';
import { netFromJson, netToJson } from '../../src/net/json/json.ts';
import { merge } from '../../src/net/merge/merge.ts';
import { qualify } from '../../src/net/merge/rename.ts';
import type { Net } from '../../src/net/net.ts';
import { readPnml } from '../../src/net/pnml/pnml-read.ts';
import { writePnml } from '../../src/net/pnml/pnml-write.ts';
import { netToText } from '../../src/net/text/text.ts';
import { unfold } from '../../src/net/unfold/unfold.ts';
import { effort } from '../effort.ts';
import { canonical } from './merge-canonical.ts';

/** A random place/transition net without times: arcs as [place, transition, kind]. */
interface Untimed {
  readonly places: number;
  readonly transitions: number;
  readonly arcs: readonly (readonly [number, number, 'in' | 'out' | 'reset' | 'inhibitor'])[];
}

const untimed: fc.Arbitrary<Untimed> = fc.record({
  places: fc.integer({ min: 1, max: 6 }),
  transitions: fc.integer({ min: 1, max: 6 }),
  arcs: fc.array(fc.tuple(fc.nat(5), fc.nat(5), fc.constantFrom('in', 'out', 'reset', 'inhibitor')), { maxLength: 16 }),
});

function netOf({ places, transitions, arcs }: Untimed): Net {
  const ends = (p: number, t: number): string => `p${p % places}" target="t${t % transitions}`;
  const drawn = arcs.map(([p, t, kind], k) =>
    kind === 'out'
      ? `<arc id="a${k}" source="t${t % transitions}" target="p${p % places}"/>`
      : `<arc id="a${k}" source="${ends(p, t)}">${kind === 'in' ? '' : `<type value="${kind}"/>`}</arc>`,
  );
  const nodes = [
    ...Array.from(
      { length: places },
      (_, k) => `<place id="p${k}"><initialMarking><text>1</text></initialMarking></place>`,
    ),
    ...Array.from({ length: transitions }, (_, k) => `<transition id="t${k}"/>`),
  ];
  return readPnml(
    `<pnml><net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet">${nodes.join('')}${drawn.join('')}</net></pnml>`,
  ).net;
}

/** The net with its nodes named after it. */
const named = (net: Net, name: string): Net => qualify(net, name);
/** A label at the first transition, which the nets then fire together. */
const labelled = (net: Net): Net => ({
  ...net,
  transitions: net.transitions.map((t, k) => (k === 0 ? { ...t, label: { name: 'go', exports: {} } } : t)),
});
/** Whether all transitions are alike, so that none has precedence. */
const hasPrecedence = ({ transitions }: Net): boolean =>
  new Set(transitions.map((t) => t.delay === undefined)).size > 1;

describe('a merge of nets without times', () => {
  test('is a net without times, in every order and nesting', () => {
    let marked = 0;
    fc.assert(
      fc.property(untimed, untimed, untimed, (x, y, z) => {
        const [a, b, c] = [x, y, z].map((shape, k) => labelled(named(netOf(shape), `n${k}`))) as [Net, Net, Net];
        const all = merge([a, b, c]);
        const isMarked = [a, b, c].some((one) => one.untimed === true);
        const hasSource = all.transitions.some((t) => !t.inputs.some((arc) => arc.kind === 'take'));
        expect(all.untimed).toBe(hasSource ? true : undefined);
        expect(hasPrecedence(all)).toBe(false);
        if (isMarked) marked++;
        for (const other of [merge([merge([a, b]), c]), merge([a, merge([b, c])]), merge([c, a, b])])
          expect(canonical(other)).toBe(canonical(all));
        expect(netFromJson(netToJson(all))).toEqual(all);
      }),
      { numRuns: effort(200) },
    );
    expect(marked).toBeGreaterThan(0);
  });

  test('with a timed net, assumed delays are delays', () => {
    const source = netOf({ places: 1, transitions: 1, arcs: [[0, 0, 'out']] });
    const timed = named(netOf({ places: 1, transitions: 1, arcs: [[0, 0, 'in']] }), 'timed');
    const delayed = {
      ...timed,
      transitions: timed.transitions.map((t) => ({ ...t, delay: { op: 'const', value: 3 } as const })),
    };
    const both = merge([named(source, 'source'), delayed]);
    expect(both.untimed).toBeUndefined();
    expect(both.transitions.map((t) => t.delay)).toEqual([
      { op: 'const', value: 1 },
      { op: 'const', value: 3 },
    ]);
    expect(merge([named(source, 'source'), timed]).untimed).toBe(true);
  });
});

describe('a net without times', () => {
  test('drawings and files show no time, and are read as the same net', async () => {
    let sources = 0;
    await fc.assert(
      fc.asyncProperty(untimed, async (shape) => {
        const net = netOf(shape);
        if (net.untimed === true) sources++;
        for (const text of [netToJson(net), netToText(net), netToDot(net), await netToSvg(net), writePnml(net).text]) {
          expect(text).not.toMatch(/race|delay|penwidth|\b1 s\b|class="transition box"/);
        }
        expect(netFromJson(netToJson(net))).toEqual(net);
        expect(readPnml(writePnml(net).text).net).toEqual(net);
        expect(netToDot(unfold(net))).not.toContain('penwidth');
      }),
      { numRuns: effort(40) },
    );
    expect(sources).toBeGreaterThan(0);
  });

  const source = `<pnml><net id="n" type="http://www.pnml.org/version-2009/grammar/ptnet"><place id="p"/><transition id="t"/>
<transition id="u"/><arc id="a" source="t" target="p"/><arc id="b" source="p" target="u"/></net></pnml>`;

  test('a net that got times afterwards keeps them', async () => {
    const { net } = readPnml(source);
    expect(simulate(net, { until: 2 }).firings).toEqual({ t: 2, u: 1 });
    const timed: Net = {
      ...net,
      transitions: net.transitions.map((t) => ({ ...t, delay: { op: 'const' as const, value: 2 } })),
    };
    for (const text of [netToJson(timed), netToText(timed), netToDot(timed), await netToSvg(timed)])
      expect(text).toMatch(/race|penwidth/);
    const { untimed: _, ...written } = timed;
    expect(netFromJson(netToJson(timed))).toEqual(written);
    expect(readPnml(writePnml(timed).text).net).toEqual(written);
  });

  test('a file that is untimed and has a delay is refused at the transition', () => {
    const json = netToJson(readPnml(source).net);
    expect(() => netFromJson(json.replace('"name": "u",', '"name": "u", "delay": 2,'), 'n.json')).toThrow(
      /^n\.json:\d+:\d+: NET112 transition u: has a delay or timing in an untimed net: expected none$/,
    );
    expect(netFromJson(json.replace('"untimed": true', '"untimed": true')).untimed).toBe(true);
  });

  test('its states do not depend on the assumed delays', () => {
    const { net } = readPnml(
      source.replace('<place id="p"/>', '<place id="p"><capacity><text>3</text></capacity></place>'),
    );
    expect(explore(net).states).toBe(4);
  });
});

test('every arc of a drawing lies within it', async () => {
  await fc.assert(
    fc.asyncProperty(untimed, async (shape) => {
      const svg = await netToSvg(netOf(shape));
      const [x, y, width, height] = /viewBox="([^"]*)"/.exec(svg)![1]!.split(' ').map(Number) as number[];
      for (const [, path] of svg.matchAll(/<path d="([^"]*)"/g)) {
        const points = [...path!.matchAll(/(-?[\d.]+),(-?[\d.]+)/g)].map(([, a, b]) => [Number(a), Number(b)] as const);
        for (let k = 0; k + 3 < points.length; k += 3)
          for (let t = 0; t <= 1; t += 0.01) {
            const at = (i: 0 | 1): number => {
              const [a, b, c, d] = [0, 1, 2, 3].map((n) => points[k + n]![i]) as [number, number, number, number];
              return a * (1 - t) ** 3 + 3 * b * t * (1 - t) ** 2 + 3 * c * t * t * (1 - t) + d * t ** 3;
            };
            expect(at(0)).toBeGreaterThanOrEqual(x!);
            expect(at(0)).toBeLessThanOrEqual(x! + width!);
            expect(at(1)).toBeGreaterThanOrEqual(y!);
            expect(at(1)).toBeLessThanOrEqual(y! + height!);
          }
      }
    }),
    { numRuns: effort(40) },
  );
});
