import { fail } from '../../../base/problem.ts';
import type { Colour, NetBuilder, NumberTable, PlaceOf } from '../../../net/builder/builder.ts';
import type { NumberFields } from '../../../net/builder/builder-types.ts';
import type { ServiceLink } from '../../../net/net.ts';
import { lt, type Term, when } from '../../../net/terms.ts';
import type { MessagePassingMachine } from '../../message-passing-parts.ts';
import { isCooperative } from '../../threads/net/thread-net.ts';
import { elaborate } from '../../threads/program/elaborate.ts';
import type { ThreadProgram } from '../../threads/program/rows.ts';
import { poolOfStrands } from '../../threads/program/rows.ts';
import type { Statement } from '../record/statement.ts';
import type { Shape } from '../resolve/shape.ts';

/** Services that ranks and their threads share. */
export type ServiceName = 'processor' | 'memory' | 'storage';

/** Users of a service: ranks, each with `threads` threads of collectives, and carriers of thread regions. */
export interface Users {
  readonly Rank: Colour<number>;
  readonly User: Colour<number>;
  readonly Amount: Colour<number>;
  readonly ranks: number;
  readonly threads: number;
  readonly carriers: ThreadCarriers;
}

/** Links of a service with the route of each rank and, if it differs from that of its rank, of each carrier. */
interface Routing {
  readonly links: readonly ServiceLink[];
  /** Links of each route. */
  readonly routes: readonly (readonly number[])[];
  readonly ofRank: Int32Array;
  readonly ofCarrier?: Int32Array;
}

/**
 * The place of a service. Tokens are (rank, k, w): amount w of user k of the rank. Users below `threads` are the rank itself
 * and its collectives; carrier c of a region of threads is user `threads` + c.
 *
 * @param bound maximum rate of a token, by rank
 */
export function servedPlace(
  n: NetBuilder,
  name: ServiceName,
  machine: MessagePassingMachine,
  { Rank, User, Amount, ranks, threads, carriers }: Users,
  bound: NumberTable | undefined,
): PlaceOf<NumberFields> {
  const { links, routes: lists, ofRank, ofCarrier } = routingOf(name, machine, ranks, carriers);
  const start = new Int32Array(lists.length + 1);
  lists.forEach((list, k) => {
    start[k + 1] = start[k]! + list.length;
  });
  const crossed = Int32Array.from(lists.flat());
  const routes = n.routesTable(`${name}.routes`, start, crossed, new Float64Array(crossed.length).fill(1));
  const range = { low: 0, high: Math.max(0, lists.length - 1) };
  const of = n.intTable(`${name}.of`, ofRank, range);
  const ofUser =
    ofCarrier === undefined ? undefined : n.intTable(`${name}.ofUser`, afterThreads(threads, ofCarrier), range);
  return n.place(name, { rank: Rank, k: User, w: Amount } as NumberFields, {
    kind: 'operation',
    service: (token) => {
      const { rank, k, w } = token as Readonly<Record<'rank' | 'k' | 'w', Term<number>>>;
      return {
        links,
        amount: w,
        weight: 1,
        bound: bound === undefined ? Number.POSITIVE_INFINITY : bound.at(rank),
        routes,
        route: ofUser === undefined ? of.at(rank) : when(lt(k, threads), of.at(rank), ofUser.at(k)),
      };
    },
  });
}

/**
 * The places of a service that a module of the machine provides: requests (rank, user, amount) and answers (rank, user). The
 * labels of {@link offerServices} connect them.
 */
export function separateService(
  n: NetBuilder,
  name: ServiceName,
  { Rank, User, Amount }: Pick<Users, 'Rank' | 'User' | 'Amount'>,
): { readonly asked: PlaceOf<NumberFields>; readonly served: PlaceOf<NumberFields> } {
  return {
    asked: n.place(`${name} asked`, { rank: Rank, k: User, w: Amount } as NumberFields, { kind: 'operation' }),
    served: n.place(`${name} served`, { rank: Rank, k: User } as NumberFields, { kind: 'synchronisation' }),
  };
}

/** The route of each user; those of the ranks' own threads are not used. */
function afterThreads(threads: number, ofCarrier: Int32Array): Int32Array {
  const all = new Int32Array(threads + ofCarrier.length);
  all.set(ofCarrier, threads);
  return all;
}

