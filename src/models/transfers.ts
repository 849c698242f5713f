import type { Colour, NetBuilder, PlaceOf, TermsOf, TransitionBuilder } from '../net/builder/builder.ts';
import type { NumberFields } from '../net/builder/builder-types.ts';
import { add, div, mul, not, type Term } from '../net/terms.ts';
import { addLinkQueues } from './link-queues.ts';
import { addInterfaces, type MessageGap } from './message-gap.ts';
import type { MessagePassingMachine } from './message-passing-parts.ts';

/** Terms by field name. */
export type Terms = Readonly<Record<string, Term<number>>>;
type Numbers = Readonly<Record<string, Colour<number>>>;

/** The send and the receive of a message, as bound by a transition. */
export interface Ends {
  readonly send: Terms;
  readonly receive: Terms;
}

/**
 * Description of a program's messages. NumberFields of sends and receives have different names; field `b` of a send is its
 * size in bytes.
 */
export interface Messages {
  /** NumberFields of a send: everything that distinguishes it. */
  readonly send: Numbers & { readonly b: Colour<number> };
  readonly receive: Numbers;
  /** Number of the pair of ranks in the machine's tables. */
  pair(send: Terms): Term<number>;
  /** True if a message travels as soon as it is sent; undefined: no message does. */
  readonly eager?: (send: Terms) => Term<boolean>;
  /** Receive fields of a message that travels before its receive, and the test for them. */
  readonly nobody: (send: Terms) => Terms;
  isNobody(receive: Terms): Term<boolean>;
  /** True if matches must take no time: a separate transition then starts the transfer. */
  readonly immediate?: boolean;
  /** Transitions by name that match a send with a receive, each taking the oldest matching ones. */
  readonly matches: Readonly<Record<string, (t: TransitionBuilder) => Ends>>;
  /** Completes the send of a message whose sender waits for it; `received` completes the receive. */
  sent(t: TransitionBuilder, send: Terms): void;
  received(t: TransitionBuilder, receive: Terms, send: Terms): void;
}

/** Tables and places of transfers. */
export interface Transfers {
  /** Place of eager messages that a send starts; undefined without eager messages. */
  readonly eagerFlight: PlaceOf<NumberFields> | undefined;
}

/**
 * Adds the transfer of messages. A matched pair takes its latency, followed by a token in the max-min place `network`.
 * An eager message departs at its send and meets its receive on arrival. One match transition handles messages of all
 * sizes, so that a receive takes the oldest matching one. If the machine has a message gap, messages cross an interface
 * before their latency and another one after the network.
 */
