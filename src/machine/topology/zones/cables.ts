import type { Link } from '../../platform.ts';

/** Properties shared by all cables of one network: bandwidth in byte/s, latency in seconds. */
export interface CableOptions {
  readonly bandwidth: number;
  readonly latency: number;
  /** True: a cable is two links, `NAME_UP` and `NAME_DOWN`, at consecutive indexes. False: one link serves both directions. */
  readonly split: boolean;
  /** Index of the first link in the platform's links. */
  readonly firstLink: number;
}

/**
 * The cables of a network of a SimGrid platform. Names are computed, not stored, because a short file can describe 2²¹
 * links.
 */
export abstract class Cables {
  readonly options: CableOptions;
  readonly count: number;

  constructor(count: number, options: CableOptions) {
    this.count = count;
    this.options = options;
  }

  abstract name(cable: number): string;

  /** Number of the cable of this name, from 0; undefined if this network has none. */
  abstract cableOf(name: string): number | undefined;

  /** Number of equal wires that a cable represents: its bandwidth is that of one, times this number. */
  wires(_cable: number): number {
    return 1;
  }

  get linkCount(): number {
    return this.options.split ? 2 * this.count : this.count;
  }

  /** The link of this number, from 0. */
  link(number: number): Link {
    const { split, bandwidth, latency } = this.options;
    const cable = split ? number >> 1 : number;
    const name = split ? `${this.name(cable)}_${number % 2 === 0 ? 'UP' : 'DOWN'}` : this.name(cable);
    return { name, bandwidth: bandwidth * this.wires(cable), latency, fatpipe: false };
  }

  /** All links in ascending order of their indexes. */
  *links(): Generator<Link> {
    for (let number = 0; number < this.linkCount; number++) yield this.link(number);
  }

  /** Index of the link of this name in the platform's links; undefined if this network has none. */
  linkOf(name: string): number | undefined {
    const { split, firstLink } = this.options;
    if (!split) {
      const cable = this.cableOf(name);
      return cable === undefined ? undefined : firstLink + cable;
    }
    const half = /^(.*)_(UP|DOWN)$/.exec(name);
    const cable = half === null ? undefined : this.cableOf(half[1]!);
    return cable === undefined ? undefined : firstLink + 2 * cable + (half![2] === 'UP' ? 0 : 1);
  }

  /** Index of the upward or downward link of a cable in the platform's links. */
  indexOf(cable: number, up: boolean): number {
    const { split, firstLink } = this.options;
    return split ? firstLink + 2 * cable + (up ? 0 : 1) : firstLink + cable;
  }
}
