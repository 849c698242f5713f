import { entryAt } from '../base/columns.ts';
import type { NetBuilder, TransitionBuilder } from '../net/builder/builder.ts';
import { add, eq, lt, type Term, when } from '../net/terms.ts';
import { MODE } from './eager-threshold.ts';
import type { MessagePassingProgram } from './message-passing-parts.ts';
import { OP } from './operations.ts';

/** A rank's token: rank, position, operation. */
export type At = { readonly r: Term<number>; readonly i: Term<number>; readonly o: Term<number> };

/** The ranks of a program in a net under construction. */
export type RankSteps = ReturnType<typeof addRanks>;

/**
 * Adds the ranks of a program: colour sets, the tables of its operations, and the places `at` (a token per rank, with its position
 * and its current operation) and `ended`.
 */
export function addRanks(n: NetBuilder, { ranks, operations: ops, start, code, amount }: MessagePassingProgram) {
  const colours = {
    Rank: n.range('Rank', 0, ranks - 1),
    Position: n.range('Position', 0, code.length - 1),
    Operation: n.range('Operation', 0, ops.count - 1),
    Channel: n.range('Channel', 0, last(ops.channels)),
    Request: n.range('Request', 0, last(ops.requests)),
    Source: n.range('Source', -1, ranks - 1),
    Tag: n.range('Tag', -1, last(ops.tags)),
    Partner: n.range('Mate', -1, code.length - 1),
    Bytes: n.integer('Bytes'),
    Flag: n.bool('Flag'),
    Count: n.integer('Count'),
  };
  const op = n.intTable('op', ops.op, { low: 0, high: Math.max(OP.end, ops.by === undefined ? 0 : OP.lock) });
  const more = n.intTable('more', ops.more, { low: 0, high: 1 });
  const size = n.realTable('size', ops.size);
  const tables = {
    rank: n.intTable('rank', ops.rank, { low: 0, high: ranks - 1 }),
    peer: n.intTable('peer', ops.peer, { low: -1, high: ranks - 1 }),
    channel: n.intTable('channel', ops.channel, { low: 0, high: last(ops.channels) }),
    tag: n.intTable('tag', ops.tag, { low: -1, high: last(ops.tags) }),
    wildcard: n.intTable('loose', ops.wildcard, { low: 0, high: 1 }),
    pair: n.intTable('pair', ops.pair, { low: 0, high: last(ops.pairs.from.length) }),
    request: n.intTable('request', ops.request, { low: 0, high: last(ops.requests) }),
    named: n.intTable('named', ops.named, { low: 0, high: 1 }),
    mode: ops.mode === undefined ? undefined : n.intTable('mode', ops.mode, { low: 0, high: MODE.oneSided }),
  };
  const program = n.intTable('program', code, { low: 0, high: ops.count - 1 });
  const amounts = n.realTable('amount', amount);

  const { Rank, Position, Operation } = colours;
  const place = n.place(
    'at',
    { r: Rank, i: Position, o: Operation },
    {
      kind: 'operation',
      initial: Array.from({ length: ranks }, (_, r) => ({ r, i: start[r]!, o: entryAt(code, start[r]!) })),
    },
  );
  const ended = n.place('ended', { r: Rank }, { kind: 'operation' });
  const is = (o: Term<number>, kind: keyof typeof OP): Term<boolean> => eq(op.at(o), OP[kind]);
  return {
    ...colours,
    tables,
    at: place,
    ended,
    /** True if an operation is of a kind. */
    is,
    /** Amount of an operation: of its row, or else of the position. */
    amountOf: (o: Term<number>, i: Term<number>): Term<number> => when(lt(size.at(o), 0), amounts.at(i), size.at(o)),
    /** Takes a rank whose current operation is of a kind. */
    takeAt: (t: TransitionBuilder, kind: keyof typeof OP): At => {
      const token = t.take(place);
      t.guard(is(token.o, kind));
      t.process(token.r);
      return token;
    },
    /** Advances a rank to the next row of an expanded action, or else to the next position. */
    goOn: (t: TransitionBuilder, { r, i, o }: At, count?: Term<boolean>): void => {
      const stays = eq(more.at(o), 1);
      const values = { r, i: when(stays, i, add(i, 1)), o: when(stays, add(o, 1), program.at(add(i, 1))) };
      t.put(place, values, count ?? 1);
    },
  };
}

/** Last number of a range of `count` values; a range has at least one value. */
export const last = (count: number): number => Math.max(0, count - 1);
