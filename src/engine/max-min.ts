import type { ServiceLink, Table } from '../net/net.ts';
import type { Events } from './events.ts';

/** A copy with room for `length` entries. */
function grown<A extends Int32Array | Float64Array | Uint8Array>(array: A, length: number): A {
  const copy = new (array.constructor as new (n: number) => A)(length);
  copy.set(array);
  return copy;
}

/** Rates, demands and times nearer than this (relative) count as equal. */
const SAME = 1e-12;

/** The least number that a double holds in full. */
const LEAST = 2 ** -1022;

/** Fails for a token: RUN004 with the seconds, or RUN006 with its amount, weight and bound. */
export type Refuse = (code: 'RUN004' | 'RUN006', ...values: number[]) => never;

/** The state of a max-min service, for saving and resuming a run. */
export interface MaxMinState {
  readonly arrays: {
    readonly token: Int32Array;
    readonly order: Float64Array;
    readonly left: Float64Array;
    readonly amount: Float64Array;
    readonly since: Float64Array;
    readonly rate: Float64Array;
    readonly weight: Float64Array;
    readonly bound: Float64Array;
    readonly from: Int32Array;
    readonly to: Int32Array;
    readonly crossings: Int32Array;
    readonly mark: Int32Array;
    readonly fixed: Uint8Array;
    readonly node: Int32Array;
    readonly free: Int32Array;
    readonly nodeFlow: Int32Array;
    readonly nodeLink: Int32Array;
    readonly nodeCoefficient: Float64Array;
    readonly nodeNext: Int32Array;
    readonly nodePrevious: Int32Array;
    readonly nodeSibling: Int32Array;
    readonly demand: Float64Array;
    readonly linkFirst: Int32Array;
    readonly linkMark: Int32Array;
    readonly linkRest: Float64Array;
    readonly linkWeight: Float64Array;
    readonly carried: Float64Array;
  };
  readonly numbers: Readonly<Record<'flows' | 'freeCount' | 'nodes' | 'nodeFree' | 'stamp', number>>;
  readonly dirtyFlows: readonly number[];
  readonly dirtyLinks: readonly number[];
}

/**
 * Weighted bounded max-min sharing of links (SEMANTICS 4), incrementally: when a token enters or leaves, only the flows
 * that are connected with it through links which their bounds together could exhaust are solved anew, by progressive
 * filling (Bertsekas & Gallager 1992, §6.5.2). A link whose crossing flows cannot exhaust it even at their own bounds
 * constrains nothing and connects nothing. Solving c flows over l links takes O(c log c + l²) at worst; a flow over links
 * that cannot be exhausted is never solved at all. Each flow has an event in the queue at its end, which moves when its
 * rate changes: the event carries the token's record and the flow.
 *
 * `now` is the time, `latest` the latest time that counts as now, `order` the number of a start.
 */
export class MaxMin {
  readonly #queue: Events;
  readonly #eventKind: number;
  readonly #refuse: Refuse;
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
  #from: Int32Array = new Int32Array(64);
  #to: Int32Array = new Int32Array(64);
  #crossings: Int32Array = new Int32Array(64);
  #mark: Int32Array = new Int32Array(64);
  #fixed: Uint8Array = new Uint8Array(64);
  /** Its event, −1 while it has none. */
  #node: Int32Array = new Int32Array(64).fill(-1);

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
  // Doubles from the start: a field that changes its kind is slow.
  #now = 0.5;
  #latest = 0.5;
  /** Flows and links that changed since rates were last computed. */
  readonly #dirtyFlows: number[] = [];
  readonly #dirtyLinks: number[] = [];

