import type { Statement } from '../record/statement.ts';
import type { Counts, Variant } from './execution-counts.ts';

/** Maximum number of channels of a program. */
const MAX_CHANNELS = 2 ** 16;

/** The messages of one sender, receiver, tag and communicator; undefined fields are unknown or wildcards. */
export interface Channel {
  readonly comm: number;
  readonly from: number | undefined;
  readonly to: number | undefined;
  readonly tag: number | undefined;
}

/** One side of a channel, as a rank's send or receive specifies it. */
export interface End extends Channel {
  /** True if it is the sending side. */
  readonly out: boolean;
}

/** The end of a rank's send or receive in one of its variants; undefined if it has no partner. */
export function endOf(rank: number, s: Statement, { peer, tag }: Variant): End | undefined {
  if (s.kind !== 'send' && s.kind !== 'recv') return undefined;
  if (peer === null) return undefined;
  const out = s.kind === 'send';
  return { comm: s.comm.number, from: out ? rank : peer, to: out ? peer : rank, tag, out };
}

/**
 * The channels of a program, and those that each end can use. A fully specified end uses its own channel; others use
 * the channels whose opposite end may match. An end without a match gets a separate channel, which makes the mismatch
 * visible.
 */
export class Channels {
  readonly #known = new Map<string, Channel>();
  /** Channels by sender and by receiver. */
  readonly #from = new Map<number | undefined, Channel[]>();
  readonly #to = new Map<number | undefined, Channel[]>();
  readonly #ofEnd = new Map<string, readonly Channel[]>();

  /** @param all statement counts of each rank of the world */
  constructor(all: readonly Counts[]) {
    const ends = new Map<string, End>();
    all.forEach((counts, rank) => {
      for (const [s, { variants: ways }] of counts)
        for (const variant of ways.values()) {
          const end = endOf(rank, s, variant);
          if (end !== undefined) ends.set(keyOf(end, end.out), end);
        }
    });
    const open: End[] = [];
    for (const end of ends.values()) {
      if (isResolved(end)) this.#add(end);
      else open.push(end);
    }
    // Two partly specified ends meet in the channel that combines their fields.
    const receives = open.filter((end) => !end.out);
    for (const send of open)
      if (send.out && this.isResolved)
        for (const receive of receives) if (agree(send, receive)) this.#add(together(send, receive));
    if (!this.isResolved) return;
    for (const end of open) {
      const near = (end.out ? this.#from.get(end.from) : this.#to.get(end.to)) ?? [];
      const fitting = near.filter((c) => agree(end, c));
      this.#ofEnd.set(keyOf(end, end.out), fitting.length > 0 ? fitting : [this.#add(end)]);
    }
  }

  /** True if all channels are present; channels beyond the maximum are omitted. */
  get isResolved(): boolean {
    return this.#known.size <= MAX_CHANNELS;
  }

  /** The channels that an end can use. */
  of(end: End): readonly Channel[] {
    return this.#ofEnd.get(keyOf(end, end.out)) ?? [this.#known.get(keyOf(end))!];
  }

  #add({ comm, from, to, tag }: Channel): Channel {
    const key = keyOf({ comm, from, to, tag });
    let known = this.#known.get(key);
    if (known === undefined) {
      known = { comm, from, to, tag };
      this.#known.set(key, known);
      for (const [index, rank] of [
        [this.#from, from],
        [this.#to, to],
      ] as const)
        index.set(rank, [...(index.get(rank) ?? []), known]);
    }
    return known;
  }
}

/** Place name of a channel: `messages from 0 to 1, tag 3`. */
export function channelName({ comm, from, to, tag }: Channel): string {
  const tagged = tag === undefined ? '' : `, tag ${tag}`;
  return `messages from ${from ?? 'any'} to ${to ?? 'any'}${tagged}${comm === 0 ? '' : `, communicator ${comm}`}`;
}

function keyOf({ comm, from, to, tag }: Channel, out?: boolean): string {
  return `${comm} ${from} ${to} ${tag} ${out ?? ''}`;
}

function isResolved({ from, to, tag }: Channel): boolean {
  return from !== undefined && to !== undefined && tag !== undefined;
}

function agree(a: Channel, b: Channel): boolean {
  const fits = (x: number | undefined, y: number | undefined): boolean => x === undefined || y === undefined || x === y;
  return a.comm === b.comm && fits(a.from, b.from) && fits(a.to, b.to) && fits(a.tag, b.tag);
}

function together(a: Channel, b: Channel): Channel {
  return { comm: a.comm, from: a.from ?? b.from, to: a.to ?? b.to, tag: a.tag ?? b.tag };
}
