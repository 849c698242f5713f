/**
 * Pending completions, ordered by time and, at equal times, by the order in which they were started: a 4-ary heap of
 * node numbers over flat arrays (Williams 1964; arity after LaMarca & Ladner 1996). Push and pop are O(log n); a node
 * carries its kind and `width` numbers in `values`.
 */
export class EventQueue {
  readonly width: number;
  size = 0;
  /** The earliest time, Infinity when empty. */
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

  /** Enters a completion and returns its node, whose `values` the caller fills. */
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

  /** Removes the earliest node and returns it; its values stay readable until the next push. */
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

  /** Moves every completion up to `limit` to the time `now`, so that among them only the order of their starts counts. */
  gather(now: number, limit: number): void {
    const heap = this.#heap;
    if (this.next > limit) return;
    const last = Math.min(this.size, 5);
    let crowded = false;
    for (let k = 1; k < last; k++) if (this.times[heap[k]!]! <= limit) crowded = true;
    if (!crowded) {
      this.times[heap[0]!] = now;
      this.next = now;
      return;
    }
    const due: number[] = [];
    while (this.next <= limit) due.push(this.pop());
    this.#freeCount -= due.length;
    for (const node of due) {
      this.times[node] = now;
      this.#rise(node, this.size++);
    }
    this.next = now;
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
    this.values = grown(this.values, capacity * this.width);
    this.kinds = grown(this.kinds, capacity);
    this.times = grown(this.times, capacity);
    this.#order = grown(this.#order, capacity);
    this.#heap = grown(this.#heap, capacity);
    this.#free = grown(this.#free, capacity);
    for (let k = capacity - 1; k >= old; k--) this.#free[this.#freeCount++] = k;
  }
}

/** A copy with room for `length` entries. */
export function grown<A extends Int32Array | Float64Array | Uint8Array>(array: A, length: number): A {
  const copy = new (array.constructor as new (n: number) => A)(length);
  copy.set(array);
  return copy;
}
