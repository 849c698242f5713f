import type { Net } from '../../../net/net.ts';
import type { NodeShapes } from '../../../net/shapes/node-shapes.ts';
import type { Recorded } from '../recorder.ts';
import type { Statement } from '../statement.ts';
import { type Channel, Channels } from './channels.ts';
import { Meetings } from './meetings.ts';
import { NetMaker } from './net-maker.ts';
import { RankCounts } from './rank-counts.ts';
import { RankNet, type RankOperation } from './rank-net.ts';
import type { Counts } from './turns.ts';

/** The control flow and communication of a program as a place/transition net in which every node has a shape. */
export interface ResolvedNet {
  readonly net: Net;
  readonly shapes: Required<NodeShapes>;
  /** What a transition does, where it is an operation of a rank. */
  readonly operations: ReadonlyMap<string, RankOperation>;
  /** What a message place is for. */
  readonly channels: ReadonlyMap<string, Channel>;
  /** Of collective calls, by the place where ranks arrive: the one that they leave. */
  readonly meetings: ReadonlyMap<string, string>;
}

/** Statements that all ranks together may follow turn by turn, and those of one rank at least. */
const EFFORT = { all: 2 ** 18, each: 2 ** 10 } as const;
/** What ranks do with how many statements at most, so that the net stays of a size that is no burden. */
const MAX_OPERATIONS: number = 2 ** 17;

/**
 * The rank-resolved control net of programs that run together: of every rank the statements that it can come to, as
 * operations, branches, merges and loops; a place for the messages of each sender, receiver and tag; for a receive with
 * wildcards a way from each place whose messages it can take; a synchronisation for each collective call over those who
 * take part; requests, files and windows. How often each operation is done is known where the model's functions say so
 * ({@link RankCounts}). The size does not depend on the turns of loops, unless these differ in their partners or tags.
 *
 * Sends go on at once; what the shapes say does not depend on that. Undefined where it would be too large.
 *
 * @param label of a statement, one for each
 * @complexity ranks × statements × the partners of each, and the turns that differ, up to 2¹⁸
 */
export function resolvedNet(programs: readonly Recorded[], label: (s: Statement) => string): ResolvedNet | undefined {
  const ranks = programs.reduce((sum, p) => sum + p.size, 0);
  const effort = Math.max(EFFORT.each, Math.floor(EFFORT.all / ranks));
  const all: Counts[] = [];
  let operations = 0;
  for (const program of programs)
    for (let rank = program.first; rank < program.first + program.size; rank++) {
      const { counts } = new RankCounts(program, rank, effort);
      for (const { ways } of counts.values()) operations += Math.max(1, ways.size);
      if (operations > MAX_OPERATIONS) return undefined;
      all[rank] = counts;
    }
  const channels = new Channels(all);
  if (!channels.isWhole) return undefined;
  const maker = new NetMaker();
  const parts = {
    maker,
    channels,
    meetings: new Meetings(all),
    label,
    operations: new Map<string, RankOperation>(),
    places: new Map<string, Channel>(),
  };
  for (const program of programs)
    for (let rank = program.first; rank < program.first + program.size; rank++)
      new RankNet(parts, rank, all[rank]!).build(program.body);
  parts.meetings.build(maker);
  const { net, shapes } = maker.build(programs.map((p) => p.name).join('+'));
  return { net, shapes, operations: parts.operations, channels: parts.places, meetings: parts.meetings.pairs };
}
