import type { ColouredGraph } from './coloured-graph.ts';
import { Partition } from './partition.ts';

/** The image of each vertex. */
export type Permutation = Int32Array;

/** A base vertex and permutations that move it; all of them fix the bases of earlier layers. */
export interface Layer {
  readonly base: number;
  /** By image of the base, other than the base itself: a permutation that maps the base to it (coset representatives). */
  readonly transversal: ReadonlyMap<number, Permutation>;
}

export interface AutomorphismOptions {
  /** True if a permutation is valid; called for every generator. */
  readonly accept: (p: Permutation) => boolean;
  /** Work limit: total number of vertices and edges of all refined partitions. Default 10⁷. */
  readonly maxWork?: number;
  /** Memory limit: total number of entries of all permutations. Default 2²⁴. */
  readonly maxNumbers?: number;
  readonly cancelled?: () => boolean;
}

const MAX_WORK = 1e7;
const MAX_NUMBERS = 2 ** 24;
/** Maximum number of candidate images tried in one search for a permutation. */
const MAX_TRIES = 200;

/**
 * Automorphisms of a graph of places, transitions and limits, as layers: every product of at most one permutation of each layer
 * is an automorphism, and all automorphisms are such products if no limit was reached (a strong generating set; Sims 1970; for
 * nets: Schmidt, _How to calculate symmetries of Petri nets_, Acta Informatica 36, 2000). Searches by individualisation and
 * refinement.
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
    this.#left = options.maxWork ?? MAX_WORK;
    this.#numbers = options.maxNumbers ?? MAX_NUMBERS;
  }

  layers(): Layer[] {
    const { vertices, places } = this.#graph;
    // Partitions before each base is individualised. Bases are places first, because markings distinguish only places.
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
    return layers.filter(({ transversal }) => transversal.size > 0).reverse();
  }

  /** Images of the base under automorphisms that fix the bases of earlier layers; the known generators fix those as well. */
  #layer(partition: Partition, base: number, generators: Permutation[]): Layer {
    const transversal = new Map<number, Permutation>([[base, identity(this.#graph.vertices)]]);
    const close = (): void => {
      // Iterating a Map also visits entries that are inserted during the iteration.
      for (const known of transversal.values())
        for (const g of generators) {
          const to = g[known[base]!]!;
          if (transversal.has(to) || this.#numbers < g.length) continue;
          this.#numbers -= g.length;
          transversal.set(to, after(g, known));
        }
    };
    close();
    const hopeless = new Set<number>();
    for (const to of partition.cell(partition.cellOf[base]!).slice()) {
      if (transversal.has(to) || hopeless.has(to)) continue;
      if (this.#spent()) break;
      const found = this.#search(partition, base, to);
      if (found === undefined) {
        for (const v of orbit(to, generators)) hopeless.add(v);
        continue;
      }
      generators.push(found);
      close();
    }
    transversal.delete(base);
    return { base, transversal };
  }

  /** An automorphism that maps `from` to `to` and preserves the cells of a partition; undefined if none is found. */
  #search(partition: Partition, from: number, to: number): Permutation | undefined {
    let tries = MAX_TRIES;
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
      // Try the identity first: permutations that move few vertices are cheaper to apply.
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

  /** Charges one refinement to the work limit; true if a limit is reached. Called before every refinement. */
  #spent(): boolean {
    this.#left -= this.#size;
    return this.#left < 0 || this.#numbers < this.#graph.vertices || this.#options.cancelled?.() === true;
  }
}

function identity(n: number): Permutation {
  return Int32Array.from({ length: n }, (_, k) => k);
}

/** The composition a ∘ b: first `b`, then `a`. */
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

/** True if a permutation preserves the colours and labelled edges of all vertices. O(edges · log edges of a vertex). */
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
