import type { Net } from '../../../net/net.ts';
import type { NodeShapes } from '../../../net/shapes/node-shapes.ts';
import type { Recorded } from '../record/recorder.ts';
import type { Statement } from '../record/statement.ts';
import { type Channel, Channels } from './channels.ts';
import type { Counts } from './execution-counts.ts';
import { Meetings } from './meetings.ts';
import { NetMaker } from './net-maker.ts';
import { RankCounts } from './rank-counts.ts';
import { RankNet, type RankOperation } from './rank-net.ts';

/** Control flow and communication of a program as a place/transition net in which every node has a shape. */
export interface ResolvedNet {
  readonly net: Net;
  readonly shapes: Required<NodeShapes>;
  /** The operation of each transition that belongs to a rank. */
  readonly operations: ReadonlyMap<string, RankOperation>;
  /** The channel of each message place. */
  readonly channels: ReadonlyMap<string, Channel>;
  /** For collective calls: the place that ranks leave from, by the place where they arrive. */
  readonly meetings: ReadonlyMap<string, string>;
}

/** Number of statements followed iteration by iteration: for all ranks together, and at least for each rank. */
const EFFORT = { all: 2 ** 18, each: 2 ** 10 } as const;
/** Maximum number of operations, summed over ranks; limits the size of the net. */
const MAX_OPERATIONS: number = 2 ** 17;

/**
 * The rank-resolved control net of coupled programs. It has, for every rank, the reachable statements as operations,
 * branches, merges and loops; a place for the messages of each sender, receiver and tag; for a wildcard receive, an
 * alternative per place it can take from; a synchronisation of the participants for each collective call; requests,
 * files and windows. Operations carry execution counts where the model's functions determine them ({@link RankCounts}).
 * The size does not depend on loop counts, unless iterations differ in their partners or tags.
 *
 * Sends do not block in this net; the shapes do not depend on that. Returns undefined if the net would be too large.
 *
 * @param label unique name of a statement
 * @complexity ranks × statements × the partners of each, plus the differing iterations, up to 2¹⁸
 */
export function resolvedNet(programs: readonly Recorded[], label: (s: Statement) => string): ResolvedNet | undefined {
  const ranks = programs.reduce((sum, p) => sum + p.size, 0);
  const effort = Math.max(EFFORT.each, Math.floor(EFFORT.all / ranks));
  const all: Counts[] = [];
  let operations = 0;
  for (const program of programs)
    for (let rank = program.first; rank < program.first + program.size; rank++) {
      const { counts } = new RankCounts(program, rank, effort);
      for (const { variants: ways } of counts.values()) operations += Math.max(1, ways.size);
      if (operations > MAX_OPERATIONS) return undefined;
      all[rank] = counts;
    }
  const channels = new Channels(all);
  if (!channels.isResolved) return undefined;
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
