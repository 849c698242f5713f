import { expect, test } from 'vitest';
import { steady } from '../../../src/commands/steady/steady.ts';
import { compile } from '../../../src/engine/compile.ts';
import type { CountObserver } from '../../../src/engine/observers.ts';
import { exponential, fcfs, infiniteServer, NetBuilder } from '../../../src/index.ts';
import type { Net } from '../../../src/net/net.ts';

/** Jobs think, wait for one of two desks, are served, and pass a second station; some go back at once. */
function closed(): Net {
  const n = new NetBuilder('closed');
  const think = n.place('think', {}, { initial: 4, service: infiniteServer({ time: exponential(0.5) }) });
  const waiting = n.place('waiting', {});
  const desk = n.place('desk', {}, { initial: 2, kind: 'resource' });
  const second = n.place('second', {}, { service: fcfs({ time: exponential(2), servers: 1 }) });
  const checked = n.place('checked', {});
  n.transition('ask', (t) => {
    t.take(think);
    t.put(waiting, {});
  });
  n.transition('serve', (t) => {
    t.take(waiting);
    t.take(desk);
    t.put(desk, {});
    t.put(second, {});
    t.delay(exponential(1));
  });
  n.transition('leave', (t) => {
    t.take(second);
    t.put(checked, {});
  });
  n.transition('again', (t) => {
    t.take(checked);
    t.put(waiting, {});
    t.weight(1);
  });
  n.transition('done', (t) => {
    t.take(checked);
    t.put(think, {});
    t.weight(3);
  });
  return n.build();
}

/** Mean stay of the tokens of each place, each measured from its arrival to its departure, oldest first. */
function stays(net: Net, until: number): Map<string, number> {
  const found = new Map(net.places.map(({ name }) => [name, { arrived: [] as number[], sum: 0, count: 0, next: 0 }]));
  const counts = Object.fromEntries(
    net.places.map(({ name, initial }): [string, CountObserver] => {
      const own = found.get(name)!;
      for (const { count } of initial) for (let k = 0; k < count; k++) own.arrived.push(0);
      return [
        name,
        (time, change) => {
          if (change > 0) own.arrived.push(time);
          else {
            own.sum += time - own.arrived[own.next++]!;
            own.count++;
          }
        },
      ];
    }),
  );
  const run = compile(net, { counts }).start({ seed: '7' });
  while (run.run(1 << 16, until) && run.now < until);
  return new Map([...found].map(([name, { sum, count }]) => [name, sum / count]));
}

test('response times by Little’s law are those of the tokens of a run', () => {
  const net = closed();
  const exact = steady(net);
  const measured = stays(net, 200_000);
  expect(exact).toMatchObject({ method: 'ctmc', complete: true });
  let compared = 0;
  for (const { name, response, arrivals } of exact.places) {
    expect(response!.certainty).toBe(1);
    expect(arrivals!.value).toBeGreaterThan(0);
    if (response!.value === 0) continue;
    compared++;
    expect(Math.abs(measured.get(name)! / response!.value - 1), name).toBeLessThan(0.02);
  }
  expect(compared).toBe(4);
  // A token of "think" is served for a mean of 2 s.
  expect(exact.places[0]!.response!.value).toBeCloseTo(2, 9);
});

test('utilisations are demand by the law of the same name', () => {
  const { resources, transitions } = steady(closed());
  const rate = (name: string): number => transitions.find((t) => t.name === name)!.throughput;
  expect(resources!.map(({ name, kind, capacity }) => [name, kind, capacity])).toEqual([
    ['desk', 'resource', 2],
    ['second', 'station', 1],
  ]);
  const of = (name: string): number => resources!.find((r) => r.name === name)!.utilisation;
  expect(of('desk')).toBeCloseTo(rate('serve') / 2, 10);
  expect(of('second')).toBeCloseTo(rate('leave') * 0.5, 10);
});

test('a simulation has the same response times, with less certainty than its figures', () => {
  const exact = steady(closed());
  const found = steady(closed(), { method: 'simulate', precision: '3%' });
  for (const [k, { name, response }] of found.places.entries()) {
    if (exact.places[k]!.response!.value === 0) continue;
    expect(response!.certainty, name).toBeGreaterThan(0.75);
    expect(response!.certainty, name).toBeLessThan(0.95);
    expect(response!.lower! <= exact.places[k]!.response!.value, name).toBe(true);
    expect(response!.upper! >= exact.places[k]!.response!.value, name).toBe(true);
  }
});
