import { NetBuilder, type TransitionBuilder } from '../../net/builder/builder.ts';
import type { Net } from '../../net/net.ts';
import { add, and, eq, gt, lt, mul, not, or, sub, type Term, when } from '../../net/terms.ts';
import { type LogGops, OPERATION, type Schedule } from '../../trace/goal/schedule.ts';
import { NANOSECOND, type SchedulePlaces, schedulePlaces } from './schedule-places.ts';
import { EDGES, MESSAGE, type ScheduleTables, scheduleTables } from './schedule-tables.ts';

/** Priorities of steps at one instant: consequences first, then resources that are free again, then the next operations. */
const FIRST = { matching: 4, following: 3, resources: 2, looking: 1 } as const;

/** The net so far. */
interface Parts {
  readonly n: NetBuilder;
  readonly tables: ScheduleTables;
  readonly places: SchedulePlaces;
}

/**
 * The net of a schedule under LogGOPS (Hoefler, Schneider & Lumsdaine, LSAP 2010), as LogGOPSim computes it, folded by operation.
 *
 * - `queue` holds what waits for a CPU, in the order in which it was made: operations whose dependencies are satisfied, and messages.
 * - A send takes its CPU for o + (s − 1) O and its network interface for g + (s − 1) G; the message comes o + L after its start.
 * - A message takes a CPU and an interface of the receiver, with the numbers of the send, for o + max((s − 1) O, (s − 1) G) and
 *   g + (s − 1) G, whether or not its receive has been posted.
 * - A receive takes no CPU. It is posted in its turn when its CPU is free for the first time, even if another operation takes it then.
 * - Operations that require a calc, or a send of at most S bytes, enter the queue when it starts if they have the same CPU, which makes them
 *   wait for its time; those of another CPU enter when it has ended. LogGOPSim lets these start at any time when their CPU is free, also in
 *   the past. A larger send has ended when its message is matched, and a receive when it is matched; for other CPUs after the overhead.
 *
 * If several can start at one instant, the first in the queue starts. Each change of a rank renews its token in `ready`: then all
 * have been possible for the same time, and the ages of their tokens in the queue decide (S10).
 *
 * @complexity O(operations + dependencies) entries; about 25 transitions
 */
export function scheduleNet(schedule: Schedule, parameters: LogGops, name: string): Net {
  const n = new NetBuilder(name);
  const tables = scheduleTables(n, schedule, parameters);
  const places = schedulePlaces(n, schedule, parameters, tables);
  n.processes(tables.Rank, places.ended);
  const parts: Parts = { n, tables, places };
  interfaces(parts);
  operations(parts);
  messages(parts);
  receives(parts);
  dependencies(parts);
  resources(parts);
  rankEnds(parts);
  return n.build();
}

/** Network interfaces rest after each message. */
function interfaces(parts: Parts): void {
  const { n, tables, places } = parts;
  for (const [side, { free, busy, freed }] of [
    ['send', places.sending],
    ['receive', places.receiving],
  ] as const) {
    n.transition(`${side} interface rests`, (t) => {
      const { c, o } = t.take(busy);
      t.delay(mul(tables.gapTime.at(o), NANOSECOND));
      t.put(freed, { c });
    });
    n.transition(`${side} interface is free`, (t) => {
      const { c } = t.take(freed);
      t.priority(FIRST.resources);
      t.put(free, { c });
      t.put(places.changed, { r: tables.rankOfNic.at(c) });
    });
  }
}

