import type { Colour, NetBuilder, PlaceOf } from '../../../net/builder/builder.ts';
import type { NumberFields } from '../../../net/builder/builder-types.ts';
import { ANY } from '../record/builder-types.ts';
import type { Statement } from '../record/statement.ts';
import type { Arguments } from './arguments.ts';
import { isWild, type Shape } from './shape.ts';
import type { World } from './world.ts';

/**
 * Priority of the steps that maintain the order of open messages and receives. They take no time and precede all other
 * firings, so that no list is seen half updated. Higher than the priority of weighted choices.
 */
export const ORDER_PRIORITY = 2;

/** Orders that wildcard matches must respect in addition to the order per (source, destination, tag). */
export interface WildOrders {
  /**
   * Some receive or probe has a wildcard tag and its communicator has several tags: messages of a sender are ordered across
   * tags.
   */
  readonly sends: boolean;
  /**
   * Requests of receives that may be open at the same time as another receive matching the same message; 0: blocking
   * receives.
   */
  readonly receives: readonly number[];
}

type Receive = Extract<Statement, { kind: 'recv' }>;

/**
 * Orders required by MPI's non-overtaking rule (MPI 4.1, §3.5) that the fifo places per tag and per pattern do not
 * ensure. O(receives²).
 */
export function wildOrders(
  shapes: readonly Shape[],
  args: readonly ReadonlyMap<Statement, Arguments>[],
  world: World,
): WildOrders {
  const receives: Receive[] = [];
  shapes.forEach((shape, k) => {
    for (const s of shape.of.keys())
      if (s.kind === 'recv' && (isWild(s) || (args[k]!.get(s)!['wild']?.constant ?? 1) !== 0)) receives.push(s);
  });
  const tags = new Map<number, number>();
  for (let t = 0; t < world.tags.count; t++)
    if (world.tags.key(t, 2) === 0) tags.set(world.tags.key(t, 0), (tags.get(world.tags.key(t, 0)) ?? 0) + 1);
  const wild = receives.filter(isWild);
  const probes = shapes.flatMap(({ of }) => [...of.keys()].filter((s) => s.kind === 'probe'));
  const sends = [...wild, ...probes].some((s) => s.tag === ANY && (tags.get(s.comm.number) ?? 0) > 1);
  const compete = receives.some((a) => a.request !== undefined && wild.some((b) => mayCompete(a, b)));
  const competes = compete || wild.some((a) => a.request !== undefined && receives.some((b) => mayCompete(a, b)));
  const requests = new Set(receives.map((s) => s.request?.number ?? 0));
  return { sends, receives: competes ? [...requests].sort((a, b) => a - b) : [] };
}

/**
 * True if two receives with different patterns may match the same message. Receives with equal patterns are ordered by
 * their fifo place.
 */
function mayCompete(a: Receive, b: Receive): boolean {
  if (a === b || a.comm !== b.comm) return false;
  const isPlain = (value: unknown): boolean => typeof value !== 'function';
  const same = (x: unknown, y: unknown): boolean => isPlain(x) && x === y;
  const overlap = (x: unknown, y: unknown): boolean => x === ANY || y === ANY || !isPlain(x) || !isPlain(y) || x === y;
  const [s, t] = [a.tag ?? 0, b.tag ?? 0];
  return !(same(a.from, b.from) && same(s, t)) && overlap(a.from, b.from) && overlap(s, t);
}

/** Places that maintain the orders; created on first use. */
export interface OrderPlaces {
  /** Tag of the oldest unmatched message, by sender, destination and communicator. */
  first(): PlaceOf<NumberFields>;
  /** Tags of later messages: first those that the last search passed (`skipped`), then the others (`following`). */
  skipped(): PlaceOf<NumberFields>;
  following(): PlaceOf<NumberFields>;
  /** A message was matched before older ones: its tag is searched for and removed. */
  search(): PlaceOf<NumberFields>;
  /** The tag was found in `skipped`, whose order is being restored. */
  restore(): PlaceOf<NumberFields>;
  /** The tag is being searched for in `following`. */
  seek(): PlaceOf<NumberFields>;
  /** Unmatched receives by rank and request. */
  open(): PlaceOf<NumberFields>;
  /** A receive being opened, and its position in the comparison with the open requests. */
  entering(): PlaceOf<NumberFields>;
  /** Receive `a` of a rank has an older open receive `o` with this pattern. */
  older(): PlaceOf<NumberFields>;
}

/** Colour sets of these places. */
export interface OrderColours {
  readonly Rank: Colour<number>;
  readonly Source: Colour<number>;
  readonly Context: Colour<number>;
  readonly Tag: Colour<number>;
  readonly AnyTag: Colour<number>;
  readonly Answer: Colour<number>;
  readonly Position: Colour<number>;
}

export function orderPlaces(n: NetBuilder, c: OrderColours): OrderPlaces {
  const once = (make: () => PlaceOf<NumberFields>): (() => PlaceOf<NumberFields>) => {
    let made: PlaceOf<NumberFields> | undefined;
    return () => {
      made ??= make();
      return made;
    };
  };
  const list = { d: c.Rank, s: c.Rank, x: c.Context } as NumberFields;
  const pattern = { s: c.Source, x: c.Context, t: c.AnyTag } as NumberFields;
  const kind = 'synchronisation' as const;
  const fifo = (name: string, t: Colour<number>): (() => PlaceOf<NumberFields>) =>
    once(() => n.place(name, { ...list, t } as NumberFields, { kind, order: { fifo: ['d', 's', 'x'] } }));
  const bag = (name: string, fields: NumberFields): (() => PlaceOf<NumberFields>) =>
    once(() => n.place(name, fields, { kind }));
  return {
    first: bag('order first', { ...list, t: c.Tag }),
    skipped: fifo('order skipped', c.AnyTag),
    following: fifo('order following', c.Tag),
    search: bag('order search', { ...list, t: c.Tag }),
    restore: bag('order restore', list),
    seek: bag('order seek', { ...list, t: c.Tag }),
    open: bag('order open', { d: c.Rank, a: c.Answer, ...pattern }),
    entering: bag('order entering', { d: c.Rank, a: c.Answer, ...pattern, k: c.Position }),
    older: bag('order older', { d: c.Rank, a: c.Answer, o: c.Answer, ...pattern }),
  };
}
