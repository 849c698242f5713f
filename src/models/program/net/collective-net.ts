import { NetBuilder, type NumberTable, type TransitionBuilder } from '../../../net/builder/builder.ts';
import type { NumberFields } from '../../../net/builder/builder-types.ts';
import type { Net } from '../../../net/net.ts';
import { add, and, constant, div, eq, floor, mul, not, type Term, when } from '../../../net/terms.ts';
import { isDetached } from '../../eager-threshold.ts';
import type { MessagePassingMachine } from '../../message-passing-parts.ts';
import { OP } from '../../operations.ts';
import type { Terms } from '../../transfers.ts';
import type { CollectiveRows } from '../resolve/collective-rows.ts';
import { BLOCKING } from '../resolve/collective-threads.ts';
import { portsOf, type Sizes, type Uses } from './ports.ts';
import { post, tokenOf } from './posting.ts';

interface RowTables {
  readonly op: NumberTable;
  readonly more: NumberTable;
  readonly pair: NumberTable;
  readonly tag: NumberTable;
  readonly request: NumberTable;
  readonly amount: NumberTable;
}

export interface Calls {
  readonly rows: CollectiveRows;
  /** By thread: number of the request that completes it. */
  readonly firstRequest: Int32Array;
  /** Tag numbers by lap; undefined if non-blocking calls are not numbered. */
  readonly lapTags: Int32Array | undefined;
  /** Contexts of the communicators with numbered calls. */
  readonly numbered: Iterable<number>;
}

/**
 * The module of collectives: one token per active call passes through the rows of its rank's part, sends and receives
 * accordingly, and completes the call's request.
 */
