import type { ServiceLink, Table } from '../net/net.ts';
import { grown } from './event-queue.ts';

/** Rates, demands and times nearer than this (relative) count as equal. */
const SAME = 1e-12;

/**
 * Weighted bounded max-min sharing of links (SEMANTICS 4), incrementally: when a token enters or leaves, only the flows
 * that are connected with it through links which their bounds together could exhaust are solved anew, by progressive
 * filling (Bertsekas & Gallager 1992, §6.5.2). A link whose crossing flows cannot exhaust it even at their own bounds
 * constrains nothing and connects nothing. Solving c flows over l links takes O(c log c + l²) at worst.
 */
export class MaxMin {
  /** The start order of the flow that `due` returned last. */
  order = 0;
  readonly #capacity: Float64Array;
  /** 0: shared; 1: caps each flow alone, which is part of the flow's bound; 2: a fatpipe with a level. */
  readonly #kind: Uint8Array;
  readonly #routeLink: Int32Array;
  readonly #routeCoefficient: Float64Array;
  /** Per link: what its flows would use at their own bounds. */
  readonly #demand: Float64Array;
  readonly #linkFirst: Int32Array;
  readonly #linkMark: Int32Array;
  readonly #linkRest: Float64Array;
  readonly #linkWeight: Float64Array;
  /** What each link has carried, in amounts times coefficients. */
  readonly carried: Float64Array;

  #flows = 64;
  #free: Int32Array = Int32Array.from({ length: 64 }, (_, k) => 63 - k);
  #freeCount = 64;
  #token: Int32Array = new Int32Array(64);
  #order: Float64Array = new Float64Array(64);
  #left: Float64Array = new Float64Array(64);
  #amount: Float64Array = new Float64Array(64);
  #since: Float64Array = new Float64Array(64);
  #rate: Float64Array = new Float64Array(64);
  #weight: Float64Array = new Float64Array(64);
  #bound: Float64Array = new Float64Array(64);
  #finish: Float64Array = new Float64Array(64);
  #from: Int32Array = new Int32Array(64);
  #to: Int32Array = new Int32Array(64);
  #crossings: Int32Array = new Int32Array(64);
  #mark: Int32Array = new Int32Array(64);
  #fixed: Uint8Array = new Uint8Array(64);
  #heapAt: Int32Array = new Int32Array(64).fill(-1);
  #heap: Int32Array = new Int32Array(64);
  #heapSize = 0;

  // Crossings: one node per (flow, shared link), chained per link and per flow.
  #nodes = 256;
  #nodeFree = 0;
  #nodeFlow: Int32Array = new Int32Array(256);
  #nodeLink: Int32Array = new Int32Array(256);
  #nodeCoefficient: Float64Array = new Float64Array(256);
  #nodeNext: Int32Array = new Int32Array(256);
  #nodePrevious: Int32Array = new Int32Array(256);
  #nodeSibling: Int32Array = Int32Array.from({ length: 256 }, (_, k) => (k === 255 ? -1 : k + 1));

  #stamp = 0;
  /** Flows and links that changed since rates were last computed. */
  #dirtyFlows: number[] = [];
  #dirtyLinks: number[] = [];
  readonly #component: number[] = [];
  readonly #componentLinks: number[] = [];

  constructor(links: readonly ServiceLink[], routes: Table & { kind: 'routes' }) {
    this.#capacity = Float64Array.from(links, (l) => l.capacity);
    this.#kind = Uint8Array.from(links, (l) => (l.fatpipe ? (l.level === true ? 2 : 1) : 0));
    this.#routeLink = routes.link;
    this.#routeCoefficient = routes.coefficient;
    const n = links.length;
    this.#demand = new Float64Array(n);
    this.#linkFirst = new Int32Array(n).fill(-1);
    this.#linkMark = new Int32Array(n);
    this.#linkRest = new Float64Array(n);
    this.#linkWeight = new Float64Array(n);
    this.carried = new Float64Array(n);
  }