/** Calcs and sends take a CPU. */
function operations(parts: Parts): void {
  const { n } = parts;
  const { rank, cpu, nic, eager, calcTime } = parts.tables;
  const { queue, ready, freed, sending, computing, overhead, network, ends } = parts.places;
  n.transition('calc', (t) => {
    const op = takeNext(parts, t, OPERATION.calc);
    t.read(ready, { r: rank.at(op) });
    takeCpu(parts, t, cpu.at(op));
    t.put(computing, { c: cpu.at(op), r: rank.at(op), o: op });
    follow(parts, t, 1, op);
    follow(parts, t, 0, op);
  });
  n.transition('calculate', (t) => {
    const { c, r, o: op } = t.take(computing);
    t.process(r);
    t.kind('compute');
    t.delay(mul(calcTime.at(op), NANOSECOND));
    t.put(freed, { c });
    follow(parts, t, 2, op);
    t.put(ends, { r });
  });
  n.transition('send', (t) => {
    const op = takeNext(parts, t, OPERATION.send);
    t.read(ready, { r: rank.at(op) });
    takeCpu(parts, t, cpu.at(op));
    t.take(sending.free, { c: nic.at(op) });
    t.put(overhead, { c: cpu.at(op), r: rank.at(op), o: op, m: OPERATION.send });
    t.put(sending.busy, { c: nic.at(op), o: op });
    t.put(network, { o: op });
    t.put(queue, { k: MESSAGE, o: op });
    follow(parts, t, 1, op);
    follow(parts, t, 0, op, eq(eager.at(op), 1));
  });
}

/** Messages take a CPU of their receiver; both sides end after the overhead. */
function messages(parts: Parts): void {
  const { n } = parts;
  const { rank, peer, tag, farCpu, farNic, eager, sendTime, receiveTime } = parts.tables;
  const { ready, changed, freed, receiving, overhead, network, landed, came, held, ends } = parts.places;
  n.transition('message lands', (t) => {
    const { o: op } = t.take(network);
    t.priority(FIRST.following);
    t.put(landed, { o: op });
    t.put(changed, { r: peer.at(op) });
  });
  n.transition('message', (t) => {
    const op = takeNext(parts, t, MESSAGE);
    t.read(ready, { r: peer.at(op) });
    t.take(landed, { o: op });
    takeCpu(parts, t, farCpu.at(op));
    t.take(receiving.free, { c: farNic.at(op) });
    t.put(overhead, { c: farCpu.at(op), r: peer.at(op), o: op, m: MESSAGE });
    t.put(receiving.busy, { c: farNic.at(op), o: op });
    t.put(came, { d: peer.at(op), s: rank.at(op), t: tag.at(op), o: op });
  });
  n.transition('take overhead', (t) => {
    const { c, r, o: op, m } = t.take(overhead);
    t.process(r);
    t.delay(mul(when(eq(m, MESSAGE), receiveTime.at(op), sendTime.at(op)), NANOSECOND));
    t.put(freed, { c });
    // A message counts for its receive, a large send when it is matched.
    const waits = or(eq(m, MESSAGE), eq(eager.at(op), 0));
    t.put(held, { m, o: op }, waits);
    t.put(ends, { r }, not(waits));
    follow(parts, t, 2, op, not(waits));
  });
}

/** Receives are posted, and match messages in the order of both. */
function receives(parts: Parts): void {
  const { n } = parts;
  const { rank, peer, tag, eager } = parts.tables;
  const { posting, ready, used, came, posted, held, matched, ends } = parts.places;
  n.transition('post', (t) => {
    const op = takeNext(parts, t, OPERATION.recv);
    t.read(ready, { r: rank.at(op) });
    const { c, u } = t.take(posting, { o: op });
    t.read(used, { c, u });
    t.put(posted, { d: rank.at(op), s: peer.at(op), t: tag.at(op), o: op });
    follow(parts, t, 1, op);
  });
  n.transition('match', (t) => {
    const { d, s, t: of, o: op } = t.take(came);
    const receive = t.take(posted, { d });
    t.priority(FIRST.matching);
    t.process(d);
    t.guard(or(eq(receive.s, -1), eq(receive.s, s)));
    t.guard(or(eq(receive.t, -1), eq(receive.t, of)));
    t.put(matched, { m: MESSAGE, o: op, p: receive.o });
    t.put(matched, { m: OPERATION.send, o: op, p: op }, eq(eager.at(op), 0));
    follow(parts, t, 0, receive.o);
    follow(parts, t, 0, op, eq(eager.at(op), 0));
  });
  n.transition('matched and held', (t) => {
    const { m, o: op, p } = t.take(matched);
    t.take(held, { m, o: op });
    t.priority(FIRST.following);
    follow(parts, t, 2, p);
    t.put(ends, { r: peer.at(op) }, eq(m, MESSAGE));
    t.put(ends, { r: rank.at(op) }, lt(m, MESSAGE));
  });
}

