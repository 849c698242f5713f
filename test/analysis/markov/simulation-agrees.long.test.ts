import { expect, test } from 'vitest';
import { simulate } from '../../../src/analysis/simulate.ts';
import { RunningSummary } from '../../../src/analysis/statistics/summary.ts';
import { steady } from '../../../src/commands/steady/steady.ts';
import { NetBuilder } from '../../../src/net/builder/builder.ts';
import { cox, erlang, exponential, hyperExponential } from '../../../src/net/builder/distributions.ts';
import { fcfs, infiniteServer, lcfsPr, priority, processorSharing } from '../../../src/net/builder/stations.ts';
import type { Net } from '../../../src/net/net.ts';
import { add, div, eq, ne } from '../../../src/net/terms.ts';

/** Colours with their own rates; a fifo queue whose order matters; draws by weights that depend on the colour. */
function coloured(): Net {
  const n = new NetBuilder('coloured');
  const K = n.range('K', 0, 2);
  const rate = n.realTable('rate', Float64Array.of(1, 3, 0.5));
  const idle = n.place('idle', { k: K }, { initial: [{ k: 0 }, { k: 0 }, { k: 1 }, { k: 2 }] });
  const line = n.place('line', { k: K }, { order: 'fifo' });
  const served = n.place('served', { k: K });
  const apart = n.place('apart', { k: K });
  n.transition('join', (t) => {
    const { k } = t.take(idle);
    t.put(line, { k });
    t.race({ delay: exponential(rate.at(k)) });
  });
  n.transition('serve', (t) => {
    const { k } = t.take(line);
    t.put(served, { k });
    t.race({ delay: exponential(add(1, rate.at(k))) });
  });
  n.transition('return', (t) => {
    const { k } = t.take(served);
    t.put(idle, { k });
    t.weight(add(1, k));
  });
  n.transition('leave', (t) => {
    const { k } = t.take(served);
    t.put(apart, { k });
    t.weight(2);
  });
  n.transition('rest', (t) => {
    const { k } = t.take(apart);
    t.put(idle, { k });
    t.delay(exponential(add(0.5, k)));
  });
  return n.build();
}

/** Degrees of races that take several tokens, read, inhibit, reset; capacity that firings in progress reserve. */
function arcs(): Net {
  const n = new NetBuilder('arcs');
  const K = n.range('K', 0, 1);
  const pool = n.place(
    'pool',
    { k: K },
    { initial: [{ k: 0 }, { k: 0 }, { k: 0 }, { k: 0 }, { k: 0 }, { k: 1 }, { k: 1 }] },
  );
  const pairs = n.place('pairs', { k: K }, { capacity: 2 });
  const flag = n.place('flag', {}, { initial: 1 });
  const off = n.place('off', {});
  n.transition('pair', (t) => {
    const { k } = t.take(pool, {}, 2);
    t.put(pairs, { k });
    t.race({ delay: exponential(1) });
  });
  n.transition('slow', (t) => {
    const { k } = t.take(pool, {}, 2);
    t.read(flag);
    t.guard(eq(k, 0));
    t.put(pairs, { k });
    t.delay(exponential(0.7));
    t.weight(1);
  });
  n.transition('part', (t) => {
    const { k } = t.take(pairs);
    t.put(pool, { k }, 2);
    t.race({ delay: exponential(0.8), servers: 'infinite' });
  });
  n.transition('down', (t) => {
    t.take(flag);
    t.inhibit(pairs, {}, 2);
    t.put(off, {});
    t.race({ delay: exponential(2) });
  });
  n.transition('up', (t) => {
    t.take(off);
    t.put(flag, {});
    t.race({ delay: exponential(1) });
  });
  return n.build();
}

