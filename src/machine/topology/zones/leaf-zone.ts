import type { NetPoint, Zone } from './zone.ts';

/** Where a zone with hosts only is in its parent. */
export interface ZonePlace {
  readonly name: string;
  readonly parent: Zone | undefined;
  /** Its number among the points of its parent. */
  readonly at: number;
}

/** Indexes of the links of hosts and switches in the platform's links. */
export interface PrivateLinks {
  /** Index of the loopback link of the first host, or −1. */
  readonly firstLoopback: number;
  /** Index of the limiter of the first host, or −1. Limiters of the switches follow. */
  readonly firstLimiter: number;
}

/** The identity of a zone whose routes are computed from a shape. */
export class LeafZone {
  readonly name: string;
  readonly parent: Zone | undefined;
  readonly depth: number;
  readonly point: NetPoint;

  constructor({ name, parent, at }: ZonePlace) {
    this.name = name;
    this.parent = parent;
    this.depth = parent === undefined ? 0 : parent.depth + 1;
    this.point = { name, kind: 'zone', zone: parent, at };
  }
}