export function collectiveNet(sizes: Sizes, uses: Uses, calls: Calls, machine: MessagePassingMachine): Net {
  const { rows, firstRequest, lapTags, numbered } = calls;
  const n = new NetBuilder('collectives');
  const ports = portsOf(n, sizes, uses, machine);
  const { protocol } = machine;
  const table = (name: string, values: Int32Array): NumberTable => n.intTable(`row.${name}`, values);
  const row: RowTables = {
    op: table('op', rows.op.values()),
    more: table('more', rows.more.values()),
    pair: table('pair', rows.pair.values()),
    tag: table('tag', rows.tag.values()),
    request: table('request', rows.request.values()),
    amount: n.realTable('row.amount', Float64Array.from(rows.amount)),
  };
  const thread = n.intTable('thread', firstRequest);
  const { laps } = ports;
  const lapTag = lapTags === undefined ? undefined : n.intTable('lap.tag', lapTags);
  if (lapTag !== undefined)
    ports.calls([...numbered].flatMap((x) => Array.from({ length: sizes.ranks }, (_, rank) => ({ rank, x, l: 0 }))));
  const ops = new Set(rows.op.values());
  // Numbered calls release their sequence number before they complete.
  const over =
    lapTag === undefined
      ? undefined
      : n.place('collective over', { rank: ports.Rank, k: ports.Thread }, { kind: 'operation' });
  const blocked = n.place('collective blocked', ports.call as NumberFields, { kind: 'synchronisation' });
  type At = { rank: Term<number>; k: Term<number>; o: Term<number>; l?: Term<number> };

  const at = (t: TransitionBuilder, op: keyof typeof OP): At => {
    const token = t.take(ports.collective()) as At;
    t.guard(eq(row.op.at(token.o), OP[op]));
    t.process(token.rank);
    return token;
  };
  /** Overhead of a message on the rank's core. */
  const spend = (
    t: TransitionBuilder,
    kind: 'send' | 'receive',
    b: Term<number> | undefined,
    where?: () => Term<boolean>,
  ): void => {
    const o = machine.overhead;
    if (o === undefined || (o[kind] === 0 && o.perByte === 0)) return;
    const time = b === undefined || o.perByte === 0 ? constant(o[kind]) : add(o[kind], mul(b, o.perByte));
    t.delay(where === undefined ? time : when(where(), time, constant(0)));
  };
  /** Moves the call to its next row, or completes it. */
  const goOn = (t: TransitionBuilder, a: At, count: Term<boolean> | boolean = true): void => {
    const { rank, k, o } = a;
    const stays = eq(row.more.at(o), 1);
    const both = (a: Term<boolean>): Term<boolean> => (count === true ? a : and(count as Term<boolean>, a));
    t.put(ports.collective(), { ...a, o: when(stays, add(o, 1), o) }, both(stays));
    if (over === undefined) t.put(ports.completed(), done(rank, k), both(not(stays)));
    else t.put(over, { rank, k }, both(not(stays)));
  };
  const done = (rank: Term<number>, k: Term<number>): Terms => ({ rank, q: thread.at(k), ...ports.nothing });
  const tagOf = ({ o, l }: At): Term<number> => {
    const tag = row.tag.at(o);
    return lapTag === undefined ? tag : lapTag.at(add(mul(tag, laps), l!));
  };
  /** Request of a call's blocking sends and receives. */
  const blockedBy = ({ k }: At): Term<number> => add(thread.at(k), 1);
  const requestOf = ({ k, o }: At): Term<number> => add(add(thread.at(k), 2), row.request.at(o));

  if (over !== undefined) {
    const leaves = (name: string, body: (t: TransitionBuilder, rank: Term<number>, k: Term<number>) => void): void => {
      n.transition(`collective ${name}`, (t) => {
        const { rank, k } = t.take(over) as At;
        t.process(rank);
        body(t, rank, k);
        t.put(ports.completed(), done(rank, k));
      });
    };
    leaves('done', (t, _, k) => t.guard(eq(k, BLOCKING)));
    leaves('done beside', (t, rank, k) => t.take(ports.active(), { rank, k }));
  }
  if (ops.has(OP.send))
    n.transition('collective send', (t) => {
      const a = at(t, 'send');
      const b = floor(row.amount.at(a.o));
      post(t, ports, protocol, tokenOf(ports, { p: row.pair.at(a.o), t: tagOf(a), q: blockedBy(a), b }));
      const detached = isDetached(protocol, b);
      goOn(t, a, detached);
      t.put(blocked, a, not(detached));
      spend(t, 'send', b);
    });
  if (ops.has(OP.isend))
    n.transition('collective isend', (t) => {
      const a = at(t, 'isend');
      const b = floor(row.amount.at(a.o));
      post(t, ports, protocol, { p: row.pair.at(a.o), t: tagOf(a), q: requestOf(a), b });
      t.put(ports.completed(), { rank: a.rank, q: requestOf(a), ...ports.nothing }, isDetached(protocol, b));
      spend(t, 'send', b);
      goOn(t, a);
    });
  if (ops.has(OP.recv))
    n.transition('collective recv', (t) => {
      const a = at(t, 'recv');
      t.put(ports.receives(), { p: row.pair.at(a.o), t: tagOf(a), a: blockedBy(a) });
      t.put(blocked, a);
    });
  if (ops.has(OP.irecv))
    n.transition('collective irecv', (t) => {
      const a = at(t, 'irecv');
      t.put(ports.receives(), { p: row.pair.at(a.o), t: tagOf(a), a: requestOf(a) });
      goOn(t, a);
    });
  if (ops.has(OP.send) || ops.has(OP.recv))
    n.transition('collective goes on', (t) => {
      const a = t.take(blocked) as At;
      t.process(a.rank);
      const { b } = t.take(ports.completed(), { rank: a.rank, q: blockedBy(a) }) as Terms;
      spend(t, 'receive', b, () => eq(row.op.at(a.o), OP.recv));
      goOn(t, a);
    });
  if (ops.has(OP.wait))
    n.transition('collective wait', (t) => {
      const a = at(t, 'wait');
      const { b } = t.take(ports.completed(), { rank: a.rank, q: requestOf(a) }) as Terms;
      spend(t, 'receive', b, () => eq(row.amount.at(a.o), 1));
      goOn(t, a);
    });
  if (!ops.has(OP.compute)) return n.build();
  if (machine.cores === undefined)
    n.transition('collective compute', (t) => {
      const a = at(t, 'compute');
      t.kind('compute');
      t.delay(div(row.amount.at(a.o), ports.speed().at(a.rank)));
      goOn(t, a);
    });
  else {
    const runs = n.place('collective runs', ports.call as NumberFields, { kind: 'operation' });
    n.transition('collective compute', (t) => {
      const a = at(t, 'compute');
      t.kind('compute');
      t.put(ports.processor(), { rank: a.rank, k: a.k, w: floor(row.amount.at(a.o)) });
      t.put(runs, a);
    });
    n.transition('collective computed', (t) => {
      const a = t.take(runs) as At;
      t.process(a.rank);
      t.take(ports.processor(), { rank: a.rank, k: a.k });
      goOn(t, a);
    });
  }
  return n.build();
}
