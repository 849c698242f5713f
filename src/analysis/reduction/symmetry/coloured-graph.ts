import type { Petri } from '../../petri/petri.ts';
import type { Condition } from '../condition.ts';
import { type Rows, rowsOf } from '../petri-moves.ts';

/**
 * A place/transition net as a coloured graph with the same automorphisms. Vertices: places, then transitions, then limits of
 * transitions. Edge labels encode the kind and weight of arcs.
 */
export interface ColouredGraph {
  readonly vertices: number;
  readonly places: number;
  readonly transitions: number;
  /** By vertex: pairs (neighbour, label). Every edge is listed in both directions, with different labels. */
  readonly edges: Rows;
  /** By vertex: its colour. Automorphisms preserve colours. */
  readonly colours: readonly string[];
}

/** @param condition the queried condition; places with different roles in it get different colours. O(size of the net). */
export function colouredGraph({ places, transitions }: Petri, condition: Condition | undefined): ColouredGraph {
  const asked = condition === undefined ? new Map<number, string>() : rolesIn(condition);
  const colours = places.map((p, k) => `place ${p.initial} ${asked.get(k) ?? ''}`);
  for (const t of transitions) colours.push(`transition ${t.kind} ${t.level}`);
  const edges: number[][] = colours.map(() => []);
  const labels = new Map<string, number>();
  const join = (from: number, to: number, label: string): void => {
    for (const [a, b, direction] of [
      [from, to, '>'],
      [to, from, '<'],
    ] as const) {
      const key = `${label}${direction}`;
      if (!labels.has(key)) labels.set(key, mixed(labels.size + 1));
      edges[a]!.push(b, labels.get(key)!);
    }
  };
  for (const [k, t] of transitions.entries()) {
    const own = places.length + k;
    for (const [p, n] of t.needs) join(own, p, `needs ${n}`);
    for (const [p, n] of t.change) join(own, p, `changes ${n}`);
    for (const p of t.resets) join(own, p, 'resets');
    for (const { sum, most } of t.limits) {
      const limit = colours.push(`limit ${most}`) - 1;
      edges.push([]);
      join(own, limit, 'has');
      for (const [p, n] of sum) join(limit, p, `sums ${n}`);
    }
  }
  return {
    vertices: colours.length,
    places: places.length,
    transitions: transitions.length,
    edges: rowsOf(edges),
    colours,
  };
}

/** The role of each place in a condition, independent of place names. */
function rolesIn(condition: Condition): Map<number, string> {
  const roles = new Map<number, string[]>();
  const visit = (c: Condition, around: string): void => {
    if (c.op === 'sum')
      for (const [p, n] of c.sum)
        roles.set(p, [...(roles.get(p) ?? []), `${around} ${c.sum.length} ${n} ${c.relation} ${c.than}`]);
    else if ('of' in c) for (const part of c.of) visit(part, `${around} ${c.op} ${c.of.length}`);
  };
  visit(condition, '');
  return new Map([...roles].map(([p, list]) => [p, list.sort().join(',')]));
}

/** Spreads small numbers over 32 bits, so that sums of them rarely collide. */
export function mixed(n: number): number {
  let h = Math.imul(n ^ (n >>> 16), 0x45d9f3b);
  h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d);
  return (h ^ (h >>> 13)) | 1;
}
