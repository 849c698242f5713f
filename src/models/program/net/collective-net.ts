import { NetBuilder, type NumberTable, type TransitionBuilder } from '../../../net/builder/builder.ts';
import type { NumberFields } from '../../../net/builder/builder-types.ts';
import type { Net } from '../../../net/net.ts';
import { add, and, constant, div, eq, floor, lt, mul, not, type Term, when } from '../../../net/terms.ts';
import { isDetached } from '../../eager-threshold.ts';
import type { MessagePassingMachine } from '../../message-passing-parts.ts';
import { OP } from '../../operations.ts';
import type { Terms } from '../../transfers.ts';
import type { CollectiveRows } from '../resolve/collective-rows.ts';
import { BLOCKING } from '../resolve/collective-threads.ts';
import { type Ports, portsOf, type Sizes, type Uses } from './ports.ts';
import { post, tokenOf } from './posting.ts';

export interface Calls {
  readonly rows: CollectiveRows;
  /** By thread: number of the request that completes it. */
  readonly firstRequest: Int32Array;
  /** Tag numbers by lap; undefined if non-blocking calls are not numbered. */
  readonly lapTags: Int32Array | undefined;
  /** Contexts of the communicators with numbered calls. */
  readonly numbered: Iterable<number>;
}

/** An active call: its rank, thread, row, and its sequence number if calls are numbered. */
type At = { rank: Term<number>; k: Term<number>; o: Term<number>; l?: Term<number> };

/**
 * The module of collectives: one token per active call passes through the rows of its rank's part, sends and receives
 * accordingly, and completes the call's request.
 */
export function collectiveNet(sizes: Sizes, uses: Uses, calls: Calls, machine: MessagePassingMachine): Net {
  const n = new NetBuilder('collectives');
  const ports = portsOf(n, sizes, uses, machine);
  const steps = callSteps(n, ports, calls, sizes.ranks, sizes.requests);
  const ops = new Set(calls.rows.op.finish());
  if (steps.over !== undefined) addEnds(n, ports, steps, steps.over);
  addMessages(n, ports, steps, ops, machine);
  if (ops.has(OP.compute)) addComputation(n, ports, steps, machine.cores !== undefined || machine.separate === true);
  return n.build();
}

type CallSteps = ReturnType<typeof callSteps>;

/** Adds the tables of the rows, and the places of calls that do not proceed; gives the steps of a call. */
function callSteps(
  n: NetBuilder,
  ports: Ports,
  { rows, firstRequest, lapTags, numbered }: Calls,
  ranks: number,
  requests: number,
) {
  const table = (name: string, values: Int32Array): NumberTable => n.intTable(`row.${name}`, values);
  const row = {
    op: table('op', rows.op.finish()),
    more: table('more', rows.more.finish()),
    pair: table('pair', rows.pair.finish()),
    tag: table('tag', rows.tag.finish()),
    request: table('request', rows.request.finish()),
    amount: n.realTable('row.amount', rows.amount.finish()),
  };
  const thread = n.intTable('thread', firstRequest);
  // The order in which requests complete counts only if receivers spend time on them.
  const billed = ports.times?.().receives === true && rows.group.finish().includes(1);
  const group = billed ? table('group', rows.group.finish()) : undefined;
  const threadEnd = billed
    ? n.intTable(
        'thread end',
        firstRequest.map((_, k) => firstRequest[k + 1] ?? requests),
      )
    : undefined;
  const lapTag = lapTags === undefined ? undefined : n.intTable('lap.tag', lapTags);
  if (lapTag !== undefined)
    ports.calls([...numbered].flatMap((x) => Array.from({ length: ranks }, (_, rank) => ({ rank, x, l: 0 }))));
  // Numbered calls release their sequence number before they complete.
  const over =
    lapTag === undefined
      ? undefined
      : n.place('collective over', { rank: ports.Rank, k: ports.Thread }, { kind: 'operation' });
  const blocked = n.place('collective blocked', ports.call as NumberFields, { kind: 'synchronisation' });
  const done = (rank: Term<number>, k: Term<number>): Terms => ({ rank, q: thread.at(k), ...ports.nothing });
  return {
    row,
    over,
    blocked,
    /** The completed request of a call. */
    done,
    /** Takes a call whose row has an operation. */
    takeAt: (t: TransitionBuilder, op: keyof typeof OP): At => {
      const token = t.take(ports.collective()) as At;
      t.guard(eq(row.op.at(token.o), OP[op]));
      t.process(token.rank);
      return token;
    },
    /** Moves the call to its next row, or completes it. */
    goOn: (t: TransitionBuilder, a: At, count: Term<boolean> | boolean = true): void => {
      const { rank, k, o } = a;
      const stays = eq(row.more.at(o), 1);
      const both = (a: Term<boolean>): Term<boolean> => (count === true ? a : and(count as Term<boolean>, a));
      t.put(ports.collective(), { ...a, o: when(stays, add(o, 1), o) }, both(stays));
      if (over === undefined) t.put(ports.completed(), done(rank, k), both(not(stays)));
      else t.put(over, { rank, k }, both(not(stays)));
    },
    tagOf: ({ o, l }: At): Term<number> => {
      const tag = row.tag.at(o);
      return lapTag === undefined ? tag : lapTag.at(add(mul(tag, ports.laps), l!));
    },
    /** Request of a call's blocking sends and receives. */
    blockedBy: ({ k }: At): Term<number> => add(thread.at(k), 1),
    requestOf: ({ k, o }: At): Term<number> => add(add(thread.at(k), 2), row.request.at(o)),
    /** The lowest request of a call's own ones, and the first number after them. */
    ownRequests: ({ k }: At): readonly [Term<number>, Term<number>] => [add(thread.at(k), 2), threadEnd!.at(k)],
    group,
  };
}