/** A free variable as a colour that is drawn; two classes at stations of every kind. */
function stations(): Net {
  const n = new NetBuilder('stations');
  const K = n.range('K', 0, 1);
  const think = n.place(
    'think',
    { k: K },
    { initial: [{ k: 0 }, { k: 1 }, { k: 1 }], service: ({ k }) => infiniteServer({ time: exponential(add(1, k)) }) },
  );
  const cpu = n.place(
    'cpu',
    { k: K },
    { service: ({ k }) => processorSharing({ servers: 1, time: exponential(add(2, k)) }) },
  );
  const disc = n.place('disc', { k: K }, { service: ({ k }) => fcfs({ time: exponential(add(1.5, k)) }) });
  const stack = n.place('stack', {}, { service: lcfsPr({ servers: 2, time: exponential(3) }) });
  const ranked = n.place('ranked', {}, { service: priority({ time: exponential(2), priority: 1, preemptive: true }) });
  const spare = n.place('spare', {}, { initial: 3 });
  n.transition('begin', (t) => {
    const { k } = t.take(think);
    t.put(cpu, { k });
  });
  n.transition('go', (t) => {
    const { k } = t.take(cpu);
    const next = t.free('next', K);
    t.guard(ne(next, 2));
    t.put(disc, { k: next });
    t.weight(add(1, add(k, next)));
  });
  n.transition('end', (t) => {
    const { k } = t.take(disc);
    t.put(think, { k });
  });
  n.transition('push', (t) => {
    t.take(spare);
    t.put(stack, {});
    t.race({ delay: exponential(1) });
  });
  n.transition('pop', (t) => {
    t.take(stack);
    t.put(ranked, {});
  });
  n.transition('done', (t) => {
    t.take(ranked);
    t.put(spare, {});
  });
  return n.build();
}

/** Several servers, memories, speeds and weights that count tokens by colour. */
function raceTimings(): Net {
  const n = new NetBuilder('race timings');
  const K = n.range('K', 0, 1);
  const pool = n.place('pool', { k: K }, { initial: [{ k: 0 }, { k: 0 }, { k: 0 }, { k: 1 }, { k: 1 }] });
  const line = n.place('line', { k: K });
  const on = n.place('on', {}, { initial: 2 });
  const off = n.place('off', {});
  const chosen = n.place('chosen', {});
  n.transition('join', (t) => {
    const { k } = t.take(pool);
    t.put(line, { k });
    t.race({ delay: exponential(add(1, k)), servers: 5, memory: 'age', speed: div(t.count(pool, { k }), 2) });
  });
  n.transition('serve', (t) => {
    const { k } = t.take(line);
    t.read(on);
    t.put(pool, { k });
    t.race({ delay: exponential(2), memory: 'resampling', speed: div(t.count(on), t.count(line)) });
  });
  n.transition('fail', (t) => {
    t.take(on);
    t.put(chosen, {});
    t.race({ delay: exponential(0.4), servers: 1, memory: 'age', speed: t.count(line, { k: 1 }) });
  });
  n.transition('stop', (t) => {
    t.take(chosen);
    t.put(off, {});
    t.weight(add(1, t.count(line)));
  });
  n.transition('continue', (t) => {
    t.take(chosen);
    t.put(on, {});
    t.weight(2);
  });
  n.transition('repair', (t) => {
    t.take(off);
    t.put(on, {});
    t.race({ delay: exponential(1), servers: 2, memory: 'resampling' });
  });
  return n.build();
}

