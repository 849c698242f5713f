import { NodeHeap } from './node-heap.ts';

const NONE = -1;
/** The link of a free node is FREE − the next free one: less than NONE, so that free and pending nodes are told apart. */
const FREE = -3;
/** Up to so many are all of today: a sorted list is the fastest. */
const FEW = 8;
/** Steps along a list before a heap takes over. */
const WALK = 16;
const SHORTEST_YEAR = 32;
/** Days are numbered up to here before the numbers start anew. */
const LAST_DAY = 2 ** 30;
/** Completions on a day, on average. Measured: 2 to 6 are about equal, fewer cost more. */
const A_DAY = 3;
/** Fewest completions from one look at the rate to the next. */
const EPOCH = 512;
/** Times from which a rate is estimated while none has been observed. */
const SAMPLE = 64;

/** The pending completions of a queue, in their order. */
export interface QueueState {
  /** Numbers in `values` for each. */
  readonly width: number;
  readonly nodes: Int32Array;
  readonly times: Float64Array;
  readonly orders: Float64Array;
  readonly kinds: Int32Array;
  readonly values: Float64Array;
}

/**
 * Pending completions, ordered by time; at equal times by `order`, the number of their start; then by node. A node is
 * the handle of a completion until it is popped or removed; it carries its kind and `width` numbers in `values`.
 *
 * A self-tuning calendar queue (Brown, _Calendar Queues_, CACM 31(10), 1988) between two heaps. Days are lists without
 * order; a day that comes is sorted into the list of today. What would need a long walk there goes into a heap of today,
 * what lies more than a year ahead into a heap of later ones. So no distribution of times makes it worse than two heaps,
 * and one that is not in disorder at a single instant or over more than a year never comes near them. A bit for each
 * day tells whether it has any, so that 32 empty days are passed at a time. The length of a day follows the mean time
 * between the latest completions (the idea of Tan & Thng, _SNOOPy Calendar Queue_, WSC 2000, to tune by what operations
 * cost instead of by size alone); the number of days, 2 to 4 for each completion, follows the size. A day is a monotone
 * function of the time, also after rounding, so that the order never depends on the tuning.
 *
 * Push and pop are O(1) on average where the rate of completions changes slowly and O(log n) otherwise, plus O(n) for
 * tuning after at least max(n, 512) operations. Nothing is allocated but when it outgrows its arrays. Memory: 25 + 8 × width
 * bytes for each node of the capacity (a power of 2), 8 to 16 for each completion, 4 more for those in a heap.
 */
export class EventQueue {
  readonly width: number;
  size = 0;
  /** The earliest time, Infinity when empty. */
  next: number = Number.POSITIVE_INFINITY;
  values: Float64Array;
  kinds: Int32Array;
  times: Float64Array;
  #orders: Float64Array;
  /** The next node of the same list. */
  #link: Int32Array;
  /** 1: was removed, but still is in its list or heap. */
  #removed: Uint8Array;
  #removedCount = 0;
  #free: number = NONE;

  // The year: day d is at d & mask, and only days from today to today + mask are in it.
  #days: Int32Array = new Int32Array(SHORTEST_YEAR);
  #marks: Int32Array = new Int32Array(SHORTEST_YEAR >> 5);
  #mask: number = SHORTEST_YEAR - 1;
  /** The day of a time is (time − base) × rate, rounded down. Both are set to fractions first, so that V8 stores doubles. */
  #base = 0.5;
  #rate = 0.5;
  #day = 0;
  /** The day of the earliest, if nothing is left of today; NONE: it is a later one. */
  #ahead: number = NONE;
  readonly #later: NodeHeap = new NodeHeap();

  // Today: a sorted list, and a heap of those that would need a long walk along it.
  #head: number = NONE;
  #tail: number = NONE;
  /** The node last inserted: those that follow in order find their place here. */
  #hint: number = NONE;
  readonly #today: NodeHeap = new NodeHeap();