/** Adds the ends of numbered calls. */
function addEnds(n: NetBuilder, ports: Ports, { done }: CallSteps, over: NonNullable<CallSteps['over']>): void {
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

/** Adds the sends and receives of calls. */
function addMessages(
  n: NetBuilder,
  ports: Ports,
  { row, group, blocked, takeAt, goOn, tagOf, blockedBy, requestOf, ownRequests }: CallSteps,
  ops: ReadonlySet<number>,
  { protocol, overhead }: MessagePassingMachine,
): void {
  /** Overhead of a message on the rank's core. */
  const spend = (
    t: TransitionBuilder,
    { rank }: At,
    call: 'send' | 'isend' | 'receive',
    b: Term<number> | undefined,
    where?: () => Term<boolean>,
  ): void => {
    const times = ports.times?.();
    if (times !== undefined) {
      if (call === 'receive' ? !times.receives : !times.sends) return;
      t.delay(call === 'receive' ? times.receive(rank, b!) : times.send(rank, b!, call === 'isend', undefined));
      return;
    }
    const kind = call === 'receive' ? 'receive' : 'send';
    const o = overhead;
    if (o === undefined || (o[kind] === 0 && o.perByte === 0)) return;
    const time = b === undefined || o.perByte === 0 ? constant(o[kind]) : add(o[kind], mul(b, o.perByte));
    t.delay(where === undefined ? time : when(where(), time, constant(0)));
  };
  if (ops.has(OP.send))
    n.transition('collective send', (t) => {
      const a = takeAt(t, 'send');
      const b = floor(row.amount.at(a.o));
      post(t, ports, protocol, tokenOf(ports, { p: row.pair.at(a.o), t: tagOf(a), q: blockedBy(a), b }));
      const detached = isDetached(protocol, b);
      goOn(t, a, detached);
      t.put(blocked, a, not(detached));
      spend(t, a, 'send', b);
    });
  if (ops.has(OP.isend))
    n.transition('collective isend', (t) => {
      const a = takeAt(t, 'isend');
      const b = floor(row.amount.at(a.o));
      post(t, ports, protocol, { p: row.pair.at(a.o), t: tagOf(a), q: requestOf(a), b });
      t.put(ports.completed(), { rank: a.rank, q: requestOf(a), ...ports.nothing }, isDetached(protocol, b));
      spend(t, a, 'isend', b);
      goOn(t, a);
    });
  if (ops.has(OP.recv))
    n.transition('collective recv', (t) => {
      const a = takeAt(t, 'recv');
      t.put(ports.receives(), { p: row.pair.at(a.o), t: tagOf(a), a: blockedBy(a) });
      t.put(blocked, a);
    });
  if (ops.has(OP.irecv))
    n.transition('collective irecv', (t) => {
      const a = takeAt(t, 'irecv');
      t.put(ports.receives(), { p: row.pair.at(a.o), t: tagOf(a), a: requestOf(a) });
      goOn(t, a);
    });
  if (ops.has(OP.send) || ops.has(OP.recv))
    n.transition('collective goes on', (t) => {
      const a = t.take(blocked) as At;
      t.process(a.rank);
      const { b } = t.take(ports.completed(), { rank: a.rank, q: blockedBy(a) }) as Terms;
      spend(t, a, 'receive', b, () => eq(row.op.at(a.o), OP.recv));
      goOn(t, a);
    });
  if (ops.has(OP.wait))
    n.transition('collective wait', (t) => {
      const a = takeAt(t, 'wait');
      if (group !== undefined) t.guard(eq(group.at(a.o), 0));
      const { b } = t.take(ports.completed(), { rank: a.rank, q: requestOf(a) }) as Terms;
      spend(t, a, 'receive', b, () => eq(row.amount.at(a.o), 1));
      goOn(t, a);
    });
  if (group !== undefined)
    n.transition('collective wait for any', (t) => {
      const a = takeAt(t, 'wait');
      t.guard(eq(group.at(a.o), 1));
      const { q, b } = t.take(ports.completed(), { rank: a.rank }) as Terms;
      t.guard(and(not(lt(q!, ownRequests(a)[0])), lt(q!, ownRequests(a)[1])));
      spend(t, a, 'receive', b);
      goOn(t, a);
    });
}

/** Adds the computations of calls, on exclusive or shared cores. */
function addComputation(n: NetBuilder, ports: Ports, { row, takeAt, goOn }: CallSteps, shared: boolean): void {
  if (!shared)
    n.transition('collective compute', (t) => {
      const a = takeAt(t, 'compute');
      t.kind('compute');
      t.delay(div(row.amount.at(a.o), ports.speed().at(a.rank)));
      goOn(t, a);
    });
  else {
    const runs = n.place('collective runs', ports.call as NumberFields, { kind: 'operation' });
    n.transition('collective compute', (t) => {
      const a = takeAt(t, 'compute');
      t.kind('compute');
      t.put(ports.processor().asked, { rank: a.rank, k: a.k, w: floor(row.amount.at(a.o)) });
      t.put(runs, a);
    });
    n.transition('collective computed', (t) => {
      const a = t.take(runs) as At;
      t.process(a.rank);
      t.take(ports.processor().served, { rank: a.rank, k: a.k });
      goOn(t, a);
    });
  }
}