/** Phases by colour: clocks that are dropped before older ones, lost in markings without time, or stopped; room, inhibitors, speeds. */
function phases(): Net {
  const n = new NetBuilder('phases');
  const K = n.range('K', 0, 1);
  const pool = n.place('pool', { k: K }, { initial: [{ k: 0 }, { k: 0 }, { k: 0 }, { k: 1 }] });
  const line = n.place('line', { k: K }, { capacity: 2 });
  const apart = n.place('apart', { k: K });
  const on = n.place('on', {}, { initial: 1 });
  const chosen = n.place('chosen', {});
  const off = n.place('off', {});
  const checked = n.place('checked', {});
  n.transition('join', (t) => {
    const { k } = t.take(pool);
    t.put(line, { k });
    t.race({ delay: erlang(3, add(2, k)) });
  });
  n.transition('steal', (t) => {
    const { k } = t.take(pool);
    t.put(apart, { k });
    t.race({ delay: exponential(0.8) });
  });
  n.transition('return', (t) => {
    const { k } = t.take(apart);
    t.put(pool, { k });
    t.delay(
      hyperExponential([
        { rate: add(1, k), probability: 1 },
        { rate: 6, probability: 2 },
      ]),
    );
  });
  n.transition('serve', (t) => {
    const { k } = t.take(line);
    t.read(on);
    t.inhibit(checked);
    t.put(pool, { k });
    t.race({ delay: cox([{ rate: add(2, k), onward: 0.6 }, { rate: 3 }]) });
  });
  n.transition('fail', (t) => {
    t.take(on);
    t.put(chosen, {});
    t.race({ delay: erlang(2, 3), memory: 'resampling', speed: add(1, t.count(line)) });
  });
  n.transition('stop', (t) => {
    t.take(chosen);
    t.put(off, {});
    t.weight(1);
  });
  n.transition('continue', (t) => {
    t.take(chosen);
    t.put(on, {});
    t.weight(2);
  });
  n.transition('repair', (t) => {
    t.take(off);
    t.put(on, {});
    t.race({ delay: exponential(1) });
  });
  n.transition('check', (t) => {
    t.read(on);
    t.take(line, { k: 1 });
    t.put(line, { k: 1 });
    t.put(checked, {});
    t.inhibit(checked);
    t.race({ delay: erlang(2, 2), memory: 'age', servers: 'single' });
  });
  n.transition('go on', (t) => {
    t.take(checked);
    t.race({
      delay: hyperExponential([
        { rate: 1, probability: 1 },
        { rate: 5, probability: 1 },
      ]),
    });
  });
  return n.build();
}

const REPLICATIONS = 24;
/** Standard errors; with 23 degrees of freedom exceeded about once in 20,000 figures. */
const FAR = 5;

test.each([
  ['colours', coloured, 3000],
  ['all kinds of arcs', arcs, 3000],
  ['stations', stations, 3000],
  ['all timings of races', raceTimings, 3000],
  ['phases', phases, 1000],
] as const)('simulated means of a net with %s lie around the solution', (_, make, until) => {
  const net = make();
  const found = steady(net);
  expect(found.complete).toBe(true);
  const monitors = {
    ...Object.fromEntries(net.places.map(({ name }) => [`tokens ${name}`, { tokens: name, from: 50 }])),
    ...Object.fromEntries(net.transitions.map(({ name }) => [`firings ${name}`, { firings: name, from: 50 }])),
  };
  const figures = new Map(Object.keys(monitors).map((name) => [name, new RunningSummary()]));
  for (let k = 0; k < REPLICATIONS; k++) {
    const run = simulate(net, { seed: `run ${k}`, until, maxSteps: 1e9, monitors });
    for (const [name, summary] of figures) {
      const { mean, rate } = run.monitors[name] as { mean?: number; rate?: number };
      summary.add((mean ?? rate)!);
    }
  }
  const exact = new Map<string, number>([
    ...found.places.map((p) => [`tokens ${p.name}`, p.mean] as const),
    ...found.transitions.map((t) => [`firings ${t.name}`, t.throughput] as const),
  ]);
  const far = [...figures].filter(([name, { mean, deviation }]) => {
    const error = deviation / Math.sqrt(REPLICATIONS);
    return Math.abs(mean - exact.get(name)!) > FAR * error + 1e-12;
  });
  expect(far.map(([name, { mean }]) => [name, mean, exact.get(name)])).toEqual([]);
  if (process.env['FORETOKEN_TABLE'] !== undefined)
    console.log([...figures].map(([name, { mean, deviation }]) => [name, mean, exact.get(name), deviation]));
});
