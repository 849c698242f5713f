import * as fc from 'fast-check';
import type { MonitorSpec } from '../../src/analysis/monitor.ts';
import type { SimulatedRun } from '../../src/analysis/simulate.ts';
import type { Watch } from '../../src/analysis/watch.ts';
import { InputError } from '../../src/base/problem.ts';
import type { Net } from '../../src/net/net.ts';
import { arbitraryNet } from '../engine/random-net.ts';

/** Every monitor that a net can have, by `kind name`, and a full recording. */
export function watchAll(net: Net): Required<Watch> {
  const monitors: Record<string, MonitorSpec> = {};
  for (const p of net.places) monitors[`tokens ${p.name}`] = { tokens: p.name };
  for (const t of net.transitions) {
    monitors[`firings ${t.name}`] = { firings: t.name };
    if (t.delay !== undefined && t.timing !== 'race') monitors[`busy ${t.name}`] = { busy: t.name };
  }
  return { monitors, record: 'all' };
}

/** What a run came to, whatever was watched. */
export function outcomeOf(net: Net, run: SimulatedRun): unknown {
  return {
    ended: run.ended,
    time: run.time,
    steps: run.steps,
    firings: run.firings,
    marking: net.places.map((p) => [p.name, run.game.tokens(p.name)]),
  };
}

/** What a run came to with all that was watched. */
export function everythingOf(net: Net, run: SimulatedRun): unknown {
  return { outcome: outcomeOf(net, run), events: run.events, monitors: run.monitors };
}

/** What a run came to, as JSON; or the codes with which it failed. */
export function resultText(net: Net, run: SimulatedRun | string): string {
  return typeof run === 'string' ? run : JSON.stringify(everythingOf(net, run));
}

/** Random nets, the same in every process. */
export function randomNets(count: number): Net[] {
  return fc.sample(arbitraryNet, { numRuns: count, seed: 7 });
}

/** The result, or the codes of the problems with which it failed. */
export function orCodes<R>(make: () => R): R | string {
  try {
    return make();
  } catch (e) {
    if (e instanceof InputError) return e.problems.map((p) => p.code).join();
    throw e;
  }
}
