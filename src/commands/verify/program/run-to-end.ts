import { simulate } from '../../../analysis/simulate.ts';
import { ownOf } from '../../../base/own.ts';
import type { Problem } from '../../../base/problem.ts';
import { compile, type NetRun } from '../../../engine/compile.ts';
import { ORDER_PRIORITY } from '../../../models/program/resolve/wild-order.ts';
import { CollectiveLog } from '../../../models/program/run/collective-log.ts';
import type { Net, OutputArc, Place, Transition } from '../../../net/net.ts';
import { checkRun } from '../../predict/model/program-fault.ts';
import type { ProgramInstanceNet } from './subject.ts';

export interface RunLimits {
  readonly maxSteps: number;
  readonly seconds?: number;
  readonly cancelled?: () => boolean;
  readonly progress?: (steps: number) => void;
}

/** A run to its end, or up to its limit. */
export interface EndedRun {
  readonly marking: NetRun;
  readonly steps: number;
  readonly ended: 'quiescent' | 'steps' | 'time' | 'cancelled';
  readonly fired: (transition: string) => boolean;
  /** Faults of a run that also deadlocks. */
  readonly warnings: readonly Problem[];
}

/**
 * Runs the untimed net of a program until no transition is enabled. O(steps).
 *
 * @throws InputError MODEL020, MODEL027, MODEL033 for a faulty run
 */
export function runToEnd(program: ProgramInstanceNet, { maxSteps, seconds, cancelled, progress }: RunLimits): EndedRun {
  const end = seconds === undefined ? Number.POSITIVE_INFINITY : performance.now() + 1000 * seconds;
  let late = false;
  const stopped = (): boolean => {
    late ||= performance.now() > end;
    return late || cancelled?.() === true;
  };
  // Immediate matching preserves the order of wildcard messages (src/models/README.md, "Wildcards").
  const net = untimedNet(program.net, (t) => t.name === program.wildMatch, program.sized);
  const log = program.program === undefined ? undefined : new CollectiveLog(program.program);
  const run = simulate(compile(net, log === undefined ? {} : { log: { ...log.log() } }), {
    maxSteps,
    maxInstantSteps: Number.POSITIVE_INFINITY,
    ...(cancelled === undefined && seconds === undefined ? {} : { cancelled: stopped }),
    ...(progress === undefined ? {} : { progress: (marking) => progress(marking.steps) }),
  });
  if (run.ended === 'time' || run.ended === 'condition')
    throw new Error(`a run without a stop condition ended by ${run.ended}`);
  const ended = run.ended === 'cancelled' && late ? 'time' : run.ended;
  const complete = ended === 'quiescent';
  const warnings =
    program.program === undefined
      ? []
      : checkRun(program.program, {
          marking: run.run,
          calls: log!.calls,
          complete,
          stuck: complete && run.run.tokens('ended').length < program.program.world.ranks,
        });
  return { warnings, marking: run.run, steps: run.steps, ended, fired: (name) => (ownOf(run.firings, name) ?? 0) > 0 };
}

/** Colour set of message sizes. Unless the protocol depends on them, they affect times only and are dropped. */
const AMOUNTS = 'Bytes';

/**
 * Removes times from a net: firings have no duration, places have no service, and messages have no sizes. Atomic firings
 * reach the same outcomes as firings with a separate start and end, because no other transition observes the tokens that a
 * firing holds (README.md).
 *
 * @param first selects transitions that fire before all others when enabled, in the order of the net; the alternatives of a
 *   random draw share one priority
 * @param sized keep message sizes, because the protocol depends on them
 */
export function untimedNet(net: Net, first: (t: Transition) => boolean, sized = false): Net {
  const high = sized ? Number.MAX_SAFE_INTEGER : 0;
  const colours = net.colours.map((c) =>
    c.name === AMOUNTS ? ({ kind: 'range', name: AMOUNTS, low: 0, high } as const) : c,
  );
  const places = net.places.map(({ service: _, ...place }): Place => place);
  const amounts = new Map(
    places.map((p) => [p.name, sized ? [] : p.fields.filter((f) => f.colour === AMOUNTS).map((f) => f.name)] as const),
  );
  const sizeless = (arc: OutputArc): OutputArc => {
    const nothing = amounts.get(arc.place)!.map((field) => [field, { op: 'const', value: 0 }] as const);
    return nothing.length === 0 ? arc : { ...arc, values: { ...arc.values, ...Object.fromEntries(nothing) } };
  };
  const transitions = net.transitions.map((given, k): Transition => {
    const { delay: _, weight, timing: _t, priority, ...t } = { ...given, outputs: given.outputs.map(sizeless) };
    if (priority === ORDER_PRIORITY) return { ...t, priority: 3 + 2 * net.transitions.length - k };
    return first(given) ? { ...t, priority: weight === undefined ? 2 + net.transitions.length - k : 1 } : t;
  });
  return { ...net, colours, places, transitions };
}
