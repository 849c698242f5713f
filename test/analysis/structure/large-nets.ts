import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { xorshift } from '../../../src/base/random/threefry.ts';
import type { Net } from '../../../src/net/net.ts';

/**
 * Place/transition nets of any size with weights 1, each the same for the same seed. As a script:
 * `npx tsx test/analysis/structure/large-nets.ts KIND NODES FILE.pnml [SEED]`.
 */
export interface Draft {
  /** By place. */
  readonly tokens: number[];
  /** By transition: the places it takes from, and those it puts to. */
  readonly takes: number[][];
  readonly puts: number[][];
}

/** Number of places and transitions. */
export const sizeOf = ({ tokens, takes }: Draft): number => tokens.length + takes.length;

/** A ring of places with one token. */
export function ring(nodes: number): Draft {
  const n = Math.max(1, nodes >> 1);
  return {
    tokens: Array.from({ length: n }, (_, p) => (p === 0 ? 1 : 0)),
    takes: Array.from({ length: n }, (_, t) => [t]),
    puts: Array.from({ length: n }, (_, t) => [(t + 1) % n]),
  };
}

/** One token that moves right and down in a square grid that is closed to a torus: a state machine with many choices. */
export function grid(nodes: number): Draft {
  // A place and two transitions for each cell.
  const side = Math.max(1, Math.round(Math.sqrt(nodes / 3)));
  const at = (row: number, column: number): number => (row % side) * side + (column % side);
  const net: Draft = { tokens: Array.from({ length: side * side }, (_, p) => (p === 0 ? 1 : 0)), takes: [], puts: [] };
  for (let row = 0; row < side; row++)
    for (let column = 0; column < side; column++)
      for (const next of [at(row, column + 1), at(row + 1, column)]) {
        net.takes.push([at(row, column)]);
        net.puts.push([next]);
      }
  return net;
}

/**
 * A random tree that forks at each node, joins behind the leaves, and starts again; chords order some branches. It is a marked
 * graph in which every cycle passes the one token.
 */
export function tree(nodes: number, seed = 1): Draft {
  const draw = xorshift(seed);
  const net: Draft = { tokens: [], takes: [], puts: [] };
  const link = (from: number, to: number, tokens = 0): void => {
    net.puts[from]!.push(net.tokens.push(tokens) - 1);
    net.takes[to]!.push(net.tokens.length - 1);
  };
  const inner = Math.max(1, Math.round(nodes / 2.6));
  for (let t = 0; t <= inner; t++) {
    net.takes.push([]);
    net.puts.push([]);
  }
  for (let t = 1; t < inner; t++) {
    link(Math.floor(draw() * t), t);
    // Chords lead from smaller to larger numbers, so they close no cycle.
    if (t > 1 && draw() < 0.1) link(Math.floor(draw() * t), t);
  }
  for (let t = 0; t < inner; t++) if (net.puts[t]!.length === 0) link(t, inner);
  link(inner, 0, 1);
  return net;
}

/** A live and safe free-choice net: a ring refined by sequences, forks, choices and loops. */
export function freeChoice(nodes: number, seed = 1): Draft {
  return refined({ tokens: [1], takes: [[0]], puts: [[0]] }, nodes, seed);
}

/** A free-choice net with a deadlock: two alternatives end in a join that waits for both. */
export function joinedChoice(nodes: number, seed = 1): Draft {
  return refined({ tokens: [1, 0, 0], takes: [[0], [0], [1, 2]], puts: [[1], [2], [0]] }, nodes, seed);
}

/** A live and unbounded free-choice net: two branches of a fork end in a merge. */
export function mergedFork(nodes: number, seed = 1): Draft {
  return refined({ tokens: [1, 0, 0], takes: [[0], [1], [2]], puts: [[1, 2], [0], [0]] }, nodes, seed);
}

/** A free-choice net of two coupled rings, the second without tokens. */
export function unmarkedSiphon(nodes: number, seed = 1): Draft {
  return refined({ tokens: [1, 0, 0], takes: [[0, 1], [2]], puts: [[2], [0, 1]] }, nodes, seed);
}

/**
 * Refines random nodes until the net has the given size. Every step is the inverse of a reduction that preserves liveness,
 * boundedness, safeness and freedom of deadlocks (Murata 1989, figure 22), and free choice.
 */
