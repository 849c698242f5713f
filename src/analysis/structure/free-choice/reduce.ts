import { areEqual, type Bipartite, only } from './bipartite.ts';

/** Nodes examined between two polls of `stop`. */
const POLL_EVERY = 4096;
/** More neighbours than this on one side make a hub, whose neighbours are not examined again for every change. */
const FEW = 4;

/**
 * Reduces an extended free-choice net with weights 1 and without priorities by local rules, in place. Each rule preserves
 * liveness and freedom of deadlocks in both directions, boundedness, weights 1 and free choice; each removes a node. They are
 * the rules of Murata (1989, figure 22) and the abstraction rule of Desel & Esparza (1995, chapter 7) and its reverse-dual, for
 * marked nets:
 *
 * - a place that nothing takes from is removed; so is a marked place that gets back every token taken from it, if its
 *   transitions have other input places: neither ever disables a transition
 * - of two places with the same neighbours, the one with more tokens is removed: the difference is constant
 * - of two transitions with the same neighbours, one is removed; so is a transition without effect if another one is enabled
 *   with it
 * - s → t, t being the only consumer of s, and s the only input place of t (_eager_): t may fire as soon as a producer of s
 *   has fired. Nothing can prevent t or is disabled by t, so every run can be reordered such that t follows immediately. The
 *   producers of s put the outputs of t instead
 * - t → s, t being the only producer of s, and s the only output of t: either every consumer of s has no other input place
 *   (_eager_: a consumer fires at once), or t is the only consumer of its input places (_lazy_: t fires just before the
 *   consumer). The consumers of s take the inputs of t instead
 *
 * Initial tokens in a removed s move on by t (eager) or back (lazy); both markings lead to the same future, since no other
 * transition competes with t.
 *
 * @complexity the neighbours of the smaller of two merged nodes move, so O(arcs × log) but for pairs of nodes with several
 * neighbours each; arcs never become more than they were
 * @returns false if the net is certainly not live: some place has consumers but no producer
 */
export function reduceFreeChoice(net: Bipartite, stop: () => boolean): boolean {
  const reducer = new Reducer(net);
  reducer.run(stop);
  return reducer.mayLive;
}

class Reducer {
  mayLive = true;
  readonly #net: Bipartite;
  readonly #queue: number[] = [];
  readonly #queued: Uint8Array;

  constructor(net: Bipartite) {
    this.#net = net;
    this.#queued = new Uint8Array(net.nodes);
    for (let node = net.nodes - 1; node >= 0; node--) if (net.alive[node] === 1) this.#push(node);
  }