/** Operations enter the queue when all they require has happened. */
function dependencies(parts: Parts): void {
  const { n } = parts;
  const { rank, kinds, cpu, edges } = parts.tables;
  const { queue, posting, required, satisfied, following, changed, uses } = parts.places;
  for (const which of [0, 1, 2] as const)
    n.transition(`satisfy ${EDGES[which]}`, (t) => {
      const { e, end } = t.take(following[which]!);
      t.priority(FIRST.following);
      t.put(satisfied, { o: edges[which]!.to.at(e) });
      t.put(following[which]!, { e: add(e, 1), end }, lt(add(e, 1), end));
    });
  n.transition('require', (t) => {
    const { o: op } = t.take(satisfied);
    const { n: k } = t.take(required, { o: op });
    t.priority(FIRST.following);
    t.put(required, { o: op, n: sub(k, 1) }, gt(k, 1));
    const last = eq(k, 1);
    const kindOf = kinds.at(op);
    t.put(queue, { k: kindOf, o: op }, last);
    const { c, u } = t.read(uses, { c: cpu.at(op) });
    t.put(posting, { o: op, c, u }, and(last, eq(kindOf, OPERATION.recv)));
    t.put(changed, { r: rank.at(op) }, last);
  });
}

/** CPUs that are free again. A rank in which something has changed looks for its next operation. */
function resources(parts: Parts): void {
  const { n } = parts;
  const { rankOfCpu } = parts.tables;
  const { ready, changed, idle, freed, taken, uses, used } = parts.places;
  n.transition('cpu is free', (t) => {
    const { c } = t.take(freed);
    t.take(taken, { c });
    const { u } = t.read(uses, { c });
    t.priority(FIRST.resources);
    t.put(idle, { c });
    t.put(used, { c, u });
    t.put(changed, { r: rankOfCpu.at(c) });
  });
  // Receives that came before this use of the CPU have been posted.
  n.transition('forget use', (t) => {
    const { c } = t.take(used);
    t.read(taken, { c });
    t.priority(-1);
  });
  n.transition('look again', (t) => {
    const { r } = t.take(changed);
    t.take(ready, { r });
    t.priority(FIRST.looking);
    t.put(ready, { r });
  });
}

/** A rank has ended with its last operation. */
function rankEnds(parts: Parts): void {
  const { n } = parts;

  const { ends, left, ended } = parts.places;
  n.transition('end', (t) => {
    const { r } = t.take(ends);
    const { n: k } = t.take(left, { r });
    t.priority(FIRST.following);
    t.put(left, { r, n: sub(k, 1) }, gt(k, 1));
    t.put(ended, { r }, eq(k, 1));
  });
}

/** Lets those follow that have a dependency of a kind on an operation. */
function follow(
  { tables, places }: Parts,
  t: TransitionBuilder,
  which: 0 | 1 | 2,
  op: Term<number>,
  condition?: Term<boolean>,
): void {
  const { first } = tables.edges[which]!;
  const has = lt(first.at(op), first.at(add(op, 1)));
  t.put(
    places.following[which]!,
    { e: first.at(op), end: first.at(add(op, 1)) },
    condition === undefined ? has : and(has, condition),
  );
}

function takeCpu({ places: { idle, taken, uses } }: Parts, t: TransitionBuilder, c: Term<number>): void {
  t.take(idle, { c });
  t.put(taken, { c });
  const { u } = t.take(uses, { c });
  t.put(uses, { c, u: add(u, 1) });
}

/** Takes an operation, or a message, of a kind from the queue. */
function takeNext({ tables, places }: Parts, t: TransitionBuilder, kind: number): Term<number> {
  const { o: op } = t.take(places.queue, { k: kind });
  t.process(kind === MESSAGE ? tables.peer.at(op) : tables.rank.at(op));
  return op;
}
