/**
 * Plain event queue with which `src/engine/emit/queue/queue.ts` is compared: a 4-ary heap of node numbers over flat arrays
 * (Williams 1964; arity after LaMarca & Ladner 1996), ordered by time, then by order.
 */
export class FourAryHeap {
  readonly width: number;
  size = 0;
  next: number = Number.POSITIVE_INFINITY;
  values: Float64Array;
  kinds: Int32Array;
  times: Float64Array;
  #order: Float64Array;
  #heap: Int32Array;
  #free: Int32Array;
  #freeCount: number;

  constructor(width: number) {
    const capacity = 64;
    this.width = width;
    this.values = new Float64Array(capacity * width);
    this.kinds = new Int32Array(capacity);
    this.times = new Float64Array(capacity);
    this.#order = new Float64Array(capacity);
    this.#heap = new Int32Array(capacity);
    this.#free = Int32Array.from({ length: capacity }, (_, k) => capacity - 1 - k);
    this.#freeCount = capacity;
  }

  time(node: number): number {
    return this.times[node]!;
  }

  push(time: number, order: number, kind: number): number {
    if (this.#freeCount === 0) this.#grow();
    const node = this.#free[--this.#freeCount]!;
    this.times[node] = time;
    this.#order[node] = order;
    this.kinds[node] = kind;
    this.#rise(node, this.size++);
    if (time < this.next) this.next = time;
    return node;
  }

  pop(): number {
    const heap = this.#heap;
    const times = this.times;
    const orders = this.#order;
    const top = heap[0]!;
    const size = --this.size;
    const last = heap[size]!;
    const time = times[last]!;
    const order = orders[last]!;
    let k = 0;
    for (;;) {
      const first = (k << 2) + 1;
      if (first >= size) break;
      const end = Math.min(first + 4, size);
      let best = first;
      let bestTime = times[heap[first]!]!;
      for (let c = first + 1; c < end; c++) {
        const t = times[heap[c]!]!;
        if (t < bestTime || (t === bestTime && orders[heap[c]!]! < orders[heap[best]!]!)) {
          best = c;
          bestTime = t;
        }
      }
      if (bestTime > time || (bestTime === time && orders[heap[best]!]! > order)) break;
      heap[k] = heap[best]!;
      k = best;
    }
    heap[k] = last;
    this.next = size === 0 ? Number.POSITIVE_INFINITY : times[heap[0]!]!;
    this.#free[this.#freeCount++] = top;
    return top;
  }

  #rise(node: number, from: number): void {
    const { times } = this;
    const orders = this.#order;
    const heap = this.#heap;
    const time = times[node]!;
    const order = orders[node]!;
    let k = from;
    while (k > 0) {
      const up = (k - 1) >> 2;
      const other = heap[up]!;
      const t = times[other]!;
      if (t < time || (t === time && orders[other]! < order)) break;
      heap[k] = other;
      k = up;
    }
    heap[k] = node;
  }

  #grow(): void {
    const old = this.kinds.length;
    const capacity = old * 2;
    const more = <A extends Int32Array | Float64Array>(array: A, length: number): A => {
      const copy = new (array.constructor as new (n: number) => A)(length);
      copy.set(array);
      return copy;
    };
    this.values = more(this.values, capacity * this.width);
    this.kinds = more(this.kinds, capacity);
    this.times = more(this.times, capacity);
    this.#order = more(this.#order, capacity);
    this.#heap = more(this.#heap, capacity);
    this.#free = more(this.#free, capacity);
    for (let k = capacity - 1; k >= old; k--) this.#free[this.#freeCount++] = k;
  }
}
