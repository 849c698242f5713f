import { NONE } from './node-list.ts';
import { before } from './node-order.ts';

/** The link of a free node is FREE − the next free one: less than NONE, so that free and pending nodes are told apart. */
export const FREE = -3;

/** Pending completions, in their order. */
export interface QueueState {
  /** How many numbers in `values` belong to each. */
  readonly width: number;
  readonly nodes: Int32Array;
  readonly times: Float64Array;
  readonly orders: Float64Array;
  readonly kinds: Int32Array;
  readonly values: Float64Array;
}

/**
 * The completions of an event queue as nodes: numbers into flat arrays, which double when they are full. A node has a
 * time, an order, a kind, `width` numbers in `values`, and a link for lists. 25 + 8 × width bytes a node.
 */
export class NodeStore {
  readonly width: number;
  size = 0;
  values: Float64Array;
  kinds: Int32Array;
  times: Float64Array;
  protected orders: Float64Array;
  /** The next node of the same list; NONE at its end and outside lists. */
  protected link: Int32Array;
  protected free: number = NONE;
  /** 1: was removed, but waits for being taken out of its list or heap. */
  protected removed: Uint8Array;
  protected removedCount = 0;

  constructor(width: number) {
    const capacity = 64;
    this.width = width;
    this.values = new Float64Array(capacity * width);
    this.kinds = new Int32Array(capacity);
    this.times = new Float64Array(capacity);
    this.orders = new Float64Array(capacity);
    this.link = new Int32Array(capacity);
    this.removed = new Uint8Array(capacity);
    this.empty();
  }

  /** Takes a node that is free, and counts it. Its link is left to the caller. */
  protected allocate(time: number, order: number, kind: number): number {
    if (this.free < 0) this.#grow();
    const node = this.free;
    this.free = FREE - this.link[node]!;
    this.times[node] = time;
    this.orders[node] = order;
    this.kinds[node] = kind;
    this.size++;
    return node;
  }

  protected isPending(node: number): boolean {
    return this.link[node]! >= NONE && this.removed[node] === 0;
  }

  /** Sets a removed node free that is in no list or heap any more. */
  protected release(node: number): void {
    this.removed[node] = 0;
    this.removedCount--;
    this.link[node] = FREE - this.free;
    this.free = node;
  }

  /** Sets all nodes free. O(capacity). */
  protected empty(): void {
    this.size = 0;
    this.removed.fill(0);
    this.removedCount = 0;
    this.link.fill(FREE - NONE);
    this.#chainFree();
  }

  /** A copy of what is pending. O(capacity + n log n). */
  protected copy(): QueueState {
    const { width } = this;
    const nodes = new Int32Array(this.size);
    for (let n = 0, k = 0; k < nodes.length; n++) if (this.isPending(n)) nodes[k++] = n;
    nodes.sort((a, b) => (before(a, b, this.times, this.orders) ? -1 : 1));
    const values = new Float64Array(nodes.length * width);
    nodes.forEach((n, k) => {
      values.set(this.values.subarray(n * width, (n + 1) * width), k * width);
    });
    return {
      width,
      nodes,
      times: Float64Array.from(nodes, (n) => this.times[n]!),
      orders: Float64Array.from(nodes, (n) => this.orders[n]!),
      kinds: Int32Array.from(nodes, (n) => this.kinds[n]!),
      values,
    };
  }

  /**
   * Replaces what is pending by a copy, in the same nodes, and returns them as one list. Free nodes will be taken in the
   * order of their numbers, whatever was before.
   *
   * @throws Error if the copy is of another width.
   */
  protected load(state: QueueState): number {
    const { width, nodes } = state;
    if (width !== this.width) throw new Error(`a state of width ${width}, expected ${this.width}`);
    this.empty();
    const last = nodes.reduce((a, b) => Math.max(a, b), NONE);
    while (this.kinds.length <= last) this.#grow();
    this.size = nodes.length;
    let list = NONE;
    nodes.forEach((n, k) => {
      this.times[n] = state.times[k]!;
      this.orders[n] = state.orders[k]!;
      this.kinds[n] = state.kinds[k]!;
      this.values.set(state.values.subarray(k * width, (k + 1) * width), n * width);
      this.link[n] = list;
      list = n;
    });
    this.#chainFree();
    return list;
  }

  #chainFree(): void {
    const { link } = this;
    this.free = NONE;
    for (let node = link.length - 1; node >= 0; node--) {
      if (link[node]! >= NONE) continue;
      link[node] = FREE - this.free;
      this.free = node;
    }
  }

  #grow(): void {
    const old = this.kinds.length;
    const capacity = old * 2;
    this.values = grown(this.values, capacity * this.width);
    this.kinds = grown(this.kinds, capacity);
    this.times = grown(this.times, capacity);
    this.orders = grown(this.orders, capacity);
    this.removed = grown(this.removed, capacity);
    this.link = grown(this.link, capacity).fill(FREE - NONE, old);
    this.#chainFree();
  }
}

/** A copy with room for `length` entries. */
export function grown<A extends Int32Array | Float64Array | Uint8Array>(array: A, length: number): A {
  const copy = new (array.constructor as new (n: number) => A)(length);
  copy.set(array);
  return copy;
}
