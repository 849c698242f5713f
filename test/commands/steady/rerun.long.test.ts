import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { MACHINE_OF_NET_ROWS } from '../../../src/commands/inputs/option-rows.ts';
import { steadyFile } from '../../../src/commands/steady/steady.ts';
import { STEADY_ROWS, type SteadyOptions } from '../../../src/commands/steady/steady-options.ts';
import { steadyDifferences, steadyRerunOf } from '../../../src/commands/steady/steady-rerun.ts';
import { NetBuilder } from '../../../src/net/builder/builder.ts';
import { exponential } from '../../../src/net/builder/distributions.ts';
import { netToJson } from '../../../src/net/json/json.ts';
import { stochasticNet } from '../../analysis/markov/stochastic-nets.ts';

const folder = mkdtempSync(join(tmpdir(), 'foretoken-steady-rerun-'));
afterAll(() => rmSync(folder, { recursive: true }));

const net = join(folder, 'net.json');
const n = new NetBuilder('net');
const [a, b, c] = [n.place('a', {}, { initial: 1 }), n.place('b', {}), n.place('c', {})];
n.transition('work', (t) => {
  t.take(a);
  t.put(b, {});
  t.race({ delay: exponential(1) });
});
n.transition('wait', (t) => {
  t.take(b);
  t.put(c, {});
  t.delay(2);
});
writeFileSync(net, netToJson(n.build()));
const open = join(folder, 'open.json');
const queue = { arrive: { take: '', put: 'w', race: 1 }, serve: { take: 'w', put: '', race: 3, single: true } };
writeFileSync(open, netToJson(stochasticNet('open', { w: 0 }, queue)));

const pool = 'examples/threads-loop/model.ts';
const few = { set: { n: 40, grain: 10, flops: 2000 }, maxFirings: 20_000 };

/** Together they have each option that changes figures. */
const CASES: readonly (readonly [input: string, options: SteadyOptions])[] = [
  [net, { method: 'ctmc', erlang: 2, reach: '#c > 0', at: 1, rewards: { busy: '#a' }, maxStates: 100 }],
  [net, { erlang: 2, restart: true, absorption: true }],
  [open, { capacity: 9 }],
  [open, { method: 'simulate', precision: 0.5, confidence: 0.9, replications: 3, maxFirings: 1000, seed: 'x' }],
  [pool, { ...few, workers: 2, scheduler: 'stealing', victim: 'nearest', take: 'half', rounds: 2, pool: 'stack' }],
  [pool, { ...few, workers: 3, scheduler: 'stealing', pool: 'migrating', spawn: 'work-first', bypass: false }],
  [pool, { ...few, workers: 2, scheduler: 'a1', allocator: 'buffered' }],
  [pool, { ...few, workers: 3, scheduler: 'stealing', resize: '0.0001=2' }],
];
/** Options of models, limits and threads that depend on the computer, and calls back. */
const OTHERS = [
  ...Object.keys(MACHINE_OF_NET_ROWS),
  'memory',
  'seconds',
  'workers',
  'progress',
  'cancelled',
  'begun',
  'simulated',
];

it('repeats each option that changes figures', async () => {
  for (const [input, options] of CASES) {
    const found = await steadyFile(input, options);
    const again = steadyRerunOf(found, 'result.json');
    // Defaults of a pool are given, too.
    expect(again.options).toMatchObject(options);
    expect(steadyDifferences(found, await steadyFile(again.input, again.options))).toEqual([]);
  }
  const asked = CASES.flatMap(([, options]) => Object.keys(options));
  expect(new Set([...asked, ...OTHERS])).toEqual(new Set(Object.keys(STEADY_ROWS)));
});
