import { DETAIL, LINE, NAME } from './svg-content.ts';
import { type ArcPath, samples } from './svg-curve.ts';
import type { Box, PlacedArc, PlacedNode, Point } from './svg-layout.ts';
import { widthOf } from './svg-text.ts';

/** Where texts are drawn so that arcs do not run through them. */
export interface PlacedTexts {
  /** Centres of the name and of the further lines of each node. */
  readonly nodes: readonly { readonly name: Point; readonly details: Point }[];
  /** Centres of the inscriptions, by arc. */
  readonly arcs: readonly Point[];
  /** The boxes of all texts. */
  readonly boxes: readonly Box[];
  /** Number of texts that an arc, a shape or another text crosses. */
  readonly crossed: number;
}

/** Distance of an inscription from its arc, and of a text from a line of another arc. */
const GAP = 3;
/** Places along an arc that are tried, as shares of its length: the middle first. */
const SHARES = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11].flatMap((k) => (k === 0 ? [0.5] : [0.5 - k / 25, 0.5 + k / 25]));
/** Further distances from an arc or a shape that are tried, in lines. */
const RINGS = [0, 1, 2, 3, 4, 5, 6];
/** Costs of a place: of each arc that crosses the text, of each shape and of each text that it covers, of 100 pixels of distance. */
const COST = { arc: 10, shape: 30, text: 15, far: 1 };
/** Passes in which texts that something crosses look for another place. */
const PASSES = 3;

/** A place of a text, and its cost if nothing is there. */
interface Candidate {
  readonly box: Box;
  readonly own: number;
}

/** Shown lines of an inscription: further ones are added to the first. */
export function inscriptionOf({ kind, lines }: Pick<PlacedArc, 'kind' | 'lines'>): string[] {
  const sum = kind === 'take' || kind === 'put' ? '+ ' : '';
  return lines.map((line, k) => (k === 0 ? line : `${sum}${line}`));
}

const widest = (lines: readonly string[], size: number): number =>
  lines.reduce((most, line) => Math.max(most, widthOf(line, size)), 0);

/** Half the height of a shape. */
const halfOf = ({ shape }: PlacedNode): number => (shape.kind === 'place' ? shape.ry : shape.height / 2);

/**
 * Places for the texts of a drawing: names above and further lines below their shapes, moved where arcs are; inscriptions beside their
 * arcs. Each takes the place with the lowest cost, one after the other; then
 * those that something crosses look again. About O(texts · places · lines near them).
 */
export function placedTexts(
  nodes: readonly PlacedNode[],
  arcs: readonly PlacedArc[],
  paths: readonly ArcPath[],
): PlacedTexts {
  const lines = paths.map(({ parts, heads }) => [
    ...parts.flatMap((part, k) => samples(part).slice(k === 0 ? 0 : 1)),
    ...heads.flatMap((head) => (head.kind === 'circle' ? [head.centre] : head.points.slice(0, 1))),
  ]);
  const near = new Near();
  for (const [arc, line] of lines.entries()) near.line(line, arc);
  for (const n of nodes) {
    const { shape, centre } = n;
    const width = shape.kind === 'place' ? 2 * shape.rx : shape.width;
    near.box({ ...centre, width, height: 2 * halfOf(n) }, COST.shape);
  }
  const placed: { readonly candidates: readonly Candidate[]; box: Box }[] = [];
  /** Takes the cheapest place; returns the number of the text. */
  const place = (candidates: readonly Candidate[]): number => {
    const box = cheapest(near, candidates);
    near.box(box, COST.text);
    return placed.push({ candidates, box }) - 1;
  };
  const texts = nodes.map((n) => {
    const { box, centre, details } = n;
    const half = halfOf(n);
    const name = { x: box.x, y: centre.y - half - 8.5, width: widthOf(n.name, NAME), height: NAME };
    const below = {
      ...{ x: box.x, y: centre.y + half + 2 + (details.length * LINE) / 2 },
      ...{ width: widest(details, DETAIL), height: details.length * LINE },
    };
    return {
      name: place(around(n, -1, name)),
      details: details.length === 0 ? below : place(around(n, 1, below)),
    };
  });
  const labels = arcs.map((arc, k) => {
    if (arc.lines.length === 0) return arc.label;
    const shown = inscriptionOf(arc);
    const size = { width: widest(shown, DETAIL) + 2, height: shown.length * LINE };
    return place(alongArc(lines[k]!, size, { ...arc.label, ...size }));
  });
  for (let pass = 0; pass < PASSES; pass++)
    for (const text of placed) {
      near.remove(text.box);
      if (near.cost(text.box) > 0) text.box = cheapest(near, text.candidates);
      near.box(text.box, COST.text);
    }
  const crossed = placed.filter(({ box }) => {
    near.remove(box);
    const cost = near.cost(box);
    near.box(box, COST.text);
    return cost > 0;
  }).length;
  const at = (text: number | Point): Point => {
    const { x, y } = typeof text === 'number' ? placed[text]!.box : text;
    return { x, y };
  };
  return {
    nodes: texts.map(({ name, details }) => ({ name: at(name), details: at(details) })),
    arcs: labels.map(at),
    boxes: placed.map(({ box }) => box),
    crossed,
  };
}

