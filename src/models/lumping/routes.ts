/** The cost of the messages from one host to another, as the machine gives it. */
export interface PairCost {
  readonly latency: number;
  readonly weight: number;
  readonly bound: number;
  readonly links: ArrayLike<number>;
  readonly coefficients: ArrayLike<number>;
}

/** The network as ranks see it. */
export interface LumpedNetwork {
  /** By rank. */
  readonly hostOf: Int32Array;
  readonly hosts: number;
  readonly links: readonly { readonly name: string; readonly bandwidth: number; readonly fatpipe: boolean }[];
  cost(from: number, to: number): PairCost;
  /**
   * A network with one switch: every message between different hosts crosses link `first + 2 × sender` and then
   * `first + 2 × receiver + 1`, and hosts of one kind have equal links.
   */
  readonly star?: { readonly first: number; readonly kindOf: Int32Array; readonly kinds: number };
}

/** Equal for all routes of one kind: everything except the links. */
export interface RouteKind extends Omit<PairCost, 'links'> {
  /** From 0. */
  readonly number: number;
}

/** Maximum number of links of a route, return route included. */
const MAX_LINKS = 4096;
/** Maximum number of routes that are kept. Many pairs of hosts are seen a few times each: they cost more memory than time. */
const MAX_KEPT = 2 ** 16;

/** Routes between hosts. O(1) where the last route is asked for again, or where the network has one switch. */
export class Routes {
  /** The links of the route that {@link find} returned last: as many as its kind has coefficients. */
  readonly links: Int32Array = new Int32Array(MAX_LINKS);
  readonly #network: LumpedNetwork;
  readonly #kinds = new Map<string, RouteKind>();
  readonly #kept = new Map<number, { readonly kind: RouteKind; readonly links: ArrayLike<number> }>();
  /** One switch: kinds by those of the two hosts. */
  readonly #ofHosts: (RouteKind | undefined)[] = [];
  #from = -1;
  #to = -1;
  #kind: RouteKind | undefined;

  constructor(network: LumpedNetwork) {
    this.#network = network;
  }

  find(from: number, to: number): RouteKind {
    if (from === this.#from && to === this.#to) return this.#kind!;
    this.#from = from;
    this.#to = to;
    const { star } = this.#network;
    const kind = star === undefined || from === to ? this.#general(from, to) : this.#across(from, to, star);
    this.#kind = kind;
    return kind;
  }

  #across(from: number, to: number, { first, kindOf, kinds }: NonNullable<LumpedNetwork['star']>): RouteKind {
    const key = kindOf[from]! * kinds + kindOf[to]!;
    let kind = this.#ofHosts[key];
    if (kind === undefined) {
      const cost = this.#network.cost(from, to);
      if (cost.links[0] !== first + 2 * from || cost.links[1] !== first + 2 * to + 1 || cost.links.length !== 2)
        throw new Error(`the route from host ${from} to host ${to} is not that of a star`);
      kind = this.#kindOf(cost);
      this.#ofHosts[key] = kind;
    }
    this.links[0] = first + 2 * from;
    this.links[1] = first + 2 * to + 1;
    return kind;
  }

  #general(from: number, to: number): RouteKind {
    const key = from * this.#network.hosts + to;
    let known = this.#kept.get(key);
    if (known === undefined) {
      const cost = this.#network.cost(from, to);
      known = { kind: this.#kindOf(cost), links: cost.links };
      if (this.#kept.size < MAX_KEPT) this.#kept.set(key, known);
    }
    const { kind, links } = known;
    for (let i = 0; i < links.length; i++) this.links[i] = links[i]!;
    return kind;
  }

  #kindOf({ latency, weight, bound, coefficients }: PairCost): RouteKind {
    const all = Array.from(coefficients);
    const key = `${latency} ${weight} ${bound} ${all.join(' ')}`;
    const known = this.#kinds.get(key) ?? { number: this.#kinds.size, latency, weight, bound, coefficients: all };
    this.#kinds.set(key, known);
    return known;
  }
}
