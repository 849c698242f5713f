import { simulate } from '../../analysis/simulate.ts';
import { compile } from '../../engine/compile.ts';
import type { ThreadNet } from '../../models/threads/net/thread-net.ts';
import { ThreadEvents, type ThreadSink } from '../../models/threads/thread-events.ts';
import { DEFAULT_SEED } from '../document.ts';
import { threadFault } from './thread-outcome.ts';

/** The result of {@link runThreads}. */
export interface ThreadRun {
  /** Seconds until the last main strand has ended; without an end, until the last event. */
  readonly time: number;
  /** Starts and ends of firings. */
  readonly steps: number;
  /** Whether all main strands have ended: false in a deadlock, and if the run was cut off. */
  readonly ended: boolean;
  /** Whether the run reached the limit of steps. */
  readonly isCut: boolean;
}

/** Options of {@link runThreads}. */
export interface RunThreadsOptions {
  readonly seed?: string;
  readonly maxSteps?: number;
  readonly sink?: ThreadSink;
}

/**
 * Runs the net of a thread program to its end.
 *
 * @throws InputError THR009 for a strand that releases what it does not hold
 */
export function runThreads(net: ThreadNet, { seed, maxSteps, sink }: RunThreadsOptions = {}): ThreadRun {
  const { rows, pools } = net.program;
  const compiled = compile(net.net, {
    timed: ['ended'],
    steps: 3 * rows.count,
    ...(sink === undefined ? {} : { log: new ThreadEvents(net, sink).log() }),
  });
  const run = simulate(compiled, {
    seed: seed ?? DEFAULT_SEED,
    maxInstantSteps: 1e6 + 20 * rows.count,
    ...(maxSteps === undefined ? {} : { maxSteps }),
  });
  const fault = threadFault(net, run.game);
  if (fault !== undefined) throw fault;
  const ends = run.game.tokens('ended').map(({ time }) => time);
  const ended = ends.length === pools;
  return { time: ended ? Math.max(...ends) : run.time, steps: run.steps, ended, isCut: run.ended === 'steps' };
}
