/*
 * A manufacturing cell: parts arrive, and three machines process them (Erlang times). Machines break down while they work;
 * one mechanic repairs them, the fast machine first. Times are in hours.
 */
import { eq, erlang, exponential, NetBuilder, priority, simulate, when } from 'foretoken';

const n = new NetBuilder('cell');
const Machine = n.enumeration('Machine', 'fast', 'old', 'older');
const machines = [{ m: 'fast' }, { m: 'old' }, { m: 'older' }] as const;
const parts = n.place('parts', {});
const idle = n.place('idle', { m: Machine }, { initial: machines });
const working = n.place('working', { m: Machine });
// A queueing place with one server; a repair is never interrupted. Only repaired machines can be taken from it.
const workshop = n.place(
  'workshop',
  { m: Machine },
  {
    service: ({ m }) =>
      priority({ servers: 1, time: erlang(2, when(eq(m, 'fast'), 4, 1)), priority: when(eq(m, 'fast'), 1, 0) }),
  },
);

n.transition('arrive', (t) => {
  t.race({ delay: exponential(5) });
  t.put(parts, {});
});
n.transition('load', (t) => {
  t.take(parts);
  const { m } = t.take(idle);
  t.put(working, { m });
});
//  Each working machine has two clocks. The first to expire fires its transition, and the other clock is discarded. After
//  a repair the work on the part starts again from the beginning.
n.transition('finish', (t) => {
  const { m } = t.take(working);
  t.race({ delay: erlang(4, when(eq(m, 'fast'), 20, 8)) });
  t.put(idle, { m });
});
n.transition('break down', (t) => {
  const { m } = t.take(working);
  t.race({ delay: exponential(0.1) });
  t.put(workshop, { m });
});
n.transition('repaired', (t) => {
  const { m } = t.take(workshop);
  t.put(working, { m });
});

const run = simulate(n.build(), {
  until: 50_000,
  monitors: { parts: { tokens: 'parts' }, working: { tokens: 'working' }, workshop: { tokens: 'workshop' } },
});
const { parts: waiting, working: up, workshop: down } = run.monitors;
console.log(`parts finished per hour: ${(run.firings['finish']! / run.time).toFixed(2)} of 5 that arrive`);
console.log(`parts waiting: ${waiting.mean.toFixed(2)} on average, at most ${waiting.most}`);
console.log(`machines working ${up.mean.toFixed(2)}, in the workshop ${down.mean.toFixed(2)} of 3`);
console.log(`breakdowns: ${run.firings['break down']}`);
