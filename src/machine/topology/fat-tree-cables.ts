import type { Link } from '../platform.ts';
import { FatTreeLevels, type FatTreeShape } from './fat-tree-shape.ts';

/** Properties shared by all cables of one fat tree: bandwidth in byte/s, latency in seconds. */
export interface CableOptions {
  readonly bandwidth: number;
  readonly latency: number;
  /** True: a cable is two links, `NAME_UP` and `NAME_DOWN`, at consecutive indexes. False: one link serves both directions. */
  readonly split: boolean;
  /** Index of the first link in the platform's links. */
  readonly firstLink: number;
  /** Number of the first cable in link names; SimGrid continues the numbering across the fat trees of a file. */
  readonly firstNumber: number;
}

/**
 * The cables of a fat tree of a SimGrid platform, named `link_from_LOWER_UPPER_NUMBER`. Names are computed, not stored,
 * because a short file can describe 2²¹ links. Look-ups are O(levels).
 */
export class FatTreeCables {
  readonly options: CableOptions;
  readonly #tree: FatTreeLevels;
  readonly #count: number;

  constructor(shape: FatTreeShape, options: CableOptions) {
    this.options = options;
    this.#tree = new FatTreeLevels(shape);
    this.#count = this.#tree.firstCable.at(-1)!;
  }

  get count(): number {
    return this.#count;
  }

  get linkCount(): number {
    return this.options.split ? 2 * this.#count : this.#count;
  }

  /** The link of this number, from 0. O(levels). */
  link(number: number): Link {
    const { split, bandwidth, latency } = this.options;
    const name = split ? `${this.name(number >> 1)}_${number % 2 === 0 ? 'UP' : 'DOWN'}` : this.name(number);
    return { name, bandwidth, latency, fatpipe: false };
  }

  /** All links in ascending order of their indexes. */
  *links(): Generator<Link> {
    for (let number = 0; number < this.linkCount; number++) yield this.link(number);
  }

  name(cable: number): string {
    const { lower, upper } = this.#tree.cable(cable);
    return `link_from_${lower}_${upper}_${this.options.firstNumber + cable}`;
  }

  /** Number of the cable of this name, from 0; undefined if this tree has none. */
  cableOf(name: string): number | undefined {
    const number = /^link_from_\d+_\d+_(\d{1,10})$/.exec(name)?.[1];
    if (number === undefined) return undefined;
    const cable = Number(number) - this.options.firstNumber;
    return cable >= 0 && cable < this.#count && this.name(cable) === name ? cable : undefined;
  }

  /** Index of the link of this name in the platform's links; undefined if this tree has none. */
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
}