  /**
   * Events of flows are of the given kind.
   *
   * @param refuse is told of a token whose service would end at infinity, or whose rate no double can hold
   */
  constructor(
    links: readonly ServiceLink[],
    routes: Pick<Table & { kind: 'routes' }, 'link' | 'coefficient'>,
    queue: Events,
    eventKind: number,
    refuse: Refuse = (code) => {
      throw new Error(code);
    },
  ) {
    this.#queue = queue;
    this.#eventKind = eventKind;
    this.#refuse = refuse;
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
   * A token enters with what it asks for; `from` … `to` − 1 are its links in the routes table. Where a link may be
   * exhausted, its rate and those of the flows it touches are computed when `settle` is called.
   */
  enter(
    token: number,
    now: number,
    latest: number,
    order: number,
    amount: number,
    weight: number,
    bound: number,
    from: number,
    to: number,
  ): void {
    this.#now = now;
    this.#latest = latest;
    let most = bound;
    let alone = true;
    for (let k = from; k < to; k++) {
      const l = this.#routeLink[k]!;
      // A level is not the flow's own bound: what holds it there must be the link, with all others on it.
      const room = this.#kind[l] === 2 ? 2 : 1;
      if (this.#kind[l] !== 1) alone = false;
      most = Math.min(most, (room * this.#capacity[l]!) / this.#routeCoefficient[k]!);
    }
    if (alone || amount === 0 || most === Number.POSITIVE_INFINITY) {
      for (let k = from; k < to; k++) this.carried[this.#routeLink[k]!]! += amount * this.#routeCoefficient[k]!;
      this.#push(now + amount / most, order, token, -1);
      return;
    }
    if (most / weight === Number.POSITIVE_INFINITY) this.#refuse('RUN006', amount, weight, bound);
    if (this.#freeCount === 0) this.#growFlows();
    const f = this.#free[--this.#freeCount]!;
    this.#token[f] = token;
    this.#order[f] = order;
    this.#left[f] = amount;
    this.#amount[f] = amount;
    this.#since[f] = now;
    this.#rate[f] = most;
    this.#weight[f] = weight;
    this.#from[f] = from;
    this.#to[f] = to;
    this.#crossings[f] = -1;
    this.#bound[f] = most;
    this.#node[f] = -1;
    let tight = false;
    for (let k = from; k < to; k++) {
      const l = this.#routeLink[k]!;
      if (this.#kind[l] === 1) continue;
      const c = this.#routeCoefficient[k]!;
      this.#cross(f, l, c);
      this.#demand[l]! += c * most;
      if (this.#demand[l] === Number.POSITIVE_INFINITY || c * weight < LEAST)
        this.#refuse('RUN006', amount, weight, bound);
      tight ||= this.#isTight(l);
    }
    if (tight) this.#dirtyFlows.push(f);
    else this.#node[f] = this.#push(now + amount / most, order, token, f);
  }

  /** Brings all rates up to date, before time goes on. */
  settle(now: number, latest: number): void {
    this.#now = now;
    this.#latest = latest;
    if (this.#dirtyFlows.length > 0 || this.#dirtyLinks.length > 0) this.#solveDirty();
  }

  /** Nothing else will happen: a token that is still here would be served at infinity. */
  assertServed(): void {
    if (this.#freeCount < this.#flows) this.#refuse('RUN004', Number.POSITIVE_INFINITY);
  }

  /** The event of a flow has come: it leaves its links. */
  leave(f: number): void {
    if (f < 0) return;
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
  }

  /** Enters the end of a flow; of one that stands still, because others leave it nothing, there is none yet. */
  #push(end: number, order: number, token: number, flow: number): number {
    if (end === Number.POSITIVE_INFINITY) {
      if (flow < 0) this.#refuse('RUN004', end);
      return -1;
    }
    return this.#queue.enter(end <= this.#latest ? this.#now : end, order, this.#eventKind, token, flow);
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

  #solveDirty(): void {
    const stamp = ++this.#stamp;
    const flows: number[] = [];
    const links: number[] = [];
    for (const f of this.#dirtyFlows) this.#reachFlow(f, stamp, flows);
    for (const l of this.#dirtyLinks) this.#reachLink(l, stamp, links);
    this.#dirtyFlows.length = 0;
    this.#dirtyLinks.length = 0;
    let seenFlows = 0;
    let seenLinks = 0;
    while (seenFlows < flows.length || seenLinks < links.length) {
      while (seenLinks < links.length)
        for (let n = this.#linkFirst[links[seenLinks++]!]!; n >= 0; n = this.#nodeNext[n]!)
          this.#reachFlow(this.#nodeFlow[n]!, stamp, flows);
      while (seenFlows < flows.length)
        for (let n = this.#crossings[flows[seenFlows++]!]!; n >= 0; n = this.#nodeSibling[n]!)
          if (this.#isTight(this.#nodeLink[n]!)) this.#reachLink(this.#nodeLink[n]!, stamp, links);
    }
    this.#fill(flows, links);
  }

  #reachFlow(f: number, stamp: number, flows: number[]): void {
    if (this.#mark[f] === stamp) return;
    this.#mark[f] = stamp;
    flows.push(f);
  }

  #reachLink(l: number, stamp: number, links: number[]): void {
    if (this.#linkMark[l] === stamp) return;
    this.#linkMark[l] = stamp;
    links.push(l);
  }

  /** Progressive filling of the component: the common level rises until a link or a flow's own bound is exhausted. */
  #fill(flows: number[], links: readonly number[]): void {
    for (const f of flows) this.#fixed[f] = 0;
    const { tight, any } = this.#weigh(flows, links);
    if (!any) {
      for (const f of flows) this.#setRate(f, this.#bound[f]!);
      return;
    }
    const bound = this.#bound;
    const weight = this.#weight;
    flows.sort((a, b) => bound[a]! / weight[a]! - bound[b]! / weight[b]!);
    const full: number[] = [];
    let open = flows.length;
    let nextBound = 0;
    while (open > 0) {
      while (this.#fixed[flows[nextBound]!] === 1) nextBound++;
      let level = bound[flows[nextBound]!]! / weight[flows[nextBound]!]!;
      for (let k = 0; k < tight.length; k++) {
        const l = tight[k]!;
        const w = this.#linkWeight[l]!;
        if (w > 0) level = Math.min(level, this.#linkRest[l]! / w);
        else {
          tight[k--] = tight[tight.length - 1]!;
          tight.pop();
        }
      }
      const before = open;
      // All links that are exhausted at this level hold their flows, before any of these counts as held by its bound.
      const limit = level * (1 + SAME);
      full.length = 0;
      for (const l of tight) if (this.#linkRest[l]! <= limit * this.#linkWeight[l]!) full.push(l);
      for (const l of full)
        for (let n = this.#linkFirst[l]!; n >= 0; n = this.#nodeNext[n]!) {
          const f = this.#nodeFlow[n]!;
          if (this.#fixed[f] === 1) continue;
          this.#fix(f, bound[f]! <= limit * weight[f]! ? bound[f]! : weight[f]! * level);
          open--;
        }
      for (; nextBound < flows.length; nextBound++) {
        const f = flows[nextBound]!;
        if (this.#fixed[f] === 1) continue;
        if (bound[f]! > limit * weight[f]!) break;
        this.#fix(f, bound[f]!);
        open--;
      }
      for (const l of full) this.#linkWeight[l] = 0;
      // Only numbers near the ends of what a double can hold leave all flows open.
      if (open === before) this.#refuse('RUN006', ...this.#asked(flows[nextBound]!));
    }
  }

  #asked(f: number): number[] {
    return [this.#amount[f]!, this.#weight[f]!, this.#bound[f]!];
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

  #fix(f: number, rate: number): void {
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
    this.#setRate(f, rate);
  }

  #setRate(f: number, rate: number): void {
    const old = this.#rate[f]!;
    const node = this.#node[f]!;
    if (rate === old && node >= 0) return;
    const now = this.#now;
    if (node >= 0) this.#queue.remove(node);
    this.#left[f] = Math.max(0, this.#left[f]! - old * (now - this.#since[f]!));
    this.#since[f] = now;
    this.#rate[f] = rate;
    const end = this.#left[f] === 0 ? now : now + this.#left[f]! / rate;
    this.#node[f] = this.#push(end, this.#order[f]!, this.#token[f]!, f);
  }

  /** All of its state: flat arrays and numbers, for saving and resuming a run. */
  state(): MaxMinState {
    return {
      arrays: {
        token: this.#token,
        order: this.#order,
        left: this.#left,
        amount: this.#amount,
        since: this.#since,
        rate: this.#rate,
        weight: this.#weight,
        bound: this.#bound,
        from: this.#from,
        to: this.#to,
        crossings: this.#crossings,
        mark: this.#mark,
        fixed: this.#fixed,
        node: this.#node,
        free: this.#free,
        nodeFlow: this.#nodeFlow,
        nodeLink: this.#nodeLink,
        nodeCoefficient: this.#nodeCoefficient,
        nodeNext: this.#nodeNext,
        nodePrevious: this.#nodePrevious,
        nodeSibling: this.#nodeSibling,
        demand: this.#demand,
        linkFirst: this.#linkFirst,
        linkMark: this.#linkMark,
        linkRest: this.#linkRest,
        linkWeight: this.#linkWeight,
        carried: this.carried,
      },
      numbers: {
        flows: this.#flows,
        freeCount: this.#freeCount,
        nodes: this.#nodes,
        nodeFree: this.#nodeFree,
        stamp: this.#stamp,
      },
      dirtyFlows: this.#dirtyFlows,
      dirtyLinks: this.#dirtyLinks,
    };
  }

  restore({ arrays, numbers, dirtyFlows, dirtyLinks }: MaxMinState): void {
    this.#token = arrays.token;
    this.#order = arrays.order;
    this.#left = arrays.left;
    this.#amount = arrays.amount;
    this.#since = arrays.since;
    this.#rate = arrays.rate;
    this.#weight = arrays.weight;
    this.#bound = arrays.bound;
    this.#from = arrays.from;
    this.#to = arrays.to;
    this.#crossings = arrays.crossings;
    this.#mark = arrays.mark;
    this.#fixed = arrays.fixed;
    this.#node = arrays.node;
    this.#free = arrays.free;
    this.#nodeFlow = arrays.nodeFlow;
    this.#nodeLink = arrays.nodeLink;
    this.#nodeCoefficient = arrays.nodeCoefficient;
    this.#nodeNext = arrays.nodeNext;
    this.#nodePrevious = arrays.nodePrevious;
    this.#nodeSibling = arrays.nodeSibling;
    this.#demand.set(arrays.demand);
    this.#linkFirst.set(arrays.linkFirst);
    this.#linkMark.set(arrays.linkMark);
    this.#linkRest.set(arrays.linkRest);
    this.#linkWeight.set(arrays.linkWeight);
    this.carried.set(arrays.carried);
    this.#flows = numbers.flows;
    this.#freeCount = numbers.freeCount;
    this.#nodes = numbers.nodes;
    this.#nodeFree = numbers.nodeFree;
    this.#stamp = numbers.stamp;
    for (const f of dirtyFlows) this.#dirtyFlows.push(f);
    for (const l of dirtyLinks) this.#dirtyLinks.push(l);
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
    this.#from = grown(this.#from, n);
    this.#to = grown(this.#to, n);
    this.#crossings = grown(this.#crossings, n);
    this.#mark = grown(this.#mark, n);
    this.#fixed = grown(this.#fixed, n);
    this.#node = grown(this.#node, n);
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
