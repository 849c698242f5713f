import { expect, test } from 'vitest';
import { simulate } from '../../src/analysis/simulate.ts';
import { RunningSummary } from '../../src/analysis/statistics/summary.ts';
import { NetBuilder } from '../../src/net/builder/builder.ts';
import { exponential } from '../../src/net/builder/distributions.ts';
import type { Net } from '../../src/net/net.ts';
import { div } from '../../src/net/terms.ts';

const RUNS = 20;
/** Standard errors. */
const FAR = 5;

/** Expects the firings per second of a transition over several runs around a value. */
function expectRate(net: Net, transition: string, value: number, until = 2000): void {
  const rates = new RunningSummary();
  for (let k = 0; k < RUNS; k++) {
    const monitors = { rate: { firings: transition, from: 20 } };
    const run = simulate(net, { seed: `run ${k}`, until, maxSteps: 1e9, monitors });
    rates.add((run.monitors['rate'] as { rate: number }).rate);
  }
  const error = rates.deviation / Math.sqrt(RUNS);
  expect([rates.mean, Math.abs(rates.mean - value) <= FAR * error]).toEqual([rates.mean, true]);
  expect(error).toBeLessThan(0.01 * value);
}

const [work, fails, down, pause] = [1.5, 0.6, 0.5, 1];

/** Jobs of a fixed length on a machine that fails while it works; a pause follows each. */
function machine(memory: 'enabling' | 'age'): Net {
  const n = new NetBuilder('machine');
  const [job, idle] = [n.place('job', {}, { initial: 1 }), n.place('idle', {})];
  const [up, broken] = [n.place('up', {}, { initial: 1 }), n.place('broken', {})];
  n.transition('work', (t) => {
    t.take(job);
    t.read(up);
    t.put(idle, {});
    t.race({ delay: work, memory });
  });
  n.transition('rest', (t) => {
    t.take(idle);
    t.put(job, {});
    t.race({ delay: exponential(1 / pause) });
  });
  n.transition('fail', (t) => {
    t.take(up);
    t.read(job);
    t.put(broken, {});
    t.race({ delay: exponential(fails) });
  });
  n.transition('repair', (t) => {
    t.take(broken);
    t.put(up, {});
    t.race({ delay: exponential(1 / down) });
  });
  return n.build();
}

test('age memory: an interrupted job resumes (Gaver 1962)', () => {
  expectRate(machine('age'), 'work', 1 / (pause + work * (1 + fails * down)));
});

test('enabling memory: an interrupted job begins anew', () => {
  expectRate(machine('enabling'), 'work', 1 / (pause + (Math.exp(fails * work) - 1) * (1 / fails + down)));
});

test('resampling: a clock expires after an interval without a step', () => {
  const n = new NetBuilder('watchdog');
  const on = n.place('on', {}, { initial: 1 });
  n.transition('alarm', (t) => {
    t.read(on);
    t.race({ delay: work, memory: 'resampling' });
  });
  n.transition('tick', (t) => {
    t.read(on);
    t.race({ delay: exponential(fails) });
  });
  // The mean time until a gap of this length between events of a Poisson process.
  expectRate(n.build(), 'alarm', fails / (Math.exp(fails * work) - 1));
});

test('a speed of 1/n shares a processor: its throughput depends on the mean of the work alone', () => {
  const [customers, rate, thinks] = [4, 1.2, 0.5];
  const n = new NetBuilder('sharing');
  const cpu = n.place('cpu', {});
  const think = n.place('think', {}, { initial: customers });
  n.transition('compute', (t) => {
    t.take(cpu);
    t.put(think, {});
    t.race({ delay: 1 / rate, speed: div(1, t.count(cpu)) });
  });
  n.transition('rest', (t) => {
    t.take(think);
    t.put(cpu, {});
    t.race({ delay: exponential(thinks) });
  });
  // Machine repair with one worker (product form, insensitive: Baskett et al. 1975).
  const weights = [1];
  for (let k = 0; k < customers; k++) weights.push((weights[k]! * (customers - k) * thinks) / rate);
  const busy = 1 - 1 / weights.reduce((a, b) => a + b, 0);
  expectRate(n.build(), 'compute', rate * busy);
});
