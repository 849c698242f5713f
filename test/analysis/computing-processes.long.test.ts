import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { activityOf } from '../../src/analysis/space/reachable-fragments.ts';
import { predict } from '../../src/commands/predict/predict.ts';
import { NetBuilder } from '../../src/net/builder/builder.ts';
import { processorSharing } from '../../src/net/builder/stations.ts';
import type { Net } from '../../src/net/net.ts';
import { add, lt, sub } from '../../src/net/terms.ts';
import { effort } from '../effort.ts';

/** How a transition tells its process: by a variable, a table, a sum, or a number. */
const TOLD = ['variable', 'table', 'sum', 'number'] as const;
type Told = (typeof TOLD)[number];

/** Processes 1 … n, each of which computes for its own time and is served then; a transition for each process if numbers tell it. */
function netOf(times: readonly number[], told: Told): Net {
  const n = new NetBuilder('told');
  const P = n.range('P', 1, times.length);
  const all = times.map((_, k) => ({ p: k + 1 }));
  const todo = n.place('todo', { p: P }, { initial: all });
  const served = n.place(
    'served',
    { p: P },
    { kind: 'operation', service: () => processorSharing({ servers: 1, time: 0.5 }) },
  );
  const ended = n.place('ended', { p: P });
  n.processes(P, ended);
  const seconds = n.realTable('seconds', Float64Array.from([0, ...times]));
  const own = n.intTable('own', Int32Array.from([1, ...all.map(({ p }) => p)]), { low: 1, high: times.length });
  for (const from of [todo, served])
    for (const one of told === 'number' ? all.map(({ p }) => p) : [undefined])
      n.transition(`${from === todo ? 'compute' : 'leave'} ${one ?? ''}`, (t) => {
        const { p } = t.take(from, one === undefined ? {} : { p: one });
        t.process(one ?? { variable: p, table: own.at(p), sum: sub(add(p, 1), 1), number: 0 }[told]);
        if (from === served) return t.put(ended, { p });
        t.kind('compute');
        t.delay(seconds.at(p));
        t.put(served, { p });
      });
  return n.build();
}

test('a process computes for the same time, whether a variable, a table, a sum or a number tells it', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0.01, max: 9, noNaN: true }), { minLength: 1, maxLength: 5 }), (times) => {
      const [first, ...others] = TOLD.map((told) => {
        const { ranks, figures, profile } = predict(netOf(times, told));
        return { ranks, parallelism: figures.parallelism, profile };
      });
      // Each is active from its computing to the end of its service.
      for (const { computing, endTime } of first!.ranks!) expect(computing).toBeCloseTo(endTime!, 9);
      for (const other of others) expect(other).toEqual(first);
    }),
    { numRuns: effort(60) },
  );
});

test('time in service counts where a firing puts a token into it, and later computing counts, too', () => {
  const n = new NetBuilder('served');
  const P = n.range('P', 0, 1);
  const start = n.place('start', { p: P }, { initial: [{ p: 0 }, { p: 1 }] });
  const station = () => processorSharing({ servers: 2, time: 0.5 });
  const served = n.place('served', { p: P }, { kind: 'operation', service: station });
  const rests = n.place('rests', { p: P }, { service: station });
  const last = n.place('last', { p: P });
  const ended = n.place('ended', { p: P });
  n.processes(P, ended);
  n.transition('compute', (t) => {
    const { p } = t.take(start);
    t.process(p);
    t.kind('compute');
    t.delay(2);
    t.put(served, { p }, lt(p, 1));
    t.put(rests, { p }, lt(0, p));
  });
  for (const from of [served, rests])
    n.transition(`after ${from === served ? 'service' : 'rest'}`, (t) => {
      const { p } = t.take(from);
      t.process(p);
      t.put(last, { p });
    });
  n.transition('finish', (t) => {
    const { p } = t.take(last);
    t.process(p);
    t.kind('compute');
    t.delay(1);
    t.put(ended, { p });
  });
  const { ranks, figures } = predict(n.build());
  expect(ranks!.map(({ computing, endTime }) => [computing, endTime])).toEqual([
    [3.5, 3.5],
    [3, 3.5],
  ]);
  expect(figures.parallelism!.mean.value).toBeCloseTo(6.5 / 3.5, 12);
});

test('initial tokens in service count for the process in their column', () => {
  const n = new NetBuilder('initial');
  const P = n.range('P', 1, 2);
  const served = n.place(
    'served',
    { p: P },
    { kind: 'operation', service: () => processorSharing({ servers: 2, time: 0.5 }), initial: [{ p: 1 }, { p: 2 }] },
  );
  const last = n.place('last', { p: P });
  const ended = n.place('ended', { p: P });
  n.processes(P, ended);
  n.transition('leave', (t) => {
    const { p } = t.take(served);
    t.process(p);
    t.put(last, { p });
  });
  n.transition('finish', (t) => {
    const { p } = t.take(last);
    t.process(p);
    t.delay(1);
    t.put(ended, { p });
  });
  const net = n.build();
  const { ranks, figures } = predict(net);
  expect(ranks!.map(({ computing, endTime }) => [computing, endTime])).toEqual([
    [0.5, 1.5],
    [0.5, 1.5],
  ]);
  expect(figures.parallelism!.mean.value).toBeCloseTo(2 / 3, 12);
  expect(activityOf(net)!.nodes).toHaveLength(1);
});

test('fragments are not told of a net whose computing transitions have processes that are no variables', () => {
  expect(TOLD.map((told) => activityOf(netOf([1, 2], told)) !== undefined)).toEqual([true, false, false, false]);
});
