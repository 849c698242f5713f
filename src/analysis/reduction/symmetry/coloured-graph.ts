import type { Petri } from '../../space/petri.ts';
import type { Condition } from '../condition.ts';
import { type Rows, rowsOf } from '../petri-moves.ts';

/**
 * A net without colours as a graph whose automorphisms are the net's: places, then transitions, then the limits of
 * transitions, with edges that say what an arc says.
 */
export interface ColouredGraph {
  readonly vertices: number;
  readonly places: number;
  readonly transitions: number;
  /** Of every vertex: pairs (neighbour, label), both ways of every edge, told apart by their labels. */
  readonly edges: Rows;
  /** Vertices of different colours cannot take each other's place. */
  readonly colours: readonly string[];
}

/** @param condition what is asked: places of which it says something else cannot take each other's place. O(size of the net). */
export function colouredGraph({ places, transitions }: Petri, condition: Condition | undefined): ColouredGraph {
  const asked = condition === undefined ? new Map<number, string>() : rolesIn(condition);
  const colours = places.map((p, k) => `place ${p.initial} ${asked.get(k) ?? ''}`);
  for (const t of transitions) colours.push(`transition ${t.kind} ${t.level}`);
  const edges: number[][] = colours.map(() => []);
  const labels = new Map<string, number>();
  const join = (from: number, to: number, what: string): void => {
    for (const [a, b, way] of [
      [from, to, '>'],
      [to, from, '<'],
    ] as const) {
      const text = `${what}${way}`;
      if (!labels.has(text)) labels.set(text, mixed(labels.size + 1));
      edges[a]!.push(b, labels.get(text)!);
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

/** What a condition says of each place, whatever it is called. */
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

/** Spreads small numbers over 32 bits, so that sums of them rarely agree by chance. */
export function mixed(n: number): number {
  let h = Math.imul(n ^ (n >>> 16), 0x45d9f3b);
  h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d);
  return (h ^ (h >>> 13)) | 1;
}
