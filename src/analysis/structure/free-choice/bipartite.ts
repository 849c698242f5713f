import type { Petri } from '../../petri/petri.ts';
import type { Arcs } from '../siphons.ts';

/**
 * A place/transition net with weights 1 as a mutable graph: places are the nodes 0 … places − 1, transitions the nodes from
 * `places` on. Every node has a key that depends only on its neighbours, so nodes with equal neighbours are found in O(1).
 */
export class Bipartite {
  /** Number of places at the beginning; removed nodes keep their numbers. */
  readonly places: number;
  readonly before: Set<number>[];
  readonly after: Set<number>[];
  readonly alive: Uint8Array;
  /** By place. */
  readonly tokens: Float64Array;
  /** Arcs added and removed so far. */
  work = 0;
  readonly #keys: [Int32Array, Int32Array];
  /** By key: a node that had it. Entries may be outdated. */
  readonly #byKey = new Map<number, number>();

  /** The places and transitions of `kept` (1: kept, places first) with the arcs among them. */
  constructor(petri: Petri, { inputs, outputs }: Arcs, kept: Uint8Array) {
    this.places = petri.places.length;
    const nodes = this.places + petri.transitions.length;
    this.before = Array.from({ length: nodes }, () => new Set());
    this.after = Array.from({ length: nodes }, () => new Set());
    this.alive = Uint8Array.from(kept);
    this.tokens = Float64Array.from(petri.places, ({ initial }) => initial);
    this.#keys = [new Int32Array(nodes), new Int32Array(nodes)];
    for (const t of petri.transitions.keys()) {
      const node = this.places + t;
      if (kept[node] === 0) continue;
      for (const [p] of inputs[t]!) if (kept[p] === 1) this.link(p, node);
      for (const [p] of outputs[t]!) if (kept[p] === 1) this.link(node, p);
    }
  }

  get nodes(): number {
    return this.alive.length;
  }

  /** Number of nodes that are left. */
  get size(): number {
    return this.alive.reduce((sum, is) => sum + is, 0);
  }

  isPlace(node: number): boolean {
    return node < this.places;
  }

  link(from: number, to: number): void {
    this.after[from]!.add(to);
    this.before[to]!.add(from);
    this.#toggle(from, to);
  }

  unlink(from: number, to: number): void {
    this.after[from]!.delete(to);
    this.before[to]!.delete(from);
    this.#toggle(from, to);
  }

  /** Removes a node with its arcs. */
  remove(node: number): void {
    for (const x of this.before[node]!) this.unlink(x, node);
    for (const x of this.after[node]!) this.unlink(node, x);
    this.alive[node] = 0;
  }

  /** Another node of the same kind with the same neighbours on both sides, if one was asked about before. */
  twin(node: number): number | undefined {
    const [high, low] = this.#keys;
    const key = (high[node]! >>> 0) * 2 ** 20 + (low[node]! >>> 12);
    const other = this.#byKey.get(key);
    // Equal keys are not enough, and an entry may be outdated.
    if (
      other !== undefined &&
      other !== node &&
      this.alive[other] === 1 &&
      this.isPlace(other) === this.isPlace(node) &&
      areEqual(this.before[other]!, this.before[node]!) &&
      areEqual(this.after[other]!, this.after[node]!)
    )
      return other;
    this.#byKey.set(key, node);
    return undefined;
  }

  #toggle(from: number, to: number): void {
    this.work++;
    const [high, low] = this.#keys;
    high[from]! ^= mixed(2 * to + 1);
    low[from]! ^= mixed(2 * to + 0x40000001);
    high[to]! ^= mixed(2 * from);
    low[to]! ^= mixed(2 * from + 0x40000000);
  }
}

/** A number without visible relation to the given one: the finaliser of MurmurHash3. */
function mixed(n: number): number {
  let h = (n + 1) | 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}

export function areEqual(a: ReadonlySet<number>, b: ReadonlySet<number>): boolean {
  if (a.size !== b.size) return false;
  for (const x of a) if (!b.has(x)) return false;
  return true;
}

/** The only element of a set; undefined if it has none or several. */
export function only(set: ReadonlySet<number>): number | undefined {
  if (set.size !== 1) return undefined;
  for (const x of set) return x;
  return undefined;
}
