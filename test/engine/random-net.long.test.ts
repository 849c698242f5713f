import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Net } from '../../src/net/net.ts';
import { validate } from '../../src/net/validation/validate.ts';
import { atFullEffort, effort } from '../effort.ts';
import { RunError } from '../reference/evaluate.ts';
import { referenceRun } from '../reference/token-game.ts';
import { Tally } from './random/tally.ts';
import { arbitraryNet, decode, featuresOf } from './random-net.ts';

const NETS = 1500;

test('random nets are valid', () => {
  fc.assert(
    fc.property(arbitraryNet, (net: Net) => {
      expect(validate(net)).toEqual([]);
    }),
    { numRuns: effort(500) },
  );
});

test('an empty tape is the simplest net', () => {
  const net = decode([]);
  expect(validate(net)).toEqual([]);
  expect([net.places.length, net.transitions.length]).toEqual([1, 1]);
  expect(Object.keys(featuresOf(net)).sort()).toEqual(
    ['arc:take', 'order:bag', 'place without data', 'places', 'timing:immediate', 'transitions'].sort(),
  );
});

/** Features that must occur in the sample; a feature in fewer than 1 % of the nets is hardly tested. */
const CONTAINED = [
  ...['range', 'integer', 'bool', 'enum', 'unit', 'product', 'record'].map((c) => `colour:${c}`),
  ...['bag', 'fifo', 'fifo by key', 'priority', 'priority by key'].map((o) => `order:${o}`),
  ...['max-min', 'ps', 'is', 'fcfs', 'lcfs-pr', 'priority', 'priority preemptive'].map((s) => `service:${s}`),
  ...['take', 'read', 'inhibit', 'reset', 'take count>1', 'read count>1', 'inhibit count>1'].map((a) => `arc:${a}`),
  ...['immediate', 'holding', 'race'].map((t) => `timing:${t}`),
  ...['exponential', 'erlang', 'hyper-exponential', 'cox', 'uniform', 'triangular', 'normal', 'lognormal'].map(
    (d) => `dist:${d}`,
  ),
  ...['weibull', 'gamma', 'discrete', 'empirical'].map((d) => `dist:${d}`),
  ...['capacity', 'priority', 'weight', 'guard', 'free variable', 'source', 'call', 'at', 'step'],
  ...[
    'race servers:single',
    'race servers:2',
    'race memory:age',
    'race memory:resampling',
    'race speed',
    'race speed: counts',
    'weight: counts',
  ],
  ...['delay drawn by a process', 'race drawn by a process', 'process: of the binding'],
  ...['delay 0', 'race 0', 'service 0', 'pattern: join', 'pattern: expression', 'count: expression'],
];

const HAPPENED = [
  ...['choice: by order', 'choice: by priority', 'choice: by weight', 'inhibited', 'reset: token removed'],
  ...['draw of a process', 'choice: of a process'],
  ...['capacity: no room', 'capacity: reserved', 'queue: overtaken', 'tie of completions', 'tie of clocks'],
  ...['clock lost', 'clock dropped', 'degree > 1', 'same colours, other tokens', 'waits for a server'].map(
    (r) => `race: ${r}`,
  ),
  ...['fcfs waits', 'priority waits', 'lcfs-pr displaced', 'priority displaced', 'due, so not displaced'].map(
    (s) => `service: ${s}`,
  ),
];

test('random nets contain all features, in combination, and run', () => {
  const tally = new Tally();
  let long = 0;
  for (const [k, net] of fc.sample(arbitraryNet, NETS).entries()) {
    tally.add('net', featuresOf(net));
    try {
      const run = referenceRun(net, { maxSteps: 60, seed: String(k % 10) });
      tally.add('run', run.happened);
      if (run.steps >= 20) long++;
    } catch (e) {
      if (!(e instanceof RunError)) throw e;
      tally.add('run', { [e.code]: 1 });
    }
  }
  const rare = (what: string, names: readonly string[]): string[] =>
    names.filter((name) => tally.cases(what, name) < NETS / 100);
  expect(rare('net', CONTAINED)).toEqual([]);
  expect(rare('run', HAPPENED)).toEqual([]);
  for (const code of ['RUN002', 'RUN003', 'RUN004', 'RUN005', 'RUN006', 'RUN007', 'RUN008', 'RUN009', 'RUN015'])
    expect([code, tally.cases('run', code) > 0]).toEqual([code, true]);
  expect(long / NETS).toBeGreaterThan(atFullEffort(0.7));
});
