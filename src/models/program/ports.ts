import type { Colour, NetBuilder, NumberTable, PlaceOf } from '../../net/builder/builder.ts';
import type { Fields } from '../../net/builder/builder-types.ts';
import { constant, type Term } from '../../net/terms.ts';
import type { MessagePassingMachine } from '../message-passing-parts.ts';
import { type OrderPlaces, orderPlaces, type WildOrders } from './wild-order.ts';

type Numbers<K extends string> = { readonly [N in K]: Colour<number> };

/** Numbers that the colour sets of all modules depend on. */
export interface Sizes {
  readonly ranks: number;
  readonly pairs: number;
  readonly tags: number;
  readonly contexts: number;
  /** Requests, those of collectives included, and the one that sends have which nothing waits for. */
  readonly requests: number;
  readonly free: number;
  readonly threads: number;
  readonly rows: number;
  /** Values that messages can carry; 1: none. */
  readonly carry: number;
  /** Numbers that non-blocking collectives of a communicator get in turn, one after the other; 1: they need none. */
  readonly laps: number;
}

/** What a program makes use of: places that nothing uses are left out. */
export interface Uses {
  readonly messages: boolean;
  readonly wild: boolean;
  readonly exact: boolean;
  /** Receives that ask where a message came from, or what it carried. */
  readonly status: boolean;
  /** Sends other than standard ones, and one-sided operations. */
  readonly modes: boolean;
  readonly oneSided: boolean;
  readonly collectives: boolean;
  /** Sends that nothing waits for. */
  readonly free: boolean;
  /** Completions tell the bytes that came in: receivers spend time on each. */
  readonly sized: boolean;
  /** Orders that the matches of wildcards keep. */
  readonly orders: WildOrders;
}

/**
 * In which way a message differs from a standard one: 1: its sender waits for the receiver, and it does not travel
 * before; 2: its sender goes on at once; 3: as 1, but its sender is not told.
 */
export const MODE = { standard: 0, synchronous: 1, buffered: 2, silent: 3 } as const;

/** The receiving end of a message that travels on its own, and one that nobody waits for. */
export const NOBODY: number = -1;
export const UNTOLD: number = -2;