export function refined(from: Draft, nodes: number, seed: number): Draft {
  const draw = xorshift(seed);
  const net: Draft = {
    tokens: [...from.tokens],
    takes: from.takes.map((l) => [...l]),
    puts: from.puts.map((l) => [...l]),
  };
  const producers: number[][] = net.tokens.map(() => []);
  const consumers: number[][] = net.tokens.map(() => []);
  net.takes.forEach((list, t) => {
    for (const p of list) consumers[p]!.push(t);
    for (const p of net.puts[t]!) producers[p]!.push(t);
  });
  const newPlace = (tokens: number): number => {
    producers.push([]);
    consumers.push([]);
    return net.tokens.push(tokens) - 1;
  };
  const newTransition = (takes: readonly number[], puts: readonly number[]): number => {
    const t = net.takes.push([...takes]) - 1;
    net.puts.push([...puts]);
    for (const p of takes) consumers[p]!.push(t);
    for (const p of puts) producers[p]!.push(t);
    return t;
  };
  const replace = (list: number[], old: number, by: number): void => {
    list[list.indexOf(old)] = by;
  };
  // Higher degrees would make the number of arcs quadratic.
  const MAX_DEGREE = 4;
  while (sizeOf(net) < nodes) {
    const [kind, choice] = [draw(), draw()];
    if (kind < 0.5) {
      const p = Math.floor(choice * net.tokens.length);
      const own = producers[p]!.length + consumers[p]!.length;
      if (kind < 0.3) {
        // Sequence: p → new transition → new place, which takes over the consumers.
        const q = newPlace(0);
        for (const t of consumers[p]!) replace(net.takes[t]!, p, q);
        consumers[q] = consumers[p]!;
        consumers[p] = [];
        newTransition([p], [q]);
      } else if (own > MAX_DEGREE) continue;
      else if (kind < 0.45) {
        // Fork and join around a second branch.
        const q = newPlace(net.tokens[p]!);
        for (const t of consumers[p]!) net.takes[t]!.push(q);
        for (const t of producers[p]!) net.puts[t]!.push(q);
        consumers[q] = [...consumers[p]!];
        producers[q] = [...producers[p]!];
      } else {
        // A loop needs all places of the cluster.
        const cluster = consumers[p]!.length === 0 ? [] : net.takes[consumers[p]![0]!]!;
        if (cluster.length > 0 && cluster.length <= MAX_DEGREE) newTransition(cluster, cluster);
      }
    } else {
      const t = Math.floor(choice * net.takes.length);
      const own = net.takes[t]!.length + net.puts[t]!.length;
      if (kind < 0.8) {
        // Sequence: t → new place → new transition, which takes over the outputs.
        const q = newPlace(0);
        const puts = net.puts[t]!;
        const next = newTransition([q], []);
        for (const p of puts) replace(producers[p]!, t, next);
        net.puts[next] = puts;
        net.puts[t] = [q];
        producers[q]!.push(t);
      } else if (own <= MAX_DEGREE && consumers[net.takes[t]![0] ?? 0]!.length <= MAX_DEGREE)
        // An alternative.
        newTransition(net.takes[t]!, net.puts[t]!);
    }
  }
  return net;
}

/** The draft as a net. */
export function netOf({ tokens, takes, puts }: Draft): Net {
  const one = { op: 'const' as const, value: 1 };
  return {
    name: 'large',
    colours: [],
    tables: [],
    places: tokens.map((count, p) => ({
      name: `p${p}`,
      fields: [],
      order: 'bag' as const,
      key: [],
      initial: count > 0 ? [{ values: [], count }] : [],
    })),
    transitions: takes.map((list, t) => ({
      name: `t${t}`,
      inputs: list.map((p) => ({ kind: 'take' as const, place: `p${p}`, pattern: {}, count: 1 })),
      outputs: puts[t]!.map((p) => ({ place: `p${p}`, values: {}, count: one })),
      priority: 0,
    })),
  };
}

/** The draft in PNML. */
export function pnmlOf({ tokens, takes, puts }: Draft): string {
  const lines = [
    '<?xml version="1.0"?>',
    '<pnml xmlns="http://www.pnml.org/version-2009/grammar/pnml">',
    '<net id="large" type="http://www.pnml.org/version-2009/grammar/ptnet"><page id="page">',
  ];
  tokens.forEach((count, p) => {
    const initial = count > 0 ? `<initialMarking><text>${count}</text></initialMarking>` : '';
    lines.push(`<place id="p${p}">${initial}</place>`);
  });
  let arcs = 0;
  const arc = (from: string, to: string): void => {
    lines.push(`<arc id="a${arcs++}" source="${from}" target="${to}"/>`);
  };
  takes.forEach((_, t) => {
    lines.push(`<transition id="t${t}"/>`);
  });
  takes.forEach((list, t) => {
    for (const p of list) arc(`p${p}`, `t${t}`);
    for (const p of puts[t]!) arc(`t${t}`, `p${p}`);
  });
  return `${lines.join('\n')}\n</page></net></pnml>\n`;
}

const KINDS: Readonly<Record<string, (nodes: number, seed: number) => Draft>> = {
  ring,
  grid,
  tree,
  'free-choice': freeChoice,
  'joined-choice': joinedChoice,
  'merged-fork': mergedFork,
  'unmarked-siphon': unmarkedSiphon,
};

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [kind = '', nodes = '', file = '', seed = '1'] = process.argv.slice(2);
  const make = KINDS[kind];
  if (make === undefined || file === '')
    throw new Error(`expected KIND NODES FILE.pnml [SEED]; kinds: ${Object.keys(KINDS).join(', ')}`);
  writeFileSync(file, pnmlOf(make(Number(nodes), Number(seed))));
}
