import { simulate } from '../../analysis/simulate.ts';
import type { Problem } from '../../base/problem.ts';
import { compile, type NetRun } from '../../engine/compile.ts';
import { CollectiveLog } from '../../models/program/collective-log.ts';
import { checkRun } from '../predict/program-fault.ts';
import type { Playable } from './subject.ts';
import { untimedNet } from './untimed-net.ts';

/** Limits and callbacks of a run. */
export interface PlayLimits {
  readonly maxSteps: number;
  readonly cancelled?: () => boolean;
  readonly progress?: (steps: number) => void;
}

/** A run to its end, or up to its limit. */
export interface PlayedOut {
  readonly game: NetRun;
  readonly steps: number;
  readonly ended: 'quiescent' | 'steps' | 'cancelled';
  readonly fired: (transition: string) => boolean;
  /** Faults of a run that also deadlocks. */
  readonly warnings: readonly Problem[];
}

/**
 * Runs the untimed net of a program until no transition is enabled. O(steps).
 *
 * @throws InputError MODEL020, MODEL027, MODEL033 for a faulty run
 */
export function playOut(play: Playable, { maxSteps, cancelled, progress }: PlayLimits): PlayedOut {
  // Immediate matching preserves the order of wildcard messages (docs/design.md, "Wildcards").
  const net = untimedNet(play.net, (t) => t.name === play.wildMatch, play.sized);
  const log = play.program === undefined ? undefined : new CollectiveLog(play.program);
  const run = simulate(compile(net, log === undefined ? {} : { log: { ...log.log() } }), {
    maxSteps,
    maxInstantSteps: Number.POSITIVE_INFINITY,
    ...(cancelled === undefined ? {} : { cancelled }),
    ...(progress === undefined ? {} : { progress: (game) => progress(game.steps) }),
  });
  const { ended } = run;
  if (ended === 'time' || ended === 'condition') throw new Error(`a run without a stop condition ended by ${ended}`);
  const complete = ended === 'quiescent';
  const warnings =
    play.program === undefined
      ? []
      : checkRun(play.program, {
          marking: run.game,
          calls: log!.calls,
          complete,
          stuck: complete && run.game.tokens('ended').length < play.program.world.ranks,
        });
  return { warnings, game: run.game, steps: run.steps, ended, fired: (name) => (run.firings[name] ?? 0) > 0 };
}
