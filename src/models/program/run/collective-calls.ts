import type { Problem } from '../../../base/problem.ts';
import type { Communicator } from '../record/communicator.ts';
import type { Amounts, Demands } from '../resolve/collective-demands.ts';
import type { CollectiveRows } from '../resolve/collective-rows.ts';
import { labelOf } from '../resolve/shape.ts';
import type { StatementInfo } from '../resolve/world.ts';

interface Call {
  readonly info: StatementInfo;
  readonly name: string;
  readonly rank: number;
  /** First row of the rank's part; calls of a rank with equal rows are equal. */
  readonly row: number;
  readonly demands: Demands;
  readonly amounts: Amounts | undefined;
}

/** A call that some ranks of the group have not made yet. */
interface Pending {
  /** The call of the first rank that made it. */
  readonly first: Call;
  /** Number of ranks that have made it. */
  ranks: number;
  /** Calls by rank of the group; kept only if ranks exchange amounts in pairs. */
  readonly parts: (Call | undefined)[] | undefined;
}

/** The incomplete calls of a group of ranks. `calls[head]` is call number `first` of the group. */
interface Group {
  readonly communicator: Communicator;
  readonly size: number;
  /** By rank of the group: the number of its calls, and its last call. */
  readonly made: Int32Array;
  readonly last: (Call | undefined)[];
  calls: Pending[];
  first: number;
  head: number;
}

/**
 * Follows the calls of collectives, blocking or not, and finds the first on which ranks disagree: the k-th call of
 * every rank on a communicator must be the same operation, with the same root and size where MPI requires it (MPI 4.1,
 * §6.1 and §6.12). A separate check is needed since the messages of different calls may happen to match.
 *
 * O(1) per call, O(ranks) if amounts are exchanged in pairs. Memory: the calls that not all ranks have made yet.
 */
export class CollectiveCalls {
  readonly #rows: CollectiveRows;
  /** By communicator and rank. */
  readonly #groups = new Map<number, (Group | undefined)[]>();
  /** Cached calls by statement and rank. */
  readonly #known: (Call | undefined)[][];
  #problem: Problem | undefined;
  #key: string | undefined;

  constructor(rows: CollectiveRows, known: (Call | undefined)[][] = []) {
    this.#rows = rows;
    this.#known = known;
  }

  /** An independent copy. O(ranks × pending calls). */
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

  /** Equal keys: later calls are checked in the same manner. */
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

  /** Records that a rank calls a collective; `row` is the first row of its part. */
  called(info: StatementInfo, rank: number, row: number): void {
    this.#key = undefined;
    if (this.#problem !== undefined) return;
    const group = this.#groupOf(info, rank);
    if (group.size === 1) return;
    const call = this.#call(info, rank, row);
    const own = group.communicator.rankOf(rank);
    const number = group.made[own]!++;
    group.last[own] = call;
    const at = group.head + number - group.first;
    if (at === group.calls.length) group.calls.push(pending(call, own, group.size));
    else this.#problem = joined(group.calls[at]!, call, own, number);
    // Ranks make their calls in order, so the oldest call completes first.
    if (group.calls[at]!.ranks < group.size) return;
    group.head++;
    group.first++;
    if (group.head < 64 || group.head * 2 < group.calls.length) return;
    group.calls = group.calls.slice(group.head);
    group.head = 0;
  }

  /**
   * The first call on which ranks disagree.
   *
   * @param ended whether all ranks have ended, so that missing calls are errors
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

  #call(info: StatementInfo, rank: number, row: number): Call {
    this.#known[info.number] ??= [];
    const byRank = this.#known[info.number]!;
    const known = byRank[rank];
    if (known?.row === row) return known;
    const [demands, amounts] = [this.#rows.demands(row), this.#rows.amounts(row)];
    const call = { info, name: labelOf(info.statement), rank, row, demands, amounts };
    byRank[rank] = call;
    return call;
  }
}

function pendingOf({ calls, head }: Group): readonly Pending[] {
  return calls.slice(head);
}

/** Identifies a pending call: the first rank's call, and the parts of ranks that exchange amounts. */
function keyOf({ first, parts }: Pending): unknown {
  return [first.name, first.demands, parts?.map((p) => p?.row ?? null)];
}

function copied(group: Group): Group {
  const calls = pendingOf(group).map((p) => ({ ...p, parts: p.parts === undefined ? undefined : [...p.parts] }));
  return { ...group, made: group.made.slice(), last: [...group.last], calls, head: 0 };
}

const at = ({ info }: Call): string => {
  const { short } = info.statement.site;
  return short === '' ? '' : ` (${short})`;
};

function pending(call: Call, own: number, size: number): Pending {
  if (call.amounts === undefined) return { first: call, ranks: 1, parts: undefined };
  const parts = new Array<Call | undefined>(size).fill(undefined);
  parts[own] = call;
  return { first: call, ranks: 1, parts };
}

/** Adds a rank's call to those of the others; returns how it differs, if it does. */
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

/** The problem if a rank sends another amount than its peer receives. */
function unequal(a: Call, own: number, b: Call, peer: number, number: number): Problem | undefined {
  const [sent, received] = [a.amounts!.to(peer), b.amounts!.from(own)];
  if (sent === undefined || received === undefined || sent === received) return undefined;
  return {
    code: 'MODEL033',
    message: `rank ${a.rank} sends ${sent} B to rank ${b.rank} in call ${number + 1} on the communicator, ${a.name}${at(a)}, but rank ${b.rank} receives ${received} B from it${at(b)}: both must be equal`,
    place: a.info.statement.site.place,
  };
}

function unlike(a: Call, b: Call, number: number): Problem {
  const place = b.info.statement.site.place;
  const rule = `call ${number + 1} on the communicator must be the same on all its ranks`;
  const [x, y] = [a.demands, b.demands];
  if (a.name !== b.name)
    return {
      code: 'MODEL033',
      message: `rank ${b.rank} calls ${b.name}, but rank ${a.rank} calls ${a.name}${at(a)}: ${rule}`,
      place,
    };
  const [code, one, other] =
    x.root !== y.root
      ? (['MODEL027', `root ${y.root}`, `root ${x.root}`] as const)
      : (['MODEL033', y.size!, x.size!] as const);
  return {
    code,
    message: `rank ${b.rank} calls ${b.name} with ${one}, but rank ${a.rank} with ${other}${at(a)}: ${rule}`,
    place,
  };
}

/** The problem of a group in which one rank has made fewer calls than another. */
function lacking({ calls, head, made, last, communicator, first }: Group): Problem {
  const call = calls[head]!.first;
  const own = made.indexOf(first);
  const before = last[own];
  const rank = communicator.worldRank(call.rank, own)!;
  const whole = `${first + 1} collective ${first === 0 ? 'call' : 'calls'}`;
  const fewer = before === undefined ? 'makes none' : `makes ${first}, the last one ${before.name}${at(before)}`;
  return {
    code: 'MODEL033',
    message: `rank ${call.rank} makes ${whole} on the communicator, the last one ${call.name}, but rank ${rank} ${fewer}: all its ranks must make the same calls`,
    place: call.info.statement.site.place,
  };
}
