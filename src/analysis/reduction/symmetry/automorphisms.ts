import type { ColouredGraph } from './coloured-graph.ts';
import { Partition } from './partition.ts';

/** Where each vertex goes. */
export type Permutation = Int32Array;

/** A vertex and permutations that take it to others, and leave the vertices of the layers before where they are. */
export interface Layer {
  readonly base: number;
  /** By the vertex that the base goes to, all but itself. */
  readonly ways: ReadonlyMap<number, Permutation>;
}

export interface AutomorphismOptions {
  /** Whether a permutation may be used: asked of every one that generates others. */
  readonly accept: (p: Permutation) => boolean;
  /** Most vertices and edges of all partitions that are refined. */
  readonly maxWork?: number;
  /** Most numbers that permutations may take together. */
  readonly maxNumbers?: number;
  readonly cancelled?: () => boolean;
}

const MOST_WORK = 1e7;
const MOST_NUMBERS = 2 ** 24;
/** Tries of one search for one permutation. */
const MOST_TRIES = 200;

/**
 * Permutations of places, transitions and limits that keep a graph, as layers: every product of one way (or none) of each layer is
 * an automorphism, and all of them where no limit was reached (a strong generating set; Sims 1970; for nets: Schmidt, _How to
 * calculate symmetries of Petri nets_, Acta Informatica 36, 2000). Searches by individualising and refining.
 *
 * @complexity O(`maxWork` · log vertices)
 */
export function automorphisms(graph: ColouredGraph, options: AutomorphismOptions): Layer[] {
  return new Finder(graph, options).layers();
}

class Finder {
  readonly #graph: ColouredGraph;
  readonly #options: AutomorphismOptions;
  readonly #size: number;
  #left: number;
  #numbers: number;

  constructor(graph: ColouredGraph, options: AutomorphismOptions) {
    this.#graph = graph;
    this.#options = options;
    this.#size = graph.vertices + graph.edges.items.length / 2;
    this.#left = options.maxWork ?? MOST_WORK;
    this.#numbers = options.maxNumbers ?? MOST_NUMBERS;
  }

  layers(): Layer[] {
    const { vertices, places } = this.#graph;
    // The partitions before each base is put into a cell of its own: markings tell places apart, and so these come first.
    const before: { readonly partition: Partition; readonly base: number }[] = [];
    let partition = new Partition(this.#graph);
    const next = (): number | undefined => partition.open(places) ?? partition.open(vertices);
    for (let open = next(); open !== undefined; open = next()) {
      const base = partition.row[open]!;
      before.push({ partition, base });
      if (this.#spent()) return [];
      partition = partition.copy();
      partition.single(base);
    }
    const generators: Permutation[] = [];
    const layers: Layer[] = [];
    for (const { partition: own, base } of before.reverse()) {
      layers.push(this.#layer(own, base, generators));
      if (this.#spent()) break;
    }
    return layers.filter(({ ways }) => ways.size > 0).reverse();
  }

  /** Where the base can go while the bases of the layers before stay: known generators leave these where they are. */
  #layer(partition: Partition, base: number, generators: Permutation[]): Layer {
    const ways = new Map<number, Permutation>([[base, identity(this.#graph.vertices)]]);
    const close = (): void => {
      // A Map is walked in the order of insertion, what joins meanwhile included.
      for (const way of ways.values())
        for (const g of generators) {
          const to = g[way[base]!]!;
          if (ways.has(to) || this.#numbers < g.length) continue;
          this.#numbers -= g.length;
          ways.set(to, after(g, way));
        }
    };
    close();
    const hopeless = new Set<number>();
    for (const to of partition.cell(partition.cellOf[base]!).slice()) {
      if (ways.has(to) || hopeless.has(to)) continue;
      if (this.#spent()) break;
      const found = this.#search(partition, base, to);
      if (found === undefined) {
        for (const v of orbit(to, generators)) hopeless.add(v);
        continue;
      }
      generators.push(found);
      close();
    }
    ways.delete(base);
    return { base, ways };
  }

  /** An automorphism that keeps the cells of a partition and takes one vertex to another. */
  #search(partition: Partition, from: number, to: number): Permutation | undefined {
    let tries = MOST_TRIES;
    const visit = (left: Partition, right: Partition): Permutation | undefined => {
      if (left.trace !== right.trace || left.cells !== right.cells) return undefined;
      const open = left.open(left.row.length);
      if (open === undefined) {
        const found = between(left, right);
        return isAutomorphism(this.#graph, found) && this.#options.accept(found) ? found : undefined;
      }
      const v = left.row[open]!;
      const nextLeft = left.copy();
      nextLeft.single(v);
      const candidates = [...right.cell(open)];
      // What can stay where it is stays: such permutations move little.
      if (candidates.includes(v)) candidates.unshift(...candidates.splice(candidates.indexOf(v), 1));
      for (const w of candidates) {
        if (tries-- <= 0 || this.#spent()) return undefined;
        const nextRight = right.copy();
        nextRight.single(w);
        const found = visit(nextLeft, nextRight);
        if (found !== undefined) return found;
      }
      return undefined;
    };
    if (this.#spent()) return undefined;
    const [left, right] = [partition.copy(), partition.copy()];
    left.single(from);
    right.single(to);
    return visit(left, right);
  }

  /** Whether there is no more to be tried; asked before every refinement. */
  #spent(): boolean {
    this.#left -= this.#size;
    return this.#left < 0 || this.#numbers < this.#graph.vertices || this.#options.cancelled?.() === true;
  }
}

function identity(n: number): Permutation {
  return Int32Array.from({ length: n }, (_, k) => k);
}

/** First `b`, then `a`. */
export function after(a: Permutation, b: Permutation): Permutation {
  return b.map((v) => a[v]!);
}

export function inverse(p: Permutation): Permutation {
  const back = new Int32Array(p.length);
  for (let k = 0; k < p.length; k++) back[p[k]!] = k;
  return back;
}

function between(left: Partition, right: Partition): Permutation {
  const p = new Int32Array(left.row.length);
  for (let k = 0; k < p.length; k++) p[left.row[k]!] = right.row[k]!;
  return p;
}

function orbit(from: number, generators: readonly Permutation[]): Set<number> {
  const all = new Set([from]);
  for (const v of all) for (const g of generators) all.add(g[v]!);
  return all;
}

/** Whether every vertex has, where it goes to, its colour and its edges. O(edges · log edges of a vertex). */
function isAutomorphism({ vertices, edges, colours }: ColouredGraph, p: Permutation): boolean {
  const rowOf = (v: number, map: (u: number) => number): string => {
    const pairs: string[] = [];
    for (let k = edges.start[v]!, end = edges.start[v + 1]!; k < end; k += 2)
      pairs.push(`${map(edges.items[k]!)} ${edges.items[k + 1]}`);
    return pairs.sort().join();
  };
  for (let v = 0; v < vertices; v++) if (p[v] !== v && colours[v] !== colours[p[v]!]) return false;
  const stays = (v: number): boolean => {
    if (p[v] !== v) return false;
    for (let k = edges.start[v]!, end = edges.start[v + 1]!; k < end; k += 2)
      if (p[edges.items[k]!] !== edges.items[k]) return false;
    return true;
  };
  for (let v = 0; v < vertices; v++) if (!stays(v) && rowOf(v, (u) => p[u]!) !== rowOf(p[v]!, (u) => u)) return false;
  return true;
}
