import { expect } from 'vitest';
import { exploration } from '../../../src/analysis/space/explore.ts';
import type { StateSpace } from '../../../src/analysis/space/state-space.ts';
import { InputError } from '../../../src/base/problem.ts';
import type { Net } from '../../../src/net/net.ts';
import { exploreReference, type ReferenceSpace } from '../../reference/explorer.ts';
import { markings, steps } from './texts.ts';

/** Maximum number of markings that the reference explores per net. */
const MAX_STATES = 150;

/**
 * Compares an explorer with the reference: markings by distance, steps, dead markings, maxima and failures, breadth-first and
 * depth-first. Returns the findings of the reference.
 */
export function compareSpaces(net: Net): Readonly<Record<string, number>> {
  const expected = exploreReference(net, MAX_STATES);
  const known = expected.steps.size;
  const running = exploration(net, { engine: 'general' });
  const { space } = running;
  let failure: string | undefined;
  try {
    running.advance(known);
  } catch (e) {
    if (!(e instanceof InputError)) throw e;
    failure = e.problems[0]!.code;
  }
  if (failure !== undefined || expected.failures.size > 0) {
    expect([...expected.failures]).toContain(failure);
    return { ...expected.happened, [`failure: ${failure}`]: 1 };
  }
  expect([space.expanded, space.complete]).toEqual([known, expected.complete]);
  const texts = markings(space);
  expect(levelsOf(space, texts)).toEqual(expected.levels.map((l) => [...l].sort()));
  const found = steps(space, known, texts);
  expect(found).toEqual(expected.steps);
  expect(space.edges).toBe([...expected.steps.values()].reduce((sum, list) => sum + list.length, 0));
  expect([space.maxTokensPerMarking, space.maxTokensInPlace]).toEqual([
    expected.maxTokensPerMarking,
    expected.maxTokensInPlace,
  ]);
  compareQueries(space, known);
  if (!expected.complete) return { ...expected.happened, truncated: 1, states: known };
  compareDepth(net, expected);
  expect(markings(lookedAt(net))).toEqual(texts);
  return { ...expected.happened, complete: 1, states: known };
}

function levelsOf(space: StateSpace, texts: readonly string[]): string[][] {
  return space.levels.map((from, k) => texts.slice(from, space.levels[k + 1]).sort());
}

/** Compares bulk queries with the steps of single states. */
function compareQueries(space: StateSpace, known: number): void {
  const { net } = space;
  const firings = Array.from({ length: known }, (_, state) => space.firings(state));
  expect([...space.outDegree(0, known)]).toEqual(firings.map((f) => f.length));
  const odd = net.transitions.flatMap((_, k) => (k % 2 === 1 ? [k] : []));
  const starts = firings.map((list) =>
    Number(list.some((f) => (f.kind === 'fire' || f.kind === 'start') && odd.includes(f.node))),
  );
  expect([...space.enabled(odd, 0, known)]).toEqual(starts);
  const places = net.places.flatMap((_, k) => (k % 2 === 0 ? [k] : []));
  const sums = firings.map((_, state) =>
    space
      .marking(state)
      .places.filter((p) => places.includes(p.place))
      .flatMap((p) => p.tokens)
      .reduce((sum, t) => sum + t.count, 0),
  );
  expect([...space.tokens(places, 0, known)]).toEqual(sums);
  if (!space.complete) return;
  const graph = space.graph()!;
  const targets = Array.from({ length: graph.states }, (_, s) =>
    Array.from({ length: graph.start[s + 1]! - graph.start[s]! }, (_, k) => graph.target(graph.start[s]! + k)),
  );
  expect(targets).toEqual(firings.map((list) => list.map((f) => f.target)));
  expect(graph.edges).toBe(space.edges);
  const labelled = space.stepGraph()!;
  expect([labelled.edges, ...labelled.start]).toEqual([graph.edges, ...graph.start]);
  expect(Array.from(labelled.target, (target, e) => ({ ...labelled.steps[labelled.step[e]!]!, target }))).toEqual(
    firings.flat(),
  );
}

function compareDepth(net: Net, expected: ReferenceSpace): void {
  const running = exploration(net, { engine: 'general', order: 'depth' });
  while (running.advance(7));
  const { space } = running;
  const texts = markings(space);
  expect(steps(space, space.states, texts)).toEqual(expected.steps);
  expect([space.complete, space.states, space.expanded, space.levels]).toEqual([true, texts.length, texts.length, []]);
  expect([space.maxTokensPerMarking, space.maxTokensInPlace]).toEqual([
    expected.maxTokensPerMarking,
    expected.maxTokensInPlace,
  ]);
}

/** The space, queried during exploration; queries must not change results, not even state numbers. */
function lookedAt(net: Net): StateSpace {
  const running = exploration(net, { engine: 'general' });
  const { space } = running;
  do space.firings(space.states - 1);
  while (running.advance(3));
  return space;
}
