import type { NetBuilder } from '../../net/builder/builder.ts';
import { processorSharing } from '../../net/builder/stations.ts';
import { type LogGops, OPERATION, type Schedule } from '../../trace/goal/schedule.ts';
import { EDGES, type ScheduleTables } from './schedule-tables.ts';

export const NANOSECOND = 1e-9;

/** Places of a schedule's net, with its first marking. */
export type SchedulePlaces = ReturnType<typeof schedulePlaces>;

/** @complexity O(operations + dependencies) */
export function schedulePlaces(n: NetBuilder, schedule: Schedule, { L, o }: LogGops, tables: ScheduleTables) {
  const { ranks, operations, dependencies } = schedule;
  const { Rank, Operation, Kind, Cpu, Nic, Source, Tag, Edge, Uses, Count, count, allCpus, allNics, cpuOf } = tables;
  const before = new Int32Array(count);
  for (const { to } of dependencies) before[to]!++;
  const own = new Int32Array(ranks);
  for (const { rank } of operations) own[rank]!++;
  const unused = Array.from({ length: allCpus }, (_, c) => ({ c, u: 0 }));
  const interfaces = (side: string) => ({
    free: n.place(
      `${side} interface`,
      { c: Nic },
      { kind: 'resource', initial: Array.from({ length: allNics }, (_, c) => ({ c })) },
    ),
    busy: n.place(`${side} interface busy`, { c: Nic, o: Operation }, { kind: 'resource' }),
    freed: n.place(`${side} interface freed`, { c: Nic }, { kind: 'resource' }),
  });
  return {
    // The operation comes first, so that tokens of one step, as the initial ones, are ordered by its number: by rank, then by kind.
    queue: n.place(
      'a queue',
      { o: Operation, k: Kind },
      { kind: 'operation', initial: operations.flatMap(({ kind }, k) => (before[k] === 0 ? [{ o: k, k: kind }] : [])) },
    ),
    /** Receives in the queue. Each is posted when use number u of its CPU has ended. */
    posting: n.place(
      'posting',
      { o: Operation, c: Cpu, u: Uses },
      {
        kind: 'operation',
        initial: operations.flatMap(({ kind }, k) =>
          before[k] === 0 && kind === OPERATION.recv ? [{ o: k, c: cpuOf(k), u: 0 }] : [],
        ),
      },
    ),
    required: n.place(
      'required',
      { o: Operation, n: Count },
      {
        kind: 'operation',
        initial: operations.flatMap((_, k) => (before[k]! > 0 ? [{ o: k, n: before[k]! }] : [])),
      },
    ),
    satisfied: n.place('satisfied', { o: Operation }, { kind: 'operation' }),
    following: EDGES.map((word) => n.place(`${word} edges`, { e: Edge, end: Edge }, { kind: 'operation' })),
    ready: n.place(
      'ready',
      { r: Rank },
      { kind: 'resource', initial: Array.from({ length: ranks }, (_, r) => ({ r })) },
    ),
    changed: n.place('changed', { r: Rank }, { kind: 'resource' }),
    idle: n.place('cpu', { c: Cpu }, { kind: 'resource', initial: Array.from({ length: allCpus }, (_, c) => ({ c })) }),
    freed: n.place('cpu freed', { c: Cpu }, { kind: 'resource' }),
    taken: n.place('cpu taken', { c: Cpu }, { kind: 'resource' }),
    /** How often a CPU has been taken. */
    uses: n.place('cpu uses', { c: Cpu, u: Uses }, { kind: 'resource', initial: unused }),
    /** Uses that have ended, until the end of the instant at which the next one begins. */
    used: n.place('cpu used', { c: Cpu, u: Uses }, { kind: 'resource', initial: unused }),
    sending: interfaces('send'),
    receiving: interfaces('receive'),
    computing: n.place('computing', { c: Cpu, r: Rank, o: Operation }, { kind: 'operation' }),
    overhead: n.place('overhead', { c: Cpu, r: Rank, o: Operation, m: Kind }, { kind: 'operation' }),
    // Nanoseconds are no binary fractions: with this service, times that differ by rounding only are simultaneous (S12).
    network: n.place(
      'network',
      { o: Operation },
      {
        kind: 'message',
        service: () => processorSharing({ servers: 2 * count, time: (o + L) * NANOSECOND }),
      },
    ),
    landed: n.place('landed', { o: Operation }, { kind: 'message' }),
    came: n.place(
      'came',
      { d: Rank, s: Rank, t: Tag, o: Operation },
      { kind: 'message', order: { fifo: ['d', 's', 't'] } },
    ),
    posted: n.place(
      'posted',
      { d: Rank, s: Source, t: Tag, o: Operation },
      { kind: 'message', order: { fifo: ['d', 's', 't'] } },
    ),
    /** Messages, and sends that wait for their receives, whose time has passed; they end when they are also in `matched`. */
    held: n.place('held', { m: Kind, o: Operation }, { kind: 'operation' }),
    matched: n.place('matched', { m: Kind, o: Operation, p: Operation }, { kind: 'operation' }),
    ends: n.place('ends', { r: Rank }, { kind: 'operation' }),
    left: n.place(
      'left',
      { r: Rank, n: Count },
      {
        kind: 'operation',
        initial: Array.from(own, (k, r) => ({ r, n: k })).filter(({ n: k }) => k > 0),
      },
    ),
    ended: n.place(
      'ended',
      { r: Rank },
      {
        kind: 'operation',
        initial: Array.from(own, (k, r) => ({ r, k })).flatMap(({ r, k }) => (k === 0 ? [{ r }] : [])),
      },
    ),
  };
}