  run(stop: () => boolean): void {
    for (let node = this.#queue.pop(), k = 1; node !== undefined; node = this.#queue.pop(), k++) {
      if (k % POLL_EVERY === 0 && stop()) return;
      this.#queued[node] = 0;
      if (this.#net.alive[node] === 0) continue;
      if (this.#net.isPlace(node)) this.#place(node);
      else this.#transition(node);
    }
  }

  #push(node: number): void {
    if (this.#queued[node] === 1) return;
    this.#queued[node] = 1;
    this.#queue.push(node);
  }

  /** Examines a node again, and its neighbours on the sides where it has few: rules look at degrees two nodes away. */
  #touch(node: number): void {
    this.#push(node);
    for (const near of [this.#net.before[node]!, this.#net.after[node]!])
      if (near.size <= FEW) for (const x of near) this.#push(x);
  }

  #remove(node: number): void {
    const { before, after } = this.#net;
    const near = [...before[node]!, ...after[node]!];
    this.#net.remove(node);
    for (const x of near) this.#touch(x);
  }

  #place(p: number): void {
    const { before, after, tokens } = this.#net;
    const [into, out] = [before[p]!, after[p]!];
    const twin = out.size === 0 ? undefined : this.#net.twin(p);
    if (out.size > 0 && into.size === 0) this.mayLive = false;
    const returns = tokens[p]! > 0 && out.size > 0 && before[some(out)]!.size > 1 && isSubset(out, into);
    if (twin !== undefined) tokens[twin] = Math.min(tokens[twin]!, tokens[p]!);
    if (twin !== undefined || returns || out.size === 0) {
      this.#remove(p);
      return;
    }
    const [t, u] = [only(out), only(into)];
    if (t !== undefined && this.#forward(p, t)) return;
    if (u !== undefined) this.#backward(u, p);
  }

  #transition(t: number): void {
    const { before, after } = this.#net;
    const [into, out] = [before[t]!, after[t]!];
    if (into.size === 0) return;
    const isIdle = areEqual(into, out) && after[some(into)]!.size > 1;
    if (isIdle || this.#net.twin(t) !== undefined) {
      this.#remove(t);
      return;
    }
    const [s, q] = [only(into), only(out)];
    if (s !== undefined && this.#forward(s, t)) return;
    if (q !== undefined) this.#backward(t, q);
  }

  /** s → t. */
  #forward(s: number, t: number): boolean {
    const { before, after, tokens } = this.#net;
    if (only(after[s]!) !== t || only(before[t]!) !== s) return false;
    const [from, to] = [before[s]!, after[t]!];
    if (isGrowing(from, to) || !this.#areApart(from, to)) return false;
    // Then t fires only for the tokens of the beginning.
    if (from.size === 0) this.mayLive = false;
    for (const q of to) tokens[q]! += tokens[s]!;
    this.#join(from, to, s, t);
    return true;
  }

  /** t → s. */
  #backward(t: number, s: number): boolean {
    const { before, after, tokens } = this.#net;
    if (only(after[t]!) !== s || only(before[s]!) !== t) return false;
    const [from, to] = [before[t]!, after[s]!];
    if (from.size === 0 || to.size === 0 || isGrowing(from, to)) return false;
    const eager = tokens[s] === 0 && before[some(to)]!.size === 1;
    const lazy = after[some(from)]!.size === 1;
    if (!(eager || lazy) || !this.#areApart(from, to)) return false;
    for (const q of from) tokens[q]! += tokens[s]!;
    this.#join(from, to, t, s);
    return true;
  }

  /** True if no arc leads from one set to the other: weights stay 1. */
  #areApart(from: ReadonlySet<number>, to: ReadonlySet<number>): boolean {
    const { before, after } = this.#net;
    return from.size <= to.size
      ? all(from, (x) => areDisjoint(after[x]!, to))
      : all(to, (y) => areDisjoint(before[y]!, from));
  }

  /**
   * Replaces the two nodes between `from` and `to` by direct arcs. With a single node on one side, that node is merged with the
   * nearer of the two, whichever has fewer neighbours to move.
   */
  #join(from: ReadonlySet<number>, to: ReadonlySet<number>, first: number, second: number): void {
    const net = this.#net;
    const a = only(from);
    const b = only(to);
    const degree = (x: number): number => net.before[x]!.size + net.after[x]!.size;
    if (b !== undefined && degree(b) < from.size) {
      // `first` and `b` are of the same kind: the neighbours of `b` move to `first`.
      net.remove(second);
      this.#absorb(first, b);
    } else if (a !== undefined && degree(a) < to.size) {
      net.remove(first);
      this.#absorb(second, a);
    } else {
      const [sources, sinks] = [[...from], [...to]];
      net.remove(first);
      net.remove(second);
      for (const x of sources) for (const y of sinks) net.link(x, y);
      for (const x of sources) this.#touch(x);
      for (const x of sinks) this.#touch(x);
    }
  }

  #absorb(into: number, node: number): void {
    const { before, after, tokens } = this.#net;
    const [sources, sinks] = [[...before[node]!], [...after[node]!]];
    // The tokens of the pair were already added to `node`.
    if (this.#net.isPlace(node)) tokens[into] = tokens[node]!;
    this.#net.remove(node);
    for (const x of sources) this.#net.link(x, into);
    for (const x of sinks) this.#net.link(into, x);
    this.#touch(into);
    for (const x of sources) this.#touch(x);
    for (const x of sinks) this.#touch(x);
  }
}

/** True if direct arcs between two sets are more than the arcs by way of two nodes. */
function isGrowing(from: ReadonlySet<number>, to: ReadonlySet<number>): boolean {
  return from.size * to.size > from.size + to.size + 1;
}

/** An element; the set is not empty. Transitions that take from one place are alike in a free-choice net: one represents all. */
function some(set: ReadonlySet<number>): number {
  for (const x of set) return x;
  return -1;
}

/** True if no element of a set is in the other. O(size of the smaller set). */
function areDisjoint(a: ReadonlySet<number>, b: ReadonlySet<number>): boolean {
  return a.size <= b.size ? all(a, (x) => !b.has(x)) : all(b, (x) => !a.has(x));
}

function isSubset(inner: ReadonlySet<number>, outer: ReadonlySet<number>): boolean {
  return inner.size <= outer.size && all(inner, (x) => outer.has(x));
}

function all(set: ReadonlySet<number>, holds: (x: number) => boolean): boolean {
  for (const x of set) if (!holds(x)) return false;
  return true;
}
