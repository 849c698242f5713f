/**
 * A 4-ary heap of node numbers, ordered by time, then order, then number (Williams 1964; arity after LaMarca & Ladner
 * 1996). The times and orders belong to the caller, who passes them. Push and pop are O(log n), a push that comes last
 * O(1); 4 bytes a node.
 */
export class NodeHeap {
  size = 0;
  nodes: Int32Array = new Int32Array(16);

  push(node: number, times: Float64Array, orders: Float64Array): void {
    let k = this.size++;
    if (k === this.nodes.length) {
      const more = new Int32Array(k * 2);
      more.set(this.nodes);
      this.nodes = more;
    }
    const heap = this.nodes;
    const time = times[node]!;
    const order = orders[node]!;
    while (k > 0) {
      const up = (k - 1) >> 2;
      const other = heap[up]!;
      const t = times[other]!;
      if (t < time || (t === time && (orders[other]! < order || (orders[other] === order && other < node)))) break;
      heap[k] = other;
      k = up;
    }
    heap[k] = node;
  }

  pop(times: Float64Array, orders: Float64Array): number {
    const top = this.nodes[0]!;
    const size = --this.size;
    if (size > 0) this.#sink(0, this.nodes[size]!, times, orders);
    return top;
  }

  /** Makes a heap of nodes in any order (Floyd 1964). O(n). */
  restore(times: Float64Array, orders: Float64Array): void {
    for (let k = (this.size - 2) >> 2; k >= 0; k--) this.#sink(k, this.nodes[k]!, times, orders);
  }

  #sink(from: number, node: number, times: Float64Array, orders: Float64Array): void {
    const heap = this.nodes;
    const size = this.size;
    const time = times[node]!;
    const order = orders[node]!;
    let k = from;
    for (;;) {
      const first = (k << 2) + 1;
      if (first >= size) break;
      const end = Math.min(first + 4, size);
      let at = first;
      let best = heap[first]!;
      let t = times[best]!;
      for (let c = first + 1; c < end; c++) {
        const n = heap[c]!;
        const s = times[n]!;
        if (s < t || (s === t && (orders[n]! < orders[best]! || (orders[n] === orders[best] && n < best)))) {
          at = c;
          best = n;
          t = s;
        }
      }
      if (t > time || (t === time && (orders[best]! > order || (orders[best] === order && best > node)))) break;
      heap[k] = best;
      k = at;
    }
    heap[k] = node;
  }
}
