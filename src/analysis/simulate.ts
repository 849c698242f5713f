import type { CompiledNet, Game } from '../engine/compile.ts';

export interface SimulateOptions {
  /** Steps at one instant after which the run fails with RUN001, default 10⁶. */
  readonly maxInstantSteps?: number;
  /** Starts and ends after which the run is ended; default none. */
  readonly maxSteps?: number;
  /** Asked between slices of some ten thousand steps; true ends the run. */
  readonly cancelled?: () => boolean;
  /** Told between slices how the game stands. */
  readonly progress?: (game: Game) => void;
}

export interface SimulatedRun {
  /** `quiescent`: nothing is left that can happen. */
  readonly ended: 'quiescent' | 'cancelled' | 'steps';
  /** Seconds. */
  readonly time: number;
  readonly steps: number;
  readonly firings: Readonly<Record<string, number>>;
  readonly game: Game;
}

const SLICE = 1 << 14;

/** Plays a compiled net until nothing can happen any more, in slices, so that it can be watched and ended. */
export function simulate(net: CompiledNet, options: SimulateOptions = {}): SimulatedRun {
  const { cancelled, progress, maxInstantSteps, maxSteps = Number.POSITIVE_INFINITY } = options;
  const game = net.start(maxInstantSteps === undefined ? {} : { maxInstantSteps });
  let ended: SimulatedRun['ended'] = 'quiescent';
  while (game.run(Math.min(SLICE, maxSteps - game.steps))) {
    if (game.steps >= maxSteps) {
      ended = 'steps';
      break;
    }
    if (cancelled?.() === true) {
      ended = 'cancelled';
      break;
    }
    progress?.(game);
  }
  return {
    ended,
    time: game.now,
    steps: game.steps,
    firings: Object.fromEntries(net.transitions.map((t, k) => [t, game.firings[k]!])),
    game,
  };
}