/** The place of the lowest cost. */
function cheapest(near: Near, candidates: readonly Candidate[]): Box {
  let [found, least] = [candidates[0]!, Number.POSITIVE_INFINITY];
  for (const candidate of candidates) {
    if (candidate.own >= least) continue;
    const cost = near.cost(candidate.box) + candidate.own;
    if (cost < least) [found, least] = [candidate, cost];
  }
  return found.box;
}

/**
 * Above or below a shape (`side` −1 or 1): in the middle, left and right of an arc there, farther off; beside the shape; on its other
 * side. The first is the best; the cost of others grows with their distance.
 */
function around(n: PlacedNode, side: -1 | 1, box: Box): Candidate[] {
  const { shape, centre } = n;
  const wide = shape.kind === 'place' ? shape.rx : shape.width / 2;
  const [beside, far] = [box.width / 2 + GAP, wide + box.width / 2 + GAP];
  const off = box.y - centre.y;
  const xs = [0, -beside, beside, -beside - 2 * LINE, beside + 2 * LINE];
  const shifts = [1, -1].flatMap((turn) =>
    RINGS.flatMap((ring) => xs.map((x) => ({ x: box.x + x, y: centre.y + turn * (off + side * ring * LINE) }))),
  );
  const besides = [-far, far].flatMap((x) =>
    [side, -side].flatMap((up) =>
      [-0.5, 0.5].map((inside) => ({ x: centre.x + x, y: centre.y + up * (halfOf(n) + inside * box.height) })),
    ),
  );
  return [...shifts, ...besides].map((at) => ({
    box: { ...box, ...at },
    own: (COST.far * Math.hypot(at.x - box.x, at.y - box.y)) / 100,
  }));
}

/** Places of an inscription beside its arc, on both sides, then the one of the layout. */
function alongArc(
  line: readonly Point[],
  size: { readonly width: number; readonly height: number },
  given: Box,
): Candidate[] {
  const lengths = [0];
  for (let k = 1; k < line.length; k++)
    lengths.push(lengths[k - 1]! + Math.hypot(line[k]!.x - line[k - 1]!.x, line[k]!.y - line[k - 1]!.y));
  const all = lengths.at(-1)!;
  if (all === 0) return [{ box: given, own: 0 }];
  const places = SHARES.flatMap((share) => {
    const k = Math.max(
      1,
      lengths.findIndex((length) => length >= share * all),
    );
    const [a, b] = [line[k - 1]!, line[k]!];
    const length = lengths[k]! - lengths[k - 1]!;
    const part = length > 0 ? (share * all - lengths[k - 1]!) / length : 0;
    const at = { x: a.x + (b.x - a.x) * part, y: a.y + (b.y - a.y) * part };
    // Upwards first, as labels of lines are.
    const up = { x: (b.y - a.y) / (length || 1), y: -(b.x - a.x) / (length || 1) };
    const sign = up.y > 0 ? -1 : 1;
    const off = Math.abs(up.x) * (size.width / 2) + Math.abs(up.y) * (size.height / 2) + GAP;
    return [sign, -sign].flatMap((side) =>
      RINGS.map((ring): Candidate => {
        const by = side * (off + ring * LINE);
        const box = { x: at.x + by * up.x, y: at.y + by * up.y, ...size };
        // A text near its arc is clearer than one in the middle of it.
        return { box, own: COST.far * (ring + (side === sign ? 0 : 0.05) + Math.abs(share - 0.5) / 2) };
      }),
    );
  });
  return [...places, { box: given, own: COST.far }];
}

