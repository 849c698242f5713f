import type { TransitionBuilder } from '../../../../net/builder/builder.ts';
import { add, eq, ge, lt, not, sub, type Term } from '../../../../net/terms.ts';
import { ABSENCE, absencesIn, ROW } from '../../program/rows.ts';
import { coreLinks } from '../core-links.ts';
import {
  type JoinPlace,
  type ObjectPlace,
  putRun,
  type RunTerms,
  type Scheduler,
  type ThreadPorts,
  takeRun,
} from '../ports.ts';
import { emitRanges } from '../ranges.ts';
import { emitMemory, emitReuse } from './data.ts';
import { emitOuter, type RowOf } from './outer.ts';

/**
 * Rows that one strand executes without others: computing, memory, sleep, tests and jumps; and those that make and end
 * strands: open, spawn, meet, sync, end; and chunks of loops.
 */
export function emitExecution(ports: ThreadPorts, scheduler: Scheduler, objects: ObjectPlace): void {
  const { net, op, a, b, time, machine, program } = ports;
  const { costs } = machine;
  const used = new Set(program.rows.op);
  /** A transition of a running strand at rows of one operation. */
  const row = (
    name: string,
    kind: number,
    body: (t: TransitionBuilder, run: RunTerms & { readonly next: Term<number> }) => void,
  ): void => {
    if (!used.has(kind)) return;
    net.transition(name, (t) => {
      const run = takeRun(t, ports);
      t.guard(eq(op.at(run.at), kind));
      body(t, run);
    });
  };
  const after = (t: TransitionBuilder, seconds: number): void => {
    if (seconds > 0) t.delay(seconds);
  };

  emitComputing(ports, row);
  if (ports.processors !== undefined && used.has(ROW.sleep)) emitLeavingSleep(ports, row);
  else if (scheduler.callSystem === undefined)
    row('sleeps', ROW.sleep, (t, run) => {
      t.delay(time.at(run.at));
      putRun(t, ports, run, run.next);
    });
  else
    for (const reason of absencesIn(program))
      row(reason === 'call' ? 'enters a system call' : 'enters a memory wait', ROW.sleep, (t, run) => {
        if (absencesIn(program).length > 1) t.guard(eq(a.at(run.at), ABSENCE[reason]));
        scheduler.callSystem?.(t, run, reason);
      });
  row('region', ROW.region, (t, run) => putRun(t, ports, run, run.next));
  row('jumps', ROW.jump, (t, run) => putRun(t, ports, run, b.at(run.at)));
  if (used.has(ROW.test))
    for (const holds of [true, false])
      row(holds ? 'test holds' : 'test fails', ROW.test, (t, run) => {
        const { v } = t.read(objects.place, { o: a.at(run.at) });
        t.guard(holds ? ge(v, time.at(run.at)) : lt(v, time.at(run.at)));
        putRun(t, ports, run, holds ? b.at(run.at) : run.next);
      });

  emitMemory(ports, row);
  if (program.blocks !== undefined) emitReuse(ports, row, program.blocks);
  const join = emitStrands(ports, scheduler, row, costs.spawn);
  if (join !== undefined && program.ranges.length > 0) emitRanges(ports, scheduler, join);
  if (used.has(ROW.fetch)) emitChunks(ports, row, after);
}

/**
 * Computing takes a core: one of the carrier's own, a share of the cores of the process, or a share of the cores of the node
 * in the net that contains the threads.
 */
function emitComputing(ports: ThreadPorts, row: RowOf): void {
  const { net, program, time, Worker, Strand, Row } = ports;
  if (ports.outer?.cores !== undefined) {
    if (program.rows.op.includes(ROW.work))
      emitOuter(ports, ports.outer.cores, {
        begins: 'begins to compute',
        ends: 'computes',
        op: ROW.work,
        amount: time,
        row,
      });
    return;
  }
  if (!ports.shared) {
    row('computes', ROW.work, (t, run) => {
      t.kind('compute');
      t.delay(time.at(run.at));
      putRun(t, ports, run, run.next);
    });
    return;
  }
  if (!program.rows.op.includes(ROW.work)) return;
  if (ports.processors !== undefined) {
    row('begins to compute', ROW.work, (t, run) => {
      t.kind('compute');
      ports.processors!.computes(t, run);
    });
    return;
  }
  const { links, routes, route } = coreLinks(ports);
  const place = net.place(
    'processor',
    { w: Worker, s: Strand, at: Row },
    {
      kind: 'resource',
      service: ({ w, s, at }) => ({
        links,
        amount: time.at(at),
        weight: 1,
        bound: 1,
        routes,
        route: route(w, s),
      }),
    },
  );
  row('begins to compute', ROW.work, (t, run) => {
    t.kind('compute');
    t.put(place, { w: run.w, s: run.s, at: run.at });
  });
  net.transition('computes', (t) => {
    const run = t.take(place);
    t.process(run.w);
    putRun(t, ports, run, add(run.at, 1));
  });
}

