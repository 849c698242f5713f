import { NodeHeap } from './node-heap.ts';
import { mergeLists, NONE, sortList } from './node-list.ts';
import { before } from './node-order.ts';
import { FREE, NodeStore, type QueueState } from './node-store.ts';

export { grown, type QueueState } from './node-store.ts';

/** Completions a day, on average. Measured: from 2 to 6 the cost is about the same, with fewer it rises. */
const A_DAY = 3;
/** The shortest year: one word of marks. */
const SHORTEST_YEAR = 32;
/** Days are numbered up to here before the numbers start anew. */
const LAST_DAY = 2 ** 30;
/** Up to so many are all of one day: a sorted list is the fastest. */
const FEW = 8;
/** Steps along a list before something else is tried. */
const WALK = 16;
/** Fewest completions from one look at the rate to the next. */
const EPOCH = 512;
/** Times from which a rate is estimated while none has been observed. */
const SAMPLE = 64;
/** Removed nodes that may wait for being set free, besides as many as are pending. */
const WAITING = 64;

/**
 * Pending completions, ordered by time; at equal times by `order`, the number of their start; at equal orders by node. A
 * node is the handle of a completion until that is popped or removed; it carries a kind and `width` numbers in `values`.
 *
 * A self-tuning calendar queue (Brown, _Calendar Queues_, CACM 31(10), 1988) between two heaps. A year is a ring of
 * days, a day a list without order, sorted when it comes to be today. What is entered today and would need a long walk
 * along that list goes into a heap; so does what lies more than a year ahead. A bit for each day tells whether it has
 * any, so that 32 empty days are passed at a time. The number of days, 2 to 4 for each completion, follows the size;
 * their length follows the time between the latest completions (after Tan & Thng, _SNOOPy Calendar Queue_, WSC 2000,
 * which tunes by what operations cost). The day is a monotone function of the time, also when rounded: the order never
 * depends on the tuning.
 *
 * Push and pop are O(1) on average while the rate of completions changes slowly, and at any number of equal times if
 * their orders ascend. Otherwise they are O(log n), whatever the times; and every max(n, 512) operations may cost O(n)
 * of tuning. Nothing is allocated but when an array is outgrown. Memory: 25 + 8 × width bytes for each node (their number
 * is the power of 2 from the greatest size), 8 to 16 for each completion, 4 more for one in a heap.
 *
 * The class is long because the fields of one object are what the compiler reads fastest.
 */
export class EventQueue extends NodeStore {
  /** The earliest time, Infinity when empty. */
  next: number = Number.POSITIVE_INFINITY;

  // The year: day d is at d & mask, and it has days after today, up to today + mask.
  #days: Int32Array = new Int32Array(SHORTEST_YEAR);
  #marks: Int32Array = new Int32Array(SHORTEST_YEAR >> 5);
  #mask: number = SHORTEST_YEAR - 1;
  /** The day of a time is (time − base) × rate, rounded down. (Fractions at first, so that V8 keeps doubles here.) */
  #base = 0.5;
  #rate = 0.5;
  #day = 0;
  /** The day of the earliest, if nothing is left of today; NONE: it is a later one. */
  #ahead: number = NONE;
  readonly #later: NodeHeap = new NodeHeap();

  // Today: a sorted list, and a heap.
  #head: number = NONE;
  #tail: number = NONE;
  /** The node that was inserted last: those that follow it find their place here. */
  #hint: number = NONE;
  readonly #today: NodeHeap = new NodeHeap();

  // Tuning: an epoch ends after so many ticks, which are completions and words of empty days.
  #epoch: number = EPOCH;
  #ticks: number = EPOCH;
  #emptyWords = 0;
  #since = 0.5;
  readonly #sample: Float64Array = new Float64Array(SAMPLE);

  constructor(width: number) {
    super(width);
    this.clear();
  }

