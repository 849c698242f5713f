import { fail, shown } from '../../../base/problem.ts';
import { beginEvaluation, endEvaluation } from '../../../net/functions/ambient.ts';
import type { Site } from '../../site.ts';

/**
 * Disjoint groups of ranks, as made by `split`. Operations on a communicator use ranks within the group of the caller.
 * `world` has all ranks in one group.
 */
export class Communicator {
  /** 0: the world. */
  readonly number: number;
  /** By rank of the world: the ranks of its group in order; undefined if it is in no group. */
  readonly #groups: readonly (readonly number[] | undefined)[];
  readonly #own: readonly number[];

  constructor(number: number, groups: readonly (readonly number[] | undefined)[]) {
    this.number = number;
    this.#groups = groups;
    const own = new Array<number>(groups.length).fill(-1);
    for (const group of new Set(groups))
      group?.forEach((rank, member) => {
        own[rank] = member;
      });
    this.#own = own;
  }

  /** True if a rank of the world is in a group. */
  has(rank: number): boolean {
    return this.#groups[rank] !== undefined;
  }

  /** Rank within its group of a rank of the world; −1 if it is in no group. */
  rankOf(rank: number): number {
    return this.#own[rank] ?? -1;
  }

  /** Size of the group of a rank of the world; 0 if it is in no group. */
  sizeOf(rank: number): number {
    return this.#groups[rank]?.length ?? 0;
  }

  /** World rank of member `member` in the group of `rank`; undefined if the group is smaller. */
  worldRank(rank: number, member: number): number | undefined {
    return this.#groups[rank]?.[member];
  }
}

/** A communicator of one group: `size` consecutive ranks from `first`. */
export class RangeCommunicator extends Communicator {
  readonly #first: number;
  readonly #size: number;

  constructor(number: number, first: number, size: number) {
    super(number, []);
    this.#first = first;
    this.#size = size;
  }

  override has(rank: number): boolean {
    return rank >= this.#first && rank < this.#first + this.#size;
  }

  override rankOf(rank: number): number {
    return this.has(rank) ? rank - this.#first : -1;
  }

  override sizeOf(): number {
    return this.#size;
  }

  override worldRank(_: number, member: number): number | undefined {
    return member >= 0 && member < this.#size ? this.#first + member : undefined;
  }
}

/** Consecutive ranks of the world. */
export interface RankRange {
  readonly first: number;
  readonly size: number;
}

/**
 * Two groups of ranks that send messages to each other, as an intercommunicator of MPI: a peer is a rank of the other
 * group.
 */
export class LinkCommunicator extends Communicator {
  readonly #ends: readonly [RankRange, RankRange];

  constructor(number: number, ends: readonly [RankRange, RankRange]) {
    super(number, []);
    this.#ends = ends;
  }

  override has(rank: number): boolean {
    return this.#ends.some((end) => isIn(end, rank));
  }

  override rankOf(rank: number): number {
    const own = this.#ends.find((end) => isIn(end, rank));
    return own === undefined ? -1 : rank - own.first;
  }

  override sizeOf(rank: number): number {
    return this.#other(rank)?.size ?? 0;
  }

  override worldRank(rank: number, member: number): number | undefined {
    const other = this.#other(rank);
    return other !== undefined && member >= 0 && member < other.size ? other.first + member : undefined;
  }

  #other(rank: number): RankRange | undefined {
    const [a, b] = this.#ends;
    return isIn(a, rank) ? b : isIn(b, rank) ? a : undefined;
  }
}

const isIn = ({ first, size }: RankRange, rank: number): boolean => rank >= first && rank < first + size;

/** A communicator of one group with the ranks of several ranges, in their order; `total`: number of ranks of the world. */
export function unionOf(number: number, ranges: readonly RankRange[], total: number): Communicator {
  const ranks = ranges.flatMap(({ first, size }) => Array.from({ length: size }, (_, k) => first + k));
  const groups = new Array<readonly number[] | undefined>(total).fill(undefined);
  for (const rank of ranks) groups[rank] = ranks;
  return new Communicator(number, groups);
}

/** Colour and key functions of a split. */
interface Parting {
  readonly color: unknown;
  readonly key: unknown;
  /** Argument of the functions for a rank of the world. */
  state(rank: number): object;
  /** Number in messages for a rank of the world. */
  name(rank: number): number;
}

/**
 * The group of each rank of the world, ordered by key, then by rank; undefined for ranks without a group.
 *
 * @throws InputError MODEL012 if colour or key is not a function, MODEL020 if its result is not an integer
 * @complexity O(ranks × log ranks)
 */
export function parted(
  parent: Communicator,
  total: number,
  { color, key, state, name }: Parting,
  site: Site,
): (readonly number[] | undefined)[] {
  const ask = (f: unknown, rank: number, what: string): number | null => {
    if (typeof f !== 'function') fail('MODEL012', `split: ${what}: expected a function of the rank`, site.place);
    beginEvaluation('split');
    try {
      const answer = f(Object.freeze(state(rank))) as unknown;
      if (answer === null || Number.isSafeInteger(answer)) return answer as number | null;
      return fail('MODEL020', `${what} of rank ${name(rank)}: expected an integer, got ${shown(answer)}`, site.place);
    } finally {
      endEvaluation();
    }
  };
  const groups = new Map<number, { readonly rank: number; readonly key: number }[]>();
  for (let rank = 0; rank < total; rank++) {
    if (!parent.has(rank)) continue;
    const group = ask(color, rank, 'color');
    if (group === null) continue;
    const member = { rank, key: key === undefined ? 0 : (ask(key, rank, 'key') ?? 0) };
    const members = groups.get(group);
    if (members === undefined) groups.set(group, [member]);
    else members.push(member);
  }
  const of = new Array<readonly number[] | undefined>(total).fill(undefined);
  for (const members of groups.values()) {
    const ranks = members.sort((a, b) => a.key - b.key || a.rank - b.rank).map((m) => m.rank);
    for (const rank of ranks) of[rank] = ranks;
  }
  return of;
}
