import { type Net, NetBuilder } from 'foretoken';

/**
 * Producers and consumers share a buffer that is protected by a lock. A producer that finds no free slot, or a consumer
 * that finds no item, must not hold the lock. With `faulty` they take the lock first and wait while they hold it.
 */
export function boundedBuffer(slots: number, workers: number, faulty = false): Net {
  const n = new NetBuilder('buffer');
  const lock = n.place('lock', {}, { kind: 'resource', initial: 1 });
  const free = n.place('free', {}, { initial: slots });
  const full = n.place('full', {});

  for (const [name, from, to] of [
    ['producer', free, full],
    ['consumer', full, free],
  ] as const) {
    const idle = n.place(`${name} idle`, {}, { initial: workers });
    const inside = n.place(`${name} inside`, {});
    n.transition(`${name} enters`, (t) => {
      t.take(idle);
      t.take(lock);
      if (!faulty) t.take(from);
      t.put(inside, {});
    });
    n.transition(`${name} leaves`, (t) => {
      t.take(inside);
      if (faulty) t.take(from);
      t.put(to, {});
      t.put(lock, {});
      t.put(idle, {});
    });
  }
  return n.build();
}

/** A batch of jobs on one machine, processed one after the other in `seconds` each. */
export function batch(jobs: number, seconds: number): Net {
  const n = new NetBuilder('batch');
  const waiting = n.place('waiting', {}, { initial: jobs });
  const machine = n.place('machine', {}, { kind: 'resource', initial: 1 });
  const done = n.place('done', {});
  n.transition('work', (t) => {
    t.take(waiting);
    t.take(machine);
    t.delay(seconds);
    t.put(machine, {});
    t.put(done, {});
  });
  return n.build();
}
