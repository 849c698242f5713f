import type { StateGraph, StateSpace } from '../space/state-space.ts';
import { type Formula, isStateFormula } from './property.ts';
import { SLICE, type StateFormulas } from './state-formula.ts';

/**
 * Sets of states as bytes: states in which a formula certainly holds, and states in which it possibly holds. In a complete
 * space both are the same array.
 */
export interface Holding {
  readonly must: Uint8Array;
  readonly may: Uint8Array;
}

/** Edges or states processed between two calls of `check`. */
const CHECK_EVERY = 1 << 15;

/**
 * The states in which a CTL formula holds, by fixpoints (Clarke, Emerson & Sistla, _Automatic verification of finite-state
 * concurrent systems using temporal logic specifications_, ACM TOPLAS 8, 1986); paths may end in a dead state. In a truncated
 * space `must` uses known edges only, and `may` lets every incompletely expanded state lead anywhere (three-valued semantics
 * of Bruns & Godefroid, CAV 1999). Results for the part are therefore valid for the whole space.
 *
 * O(states + edges) per operator, no recursion over states. Results of formulas with path operators are cached.
 */
export class Ctl {
  readonly #edges: Predecessors;
  readonly #atoms: StateFormulas;
  readonly #check: () => void;
  readonly #max: number;
  readonly #kept = new Map<Formula, Holding>();

  /**
   * @param options.check called before each operator; may throw to cancel
   * @param options.bytes memory limit of the cached sets
   */
  constructor(
    edges: Predecessors,
    atoms: StateFormulas,
    options: { readonly check?: () => void; readonly bytes?: number } = {},
  ) {
    this.#edges = edges;
    this.#atoms = atoms;
    this.#check = options.check ?? (() => {});
    this.#max = Math.max(8, Math.floor((options.bytes ?? 2 ** 30) / 4 / Math.max(1, edges.states)));
  }

