import { add, eq, not, type Term } from '../../../../net/terms.ts';
import { ROW } from '../../program/rows.ts';
import { putRun, type RunTerms, type ThreadPorts } from '../ports.ts';
import { emitOuter, type RowOf } from './outer.ts';

/** Bytes to and from memory: a max-min service of the memories of all sockets. */
export function emitMemory(ports: ThreadPorts, row: RowOf): void {
  const { net, machine, program, Worker, Strand, Row } = ports;
  const { memory } = machine;
  if (ports.outer?.memory !== undefined) {
    if (!program.rows.op.includes(ROW.memory)) return;
    const amount = net.realTable('bytes', program.rows.bytes);
    emitOuter(ports, ports.outer.memory, { begins: 'moves', ends: 'moved', op: ROW.memory, amount, row });
    return;
  }
  if (memory === undefined) {
    row('moves nothing', ROW.memory, (t, run) => putRun(t, ports, run, run.next));
    return;
  }
  if (!program.rows.op.includes(ROW.memory)) return;
  const bytes = net.realTable('bytes', program.rows.bytes);
  const links = memory.ofCore.length;
  const routes = net.routesTable(
    'memory of core',
    Int32Array.from({ length: links + 1 }, (_, k) => k),
    memory.ofCore,
    new Float64Array(links).fill(1),
  );
  const core = net.intTable(
    'core of worker',
    Int32Array.from({ length: carriersOf(Worker) }, (_, w) => w % links),
  );
  const place = net.place(
    'memory',
    { w: Worker, s: Strand, at: Row },
    {
      kind: 'resource',
      service: ({ w, at }) => ({
        links: memory.links,
        amount: bytes.at(at),
        weight: 1,
        bound: memory.perCore,
        routes,
        route: core.at(w),
      }),
    },
  );
  row('moves', ROW.memory, (t, run) => t.put(place, { w: run.w, s: run.s, at: run.at }));
  net.transition('moved', (t) => {
    const run = t.take(place);
    t.process(run.w);
    putRun(t, ports, run, add(run.at, 1));
  });
}

/**
 * Data blocks: one is in the caches of the carrier that used it last, and is fetched from there by any other. A block that nobody has used
 * is fetched, too. Threads of the operating system with one index in their sections are one carrier.
 */
export function emitReuse(ports: ThreadPorts, row: RowOf, blocks: number): void {
  const { net, a, time, program, Worker, hasThreads } = ports;
  const { thread, count } = program.strands;
  const threads = thread.reduce((most, k) => Math.max(most, k + 1), 0);
  const users = hasThreads ? threads + count : carriersOf(Worker);
  const user = net.range('user of data', 0, users);
  const last = net.place(
    'last user',
    { block: net.range('data block', 0, blocks - 1), by: user },
    { kind: 'data', initial: Array.from({ length: blocks }, (_, block) => ({ block, by: users })) },
  );
  const own = hasThreads
    ? net.intTable(
        'user of strand',
        thread.map((k, s) => (k < 0 ? threads + s : k)),
      )
    : undefined;
  const by = ({ w, s }: RunTerms): Term<number> => own?.at(s) ?? w;
  row('has its data', ROW.reuse, (t, run) => {
    t.read(last, { block: a.at(run.at), by: by(run) });
    putRun(t, ports, run, run.next);
  });
  row('fetches its data', ROW.reuse, (t, run) => {
    const block = a.at(run.at);
    const { by: before } = t.take(last, { block });
    t.guard(not(eq(before, by(run))));
    t.delay(time.at(run.at));
    t.put(last, { block, by: by(run) });
    putRun(t, ports, run, run.next);
  });
}

const carriersOf = ({ set }: ThreadPorts['Worker']): number => (set.kind === 'range' ? set.high + 1 : 1);
