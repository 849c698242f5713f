/*
 * Dining philosophers: five philosophers with one fork between each two. If all take the left fork first, sooner or later
 * each holds one fork and waits forever: the run ends because no transition can fire any more. If one of them takes the
 * right fork first, the run continues until the time limit.
 */
import { exponential, NetBuilder, type SimulatedRun, simulate } from 'foretoken';

const COUNT = 5;

function dinner(lastBeginsRight: boolean): SimulatedRun {
  const n = new NetBuilder('dinner');
  const Seat = n.range('Seat', 0, COUNT - 1);
  const seats = Array.from({ length: COUNT }, (_, p) => p);
  const thinking = n.place('thinking', { p: Seat }, { initial: seats.map((p) => ({ p })) });
  const hungry = n.place('hungry', { p: Seat });
  const oneFork = n.place('one fork', { p: Seat });
  const fork = n.place('fork', { f: Seat }, { initial: seats.map((f) => ({ f })) });
  // Philosopher p has fork p on the left and fork p + 1 on the right.
  const right = seats.map((p) => (p + 1) % COUNT);
  const beginsRight = (p: number): boolean => lastBeginsRight && p === COUNT - 1;
  const first = n.intTable(
    'first',
    Int32Array.from(seats, (p) => (beginsRight(p) ? right[p]! : p)),
  );
  const second = n.intTable(
    'second',
    Int32Array.from(seats, (p) => (beginsRight(p) ? p : right[p]!)),
  );

  n.transition('think', (t) => {
    const { p } = t.take(thinking);
    t.delay(exponential(1));
    t.put(hungry, { p });
  });
  n.transition('take first', (t) => {
    const { p } = t.take(hungry);
    t.take(fork, { f: first.at(p) });
    t.delay(0.1);
    t.put(oneFork, { p });
  });
  n.transition('eat', (t) => {
    const { p } = t.take(oneFork);
    t.take(fork, { f: second.at(p) });
    t.delay(exponential(1));
    t.put(thinking, { p });
    t.put(fork, { f: first.at(p) });
    t.put(fork, { f: second.at(p) });
  });
  return simulate(n.build(), { until: 10_000 });
}

for (const lastBeginsRight of [false, true]) {
  const { ended, time, firings, game } = dinner(lastBeginsRight);
  console.log(lastBeginsRight ? 'The last one takes the right fork first' : 'All take the left fork first');
  console.log(`  ended: ${ended}, after ${time.toFixed(0)} s and ${firings['eat']} meals`);
  const holding = game.tokens('one fork').map(({ values: [p] }) => p);
  if (ended === 'quiescent') console.log(`  deadlock: one fork each have ${holding.sort().join(', ')}`);
}
