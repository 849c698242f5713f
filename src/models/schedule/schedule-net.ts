import { NetBuilder, type TransitionBuilder } from '../../net/builder/builder.ts';
import { processorSharing } from '../../net/builder/stations.ts';
import type { Net } from '../../net/net.ts';
import { add, and, eq, gt, lt, mul, not, or, sub, type Term, when } from '../../net/terms.ts';
import { type Dependency, type LogGops, OPERATION, type Schedule } from '../../trace/goal/schedule.ts';

const NANOSECOND = 1e-9;

/** Priorities of steps at one instant: consequences first, then resources that are free again, then the next operations. */
const FIRST = { matching: 4, following: 3, resources: 2, looking: 1 } as const;

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
 * Of several that can start at one instant, the first in the queue starts. Each change of a rank renews its token in `ready`: then all
 * have been possible for the same time, and the ages of their tokens in the queue decide (S10).
 *
 * @complexity O(operations + dependencies) entries; about 25 transitions
 */
export function scheduleNet(schedule: Schedule, parameters: LogGops, name: string): Net {
  const { ranks, operations, dependencies } = schedule;
  const { L, o, g, G, O, S } = parameters;
  const count = Math.max(1, operations.length);
  const [cpus, nics] = [1 + greatest(operations, 'cpu'), 1 + greatest(operations, 'nic')];
  const n = new NetBuilder(name);
  const Rank = n.range('Rank', 0, ranks - 1);
  const Operation = n.range('Operation', 0, count - 1);
  const Kind = n.range('Kind', 0, MESSAGE);
  const Cpu = n.range('Cpu', 0, ranks * cpus - 1);
  const Nic = n.range('Nic', 0, ranks * nics - 1);
  const Source = n.range('Source', -1, ranks - 1);
  const Tag = n.range('Tag', -1, greatest(operations, 'tag'));
  const Edge = n.range('Edge', 0, dependencies.length);
  const Uses = n.integer('Uses');
  const Count = n.range('Count', 0, Math.max(dependencies.length, 2 * count));

  const ints = (of: string, high: number, value: (k: number) => number, low = 0) =>
    n.intTable(
      of,
      Int32Array.from({ length: count }, (_, k) => (k < operations.length ? value(k) : 0)),
      { low, high },
    );
  const at = (k: number): Schedule['operations'][number] => operations[k]!;
  const rank = ints('rank', ranks - 1, (k) => at(k).rank);
  const kinds = ints('kind', OPERATION.calc, (k) => at(k).kind);
  const peer = ints('peer', ranks - 1, (k) => at(k).peer, -1);
  const tag = ints('tag', 2 ** 31 - 1, (k) => at(k).tag, -1);
  const cpuOf = (k: number): number => at(k).rank * cpus + at(k).cpu;
  const cpu = ints('cpu', ranks * cpus - 1, cpuOf);
  const nic = ints('nic', ranks * nics - 1, (k) => at(k).rank * nics + at(k).nic);
  const farCpu = ints('farCpu', ranks * cpus - 1, (k) => Math.max(0, at(k).peer) * cpus + at(k).cpu);
  const farNic = ints('farNic', ranks * nics - 1, (k) => Math.max(0, at(k).peer) * nics + at(k).nic);
  const eager = ints('eager', 1, (k) => (at(k).size <= S ? 1 : 0));
  const rankOfCpu = n.intTable(
    'rankOfCpu',
    Int32Array.from({ length: ranks * cpus }, (_, k) => Math.floor(k / cpus)),
    { low: 0, high: ranks - 1 },
  );
  const rankOfNic = n.intTable(
    'rankOfNic',
    Int32Array.from({ length: ranks * nics }, (_, k) => Math.floor(k / nics)),
    { low: 0, high: ranks - 1 },
  );
  const times = (of: string, value: (size: number) => number) =>
    n.realTable(
      of,
      Float64Array.from({ length: count }, (_, k) => (k < operations.length ? Math.max(0, value(at(k).size)) : 0)),
    );
  const calcTime = times('time', (size) => size);
  const sendTime = times('sendTime', (size) => o + (size - 1) * O);
  const receiveTime = times('receiveTime', (size) => o + Math.max((size - 1) * O, (size - 1) * G));
  const gapTime = times('gapTime', (size) => g + (size - 1) * G);
  const sameCpu = ({ from, to }: Dependency): boolean => at(from).cpu === at(to).cpu;
  const isOf = {
    ended: (one: Dependency) => !one.started && sameCpu(one),
    started: (one: Dependency) => one.started,
    finished: (one: Dependency) => !one.started && !sameCpu(one),
  };
  const edges = EDGES.map((word) => {
    const own = dependencies.filter(isOf[word]);
    const first = new Int32Array(count + 1);
    for (const { from } of own) first[from + 1]!++;
    for (let k = 0; k < count; k++) first[k + 1]! += first[k]!;
    return {
      first: n.intTable(`${word}First`, first, { low: 0, high: dependencies.length }),
      to: n.intTable(`${word}To`, own.length === 0 ? Int32Array.of(0) : Int32Array.from(own, ({ to }) => to), {
        low: 0,
        high: count - 1,
      }),
    };
  });

  const before = new Int32Array(count);
  for (const { to } of dependencies) before[to]!++;
  const free = operations.flatMap(({ kind }, k) => (before[k] === 0 ? [{ k: kind, o: k }] : []));
  const queue = n.place('a queue', { k: Kind, o: Operation }, { kind: 'operation', initial: free });
  /** Receives in the queue. Each is posted when use number u of its CPU has ended. */
  const posting = n.place(
    'posting',
    { o: Operation, c: Cpu, u: Uses },
    {
      kind: 'operation',
      initial: operations.flatMap(({ kind }, k) =>
        before[k] === 0 && kind === OPERATION.recv ? [{ o: k, c: cpuOf(k), u: 0 }] : [],
      ),
    },
  );
  const required = n.place(
    'required',
    { o: Operation, n: Count },
    {
      kind: 'operation',
      initial: operations.flatMap((_, k) => (before[k]! > 0 ? [{ o: k, n: before[k]! }] : [])),
    },
  );
  const satisfied = n.place('satisfied', { o: Operation }, { kind: 'operation' });
  const following = edges.map((_, k) => n.place(`${EDGES[k]} edges`, { e: Edge, end: Edge }, { kind: 'operation' }));
  const ready = n.place(
    'ready',
    { r: Rank },
    { kind: 'resource', initial: Array.from({ length: ranks }, (_, r) => ({ r })) },
  );
  const changed = n.place('changed', { r: Rank }, { kind: 'resource' });
  const idle = n.place(
    'cpu',
    { c: Cpu },
    { kind: 'resource', initial: Array.from({ length: ranks * cpus }, (_, c) => ({ c })) },
  );
  const freed = n.place('cpu freed', { c: Cpu }, { kind: 'resource' });
  const taken = n.place('cpu taken', { c: Cpu }, { kind: 'resource' });
  const unused = Array.from({ length: ranks * cpus }, (_, c) => ({ c, u: 0 }));
  /** How often a CPU has been taken. */
  const uses = n.place('cpu uses', { c: Cpu, u: Uses }, { kind: 'resource', initial: unused });
  /** Uses that have ended, until the end of the instant at which the next one begins. */
  const used = n.place('cpu used', { c: Cpu, u: Uses }, { kind: 'resource', initial: unused });
  const sides = (['send', 'receive'] as const).map((side) => {
    const all = Array.from({ length: ranks * nics }, (_, c) => ({ c }));
    const free = n.place(`${side} interface`, { c: Nic }, { kind: 'resource', initial: all });
    const busy = n.place(`${side} interface busy`, { c: Nic, o: Operation }, { kind: 'resource' });
    const again = n.place(`${side} interface freed`, { c: Nic }, { kind: 'resource' });
    n.transition(`${side} interface rests`, (t) => {
      const { c, o } = t.take(busy);
      t.delay(mul(gapTime.at(o), NANOSECOND));
      t.put(again, { c });
    });
    n.transition(`${side} interface is free`, (t) => {
      const { c } = t.take(again);
      t.priority(FIRST.resources);
      t.put(free, { c });
      t.put(changed, { r: rankOfNic.at(c) });
    });
    return { free, busy };
  });
  const [sending, receiving] = sides as [(typeof sides)[0], (typeof sides)[0]];
  const computing = n.place('computing', { c: Cpu, o: Operation }, { kind: 'operation' });
  const overhead = n.place('overhead', { c: Cpu, r: Rank, o: Operation, m: Kind }, { kind: 'operation' });
  // Nanoseconds are no binary fractions: with this service, times that differ by rounding only are simultaneous (S12).
  const network = n.place(
    'network',
    { o: Operation },
    {
      kind: 'message',
      service: () => processorSharing({ servers: 2 * count, time: (o + L) * NANOSECOND }),
    },
  );
  const landed = n.place('landed', { o: Operation }, { kind: 'message' });
  const came = n.place(
    'came',
    { d: Rank, s: Rank, t: Tag, o: Operation },
    { kind: 'message', order: { fifo: ['d', 's', 't'] } },
  );
  const posted = n.place(
    'posted',
    { d: Rank, s: Source, t: Tag, o: Operation },
    { kind: 'message', order: { fifo: ['d', 's', 't'] } },
  );
  /** Of a message, and of a send that waits for its receive: one of two tokens, after its time and after its match. */
  const held = n.place('held', { m: Kind, o: Operation }, { kind: 'operation' });
  const matched = n.place('matched', { m: Kind, o: Operation, p: Operation }, { kind: 'operation' });
  const ends = n.place('ends', { r: Rank }, { kind: 'operation' });
  const own = new Int32Array(ranks);
  for (const { rank: r } of operations) own[r]!++;
  const left = n.place(
    'left',
    { r: Rank, n: Count },
    {
      kind: 'operation',
      initial: Array.from(own, (k, r) => ({ r, n: k })).filter(({ n: k }) => k > 0),
    },
  );
  const ended = n.place(
    'ended',
    { r: Rank },
    {
      kind: 'operation',
      initial: Array.from(own, (k, r) => ({ r, k })).flatMap(({ r, k }) => (k === 0 ? [{ r }] : [])),
    },
  );
  n.processes(Rank, ended);

  const follow = (t: TransitionBuilder, which: 0 | 1 | 2, op: Term<number>, condition?: Term<boolean>): void => {
    const { first } = edges[which]!;
    const has = lt(first.at(op), first.at(add(op, 1)));
    t.put(
      following[which]!,
      { e: first.at(op), end: first.at(add(op, 1)) },
      condition === undefined ? has : and(has, condition),
    );
  };
  const takeCpu = (t: TransitionBuilder, c: Term<number>): void => {
    t.take(idle, { c });
    t.put(taken, { c });
    const { u } = t.take(uses, { c });
    t.put(uses, { c, u: add(u, 1) });
  };
  const takeNext = (t: TransitionBuilder, kind: number): Term<number> => {
    const { o: op } = t.take(queue, { k: kind });
    t.process(kind === MESSAGE ? peer.at(op) : rank.at(op));
    return op;
  };
  n.transition('calc', (t) => {
    const op = takeNext(t, OPERATION.calc);
    t.read(ready, { r: rank.at(op) });
    takeCpu(t, cpu.at(op));
    t.put(computing, { c: cpu.at(op), o: op });
    follow(t, 1, op);
    follow(t, 0, op);
  });
  n.transition('calculate', (t) => {
    const { c, o: op } = t.take(computing);
    t.process(rank.at(op));
    t.kind('compute');
    t.delay(mul(calcTime.at(op), NANOSECOND));
    t.put(freed, { c });
    follow(t, 2, op);
    t.put(ends, { r: rank.at(op) });
  });
  n.transition('send', (t) => {
    const op = takeNext(t, OPERATION.send);
    t.read(ready, { r: rank.at(op) });
    takeCpu(t, cpu.at(op));
    t.take(sending.free, { c: nic.at(op) });
    t.put(overhead, { c: cpu.at(op), r: rank.at(op), o: op, m: OPERATION.send });
    t.put(sending.busy, { c: nic.at(op), o: op });
    t.put(network, { o: op });
    t.put(queue, { k: MESSAGE, o: op });
    follow(t, 1, op);
    follow(t, 0, op, eq(eager.at(op), 1));
  });
  n.transition('message lands', (t) => {
    const { o: op } = t.take(network);
    t.priority(FIRST.following);
    t.put(landed, { o: op });
    t.put(changed, { r: peer.at(op) });
  });
  n.transition('message', (t) => {
    const op = takeNext(t, MESSAGE);
    t.read(ready, { r: peer.at(op) });
    t.take(landed, { o: op });
    takeCpu(t, farCpu.at(op));
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
    follow(t, 2, op, not(waits));
  });
  n.transition('post', (t) => {
    const op = takeNext(t, OPERATION.recv);
    t.read(ready, { r: rank.at(op) });
    const { c, u } = t.take(posting, { o: op });
    t.read(used, { c, u });
    t.put(posted, { d: rank.at(op), s: peer.at(op), t: tag.at(op), o: op });
    follow(t, 1, op);
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
    follow(t, 0, receive.o);
    follow(t, 0, op, eq(eager.at(op), 0));
  });
  n.transition('matched and held', (t) => {
    const { m, o: op, p } = t.take(matched);
    t.take(held, { m, o: op });
    t.priority(FIRST.following);
    follow(t, 2, p);
    t.put(ends, { r: peer.at(op) }, eq(m, MESSAGE));
    t.put(ends, { r: rank.at(op) }, lt(m, MESSAGE));
  });
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
  n.transition('end', (t) => {
    const { r } = t.take(ends);
    const { n: k } = t.take(left, { r });
    t.priority(FIRST.following);
    t.put(left, { r, n: sub(k, 1) }, gt(k, 1));
    t.put(ended, { r }, eq(k, 1));
  });
  return n.build();
}

/** The greatest number of a kind, at least 0. Millions of operations are too many for the arguments of a function. */
const greatest = (operations: Schedule['operations'], part: 'cpu' | 'nic' | 'tag'): number =>
  operations.reduce((most, operation) => Math.max(most, operation[part]), 0);

/** Dependencies of the same CPU, on the start of an operation, and of another CPU. */
const EDGES = ['ended', 'started', 'finished'] as const;

/** The kind of a message in `queue`, behind those of operations. */
const MESSAGE = 3;