/** The places by which the modules of a program meet. They fuse by name, so that every module declares those it uses. */
export interface Ports {
  readonly Rank: Colour<number>;
  readonly send: Numbers<'p' | 't' | 'q' | 'b'> & { readonly v?: Colour<number>; readonly y?: Colour<number> };
  readonly Answer: Colour<number>;
  readonly Thread: Colour<number>;
  readonly Row: Colour<number>;
  /** A call of a collective that is under way: its rank, thread and row, and its number where it has one. */
  readonly call: Numbers<'rank' | 'k' | 'o'> & { readonly l?: Colour<number> };
  /** How many numbers non-blocking collectives get in turn; 1: they have none. */
  readonly laps: number;
  sends(): PlaceOf<Fields>;
  receives(): PlaceOf<Fields>;
  wildSends(): PlaceOf<Fields>;
  wildReceives(): PlaceOf<Fields>;
  readonly orders: WildOrders;
  readonly order: OrderPlaces;
  eagerFlight(): PlaceOf<Fields>;
  /** A request is complete: the rank's, its number, and of a receive its source, tag and what it carried. */
  completed(): PlaceOf<Fields>;
  /** Where each call of a collective is; a call is a thread of its rank. */
  collective(): PlaceOf<Fields>;
  /** The number that a rank's next non-blocking collective on a communicator gets; one module states the first ones. */
  calls(first?: readonly Readonly<Record<'rank' | 'x' | 'l', number>>[]): PlaceOf<Fields>;
  /** Those that are under way. */
  underWay(): PlaceOf<Fields>;
  /** What a rank has put and got and not yet waited for. */
  oneSided(): PlaceOf<Fields>;
  processor(): PlaceOf<Fields>;
  memory(): PlaceOf<Fields>;
  storage(): PlaceOf<Fields>;
  /** Of each rank's core (flop/s), and its natural logarithm. */
  speed(): NumberTable;
  lnSpeed(): NumberTable;
  ended(): PlaceOf<Fields>;
  /** What a completion tells where there is nothing to tell. */
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
  const served = (name: 'processor' | 'memory' | 'storage'): PlaceOf<Fields> => {
    const { links, ofRank, bound } =
      name === 'storage'
        ? {
            links: [{ name: 'storage', capacity: machine.storage!.bandwidth, fatpipe: false }],
            ofRank: new Int32Array(sizes.ranks),
            bound: undefined,
          }
        : name === 'processor'
          ? { links: machine.cores!.links, ofRank: machine.cores!.hostOf, bound: speed }
          : { links: machine.memory!.links, ofRank: machine.memory!.ofRank, bound: perCore };
    const routes = n.routesTable(
      `${name}.routes`,
      Int32Array.from({ length: links.length + 1 }, (_, k) => k),
      Int32Array.from({ length: links.length }, (_, k) => k),
      new Float64Array(links.length).fill(1),
    );
    const of = n.intTable(
      `${name}.of`,
      ofRank.map((k) => Math.max(0, k)),
      { low: 0, high: last(links.length) },
    );
    return n.place(name, { rank: Rank, k: Thread, w: Bytes } as Fields, {
      kind: 'operation',
      service: (token) => {
        const { rank, w } = token as unknown as Readonly<Record<'rank' | 'w', never>>;
        return {
          links,
          amount: w,
          weight: 1,
          bound: bound === undefined ? Number.POSITIVE_INFINITY : bound().at(rank),
          routes,
          route: of.at(rank),
        };
      },
    });
  };
  const speed = once(() => n.realTable('speed', machine.speed));
  const perCore = once(() => n.realTable('memory.perCore', machine.memory!.perCore));
  let calls: PlaceOf<Fields> | undefined;
  return {
    Rank,
    send,
    Answer,
    Thread,
    Row,
    call,
    laps: sizes.laps,
    sends: once(() => n.place('sends', send as Fields, { kind: 'message', order: { fifo: ['p', 't'] } })),
    receives: once(() =>
      n.place('receives', { p: Pair, t: Tag, a: Answer } as Fields, { kind: 'message', order: { fifo: ['p', 't'] } }),
    ),
    wildSends: once(() =>
      n.place('wildSends', { d: Rank, s: Rank, x: Context, ...send } as Fields, {
        kind: 'message',
        order: { fifo: ['d', 's', 't'] },
      }),
    ),
    wildReceives: once(() =>
      n.place('wildReceives', { d: Rank, s: Source, x: Context, t: AnyTag, a: Answer } as Fields, {
        kind: 'message',
        order: { fifo: ['d', 's', 'x', 't'] },
      }),
    ),
    orders: uses.orders,
    order: orderPlaces(n, { Rank, Source, Context, Tag, AnyTag, Answer, Position }),
    eagerFlight: once(() => n.place('eagerFlight', send as Fields, { kind: 'message' })),
    completed: once(() =>
      n.place(
        'completed',
        {
          rank: Rank,
          q: Request,
          ...(uses.status ? { s: Rank, t: Tag, ...(carries ? { v: Carry } : {}) } : {}),
          ...(uses.sized ? { b: Bytes } : {}),
        } as Fields,
        { kind: sync },
      ),
    ),
    collective: once(() => n.place('collective', call as Fields, { kind: 'operation' })),
    calls: (initial) => {
      calls ??= n.place('collective calls', { rank: Rank, x: Context, l: Lap } as Fields, {
        kind: 'data',
        ...(initial === undefined ? {} : { initial: initial as never }),
      });
      return calls;
    },
    underWay: once(() =>
      n.place('collectives under way', { rank: Rank, k: Thread, x: Context, l: Lap } as Fields, { kind: 'data' }),
    ),
    oneSided: once(() => n.place('oneSided', { rank: Rank } as Fields, { kind: sync })),
    processor: once(() => served('processor')),
    memory: once(() => served('memory')),
    storage: once(() => served('storage')),
    speed,
    lnSpeed: once(() => n.realTable('lnSpeed', machine.speed.map(Math.log))),
    nothing: {
      ...(uses.status ? { s: constant(0), t: constant(0), ...(carries ? { v: constant(0) } : {}) } : {}),
      ...(uses.sized ? { b: constant(0) } : {}),
    },
    ended: once(() => n.place('ended', { rank: Rank } as Fields, { kind: 'operation' })),
  };
}

const last = (count: number): number => Math.max(0, count - 1);
