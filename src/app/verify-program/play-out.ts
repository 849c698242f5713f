import { simulate } from '../../analysis/simulate.ts';
import type { Problem } from '../../base/problem.ts';
import { compile, type NetRun } from '../../engine/compile.ts';
import { CollectiveLog } from '../../models/program/collective-log.ts';
import { checkRun } from '../predict/program-fault.ts';
import type { Playable } from './subject.ts';
import { untimedNet } from './untimed-net.ts';

/** Limits of a run, and how to follow it. */
export interface PlayLimits {
  readonly maxSteps: number;
  readonly cancelled?: () => boolean;
  readonly progress?: (steps: number) => void;
}

/** One run to its end, or up to the limit. */
export interface PlayedOut {
  readonly game: NetRun;
  readonly steps: number;
  readonly ended: 'quiescent' | 'steps' | 'cancelled';
  readonly fired: (transition: string) => boolean;
  /** What is wrong in a run whose ranks wait for ever, as warnings. */
  readonly warnings: readonly Problem[];
}

/**
 * Plays the net of a program without its times until nothing can happen any more. O(steps).
 *
 * @throws InputError MODEL020, MODEL027, MODEL033 for a faulty run
 */
export function playOut(play: Playable, { maxSteps, cancelled, progress }: PlayLimits): PlayedOut {
  // Matched as soon as they can be, messages with wildcards keep their order (docs/design.md, "Wildcards").
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
