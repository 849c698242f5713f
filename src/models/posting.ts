import type { NetBuilder, PlaceOf, TransitionBuilder } from '../net/builder/builder.ts';
import type { NumberFields } from '../net/builder/builder-types.ts';
import { eq, floor, or, type Term } from '../net/terms.ts';
import type { CallTimes } from './call-costs.ts';
import { isDetached, isEager } from './eager-threshold.ts';
import type { Protocol } from './message-passing-parts.ts';
import { OP, type Operations } from './operations.ts';
import type { At, RankSteps } from './rank-steps.ts';
import type { Requests } from './requests.ts';
import type { Ends, Messages } from './transfers.ts';

/** Unmatched sends and receives in a net under construction. */
export type Unmatched = ReturnType<typeof unmatchedPlaces>;

/**
 * Adds the places of unmatched sends and receives: by channel (source, destination, tag), and in separate places for ranks that
 * receive with wildcards.
 */
export function unmatchedPlaces(n: NetBuilder, steps: RankSteps, ops: Operations) {
  const { Rank, Channel, Source, Tag, Operation, Position, Bytes } = steps;
  const byChannel = { kind: 'message', order: { fifo: ['c'] } } as const;
  const byEnds = { kind: 'message', order: { fifo: ['d', 's', 't'] } } as const;
  return {
    sends: n.place('sends', { c: Channel, o: Operation, i: Position, b: Bytes }, byChannel),
    receives: n.place('receives', { c: Channel, o: Operation, i: Position }, byChannel),
    wildcardSends: n.place('wildcardSends', { d: Rank, s: Rank, t: Tag, o: Operation, i: Position, b: Bytes }, byEnds),
    wildcardReceives: n.place('wildcardReceives', { d: Rank, s: Source, t: Tag, o: Operation, i: Position }, byEnds),
    hasWildcards: ops.wildcard.includes(1),
    hasMessages: ops.op.includes(OP.send) || ops.op.includes(OP.isend),
  };
}

/** The transitions that match a send with a receive: in the order of posting per channel, or by scanning. */
export function matches({
  sends,
  receives,
  wildcardSends,
  wildcardReceives,
  hasWildcards,
}: Unmatched): Messages['matches'] {
  const match = (t: TransitionBuilder): Ends => {
    const { c, ...send } = t.take(sends);
    const receive = t.take(receives, { c });
    return { send, receive: { p: receive.o, j: receive.i } };
  };
  // Matches have priority: a message that becomes visible late could otherwise be overtaken (M2).
  const matchLoose = (t: TransitionBuilder): Ends => {
    t.priority(1);
    const { d, s, t: tag, ...send } = t.take(wildcardSends);
    const receive = t.take(wildcardReceives, { d });
    t.guard(or(eq(receive.s, -1), eq(receive.s, s)));
    t.guard(or(eq(receive.t, -1), eq(receive.t, tag)));
    return { send, receive: { p: receive.o, j: receive.i } };
  };
  return { match, ...(hasWildcards ? { matchLoose } : {}) };
}

/**
 * Adds the transitions by which ranks send and receive.
 *
 * @param eagerFlight place of messages that travel as soon as they are sent, if there are any
 * @param calls times that sends take before their messages start, if they do
 */
export function addPosting(
  n: NetBuilder,
  { Rank, Position, Operation, at: place, is, takeAt, goOn, amountOf, tables }: RankSteps,
  requests: Requests,
  { sends, receives, wildcardSends, wildcardReceives, hasWildcards }: Unmatched,
  {
    protocol,
    eagerFlight,
    calls,
  }: {
    readonly protocol: Protocol;
    readonly eagerFlight: PlaceOf<NumberFields> | undefined;
    readonly calls?: CallTimes;
  },
): void {
  const { rank, peer, channel, tag, wildcard } = tables;
  const postSend = (t: TransitionBuilder, o: Term<number>, i: Term<number>): Term<number> => {
    const b = floor(amountOf(o, i));
    t.put(sends, { c: channel.at(o), o, i, b }, eq(wildcard.at(o), 0));
    if (hasWildcards) t.put(wildcardSends, { d: peer.at(o), s: rank.at(o), t: tag.at(o), o, i, b }, wildcard.at(o));
    if (eagerFlight !== undefined)
      t.put(eagerFlight, { o, i, b }, isEager(protocol, b, tables.mode?.at(o), requests.expose !== undefined));
    return b;
  };
  const postReceive = (t: TransitionBuilder, o: Term<number>, i: Term<number>): void => {
    t.put(receives, { c: channel.at(o), o, i }, eq(wildcard.at(o), 0));
    if (hasWildcards) t.put(wildcardReceives, { d: rank.at(o), s: peer.at(o), t: tag.at(o), o, i }, wildcard.at(o));
  };
  const prepared =
    calls === undefined
      ? undefined
      : n.place('prepared', { r: Rank, i: Position, o: Operation }, { kind: 'operation' });
  if (calls !== undefined)
    n.transition('prepare', (t) => {
      const token = t.take(place);
      const { i, o } = token;
      t.process(token.r);
      t.guard(or(is(o, 'send'), is(o, 'isend')));
      t.delay(calls.send(token.r, floor(amountOf(o, i)), is(o, 'isend'), tables.mode?.at(o)));
      t.put(prepared!, token);
    });
  const takeSend = (t: TransitionBuilder, kind: 'send' | 'isend'): At => {
    if (prepared === undefined) return takeAt(t, kind);
    const token = t.take(prepared);
    t.guard(is(token.o, kind));
    t.process(token.r);
    return token;
  };
  n.transition('send', (t) => {
    const at = takeSend(t, 'send');
    const b = postSend(t, at.o, at.i);
    goOn(t, at, isDetached(protocol, b, tables.mode?.at(at.o)));
  });
  n.transition('isend', (t) => {
    const at = takeSend(t, 'isend');
    const b = postSend(t, at.o, at.i);
    requests.post(t, at, () => isDetached(protocol, b, tables.mode?.at(at.o)));
    goOn(t, at);
  });
  n.transition('recv', (t) => {
    const { i, o } = takeAt(t, 'recv');
    postReceive(t, o, i);
  });
  n.transition('irecv', (t) => {
    const at = takeAt(t, 'irecv');
    postReceive(t, at.o, at.i);
    requests.post(t, at);
    goOn(t, at);
  });
  const { expose, windows } = requests;
  if (expose === undefined || windows === undefined) return;
  for (const kind of ['pass', 'lock'] as const)
    n.transition(kind, (t) => {
      const at = takeAt(t, kind);
      const window = { r: tables.peer.at(at.o) };
      if (kind === 'pass') t.read(windows, window);
      else t.take(windows, window);
      goOn(t, at);
    });
  n.transition('expose', (t) => {
    const at = takeAt(t, 'expose');
    t.read(windows, { r: rank.at(at.o) });
    postReceive(t, at.o, at.i);
    expose(t, at);
    goOn(t, at);
  });
}
