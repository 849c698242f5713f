import type { Problem } from '../../base/problem.ts';
import type { Amounts, Demands } from './collective-demands.ts';
import type { CollectiveRows } from './collective-rows.ts';
import type { Communicator } from './communicator.ts';
import { labelOf } from './shape.ts';
import type { StatementInfo } from './world.ts';

/** A call as a rank makes it. */
interface Call {
  readonly told: StatementInfo;
  readonly name: string;
  readonly rank: number;
  /** The first row of its rank's part: equal rows are equal calls. */
  readonly row: number;
  readonly demands: Demands;
  readonly amounts: Amounts | undefined;
}

/** A call that not all ranks of its group have made. */
interface Pending {
  /** As the first rank made it. */
  readonly first: Call;
  /** How many ranks have made it. */
  ranks: number;
  /** As each rank of the group made it; kept where ranks exchange amounts in pairs. */
  readonly parts: (Call | undefined)[] | undefined;
}

/** The calls on a group of ranks that not all of them have made: number `first` of all calls is at `head`. */
interface Group {
  readonly communicator: Communicator;
  readonly size: number;
  /** By rank of the group: how many it has made, and its last one. */
  readonly made: Int32Array;
  readonly last: (Call | undefined)[];
  calls: Pending[];
  first: number;
  head: number;
}

/**
 * Follows calls of collectives, blocking or not, and finds the first that ranks do not make alike: the k-th call of every
 * rank on a communicator must be the same operation, with the root and size that MPI demands to be the same (MPI 4.1,
 * §6.1 and §6.12). Messages of calls that differ may happen to fit, so that nothing else would tell.
 *
 * O(1) per call, O(ranks) where amounts are exchanged in pairs; keeps the calls by which ranks are apart.
 */
export class CollectiveCalls {
  readonly #rows: CollectiveRows;
  /** By communicator and rank. */
  readonly #groups = new Map<number, (Group | undefined)[]>();
  /** Calls that are the same for all that is told of them, by statement and rank. */
  readonly #known: (Call | undefined)[][];
  #problem: Problem | undefined;
  #key: string | undefined;

  constructor(rows: CollectiveRows, known: (Call | undefined)[][] = []) {
    this.#rows = rows;
    this.#known = known;
  }

  /** The same calls, to be followed separately. O(ranks × pending calls). */
  copy(): CollectiveCalls {
    const copy = new CollectiveCalls(this.#rows, this.#known);
    copy.#problem = this.#problem;
    for (const [number, byRank] of this.#groups) {
      const groups = new Map(byRank.flatMap((g) => (g === undefined ? [] : [[g, copied(g)] as const])));
      copy.#groups.set(
        number,
        byRank.map((g) => (g === undefined ? undefined : groups.get(g))),
      );
    }
    return copy;
  }

  /** Equal for calls that differ in nothing that later calls are compared with. */
  get key(): string {
    this.#key ??= JSON.stringify([
      this.#problem?.message,
      [...this.#groups].map(([number, byRank]) => [
        number,
        [...new Set(byRank)].map((g) => g && [g.made.map((n) => n - g.first).join(), pendingOf(g).map(keyOf)]),
      ]),
    ]);
    return this.#key;
  }

  /** A rank calls a collective, whose part for it begins at a row. */
  called(told: StatementInfo, rank: number, row: number): void {
    this.#key = undefined;
    if (this.#problem !== undefined) return;
    const group = this.#groupOf(told, rank);
    if (group.size === 1) return;
    const call = this.#call(told, rank, row);
    const own = group.communicator.rankOf(rank);
    const number = group.made[own]!++;
    group.last[own] = call;
    const at = group.head + number - group.first;
    if (at === group.calls.length) group.calls.push(pending(call, own, group.size));
    else this.#problem = joined(group.calls[at]!, call, own, number);
    // Ranks make their calls in order, so that the first is complete first.
    if (group.calls[at]!.ranks < group.size) return;
    group.head++;
    group.first++;
    if (group.head < 64 || group.head * 2 < group.calls.length) return;
    group.calls = group.calls.slice(group.head);
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

  #groupOf({ statement }: StatementInfo, rank: number): Group {
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
      first: 0,
      head: 0,
    };
    for (let member = 0; member < size; member++) byRank[comm.worldRank(rank, member)!] = group;
    return group;
  }

  #call(told: StatementInfo, rank: number, row: number): Call {
    this.#known[told.number] ??= [];
    const byRank = this.#known[told.number]!;
    const known = byRank[rank];
    if (known?.row === row) return known;
    const [demands, amounts] = [this.#rows.demands(row), this.#rows.amounts(row)];
    const call = { told, name: labelOf(told.statement), rank, row, demands, amounts };
    byRank[rank] = call;
    return call;
  }
}

function pendingOf({ calls, head }: Group): readonly Pending[] {
  return calls.slice(head);
}

/** What tells a pending call from others: the call of its first rank, and the parts of ranks that exchange amounts. */
function keyOf({ first, parts }: Pending): unknown {
  return [first.name, first.demands, parts?.map((p) => p?.row ?? null)];
}

function copied(group: Group): Group {
  const calls = pendingOf(group).map((p) => ({ ...p, parts: p.parts === undefined ? undefined : [...p.parts] }));
  return { ...group, made: group.made.slice(), last: [...group.last], calls, head: 0 };
}

const at = ({ told }: Call): string => {
  const { short } = told.statement.site;
  return short === '' ? '' : ` (${short})`;
};

function pending(call: Call, own: number, size: number): Pending {
  if (call.amounts === undefined) return { first: call, ranks: 1, parts: undefined };
  const parts = new Array<Call | undefined>(size).fill(undefined);
  parts[own] = call;
  return { first: call, ranks: 1, parts };
}

/** Adds a rank's call to those of the others, and says by what it differs. */
function joined(group: Pending, call: Call, own: number, number: number): Problem | undefined {
  const { first, parts } = group;
  group.ranks++;
  if (first.name !== call.name || first.demands !== call.demands) return unlike(first, call, number);
  if (parts === undefined) return undefined;
  parts[own] = call;
  const { only } = call.amounts!;
  for (const peer of only === undefined ? parts.keys() : [only]) {
    const other = parts[peer];
    if (other === undefined || peer === own) continue;
    const problem = unequal(call, own, other, peer, number) ?? unequal(other, peer, call, own, number);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** What is wrong where a rank sends other than its peer receives. */
function unequal(a: Call, own: number, b: Call, peer: number, number: number): Problem | undefined {
  const [sent, received] = [a.amounts!.to(peer), b.amounts!.from(own)];
  if (sent === undefined || received === undefined || sent === received) return undefined;
  return {
    code: 'MODEL033',
    message: `rank ${a.rank} sends ${sent} B to rank ${b.rank} in call ${number + 1} of the communicator, ${a.name}${at(a)}, and rank ${b.rank} receives ${received} B from it${at(b)}: both must be equal`,
    place: a.told.statement.site.place,
  };
}

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
  const call = calls[head]!.first;
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
