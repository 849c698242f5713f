import type { NetBuilder, PlaceOf, TransitionBuilder } from '../net/builder/builder.ts';
import type { NumberFields } from '../net/builder/builder-types.ts';
import { lt, type Term, when } from '../net/terms.ts';

/**
 * Minimum time between two messages at a network interface: g of LogGP (Alexandrov, Ionescu, Schauser, Scheiman: LogGP,
 * SPAA 1995).
 */
export interface MessageGap {
  /** Number of interfaces. Messages leave and arrive through the same interfaces, which are full duplex. */
  readonly interfaces: number;
  /** The minimum time. */
  readonly seconds: number;
  /**
   * By pair of communicating ranks: interface at the source, and at the destination (`to`); −1 if the message crosses
   * none.
   */
  readonly from: Int32Array;
  readonly to: Int32Array;
}

/** One direction of all interfaces, as places of a net. */
export interface Interfaces {
  /** Receives each token that has crossed its interface. */
  readonly crossed: PlaceOf<NumberFields>;
  /** Sends a token across interface `at`, first come, first served; −1: no interface. */
  cross(t: TransitionBuilder, at: Term<number>, values: Readonly<Record<string, Term<number>>>): void;
}

/**
 * Adds interfaces that tokens cross instantly, but at least `seconds` apart. `name` is the direction and prefixes
 * the names of the places and transitions.
 */
export function addInterfaces(
  n: NetBuilder,
  name: string,
  { interfaces, seconds }: MessageGap,
  fields: NumberFields,
): Interfaces {
  const Interface = n.range(`${name} interface`, 0, interfaces - 1);
  const queue = n.place(`${name} queue`, { nic: Interface, ...fields } as NumberFields, {
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
    const { nic: _, ...values } = t.take(queue, { nic }) as Record<string, Term<number>>;
    t.put(crossed, values);
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
      t.put(queue, { nic: when(none, 0, at), ...values }, when(none, 0, 1));
      t.put(crossed, values, none);
    },
  };
}
