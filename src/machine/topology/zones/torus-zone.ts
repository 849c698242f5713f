import { product } from '../topology.ts';
import { cableCount, torusHops } from '../torus.ts';
import { type CableOptions, Cables } from './cables.ts';
import { LeafZone, type PrivateLinks, type ZonePlace } from './leaf-zone.ts';
import type { LocalRoute, NetPoint, Zone } from './zone.ts';

/** The cables of a torus of a SimGrid platform, named `ID_link_from_NODE_to_NEXT`. Look-ups are O(dimensions). */
export class TorusCables extends Cables {
  readonly #stem: string;
  readonly #sizes: readonly number[];
  readonly #nodes: number;

  constructor(id: string, sizes: readonly number[], options: CableOptions) {
    super(cableCount(sizes), options);
    this.#stem = `${id}_link_from_`;
    this.#sizes = sizes;
    this.#nodes = product(sizes);
  }

  name(cable: number): string {
    const node = cable % this.#nodes;
    return `${this.#stem}${node}_to_${this.#next(node, Math.floor(cable / this.#nodes))}`;
  }

  cableOf(name: string): number | undefined {
    if (!name.startsWith(this.#stem)) return undefined;
    const [, node = '', next = ''] = /^(\d{1,9})_to_(\d{1,9})$/.exec(name.slice(this.#stem.length)) ?? [];
    if (node === '' || Number(node) >= this.#nodes) return undefined;
    for (let rank = 0; rank < this.count / this.#nodes; rank++) {
      const cable = rank * this.#nodes + Number(node);
      if (this.#next(Number(node), rank) === Number(next) && this.name(cable) === name) return cable;
    }
    return undefined;
  }

  /** The next node along a dimension, counting only those of size above 1. */
  #next(node: number, rank: number): number {
    let stride = 1;
    let before = rank;
    for (const size of this.#sizes) {
      const here = Math.floor(node / stride) % size;
      if (size > 1 && before-- === 0) return here === size - 1 ? node - here * stride : node + stride;
      stride *= size;
    }
    return node;
  }
}

/** A torus with dimension-order routing, hop by hop as in SimGrid 3.32's TorusZone. */
export class TorusZone extends LeafZone implements Zone {
  readonly #sizes: readonly number[];
  readonly #cables: TorusCables;
  readonly #links: PrivateLinks;

  constructor(place: ZonePlace, sizes: readonly number[], cables: TorusCables, links: PrivateLinks) {
    super(place);
    this.#sizes = sizes;
    this.#cables = cables;
    this.#links = links;
  }

  localRoute(source: NetPoint, target: NetPoint): LocalRoute | string {
    const { firstLoopback, firstLimiter } = this.#links;
    if (source === target && firstLoopback >= 0) return { links: [firstLoopback + source.at] };
    const links: number[] = [];
    for (const { from, cable, up } of torusHops(this.#sizes, source.at, target.at)) {
      if (firstLimiter >= 0) links.push(firstLimiter + from);
      links.push(this.#cables.indexOf(cable, up));
    }
    if (firstLimiter >= 0) links.push(firstLimiter + target.at);
    if (links.length === 0) return `Torus ${this.name} has no loopback links: give loopback_bw and loopback_lat.`;
    return { links };
  }
}
