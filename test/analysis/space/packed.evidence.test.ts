import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { flatten } from '../../../src/analysis/petri/flatten.ts';
import { exploration } from '../../../src/analysis/space/explore.ts';
import { PackedExploration } from '../../../src/analysis/space/packed/packed-exploration.ts';
import { PackedMemory } from '../../../src/analysis/space/packed/packed-memory.ts';
import type { ExploreOptions, StateSpace } from '../../../src/analysis/space/state-space.ts';
import { InputError } from '../../../src/base/problem.ts';
import { explore } from '../../../src/commands/explore/explore.ts';
import type { Net } from '../../../src/net/net.ts';
import { atFullEffort, effort, FULL_EFFORT } from '../../effort.ts';
import { philosophers } from '../../net/contest-nets.ts';
import { finiteNet } from '../../net/random-finite-net.ts';
import { netOf, put, take } from '../../reference/nets.ts';
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

/** Figures of a space with its state numbers and edge order. */
function numbered(space: StateSpace): unknown {
  const { states, edges, levels } = space;
  const graph = space.graph();
  return {
    ...spaceFigures(space),
    levels,
    markings: Array.from({ length: states }, (_, s) => space.marking(s)),
    degrees: space.outDegree(0, states),
    start: graph?.start,
    targets: graph && Array.from({ length: edges }, (_, k) => graph.target(k)),
    steps: space.complete ? space.stepGraph() : undefined,
  };
}

test('an exploration whose states move in memory finds the same states and edges in the same order', () => {
  let moved = 0;
  let grown = 0;
  let widened = 0;
  const check = (net: Net, options: ExploreOptions, manySteps?: number): void => {
    const [moving, resting] = [16, undefined].map((room) => {
      const running = new PackedExploration(flatten(net), options, undefined, manySteps, room);
      const { arenaAt, ints } = running.memory;
      const { words } = running.layout;
      while (running.advance(64));
      if (running.memory.arenaAt > arenaAt) moved++;
      if (running.memory.ints.length > ints.length) grown++;
      if (running.layout.words > words) widened++;
      return running.space;
    });
    expect(numbered(moving!)).toEqual(numbered(resting!));
    expect(moving!.truncation).toBe(resting!.truncation);
  };
  fc.assert(
    fc.property(finiteNet, fc.constantFrom('breadth', 'depth'), fc.constantFrom(undefined, 1), (net, order, steps) => {
      fc.pre(isFlat(net));
      check(net, { maxStates: MAX_STATES, order }, steps);
    }),
    { numRuns: effort(100), seed: SEED + 3 },
  );
  expect(moved).toBeGreaterThan(atFullEffort(10));
  moved = grown = widened = 0;
  check(philosophers(8), {});
  for (const order of ['breadth', 'depth'] as const) check(outgrowing, { maxStates: 20_000, order });
  // Both explorations of a pair widen fields; the one that begins with much memory needs no more.
  expect({ moved, grown, widened }).toEqual({ moved: 3, grown: 3, widened: 4 });
});

test('moved states end at the same limit of memory', () => {
  for (const workers of [1, 2]) {
    const large = new PackedMemory(workers, Number.POSITIVE_INFINITY, 3, 5);
    const small = new PackedMemory(workers, Number.POSITIVE_INFINITY, 3, 5, 16);
    expect(large.maxEntries).toBe(2 ** 28);
    for (const words of [1, 3, 100]) {
      // The table takes 1 GiB; before it come a page, the results, the queues and the plan.
      const rows = Math.floor((3 * 2 ** 30 - 2 ** 16 - 2 ** 22 - workers * 2 ** 18 - 4 * 5) / (4 * words)) - 1;
      expect([large.maxStates(words), small.maxStates(words)]).toEqual([rows, rows]);
    }
    expect(small.moveArena(2 ** 28, 1, 1)).toBe(true);
    expect(small.growTo(small.maxStates(3), 3)).toBe(true);
    expect(small.rows(3)).toBe(small.maxStates(3));
    expect(small.growTo(small.maxStates(3) + 1, 3)).toBe(false);
  }
});

/** Counts in many places that outgrow their first bits. */
const outgrowing: Net = netOf({
  places: { source: { tokens: 1 }, ...Object.fromEntries(Array.from({ length: 6 }, (_, k) => [`p${k}`, {}])) },
  transitions: {
    one: { inputs: [take('source')], outputs: [put('p0', {}, 3), put('source')] },
    ...Object.fromEntries(
      Array.from({ length: 5 }, (_, k) => [`t${k}`, { inputs: [take(`p${k}`)], outputs: [put(`p${k + 1}`, {}, 2)] }]),
    ),
  },
});
