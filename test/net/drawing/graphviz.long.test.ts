import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { graphviz } from '../../../src/commands/drawing/graphviz.ts';
import { netDrawing } from '../../../src/commands/drawing/net-drawing.ts';
import { readNetFile } from '../../../src/commands/inputs/net-file.ts';
import { type At, crossings, polyline } from '../../../src/net/drawing/crossings.ts';
import { netToDot } from '../../../src/net/drawing/dot.ts';
import { drawingOf } from '../../../src/net/drawing/svg.ts';
import { ALL_EVIDENCE } from '../../effort.ts';
import { contestFile, contestNets } from '../../references.ts';
import { arcLines } from './arc-lines.ts';
import { crossedTexts, overlappingTexts } from './labels.ts';

const HAS_DOT = spawnSync('dot', ['-V']).status === 0;
const nets = contestNets();

/** Seconds in which dot of Graphviz lays out the nets that are compared. */
const SECONDS = 20;
/** Nets with more arcs are compared with FORETOKEN_EVIDENCE=1 only: they take minutes. */
const FEW = 120;
/** Nets whose texts are compared with FORETOKEN_EVIDENCE=1: a comparison takes the product of texts and lines. */
const SOME = 700;

/** Drawings by file: both tests need them. */
const drawings = new Map<string, string>();
function svgOf(file: string): string {
  const known = drawings.get(file) ?? drawingOf(readNetFile(contestFile(file)).net, graphviz(120), { limit: 2000 }).svg;
  drawings.set(file, known);
  return known;
}

/** The curves that Graphviz itself draws; undefined if it takes too long. */
function dotLines(text: string): At[][] | undefined {
  const { status, stdout } = spawnSync('dot', ['-Tjson0'], {
    input: text,
    timeout: SECONDS * 1000,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  if (status !== 0) return undefined;
  const { edges = [] } = JSON.parse(stdout) as { readonly edges?: readonly { readonly pos: string }[] };
  return edges.map(({ pos }) => {
    const points = pos.split(' ').filter((part) => !/^[es],/.test(part));
    return polyline(points.map((part) => part.split(',').map(Number) as unknown as At));
  });
}

describe.skipIf(!HAS_DOT || nets.length === 0)('drawings of the contest nets', () => {
  it('have at most a tenth more crossings than those of dot', () => {
    let compared = 0;
    const all: string[] = [];
    for (const { file, arcs } of nets) {
      if (!ALL_EVIDENCE && arcs > FEW) continue;
      const lines = dotLines(netToDot(readNetFile(contestFile(file)).net));
      if (lines === undefined) continue;
      const wanted = crossings(lines);
      const own = crossings(arcLines(svgOf(file)));
      all.push(`${file}: ${own}, dot ${wanted}`);
      if (own > 1.1 * wanted) all.push(`more crossings: ${file}`);
      compared++;
    }
    expect(
      all
        .filter((line) => line.startsWith('more'))
        .map((line) => line.slice('more crossings: '.length))
        .sort(),
    ).toEqual([]);
    expect(compared).toBeGreaterThan(15);
  });

  it('have texts that neither arcs nor shapes nor other texts cross', () => {
    let texts = 0;
    const found: string[] = [];
    for (const { file, arcs } of nets) {
      if (arcs > (ALL_EVIDENCE ? SOME : FEW)) continue;
      if (arcs > FEW && dotLines(netToDot(readNetFile(contestFile(file)).net)) === undefined) continue;
      // Also as `convert` draws it, at the positions of its file.
      const { net, positions } = readNetFile(contestFile(file));
      for (const svg of [
        svgOf(file),
        ...(positions === undefined || arcs > FEW ? [] : [netDrawing(net, positions, 120).drawing.svg]),
      ]) {
        texts += [...svg.matchAll(/<text class="(?:name|detail|inscription)"/g)].length;
        found.push(...crossedTexts(svg).map(({ text }) => `${file}: an arc through ${text}`));
        found.push(...overlappingTexts(svg).map((pair) => `${file}: ${pair}`));
      }
    }
    expect(texts).toBeGreaterThan(500);
    expect(found).toEqual([]);
  }, 900_000);
});
