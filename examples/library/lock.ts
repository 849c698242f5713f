/*
 * A lock: three processes execute a critical section, without and with mutual exclusion.
 */
import { exponential, type Net, NetBuilder, simulate } from 'foretoken';

function processes(locked: boolean): Net {
  const n = new NetBuilder(locked ? 'locked' : 'open');
  const Process = n.range('Process', 0, 2);
  const outside = n.place('outside', { p: Process }, { initial: [{ p: 0 }, { p: 1 }, { p: 2 }] });
  const waiting = n.place('waiting', { p: Process });
  // A single uncoloured token: the process that has taken it holds the lock.
  const lock = n.place('lock', {}, { initial: 1 });

  n.transition('think', (t) => {
    const { p } = t.take(outside);
    t.delay(exponential(1));
    t.put(waiting, { p });
  });
  // A firing with a delay keeps the tokens it has taken, here the lock, until it ends.
  n.transition('critical', (t) => {
    const { p } = t.take(waiting);
    if (locked) t.take(lock);
    t.delay(0.5);
    t.put(outside, { p });
    if (locked) t.put(lock, {});
  });
  return n.build();
}

for (const locked of [false, true]) {
  const run = simulate(processes(locked), { until: 10_000, monitors: { inside: { busy: 'critical' } } });
  const { most, mean = 0 } = run.monitors['inside']!;
  console.log(`${locked ? 'with' : 'without'} a lock: at most ${most} inside, on average ${mean.toFixed(2)}`);
}
