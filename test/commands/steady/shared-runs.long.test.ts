import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { type Replicate, replicate } from '../../../src/analysis/long-run/replicated-runs.ts';
import { Budget } from '../../../src/analysis/space/budget.ts';
import { fail, InputError } from '../../../src/base/problem.ts';
import { importModule } from '../../../src/commands/command-line/import-module.ts';
import { openInput } from '../../../src/commands/inputs/load-model.ts';
import { measuredQuestion } from '../../../src/commands/steady/simulated/by-simulation.ts';
import { RunPool } from '../../../src/commands/steady/simulated/run-pool.ts';
import { steadyFile } from '../../../src/commands/steady/steady.ts';
import type { SteadyOptions } from '../../../src/commands/steady/steady-options.ts';
import { questionOf } from '../../../src/commands/steady/steady-question.ts';
import { exponential, NetBuilder, netToJson, steady } from '../../../src/index.ts';
import { netHash } from '../../../src/net/net-hash.ts';

const dir = mkdtempSync(join(tmpdir(), 'foretoken-shared-runs-'));
afterAll(() => rmSync(dir, { recursive: true }));

const n = new NetBuilder('counter');
const outside = n.place('outside', {}, { initial: 1 });
const waiting = n.place('waiting', {});
const clerk = n.place('clerk', {}, { initial: 1 });
n.transition('arrive', (t) => {
  t.take(outside);
  t.put(outside, {});
  t.put(waiting, {});
  t.delay(exponential(0.5));
});
n.transition('serve', (t) => {
  t.take(waiting);
  t.take(clerk);
  t.put(clerk, {});
  t.delay(1);
});
const net = n.build();
const file = join(dir, 'counter.json');
writeFileSync(file, netToJson(net));

const options: SteadyOptions = { method: 'simulate', replications: 12, rewards: { queue: '#waiting' }, seed: 's' };
const { question } = questionOf(await openInput('steady', file, importModule), options, Budget.of());
const { measured, gauges } = measuredQuestion(question, false);
const never = (): boolean => false;
/** Simulated seconds: about 0.2 s of work for each run. */
const UNTIL = 2e5;
const alone = (replication: number): Replicate => replicate(measured, { seed: 's', replication }, UNTIL, never, gauges);
const RUNS = 12;
const expected = Array.from({ length: RUNS }, (_, k) => alone(k));

/** One round of a pool, and the replications that the calling thread made. */
function round(
  workers: number,
  hash = netHash(net),
  run = alone,
  stop: (own: readonly number[]) => boolean = never,
): { readonly results: readonly Replicate[] | undefined; readonly own: readonly number[] } {
  const pool = new RunPool({ file, options, hash }, workers);
  const own: number[] = [];
  try {
    // Further rounds: threads are ready in the end, however slow the computer is.
    for (let k = 0; ; k++) {
      own.length = 0;
      const counted = (replication: number): Replicate => {
        own.push(replication);
        return run(replication);
      };
      const results = pool.round(RUNS, UNTIL, counted, () => stop(own));
      if (own.length < RUNS || workers === 1 || k === 20 || hash !== netHash(net)) return { results, own };
    }
  } finally {
    pool.end();
  }
}

describe('replications that threads share', () => {
  test.each([2, 3, 5])('by %i threads are those of one', (workers) => {
    const { results, own } = round(workers);
    expect(own.length).toBeLessThan(RUNS);
    expect(results).toEqual(expected);
  });

  test('a thread that finds another net takes no part', () => {
    const { results, own } = round(3, 'other');
    expect(own).toEqual(Array.from({ length: RUNS }, (_, k) => k));
    expect(results).toEqual(expected);
  });

  test('the failure of the lowest number is reported', () => {
    const failing = (replication: number): Replicate => fail('RUN001', `run ${replication} fails`);
    const pool = new RunPool({ file, options, hash: netHash(net) }, 2);
    try {
      expect(() => pool.round(RUNS, UNTIL, failing, never)).toThrow(InputError);
      expect(() => pool.round(RUNS, UNTIL, failing, never)).toThrow('run 0 fails');
    } finally {
      pool.end();
    }
  });

  test('a round that is stopped has no results', () => {
    expect(round(2, netHash(net), alone, (own) => own.length >= 2).results).toBeUndefined();
  });
});

test('the document is the same for any number of threads, and that of the net itself', async () => {
  const own = { ...options, precision: 0.01 };
  const of = async (workers: number): Promise<object> => {
    const { seconds: _, inputs: __, ...rest } = await steadyFile(file, { ...own, workers }, importModule);
    return rest;
  };
  const one = await of(1);
  for (const workers of [2, 4]) expect(await of(workers)).toEqual(one);
  const { seconds: _, inputs: __, ...rest } = steady(net, own);
  expect(rest).toEqual(one);
  expect(rest).toMatchObject({ complete: true, simulation: { replications: 12 } });
});

test.each<[SteadyOptions, string]>([
  [{ replications: 4, workers: 0 }, 'EXPL005 workers: expected an integer'],
  [{ replications: 4, workers: 1.5 }, 'EXPL005 workers'],
  [{ workers: 2 }, 'STAT001 option workers needs replications'],
  [{ workers: 2, replications: 4, method: 'ctmc' }, 'STAT001 option replications'],
  [{ workers: 2, method: 'bounds' }, 'STAT001 option workers does not apply to method bounds'],
])('refused: %j', (wrong, message) => {
  expect(() => steady(net, wrong)).toThrow(message);
});
