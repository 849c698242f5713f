import * as fc from 'fast-check';
import type { MonitorSpec } from '../../src/analysis/monitor.ts';
import type { SimulatedRun } from '../../src/analysis/simulate.ts';
import type { Watch } from '../../src/analysis/watch.ts';
import { InputError } from '../../src/base/problem.ts';
import type { Net } from '../../src/net/net.ts';
import { arbitraryNet } from '../engine/random-net.ts';

/** All possible monitors of a net, named `kind name`, and a full recording. */
export function watchAll(net: Net): Required<Watch> {
  const monitors: Record<string, MonitorSpec> = {};
  for (const p of net.places) monitors[`tokens ${p.name}`] = { tokens: p.name };
  for (const t of net.transitions) {
    monitors[`firings ${t.name}`] = { firings: t.name };
    if (t.delay !== undefined && t.timing !== 'race') monitors[`busy ${t.name}`] = { busy: t.name };
  }
  return { monitors, record: 'all' };
}

/** Results of a run that do not depend on monitors. */
export function outcomeOf(net: Net, run: SimulatedRun): unknown {
  return {
    ended: run.ended,
    time: run.time,
    steps: run.steps,
    firings: run.firings,
    marking: net.places.map((p) => [p.name, run.run.tokens(p.name)]),
  };
}

/** Results of a run with its events and monitors. */
export function everythingOf(net: Net, run: SimulatedRun): unknown {
  return { outcome: outcomeOf(net, run), events: run.events, monitors: run.monitors };
}

/** Results of a run as JSON, or the codes of its failure. */
export function resultText(net: Net, run: SimulatedRun | string): string {
  return typeof run === 'string' ? run : JSON.stringify(everythingOf(net, run));
}

/** Random nets that are identical in every process. */
export function randomNets(count: number): Net[] {
  return fc.sample(arbitraryNet, { numRuns: count, seed: 7 });
}

/** The result of `make`, or the codes of the problems it throws. */
export function orCodes<R>(make: () => R): R | string {
  try {
    return make();
  } catch (e) {
    if (e instanceof InputError) return e.problems.map((p) => p.code).join();
    throw e;
  }
}