/** A thread that sleeps gives its processor back. */
function emitLeavingSleep(ports: ThreadPorts, row: RowOf): void {
  const { net, time, Worker, Strand, Row } = ports;
  const sleeping = net.place('sleeping', { w: Worker, s: Strand, at: Row }, { kind: 'operation' });
  row('falls asleep', ROW.sleep, (t, { w, s, at }) => {
    ports.processors!.gives(t, s);
    t.put(sleeping, { w, s, at });
  });
  net.transition('sleeps', (t) => {
    const { w, s, at } = t.take(sleeping);
    t.process(w);
    t.delay(time.at(at));
    ports.processors!.arrives(t, { w, s, at: add(at, 1) });
  });
}

/** Strands: spawn, dependences, join groups and ends. */
function emitStrands(ports: ThreadPorts, scheduler: Scheduler, row: RowOf, spawnTime: number): JoinPlace | undefined {
  const { net, op, a, b, program, Strand, ended } = ports;
  const { strands, groupOwner, groupNext } = program;
  // Making a strand takes time of its worker only; what workers share, such as a queue, is not held meanwhile.
  const { readyTime = spawnTime } = scheduler;
  const made =
    readyTime !== 0 && (program.rows.op.includes(ROW.spawn) || program.rows.op.includes(ROW.meet))
      ? net.place('made', { w: ports.Worker, s: Strand, at: ports.Row }, { kind: 'operation' })
      : undefined;
  const makeReady = (t: TransitionBuilder, run: RunTerms & { readonly next: Term<number> }): void => {
    if (readyTime !== 0) t.delay(typeof readyTime === 'number' ? readyTime : readyTime(run));
    if (made !== undefined) {
      t.put(made, { w: run.w, s: run.s, at: run.at });
      return;
    }
    scheduler.ready(t, run, a.at(run.at));
    putRun(t, ports, run, run.next);
  };
  if (made !== undefined)
    net.transition('makes ready', (t) => {
      t.priority(1);
      const run = t.take(made);
      t.process(run.w);
      scheduler.ready(t, run, a.at(run.at));
      putRun(t, ports, run, add(run.at, 1));
    });
  row('spawns', ROW.spawn, (t, run) => {
    if (scheduler.executeChild === undefined) {
      makeReady(t, run);
      return;
    }
    if (readyTime !== 0) t.delay(typeof readyTime === 'number' ? readyTime : readyTime(run));
    scheduler.executeChild(t, run, a.at(run.at), run.next);
  });
  const total = strands.conditions.reduce((sum, n) => Math.max(sum, n), 0);
  if (total > 0) {
    const pending = net.place(
      'pending',
      { s: Strand, n: net.range('conditions', 0, total) },
      {
        kind: 'synchronisation',
        initial: Array.from(strands.conditions.entries())
          .filter(([, n]) => n > 0)
          .map(([s, n]) => ({ s, n })),
      },
    );
    const conditions = program.repeats ? net.intTable('conditions', strands.conditions) : undefined;
    row('meets one', ROW.meet, (t, run) => {
      const { n } = t.take(pending, { s: a.at(run.at) });
      t.guard(not(eq(n, 1)));
      t.put(pending, { s: a.at(run.at), n: add(n, -1) });
      putRun(t, ports, run, run.next);
    });
    row('meets last', ROW.meet, (t, run) => {
      t.take(pending, { s: a.at(run.at), n: 1 });
      if (conditions !== undefined) t.put(pending, { s: a.at(run.at), n: conditions.at(a.at(run.at)) });
      makeReady(t, run);
    });
  }
  let joins: JoinPlace | undefined;
  const group = net.intTable('group', strands.group, { low: -1, high: Math.max(0, groupOwner.length - 1) });
  if (groupOwner.length > 0 && program.rows.op.includes(ROW.open)) {
    const Group = net.range('group number', 0, groupOwner.length - 1);
    const most = Math.max(
      program.rows.b.reduce((m, x, k) => (program.rows.op[k] === ROW.open ? Math.max(m, x) : m), 0),
      ...program.ranges.map(({ pieceRows }) => pieceRows.length),
    );
    const join = net.place('join', { g: Group, n: net.range('members', 0, most + 1) }, { kind: 'synchronisation' });
    joins = join;
    const owner = net.intTable('owner', groupOwner);
    const next = net.intTable('after join', groupNext);
    row('opens', ROW.open, (t, run) => {
      t.put(join, { g: a.at(run.at), n: add(b.at(run.at), 1) });
      putRun(t, ports, run, run.next);
    });
    // An owner that stays on its carrier takes the token of its group itself, as the last one.
    const { returns } = scheduler;
    row('waits for strands', ROW.sync, (t, run) => {
      const { n } = t.take(join, { g: a.at(run.at) });
      t.guard(not(eq(n, 1)));
      t.put(join, { g: a.at(run.at), n: returns === undefined ? add(n, -1) : n });
      scheduler.leave(t, run);
    });
    returns?.('a join', (t, top) => {
      t.guard(eq(op.at(top.at), ROW.sync));
      t.take(join, { g: a.at(top.at), n: 1 });
    });
    row('joins at once', ROW.sync, (t, run) => {
      t.take(join, { g: a.at(run.at), n: 1 });
      putRun(t, ports, run, run.next);
    });
    row('ends', ROW.end, (t, run) => {
      t.guard(ge(group.at(run.s), 0));
      const { n } = t.take(join, { g: group.at(run.s) });
      t.guard(not(eq(n, 1)));
      t.put(join, { g: group.at(run.s), n: add(n, -1) });
      scheduler.end(t, run);
    });
    if (returns === undefined)
      row('ends last', ROW.end, (t, run) => {
        t.guard(ge(group.at(run.s), 0));
        t.take(join, { g: group.at(run.s), n: 1 });
        scheduler.join(t, run, owner.at(group.at(run.s)), next.at(group.at(run.s)));
      });
  } else
    row('ends', ROW.end, (t, run) => {
      t.guard(ge(group.at(run.s), 0));
      scheduler.end(t, run);
    });
  row('program ends', ROW.end, (t, run) => {
    t.guard(eq(group.at(run.s), -1));
    // Main strand p is strand p.
    t.put(ended, { pool: run.s });
    scheduler.finish(t, run);
  });
  return joins;
}

