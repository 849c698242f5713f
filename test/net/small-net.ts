import { NetBuilder } from '../../src/net/builder/builder.ts';
import type { Net } from '../../src/net/net.ts';
import { add, div, eq, ge, lt, mod, not, sub } from '../../src/net/terms.ts';

/** A net with a bit of everything: all kinds of colour sets, tables, arcs and orders, and a service. */
export function smallNet(): Net {
  const n = new NetBuilder('a bit of everything');
  const Worker = n.range('Worker', 0, 2);
  const Size = n.integer('Size');
  const Ready = n.bool('Ready');
  const Sort = n.enumeration('Sort', 'job', 'rush job', 'stop');
  const cost = n.realTable('cost', Float64Array.of(0.5, 1, 1.5));
  const next = n.intTable('next', Int32Array.of(1, 2, 0));
  const factor = n.stepTable('factor', Float64Array.of(Number.NEGATIVE_INFINITY, 10, 1000), Float64Array.of(1, 0.5, 2));
  const routes = n.routesTable(
    'routes',
    Int32Array.of(0, 1, 3, 3),
    Int32Array.of(0, 0, 1),
    Float64Array.of(1, 1, 0.05),
  );
  const idle = n.place('idle', { w: Worker }, { kind: 'resource', initial: [{ w: 2 }, { w: 0 }, { w: 1 }, { w: 1 }] });
  const jobs = n.place(
    'jobs',
    { w: Worker, sort: Sort, size: Size },
    { kind: 'data', order: { fifo: ['w'] }, initial: [{ w: 0, sort: 1, size: 20 }] },
  );
  const sent = n.place(
    'sent',
    { w: Worker, size: Size },
    {
      kind: 'message',
      order: 'fifo',
      service: ({ w, size }) => ({
        links: [
          { name: 'up', capacity: 100, fatpipe: false },
          { name: 'back bone', capacity: 1e9, fatpipe: true },
        ],
        amount: div(size, factor.of(size)),
        weight: 1,
        bound: Number.POSITIVE_INFINITY,
        routes,
        route: w,
      }),
    },
  );
  const stopped = n.place('stopped', { ready: Ready });
  const done = n.place('done', {});
  n.transition('work', (t) => {
    t.kind('compute');
    const { w } = t.take(idle);
    const job = t.take(jobs, { w });
    t.inhibit(stopped, { ready: true });
    t.guard(not(eq(job.sort, Sort.is('stop'))));
    t.guard(ge(job.size, 0));
    t.process(w);
    t.delay(cost.at(w));
    t.put(sent, { w: next.at(w), size: job.size });
    t.put(jobs, { w, sort: Sort.is('rush job'), size: sub(job.size, 1) }, lt(1, job.size));
  });
  n.transition('hand in', (t) => {
    const { w } = t.take(sent);
    t.read(idle, { w: mod(add(w, 1), 3) });
    t.put(done, {}, 2);
  });
  n.transition('stop', (t) => {
    t.take(done, {}, 10);
    t.put(stopped, { ready: true });
  });
  n.processes(Worker, idle);
  return n.build();
}