  /**
   * A token enters with what it asks for; `from` … `to` − 1 are its links in the routes table. Its rate, and those of
   * the flows it touches, are computed when `next` is called. False where it needs no time at all and does not enter:
   * nothing to be served, or no limit to its rate.
   */
  enter(
    token: number,
    order: number,
    now: number,
    amount: number,
    weight: number,
    bound: number,
    from: number,
    to: number,
  ): boolean {
    let most = bound;
    for (let k = from; k < to; k++) {
      const l = this.#routeLink[k]!;
      // A level is not the flow's own bound: what holds it there must be the link, with all others on it.
      const room = this.#kind[l] === 2 ? 2 : 1;
      most = Math.min(most, (room * this.#capacity[l]!) / this.#routeCoefficient[k]!);
    }
    if (amount === 0 || most === Number.POSITIVE_INFINITY) {
      for (let k = from; k < to; k++) this.carried[this.#routeLink[k]!]! += amount * this.#routeCoefficient[k]!;
      return false;
    }
    if (this.#freeCount === 0) this.#growFlows();
    const f = this.#free[--this.#freeCount]!;
    this.#token[f] = token;
    this.#order[f] = order;
    this.#left[f] = amount;
    this.#amount[f] = amount;
    this.#since[f] = now;
    this.#rate[f] = 0;
    this.#weight[f] = weight;
    this.#from[f] = from;
    this.#to[f] = to;
    this.#crossings[f] = -1;
    this.#bound[f] = most;
    for (let k = from; k < to; k++) {
      const l = this.#routeLink[k]!;
      if (this.#kind[l] === 1) continue;
      const c = this.#routeCoefficient[k]!;
      this.#cross(f, l, c);
      this.#demand[l]! += c * most;
    }
    this.#dirtyFlows.push(f);
    return true;
  }

  /** The earliest completion, Infinity when no token is in service. Brings all rates up to date. */
  next(now: number): number {
    if (this.#dirtyFlows.length > 0 || this.#dirtyLinks.length > 0) this.#solveDirty(now);
    return this.#heapSize === 0 ? Number.POSITIVE_INFINITY : this.#finish[this.#heap[0]!]!;
  }

  /** Takes out a token that completes at `limit` at the latest; −1 if there is none. */
  due(limit: number): number {
    if (this.#heapSize === 0) return -1;
    const f = this.#heap[0]!;
    if (!(this.#finish[f]! <= limit)) return -1;
    this.#unschedule(f);
    for (let n = this.#crossings[f]!; n >= 0; ) {
      const l = this.#nodeLink[n]!;
      const wasTight = this.#isTight(l);
      const previous = this.#nodePrevious[n]!;
      const following = this.#nodeNext[n]!;
      if (previous < 0) this.#linkFirst[l] = following;
      else this.#nodeNext[previous] = following;
      if (following >= 0) this.#nodePrevious[following] = previous;
      this.#demand[l] = this.#linkFirst[l]! < 0 ? 0 : this.#demand[l]! - this.#nodeCoefficient[n]! * this.#bound[f]!;
      if (wasTight && this.#linkFirst[l]! >= 0) this.#dirtyLinks.push(l);
      const sibling = this.#nodeSibling[n]!;
      this.#nodeSibling[n] = this.#nodeFree;
      this.#nodeFree = n;
      n = sibling;
    }
    for (let k = this.#from[f]!; k < this.#to[f]!; k++)
      this.carried[this.#routeLink[k]!]! += this.#amount[f]! * this.#routeCoefficient[k]!;
    this.#free[this.#freeCount++] = f;
    this.order = this.#order[f]!;
    return this.#token[f]!;
  }

  /** Whether the flows on a link could exhaust it; a fatpipe with a level always holds them. */
  #isTight(l: number): boolean {
    if (this.#kind[l] === 2) return this.#linkFirst[l]! >= 0;
    return this.#demand[l]! > this.#capacity[l]! * (1 + SAME);
  }

  #cross(f: number, l: number, coefficient: number): void {
    if (this.#nodeFree < 0) this.#growNodes();
    const n = this.#nodeFree;
    this.#nodeFree = this.#nodeSibling[n]!;
    this.#nodeFlow[n] = f;
    this.#nodeLink[n] = l;
    this.#nodeCoefficient[n] = coefficient;
    this.#nodeSibling[n] = this.#crossings[f]!;
    this.#crossings[f] = n;
    const first = this.#linkFirst[l]!;
    this.#nodeNext[n] = first;
    this.#nodePrevious[n] = -1;
    if (first >= 0) this.#nodePrevious[first] = n;
    this.#linkFirst[l] = n;
  }

  #solveDirty(now: number): void {
    const stamp = ++this.#stamp;
    const flows = this.#component;
    const links = this.#componentLinks;
    flows.length = 0;
    links.length = 0;
    for (const f of this.#dirtyFlows) this.#reachFlow(f, stamp);
    for (const l of this.#dirtyLinks) this.#reachLink(l, stamp);
    this.#dirtyFlows.length = 0;
    this.#dirtyLinks.length = 0;
    let seenFlows = 0;
    let seenLinks = 0;
    while (seenFlows < flows.length || seenLinks < links.length) {
      while (seenLinks < links.length)
        for (let n = this.#linkFirst[links[seenLinks++]!]!; n >= 0; n = this.#nodeNext[n]!)
          this.#reachFlow(this.#nodeFlow[n]!, stamp);
      while (seenFlows < flows.length)
        for (let n = this.#crossings[flows[seenFlows++]!]!; n >= 0; n = this.#nodeSibling[n]!)
          if (this.#isTight(this.#nodeLink[n]!)) this.#reachLink(this.#nodeLink[n]!, stamp);
    }
    this.#fill(now);
  }

  #reachFlow(f: number, stamp: number): void {
    if (this.#mark[f] === stamp) return;
    this.#mark[f] = stamp;
    this.#component.push(f);
  }

  #reachLink(l: number, stamp: number): void {
    if (this.#linkMark[l] === stamp) return;
    this.#linkMark[l] = stamp;
    this.#componentLinks.push(l);
  }

  /** Progressive filling of the component: the common level rises until a link or a flow's own bound is exhausted. */
  #fill(now: number): void {
    const flows = this.#component;
    const links = this.#componentLinks;
    for (const f of flows) this.#fixed[f] = 0;
    const { tight, any } = this.#weigh(flows, links);
    if (!any) {
      for (const f of flows) this.#setRate(f, this.#bound[f]!, now);
      return;
    }
    const bound = this.#bound;
    const weight = this.#weight;
    flows.sort((a, b) => bound[a]! / weight[a]! - bound[b]! / weight[b]!);
    let open = flows.length;
    let nextBound = 0;
    while (open > 0) {
      while (nextBound < flows.length && this.#fixed[flows[nextBound]!] === 1) nextBound++;
      const own = bound[flows[nextBound]!]! / weight[flows[nextBound]!]!;
      let level = Number.POSITIVE_INFINITY;
      let full = -1;
      for (let k = 0; k < tight.length; k++) {
        const l = tight[k]!;
        const w = this.#linkWeight[l]!;
        if (w <= 0) {
          tight[k--] = tight[tight.length - 1]!;
          tight.pop();
          continue;
        }
        const rise = this.#linkRest[l]! / w;
        if (rise < level) {
          level = rise;
          full = l;
        }
      }
      if (full < 0 || own <= level * (1 + SAME)) {
        const f = flows[nextBound++]!;
        this.#fix(f, bound[f]!, now);
        open--;
        continue;
      }
      for (let n = this.#linkFirst[full]!; n >= 0; n = this.#nodeNext[n]!) {
        const f = this.#nodeFlow[n]!;
        if (this.#fixed[f] === 1) continue;
        this.#fix(f, Math.min(weight[f]! * level, bound[f]!), now);
        open--;
      }
      this.#linkWeight[full] = 0;
    }
  }

  /** Per link of the component: its capacity and the weights that press on it. Only tight links matter. */
  #weigh(flows: readonly number[], links: readonly number[]): { tight: number[]; any: boolean } {
    const tight = links.filter((l) => this.#isTight(l));
    for (const l of tight) {
      this.#linkRest[l] = this.#capacity[l]!;
      this.#linkWeight[l] = this.#kind[l] === 2 ? this.#largestWeight(l) : this.#sumOfWeights(l);
    }
    return { tight, any: tight.length > 0 && flows.length > 0 };
  }

  #sumOfWeights(l: number): number {
    let sum = 0;
    for (let n = this.#linkFirst[l]!; n >= 0; n = this.#nodeNext[n]!)
      sum += this.#weight[this.#nodeFlow[n]!]! * this.#nodeCoefficient[n]!;
    return sum;
  }

  /** Of the flows that are not fixed yet, what the one takes that presses most on the link. */
  #largestWeight(l: number): number {
    let most = 0;
    for (let n = this.#linkFirst[l]!; n >= 0; n = this.#nodeNext[n]!)
      if (this.#fixed[this.#nodeFlow[n]!] === 0)
        most = Math.max(most, this.#weight[this.#nodeFlow[n]!]! * this.#nodeCoefficient[n]!);
    return most;
  }

  #fix(f: number, rate: number, now: number): void {
    this.#fixed[f] = 1;
    for (let n = this.#crossings[f]!; n >= 0; n = this.#nodeSibling[n]!) {
      const l = this.#nodeLink[n]!;
      if (this.#kind[l] === 2) {
        if (this.#linkMark[l] === this.#stamp) this.#linkWeight[l] = this.#largestWeight(l);
        continue;
      }
      const c = this.#nodeCoefficient[n]!;
      this.#linkRest[l] = Math.max(0, this.#linkRest[l]! - c * rate);
      const w = this.#linkWeight[l]! - c * this.#weight[f]!;
      // What is left of a sum of weights after the last one was taken is rounding, not weight.
      this.#linkWeight[l] = w > SAME * c * this.#weight[f]! ? w : 0;
    }
    this.#setRate(f, rate, now);
  }

  #setRate(f: number, rate: number, now: number): void {
    const old = this.#rate[f]!;
    if (rate === old) return;
    this.#left[f] = Math.max(0, this.#left[f]! - old * (now - this.#since[f]!));
    this.#since[f] = now;
    this.#rate[f] = rate;
    this.#schedule(f, now + this.#left[f]! / rate);
  }

  // ---- completions: an indexed binary heap by finishing time, then by start order

  #before(a: number, b: number): boolean {
    const s = this.#finish[a]!;
    const t = this.#finish[b]!;
    return s < t || (s === t && this.#order[a]! < this.#order[b]!);
  }

  #schedule(f: number, finish: number): void {
    this.#finish[f] = finish;
    let k = this.#heapAt[f]!;
    if (k < 0) {
      k = this.#heapSize++;
      this.#heap[k] = f;
      this.#heapAt[f] = k;
    }
    this.#sift(f, k);
  }

  #unschedule(f: number): void {
    const k = this.#heapAt[f]!;
    this.#heapAt[f] = -1;
    const last = this.#heap[--this.#heapSize]!;
    if (last === f) return;
    this.#heap[k] = last;
    this.#heapAt[last] = k;
    this.#sift(last, k);
  }

  #sift(f: number, from: number): void {
    const heap = this.#heap;
    let k = from;
    while (k > 0 && this.#before(f, heap[(k - 1) >> 1]!)) {
      heap[k] = heap[(k - 1) >> 1]!;
      this.#heapAt[heap[k]!] = k;
      k = (k - 1) >> 1;
    }
    for (;;) {
      let c = 2 * k + 1;
      if (c >= this.#heapSize) break;
      if (c + 1 < this.#heapSize && this.#before(heap[c + 1]!, heap[c]!)) c++;
      if (!this.#before(heap[c]!, f)) break;
      heap[k] = heap[c]!;
      this.#heapAt[heap[k]!] = k;
      k = c;
    }
    heap[k] = f;
    this.#heapAt[f] = k;
  }

  #growFlows(): void {
    const n = this.#flows * 2;
    this.#free = grown(this.#free, n);
    for (let k = n - 1; k >= this.#flows; k--) this.#free[this.#freeCount++] = k;
    this.#token = grown(this.#token, n);
    this.#order = grown(this.#order, n);
    this.#left = grown(this.#left, n);
    this.#amount = grown(this.#amount, n);
    this.#since = grown(this.#since, n);
    this.#rate = grown(this.#rate, n);
    this.#weight = grown(this.#weight, n);
    this.#bound = grown(this.#bound, n);
    this.#finish = grown(this.#finish, n);
    this.#from = grown(this.#from, n);
    this.#to = grown(this.#to, n);
    this.#crossings = grown(this.#crossings, n);
    this.#mark = grown(this.#mark, n);
    this.#fixed = grown(this.#fixed, n);
    this.#heap = grown(this.#heap, n);
    this.#heapAt = grown(this.#heapAt, n).fill(-1, this.#flows);
    this.#flows = n;
  }

  #growNodes(): void {
    const old = this.#nodes;
    const n = old * 2;
    this.#nodeFlow = grown(this.#nodeFlow, n);
    this.#nodeLink = grown(this.#nodeLink, n);
    this.#nodeCoefficient = grown(this.#nodeCoefficient, n);
    this.#nodeNext = grown(this.#nodeNext, n);
    this.#nodePrevious = grown(this.#nodePrevious, n);
    this.#nodeSibling = grown(this.#nodeSibling, n);
    for (let k = old; k < n; k++) this.#nodeSibling[k] = k === n - 1 ? -1 : k + 1;
    this.#nodeFree = old;
    this.#nodes = n;
  }
}
