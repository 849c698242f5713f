import { NetBuilder } from '../../src/net/builder/builder.ts';
import type { Net } from '../../src/net/net.ts';
import { add, and, mod, ne } from '../../src/net/terms.ts';

/*
 * Nets of the Model Checking Contest, as in its coloured files, with ranges for cyclic enumerations.
 */

/** Dining philosophers who take one fork after the other, in either order (Philosophers-COL). */
export function philosophers(count: number): Net {
  const n = new NetBuilder('philosophers');
  const Philo = n.range('Philo', 0, count - 1);
  const all = Array.from({ length: count }, (_, x) => ({ x }));
  const think = n.place('Think', { x: Philo }, { initial: all });
  const fork = n.place('Fork', { x: Philo }, { initial: all });
  const catch1 = n.place('Catch1', { x: Philo });
  const catch2 = n.place('Catch2', { x: Philo });
  const eat = n.place('Eat', { x: Philo });
  for (const [first, second, held, takesOwn] of [
    ['FF1a', 'FF2a', catch1, false],
    ['FF1b', 'FF2b', catch2, true],
  ] as const) {
    n.transition(first, (t) => {
      const { x } = t.take(think);
      t.take(fork, { x: takesOwn ? x : mod(add(x, count - 1), count) });
      t.put(held, { x });
    });
    n.transition(second, (t) => {
      const { x } = t.take(held);
      t.take(fork, { x: takesOwn ? mod(add(x, count - 1), count) : x });
      t.put(eat, { x });
    });
  }
  n.transition('End', (t) => {
    const { x } = t.take(eat);
    t.put(think, { x });
    t.put(fork, { x });
    t.put(fork, { x: mod(add(x, count - 1), count) });
  });
  return n.build();
}

/** Dijkstra's self-stabilising token ring (TokenRing-COL): machines 0 … last, each in one of `last` + 1 states. */
export function tokenRing(last: number): Net {
  const n = new NetBuilder('token ring');
  const Process = n.range('Process', 0, last);
  const initial = Array.from({ length: last + 1 }, (_, k) => ({ machine: k, state: k }));
  const state = n.place('State', { machine: Process, state: Process }, { initial });
  n.transition('MainProcess', (t) => {
    const { state: x } = t.take(state, { machine: 0 });
    t.take(state, { machine: last, state: x });
    t.put(state, { machine: 0, state: mod(add(x, 1), last + 1) });
    t.put(state, { machine: last, state: x });
  });
  n.transition('OtherProcess', (t) => {
    const { machine: i, state: x } = t.take(state);
    const previous = mod(add(i, last), last + 1);
    const { state: y } = t.take(state, { machine: previous });
    t.guard(and(ne(i, 0), ne(x, y)));
    t.put(state, { machine: i, state: y });
    t.put(state, { machine: previous, state: y });
  });
  return n.build();
}