  // Tuning: an epoch ends after a number of ticks, which are completions or words of empty days.
  #epoch: number = EPOCH;
  #ticks: number = EPOCH;
  #emptyWords = 0;
  #since = 0.5;
  readonly #runs: Int32Array = new Int32Array(32);
  readonly #sample: Float64Array = new Float64Array(SAMPLE);

  constructor(width: number) {
    const capacity = 64;
    this.width = width;
    this.values = new Float64Array(capacity * width);
    this.kinds = new Int32Array(capacity);
    this.times = new Float64Array(capacity);
    this.#orders = new Float64Array(capacity);
    this.#link = new Int32Array(capacity);
    this.#removed = new Uint8Array(capacity);
    this.clear();
  }

  /** Enters a completion at a finite time and returns its node, whose `values` the caller fills. */
  push(time: number, order: number, kind: number): number {
    if (this.#free < 0) this.#grow();
    const link = this.#link;
    const node = this.#free;
    this.#free = FREE - link[node]!;
    this.times[node] = time;
    this.#orders[node] = order;
    this.kinds[node] = kind;
    const size = ++this.size;
    const mask = this.#mask;
    const day = (time - this.#base) * this.#rate;
    const ahead = day - this.#day;
    if (ahead >= 1 && ahead <= mask) {
      const slot = day & mask;
      const days = this.#days;
      link[node] = days[slot]!;
      days[slot] = node;
      this.#marks[slot >> 5]! |= 1 << slot;
      if (time < this.next) {
        this.next = time;
        this.#ahead = day | 0;
      }
    } else {
      this.#aside(node, time, ahead);
      if (this.#ticks <= 0) this.#tune();
    }
    if (size << 1 > mask) this.#rebuild(0);
    return node;
  }

  /** Removes the earliest node and returns it; its values stay readable until the next push. There must be one. */
  pop(): number {
    if (this.#today.size > 0) this.#raise();
    else if (this.#head < 0) {
      if (this.#ticks <= 0) this.#tune();
      if (this.#ahead < 0) this.#turn();
      this.#open();
    }
    const link = this.#link;
    const node = this.#head;
    const head = link[node]!;
    this.#head = head;
    this.size--;
    if (this.#today.size > 0 || this.#removedCount > 0) this.#settle();
    else if (head >= 0) this.next = this.times[head]!;
    else if (!this.#seek()) this.#settle();
    link[node] = FREE - this.#free;
    this.#free = node;
    return node;
  }

  /**
   * Takes back a pending completion. O(1) amortised: its node is free once its time comes, or sooner where more are
   * removed than pending.
   *
   * @throws Error if the node is not pending.
   */
  remove(node: number): void {
    if (!(this.#link[node]! >= NONE) || this.#removed[node] !== 0) throw new Error(`node ${node} is not pending`);
    this.#removed[node] = 1;
    this.#removedCount++;
    this.size--;
    if (this.#removedCount > this.size + SAMPLE) this.#rebuild(this.#rate);
    else if (this.times[node] === this.next) this.#settle();
  }

  /** Moves every completion up to `limit` to the time `now`, so that among them only the order of their starts counts. */
  gather(now: number, limit: number): void {
    const link = this.#link;
    let due = NONE;
    while (this.next <= limit) {
      const node = this.pop();
      this.#free = FREE - link[node]!;
      link[node] = due;
      due = node;
    }
    // The hint may be one of those taken out, whose time is about to change.
    this.#hint = NONE;
    while (due >= 0) {
      const node = due;
      due = link[node]!;
      this.times[node] = now;
      this.#enter(node);
      this.size++;
    }
  }

  /** Removes all. O(capacity). */
  clear(): void {
    this.size = 0;
    this.#removed.fill(0);
    this.#removedCount = 0;
    this.#link.fill(FREE - NONE);
    this.#chainFree();
    this.#later.size = 0;
    this.#empty(0, 0, 0);
    this.#begin();
  }

  /**
   * A copy of what is pending. The queue itself goes on from it as well, so that one to which it is restored does exactly
   * the same from then on: same order, same nodes. O(capacity + n log n).
   */
  state(): QueueState {
    const { width } = this;
    const nodes = new Int32Array(this.size);
    for (let n = 0, k = 0; k < nodes.length; n++) if (this.#link[n]! >= NONE && this.#removed[n] === 0) nodes[k++] = n;
    nodes.sort((a, b) => (this.#before(a, b) ? -1 : 1));
    const values = new Float64Array(nodes.length * width);
    nodes.forEach((n, k) => {
      values.set(this.values.subarray(n * width, (n + 1) * width), k * width);
    });
    const state = {
      width,
      nodes,
      times: Float64Array.from(nodes, (n) => this.times[n]!),
      orders: Float64Array.from(nodes, (n) => this.#orders[n]!),
      kinds: Int32Array.from(nodes, (n) => this.kinds[n]!),
      values,
    };
    this.restore(state);
    return state;
  }

  /**
   * Replaces what is pending by a state, which is copied.
   *
   * @throws Error if the state is of a queue of other width.
   */
  restore(state: QueueState): void {
    const { width, nodes } = state;
    if (width !== this.width) throw new Error(`a state of width ${width}, expected ${this.width}`);
    this.clear();
    const last = nodes.reduce((a, b) => Math.max(a, b), NONE);
    while (this.kinds.length <= last) this.#grow();
    this.size = nodes.length;
    nodes.forEach((n, k) => {
      this.times[n] = state.times[k]!;
      this.#orders[n] = state.orders[k]!;
      this.kinds[n] = state.kinds[k]!;
      this.values.set(state.values.subarray(k * width, (k + 1) * width), n * width);
      this.#link[n] = this.#head;
      this.#head = n;
    });
    this.#chainFree();
    this.#rebuild(0);
  }

  /** Makes the earliest the head of today's list, where there is a heap. */
  #raise(): void {
    const today = this.#today;
    const top = today.nodes[0]!;
    const head = this.#head;
    if (head >= 0 && this.#before(head, top)) return;
    today.pop(this.times, this.#orders);
    if (head < 0) this.#tail = top;
    this.#link[top] = head;
    this.#head = top;
  }

  /** The day ahead becomes today, of which nothing is left. */
  #open(): void {
    const link = this.#link;
    const days = this.#days;
    const day = this.#ahead;
    const slot = day & this.#mask;
    let head = days[slot]!;
    days[slot] = NONE;
    this.#marks[slot >> 5]! &= ~(1 << slot);
    this.#day = day;
    let tail = head;
    let ticks = this.#ticks - 1;
    let node = link[head]!;
    for (; node >= 0; ticks--) {
      const rest = link[node]!;
      if (!this.#before(node, tail)) {
        link[tail] = node;
        tail = node;
      } else if (this.#before(node, head)) {
        link[node] = head;
        head = node;
      } else break;
      node = rest;
    }
    link[tail] = NONE;
    this.#head = head;
    this.#tail = tail;
    this.#ticks = ticks;
    this.#hint = NONE;
    if (node >= 0) this.#sort(node);
    if (this.#later.size > 0) this.#fetch();
    if (day > LAST_DAY) this.#rebuild(this.#rate);
  }

  /** Sorts a list into today's: natural merge sort (Knuth, TAOCP 3, §5.2.4). O(k log k). */
  #sort(list: number): void {
    const link = this.#link;
    const runs = this.#runs;
    let last = this.#tail;
    runs[0] = this.#head;
    let top = 1;
    for (let node = list; node >= 0; ) {
      let head = node;
      let tail = node;
      node = link[node]!;
      for (; node >= 0; ) {
        const rest = link[node]!;
        if (!this.#before(node, tail)) {
          link[tail] = node;
          tail = node;
        } else if (this.#before(node, head)) {
          link[node] = head;
          head = node;
        } else break;
        this.#ticks--;
        node = rest;
      }
      this.#ticks--;
      link[tail] = NONE;
      if (this.#before(last, tail)) last = tail;
      let k = 0;
      for (; k < top && runs[k]! >= 0; k++) {
        head = this.#merge(runs[k]!, head);
        runs[k] = NONE;
      }
      runs[k] = head;
      if (k === top) top++;
    }
    let head = NONE;
    for (let k = 0; k < top; k++) if (runs[k]! >= 0) head = head < 0 ? runs[k]! : this.#merge(runs[k]!, head);
    this.#head = head;
    this.#tail = last;
  }

  #merge(one: number, other: number): number {
    const link = this.#link;
    let a = one;
    let b = other;
    let head = NONE;
    let tail = NONE;
    while (a >= 0 && b >= 0) {
      let n = a;
      if (this.#before(b, a)) {
        n = b;
        b = link[b]!;
      } else a = link[a]!;
      if (tail < 0) head = n;
      else link[tail] = n;
      tail = n;
    }
    link[tail] = a >= 0 ? a : b;
    return head;
  }

  /** The year begins anew with the first of the later ones: no other are left. */
  #turn(): void {
    this.#base = this.next;
    this.#day = -1;
    this.next = Number.POSITIVE_INFINITY;
    this.#fetch();
  }

  /** Brings in the later ones that the year covers. */
  #fetch(): void {
    const later = this.#later;
    const times = this.times;
    while (later.size > 0) {
      const ahead = (times[later.nodes[0]!]! - this.#base) * this.#rate - this.#day;
      if (ahead > this.#mask) return;
      this.#enter(later.pop(times, this.#orders));
    }
  }

  #before(a: number, b: number): boolean {
    const times = this.times;
    const s = times[a]!;
    const t = times[b]!;
    if (s !== t) return s < t;
    const orders = this.#orders;
    return orders[a]! < orders[b]! || (orders[a] === orders[b] && a < b);
  }

  /** Enters a node of today, or of a day before. */
  #insert(node: number): void {
    const link = this.#link;
    const head = this.#head;
    if (head < 0) {
      link[node] = NONE;
      this.#head = node;
      this.#tail = node;
    } else if (!this.#before(node, this.#tail)) {
      link[this.#tail] = node;
      link[node] = NONE;
      this.#tail = node;
    } else if (this.#before(node, head)) {
      link[node] = head;
      this.#head = node;
    } else {
      this.#insertInside(node);
      return;
    }
    this.#hint = node;
  }

  #insertInside(node: number): void {
    const link = this.#link;
    const head = this.#head;
    const hint = this.#hint;
    let at = head;
    if (hint >= 0 && link[hint]! >= NONE && this.#before(head, hint) && this.#before(hint, node)) at = hint;
    let n = link[at]!;
    for (let k = 0; this.#before(n, node); k++) {
      if (k === WALK) {
        link[node] = NONE;
        if (hint === node) this.#hint = NONE;
        this.#today.push(node, this.times, this.#orders);
        return;
      }
      at = n;
      n = link[n]!;
    }
    link[at] = node;
    link[node] = n;
    this.#hint = node;
  }

  /** Enters a node that is not of a day of the year to come; `ahead` is by how many days it is ahead of today. */
  #aside(node: number, time: number, ahead: number): void {
    if (ahead < 1) {
      this.#insert(node);
      this.#ticks--;
    } else {
      this.#link[node] = NONE;
      this.#later.push(node, this.times, this.#orders);
    }
    if (time < this.next) {
      this.next = time;
      this.#ahead = NONE;
    }
  }

  /** Enters a node by its time. */
  #enter(node: number): void {
    const time = this.times[node]!;
    const mask = this.#mask;
    const day = (time - this.#base) * this.#rate;
    const ahead = day - this.#day;
    if (!(ahead >= 1 && ahead <= mask)) {
      this.#aside(node, time, ahead);
      return;
    }
    const slot = day & mask;
    this.#link[node] = this.#days[slot]!;
    this.#days[slot] = node;
    this.#marks[slot >> 5]! |= 1 << slot;
    if (time < this.next) {
      this.next = time;
      this.#ahead = day | 0;
    }
  }

  /** Finds the earliest, and sets free removed nodes before it. */
  #settle(): void {
    const today = this.#today;
    for (;;) {
      const head = this.#head;
      if (head < 0 && today.size === 0) {
        if (this.#seek()) return;
        continue;
      }
      const inHeap = today.size > 0 && (head < 0 || this.#before(today.nodes[0]!, head));
      const top = inHeap ? today.nodes[0]! : head;
      if (this.#removed[top] === 0) {
        this.next = this.times[top]!;
        return;
      }
      if (inHeap) today.pop(this.times, this.#orders);
      else this.#head = this.#link[top]!;
      this.#release(top);
    }
  }

  /** Finds the earliest where nothing is left of today; false: what was found was removed before, or has come to be of today. */
  #seek(): boolean {
    if (this.size + this.#removedCount === this.#later.size) return this.#seekLater();
    const mask = this.#mask;
    const tomorrow = this.#day + 1;
    const from = tomorrow & mask;
    const marks = this.#marks;
    let w = from >> 5;
    let word = (marks[w]! >>> from) << from;
    while (word === 0) {
      w = (w + 1) & (mask >> 5);
      word = marks[w]!;
      this.#emptyWords++;
      this.#ticks--;
    }
    const slot = (w << 5) + lowest(word);
    this.#ahead = tomorrow + ((slot - from) & mask);
    if (this.#removedCount > 0 && !this.#weed(slot)) return false;
    const times = this.times;
    const link = this.#link;
    let node = this.#days[slot]!;
    let time = times[node]!;
    node = link[node]!;
    for (let k = 1; node >= 0; k++) {
      const t = times[node]!;
      if (t < time) time = t;
      node = link[node]!;
      if (k === WALK) {
        this.#open();
        return false;
      }
    }
    this.next = time;
    return true;
  }

  #seekLater(): boolean {
    const later = this.#later;
    this.#ahead = NONE;
    if (later.size === 0) {
      this.next = Number.POSITIVE_INFINITY;
      return true;
    }
    const top = later.nodes[0]!;
    this.next = this.times[top]!;
    if (this.#removed[top] === 0) return true;
    later.pop(this.times, this.#orders);
    this.#release(top);
    return false;
  }

  /** Sets free the removed nodes of a day; false: it has no other. */
  #weed(slot: number): boolean {
    const link = this.#link;
    let first = NONE;
    for (let node = this.#days[slot]!, last = NONE; node >= 0; ) {
      const rest = link[node]!;
      if (this.#removed[node] !== 0) this.#release(node);
      else {
        if (last < 0) first = node;
        else link[last] = node;
        link[node] = NONE;
        last = node;
      }
      node = rest;
    }
    this.#days[slot] = first;
    if (first < 0) this.#marks[slot >> 5]! &= ~(1 << slot);
    return first >= 0;
  }

  /** Sets a removed node free. */
  #release(node: number): void {
    this.#removed[node] = 0;
    this.#removedCount--;
    this.#link[node] = FREE - this.#free;
    this.#free = node;
  }

  /** Ends an epoch: a new year where the rate has doubled or halved, or the year has become far too long. */
  #tune(): void {
    const completions = this.#epoch - this.#ticks - this.#emptyWords;
    const elapsed = this.next - this.#since;
    const rate = completions > 0 && elapsed > 0 ? completions / (elapsed * A_DAY) : this.#rate;
    const off = rate > this.#rate * 2 || rate * 2 < this.#rate;
    const sparse = this.size << 4 < this.#mask && this.#mask >= SHORTEST_YEAR;
    if (off || sparse) this.#rebuild(rate);
    else this.#begin();
  }

  #begin(): void {
    this.#epoch = this.#ticks = Math.max(EPOCH, this.size);
    this.#emptyWords = 0;
    this.#since = this.next;
  }

  /**
   * Begins a year of days for the present size, and sets free what was removed. Where `rate` is 0 it is estimated from
   * the earlier quarter of what is pending. O(n), as those that were later stay where they are unless the year covers them.
   */
  #rebuild(rate: number): void {
    const link = this.#link;
    const times = this.times;
    const later = this.#later;
    if (this.#removedCount > 0) this.#weedLater();
    let all = NONE;
    const take = (list: number): void => {
      for (let node = list; node >= 0; ) {
        const rest = link[node]!;
        if (this.#removed[node] !== 0) this.#release(node);
        else {
          link[node] = all;
          all = node;
        }
        node = rest;
      }
    };
    this.#marks.forEach((word, w) => {
      for (let rest = word; rest !== 0; rest &= rest - 1) take(this.#days[(w << 5) + lowest(rest)]!);
    });
    take(this.#head);
    for (let k = 0; k < this.#today.size; k++) take(this.#today.nodes[k]!);
    const { size } = this;
    let first = later.size > 0 ? times[later.nodes[0]!]! : Number.POSITIVE_INFINITY;
    for (let node = all; node >= 0; node = link[node]!) first = Math.min(first, times[node]!);
    const perTime = rate === 0 && size > FEW ? this.#estimate(all, first) : rate;
    this.#empty(size, size === 0 ? 0 : first, size <= FEW ? 0 : Math.min(perTime, 1e300));
    for (let node = all; node >= 0; ) {
      const rest = link[node]!;
      this.#enter(node);
      node = rest;
    }
    this.#fetch();
    this.#begin();
  }

  /** The rate of the earlier quarter of what is pending, from a sample; `list` are those that are not later ones. */
  #estimate(list: number, first: number): number {
    const { size } = this;
    const later = this.#later;
    const sample = this.#sample;
    const stride = Math.ceil(size / SAMPLE);
    let count = 0;
    for (let node = list; node >= 0; node = this.#link[node]!, count++)
      if (count % stride === 0) sample[count / stride] = this.times[node]!;
    for (let k = 0; k < later.size; k++, count++)
      if (count % stride === 0) sample[count / stride] = this.times[later.nodes[k]!]!;
    const some = sample.subarray(0, Math.ceil(count / stride)).sort();
    const gap = (some[some.length >> 2]! - first) / (count / 4);
    return gap > 0 ? 1 / (gap * A_DAY) : this.#rate || 1;
  }

  #weedLater(): void {
    const later = this.#later;
    let kept = 0;
    for (let k = 0; k < later.size; k++) {
      const node = later.nodes[k]!;
      if (this.#removed[node] !== 0) this.#release(node);
      else later.nodes[kept++] = node;
    }
    later.size = kept;
    later.restore(this.times, this.#orders);
  }

  /** An empty year with days for `count` completions. */
  #empty(count: number, base: number, rate: number): void {
    let length = SHORTEST_YEAR;
    while (length < count * 4) length *= 2;
    if (length !== this.#days.length) {
      this.#mask = length - 1;
      this.#days = new Int32Array(length);
      this.#marks = new Int32Array(length >> 5);
    }
    this.#days.fill(NONE);
    this.#marks.fill(0);
    this.#base = base;
    this.#rate = rate;
    this.#day = -1;
    this.#ahead = this.#head = this.#tail = this.#hint = NONE;
    this.#today.size = 0;
    this.next = Number.POSITIVE_INFINITY;
  }

  /** Chains the free nodes in the order of their numbers. */
  #chainFree(): void {
    const link = this.#link;
    this.#free = NONE;
    for (let node = link.length - 1; node >= 0; node--) {
      if (link[node]! >= NONE) continue;
      link[node] = FREE - this.#free;
      this.#free = node;
    }
  }

  #grow(): void {
    const old = this.kinds.length;
    const capacity = old * 2;
    this.values = grown(this.values, capacity * this.width);
    this.kinds = grown(this.kinds, capacity);
    this.times = grown(this.times, capacity);
    this.#orders = grown(this.#orders, capacity);
    this.#removed = grown(this.#removed, capacity);
    this.#link = grown(this.#link, capacity).fill(FREE - NONE, old);
    this.#chainFree();
  }
}

/** The number of the lowest bit that is set. */
function lowest(word: number): number {
  return 31 - Math.clz32(word & -word);
}

/** A copy with room for `length` entries. */
export function grown<A extends Int32Array | Float64Array | Uint8Array>(array: A, length: number): A {
  const copy = new (array.constructor as new (n: number) => A)(length);
  copy.set(array);
  return copy;
}