/** Side of a cell of the grid, in pixels. */
const CELL = 48;

interface Segment {
  readonly a: Point;
  readonly b: Point;
  readonly arc: number;
}

interface Taken {
  readonly box: Box;
  readonly cost: number;
}

/** Lines and boxes of a drawing by the cells of a grid. */
class Near {
  readonly #segments = new Map<string, Segment[]>();
  readonly #boxes = new Map<string, Taken[]>();

  line(points: readonly Point[], arc: number): void {
    for (let k = 0; k + 1 < points.length; k++) {
      const [a, b] = [points[k]!, points[k + 1]!];
      const box = {
        ...{ x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 },
        ...{ width: Math.abs(a.x - b.x), height: Math.abs(a.y - b.y) },
      };
      for (const cell of cellsOf(box)) add(this.#segments, cell, { a, b, arc });
    }
  }

  box(box: Box, cost: number): void {
    const taken = { box, cost };
    for (const cell of cellsOf(box)) add(this.#boxes, cell, taken);
  }

  /** Removes a box that was added. */
  remove(box: Box): void {
    for (const cell of cellsOf(box)) {
      const boxes = this.#boxes.get(cell)!;
      boxes.splice(
        boxes.findIndex((one) => one.box === box),
        1,
      );
    }
  }

  /** The cost of a text in a box. */
  cost(box: Box): number {
    const arcs = new Set<number>();
    const taken = new Set<Taken>();
    for (const cell of cellsOf(box)) {
      for (const segment of this.#segments.get(cell) ?? [])
        if (!arcs.has(segment.arc) && runsThrough(segment, box)) arcs.add(segment.arc);
      for (const one of this.#boxes.get(cell) ?? []) if (overlap(one.box, box)) taken.add(one);
    }
    return COST.arc * arcs.size + [...taken].reduce((sum, { cost }) => sum + cost, 0);
  }
}

function add<Value>(map: Map<string, Value[]>, key: string, value: Value): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}

function* cellsOf({ x, y, width, height }: Box): Generator<string> {
  const cell = (at: number): number => Math.floor(at / CELL);
  for (let column = cell(x - width / 2); column <= cell(x + width / 2); column++)
    for (let row = cell(y - height / 2); row <= cell(y + height / 2); row++) yield `${column} ${row}`;
}

const overlap = (a: Box, b: Box): boolean =>
  Math.abs(a.x - b.x) < (a.width + b.width) / 2 && Math.abs(a.y - b.y) < (a.height + b.height) / 2;

/** True if a segment has a point inside a box (Liang and Barsky 1984). */
export function runsThrough({ a, b }: { readonly a: Point; readonly b: Point }, box: Box): boolean {
  let [from, to] = [0, 1];
  for (const [start, along, middle, size] of [
    [a.x, b.x - a.x, box.x, box.width],
    [a.y, b.y - a.y, box.y, box.height],
  ] as const) {
    const [low, high] = [middle - size / 2, middle + size / 2];
    if (along === 0) {
      if (start <= low || start >= high) return false;
      continue;
    }
    const [one, other] = [(low - start) / along, (high - start) / along];
    from = Math.max(from, Math.min(one, other));
    to = Math.min(to, Math.max(one, other));
  }
  return from < to;
}
