import { NetBuilder, type TransitionBuilder } from '../../../net/builder/builder.ts';
import type { Net } from '../../../net/net.ts';
import { and, constant, eq, lt, not, or, type Term, when } from '../../../net/terms.ts';
import { isDetached, isEager } from '../../eager-threshold.ts';
import type { MessagePassingMachine } from '../../message-passing-parts.ts';
import { addTransfers, type Ends, type Messages, type Terms } from '../../transfers.ts';
import type { World } from '../resolve/world.ts';
import { NOBODY, portsOf, type Sizes, type Uses } from './ports.ts';
import { matchInOrder, orderNet } from './wild-order-net.ts';

/** The module of messages: matches sends with receives, transfers the messages, and completes requests. */
export function messageNet(sizes: Sizes, uses: Uses, world: World, machine: MessagePassingMachine): Net {
  const n = new NetBuilder('messages');
  const ports = portsOf(n, sizes, uses, machine);
  const ends = world.pairEnds();
  const from = n.intTable('from', orZero(ends.from), { low: 0, high: sizes.ranks - 1 });
  const to = n.intTable('to', orZero(ends.to), { low: 0, high: sizes.ranks - 1 });
  const { protocol } = machine;
  const exact = (t: TransitionBuilder): Ends => {
    const send = t.take(ports.sends()) as Terms;
    const { a } = t.take(ports.receives(), { p: send['p'], t: send['t'] }) as Terms;
    return { send, receive: { a: a! } };
  };
  const wild = (t: TransitionBuilder): Ends => {
    const { d, s, x, ...send } = t.take(ports.wildSends()) as Terms;
    const r = t.take(ports.wildReceives(), { d, x }) as Terms;
    t.guard(or(eq(r['s']!, -1), eq(r['s']!, s!)));
    t.guard(or(eq(r['t']!, -1), eq(r['t']!, send['t']!)));
    matchInOrder(t, ports, { d: d!, s: s!, x: x!, t: send['t']! }, r);
    return { send: send as Terms, receive: { a: r['a']! } };
  };
  // Receivers on machines of SimGrid spend no time on messages whose senders waited.
  const billed = ({ b, y }: Terms): Term<number> =>
    machine.calls?.receive === undefined ? b! : ports.times!().billed(b!, y);
  const status = (send: Terms): Terms => ({
    ...(uses.status
      ? { s: from.at(send['p']!), t: send['t']!, ...(send['v'] === undefined ? {} : { v: send['v'] }) }
      : {}),
    ...(uses.sized ? { b: billed(send) } : {}),
  });
  const messages: Messages = {
    send: ports.send,
    receive: { a: ports.Answer },
    pair: (send) => send['p']!,
    ...(protocol.eagerBelow > 0 ? { eager: (send) => isEager(protocol, send['b']!, send['y']) } : {}),
    nobody: () => ({ a: constant(NOBODY) }),
    isNobody: ({ a }) => eq(a!, NOBODY),
    immediate: uses.orders.sends || uses.orders.receives.length > 0,
    matches: { ...(uses.exact ? { match: exact } : {}), ...(uses.wild ? { matchWild: wild } : {}) },
    sent: (t, send) =>
      t.put(
        ports.completed(),
        { rank: from.at(send['p']!), q: send['q']!, ...status(send) },
        uses.free
          ? and(not(isDetached(protocol, send['b']!, send['y'])), not(eq(send['q']!, sizes.free)))
          : not(isDetached(protocol, send['b']!, send['y'])),
      ),
    received: (t, { a }, send) =>
      t.put(
        ports.completed(),
        { rank: to.at(send['p']!), q: when<number>(lt(a!, 0), 0, a!), ...status(send) },
        uses.oneSided ? not(lt(a!, 0)) : 1,
      ),
  };
  addTransfers(n, machine, messages);
  if (uses.wild) orderNet(n, ports);
  world.infos.set('match', { statement: undefined });
  return n.build();
}

function orZero(values: Int32Array): Int32Array {
  return values.length > 0 ? values : Int32Array.of(0);
}