  holding(f: Formula): Holding {
    if (isStateFormula(f)) return same(this.#atomic(f));
    const kept = this.#kept.get(f);
    if (kept !== undefined) return kept;
    this.#check();
    const found = this.#path(f);
    if (f.op !== 'not' && f.op !== 'and' && f.op !== 'or' && f.op !== 'implies') {
      if (this.#kept.size >= this.#max) this.#kept.clear();
      this.#kept.set(f, found);
    }
    return found;
  }

  #path(f: Formula): Holding {
    switch (f.op) {
      case 'not':
        return negated(this.holding(f.of));
      case 'and':
        return f.of.map((part) => this.holding(part)).reduce(both);
      case 'or':
        return f.of.map((part) => this.holding(part)).reduce(either);
      case 'implies':
        return either(negated(this.holding(f.a)), this.holding(f.b));
      case 'EX':
        return this.#twice(this.holding(f.of), (set, open) => this.#before(set, open));
      case 'AX':
        return negated(this.#twice(negated(this.holding(f.of)), (set, open) => this.#before(set, open)));
      case 'EF':
        return this.#until(this.#all(), this.holding(f.of));
      case 'AG':
        return negated(this.#until(this.#all(), negated(this.holding(f.of))));
      case 'EG':
        return this.#always(this.holding(f.of));
      case 'AF':
        return negated(this.#always(negated(this.holding(f.of))));
      case 'EU':
        return this.#until(this.holding(f.a), this.holding(f.b));
      case 'AU': {
        const notB = negated(this.holding(f.b));
        const neither = both(negated(this.holding(f.a)), notB);
        return negated(either(this.#until(notB, neither), this.#always(notB)));
      }
      default:
        throw new Error(`${f.op} has no path operator`);
    }
  }

  #all(): Holding {
    return same(new Uint8Array(this.#edges.states).fill(1));
  }

  #atomic(f: Formula): Uint8Array {
    const out = new Uint8Array(this.#edges.states);
    for (let at = 0; at < out.length; at += SLICE) {
      this.#check();
      out.set(this.#atoms.holds(f, at, Math.min(out.length, at + SLICE)), at);
    }
    return out;
  }

  /** Computes `must` without open states and `may` with them; a single computation if no state is open. */
  #twice(set: Holding, find: (set: Uint8Array, open: Uint8Array | undefined) => Uint8Array): Holding {
    const must = find(set.must, undefined);
    const { open } = this.#edges;
    return open === undefined && set.must === set.may ? same(must) : { must, may: find(set.may, open) };
  }

  /** States with a successor in the set. */
  #before(set: Uint8Array, open: Uint8Array | undefined): Uint8Array {
    const { start, source, states } = this.#edges;
    const out = open === undefined ? new Uint8Array(states) : open.slice();
    for (let t = 0; t < states; t++)
      if (set[t] === 1) for (let e = start[t]!, end = start[t + 1]!; e < end; e++) out[source[e]!] = 1;
    return out;
  }

  #until(a: Holding, b: Holding): Holding {
    const { open } = this.#edges;
    const must = this.#reach(a.must, b.must, undefined);
    if (open === undefined && a.must === a.may && b.must === b.may) return same(must);
    return { must, may: this.#reach(a.may, b.may, open) };
  }

  /** The smallest set that contains `b` and every state of `a` that is open or has a successor in the set. */
  #reach(a: Uint8Array, b: Uint8Array, open: Uint8Array | undefined): Uint8Array {
    const { start, source, states } = this.#edges;
    const out = b.slice();
    if (open !== undefined) for (let s = 0; s < states; s++) out[s]! |= a[s]! & open[s]!;
    const queue = new Uint32Array(states);
    let length = 0;
    for (let s = 0; s < states; s++) if (out[s] === 1) queue[length++] = s;
    for (let k = 0; k < length; k++) {
      if (k % CHECK_EVERY === 0) this.#check();
      const t = queue[k]!;
      for (let e = start[t]!, end = start[t + 1]!; e < end; e++) {
        const s = source[e]!;
        if (out[s] === 1 || a[s] === 0) continue;
        out[s] = 1;
        queue[length++] = s;
      }
    }
    return out;
  }

  #always(a: Holding): Holding {
    return this.#twice(a, (set, open) => this.#stay(set, open));
  }

  /** The largest subset of `a` whose states are dead, open, or have a successor in the set. */
  #stay(a: Uint8Array, open: Uint8Array | undefined): Uint8Array {
    const { start, source, states, dead } = this.#edges;
    const out = a.slice();
    // Number of edges from each state into the set.
    const ways = new Uint32Array(states);
    for (let t = 0; t < states; t++)
      if (a[t] === 1) for (let e = start[t]!, end = start[t + 1]!; e < end; e++) ways[source[e]!]!++;
    const queue = new Uint32Array(states);
    let length = 0;
    const leaves = (s: number): boolean => ways[s] === 0 && dead[s] === 0 && (open === undefined || open[s] === 0);
    for (let s = 0; s < states; s++)
      if (out[s] === 1 && leaves(s)) {
        out[s] = 0;
        queue[length++] = s;
      }
    for (let k = 0; k < length; k++) {
      if (k % CHECK_EVERY === 0) this.#check();
      const t = queue[k]!;
      for (let e = start[t]!, end = start[t + 1]!; e < end; e++) {
        const s = source[e]!;
        ways[s]!--;
        if (out[s] === 0 || !leaves(s)) continue;
        out[s] = 0;
        queue[length++] = s;
      }
    }
    return out;
  }
}

function same(set: Uint8Array): Holding {
  return { must: set, may: set };
}

function negated({ must, may }: Holding): Holding {
  const not = may.map((x) => x ^ 1);
  return must === may ? same(not) : { must: not, may: must.map((x) => x ^ 1) };
}

function both(x: Holding, y: Holding): Holding {
  return joined(x, y, (a, b) => {
    const out = a.slice();
    for (let s = 0; s < out.length; s++) out[s]! &= b[s]!;
    return out;
  });
}

function either(x: Holding, y: Holding): Holding {
  return joined(x, y, (a, b) => {
    const out = a.slice();
    for (let s = 0; s < out.length; s++) out[s]! |= b[s]!;
    return out;
  });
}

function joined(x: Holding, y: Holding, join: (a: Uint8Array, b: Uint8Array) => Uint8Array): Holding {
  const must = join(x.must, y.must);
  return x.must === x.may && y.must === y.may ? same(must) : { must, may: join(x.may, y.may) };
}

/** The reversed edges of a space, and which of its states are incompletely expanded. */
export interface Predecessors {
  readonly states: number;
  /** Predecessors of s: `source[start[s]]` … `source[start[s + 1] − 1]`, one for every edge. */
  readonly start: Float64Array | Uint32Array;
  readonly source: Uint32Array;
  /** 1 for states that certainly have no successor. */
  readonly dead: Uint8Array;
  /** 1 for states that may have unknown successors; undefined if the space is complete. */
  readonly open: Uint8Array | undefined;
}

/** Bytes that {@link predecessors} allocates. */
export function predecessorBytes(graph: StateGraph): number {
  return 4 * graph.edges + 10 * graph.states;
}

/** Reverses the edges by counting sort. `check` is called regularly and may throw. O(states + edges). */
export function predecessors(space: StateSpace, graph: StateGraph, check: () => void = () => {}): Predecessors {
  const { states, edges } = graph;
  const start = edges < 2 ** 32 ? new Uint32Array(states + 1) : new Float64Array(states + 1);
  for (let e = 0; e < edges; e++) {
    if (e % CHECK_EVERY === 0) check();
    start[graph.target(e) + 1]!++;
  }
  for (let s = 0; s < states; s++) start[s + 1]! += start[s]!;
  const source = new Uint32Array(edges);
  const next = start.slice(0, states);
  const dead = new Uint8Array(states);
  for (let s = 0, e = 0; s < states; s++) {
    if (s % CHECK_EVERY === 0) check();
    const end = graph.start[s + 1]!;
    if (e === end) dead[s] = 1;
    for (; e < end; e++) {
      const t = graph.target(e);
      source[next[t]!] = s;
      next[t]!++;
    }
  }
  if (space.complete) return { states, start, source, dead, open: undefined };
  const open = new Uint8Array(states);
  const degrees = space.outDegree(0, states);
  for (let s = 0; s < states; s++) {
    if (degrees[s]! > graph.start[s + 1]! - graph.start[s]!) open[s] = 1;
    dead[s]! &= open[s]! ^ 1;
  }
  return { states, start, source, dead, open };
}
