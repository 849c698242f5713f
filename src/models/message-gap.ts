import type { NetBuilder, PlaceOf, TransitionBuilder } from '../net/builder/builder.ts';
import type { Fields } from '../net/builder/builder-types.ts';
import { lt, type Term, when } from '../net/terms.ts';

/**
 * The least time between two messages at an interface of the network: g of LogGP (Alexandrov, Ionescu, Schauser, Scheiman:
 * LogGP, SPAA 1995).
 */
export interface MessageGap {
  /** Of the interfaces that messages leave, and of those at which they arrive; the same ones, each in both directions. */
  readonly interfaces: number;
  readonly seconds: number;
  /** By pair of communicating ranks: the interface at its source and at its destination; −1 where the message crosses none. */
  readonly from: Int32Array;
  readonly to: Int32Array;
}

/** One direction of all interfaces, as places of a net. */
export interface Interfaces {
  /** A token that crosses the interface comes here when it has. */
  readonly crossed: PlaceOf<Fields>;
  /** Sends a token across its interface, first come, first served; an interface of −1 is none. */
  cross(t: TransitionBuilder, at: Term<number>, values: object): void;
}

/**
 * Interfaces that a token crosses at once, but none sooner than `gap` seconds after the one before. `name`: of the
 * direction, which the names of its places and transitions begin with.
 */
export function addInterfaces(
  n: NetBuilder,
  name: string,
  { interfaces, seconds }: MessageGap,
  fields: Fields,
): Interfaces {
  const Interface = n.range(`${name} interface`, 0, interfaces - 1);
  const queue = n.place(`${name} queue`, { nic: Interface, ...fields } as Fields, {
    kind: 'message',
    order: { fifo: ['nic'] },
  });
  const idle = n.place(
    `${name} idle`,
    { nic: Interface },
    { kind: 'resource', initial: Array.from({ length: interfaces }, (_, k) => ({ nic: k })) },
  );
  const crossed = n.place(`${name} crossed`, fields, { kind: 'message' });
  const resting = n.place(`${name} resting`, { nic: Interface }, { kind: 'resource' });
  n.transition(`${name} crosses`, (t) => {
    const { nic } = t.take(idle);
    const { nic: _, ...values } = t.take(queue, { nic } as never) as Record<string, Term<number>>;
    t.put(crossed, values as never);
    t.put(resting, { nic });
  });
  n.transition(`${name} rests`, (t) => {
    const { nic } = t.take(resting);
    t.delay(seconds);
    t.put(idle, { nic });
  });
  return {
    crossed,
    cross: (t, at, values) => {
      const none = lt(at, 0);
      t.put(queue, { nic: when(none, 0, at), ...values } as never, when(none, 0, 1));
      t.put(crossed, values as never, none);
    },
  };
}
