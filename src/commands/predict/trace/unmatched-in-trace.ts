import type { Operations } from '../../../models/operations.ts';
import type { Choice, Unmatched } from '../unmatched.ts';
import type { Trace } from './compact-trace.ts';

/** Maximum number of entries with their trace line. */
const MAX_LISTED = 40;

/** Sends without a receive, and receives without a message, in a marking of a trace's net. */
export function unmatchedInTrace(
  trace: Trace,
  { tag: tags, rank, peer }: Operations,
  marking: { tokens(place: string): readonly { readonly values: readonly number[] }[] },
): Unmatched[] {
  const groups = new Map<string, { kind: Unmatched['kind']; row: number; first: number; count: number }>();
  const note = (kind: Unmatched['kind'], row: number, position: number): void => {
    const key = [kind, rank[row], peer[row], tags[row]].join();
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { kind, row, first: position, count: 1 });
    else {
      group.count++;
      if (position < group.first) Object.assign(group, { first: position, row });
    }
  };
  for (const { values } of marking.tokens('sends')) note('send', values[1]!, values[2]!);
  for (const { values } of marking.tokens('wildcardSends')) note('send', values[3]!, values[4]!);
  for (const { values } of marking.tokens('receives')) note('receive', values[1]!, values[2]!);
  for (const { values } of marking.tokens('wildcardReceives')) note('receive', values[3]!, values[4]!);
  const all = [...groups.values()].sort((a, b) => (a.kind === b.kind ? a.first - b.first : a.kind < b.kind ? 1 : -1));
  return all.map(({ kind, row, first, count }, k): Unmatched => {
    const at = k < MAX_LISTED ? [operationAt(trace, first)] : [];
    const any = peer[row] === -1;
    return { kind, rank: rank[row]!, peer: any ? null : peer[row]!, tag: tagOf(at[0]), count, at };
  });
}

/** The trace line at a position, without its rank. */
export function operationAt(trace: Trace, position: number): Choice {
  const { file, line, text } = trace.locate(position);
  return { operation: text.trim().split(/\s+/).slice(1).join(' ').slice(0, 120), file, line };
}

/** The tag in the line of a send or receive; null if it has none. */
function tagOf(at: Choice | undefined): number | null {
  const [name = '', , word = ''] = at?.operation.split(' ') ?? [];
  return /^i?(?:s?send|recv)$/i.test(name) && /^\d+$/.test(word) ? Number(word) : null;
}
