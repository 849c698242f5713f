import * as dagre from '@dagrejs/dagre';
import * as fc from 'fast-check';
import { SaxesParser } from 'saxes';
import { describe, expect, test } from 'vitest';
import { NetBuilder } from '../../src/net/builder/builder.ts';
import { netToSvg } from '../../src/net/drawing/svg.ts';
import { contentOf } from '../../src/net/drawing/svg-content.ts';
import { type Box, layoutOf } from '../../src/net/drawing/svg-layout.ts';
import type { Net } from '../../src/net/net.ts';
import { effort } from '../effort.ts';
import { arbitraryNet } from '../engine/random-net.ts';
import { philosophers } from './contest-nets.ts';
import { reordered } from './reordered.ts';
import { smallNet } from './small-net.ts';

interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Element[];
  text: string;
}

/** The root of a document; throws if it is not well-formed. */
function parsed(svg: string): Element {
  const root: Element = { name: '', attributes: {}, children: [], text: '' };
  const open = [root];
  const parser = new SaxesParser();
  parser.on('error', (e) => {
    throw e;
  });
  parser.on('opentag', ({ name, attributes }) => {
    const element: Element = { name, attributes: attributes as Record<string, string>, children: [], text: '' };
    open.at(-1)!.children.push(element);
    open.push(element);
  });
  parser.on('text', (text) => {
    open.at(-1)!.text += text;
  });
  parser.on('closetag', () => open.pop());
  parser.write(svg).close();
  return root.children[0]!;
}

const all = (e: Element): Element[] => [e, ...e.children.flatMap(all)];
const ofClass = (root: Element, name: string): Element[] =>
  all(root).filter((e) => e.attributes['class']?.split(' ').includes(name) === true && e.name === 'g');
const titleOf = (e: Element): string => e.children.find((c) => c.name === 'title')!.text;

/** Assigns every place and transition to one of two modules, to both, or to none. */
const withModules = (net: Net): Net => {
  const some = <T extends { readonly name: string }>(item: T, k: number): T => ({
    ...item,
    modules: [[], ['left'], ['right'], ['left', 'right']][k % 4]!,
  });
  return { ...net, places: net.places.map(some), transitions: net.transitions.map((t, k) => some(t, k + 1)) };
};

test('the bytes do not depend on the order of declaration', async () => {
  await fc.assert(
    fc.asyncProperty(arbitraryNet, fc.nat({ max: 20 }), async (net, turn) => {
      const svg = await netToSvg(withModules(net));
      expect(await netToSvg(withModules(net))).toBe(svg);
      const byName = new Map([...withModules(net).places, ...withModules(net).transitions].map((x) => [x.name, x]));
      const turned = reordered(net, turn);
      const same = <T extends { readonly name: string }>(x: T): T => ({ ...x, modules: byName.get(x.name)!.modules });
      const other = { ...turned, places: turned.places.map(same), transitions: turned.transitions.map(same) };
      expect(await netToSvg(other as Net)).toBe(svg);
    }),
    { numRuns: effort(30) },
  );
});

test('every node and every arc is drawn with its label', async () => {
  await fc.assert(
    fc.asyncProperty(arbitraryNet, async (net) => {
      const root = parsed(await netToSvg(net));
      const names = (kind: 'place' | 'transition'): string[] =>
        ofClass(root, kind).map((e) => titleOf(e).split(' · ')[0]!);
      expect(names('place').sort()).toEqual(net.places.map((p) => `place ${p.name}`).sort());
      expect(names('transition').sort()).toEqual(net.transitions.map((t) => `transition ${t.name}`).sort());
      const arcs = net.transitions.flatMap((t) => [
        ...t.inputs.map((a) => `${a.kind}: ${a.place} → ${t.name}`),
        ...t.outputs.map((a) => `put: ${t.name} → ${a.place}`),
      ]);
      const drawn = ofClass(root, 'arc').map((e) => titleOf(e).split(' · ')[0]!);
      expect(drawn.sort()).toEqual([...new Set(arcs)].sort());
      for (const e of all(root))
        for (const value of Object.values(e.attributes)) expect(value).not.toMatch(/NaN|undefined|Infinity/);
    }),
    { numRuns: effort(100) },
  );
});