  /** Enters a completion at a finite time and returns its node, whose `values` the caller fills. */
  push(time: number, order: number, kind: number): number {
    const node = this.allocate(time, order, kind);
    // As #enter does it, here for speed: most are of a day to come.
    const mask = this.#mask;
    const day = (time - this.#base) * this.#rate;
    const ahead = day - this.#day;
    if (ahead >= 1 && ahead <= mask) {
      const slot = day & mask;
      const days = this.#days;
      this.link[node] = days[slot]!;
      days[slot] = node;
      this.#marks[slot >> 5]! |= 1 << slot;
      if (time < this.next) {
        this.next = time;
        this.#ahead = day | 0;
      }
    } else {
      this.#enter(node, time);
      if (this.#ticks <= 0) this.#tune();
    }
    if (this.size << 1 > mask) this.#rebuild(0);
    return node;
  }

  /** Removes the earliest node, which must exist, and returns it; its values stay readable until the next push. */
  pop(): number {
    if (this.#today.size > 0) this.#raise();
    else if (this.#head < 0) {
      if (this.#ticks <= 0) this.#tune();
      if (this.#ahead < 0) this.#turn();
      this.#open();
    }
    const { link } = this;
    const node = this.#head;
    const head = link[node]!;
    this.#head = head;
    this.size--;
    if (this.#today.size > 0 || this.removedCount > 0) this.#settle();
    else if (head >= 0) this.next = this.times[head]!;
    else if (!this.#seek()) this.#settle();
    link[node] = FREE - this.free;
    this.free = node;
    return node;
  }

  /**
   * Takes back a pending completion. Its node is set free when its turn comes, or when more wait for that than are
   * pending: O(1) amortised.
   *
   * @throws Error if the node is not pending.
   */
  remove(node: number): void {
    if (!this.isPending(node)) throw new Error(`node ${node} is not pending`);
    this.removed[node] = 1;
    this.removedCount++;
    this.size--;
    if (this.removedCount > this.size + WAITING) this.#rebuild(this.#rate);
    else if (this.times[node] === this.next) this.#settle();
  }

  /** Moves every completion up to `limit` to the time `now`, so that among them only the order of their starts counts. */
  gather(now: number, limit: number): void {
    const { link } = this;
    let due = NONE;
    while (this.next <= limit) {
      const node = this.pop();
      this.free = FREE - link[node]!;
      link[node] = due;
      due = node;
    }
    while (due >= 0) {
      const node = due;
      due = link[node]!;
      this.times[node] = now;
      this.#enter(node, now);
      this.size++;
    }
  }

  /** Removes all. O(capacity). */
  clear(): void {
    this.empty();
    this.#later.size = 0;
    this.#newYear(0, 0);
    this.#begin();
  }

  /**
   * A copy of what is pending. The queue itself goes on from it too, so that one to which it is restored does exactly the
   * same from then on: same order, same nodes. O(capacity + n log n).
   */
  state(): QueueState {
    const state = this.copy();
    this.restore(state);
    return state;
  }

  /**
   * Replaces what is pending by a state, which is copied.
   *
   * @throws Error if the state is of a queue of another width.
   */
  restore(state: QueueState): void {
    const list = this.load(state);
    this.#later.size = 0;
    this.#newYear(0, 0);
    this.#head = list;
    this.#rebuild(0);
  }

  /** Makes the earliest the head of today's list, where there is a heap. */
  #raise(): void {
    const today = this.#today;
    const top = today.nodes[0]!;
    const head = this.#head;
    if (head >= 0 && before(head, top, this.times, this.orders)) return;
    today.pop(this.times, this.orders);
    this.link[top] = head;
    this.#head = top;
  }

  /** The day ahead becomes today, of which nothing is left. */
  #open(): void {
    const { link, times, orders } = this;
    const days = this.#days;
    const day = this.#ahead;
    const slot = day & this.#mask;
    let head = days[slot]!;
    days[slot] = NONE;
    this.#marks[slot >> 5]! &= ~(1 << slot);
    this.#day = day;
    // A run that grows at both ends takes two nodes always, and most days have no more.
    let tail = head;
    let count = 1;
    let node = link[head]!;
    for (; node >= 0; count++) {
      const rest = link[node]!;
      if (!before(node, tail, times, orders)) {
        link[tail] = node;
        tail = node;
      } else if (before(node, head, times, orders)) {
        link[node] = head;
        head = node;
      } else break;
      node = rest;
    }
    link[tail] = NONE;
    if (node >= 0) {
      head = mergeLists(head, sortList(node, link, times, orders), link, times, orders);
      for (tail = head, count = 1; link[tail]! >= 0; count++) tail = link[tail]!;
    }
    this.#head = head;
    this.#tail = tail;
    this.#hint = NONE;
    this.#ticks = day > LAST_DAY ? 0 : this.#ticks - count;
    if (this.#later.size > 0) this.#fetch();
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
    const { times } = this;
    const later = this.#later;
    while (later.size > 0) {
      const time = times[later.nodes[0]!]!;
      if ((time - this.#base) * this.#rate - this.#day > this.#mask) return;
      this.#enter(later.pop(times, this.orders), time);
    }
  }

  /** Enters a node by its time: into a day to come, today, or among the later ones. */
  #enter(node: number, time: number): void {
    const { link } = this;
    const mask = this.#mask;
    const day = (time - this.#base) * this.#rate;
    const ahead = day - this.#day;
    let dayAhead = NONE;
    if (ahead >= 1 && ahead <= mask) {
      const slot = day & mask;
      const days = this.#days;
      link[node] = days[slot]!;
      days[slot] = node;
      this.#marks[slot >> 5]! |= 1 << slot;
      dayAhead = day | 0;
    } else if (ahead < 1) {
      this.#insert(node);
      this.#ticks--;
    } else {
      link[node] = NONE;
      this.#later.push(node, this.times, this.orders);
    }
    if (time < this.next) {
      this.next = time;
      this.#ahead = dayAhead;
    }
  }

  /** Enters a node of today, or of a day before. */
  #insert(node: number): void {
    const { link, times, orders } = this;
    const head = this.#head;
    if (head < 0) {
      link[node] = NONE;
      this.#head = node;
      this.#tail = node;
      this.#hint = node;
    } else if (!before(node, this.#tail, times, orders)) {
      link[this.#tail] = node;
      link[node] = NONE;
      this.#tail = node;
      this.#hint = node;
    } else if (before(node, head, times, orders)) {
      link[node] = head;
      this.#head = node;
      this.#hint = node;
    } else this.#insertWithin(node);
  }

  /** Enters a node between head and tail of today's list, or into the heap. */
  #insertWithin(node: number): void {
    const { link, times, orders } = this;
    const hint = this.#hint;
    let at = this.#head;
    // A hint that has left the list came before its head, unless it is in use again: then it is of a day to come.
    if (hint >= 0 && before(at, hint, times, orders) && before(hint, node, times, orders)) at = hint;
    let rest = link[at]!;
    for (let k = 0; before(rest, node, times, orders); k++) {
      if (k === WALK) {
        link[node] = NONE;
        if (hint === node) this.#hint = NONE;
        this.#today.push(node, times, orders);
        return;
      }
      at = rest;
      rest = link[rest]!;
    }
    link[at] = node;
    link[node] = rest;
    this.#hint = node;
  }

  /** Finds the earliest, and sets free what was removed and stands before it. */
  #settle(): void {
    const today = this.#today;
    for (;;) {
      const head = this.#head;
      if (head < 0 && today.size === 0) {
        if (this.#seek()) return;
        continue;
      }
      const inHeap = today.size > 0 && (head < 0 || before(today.nodes[0]!, head, this.times, this.orders));
      const top = inHeap ? today.nodes[0]! : head;
      if (this.removed[top] === 0) {
        this.next = this.times[top]!;
        return;
      }
      if (inHeap) today.pop(this.times, this.orders);
      else this.#head = this.link[top]!;
      this.release(top);
    }
  }

  /** Finds the earliest where nothing is left of today; false: it has to be looked for again. */
  #seek(): boolean {
    if (this.size + this.removedCount === this.#later.size) return this.#seekLater();
    const mask = this.#mask;
    const marks = this.#marks;
    const tomorrow = this.#day + 1;
    const from = tomorrow & mask;
    let w = from >> 5;
    let word = (marks[w]! >>> from) << from;
    while (word === 0) {
      w = (w + 1) & (mask >> 5);
      word = marks[w]!;
      this.#emptyWords++;
      this.#ticks--;
    }
    const slot = (w << 5) + lowestBit(word);
    this.#ahead = tomorrow + ((slot - from) & mask);
    if (this.removedCount > 0 && !this.#weed(slot)) return false;
    const { times, link } = this;
    let node = this.#days[slot]!;
    let time = times[node]!;
    node = link[node]!;
    for (let k = 1; node >= 0; k++) {
      if (k === WALK) {
        this.#open();
        return false;
      }
      const t = times[node]!;
      if (t < time) time = t;
      node = link[node]!;
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
    if (this.removed[top] === 0) return true;
    later.pop(this.times, this.orders);
    this.release(top);
    return false;
  }

  /** Sets free what was removed of a day; false: nothing is left of it. */
  #weed(slot: number): boolean {
    const list = this.#weeded(this.#days[slot]!, NONE);
    this.#days[slot] = list;
    if (list < 0) this.#marks[slot >> 5]! &= ~(1 << slot);
    return list >= 0;
  }

  /** Puts a list in front of another, in reverse, but for what was removed, which it sets free. */
  #weeded(list: number, other: number): number {
    const { link } = this;
    let result = other;
    for (let node = list; node >= 0; ) {
      const rest = link[node]!;
      if (this.removed[node] !== 0) this.release(node);
      else {
        link[node] = result;
        result = node;
      }
      node = rest;
    }
    return result;
  }

  #weedLater(): void {
    const later = this.#later;
    let kept = 0;
    for (let k = 0; k < later.size; k++) {
      const node = later.nodes[k]!;
      if (this.removed[node] !== 0) this.release(node);
      else later.nodes[kept++] = node;
    }
    later.size = kept;
    later.order(this.times, this.orders);
  }

  /** Ends an epoch: a new year if the rate has doubled or halved, or the year has come to be far too long. */
  #tune(): void {
    const completions = this.#epoch - this.#ticks - this.#emptyWords;
    const elapsed = this.next - this.#since;
    const rate = completions > 0 && elapsed > 0 ? completions / (elapsed * A_DAY) : this.#rate;
    const off = rate > this.#rate * 2 || rate * 2 < this.#rate;
    const sparse = this.size << 4 < this.#mask && this.#mask >= SHORTEST_YEAR;
    if (this.#day > LAST_DAY) this.#rebuild(this.#rate);
    else if (off || sparse) this.#rebuild(rate);
    else this.#begin();
  }

  #begin(): void {
    this.#epoch = this.#ticks = Math.max(EPOCH, this.size);
    this.#emptyWords = 0;
    this.#since = this.next;
  }

  /**
   * Begins a year of a length for the present size, and sets free what was removed. A rate of 0 is replaced by an
   * estimate. O(n), where later ones count only as far as the new year covers them.
   */
  #rebuild(rate: number): void {
    const { link, times, size } = this;
    const later = this.#later;
    const days = this.#days;
    if (this.removedCount > 0) this.#weedLater();
    let all = this.#weeded(this.#head, NONE);
    for (let k = 0; k < this.#today.size; k++) all = this.#weeded(this.#today.nodes[k]!, all);
    for (const [w, marks] of this.#marks.entries())
      for (let rest = marks; rest !== 0; rest &= rest - 1) all = this.#weeded(days[(w << 5) + lowestBit(rest)]!, all);
    let first = later.size > 0 ? times[later.nodes[0]!]! : Number.POSITIVE_INFINITY;
    for (let node = all; node >= 0; node = link[node]!) first = Math.min(first, times[node]!);
    // A rate of 0 makes it all one day. Infinity would make no number of what is of the first day.
    if (size <= FEW) this.#newYear(size === 0 ? 0 : first, 0);
    else this.#newYear(first, Math.min(rate === 0 ? this.#estimate(all, first) : rate, 1e300));
    while (all >= 0) {
      const node = all;
      all = link[node]!;
      this.#enter(node, times[node]!);
    }
    this.#fetch();
    this.#begin();
  }

  /** The rate of the earlier quarter of what is pending, from a sample; those of the list are not among the later ones. */
  #estimate(list: number, first: number): number {
    const { times, link } = this;
    const later = this.#later;
    const sample = this.#sample;
    const stride = Math.ceil(this.size / SAMPLE);
    let count = 0;
    for (let node = list; node >= 0; node = link[node]!, count++)
      if (count % stride === 0) sample[count / stride] = times[node]!;
    for (let k = 0; k < later.size; k++, count++)
      if (count % stride === 0) sample[count / stride] = times[later.nodes[k]!]!;
    const some = sample.subarray(0, Math.ceil(count / stride)).sort();
    const gap = (some[some.length >> 2]! - first) / (count / 4);
    return gap > 0 ? 1 / (gap * A_DAY) : this.#rate || 1;
  }

  /** An empty year of a length for the size, of which no day has come. */
  #newYear(base: number, rate: number): void {
    let length = SHORTEST_YEAR;
    while (length < this.size * 4) length *= 2;
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
}

/** The number of the lowest bit that is set. */
function lowestBit(word: number): number {
  return 31 - Math.clz32(word & -word);
}
