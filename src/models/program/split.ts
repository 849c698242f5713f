import { fail, shown } from '../../base/problem.ts';
import { beginEvaluation, endEvaluation } from '../../net/functions/evaluation.ts';
import type { Communicator } from './communicator.ts';
import type { Site } from './site.ts';

/** Colour and key functions of a split. */
export interface Parting {
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
