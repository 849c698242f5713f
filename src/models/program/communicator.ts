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

  /** Whether a rank of the world is in a group. */
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
