import type { Colour, NetBuilder, PlaceOf, TermsOf, TransitionBuilder } from '../net/builder/builder.ts';
import type { Fields } from '../net/builder/builder-types.ts';
import { add, div, mul, not, type Term } from '../net/terms.ts';
import { addInterfaces, type MessageGap } from './message-gap.ts';
import type { MessagePassingMachine } from './message-passing-parts.ts';

/** Terms by the names of fields. */
export type Terms = Readonly<Record<string, Term<number>>>;
type Numbers = Readonly<Record<string, Colour<number>>>;

/** Both ends of a message, as a transition finds them. */
export interface Ends {
  readonly send: Terms;
  readonly receive: Terms;
}

/** What a program says of its messages. The fields of the two ends have different names; `b` of a send is its bytes. */
export interface Messages {
  /** What tells messages of one source, destination and size apart, as far as anything depends on it. */
  readonly send: Numbers & { readonly b: Colour<number> };
  readonly receive: Numbers;
  /** Number of the pair of ranks in the tables of the machine. */
  pair(send: Terms): Term<number>;
  /** Whether a message starts to travel at the send; undefined: none does. */
  readonly eager?: (send: Terms) => Term<boolean>;
  /** The receiving end of a message that travels on its own, and how it is known. */
  readonly nobody: (send: Terms) => Terms;
  isNobody(receive: Terms): Term<boolean>;
  /** Whether matches take no time of their own: then another transition begins the transfer. */
  readonly immediate?: boolean;
  /** Transitions by name that bring a send and a receive together, each the oldest that fit. */
  readonly matches: Readonly<Record<string, (t: TransitionBuilder) => Ends>>;
  /** The sender of a message that it waited for goes on. */
  sent(t: TransitionBuilder, send: Terms): void;
  received(t: TransitionBuilder, receive: Terms, send: Terms): void;
}

/** The tables and places of transfers. */
export interface Transfers {
  /** Where a send puts a message that travels at once; absent where none does. */
  readonly eagerFlight: PlaceOf<Fields> | undefined;
}

/**
 * How messages travel: a pair that was matched takes its latency, then a token in the max-min place `network`; an eager
 * message sets out at its send and meets its receive on arrival. One transition pairs messages of all sizes, so that a
 * receive takes the oldest that it admits. Where the machine keeps messages apart, they cross an interface before their
 * latency, and another one after the network.
 */
export function addTransfers(n: NetBuilder, machine: MessagePassingMachine, messages: Messages): Transfers {
  const { protocol, links } = machine;
  const { send, receive, eager } = messages;
  const latency = n.realTable('latency', orOne(machine.latency));
  const weight = n.realTable('weight', orOne(machine.weight));
  const bound = n.realTable('bound', orOne(machine.bound));
  const { start, link, coefficient } = machine.routes;
  const routes = n.routesTable('routes', start.length > 1 ? start : Int32Array.of(0, 0), link, coefficient);
  const latencyFactor = n.stepTable('latencyFactor', protocol.latencyFactor.from, protocol.latencyFactor.values);
  const bandwidthFactor = n.stepTable(
    'bandwidthFactor',
    protocol.bandwidthFactor.from,
    protocol.bandwidthFactor.values,
  );
  const wire = (s: Terms): Term<number> => add(s['b']!, protocol.envelope);
  const both = { ...send, ...receive };
  const endsOf = (terms: TermsOf<Fields>): Ends => ({
    send: pick(terms as Terms, send),
    receive: pick(terms as Terms, receive),
  });

  const network = n.place('network', both as Fields, {
    kind: 'message',
    service: (token) => {
      const s = pick(token as Terms, send);
      return {
        links,
        amount: div(wire(s), bandwidthFactor.of(wire(s))),
        weight: weight.at(messages.pair(s)),
        bound: bound.at(messages.pair(s)),
        routes,
        route: messages.pair(s),
      };
    },
  });
  const setOut = (t: TransitionBuilder, s: Terms, r: Terms): void => {
    t.kind('communicate');
    t.delay(mul(latency.at(messages.pair(s)), latencyFactor.of(wire(s))));
    t.put(network, { ...s, ...r } as never);
  };
  const ways = machine.gap === undefined ? undefined : addGaps(n, machine.gap, both as Fields, messages);
  const travel =
    ways === undefined
      ? setOut
      : (t: TransitionBuilder, s: Terms, r: Terms): void => ways.out.cross(t, ways.from(s), { ...s, ...r });
  const landed = ways?.in.crossed ?? network;
  if (ways !== undefined) {
    n.transition('set out', (t) => {
      const ends = endsOf(t.take(ways.out.crossed));
      setOut(t, ends.send, ends.receive);
    });
    n.transition('land', (t) => {
      const ends = endsOf(t.take(network));
      ways.in.cross(t, ways.to(ends.send), { ...ends.send, ...ends.receive });
    });
  }

  const direct = eager === undefined && messages.immediate !== true;
  const paired = direct ? undefined : n.place('paired', both as Fields, { kind: 'message' });
  for (const [name, match] of Object.entries(messages.matches))
    n.transition(name, (t) => {
      const ends = match(t);
      if (paired === undefined) travel(t, ends.send, ends.receive);
      else t.put(paired, { ...ends.send, ...ends.receive } as never);
    });
  n.transition('deliver', (t) => {
    const ends = endsOf(t.take(landed));
    if (eager !== undefined) t.guard(not(messages.isNobody(ends.receive)));
    messages.sent(t, ends.send);
    messages.received(t, ends.receive, ends.send);
  });
  if (paired === undefined) return { eagerFlight: undefined };

  n.transition('depart', (t) => {
    const ends = endsOf(t.take(paired));
    if (eager !== undefined) t.guard(not(eager(ends.send)));
    travel(t, ends.send, ends.receive);
  });
  if (eager === undefined) return { eagerFlight: undefined };
  const eagerFlight = n.place('eagerFlight', send as Fields, { kind: 'message' });
  const arrived = n.place('arrived', send as Fields, { kind: 'message' });
  n.transition('launch', (t) => {
    const s = t.take(eagerFlight) as unknown as Terms;
    travel(t, s, messages.nobody(s));
  });
  n.transition('arrive', (t) => {
    const ends = endsOf(t.take(landed));
    t.guard(messages.isNobody(ends.receive));
    t.put(arrived, ends.send as never);
  });
  n.transition('hand over', (t) => {
    const s = t.take(arrived) as unknown as Terms;
    const ends = endsOf(t.take(paired, s as never));
    messages.received(t, ends.receive, s);
  });
  return { eagerFlight };
}

/** The interfaces at both ends of the network, and which of them a message crosses. */
function addGaps(n: NetBuilder, gap: MessageGap, fields: Fields, messages: Messages) {
  const ends = { low: -1, high: gap.interfaces - 1 };
  const from = n.intTable('interfaceFrom', gap.from, ends);
  const to = n.intTable('interfaceTo', gap.to, ends);
  return {
    out: addInterfaces(n, 'out', gap, fields),
    in: addInterfaces(n, 'in', gap, fields),
    from: (send: Terms): Term<number> => from.at(messages.pair(send)),
    to: (send: Terms): Term<number> => to.at(messages.pair(send)),
  };
}

function pick(terms: Terms, fields: Numbers): Terms {
  return Object.fromEntries(Object.keys(fields).map((f) => [f, terms[f]!]));
}

/** A table must not be empty: without messages nothing looks it up. */
function orOne(values: Float64Array): Float64Array {
  return values.length > 0 ? values : Float64Array.of(1);
}
