import type { Colour, NetBuilder, NumberTable, PlaceOf } from '../../../net/builder/builder.ts';
import type { NumberFields } from '../../../net/builder/builder-types.ts';
import { constant, type Term } from '../../../net/terms.ts';
import { type CallTimes, callTimes } from '../../call-costs.ts';
import type { MessagePassingMachine } from '../../message-passing-parts.ts';
import { type OrderPlaces, orderPlaces, type WildOrders } from '../resolve/wild-order.ts';
import type { ThreadCarriers } from './served-place.ts';
import { type ServiceName, separateService, servedPlace } from './served-place.ts';

type Numbers<K extends string> = { readonly [N in K]: Colour<number> };

/** Sizes of the colour sets shared by all modules. */
export interface Sizes {
  readonly ranks: number;
  readonly pairs: number;
  readonly tags: number;
  readonly contexts: number;
  /** Number of requests, including those of collectives and `free`. */
  /** Request number shared by all sends that nothing waits for. */
  readonly requests: number;
  readonly free: number;
  readonly threads: number;
  readonly rows: number;
  /** Threads inside ranks. In services, the carriers of their regions are numbered after the threads of collectives. */
  readonly carriers: ThreadCarriers;
  /** Number of values that messages can carry; 1: messages carry nothing. */
  readonly carry: number;
  /** Sequence numbers of non-blocking collectives on a communicator, used cyclically; 1: calls are not numbered. */
  readonly laps: number;
}

/** Features that a program uses; places of unused features are omitted. */
export interface Uses {
  readonly messages: boolean;
  readonly wild: boolean;
  readonly exact: boolean;
  /** Some receive reads the source, tag or carried values. */
  readonly status: boolean;
  /** Send modes other than standard, or one-sided operations. */
  readonly modes: boolean;
  readonly oneSided: boolean;
  readonly collectives: boolean;
  /** Sends that nothing waits for. */
  readonly free: boolean;
  /** Completions carry the number of bytes: receivers spend time per byte. */
  readonly sized: boolean;
  /** Orders that wildcard matches must respect. */
  readonly orders: WildOrders;
}

/** Sizes and features of no program. */
export const NO_SIZES: Sizes = {
  ranks: 1,
  pairs: 0,
  tags: 1,
  contexts: 1,
  requests: 1,
  free: 0,
  threads: 1,
  rows: 1,
  carriers: { regions: new Map(), count: 0 },
  carry: 1,
  laps: 1,
};
export const NO_USES: Uses = {
  messages: false,
  wild: false,
  exact: false,
  status: false,
  modes: false,
  oneSided: false,
  collectives: false,
  free: false,
  sized: false,
  orders: { sends: false, receives: [] },
};

/**
 * Special values of a receive's request. `NOBODY`: an eager message that travels before its receive. `UNTOLD`: a
 * receive that nobody waits for.
 */
export const NOBODY: number = -1;
export const UNTOLD: number = -2;

/** A service of the machine: where tokens are put, and where they are taken when it has served them. */
export interface Service {
  readonly asked: PlaceOf<NumberFields>;
  readonly served: PlaceOf<NumberFields>;
}

/** Places shared by the modules of a program. They fuse by name, so every module declares those it uses. */
export interface Ports {
  readonly Rank: Colour<number>;
  readonly send: Numbers<'p' | 't' | 'q' | 'b'> & { readonly v?: Colour<number>; readonly y?: Colour<number> };
  readonly Answer: Colour<number>;
  readonly Thread: Colour<number>;
  readonly Row: Colour<number>;
  /** An active collective call: its rank, thread, row, and its sequence number if calls are numbered. */
  readonly call: Numbers<'rank' | 'k' | 'o'> & { readonly l?: Colour<number> };
  /** Number of sequence numbers of non-blocking collectives; 1: calls are not numbered. */
  readonly laps: number;
  sends(): PlaceOf<NumberFields>;
  receives(): PlaceOf<NumberFields>;
  wildSends(): PlaceOf<NumberFields>;
  wildReceives(): PlaceOf<NumberFields>;
  readonly orders: WildOrders;
  readonly order: OrderPlaces;
  eagerFlight(): PlaceOf<NumberFields>;
  /** Completed requests: rank and request number; for a receive also source, tag and carried values. */
  completed(): PlaceOf<NumberFields>;
  /** Position of each active collective call; a call is a thread of its rank. */
  collective(): PlaceOf<NumberFields>;
  /**
   * Sequence number of a rank's next non-blocking collective on a communicator. One module gives the initial tokens.
   */
  calls(first?: readonly Readonly<Record<'rank' | 'x' | 'l', number>>[]): PlaceOf<NumberFields>;
  /** Active numbered collective calls. */
  active(): PlaceOf<NumberFields>;
  /** One token for each put and get of a rank that is not yet completed by a fence. */
  oneSided(): PlaceOf<NumberFields>;
  processor(): Service;
  memory(): Service;
  storage(): Service;
  /** Speed of each rank's core (flop/s); `lnSpeed` is its natural logarithm. */
  speed(): NumberTable;
  lnSpeed(): NumberTable;
  ended(): PlaceOf<NumberFields>;
  /** Times of calls in SimGrid's network models; undefined if calls take no time. */
  readonly times: (() => CallTimes) | undefined;
  /** Status fields of a completion that has no status. */
  readonly nothing: Readonly<Record<string, Term<number>>>;
}

