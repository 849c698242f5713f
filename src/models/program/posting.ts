import type { TransitionBuilder } from '../../net/builder/builder.ts';
import { and, constant, eq, lt, not, type Term } from '../../net/terms.ts';
import type { Protocol } from '../message-passing-parts.ts';
import { MODE, type Ports } from './ports.ts';

/** A message about to be sent: the number of its pair of ranks, its tag, bytes, request, what it carries, its mode. */
export interface Outgoing {
  readonly p: Term<number>;
  readonly t: Term<number>;
  readonly q: Term<number>;
  readonly b: Term<number>;
  readonly v?: Term<number>;
  readonly y?: Term<number>;
}

/** Where a message goes that a receiver with wildcards may get. */
export interface WildRoute {
  /** Its destination, source and communicator. */
  readonly d: Term<number>;
  readonly s: Term<number>;
  readonly x: Term<number>;
  /** Whether its receiver is one that uses wildcards. */
  readonly wild: Term<boolean> | boolean;
}

/** Whether the sender of a message goes on at once. */
export function isDetached({ detachedBelow, eagerBelow }: Protocol, b: Term<number>, y?: Term<number>): Term<boolean> {
  const small = lt(b, Math.max(detachedBelow, eagerBelow));
  if (y === undefined) return small;
  return and(not(eq(y, MODE.synchronous)), not(and(eq(y, MODE.standard), not(small))));
}

/** Whether a message travels before its receive is there. */
export function isEager({ eagerBelow }: Protocol, b: Term<number>, y?: Term<number>): Term<boolean> {
  const small = lt(b, eagerBelow);
  if (y === undefined) return small;
  return and(small, not(eq(y, MODE.synchronous)), not(eq(y, MODE.silent)));
}

/** Puts a message where it meets its receive, and on its way where it travels at once. */
export function post(
  t: TransitionBuilder,
  ports: Ports,
  protocol: Protocol,
  message: Outgoing,
  route?: WildRoute,
): void {
  const token = tokenOf(ports, message);
  const wild = route?.wild ?? false;
  if (wild !== true) t.put(ports.sends(), token as never, wild === false ? 1 : not(wild));
  if (wild !== false) {
    const { d, s, x } = route!;
    t.put(ports.wildSends(), { d, s, x, ...token } as never, wild === true ? 1 : wild);
  }
  if (protocol.eagerBelow > 0) t.put(ports.eagerFlight(), token as never, isEager(protocol, message.b, message.y));
}

/** The message with all that this program's messages have. */
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

/** The mode of a message, if this program has modes. */
export function modeOf(ports: Ports, mode: keyof typeof MODE): Term<number> | undefined {
  return ports.send.y === undefined ? undefined : constant(MODE[mode]);
}
