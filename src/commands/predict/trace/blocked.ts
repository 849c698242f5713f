import { simulate } from '../../../analysis/simulate.ts';
import { compile } from '../../../engine/compile.ts';
import { OP, type Operations } from '../../../models/operations.ts';
import type { RankStates } from '../../../models/rank-states.ts';
import type { BlockedOf } from '../../../models/schedule/blocked-in-schedule.ts';
import type { Net } from '../../../net/net.ts';
import type { BlockedRank } from '../../inputs/document-parts.ts';
import type { Trace } from '../../subjects/compact-trace.ts';
import { assertCutOff, type TraceNet } from '../../subjects/read-trace.ts';
import type { Choice, Unmatched } from '../unmatched.ts';

/**
 * The permanently blocked ranks in the last marking of a message-passing net, with their trace lines and the ranks they wait
 * for: a send waits for its receiver, a receive for its sender (null: any rank), a wait for the partners of its incomplete
 * requests. O(tokens of the marking).
 */
export function blockedRanks(
  marking: { tokens(place: string): readonly { readonly values: readonly number[] }[] },
  operations: Operations,
  trace: Trace,
  states: Pick<RankStates, 'ended' | 'since'>,
  { places }: Pick<Net, 'places'>,
): BlockedRank[] {
  const known = new Set(places.map(({ name }) => name));
  const tokens = (place: string): readonly { readonly values: readonly number[] }[] =>
    known.has(place) ? marking.tokens(place) : [];
  const at = new Map<number, { row: number; position: number }>();
  const partners = new Map<number, { row: number; position: number }[]>();
  const note = (row: number, position: number): void => {
    const rank = operations.rank[row]!;
    const op = operations.op[row]!;
    if (op === OP.send || op === OP.recv) {
      // A send that its rank did not wait for may be left from earlier; the rank is at its latest position.
      const last = at.get(rank);
      if (last === undefined || position > last.position || (position === last.position && row > last.row))
        at.set(rank, { row, position });
    } else partners.set(rank, [...(partners.get(rank) ?? []), { row, position }]);
  };
  for (const { values } of tokens('at')) at.set(values[0]!, { position: values[1]!, row: values[2]! });
  for (const { values } of tokens('processor')) at.set(values[0]!, { position: values[1]!, row: values[2]! });
  // Messages that a failure keeps in the network, and receives of such messages.
  for (const { values } of tokens('network')) {
    note(values[0]!, values[1]!);
    if (values[4]! >= 0) note(values[3]!, values[4]!);
  }
  for (const { values } of tokens('paired')) note(values[3]!, values[4]!);
  for (const { values } of tokens('sends')) note(values[1]!, values[2]!);
  for (const { values } of tokens('receives')) note(values[1]!, values[2]!);
  for (const { values } of tokens('wildcardSends')) note(values[3]!, values[4]!);
  for (const { values } of tokens('wildcardReceives')) note(values[3]!, values[4]!);
  const running = [...at].filter(([rank]) => Number.isNaN(states.ended[rank]!)).sort((a, b) => a[0] - b[0]);
  return running.map(([rank, { row, position }]) => {
    const { file, line, text } = trace.locate(position);
    const op = operations.op[row]!;
    const open =
      op === OP.send || op === OP.recv
        ? [{ row }]
        : (partners.get(rank) ?? []).filter(
            (p) =>
              op === OP.waitall ||
              operations.request[p.row] === operations.request[row] ||
              (op === OP.waitany && operations.request[p.row]! > operations.request[row]!) ||
              (op === OP.drain && operations.op[p.row] === OP.expose),
          );
    const peers = open.map((p) => operations.peer[p.row]!);
    const any = peers.includes(-1);
    return {
      rank,
      operation: text.trim().split(/\s+/).slice(1).join(' ').slice(0, 120),
      file,
      line,
      waitsFor: any ? null : [...new Set(peers)].sort((a, b) => a - b),
      since: states.since[rank]!,
    };
  });
}

/**
 * Replays a trace whose ranks make different collective calls, to see whether a deadlock explains it. Other traces are not
 * replayed.
 *
 * @throws InputError TI032
 */
export function assertReplayable({ trace, operations, net }: TraceNet): void {
  if (trace.cutOff === undefined) return;
  const { run } = simulate(compile(net), { maxInstantSteps: instantSteps(trace.ranks, trace.length) });
  const ended = new Float64Array(trace.ranks).fill(Number.NaN);
  for (const { values } of run.tokens('ended')) ended[values[0]!] = 0;
  assertCutOff(trace, blockedRanks(run, operations, trace, { ended, since: new Float64Array(trace.ranks) }, net));
}

/**
 * As {@link assertReplayable}, of the net of the trace's schedule.
 *
 * @throws InputError TI032
 */
export function assertSchedulable(trace: Trace, { net, blocked }: ScheduleNet): void {
  if (trace.cutOff === undefined) return;
  const timed = [net.processes!.ended, ...blocked.timed];
  const { run } = simulate(compile(net, { timed }), { maxInstantSteps: instantSteps(trace.ranks, trace.length) });
  assertCutOff(trace, blocked.of(run));
}

type ScheduleNet = { readonly net: Net; readonly blocked: BlockedOf };

/**
 * Maximum number of steps at one instant; more count as an endless cycle. All ranks may exchange messages with all others at
 * once.
 */
export const instantSteps = (ranks: number, positions: number): number => 1e6 + 40 * ranks * ranks + 10 * positions;

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
