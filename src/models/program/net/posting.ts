import type { PlaceOf, TransitionBuilder } from '../../../net/builder/builder.ts';
import type { NumberFields } from '../../../net/builder/builder-types.ts';
import { constant, not, type Term } from '../../../net/terms.ts';
import { isEager, MODE } from '../../eager-threshold.ts';
import type { Protocol } from '../../message-passing-parts.ts';
import type { Ports } from './ports.ts';

/** A message to send: number of its pair of ranks, tag, request, bytes, carried values, mode. */
export type Outgoing = {
  readonly p: Term<number>;
  readonly t: Term<number>;
  readonly q: Term<number>;
  readonly b: Term<number>;
  readonly v?: Term<number>;
  readonly y?: Term<number>;
};

/** Routing data of a message that a wildcard receive may match. */
export interface WildRoute {
  /** Destination, source and communicator. */
  readonly d: Term<number>;
  readonly s: Term<number>;
  readonly x: Term<number>;
  /** True if the receiver uses wildcards. */
  readonly wild: Term<boolean> | boolean;
}

/** Puts a token under a condition; if it is constantly false, no arc is added. */
export function putWhere(
  t: TransitionBuilder,
  place: () => PlaceOf<NumberFields>,
  token: Readonly<Record<string, Term<number>>>,
  condition: Term<boolean>,
): void {
  if (condition.op !== 'const') t.put(place(), token, condition);
  else if (condition.value !== 0) t.put(place(), token);
}

/** Posts a message: puts it where its receive matches it, and in flight if it is eager. */
export function post(
  t: TransitionBuilder,
  ports: Ports,
  protocol: Protocol,
  message: Outgoing,
  route?: WildRoute,
): void {
  const token = tokenOf(ports, message);
  const wild = route?.wild ?? false;
  if (wild !== true) t.put(ports.sends(), token, wild === false ? 1 : not(wild));
  if (wild !== false) {
    const { d, s, x } = route!;
    const count = wild === true ? 1 : wild;
    t.put(ports.wildSends(), { d, s, x, ...token }, count);
    if (ports.orders.sends) t.put(ports.order.following(), { d, s, x, t: token.t }, count);
  }
  if (protocol.eagerBelow > 0) putWhere(t, ports.eagerFlight, token, isEager(protocol, message.b, message.y));
}

/** The message with all fields that messages of this program have. */
export function tokenOf(ports: Ports, { p, t, q, b, v, y }: Outgoing): Outgoing {
  return {
    p,
    t,
    q,
    b,
    ...(ports.send.v === undefined ? {} : { v: v ?? constant(0) }),
    ...(ports.send.y === undefined ? {} : { y: y ?? constant(MODE.standard) }),
  };
}

/** The mode of a message, if messages of this program have modes. */
export function modeOf(ports: Ports, mode: keyof typeof MODE): Term<number> | undefined {
  return ports.send.y === undefined ? undefined : constant(MODE[mode]);
}
