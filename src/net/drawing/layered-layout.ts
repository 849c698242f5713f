import { keptLayout } from './kept-layout.ts';
import type { Arranger } from './svg.ts';
import type { Content, DrawnNode } from './svg-content.ts';
import { isMarked, type Point, sizeOf } from './svg-layout.ts';

/** Distances between nodes of a layer, and between layers. */
const BESIDE = 22;
const BETWEEN = 90;
/** Passes over all layers that order nodes by their neighbours. */
const SWEEPS = 24;
/** Passes that move nodes towards their neighbours. */
const MOVES = 8;

/**
 * Layers from left to right with straight arcs, for nets that other layouts cannot draw in time: nodes are ordered by the mean place of
 * their neighbours (Sugiyama, Tagawa & Toda, IEEE Trans. SMC 11, 1981). Deterministic. O(nodes log nodes + arcs) for each of a fixed
 * number of passes.
 */
export const layeredLayout: Arranger = {
  arrange: (content) => {
    const at = positionsOf(content);
    const places = new Map<string, Point>();
    const transitions = new Map<string, Point>();
    content.nodes.forEach(({ node }, k) => {
      if ('place' in node) places.set(node.place.name, at[k]!);
      else transitions.set(node.transition.name, at[k]!);
    });
    return keptLayout({ places, transitions }).arrange(content);
  },
};

function positionsOf({ nodes, arcs }: Content): Point[] {
  const number = new Map(nodes.map(({ id }, k) => [id, k]));
  const near = nodes.map((): number[] => []);
  for (const { from, to } of arcs) {
    const [a, b] = [number.get(from)!, number.get(to)!];
    near[a]!.push(b);
    near[b]!.push(a);
  }
  const layer = layersOf(nodes, near);
  const layers = Array.from({ length: 1 + Math.max(0, ...layer) }, (): number[] => []);
  for (const [k, l] of layer.entries()) layers[l]!.push(k);
  order(layers, layer, near);
  return coordinates(layers, nodes.map(sizeOf), near);
}

/**
 * The distance of each node from the first marked place of its part, whatever the direction of the arcs. Arcs join places with
 * transitions, so that each arc joins two adjacent layers.
 */
function layersOf(nodes: readonly DrawnNode[], near: readonly (readonly number[])[]): number[] {
  const layer = nodes.map(() => -1);
  const starts = [...nodes.keys()].sort((a, b) => Number(isMarked(nodes[b]!)) - Number(isMarked(nodes[a]!)) || a - b);
  for (const start of starts) {
    if (layer[start] !== -1) continue;
    layer[start] = 0;
    const queue = [start];
    for (const node of queue)
      for (const next of near[node]!) {
        if (layer[next] !== -1) continue;
        layer[next] = layer[node]! + 1;
        queue.push(next);
      }
  }
  return layer;
}

/** Sorts each layer by the mean place of the neighbours in other layers, from left to right and back. */
function order(layers: readonly number[][], layer: readonly number[], near: readonly (readonly number[])[]): void {
  const place = layer.map(() => 0);
  const number = (of: readonly number[]): void => {
    for (const [i, k] of of.entries()) place[k] = (i + 0.5) / of.length;
  };
  for (const of of layers) number(of);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const backwards = sweep % 2 === 1;
    for (const of of backwards ? [...layers].reverse() : layers) {
      const mean = new Map(
        of.map((k) => {
          const others = near[k]!.filter((n) => (backwards ? layer[n]! > layer[k]! : layer[n]! < layer[k]!));
          const sum = others.reduce((total, n) => total + place[n]!, 0);
          return [k, others.length === 0 ? place[k]! : sum / others.length];
        }),
      );
      of.sort((a, b) => mean.get(a)! - mean.get(b)! || place[a]! - place[b]!);
      number(of);
    }
  }
}

/** Centres of the nodes: layers next to each other, nodes of a layer in their order, near to their neighbours. */
function coordinates(
  layers: readonly (readonly number[])[],
  sizes: readonly { readonly width: number; readonly height: number; readonly lower: number }[],
  near: readonly (readonly number[])[],
): Point[] {
  const x = sizes.map(() => 0);
  const y = sizes.map(() => 0);
  const height = (k: number): number => sizes[k]!.height + sizes[k]!.lower + BESIDE;
  let left = 0;
  for (const of of layers) {
    const width = Math.max(0, ...of.map((k) => sizes[k]!.width));
    for (const k of of) x[k] = left + width / 2;
    left += width + BETWEEN;
    stack(of, y, height, new Map(of.map((k, i) => [k, i * height(k)])));
  }
  for (let move = 0; move < MOVES; move++)
    for (const of of move % 2 === 0 ? layers : [...layers].reverse()) {
      const wanted = new Map(
        of.map((k) => {
          const others = near[k]!.filter((n) => n !== k);
          return [k, others.length === 0 ? y[k]! : others.reduce((total, n) => total + y[n]!, 0) / others.length];
        }),
      );
      stack(of, y, height, wanted);
    }
  return sizes.map((_, k) => ({ x: x[k]!, y: y[k]! }));
}

/** Puts the nodes of a layer one below the other as near to where they are wanted as their heights allow, on average neither above nor below. */
function stack(
  of: readonly number[],
  y: number[],
  height: (k: number) => number,
  wanted: ReadonlyMap<number, number>,
): void {
  let bottom = Number.NEGATIVE_INFINITY;
  for (const k of of) {
    y[k] = Math.max(wanted.get(k)!, bottom + height(k) / 2);
    bottom = y[k] + height(k) / 2;
  }
  const shift = of.reduce((total, k) => total + wanted.get(k)! - y[k]!, 0) / Math.max(1, of.length);
  for (const k of of) y[k]! += shift;
}
