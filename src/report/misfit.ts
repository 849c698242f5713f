import type { Collective } from '../trace/collective.ts';
import { cycleOf } from './cycle.ts';
import type { BlockedRank } from './prediction.ts';

/** A line of a model that calls a collective, and the ranks that are stuck there. */
export interface StuckCall {
  /** The collective, by its name alone. */
  readonly operation: string;
  readonly file: string;
  readonly line: number;
  readonly ranks: readonly number[];
}

const COLLECTIVES: Readonly<Record<Collective['kind'], true>> = {
  barrier: true,
  bcast: true,
  reduce: true,
  allreduce: true,
  scan: true,
  exscan: true,
  gather: true,
  scatter: true,
  allgather: true,
  alltoall: true,
  gatherv: true,
  scatterv: true,
  allgatherv: true,
  alltoallv: true,
  reducescatter: true,
};

/**
 * Calls of collectives that do not fit together: some ranks of a group call one where others call another, or they call
 * them in different orders. Where all calls fit, a rank in a collective can wait for one in another, which has not come
 * so far yet; but then something else holds that one up. So there must be a circle of ranks in collectives only, or no
 * rank may be stuck in anything else. Undefined where neither is so, or all are at the same call.
 */
export function misfit(deadlock: readonly BlockedRank[]): StuckCall[] | undefined {
  const inside = deadlock.filter((blocked) => Object.hasOwn(COLLECTIVES, nameOf(blocked)));
  const cycle = new Set(cycleOf(inside));
  const part = inside.length === deadlock.length ? inside : inside.filter(({ rank }) => cycle.has(rank));
  const lines = new Set(part.map(keyOf));
  if (lines.size < 2) return undefined;
  const calls = new Map<string, { operation: string; file: string; line: number; ranks: number[] }>();
  for (const blocked of inside) {
    const key = keyOf(blocked);
    if (!lines.has(key)) continue;
    const { file, line, rank } = blocked;
    const call = calls.get(key) ?? { operation: nameOf(blocked), file, line, ranks: [] };
    call.ranks.push(rank);
    calls.set(key, call);
  }
  return [...calls.values()].map((call) => ({ ...call, ranks: call.ranks.sort((a, b) => a - b) }));
}

/** Without the interval that it is in: `allreduce in check`. */
function nameOf({ operation }: BlockedRank): string {
  return operation.split(' ', 1)[0]!;
}

function keyOf(blocked: BlockedRank): string {
  return JSON.stringify([nameOf(blocked), blocked.file, blocked.line]);
}