describe('layout', () => {
  const apart = (a: Box, b: Box): boolean =>
    Math.abs(a.x - b.x) >= (a.width + b.width) / 2 - 0.01 || Math.abs(a.y - b.y) >= (a.height + b.height) / 2 - 0.01;

  test('nodes do not overlap and lie within the drawing', () => {
    fc.assert(
      fc.property(arbitraryNet, fc.boolean(), (net, modules) => {
        const layout = layoutOf(contentOf(modules ? withModules(net) : net), dagre);
        layout.nodes.forEach((a, k) => {
          for (const b of layout.nodes.slice(k + 1))
            expect([a.name, b.name, apart(a.box, b.box)]).toEqual([a.name, b.name, true]);
          expect(a.box.x - a.box.width / 2).toBeGreaterThanOrEqual(0);
          expect(a.box.y + a.box.height / 2).toBeLessThanOrEqual(layout.height);
        });
        for (const arc of layout.arcs) expect(arc.bends.length).toBeGreaterThan(0);
      }),
      { numRuns: effort(200) },
    );
  });

  test('the box of a module holds its nodes', () => {
    fc.assert(
      fc.property(arbitraryNet, (net) => {
        const layout = layoutOf(contentOf(withModules(net)), dagre);
        for (const { name, box } of layout.modules)
          for (const n of layout.nodes) {
            if (n.module !== name) continue;
            expect(Math.abs(n.box.x - box.x)).toBeLessThanOrEqual((box.width - n.box.width) / 2 + 0.01);
            expect(Math.abs(n.box.y - box.y)).toBeLessThanOrEqual((box.height - n.box.height) / 2 + 0.01);
          }
      }),
      { numRuns: effort(100) },
    );
  });
});

test('a small net', async () => {
  expect(await netToSvg(smallNet())).toMatchSnapshot();
});

/** A net with one place and one transition of each appearance. */
function looks(): Net {
  const n = new NetBuilder('looks');
  const [a, b, c] = [
    n.place('a', {}, { initial: 4 }),
    n.place('b', {}, { initial: 12345 }),
    n.place('c', {}, { kind: 'resource', capacity: 7 }),
  ];
  n.transition('instant', (t) => {
    t.take(a, {}, 3);
    t.inhibit(b);
    t.reset(c);
    t.read(c);
    t.put(c, {});
  });
  n.transition('lasting', (t) => {
    t.take(a);
    t.take(b);
    t.delay(2);
    t.priority(3);
  });
  n.transition('racing', (t) => {
    t.take(c);
    t.race({ delay: 5, servers: 'single' });
  });
  return n.build();
}

test('tokens, transitions and arcs have their usual shapes', async () => {
  const root = parsed(await netToSvg(looks()));
  const shapes = (e: Element): string[] => e.children.map((c) => c.name).filter((name) => name !== 'title');
  const node = (name: string): Element =>
    [...ofClass(root, 'place'), ...ofClass(root, 'transition')].find((e) =>
      titleOf(e).split(' · ')[0]!.endsWith(name),
    )!;
  const texts = (e: Element): string[] => e.children.filter((c) => c.name === 'text').map((c) => c.text);
  expect(shapes(node('place a'))).toEqual(['ellipse', 'circle', 'circle', 'circle', 'circle', 'text']);
  expect(texts(node('place b'))).toEqual(['12345', 'b']);
  expect([texts(node('place c')), node('place c').attributes['class']]).toEqual([['c', 'at most 7'], 'place resource']);
  expect(node('instant').attributes['class']).toBe('transition bar');
  expect([texts(node('lasting')), node('lasting').attributes['class']]).toEqual([
    ['lasting', '2 s', 'priority 3'],
    'transition box',
  ]);
  expect(texts(node('racing'))).toEqual(['racing', 'race 5 s', 'single server']);
  const heads = (kind: string): string[] => shapes(ofClass(root, kind)[0]!);
  expect([heads('take'), heads('put'), heads('inhibit'), heads('reset'), heads('read')]).toEqual([
    ['path', 'polygon'],
    ['path', 'polygon'],
    ['path', 'circle'],
    ['path', 'polygon', 'polygon'],
    ['path', 'polygon', 'polygon'],
  ]);
  const inscriptions = all(root).filter((e) => e.attributes['class'] === 'inscription');
  expect(inscriptions.map((e) => e.text)).toEqual(['3']);
});

