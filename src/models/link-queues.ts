import type { NetBuilder, PlaceOf, TransitionBuilder } from '../net/builder/builder.ts';
import type { NumberFields } from '../net/builder/builder-types.ts';
import { and, eq, mul, not, type Term } from '../net/terms.ts';
import type { MessagePassingMachine } from './message-passing-parts.ts';

type Values = Readonly<Record<string, Term<number>>>;

/** A message as the net of its links sees it. */
export interface QueuedMessages {
  /** All fields of a message. */
  readonly fields: NumberFields;
  /** Number of the pair of ranks in the machine's tables. */
  pair(message: Values): Term<number>;
  /** Bytes to move, after the factor on the bandwidth. */
  amount(message: Values): Term<number>;
  /** Factor on the latencies of its links. */
  latencyFactor(message: Values): Term<number>;
}

/** Links that serve their messages in the order of arrival. */
export interface LinkQueues {
  /** Sends a message to the first link of its route. */
  depart(t: TransitionBuilder, message: Values): void;
  readonly landed: PlaceOf<NumberFields>;
}

/**
 * Adds links that messages occupy one after the other, first come, first served. A message takes the latency of a link,
 * waits until the link is free and all that came before it have left, and occupies it for bytes / b, where b is the lowest
 * bandwidth of its route. It comes to the next link as soon as it enters one, so that its links move its bytes at the same time.
 * This is virtual cut-through with unlimited buffers (Kermani, Kleinrock: Virtual cut-through, Computer Networks 1979): a
 * message that waits holds only links it still moves bytes over, so that no cycle of links can block. Fatpipes have no queue.
 *
 * A _hop_ is a position in the list of all routes. A token of the max-min place `network` is a message on one link, alone
 * unless the link is a fatpipe, with b as its bound.
 */
export function addLinkQueues(
  n: NetBuilder,
  {
    links,
    routes,
    hopLatency,
  }: Pick<MessagePassingMachine, 'links' | 'routes'> & { readonly hopLatency: Float64Array },
  { fields, pair, amount, latencyFactor }: QueuedMessages,
): LinkQueues {
  const { start, link } = routes;
  const hops = link.length;
  const ofHop = (name: string, low: number, high: number, value: (hop: number) => number) =>
    n.intTable(
      name,
      Int32Array.from({ length: hops }, (_, hop) => value(hop)),
      { low, high },
    );
  const ends = new Set(start);
  const bounds = new Float64Array(hops);
  for (let p = 0; p + 1 < start.length; p++) {
    const route = link.subarray(start[p], start[p + 1]);
    bounds.fill(
      route.reduce((least, l) => Math.min(least, links[l]!.capacity), Number.POSITIVE_INFINITY),
      start[p],
      start[p + 1],
    );
  }
  const Hop = n.range('Hop', 0, hops - 1);
  const Link = n.range('Link', 0, links.length - 1);
  const firstHop = n.intTable('firstHop', start.slice(0, -1), { low: 0, high: hops - 1 });
  const linkOf = ofHop('linkOfHop', 0, links.length - 1, (hop) => link[hop]!);
  const queues = ofHop('queueOfHop', 0, 1, (hop) => (links[link[hop]!]!.fatpipe ? 0 : 1));
  const last = ofHop('lastHop', 0, 1, (hop) => (ends.has(hop + 1) ? 1 : 0));
  const next = ofHop('nextHop', 0, hops - 1, (hop) => (ends.has(hop + 1) ? hop : hop + 1));
  const latency = n.realTable('latencyOfHop', hopLatency);
  const bound = n.realTable('bound', bounds);
  const oneLink = n.routesTable(
    'routes',
    Int32Array.from({ length: hops + 1 }, (_, hop) => hop),
    link,
    new Float64Array(hops).fill(1),
  );
  const isQueue = (hop: Term<number>): Term<boolean> => eq(queues.at(hop), 1);
  const isLast = (hop: Term<number>): Term<boolean> => eq(last.at(hop), 1);

  const onWay = { ...fields, hop: Hop } as NumberFields;
  const ahead = n.place('link ahead', onWay, { kind: 'message' });
  const queue = n.place('link queue', { link: Link, ...onWay } as NumberFields, {
    kind: 'message',
    order: { fifo: ['link'] },
  });
  const queued = links.flatMap(({ fatpipe }, k) => (fatpipe ? [] : [{ link: k }]));
  const idle = n.place('link idle', { link: Link }, { kind: 'resource', initial: queued });
  const network = n.place('network', onWay, {
    kind: 'message',
    service: (token) => {
      const { hop } = token as Values;
      return { links, amount: amount(token as Values), weight: 1, bound: bound.at(hop!), routes: oneLink, route: hop! };
    },
  });
  const landed = n.place('link landed', fields, { kind: 'message' });
  const goOn = (t: TransitionBuilder, message: Values, hop: Term<number>, condition: Term<boolean>): void => {
    t.put(ahead, { ...message, hop: next.at(hop) }, condition);
  };

  n.transition('reach link', (t) => {
    const { hop, ...message } = t.take(ahead) as Record<string, Term<number>>;
    t.kind('communicate');
    t.delay(mul(latency.at(hop!), latencyFactor(message)));
    t.put(queue, { link: linkOf.at(hop!), ...message, hop: hop! }, isQueue(hop!));
    t.put(network, { ...message, hop: hop! }, not(isQueue(hop!)));
    goOn(t, message, hop!, and(not(isQueue(hop!)), not(isLast(hop!))));
  });
  n.transition('enter link', (t) => {
    const { link: at } = t.take(idle);
    const { link: _, hop, ...message } = t.take(queue, { link: at }) as Record<string, Term<number>>;
    t.put(network, { ...message, hop: hop! });
    goOn(t, message, hop!, not(isLast(hop!)));
  });
  n.transition('leave link', (t) => {
    const { hop, ...message } = t.take(network) as Record<string, Term<number>>;
    t.put(idle, { link: linkOf.at(hop!) }, isQueue(hop!));
    t.put(landed, message, isLast(hop!));
  });
  return { landed, depart: (t, message) => t.put(ahead, { ...message, hop: firstHop.at(pair(message)) }) };
}
