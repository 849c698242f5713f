import type { NetBuilder, PlaceOf, TransitionBuilder } from '../../../net/builder/builder.ts';
import type { NumberFields } from '../../../net/builder/builder-types.ts';
import { add, and, constant, eq, lt, not, or, type Term } from '../../../net/terms.ts';
import type { Terms } from '../../transfers.ts';
import { ORDER_PRIORITY } from '../resolve/wild-order.ts';
import type { Ports } from './ports.ts';

/**
 * Order constraints of a wildcard match. A receive with a wildcard tag takes the first message of its sender; other
 * receives take the first message with their tag (by fifo). No older open receive may match the message.
 *
 * @param s destination, source, communicator and tag of the message
 * @param r pattern and request of the receive
 */
export function matchInOrder(t: TransitionBuilder, ports: Ports, s: Terms, r: Terms): void {
  const { orders, order } = ports;
  const list = { d: s['d']!, s: s['s']!, x: s['x']! };
  const tag = s['t']!;
  if (orders.sends) {
    const first = (t.take(order.first(), list) as Terms)['t']!;
    const later = not(eq(first, tag));
    t.guard(or(not(eq(r['t']!, -1)), eq(first, tag)));
    t.put(order.first(), { ...list, t: first }, later);
    t.put(order.skipped(), { ...list, t: constant(-1) }, later);
    t.put(order.search(), { ...list, t: tag }, later);
  }
  if (orders.receives.length === 0) return;
  const own = { d: s['d']!, a: r['a']! };
  t.take(order.open(), own);
  for (const source of [s['s']!, constant(-1)])
    for (const of of [tag, constant(-1)]) t.inhibit(order.older(), { ...own, s: source, x: s['x']!, t: of });
  t.reset(order.older(), own);
  t.reset(order.older(), { d: s['d']!, o: r['a']! });
}

/** Adds the steps that maintain the lists to the module of messages. */
export function orderNet(n: NetBuilder, ports: Ports): void {
  if (ports.orders.sends) messageSteps(n, ports);
  if (ports.orders.receives.length > 0) receiveSteps(n, ports);
}

/**
 * The tags of a list are in `first`, `skipped` and `following`, in this order. To remove the oldest tag t behind
 * `first`, `skipped` is rotated once, up to a marker (tag −1), without its first t. If it has no t, `following` is
 * moved to `skipped` up to its first t, which is dropped. New messages are appended to `following` in the meantime; no
 * other transition changes `skipped`.
 */
function messageSteps(n: NetBuilder, { order }: Ports): void {
  const step = (name: string, body: (t: TransitionBuilder) => void): void => {
    n.transition(`order ${name}`, (t) => {
      t.priority(ORDER_PRIORITY);
      body(t);
    });
  };
  const listOf = ({ d, s, x }: Terms): Terms => ({ d: d!, s: s!, x: x! });
  const takes = (t: TransitionBuilder, place: PlaceOf<NumberFields>, of?: Terms): Terms => t.take(place, of) as Terms;
  const reads = (t: TransitionBuilder, place: PlaceOf<NumberFields>): Terms => t.read(place) as Terms;
  const puts = (t: TransitionBuilder, place: PlaceOf<NumberFields>, token: Terms): void => t.put(place, token);
  const isTag = (tag: Term<number>): Term<boolean> => not(lt(tag, 0));

  step('first of skipped', (t) => {
    const token = takes(t, order.skipped());
    t.guard(isTag(token['t']!));
    t.inhibit(order.first(), listOf(token));
    puts(t, order.first(), token);
  });
  step('first of following', (t) => {
    const token = takes(t, order.following());
    t.inhibit(order.first(), listOf(token));
    t.inhibit(order.skipped(), listOf(token));
    puts(t, order.first(), token);
  });
  step('passes skipped', (t) => {
    const wanted = reads(t, order.search());
    const { t: tag } = takes(t, order.skipped(), listOf(wanted));
    t.guard(and(isTag(tag!), not(eq(tag!, wanted['t']!))));
    puts(t, order.skipped(), { ...listOf(wanted), t: tag! });
  });
  step('finds skipped', (t) => {
    const wanted = takes(t, order.search());
    takes(t, order.skipped(), wanted);
    puts(t, order.restore(), listOf(wanted));
  });
  step('restores', (t) => {
    const list = listOf(reads(t, order.restore()));
    const { t: tag } = takes(t, order.skipped(), list);
    t.guard(isTag(tag!));
    puts(t, order.skipped(), { ...list, t: tag! });
  });
  step('restored', (t) => {
    const list = listOf(takes(t, order.restore()));
    takes(t, order.skipped(), { ...list, t: constant(-1) });
  });
  step('seeks', (t) => {
    const wanted = takes(t, order.search());
    takes(t, order.skipped(), { ...listOf(wanted), t: constant(-1) });
    puts(t, order.seek(), wanted);
  });
  step('passes following', (t) => {
    const wanted = reads(t, order.seek());
    const { t: tag } = takes(t, order.following(), listOf(wanted));
    t.guard(not(eq(tag!, wanted['t']!)));
    puts(t, order.skipped(), { ...listOf(wanted), t: tag! });
  });
  step('finds following', (t) => {
    const wanted = takes(t, order.seek());
    takes(t, order.following(), wanted);
  });
}

/** A new receive is compared with the open ones of its rank and communicator, by request, and then opened. */
function receiveSteps(n: NetBuilder, { order, orders }: Ports): void {
  const requests = n.intTable('order.request', Int32Array.from(orders.receives));
  const count = orders.receives.length;
  const step = (name: string, body: (t: TransitionBuilder, entering: Terms) => void): void => {
    n.transition(`order ${name}`, (t) => {
      t.priority(ORDER_PRIORITY);
      body(t, t.take(order.entering()) as Terms);
    });
  };
  const compared = (t: TransitionBuilder, { k, ...receive }: Terms): Terms => {
    t.guard(lt(k!, count));
    t.put(order.entering(), { ...receive, k: next(k!) });
    return { d: receive['d']!, a: requests.at(k!), x: receive['x']! };
  };
  const next = (k: Term<number>): Term<number> => add(k, 1);
  step('behind an open receive', (t, receive) => {
    const { s, t: tag } = t.read(order.open(), compared(t, receive)) as Terms;
    const { d, a, x, k } = receive;
    t.put(order.older(), { d: d!, a: a!, o: requests.at(k!), s: s!, x: x!, t: tag! });
  });
  step('behind no open receive', (t, receive) => {
    t.inhibit(order.open(), compared(t, receive));
  });
  step('opens', (t, { k, ...receive }) => {
    t.guard(eq(k!, count));
    t.put(order.open(), receive);
  });
}
