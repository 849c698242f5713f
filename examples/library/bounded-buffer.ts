/*
 * A bounded buffer: a producer waits while the buffer is full, a consumer while it is empty. Both take 1 s on average.
 * With exponential times the number of items is a birth-death process: throughput (K + 2) / (K + 3) for capacity K.
 */
import { exponential, type Net, NetBuilder, simulate } from 'foretoken';

function pipeline(capacity: number): Net {
  const n = new NetBuilder('pipeline');
  const producer = n.place('producer', {}, { initial: 1 });
  const made = n.place('made', {});
  const buffer = n.place('buffer', {}, { capacity });
  const consumer = n.place('consumer', {}, { initial: 1 });

  n.transition('make', (t) => {
    t.take(producer);
    t.delay(exponential(1));
    t.put(made, {});
  });
  // Enabled only while the buffer has room; until then the producer keeps its item and cannot make another.
  n.transition('store', (t) => {
    t.take(made);
    t.put(buffer, {});
    t.put(producer, {});
  });
  n.transition('consume', (t) => {
    t.take(buffer);
    t.take(consumer);
    t.delay(exponential(1));
    t.put(consumer, {});
  });
  return n.build();
}

console.log('capacity  throughput  exact  most in the buffer');
for (const capacity of [1, 2, 4, 8]) {
  const run = simulate(pipeline(capacity), {
    until: 400_000,
    monitors: { buffer: { tokens: 'buffer' }, consumed: { firings: 'consume' } },
  });
  const { rate = 0 } = run.monitors['consumed']!;
  const exact = (capacity + 2) / (capacity + 3);
  const { most } = run.monitors['buffer']!;
  console.log(`${String(capacity).padStart(8)}  ${rate.toFixed(3).padStart(10)}  ${exact.toFixed(3)}  ${most}`);
}
