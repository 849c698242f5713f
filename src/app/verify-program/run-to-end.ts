import { simulate } from '../../analysis/simulate.ts';
import type { Problem } from '../../base/problem.ts';
import { compile, type NetRun } from '../../engine/compile.ts';
import { CollectiveLog } from '../../models/program/collective-log.ts';
import { checkRun } from '../predict/program-fault.ts';
import type { ProgramInstanceNet } from './subject.ts';
import { untimedNet } from './untimed-net.ts';

/** Limits and callbacks of a run. */
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
  // Immediate matching preserves the order of wildcard messages (docs/design.md, "Wildcards").
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
  return { warnings, marking: run.run, steps: run.steps, ended, fired: (name) => (run.firings[name] ?? 0) > 0 };
}
