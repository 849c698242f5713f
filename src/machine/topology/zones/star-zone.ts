import { WrittenZone } from './written-zone.ts';
import type { LocalRoute, NetPoint } from './zone.ts';

/** The links between one point of a star and its centre. */
export interface Spoke {
  readonly up: readonly number[];
  readonly down: readonly number[];
}

const DIRECT: Spoke = { up: [], down: [] };

/**
 * A flat cluster (SimGrid's StarZone): a route goes from the source up to the centre and down to the target, and
 * contains no link twice. A point without spoke is the centre. The route of a point to itself goes up and down, if no
 * other is set.
 */
export class StarZone extends WrittenZone {
  readonly #spokes: (Spoke | undefined)[] = [];
  readonly #loopbacks = new Map<number, readonly number[]>();

  /** Sets the links of the point with the number `at`; false if they are set already. */
  addSpoke(at: number, spoke: Spoke): boolean {
    if (this.#spokes[at] !== undefined) return false;
    this.#spokes[at] = spoke;
    return true;
  }

  /** Sets the route of a point to itself. */
  setLoopback(at: number, links: readonly number[]): void {
    this.#loopbacks.set(at, links);
  }

  localRoute(source: NetPoint, target: NetPoint): LocalRoute | string {
    const from = this.#spokes[source.at] ?? DIRECT;
    const loopback = source === target ? this.#loopbacks.get(source.at) : undefined;
    if (loopback !== undefined) return { links: loopback };
    const links = new Set(from.up);
    for (const link of (this.#spokes[target.at] ?? DIRECT).down) links.add(link);
    if (links.size === 0 && source.kind === 'host' && target.kind === 'host')
      return `Zone ${this.name} has no links between host ${source.name} and host ${target.name}.`;
    return { links: [...links] };
  }
}

/**
 * SimGrid's routing="Vivaldi": a star whose routes also take the distance of the coordinates of their ends: in the plane,
 * plus both heights.
 *
 * Source: Dabek et al., Vivaldi: a decentralized network coordinate system, 2004.
 */
export class VivaldiZone extends StarZone {
  override localRoute(source: NetPoint, target: NetPoint): LocalRoute | string {
    const [from, to] = [source.coordinates, target.coordinates];
    for (const point of [source, target])
      if (point.coordinates === undefined)
        return `${point.kind} ${point.name} of zone ${this.name} has no coordinates, which routing Vivaldi needs.`;
    const [x, y, height] = from!;
    const [toX, toY, toHeight] = to!;
    const milliseconds = Math.sqrt((x - toX) ** 2 + (y - toY) ** 2) + Math.abs(height) + Math.abs(toHeight);
    const local = super.localRoute(source, target);
    if (typeof local === 'string') return milliseconds > 0 ? { links: [], delay: milliseconds / 1000 } : local;
    return { ...local, delay: milliseconds / 1000 };
  }
}