export function addTransfers(n: NetBuilder, machine: MessagePassingMachine, messages: Messages): Transfers {
  const { send, receive, eager } = messages;
  const both = { ...send, ...receive };
  const endsOf = (terms: TermsOf<NumberFields>): Ends => endsIn(messages, terms);
  const { travel, landed } =
    machine.separate === true ? separateNetwork(n, messages) : addNetwork(n, machine, messages);

  const direct = eager === undefined && messages.immediate !== true;
  const paired = direct ? undefined : n.place('paired', both as NumberFields, { kind: 'message' });
  for (const [name, match] of Object.entries(messages.matches))
    n.transition(name, (t) => {
      const ends = match(t);
      if (paired === undefined) travel(t, ends.send, ends.receive);
      else t.put(paired, { ...ends.send, ...ends.receive });
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
  const eagerFlight = n.place('eagerFlight', send as NumberFields, { kind: 'message' });
  const arrived = n.place('arrived', send as NumberFields, { kind: 'message' });
  n.transition('launch', (t) => {
    const s = t.take(eagerFlight) as Terms;
    travel(t, s, messages.nobody(s));
  });
  n.transition('arrive', (t) => {
    const ends = endsOf(t.take(landed));
    t.guard(messages.isNobody(ends.receive));
    t.put(arrived, ends.send);
  });
  n.transition('hand over', (t) => {
    const s = t.take(arrived) as Terms;
    const ends = endsOf(t.take(paired, s));
    messages.received(t, ends.receive, s);
  });
  return { eagerFlight };
}

/** How a matched pair travels: the steps of the transition that sends it on, and the place where it arrives. */
export interface Network {
  travel(t: TransitionBuilder, send: Terms, receive: Terms): void;
  readonly landed: PlaceOf<NumberFields>;
}

/** Places of messages that a module of the machine transports: those that set out and those that have arrived. */
export function separateNetwork(
  n: NetBuilder,
  { send, receive }: Messages,
): Network & { readonly asked: PlaceOf<NumberFields> } {
  const fields = { ...send, ...receive } as NumberFields;
  const asked = n.place('network asked', fields, { kind: 'message' });
  const landed = n.place('network served', fields, { kind: 'message' });
  return { asked, landed, travel: (t, s, r) => t.put(asked, { ...s, ...r }) };
}

/**
 * Adds the network: the latency of each message, the links that it shares, or waits for if they have queues, and, if there are
 * gaps, the interfaces it crosses.
 */
export function addNetwork(
  n: NetBuilder,
  machine: MessagePassingMachine,
  messages: Pick<Messages, 'send' | 'receive' | 'pair'>,
): Network {
  const { protocol, links, follow, solver } = machine;
  const { send, receive } = messages;
  const latencyFactor = n.stepTable('latencyFactor', protocol.latencyFactor.from, protocol.latencyFactor.values);
  const bandwidthFactor = n.stepTable(
    'bandwidthFactor',
    protocol.bandwidthFactor.from,
    protocol.bandwidthFactor.values,
  );
  const wire = (s: Terms): Term<number> => add(s['b']!, protocol.envelope);
  const both = { ...send, ...receive };
  const amount = (s: Terms): Term<number> => div(wire(s), bandwidthFactor.of(wire(s)));
  if (machine.hopLatency !== undefined && machine.hopLatency.length > 0) {
    const { depart, landed } = addLinkQueues(
      n,
      { ...machine, hopLatency: machine.hopLatency },
      { fields: both as NumberFields, pair: messages.pair, amount, latencyFactor: (s) => latencyFactor.of(wire(s)) },
    );
    return withGap(n, machine.gap, messages, { landed, travel: (t, s, r) => depart(t, { ...s, ...r }) });
  }
  const latency = n.realTable('latency', orOne(machine.latency));
  const weight = n.realTable('weight', orOne(machine.weight));
  const bound = n.realTable('bound', orOne(machine.bound));
  const { start, link, coefficient } = machine.routes;
  const routes = n.routesTable('routes', start.length > 1 ? start : Int32Array.of(0, 0), link, coefficient);
  const seconds = (s: Terms): Term<number> => mul(latency.at(messages.pair(s)), latencyFactor.of(wire(s)));
  const network = n.place('network', both as NumberFields, {
    kind: 'message',
    service: (token) => {
      const s = pick(token as Terms, send);
      return {
        links,
        amount: amount(s),
        weight: weight.at(messages.pair(s)),
        bound: bound.at(messages.pair(s)),
        routes,
        route: messages.pair(s),
        ...(follow === undefined ? {} : { latency: seconds(s), latencyFactor: latencyFactor.of(wire(s)), follow }),
        ...(solver === undefined ? {} : { latency: seconds(s), solver }),
      };
    },
  });
  const setOut = (t: TransitionBuilder, s: Terms, r: Terms): void => {
    t.kind('communicate');
    // Where links change, latencies are part of the service, which knows the time; and where it needs to know who waits.
    t.delay(follow === undefined && solver === undefined ? seconds(s) : 0);
    t.put(network, { ...s, ...r });
  };
  return withGap(n, machine.gap, messages, { travel: setOut, landed: network });
}

/** The network between the interfaces of its nodes, which messages cross at a minimum distance in time. */
function withGap(
  n: NetBuilder,
  gap: MessageGap | undefined,
  messages: Pick<Messages, 'send' | 'receive' | 'pair'>,
  { travel, landed }: Network,
): Network {
  if (gap === undefined) return { travel, landed };
  const ways = addGaps(n, gap, { ...messages.send, ...messages.receive } as NumberFields, messages);
  n.transition('set out', (t) => {
    const ends = endsIn(messages, t.take(ways.out.crossed));
    travel(t, ends.send, ends.receive);
  });
  n.transition('land', (t) => {
    const ends = endsIn(messages, t.take(landed));
    ways.in.cross(t, ways.to(ends.send), { ...ends.send, ...ends.receive });
  });
  return { travel: (t, s, r) => ways.out.cross(t, ways.from(s), { ...s, ...r }), landed: ways.in.crossed };
}

const endsIn = ({ send, receive }: Pick<Messages, 'send' | 'receive'>, terms: TermsOf<NumberFields>): Ends => ({
  send: pick(terms as Terms, send),
  receive: pick(terms as Terms, receive),
});

/** Interfaces at both ends of the network, and the ones that each message crosses. */
function addGaps(n: NetBuilder, gap: MessageGap, fields: NumberFields, messages: Pick<Messages, 'pair'>) {
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

/** Tables must not be empty; without messages the entry is never used. */
function orOne(values: Float64Array): Float64Array {
  return values.length > 0 ? values : Float64Array.of(1);
}
