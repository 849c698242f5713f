import { type ColouredGraph, mixed } from './coloured-graph.ts';

/**
 * An ordered partition of the vertices of a graph into cells. {@link refine} splits cells until all vertices of a cell have the
 * same number of neighbours of each kind in each cell (equitable partition; McKay, _Practical graph isomorphism_, 1981).
 * Refinement depends only on structure: two partitions that are images of each other are refined alike and get the same `trace`.
 */
export class Partition {
  readonly #graph: ColouredGraph;
  /** The vertices, cell by cell. */
  readonly row: Int32Array;
  /** By vertex: its position in `row`. */
  readonly #place: Int32Array;
  /** By vertex: the start of its cell. */
  readonly cellOf: Int32Array;
  /** By start of a cell: its length. */
  readonly length: Int32Array;
  cells: number;
  /** Hash of the refinement steps. */
  trace: number;

  constructor(graph: ColouredGraph);
  constructor(graph: ColouredGraph, like: Partition);
  constructor(graph: ColouredGraph, like?: Partition) {
    this.#graph = graph;
    if (like !== undefined) {
      this.row = like.row.slice();
      this.#place = like.#place.slice();
      this.cellOf = like.cellOf.slice();
      this.length = like.length.slice();
      this.cells = like.cells;
      this.trace = like.trace;
      return;
    }
    const { vertices, colours } = graph;
    this.row = Int32Array.from({ length: vertices }, (_, v) => v);
    this.row.sort((a, b) => (colours[a]! < colours[b]! ? -1 : colours[a]! > colours[b]! ? 1 : a - b));
    this.#place = new Int32Array(vertices);
    this.cellOf = new Int32Array(vertices);
    this.length = new Int32Array(vertices);
    this.cells = 0;
    this.trace = 0;
    let start = 0;
    for (let k = 0; k < vertices; k++) {
      const v = this.row[k]!;
      this.#place[v] = k;
      if (k === 0 || colours[v] !== colours[this.row[k - 1]!]) {
        start = k;
        this.cells++;
      }
      this.cellOf[v] = start;
      this.length[start]!++;
    }
    const all: number[] = [];
    for (let at = 0; at < vertices; at += this.length[at]!) all.push(at);
    this.refine(all);
  }

  copy(): Partition {
    return new Partition(this.#graph, this);
  }

  get isDiscrete(): boolean {
    return this.cells === this.row.length;
  }

  /** The vertices of the cell that starts at `start`. */
  cell(start: number): Int32Array {
    return this.row.subarray(start, start + this.length[start]!);
  }

  /** Start of the first cell with more than one vertex and a first vertex below `below`; undefined if not found. */
  open(below: number): number | undefined {
    for (let at = 0; at < this.row.length; at += this.length[at]!)
      if (this.length[at]! > 1 && this.row[at]! < below) return at;
    return undefined;
  }

  /** Individualises a vertex (splits it off to the front of its cell) and refines. */
  single(v: number): void {
    const start = this.cellOf[v]!;
    if (this.length[start] === 1) return;
    this.#swap(this.#place[v]!, start);
    this.#cut(start, start + 1);
    this.trace = Math.imul(this.trace ^ start, 0x01000193);
    this.refine([start]);
  }

  /** Splits cells until the partition is equitable. O((vertices + edges) · log vertices). */
  refine(splitters: number[]): void {
    const { edges } = this.#graph;
    const queued = new Set(splitters);
    const sums = new Int32Array(this.row.length);
    const isTouched = new Uint8Array(this.row.length);
    for (let at = 0; at < splitters.length; at++) {
      const start = splitters[at]!;
      queued.delete(start);
      const touched: number[] = [];
      for (const v of this.cell(start))
        for (let k = edges.start[v]!, end = edges.start[v + 1]!; k < end; k += 2) {
          const u = edges.items[k]!;
          sums[u] = (sums[u]! + edges.items[k + 1]!) | 0;
          if (isTouched[u] === 1) continue;
          isTouched[u] = 1;
          touched.push(u);
        }
      const cells = [...new Set(touched.map((u) => this.cellOf[u]!))].sort((a, b) => a - b);
      for (const cell of cells) this.#split(cell, sums, splitters, queued);
      for (const u of touched) sums[u] = isTouched[u] = 0;
    }
  }

  /** Splits a cell by the sums of its vertices, ascending; all parts but the longest become splitters. */
  #split(cell: number, sums: Int32Array, splitters: number[], queued: Set<number>): void {
    const members = this.cell(cell);
    this.#mix(cell);
    if (members.length === 1) {
      this.#mix(sums[members[0]!]!);
      return;
    }
    members.sort((a, b) => sums[a]! - sums[b]!);
    const starts = [cell];
    for (let k = 0; k < members.length; k++) {
      this.#place[members[k]!] = cell + k;
      if (k > 0 && sums[members[k]!] !== sums[members[k - 1]!]) starts.push(cell + k);
    }
    for (let k = starts.length - 1; k > 0; k--) this.#cut(cell, starts[k]!);
    for (const start of starts) {
      this.#mix(this.length[start]!);
      this.#mix(sums[this.row[start]!]!);
    }
    if (starts.length === 1) return;
    const longest = queued.has(cell)
      ? -1
      : starts.reduce((best, s) => (this.length[s]! > this.length[best]! ? s : best), cell);
    for (const start of starts)
      if (start !== longest && !queued.has(start)) {
        queued.add(start);
        splitters.push(start);
      }
  }

  /** Splits a cell at `at`, where the new cell starts. */
  #cut(start: number, at: number): void {
    const end = start + this.length[start]!;
    this.length[at] = end - at;
    this.length[start] = at - start;
    for (let k = at; k < end; k++) this.cellOf[this.row[k]!] = at;
    this.cells++;
  }

  #swap(a: number, b: number): void {
    const [v, w] = [this.row[a]!, this.row[b]!];
    this.row[a] = w;
    this.row[b] = v;
    this.#place[w] = a;
    this.#place[v] = b;
  }

  /** Mixes a number into `trace`. */
  #mix(n: number): void {
    this.trace = mixed(this.trace ^ Math.imul(n, 0x9e3779b1));
  }
}
