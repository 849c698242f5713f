import { FatTreeLevels, type FatTreeShape } from './fat-tree-shape.ts';
import type { LocalRoute, NetPoint, Zone } from './zone.ts';

/** Where the links of a fat tree stand among those of the platform. */
export interface FatTreeLinks {
  /** Upward link of the first cable. */
  readonly firstCable: number;
  /** 2 where every cable has an upward and a downward link, 1 where one link serves both. */
  readonly perCable: 1 | 2;
  /** Loopback link of the first host, or -1. */
  readonly firstLoopback: number;
  /** Limiter of the first host (switches follow in the order of levels), or -1. */
  readonly firstLimiter: number;
}

/**
 * A fat tree with D-mod-k routing, cable by cable as in SimGrid 3.32's FatTreeZone: upwards the port is the
 * destination's position divided by the numbers of parents below, modulo the ports (later versions of SimGrid divide by
 * the ports); downwards the cable is the source's position modulo the cables.
 * Positions count on over all fat trees of one platform file, as they do there. Source: Zahavi, D-Mod-K routing
 * providing non-blocking traffic for shift permutations on real life fat trees, 2010.
 */
export class FatTreeZone implements Zone {
  readonly name: string;
  readonly parent: Zone | undefined;
  readonly depth: number;
  readonly point: NetPoint;
  readonly #tree: FatTreeLevels;
  readonly #links: FatTreeLinks;
  readonly #offset: number;

  /** @param offset Number of hosts in the fat trees that stand before this one in the file. */
  constructor(
    name: string,
    parent: Zone | undefined,
    at: number,
    shape: FatTreeShape,
    links: FatTreeLinks,
    offset: number,
  ) {
    this.name = name;
    this.parent = parent;
    this.depth = parent === undefined ? 0 : parent.depth + 1;
    this.point = { name, kind: 'zone', zone: parent, at };
    this.#tree = new FatTreeLevels(shape);
    this.#links = links;
    this.#offset = offset;
  }

  localRoute(source: NetPoint, target: NetPoint): LocalRoute {
    const { firstLoopback } = this.#links;
    if (source === target && firstLoopback >= 0) return { links: [firstLoopback + source.at] };
    const links: number[] = [];
    const [level, position] = this.#climb(source.at, target.at, links);
    this.#descend(level, position, source.at, target.at, links);
    this.#limit(0, target.at, links);
    return { links };
  }

  #climb(source: number, target: number, links: number[]): [level: number, position: number] {
    const { shape } = this.#tree;
    let level = 0;
    let position = source;
    while (!this.#isBelow(target, level, position)) {
      let port = target + this.#offset;
      for (let i = 0; i < level; i++) port = Math.floor(port / shape.up[i]!);
      port %= shape.up[level]! * shape.cables[level]!;
      this.#limit(level, position, links);
      const digit = port % shape.up[level]!;
      links.push(this.#cable(level, position, digit, Math.floor(port / shape.up[level]!)));
      position = this.#tree.withDigit(level + 1, position, level, digit, level);
      level++;
    }
    return [level, position];
  }

  /** One pass of the inner loop may go down several levels, with the port where it left off: SimGrid's own way. */
  #descend(fromLevel: number, fromPosition: number, source: number, target: number, links: number[]): void {
    const { shape } = this.#tree;
    let level = fromLevel;
    let position = fromPosition;
    while (level > 0) {
      const start = ((source + this.#offset) % shape.cables[level - 1]!) * shape.down[level - 1]!;
      for (let port = start; level > 0 && port < shape.down[level - 1]! * shape.cables[level - 1]!; port++) {
        const below = level - 1;
        const digit = this.#tree.digit(0, target, below);
        if (port % shape.down[below]! !== digit) continue;
        const child = this.#tree.withDigit(below, position, below, digit, level);
        const parentDigit = this.#tree.digit(level, position, below);
        const up = this.#cable(below, child, parentDigit, Math.floor(port / shape.down[below]!));
        links.push(up + this.#links.perCable - 1);
        this.#limit(level, position, links);
        level = below;
        position = child;
      }
    }
  }

  /** Whether host `host` is in the tree under the node; a node is not under itself. */
  #isBelow(host: number, level: number, position: number): boolean {
    if (level === 0) return false;
    for (let i = level; i < this.#tree.height; i++) {
      if (this.#tree.digit(level, position, i) !== this.#tree.digit(0, host, i)) return false;
    }
    return true;
  }

  /** The upward link of a cable from a node to its parent with this digit. */
  #cable(level: number, position: number, digit: number, cable: number): number {
    const { shape, firstCable } = this.#tree;
    const number = firstCable[level]! + (position * shape.up[level]! + digit) * shape.cables[level]! + cable;
    return this.#links.firstCable + number * this.#links.perCable;
  }

  #limit(level: number, position: number, links: number[]): void {
    const { firstLimiter } = this.#links;
    if (firstLimiter >= 0) links.push(firstLimiter + this.#tree.first[level]! + position);
  }
}