/** Declares the ports in the net of a module. */
export function portsOf(n: NetBuilder, sizes: Sizes, uses: Uses, machine: MessagePassingMachine): Ports {
  const once = <T>(make: () => T): (() => T) => {
    let made: T | undefined;
    return () => {
      made ??= make();
      return made;
    };
  };
  const Rank = n.range('Rank', 0, sizes.ranks - 1);
  const Pair = n.range('Pair', 0, last(sizes.pairs));
  const Tag = n.range('Tag', 0, last(sizes.tags));
  const Request = n.range('Request', 0, last(sizes.requests));
  const Answer = n.range('Answer', UNTOLD, last(sizes.requests));
  const Bytes = n.integer('Bytes');
  const Carry = n.range('Carry', 0, last(sizes.carry));
  const Mode = n.range('Mode', 0, 3);
  const Context = n.range('Context', 0, last(sizes.contexts));
  const Source = n.range('Source', -1, sizes.ranks - 1);
  const AnyTag = n.range('AnyTag', -1, last(sizes.tags));
  const Position = n.range('OpenReceive', 0, uses.orders.receives.length);
  const Thread = n.range('Thread', 0, last(sizes.threads));
  const Row = n.range('Row', 0, last(sizes.rows));
  const Lap = n.range('Lap', 0, last(sizes.laps));
  const call: Ports['call'] = { rank: Rank, k: Thread, o: Row, ...(sizes.laps > 1 ? { l: Lap } : {}) };
  const carries = sizes.carry > 1;
  const send = {
    p: Pair,
    t: Tag,
    q: Request,
    b: Bytes,
    ...(carries ? { v: Carry } : {}),
    ...(uses.modes ? { y: Mode } : {}),
  };
  const sync = 'synchronisation' as const;
  const { ranks, carriers } = sizes;
  const threads = Math.max(1, sizes.threads);
  const User = carriers.count === 0 ? Thread : n.range('User', 0, threads + carriers.count - 1);
  const users = { Rank, User, Amount: Bytes, ranks, threads, carriers };
  const service = (name: ServiceName, bound?: () => NumberTable): Service => {
    if (machine.separate === true) return separateService(n, name, users);
    const place = servedPlace(n, name, machine, users, bound?.());
    return { asked: place, served: place };
  };
  const speed = once(() => n.realTable('speed', machine.speed));
  const fastest = once(() =>
    machine.cores?.fastest === undefined ? speed() : n.realTable('fastest', machine.cores.fastest),
  );
  const perCore = once(() => n.realTable('memory.perCore', machine.memory!.perCore));
  let calls: PlaceOf<NumberFields> | undefined;
  return {
    Rank,
    send,
    Answer,
    Thread,
    Row,
    call,
    laps: sizes.laps,
    sends: once(() => n.place('sends', send as NumberFields, { kind: 'message', order: { fifo: ['p', 't'] } })),
    receives: once(() =>
      n.place('receives', { p: Pair, t: Tag, a: Answer } as NumberFields, {
        kind: 'message',
        order: { fifo: ['p', 't'] },
      }),
    ),
    wildSends: once(() =>
      n.place('wildSends', { d: Rank, s: Rank, x: Context, ...send } as NumberFields, {
        kind: 'message',
        order: { fifo: ['d', 's', 't'] },
      }),
    ),
    wildReceives: once(() =>
      n.place('wildReceives', { d: Rank, s: Source, x: Context, t: AnyTag, a: Answer } as NumberFields, {
        kind: 'message',
        order: { fifo: ['d', 's', 'x', 't'] },
      }),
    ),
    orders: uses.orders,
    order: orderPlaces(n, { Rank, Source, Context, Tag, AnyTag, Answer, Position }),
    eagerFlight: once(() => n.place('eagerFlight', send as NumberFields, { kind: 'message' })),
    completed: once(() =>
      n.place(
        'completed',
        {
          rank: Rank,
          q: Request,
          ...(uses.status ? { s: Rank, t: Tag, ...(carries ? { v: Carry } : {}) } : {}),
          ...(uses.sized ? { b: Bytes } : {}),
        } as NumberFields,
        { kind: sync },
      ),
    ),
    collective: once(() => n.place('collective', call as NumberFields, { kind: 'operation' })),
    calls: (initial) => {
      calls ??= n.place('collective calls', { rank: Rank, x: Context, l: Lap } as NumberFields, {
        kind: 'data',
        ...(initial === undefined ? {} : { initial: initial }),
      });
      return calls;
    },
    active: once(() =>
      n.place('collectives under way', { rank: Rank, k: Thread, x: Context, l: Lap } as NumberFields, { kind: 'data' }),
    ),
    oneSided: once(() => n.place('oneSided', { rank: Rank } as NumberFields, { kind: sync })),
    processor: once(() => service('processor', fastest)),
    memory: once(() => service('memory', perCore)),
    storage: once(() => service('storage')),
    speed,
    lnSpeed: once(() => n.realTable('lnSpeed', machine.speed.map(Math.log))),
    nothing: {
      ...(uses.status ? { s: constant(0), t: constant(0), ...(carries ? { v: constant(0) } : {}) } : {}),
      ...(uses.sized ? { b: constant(machine.calls?.receive === undefined ? 0 : -1) } : {}),
    },
    times: machine.calls === undefined ? undefined : once(() => callTimes(n, machine.calls!, machine.protocol)),
    ended: once(() => n.place('ended', { rank: Rank } as NumberFields, { kind: 'operation' })),
  };
}

const last = (count: number): number => Math.max(0, count - 1);
