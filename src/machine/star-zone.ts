import type { LocalRoute, NetPoint, Zone } from './zone.ts';

/** The links between one point of a star and its centre. */
export interface Spoke {
  readonly up: readonly number[];
  readonly down: readonly number[];
  /** Route of a host to itself; if absent, `up` followed by `down`. */
  readonly loopback?: readonly number[];
}

/**
 * A flat cluster (SimGrid's StarZone): a route goes from the source up to the centre and down to the target, and
 * contains no link twice.
 */
export class StarZone implements Zone {
  readonly name: string;
  readonly parent: Zone | undefined;
  readonly depth: number;
  readonly point: NetPoint;
  readonly #spokes: Spoke[] = [];

  constructor(name: string, parent: Zone | undefined, at: number) {
    this.name = name;
    this.parent = parent;
    this.depth = parent === undefined ? 0 : parent.depth + 1;
    this.point = { name, kind: 'zone', zone: parent, at };
  }

  /** Adds the point with the number {@link size}. */
  add(spoke: Spoke): void {
    this.#spokes.push(spoke);
  }

  get size(): number {
    return this.#spokes.length;
  }

  localRoute(source: NetPoint, target: NetPoint): LocalRoute {
    const from = this.#spokes[source.at]!;
    if (source === target && from.loopback !== undefined) return { links: from.loopback };
    const links = new Set(from.up);
    for (const link of this.#spokes[target.at]!.down) links.add(link);
    return { links: [...links] };
  }
}