/** Chunks of loops that are assigned at run time: one shared counter per loop, which one strand at a time can change. */
function emitChunks(ports: ThreadPorts, row: RowOf, after: (t: TransitionBuilder, seconds: number) => void): void {
  const { net, a, program, machine } = ports;
  const { loops } = program;
  const Loop = net.range('loop', 0, loops.length - 1);
  const most = loops.reduce((m, l) => Math.max(m, l.chunkRows.length), 0);
  const team = loops.reduce((m, l) => Math.max(m, l.fetchRows.length), 0);
  const counter = net.place(
    'next chunk',
    { l: Loop, n: net.range('chunk', 0, most), left: net.range('members left', 0, team) },
    { kind: 'data', initial: loops.map((l, k) => ({ l: k, n: 0, left: l.fetchRows.length })) },
  );
  const table = (name: string, of: (l: (typeof loops)[number]) => number): ReturnType<typeof net.intTable> =>
    net.intTable(name, Int32Array.from(loops, of));
  const chunks = table('chunks', (l) => l.chunkRows.length);
  const members = table('members of loop', (l) => l.fetchRows.length);
  const flat = (name: string, of: (l: (typeof loops)[number]) => Int32Array): [typeof chunks, typeof chunks] => {
    const first = new Int32Array(loops.length);
    let count = 0;
    loops.forEach((l, k) => {
      first[k] = count;
      count += of(l).length;
    });
    const values = new Int32Array(Math.max(1, count));
    loops.forEach((l, k) => {
      values.set(of(l), first[k]!);
    });
    return [net.intTable(`${name} of loop`, first), net.intTable(name, values)];
  };
  const [firstChunk, chunkRow] = flat('chunk row', (l) => l.chunkRows);
  const [firstFetch, fetchRow] = flat('fetch row', (l) => l.fetchRows);
  const firstStrand = table('first strand', (l) => l.firstStrand);
  row('fetches', ROW.fetch, (t, run) => {
    const l = a.at(run.at);
    const { n, left } = t.take(counter, { l });
    t.guard(lt(n, chunks.at(l)));
    after(t, machine.costs.fetch);
    t.put(counter, { l, n: add(n, 1), left });
    putRun(t, ports, run, chunkRow.at(add(firstChunk.at(l), n)));
  });
  // The last thread that finds no chunk makes the loop ready for its next execution.
  for (const last of [false, true])
    row(last ? 'last fetches nothing' : 'fetches nothing', ROW.fetch, (t, run) => {
      const l = a.at(run.at);
      const { n, left } = t.take(counter, { l });
      t.guard(ge(n, chunks.at(l)));
      t.guard(last ? eq(left, 1) : not(eq(left, 1)));
      after(t, machine.costs.fetch);
      t.put(counter, last ? { l, n: 0, left: members.at(l) } : { l, n, left: add(left, -1) });
      putRun(t, ports, run, run.next);
    });
  row('ends chunk', ROW.chunkEnd, (t, run) => {
    const l = a.at(run.at);
    putRun(t, ports, run, fetchRow.at(add(firstFetch.at(l), sub(run.s, firstStrand.at(l)))));
  });
}
