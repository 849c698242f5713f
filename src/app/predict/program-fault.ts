import { simulate } from '../../analysis/simulate.ts';
import { formatProblem, InputError, type Problem } from '../../base/problem.ts';
import { compile } from '../../engine/compile.ts';
import type { CollectiveCalls } from '../../models/program/collective-calls.ts';
import { CollectiveLog } from '../../models/program/collective-log.ts';
import type { ProgramNet } from '../../models/program/program-net.ts';
import { DEFAULT_SEED } from '../document.ts';
import { faultOf } from './model-outcome.ts';

/** Steps after which a run that only looks for faults is given up. */
const MAX_STEPS = 1e7;

/** How far a run of a program has come. */
export interface RunState {
  /** The tokens of its marking. */
  readonly marking: Parameters<typeof faultOf>[1];
  /** The calls of collectives that its ranks have made. */
  readonly calls: Pick<CollectiveCalls, 'problem'>;
  /** Nothing more can happen. */
  readonly complete: boolean;
  /** Nothing more can happen, and some rank has not ended. */
  readonly stuck: boolean;
}

/**
 * The one place that decides whether a run of a program is faulty, for every command and matcher: a rank has come to a
 * statement with an invalid argument, or ranks do not make the same collective calls. In a deadlock the second is not the
 * answer but a warning, which is returned.
 *
 * @throws InputError MODEL020, MODEL027, MODEL033 with the line of the model
 */
export function checkRun(program: ProgramNet, { marking, calls, complete, stuck }: RunState): Problem[] {
  const fault = faultOf(program, marking);
  if (fault !== undefined) throw fault;
  const unlike = calls.problem(complete && !stuck);
  if (unlike === undefined) return [];
  if (!stuck) throw new InputError([unlike]);
  return [unlike];
}

/**
 * Checks a program for commands that do not run it: plays its net once, as `predict` does with the default seed, for at most
 * 10⁷ steps. A program whose steps depend on what is drawn or on what comes first is checked along this run alone.
 *
 * @returns warnings, as text
 * @throws InputError as {@link checkRun}
 */
export function checkProgram(program: ProgramNet): string[] {
  const log = new CollectiveLog(program);
  const { transitions, read } = log.log();
  if (Object.keys(transitions).length === 0 && program.world.faults.length === 0) return [];
  const { game, ended } = simulate(compile(program.net, { log: { transitions, read } }), {
    seed: DEFAULT_SEED,
    maxSteps: MAX_STEPS,
    maxInstantSteps: Number.POSITIVE_INFINITY,
  });
  const complete = ended === 'quiescent';
  const stuck = complete && game.tokens('ended').length < program.world.ranks;
  return checkRun(program, { marking: game, calls: log.calls, complete, stuck }).map(formatProblem);
}