test('arcs of one kind between two nodes are merged, with all inscriptions', async () => {
  const root = parsed(await netToSvg(philosophers(3)));
  const end = ofClass(root, 'put').find((e) => titleOf(e).startsWith('put: End → Fork'));
  expect(titleOf(end!)).toBe('put: End → Fork · ((x + 2) % 3) · (x)');
  const lines = all(root).filter((e) => e.attributes['class'] === 'inscription' && e.text === '+ (x)');
  expect(lines).toHaveLength(1);
});

describe('untrusted names', () => {
  const NASTY = [
    '<script>alert(1)</script>',
    '"><image href="http://x.test/"/>',
    "' onload='alert(1)",
    ']]>',
    '&lt;&#0;',
    '\u0000\u0007',
    '\u202eevil',
    '\ud800',
    '\uffff',
    '--><!--',
    '}</style><style>*{display:none}',
    'é ∑ 名前 🙂',
  ];
  const nasty = (): Net => {
    const n = new NetBuilder(NASTY[0]!);
    const places = NASTY.map((name) => n.place(name, {}));
    NASTY.forEach((name, k) => {
      n.transition(name, (t) => {
        t.take(places[k]!);
        t.put(places[(k + 1) % NASTY.length]!, {});
      });
    });
    const net = n.build();
    return { ...net, places: net.places.map((p, k) => ({ ...p, modules: [NASTY[k]!], owner: NASTY[k]! })) };
  };

  test('are only text: no code runs, nothing is loaded, the document is well-formed', async () => {
    const svg = await netToSvg(nasty());
    const root = parsed(svg);
    const elements = all(root);
    expect(new Set(elements.map((e) => e.name))).toEqual(
      new Set(['svg', 'title', 'style', 'rect', 'g', 'path', 'polygon', 'ellipse', 'text']),
    );
    for (const e of elements)
      for (const [name, value] of Object.entries(e.attributes)) {
        expect(name).not.toMatch(/^on|href|^style$/i);
        if (name !== 'xmlns' && name !== 'aria-label') expect(value).not.toMatch(/url\(|javascript:|http/i);
      }
    expect(elements.filter((e) => e.name === 'style')).toHaveLength(1);
    expect(elements.find((e) => e.name === 'style')!.text).not.toMatch(/url\(|@import|http/);
    expect(titleOf(root)).toBe('Petri net <script>alert(1)</script>: 12 places, 12 transitions');
    const texts = elements.filter((e) => e.name === 'text').map((e) => e.text);
    expect(texts).toContain('é ∑ 名前 🙂');
    expect(texts).toContain('\\u{202e}evil');
    expect(texts).toContain('\\u{0}\\u{7}');
    expect(texts).toContain('\\u{d800}');
  });
});

describe('SVG001', () => {
  const chain = (length: number, width = 1): Net => {
    const n = new NetBuilder('chain');
    const places = Array.from({ length }, (_, k) => n.place(`p${k}`, {}));
    for (let k = 0; k + 1 < length; k++)
      n.transition(`t${k}`, (t) => {
        for (let w = 0; w < width; w++) t.take(places[k]!);
        t.put(places[k + 1]!, {});
      });
    return n.build();
  };

  test('too many nodes: the number and a remedy', async () => {
    await expect(netToSvg(chain(151))).rejects.toThrow(/^SVG001 net chain: has 301 nodes .* at most 300 nodes .*\.dot/);
    await expect(netToSvg(chain(150))).resolves.toMatch(/<\/svg>\n$/);
    await expect(netToSvg(chain(10), { limit: 18 })).rejects.toThrow(/SVG001/);
  });

  test('too many arcs', async () => {
    await expect(netToSvg(chain(10, 9), { limit: 20 })).rejects.toThrow(/has 19 nodes and 90 arcs/);
  });

  test('an empty net is an empty drawing', async () => {
    const root = parsed(await netToSvg(new NetBuilder('nothing').build()));
    expect(ofClass(root, 'place')).toEqual([]);
    expect(Number(root.attributes['width'])).toBeGreaterThan(0);
  });
});
