import { FatTreeLevels, type FatTreeShape } from '../fat-tree-shape.ts';
import { LeafZone, type PrivateLinks, type ZonePlace } from './leaf-zone.ts';
import type { LocalRoute, NetPoint, Zone } from './zone.ts';

/** Indexes of a fat tree's links in the platform's links; limiters of the switches are in the order of their levels. */
export interface FatTreeLinks extends PrivateLinks {
  /** Index of the upward link of the first cable. */
  readonly firstCable: number;
  /** 2 if every cable has an upward and a downward link, 1 if one link serves both directions. */
  readonly perCable: 1 | 2;
}

/**
 * A fat tree with D-mod-k routing, cable by cable as in SimGrid 3.32's FatTreeZone. Upward, the port is the
 * destination's position, divided by the product of the numbers of parents of all lower levels, modulo the number of
 * ports (later versions of SimGrid divide by the numbers of ports). Downward, the cable is the source's position modulo
 * the number of parallel cables. Positions are counted across all fat trees of a platform file, as in SimGrid.
 *
 * Source: Zahavi, D-Mod-K routing providing non-blocking traffic for shift permutations on real life fat trees, 2010.
 */
export class FatTreeZone extends LeafZone implements Zone {
  readonly #tree: FatTreeLevels;
  readonly #links: FatTreeLinks;
  readonly #offset: number;

  /** @param offset number of hosts in the fat trees that precede this one in the file */
  constructor(place: ZonePlace, shape: FatTreeShape, links: FatTreeLinks, offset: number) {
    super(place);
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

  /** As in SimGrid, one execution of the inner loop may descend several levels and keeps its port number when it does. */
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

  /** True if host `host` is a descendant of the node. A node is not its own descendant. */
  #isBelow(host: number, level: number, position: number): boolean {
    if (level === 0) return false;
    for (let i = level; i < this.#tree.height; i++) {
      if (this.#tree.digit(level, position, i) !== this.#tree.digit(0, host, i)) return false;
    }
    return true;
  }

  /** Index of the upward link of a cable from a node to the parent with this digit. */
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
