import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { LoggedEvent } from '../../../src/analysis/event-log.ts';
import { simulate } from '../../../src/analysis/simulate.ts';
import { exploration } from '../../../src/analysis/space/explore.ts';
import type { Firing, MarkingView, StateSpace } from '../../../src/analysis/space/state-space.ts';
import { InputError } from '../../../src/base/problem.ts';
import type { MarkedToken } from '../../../src/engine/compile.ts';
import type { Net } from '../../../src/net/net.ts';
import { atFullEffort, effort } from '../../effort.ts';
import { arbitraryNet } from '../../engine/random-net.ts';
import { byColour, inOrderOfLeaving, runsOf } from '../../reference/explorer.ts';
import { Model } from '../../reference/model.ts';

const RUNS = effort(75);
const STEPS = 40;
const MAX_STATES = 1500;

interface Run {
  /** The tokens of all places after every step, as a string. */
  readonly markings: readonly string[];
  readonly events: readonly LoggedEvent[];
}

/** A run of the simulator; undefined if it fails. */
function runOf(net: Net, model: Model, seed: string): Run | undefined {
  const markings: string[] = [];
  try {
    const { events } = simulate(net, {
      seed,
      maxSteps: STEPS,
      record: 'all',
      stopWhen: (run) => {
        markings.push(tokensText(model, (place) => run.tokens(place)));
        return false;
      },
    });
    return { markings, events };
  } catch (e) {
    if (!(e instanceof InputError)) throw e;
    return undefined;
  }
}

function tokensText(model: Model, tokensOf: (place: string) => readonly MarkedToken[]): string {
  return JSON.stringify(
    model.net.places.map((place) => {
      const all = [...tokensOf(place.name)].sort((a, b) => (a.age === b.age ? 0 : a.age - b.age));
      const visible = all.filter((t) => t.age !== Number.POSITIVE_INFINITY).map((t) => t.values);
      const served = all.filter((t) => t.age === Number.POSITIVE_INFINITY).map((t) => t.values);
      return [
        ...runsOf(inOrderOfLeaving(model, place, visible), 'place'),
        ...runsOf([...served].sort(byColour), 'service'),
      ];
    }),
  );
}

/** The same string for a state. Tokens in service have no order in a run. */
function stateText(net: Net, view: MarkingView): string {
  return JSON.stringify(
    net.places.map((_, k) => {
      const tokens = view.places.find((p) => p.place === k)?.tokens ?? [];
      const served = tokens.filter((t) => t.where === 'service');
      const rows = served.flatMap((t) => Array<readonly number[]>(t.count).fill(t.values)).sort(byColour);
      return [...tokens.filter((t) => t.where === 'place'), ...runsOf(rows, 'service')];
    }),
  );
}

/** Number of run steps that can be followed in the space, and whether the space is complete. */
function followed(space: StateSpace, run: Run): { steps: number; left: boolean } {
  const { net } = space;
  const texts = new Map<number, string>();
  const text = (state: number): string => {
    let known = texts.get(state);
    if (known === undefined) {
      known = stateText(net, space.marking(state));
      texts.set(state, known);
    }
    return known;
  };
  // Possible positions of the run: a state, and the number of events that have happened.
  let at: [number, number][] = [[0, 0]];
  for (const [k, marking] of run.markings.entries()) {
    const next = new Map<string, [number, number]>();
    let left = false;
    for (const [state, happened] of at)
      for (const f of space.firings(state)) {
        const event = run.events[happened];
        const served = f.kind === 'serve';
        if (!served && (event === undefined || !isOf(net, f, event))) continue;
        if (f.target < 0) left = true;
        else if (text(f.target) === marking) {
          const after = happened + (served ? 0 : 1);
          next.set(`${f.target} ${after}`, [f.target, after]);
        }
      }
    if (next.size === 0) return { steps: k, left };
    at = [...next.values()];
  }
  return { steps: run.markings.length, left: false };
}

function isOf(net: Net, f: Firing, event: LoggedEvent): boolean {
  return (
    f.kind === event.what &&
    net.transitions[f.node]!.name === event.transition &&
    Object.entries(event.binding).every(([name, value]) => f.binding[name] === value)
  );
}

test('every simulated run of a timed net is a path in its state space (E9)', { timeout: 600_000 }, () => {
  const seen = { whole: 0, left: 0, steps: 0 };
  fc.assert(
    fc.property(arbitraryNet, fc.nat({ max: 9 }), (net: Net, seed) => {
      const run = runOf(net, new Model(net), String(seed));
      if (run === undefined) return;
      const running = exploration(net, { engine: 'general', maxStates: MAX_STATES });
      try {
        while (running.advance(500));
      } catch (e) {
        // Markings reached on other paths may fail.
        if (!(e instanceof InputError)) throw e;
        return;
      }
      const { steps, left } = followed(running.space, run);
      if (left) seen.left++;
      else expect(steps).toBe(run.markings.length);
      if (steps === run.markings.length && steps > 5) seen.whole++;
      seen.steps += steps;
    }),
    { numRuns: RUNS },
  );
  expect(seen.whole).toBeGreaterThan(atFullEffort(RUNS / 3));
});
