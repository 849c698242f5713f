import { alg, type Edge, type Graph } from '@dagrejs/graphlib';
import { didYouMean, fail, quote, shown } from '../../base/problem.ts';

/** A shortest path: its nodes, and the sum of the lengths of its edges. */
export interface GraphPath {
  readonly nodes: readonly string[];
  /** Steps; between hosts of a machine seconds. */
  readonly length: number;
}

/** A directed graph of at most 2,000 nodes, and the questions that graphlib answers about it. */
export class GraphView {
  /** The graph of graphlib, for all other algorithms. */
  readonly graph: Graph;
  readonly #length: (edge: Edge) => number;

  /** @param length length of an edge, at least 0 */
  constructor(graph: Graph, length: (edge: Edge) => number) {
    this.graph = graph;
    this.#length = length;
  }

  /** The strongly connected components, the largest first, each in the order of the nodes. Tarjan's algorithm, O(nodes + edges). */
  components(): readonly (readonly string[])[] {
    return this.#sorted(alg.tarjan(this.graph));
  }

  /** The parts without a connection between them, the direction of edges ignored. O(nodes + edges). */
  parts(): readonly (readonly string[])[] {
    return this.#sorted(alg.components(this.graph));
  }

  /**
   * A cycle of each component that has one, a shortest one through the component's first node, which is its first element. Empty
   * if the graph has no cycle. O(cyclic components · edges · log nodes).
   */
  cycles(): readonly (readonly string[])[] {
    return this.#sorted(alg.findCycles(this.graph)).map(([first]) => {
      const found = alg.dijkstra(this.graph, first!, () => 1);
      const before = (this.graph.predecessors(first!) ?? [])
        .filter((node) => Number.isFinite(found[node]!.distance))
        .sort((a, b) => found[a]!.distance - found[b]!.distance || (a < b ? -1 : 1))[0]!;
      return pathTo(found, before);
    });
  }

  /** All nodes, each after those with an edge to it; undefined if there is a cycle. O(nodes + edges). */
  order(): readonly string[] | undefined {
    return alg.isAcyclic(this.graph) ? alg.topsort(this.graph) : undefined;
  }

  /**
   * A shortest path; undefined if `to` cannot be reached. Dijkstra's algorithm, O(edges · log nodes).
   *
   * @throws InputError GRAPH002 for a node that does not exist
   */
  path(from: string, to: string): GraphPath | undefined {
    this.#known(from);
    this.#known(to);
    const found = alg.dijkstra(this.graph, from, this.#length);
    const { distance } = found[to]!;
    return Number.isFinite(distance) ? { nodes: pathTo(found, to), length: distance } : undefined;
  }

  #known(node: string): void {
    if (typeof node === 'string' && this.graph.hasNode(node)) return;
    const near = typeof node === 'string' ? didYouMean(node, this.graph.nodes()) : '';
    fail('GRAPH002', `unknown node ${typeof node === 'string' ? quote(node) : shown(node)}.${near}`);
  }

  #sorted(sets: readonly (readonly string[])[]): string[][] {
    const place = new Map(this.graph.nodes().map((node, k) => [node, k]));
    const at = (node: string): number => place.get(node)!;
    return sets
      .map((set) => [...set].sort((a, b) => at(a) - at(b)))
      .sort((a, b) => b.length - a.length || at(a[0]!) - at(b[0]!));
  }
}

/** The path that Dijkstra's table gives to a node that it has reached. */
function pathTo(found: ReturnType<typeof alg.dijkstra>, to: string): string[] {
  const nodes: string[] = [];
  // graphlib gives the source the predecessor ''.
  for (let node = to; node !== ''; node = found[node]?.predecessor ?? '') nodes.push(node);
  return nodes.reverse();
}
