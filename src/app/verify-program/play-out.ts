import { simulate } from '../../analysis/simulate.ts';
import { compile, type Game } from '../../engine/compile.ts';
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
  readonly game: Game;
  readonly steps: number;
  readonly ended: 'quiescent' | 'steps' | 'cancelled';
  readonly fired: (transition: string) => boolean;
}

/** Plays the net of a program without its times until nothing can happen any more. O(steps). */
export function playOut(play: Playable, { maxSteps, cancelled, progress }: PlayLimits): PlayedOut {
  const net = untimedNet(play.net, () => false);
  const run = simulate(compile(net), {
    maxSteps,
    maxInstantSteps: Number.POSITIVE_INFINITY,
    ...(cancelled === undefined ? {} : { cancelled }),
    ...(progress === undefined ? {} : { progress: (game) => progress(game.steps) }),
  });
  play.check(run.game);
  const { ended } = run;
  if (ended === 'time' || ended === 'condition') throw new Error(`a run without an end of its own ended by ${ended}`);
  return { game: run.game, steps: run.steps, ended, fired: (name) => (run.firings[name] ?? 0) > 0 };
}