function routingOf(
  name: ServiceName,
  machine: MessagePassingMachine,
  ranks: number,
  carriers: ThreadCarriers,
): Routing {
  const each = (links: readonly ServiceLink[]): number[][] => links.map((_, k) => [k]);
  if (name === 'storage') {
    const links = [{ name: 'storage', capacity: machine.storage!.bandwidth, fatpipe: false }];
    return { links, routes: each(links), ofRank: new Int32Array(ranks) };
  }
  if (name === 'processor') return coresOf(machine, carriers);
  const { links, ofRank: known, ofThread } = machine.memory!;
  const ofRank = known.map((k) => Math.max(0, k));
  if (carriers.count === 0) return { links, routes: each(links), ofRank };
  const ofCarrier = perCarrier(carriers, (rank, thread) => ofThread?.(rank, thread) ?? ofRank[rank]!);
  return { links, routes: each(links), ofRank, ofCarrier };
}

/** Cores of the hosts; for a rank with more threads than workers also a link of the cores of its process. */
function coresOf({ cores, speed }: MessagePassingMachine, carriers: ThreadCarriers): Routing {
  const { ofRank, ofThread, bySpeed, links: shared } = cores!;
  const links = [...shared];
  const routes = shared.map((_, k): readonly number[] => [k]);
  const limited = [...carriers.regions].filter(([, { shares }]) => shares);
  if (limited.length === 0) {
    if (!bySpeed || carriers.count === 0) return { links, routes, ofRank };
    return { links, routes, ofRank, ofCarrier: perCarrier(carriers, ofThread) };
  }
  if (bySpeed) tooManyThreads(limited[0]!);
  const limit = new Map<string, number>();
  for (const [, { program, first, base }] of limited)
    for (let pool = 0; pool < program.pools; pool++) {
      const rank = first + pool;
      limit.set(`${base} ${rank}`, routes.length);
      routes.push([ofRank[rank]!, links.length]);
      links.push({ name: `cores of rank ${rank}`, capacity: program.workers * speed[rank]!, fatpipe: false });
    }
  const ofCarrier = perCarrier(carriers, (rank, _, base) => limit.get(`${base} ${rank}`) ?? ofRank[rank]!);
  return { links, routes, ofRank, ofCarrier };
}

/** @throws InputError MODEL043: threads beyond the workers of a rank would count as busy cores */
function tooManyThreads([{ site }, { program }]: readonly [Statement, ProgramRegion]): never {
  return fail(
    'MODEL043',
    `more threads than the ${program.workers} workers of a rank on cores whose speed depends on the number of busy ones: expected as many threads as workers, or a machine without turbo`,
    site.place,
  );
}

/** The route of each carrier, by its rank, its thread within the cores of the rank, and its region. */
function perCarrier(
  { regions, count }: ThreadCarriers,
  route: (rank: number, thread: number, base: number) => number,
): Int32Array {
  const routes = new Int32Array(count);
  for (const { program, first, base, poolOf, threadOf } of regions.values())
    poolOf.forEach((pool, c) => {
      routes[base + c] = route(first + pool, threadOf[c]! % program.workers, base);
    });
  return routes;
}

/** A region of threads of all ranks of a program: pool p is that of rank `first` + p. */
export interface ProgramRegion {
  readonly program: ThreadProgram;
  readonly first: number;
  /** Number of the region's carrier 0 among the carriers of all regions. */
  readonly base: number;
  /** The pool of each carrier, and its thread within the pool. */
  readonly poolOf: Int32Array;
  readonly threadOf: Int32Array;
  /** True if the carriers of a pool share its `workers` cores. */
  readonly shares: boolean;
}

/** The regions of threads of all programs by statement, and their number of carriers. */
export interface ThreadCarriers {
  readonly regions: ReadonlyMap<Statement, ProgramRegion>;
  readonly count: number;
}

/** Elaborates the regions of threads of programs and numbers their carriers. O(rows and strands). */
export function threadCarriers(shapes: readonly Shape[]): ThreadCarriers {
  const regions = new Map<Statement, ProgramRegion>();
  let count = 0;
  for (const { program: ranks, of } of shapes)
    for (const [s, { label: name }] of of) {
      if (s.kind !== 'threads') continue;
      const { recorded, workers, scheduler } = s.region;
      const { first, size: pools, params } = ranks;
      // Under a cooperative scheduler, threads are joined by primitives.
      const joins = isCooperative(scheduler) ? 'object' : 'counter';
      const program = elaborate(recorded, { name, params, workers, pools, repeats: true, joins });
      const own = scheduler === 'os';
      const carriers = own ? program.strands.count : workers * pools;
      const poolOf = own
        ? poolOfStrands(program)
        : Int32Array.from({ length: carriers }, (_, w) => Math.floor(w / workers));
      const seen = new Int32Array(pools);
      const threadOf = poolOf.map((pool) => seen[pool]!++);
      regions.set(s, { program, first, base: count, poolOf, threadOf, shares: carriers > workers * pools });
      count += carriers;
    }
  return { regions, count };
}
