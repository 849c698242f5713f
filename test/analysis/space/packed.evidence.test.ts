import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { flatten } from '../../../src/analysis/petri/flatten.ts';
import { exploration } from '../../../src/analysis/space/explore.ts';
import { PackedExploration } from '../../../src/analysis/space/packed/packed-exploration.ts';
import type { ExploreOptions, StateSpace } from '../../../src/analysis/space/state-space.ts';
import { InputError } from '../../../src/base/problem.ts';
import { explore } from '../../../src/commands/explore/explore.ts';
import type { Net } from '../../../src/net/net.ts';
import { atFullEffort, effort, FULL_EFFORT } from '../../effort.ts';
import { philosophers } from '../../net/contest-nets.ts';
import { finiteNet } from '../../net/random-finite-net.ts';
import { spaceFigures, spaceText } from './same-space.ts';

const RUNS = effort(300);
const SEED = process.env['FORETOKEN_SEED'] === undefined ? 11 : Number(process.env['FORETOKEN_SEED']);
const MAX_STATES = 1500;

function explored(net: Net, options: ExploreOptions): StateSpace {
  const running = exploration(net, { maxStates: MAX_STATES, ...options });
  while (running.advance(64));
  return running.space;
}

/** True if the packed explorer accepts the net. */
function isFlat(net: Net): boolean {
  try {
    flatten(net);
    return true;
  } catch (e) {
    if (e instanceof InputError) return false;
    throw e;
  }
}

test('packed and general explorer find the same space, breadth-first and depth-first', { timeout: 600_000 }, () => {
  const seen = { nets: 0, complete: 0, states: 0, timed: 0 };
  fc.assert(
    fc.property(finiteNet, (net) => {
      if (!isFlat(net)) return;
      const packed = explored(net, { engine: 'packed' });
      const general = explored(net, { engine: 'general' });
      seen.nets++;
      expect(packed.complete).toBe(general.complete);
      if (!general.complete) return;
      seen.complete++;
      seen.states += packed.states;
      if (net.transitions.some((t) => t.delay !== undefined)) seen.timed++;
      expect(spaceFigures(packed)).toEqual(spaceFigures(general));
      expect(spaceText(packed)).toEqual(spaceText(general));
      const deep = explored(net, { engine: 'packed', order: 'depth' });
      expect(spaceText(deep)).toEqual(spaceText(general));
    }),
    { numRuns: RUNS, seed: SEED },
  );
  if (process.env['FORETOKEN_TABLE'] !== undefined) console.log(seen);
  expect(seen.complete).toBeGreaterThan(atFullEffort(RUNS / 10));
});

test('several threads find the same space as one', { timeout: 600_000 }, () => {
  let complete = 0;
  fc.assert(
    fc.property(finiteNet, (net) => {
      if (!isFlat(net)) return;
      const alone = explored(net, { engine: 'packed' });
      if (!alone.complete || alone.states < 100) return;
      complete++;
      const together = new PackedExploration(flatten(net), { workers: 2 }, 4);
      while (together.advance(64)) if (together.space.states > 20) waitForThreads(20);
      expect(spaceFigures(together.space)).toEqual(spaceFigures(alone));
      expect(spaceText(together.space)).toEqual(spaceText(alone));
      const graph = together.space.graph()!;
      expect(graph.edges).toBe(alone.edges);
      const targets = Array.from({ length: graph.edges }, (_, k) => graph.target(k)).sort();
      const firings = Array.from({ length: alone.states }, (_, k) => together.space.firings(k).map((f) => f.target));
      expect(targets).toEqual(firings.flat().sort());
    }),
    { numRuns: Math.ceil(RUNS / 5), seed: SEED + 1 },
  );
  expect(complete).toBeGreaterThan(atFullEffort(2));
});

test('all threads do some of the work', { timeout: 60_000 }, () => {
  const net = philosophers(9);
  const together = new PackedExploration(flatten(net), { workers: 2 }, 4);
  while (together.advance(1024)) waitForThreads(100);
  // With little effort, many files run at once, and the other thread may start when the work is done.
  if (FULL_EFFORT) expect(together.byOthers).toBeGreaterThan(100);
  expect(spaceFigures(together.space)).toEqual(spaceFigures(explored(net, { engine: 'packed', maxStates: 1e6 })));
});

/** Gives threads time to start, so that they take part in the exploration. */
function waitForThreads(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

test('reports on states do not depend on the number of threads', { timeout: 60_000 }, () => {
  const net = philosophers(9);
  const documents = [1, 2].map((workers) => {
    const { seconds, totalSeconds, bytesPerState, options, ...document } = explore(
      net,
      { workers },
      (given, own) => new PackedExploration(flatten(given), own, 4),
    );
    return document;
  });
  expect(documents[0]!.dead.length).toBe(2);
  expect(documents[1]).toEqual(documents[0]);
});

test('steps from a table find the same space as compiled steps', { timeout: 600_000 }, () => {
  let complete = 0;
  // Starting threads takes longer than exploring these nets.
  for (const [workers, runs] of [
    [1, effort(50)],
    [2, effort(20)],
  ] as const)
    fc.assert(
      fc.property(finiteNet, (net) => {
        fc.pre(isFlat(net));
        const compiled = explored(net, { engine: 'packed' });
        const table = new PackedExploration(flatten(net), { maxStates: MAX_STATES, workers }, 4, 1);
        while (table.advance(64));
        expect(table.space.complete).toBe(compiled.complete);
        fc.pre(compiled.complete);
        complete++;
        expect(spaceFigures(table.space)).toEqual(spaceFigures(compiled));
        expect(spaceText(table.space)).toEqual(spaceText(compiled));
      }),
      { numRuns: runs, seed: SEED + 2 },
    );
  expect(complete).toBeGreaterThan(20);
});
