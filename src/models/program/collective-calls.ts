import type { Problem } from '../../base/problem.ts';
import type { Demands } from './collective-demands.ts';
import type { CollectiveRows } from './collective-rows.ts';
import type { Communicator } from './communicator.ts';
import { labelOf } from './shape.ts';
import type { Told } from './world.ts';

/** A call as its first rank made it. */
interface Call {
  readonly told: Told;
  readonly name: string;
  readonly rank: number;
  readonly demands: Demands;
}

/** The calls on a group of ranks that not all of them have made: number `first` of all calls is at `head`. */
interface Group {
  readonly communicator: Communicator;
  readonly size: number;
  /** By rank of the group: how many it has made, and its last one. */
  readonly made: Int32Array;
  readonly last: (Call | undefined)[];
  calls: Call[];
  /** How many ranks have made each of `calls`. */
  ranks: number[];
  first: number;
  head: number;
}

/**
 * Follows calls of collectives, blocking or not, and finds the first that ranks do not make alike: the k-th call of every
 * rank on a communicator must be the same operation, with the root and size that MPI demands to be the same (MPI 4.1,
 * §6.1 and §6.12). Messages of calls that differ may happen to fit, so that nothing else would tell.
 *
 * O(1) per call; keeps the calls by which ranks are apart.
 */
export class CollectiveCalls {
  readonly #rows: CollectiveRows;
  /** By communicator and rank. */
  readonly #groups = new Map<number, (Group | undefined)[]>();
  /** Calls that are the same for all that is told of them, by statement and rank. */
  readonly #known: (Call | undefined)[][] = [];
  #problem: Problem | undefined;

  constructor(rows: CollectiveRows) {
    this.#rows = rows;
  }

  /** A rank calls a collective, whose part for it begins at a row. */
  called(told: Told, rank: number, row: number): void {
    if (this.#problem !== undefined) return;
    const group = this.#groupOf(told, rank);
    if (group.size === 1) return;
    const call = this.#call(told, rank, row);
    const own = group.communicator.rankOf(rank);
    const number = group.made[own]!++;
    group.last[own] = call;
    const at = group.head + number - group.first;
    if (at === group.calls.length) {
      group.calls.push(call);
      group.ranks.push(1);
      return;
    }
    const other = group.calls[at]!;
    if (other.name !== call.name || other.demands !== call.demands) this.#problem = unlike(other, call, number);
    // Ranks make their calls in order, so that the first is complete first.
    if (++group.ranks[at]! < group.size) return;
    group.head++;
    group.first++;
    if (group.head < 64 || group.head * 2 < group.calls.length) return;
    group.calls = group.calls.slice(group.head);
    group.ranks = group.ranks.slice(group.head);
    group.head = 0;
  }

  /**
   * The first call that is not the same on all ranks.
   *
   * @param ended whether all ranks are at their end: then none makes a call any more that it lacks
   */
  problem(ended: boolean): Problem | undefined {
    if (this.#problem !== undefined || !ended) return this.#problem;
    for (const byRank of this.#groups.values())
      for (const group of byRank) if (group !== undefined && group.head < group.calls.length) return lacking(group);
    return undefined;
  }

  #groupOf({ statement }: Told, rank: number): Group {
    const { comm } = statement as { readonly comm: Communicator };
    const byRank = this.#groups.get(comm.number) ?? [];
    this.#groups.set(comm.number, byRank);
    const known = byRank[rank];
    if (known !== undefined) return known;
    const size = comm.sizeOf(rank);
    const group: Group = {
      communicator: comm,
      size,
      made: new Int32Array(size),
      last: new Array<Call | undefined>(size).fill(undefined),
      calls: [],
      ranks: [],
      first: 0,
      head: 0,
    };
    for (let member = 0; member < size; member++) byRank[comm.worldRank(rank, member)!] = group;
    return group;
  }

  #call(told: Told, rank: number, row: number): Call {
    this.#known[told.number] ??= [];
    const byRank = this.#known[told.number]!;
    const known = byRank[rank];
    const demands = this.#rows.demands(row);
    if (known?.demands === demands) return known;
    const call = { told, name: labelOf(told.statement), rank, demands };
    byRank[rank] = call;
    return call;
  }
}

const at = ({ told }: Call): string => {
  const { short } = told.statement.site;
  return short === '' ? '' : ` (${short})`;
};

function unlike(a: Call, b: Call, number: number): Problem {
  const place = b.told.statement.site.place;
  const rule = `it is call ${number + 1} of each on the communicator, and all its ranks must make the same`;
  const [x, y] = [a.demands, b.demands];
  if (a.name !== b.name)
    return {
      code: 'MODEL033',
      message: `rank ${b.rank} calls ${b.name}, and rank ${a.rank} ${a.name}${at(a)}: ${rule}`,
      place,
    };
  const [code, one, other] =
    x.root !== y.root ? ['MODEL027', `root ${y.root}`, `root ${x.root}`] : ['MODEL033', y.size!, x.size!];
  return {
    code,
    message: `rank ${b.rank} calls ${b.name} with ${one}, and rank ${a.rank} with ${other}${at(a)}: ${rule}`,
    place,
  };
}

/** The problem of a group of which some rank has made fewer calls than another. */
function lacking({ calls, head, made, last, communicator, first }: Group): Problem {
  const call = calls[head]!;
  const own = made.indexOf(first);
  const before = last[own];
  const rank = communicator.worldRank(call.rank, own)!;
  const whole = `${first + 1} ${first === 0 ? 'call' : 'calls'} of collectives`;
  const fewer = before === undefined ? 'makes none' : `makes ${first}, the last of them ${before.name}${at(before)}`;
  return {
    code: 'MODEL033',
    message: `rank ${call.rank} makes ${whole} on the communicator, the last of them ${call.name}, and rank ${rank} ${fewer}: all its ranks must make the same`,
    place: call.told.statement.site.place,
  };
}
