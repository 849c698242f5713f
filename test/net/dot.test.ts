import { spawnSync } from 'node:child_process';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NetBuilder } from '../../src/net/builder/builder.ts';
import { netToDot } from '../../src/net/drawing/dot.ts';
import type { Net } from '../../src/net/net.ts';
import { add } from '../../src/net/terms.ts';
import { effort } from '../effort.ts';
import { arbitraryNet } from '../engine/random-net.ts';
import { everyFeature, withFunction } from './every-feature.ts';
import { reordered } from './reordered.ts';
import { smallNet } from './small-net.ts';
import { writableNet } from './writable-net.ts';

const hasDot = spawnSync('dot', ['-V']).status === 0;

test('a small net', () => {
  expect(netToDot(smallNet())).toMatchSnapshot();
});

test('a net with every feature', () => {
  expect(netToDot(everyFeature())).toMatchSnapshot();
  expect(netToDot(withFunction())).toContain('\\nwear(3) s\\n');
});

test('the order of declaration does not matter', () => {
  for (let turn = 0; turn < 20; turn++)
    expect(netToDot(reordered(everyFeature(), turn))).toBe(netToDot(everyFeature()));
  fc.assert(
    fc.property(fc.oneof(arbitraryNet, writableNet), fc.nat({ max: 20 }), (net, turn) => {
      expect(netToDot(reordered(net, turn))).toBe(netToDot(net));
    }),
    { numRuns: effort(500) },
  );
});

const NASTY = [
  'a"b',
  'back\\slash',
  '\\N\\G',
  'two\nlines',
  '&lt;b&gt; && c',
  '<b>',
  'ends in \\',
  '{|}',
  '\u0000',
  'é ∑',
];

/** A net in which all names contain special characters. */
function nasty(): Net {
  const n = new NetBuilder(NASTY.join(' '));
  const I = n.range(NASTY[0]!, 0, 9);
  const places = NASTY.map((name) => n.place(name, { [name]: I }, { order: { fifo: [name] } }));
  NASTY.forEach((name, k) => {
    n.transition(name, (t) => {
      const token = t.take(places[k]!);
      t.put(places[(k + 1) % places.length]!, { [NASTY[(k + 1) % places.length]!]: token[name]! });
    });
  });
  const net = n.build();
  return {
    ...net,
    places: net.places.map((p) => ({ ...p, modules: [p.name] })),
    transitions: net.transitions.map((t) => ({ ...t, label: { name: t.name, exports: {} } })),
  };
}

test('arcs, services and modules are distinguishable', () => {
  const lines = netToDot(everyFeature()).split('\n');
  const count = (text: string): number => lines.filter((l) => l.includes(text)).length;
  expect(count('arrowhead=odot')).toBe(3);
  expect(count('style=dashed, arrowhead=none')).toBe(1);
  expect(count('arrowhead=normalnormal')).toBe(1);
  expect(count('peripheries=2')).toBe(7);
  expect(count('subgraph cluster_')).toBe(2);
  // Nodes shared by two modules are in neither cluster.
  const ends = lines.lastIndexOf('  }');
  const shared = lines.findIndex((l) => l.includes('of machine, shop'));
  expect(shared).toBeGreaterThan(ends);
});

test('long expressions are cut', () => {
  const n = new NetBuilder('long');
  const I = n.integer('I');
  const p = n.place('p', { i: I });
  n.transition('t', (t) => {
    const { i } = t.take(p);
    t.put(p, { i: Array.from({ length: 50 }).reduce<ReturnType<typeof add>>((e) => add(e, 1), i) });
  });
  for (const line of netToDot(n.build()).split('\n')) expect(line.length).toBeLessThan(90);
});

describe.skipIf(!hasDot)(`Graphviz${hasDot ? '' : ' (skipped: no dot on the path)'}`, () => {
  const draw = (net: Net): string => {
    const run = spawnSync('dot', ['-Tsvg'], { input: netToDot(net), encoding: 'utf8' });
    expect(run.stderr.replace(/.*(Pango|Fontconfig).*\n?/g, '')).toBe('');
    expect(run.status).toBe(0);
    return run.stdout;
  };

  test('draws the small net', () => {
    const svg = draw(smallNet());
    expect(svg.match(/<g id="node\d+"/g)).toHaveLength(8);
    expect(svg.match(/<g id="edge\d+"/g)).toHaveLength(10);
    expect(svg.match(/stroke-dasharray/g)!.length).toBe(1);
  });

  test('draws every feature', () => {
    const svg = draw(everyFeature());
    const { places, transitions } = everyFeature();
    expect(svg.match(/<g id="node\d+"/g)).toHaveLength(places.length + transitions.length);
    expect(svg.match(/<g id="clust\d+"/g)).toHaveLength(2);
    const arcs = transitions.reduce((n, t) => n + t.inputs.length + t.outputs.length, 0);
    expect(svg.match(/<g id="edge\d+"/g)).toHaveLength(arcs);
  });

  test('names are unchanged', () => {
    const svg = draw(nasty());
    const texts = [...svg.matchAll(/<text [^>]*>([^<]*)<\/text>/g)].map((m) =>
      m[1]!
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&quot;', '"')
        .replaceAll('&#45;', '-')
        .replaceAll('&#39;', "'")
        .replaceAll('&#160;', ' ')
        .replaceAll('&amp;', '&'),
    );
    for (const name of NASTY.filter((x) => !/[\n\0"\\]/.test(x)))
      expect(texts.some((t) => t === name || t === JSON.stringify(name))).toBe(true);
    expect(texts).toContain(JSON.stringify('a"b'));
    expect(texts).toContain(JSON.stringify('back\\slash'));
    expect(texts).toContain(JSON.stringify('two\nlines'));
  });

  test('draws random nets', () => {
    fc.assert(
      fc.property(arbitraryNet, (net) => {
        draw(net);
      }),
      { numRuns: 10 },
    );
  });
});
