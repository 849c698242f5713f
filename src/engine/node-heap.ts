import { before } from './node-order.ts';

/**
 * A 4-ary heap of node numbers (Williams 1964; arity after LaMarca & Ladner 1996). Times and orders belong to the
 * caller, who passes them. Push and pop are O(log n), a push that comes last O(1); 4 bytes a node.
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
    while (k > 0) {
      const up = (k - 1) >> 2;
      const other = heap[up]!;
      const t = times[other]!;
      if (t < time || (t === time && before(other, node, times, orders))) break;
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
  order(times: Float64Array, orders: Float64Array): void {
    for (let k = (this.size - 2) >> 2; k >= 0; k--) this.#sink(k, this.nodes[k]!, times, orders);
  }

  #sink(from: number, node: number, times: Float64Array, orders: Float64Array): void {
    const heap = this.nodes;
    const { size } = this;
    const time = times[node]!;
    let k = from;
    for (;;) {
      const first = (k << 2) + 1;
      if (first >= size) break;
      const end = Math.min(first + 4, size);
      let at = first;
      let best = heap[first]!;
      let least = times[best]!;
      for (let c = first + 1; c < end; c++) {
        const other = heap[c]!;
        const t = times[other]!;
        if (t < least || (t === least && before(other, best, times, orders))) {
          at = c;
          best = other;
          least = t;
        }
      }
      if (time < least || (time === least && before(node, best, times, orders))) break;
      heap[k] = best;
      k = at;
    }
    heap[k] = node;
  }
}
