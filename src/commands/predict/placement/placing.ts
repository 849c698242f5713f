import { InputError } from '../../../base/problem.ts';
import type { Platform } from '../../../machine/platform.ts';
import type { Flow } from './traffic.ts';

/** Ranks to place: their work, their messages, and the room on each host. */
export interface PlacingParts {
  readonly platform: Platform;
  readonly flows: readonly Flow[];
  /** Operations of each rank, in flop. */
  readonly work: Float64Array;
  /** Maximum number of ranks on each host. */
  readonly room: Int32Array;
}

/** A partner of a rank: messages and bytes in both directions, as the rank sends (`out`) and receives (`in`) them. */
interface Partner {
  readonly rank: number;
  readonly messagesOut: number;
  readonly bytesOut: number;
  readonly messagesIn: number;
  readonly bytesIn: number;
}

/** Bytes that a rank exchanges with a partner, both directions together. */
interface Volume {
  readonly rank: number;
  readonly bytes: number;
}

/** Latency (s) and time per byte (s/B) over all links of a route. */
interface Distance {
  readonly latency: number;
  readonly perByte: number;
}

/**
 * The estimate by which placements are made and ordered, before their run times are predicted: seconds of all links and cores.
 * A message counts with its latency and with the time of its bytes on each link of its route, a rank with its work divided by
 * the speed of its host.
 */
export class Placing {
  readonly ranks: number;
  readonly room: Int32Array;
  readonly #platform: Platform;
  readonly #work: Float64Array;
  readonly #partners: Partner[][];
  readonly #volumes: (readonly Volume[])[];
  readonly #distances = new Map<number, Distance>();

  constructor({ platform, flows, work, room }: PlacingParts) {
    this.#platform = platform;
    this.#work = work;
    this.ranks = work.length;
    this.room = room;
    this.#partners = partnersOf(flows, work.length);
    this.#volumes = this.#partners.map((all) =>
      all.map(({ rank, bytesOut, bytesIn }) => ({ rank, bytes: bytesOut + bytesIn })),
    );
  }

  get hosts(): number {
    return this.room.length;
  }

  volumes(rank: number): readonly Volume[] {
    return this.#volumes[rank]!;
  }

  #computing(rank: number, host: number): number {
    return this.#work[rank]! / this.#platform.hosts[host]!.speed;
  }

  /** The distance between two hosts; infinite if there is no route. */
  distance(from: number, to: number): Distance {
    const key = from * this.hosts + to;
    let found = this.#distances.get(key);
    if (found === undefined) {
      found = distanceOf(this.#platform, from, to);
      this.#distances.set(key, found);
    }
    return found;
  }

  /** Seconds of a rank on a host: its work, and its messages to the partners, other than `without`, on the hosts of `hostOf`. */
  #seconds(rank: number, host: number, hostOf: (rank: number) => number, without = -1): number {
    let sum = this.#computing(rank, host);
    for (const p of this.#partners[rank]!) {
      if (p.rank === without) continue;
      const other = hostOf(p.rank);
      if (p.messagesOut > 0) {
        const { latency, perByte } = this.distance(host, other);
        sum += p.messagesOut * latency + p.bytesOut * perByte;
      }
      if (p.messagesIn > 0) {
        const { latency, perByte } = this.distance(other, host);
        sum += p.messagesIn * latency + p.bytesIn * perByte;
      }
    }
    return sum;
  }

  /** Seconds by which the estimate falls if two ranks change places. O(partners). */
  exchangeGain(placement: Int32Array, a: number, b: number): number {
    const [hostA, hostB] = [placement[a]!, placement[b]!];
    const before = (rank: number): number => placement[rank]!;
    const after = (rank: number): number => (rank === a ? hostB : rank === b ? hostA : placement[rank]!);
    // Messages between the two count once.
    return (
      this.#seconds(a, hostA, before) +
      this.#seconds(b, hostB, before, a) -
      this.#seconds(a, hostB, after) -
      this.#seconds(b, hostA, after, a)
    );
  }

  /** Seconds by which the estimate falls if a rank moves to a host. O(partners). */
  moveGain(placement: Int32Array, rank: number, host: number): number {
    const hostOf = (other: number): number => placement[other]!;
    return this.#seconds(rank, placement[rank]!, hostOf) - this.#seconds(rank, host, hostOf);
  }

  /** The estimate of a placement, in seconds. O(partners of all ranks). */
  estimate(placement: Int32Array): number {
    let sum = 0;
    for (let rank = 0; rank < this.ranks; rank++) {
      const host = placement[rank]!;
      sum += this.#computing(rank, host);
      for (const { rank: to, messagesOut, bytesOut } of this.#partners[rank]!) {
        if (messagesOut === 0) continue;
        const { latency, perByte } = this.distance(host, placement[to]!);
        sum += messagesOut * latency + bytesOut * perByte;
      }
    }
    return sum;
  }
}

function partnersOf(flows: readonly Flow[], ranks: number): Partner[][] {
  type Open = { -readonly [K in keyof Partner]: Partner[K] };
  const all = Array.from({ length: ranks }, () => new Map<number, Open>());
  const of = (rank: number, partner: number): Open => {
    let found = all[rank]!.get(partner);
    if (found === undefined) {
      found = { rank: partner, messagesOut: 0, bytesOut: 0, messagesIn: 0, bytesIn: 0 };
      all[rank]!.set(partner, found);
    }
    return found;
  };
  for (const { from, to, messages, bytes } of flows) {
    const [sender, receiver] = [of(from, to), of(to, from)];
    sender.messagesOut += messages;
    sender.bytesOut += bytes;
    receiver.messagesIn += messages;
    receiver.bytesIn += bytes;
  }
  return all.map((partners) => [...partners.values()]);
}

function distanceOf(platform: Platform, from: number, to: number): Distance {
  try {
    const { links, latency } = platform.route(from, to);
    const perByte = links.reduce((sum, link) => sum + 1 / platform.links[link]!.bandwidth, 0);
    return { latency, perByte };
  } catch (error) {
    if (error instanceof InputError) return { latency: Number.POSITIVE_INFINITY, perByte: 0 };
    throw error;
  }
}
