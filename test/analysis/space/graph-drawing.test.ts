import * as dagre from '@dagrejs/dagre';
import * as fc from 'fast-check';
import { SaxesParser } from 'saxes';
import { describe, expect, test } from 'vitest';
import { components } from '../../../src/analysis/petri/components.ts';
import { type GraphContent, graphContent } from '../../../src/analysis/space/drawing/graph-content.ts';
import { graphDot } from '../../../src/analysis/space/drawing/graph-dot.ts';
import { graphHtml } from '../../../src/analysis/space/drawing/graph-html.ts';
import { graphLayout } from '../../../src/analysis/space/drawing/graph-layout.ts';
import { graphSvg } from '../../../src/analysis/space/drawing/graph-svg.ts';
import { explore } from '../../../src/analysis/space/explore.ts';
import type { StateSpace } from '../../../src/analysis/space/state-space.ts';
import { NetBuilder } from '../../../src/net/builder/builder.ts';
import type { Box } from '../../../src/net/drawing/svg-layout.ts';
import { effort } from '../../effort.ts';
import { philosophers } from '../../net/contest-nets.ts';
import { tables, truncated } from './random-table.ts';
import { buffer } from './small-nets.ts';
import { tableSpace } from './table-space.ts';

function contentOf(space: StateSpace): GraphContent {
  const graph = space.complete ? space.graph() : undefined;
  return graphContent(space, graph === undefined ? undefined : components(graph), undefined, 300);
}

/** The elements of a document with their attributes, by name; throws if it is not well formed. */
function parsed(svg: string): { readonly name: string; readonly attributes: Readonly<Record<string, string>> }[] {
  const found: { name: string; attributes: Record<string, string> }[] = [];
  const parser = new SaxesParser();
  parser.on('error', (e) => {
    throw e;
  });
  parser.on('opentag', ({ name, attributes }) => {
    found.push({ name, attributes: attributes as Record<string, string> });
  });
  parser.write(svg).close();
  return found;
}

const apart = (a: Box, b: Box): boolean =>
  Math.abs(a.x - b.x) >= (a.width + b.width) / 2 - 0.01 || Math.abs(a.y - b.y) >= (a.height + b.height) / 2 - 0.01;

describe('a drawing of a state space', () => {
  test('shows every state and every connected pair, and is well formed', () => {
    fc.assert(
      fc.property(tables, fc.nat(), (table, seed) => {
        const part = seed % 3 === 0 ? truncated(table, seed % table.tokens.length) : table;
        const content = contentOf(tableSpace(part));
        const elements = parsed(graphSvg(content, dagre));
        const classes = elements.map((e) => e.attributes['class']?.split(' ') ?? []);
        const count = (name: string): number => classes.filter((c) => c.includes(name)).length;
        const pairs = new Set(
          part.firings.flatMap((row, s) => row.flatMap(([, to]) => (to < 0 ? [] : [`${s} ${to}`]))),
        );
        expect(count('state')).toBe(part.tokens.length);
        expect(count('initial')).toBe(1);
        expect(count('dead')).toBe(part.firings.filter((row) => row.length === 0).length);
        expect(count('edge')).toBe(pairs.size);
        for (const { attributes } of elements)
          for (const value of Object.values(attributes)) expect(value).not.toMatch(/NaN|undefined|Infinity/);
      }),
      { numRuns: effort(200) },
    );
  });

  test('has no overlapping states or labels, and all are within the page', () => {
    fc.assert(
      fc.property(tables, (table) => {
        const layout = graphLayout(contentOf(tableSpace(table)), dagre);
        const boxes = [...layout.states.map((s) => s.box), ...layout.edges.map((e) => e.label)];
        boxes.forEach((a, k) => {
          for (const b of boxes.slice(k + 1)) expect([a, b, apart(a, b)]).toEqual([a, b, true]);
          expect(a.x - a.width / 2).toBeGreaterThanOrEqual(0);
          expect(a.x + a.width / 2).toBeLessThanOrEqual(layout.width);
          expect(a.y + a.height / 2).toBeLessThanOrEqual(layout.height);
        });
      }),
      { numRuns: effort(200) },
    );
  });

  test('tints components and marks deadlocks', () => {
    const content = contentOf(explore(philosophers(3)));
    expect(content.states.filter((s) => s.component === 0)).toHaveLength(25);
    expect(content.states.filter((s) => s.dead && s.bottom && s.component === undefined)).toHaveLength(2);
    expect(content.states[0]!.lines).toEqual(['0', 'Think (0) (1) (2)', 'Fork (0) (1) (2)']);
    const dot = graphDot(content);
    expect(dot).toMatch(/^digraph "State space of philosophers: 27 states, 63 edges, complete" \{\n/);
    expect(dot.match(/ -> /g)).toHaveLength(63);
    expect(dot.match(/color="#c81e1e"/g)).toHaveLength(2);
  });

  test('marks states with unknown successors', () => {
    const content = contentOf(explore(buffer(100), { maxStates: 3 }));
    expect(content.states.at(-1)!.cut).toBe(1);
    expect(content.title).toContain('truncated');
    expect(parsed(graphSvg(content, dagre)).filter((e) => e.name === 'circle')).toHaveLength(3);
  });

  test('escapes names with markup or invisible characters', () => {
    const n = new NetBuilder('</script><script>alert(1)</script>');
    const p = n.place('<b>"&\u202e\n', {}, { initial: 1 });
    n.transition(`it's "</svg>\\`, (t) => t.take(p));
    const content = contentOf(explore(n.build()));
    const svg = graphSvg(content, dagre);
    expect(parsed(svg).some((e) => e.name === 'b')).toBe(false);
    expect(svg).not.toContain('\u202e');
    const page = graphHtml(content, [['<i>', '&']], dagre);
    expect(page).not.toMatch(/<b>|<i>|<script>alert/);
    expect(page.match(/<\/script>/g)).toHaveLength(1);
    expect(page).not.toMatch(/(?:src|href)=|url\(|@import/);
    expect(graphDot(content)).toContain(String.raw`label="\"it's \\\"</svg>\\\\\""`);
  });

  test('is deterministic', () => {
    const svg = (): string => graphSvg(contentOf(explore(philosophers(3))), dagre);
    expect(svg()).toBe(svg());
  });
});
