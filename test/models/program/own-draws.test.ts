import { expect, test } from 'vitest';
import { mapModel } from '../../../src/commands/predict/model/stages.ts';
import { compile } from '../../../src/engine/compile.ts';
import type { TransitionObserver } from '../../../src/engine/observers.ts';
import { cluster, counter, noise, type ProgramModel, spmd } from '../../../src/models.ts';
import { isDistribution } from '../../../src/net/distribution.ts';

const RANKS = 9;

/** Ranks compute for random times, sometimes twice, and wait for their left neighbours. */
const model = spmd({
  name: 'noisy ring',
  params: { cv: 0.3 },
  vars: { turn: counter() },
  build(m) {
    m.loop('turn', 20, () => {
      m.compute({ seconds: (s) => 1e-4 * (1 + (s.rank % 2)), noise: noise.lognormal(m.p.cv) });
      m.chance(0.3, () => m.compute({ seconds: 5e-5, noise: noise.exponential() }));
      m.isend({ to: (s) => (s.rank + 1) % s.size, bytes: 100 });
      m.recv({ from: (s) => (s.rank + s.size - 1) % s.size });
      m.repeat(0.4, () => m.sleep(1e-5, noise.uniform(0.5)));
    });
  },
}) as unknown as ProgramModel;

interface Happened {
  /** Results of the draws in order, by statement and rank. */
  readonly drawn: Readonly<Record<string, readonly number[]>>;
  /** The ranks in the order in which they drew. */
  readonly order: readonly number[];
}

function simulateLatency(latency: `${number}us`, replication = 0): Happened {
  const machine = cluster({
    nodes: 3,
    coresPerNode: 3,
    speed: '1Gf',
    link: { latency, bandwidth: '1GB/s' },
    intraNode: { latency: '1us', bandwidth: '1GB/s' },
    eagerBelow: 1000,
  });
  const { net } = mapModel(model, { machine, ranks: RANKS }).program;
  const drawn: Record<string, number[]> = {};
  const order: number[] = [];
  const observers: Record<string, TransitionObserver> = {};
  const rankOf = new Map<string, number>();
  for (const t of net.transitions) {
    const { process } = t;
    if (process?.op !== 'var') continue;
    const rank = (binding: readonly number[]): number => binding[rankOf.get(t.name)!]!;
    const note = (what: string, value: number): void => {
      drawn[what] = [...(drawn[what] ?? []), value];
    };
    if (t.weight !== undefined)
      // Both alternatives of a choice in one list, named by their common prefix.
      observers[t.name] = {
        start: (_, ...binding) => note(`${t.name.replace(/ \w+$/, '')} of ${rank(binding)}`, t.name.length),
      };
    else if (t.delay !== undefined && isDistribution(t.delay)) {
      const since: number[] = [];
      observers[t.name] = {
        start: (time, ...binding) => {
          order.push(rank(binding));
          since[rank(binding)] = time;
        },
        end: (time, ...binding) => note(`${t.name} of ${rank(binding)}`, time - since[rank(binding)]!),
      };
    }
  }
  const compiled = compile(net, { observers });
  for (const t of net.transitions)
    if (t.process?.op === 'var') rankOf.set(t.name, compiled.variables(t.name).indexOf(t.process.name));
  compiled.start({ seed: 'ring', replication }).run(1e6);
  return { drawn, order };
}

test('the k-th draw of a rank at a statement is the same on every machine', () => {
  const [slow, fast] = [simulateLatency('200us'), simulateLatency('2us')];
  // The order of ranks differs, so a shared random stream would give other draws.
  expect(slow.order).not.toEqual(fast.order);
  expect(Object.keys(slow.drawn).sort()).toEqual(Object.keys(fast.drawn).sort());
  // Three random times and two choices per rank; in few iterations, some rank may never execute the branch.
  expect(Object.keys(slow.drawn).length).toBeGreaterThan(4 * RANKS);
  for (const [what, values] of Object.entries(slow.drawn)) {
    expect([what, fast.drawn[what]!.length]).toEqual([what, values.length]);
    // These are differences of times, so the last digits may differ.
    for (const [k, value] of values.entries()) expect(Math.abs(value - fast.drawn[what]![k]!)).toBeLessThan(1e-13);
  }
});

test('another replication draws other numbers', () => {
  expect(simulateLatency('2us', 1).drawn).not.toEqual(simulateLatency('2us').drawn);
});
