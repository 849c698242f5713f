import { simulate } from '../../../analysis/simulate.ts';
import { formatProblem, InputError, type Problem } from '../../../base/problem.ts';
import { compile } from '../../../engine/compile.ts';
import type { ProgramNet } from '../../../models/program/net/program-net.ts';
import type { CollectiveCalls } from '../../../models/program/run/collective-calls.ts';
import { CollectiveLog } from '../../../models/program/run/collective-log.ts';
import { DEFAULT_SEED } from '../document.ts';
import { faultOf } from './model-outcome.ts';

/** Step limit of runs that only check for faults. */
const MAX_STEPS = 1e7;

/** A run up to its end or to a limit. */
export interface RunState {
  /** Its last marking: a token in the place of faults names the fault. */
  readonly marking: Parameters<typeof faultOf>[1];
  /** Collective calls so far; a fault, too, where ranks make different ones. */
  readonly calls: Pick<CollectiveCalls, 'problem'>;
  /** The net is quiescent. */
  readonly complete: boolean;
  /** The net is quiescent, but some rank has not ended. */
  readonly stuck: boolean;
}

/**
 * Decides, for all commands and matchers, whether a run of a program is faulty: a rank has reached a statement with an
 * invalid argument, or ranks make different collective calls. In a deadlock, the latter is only a warning, which is
 * returned.
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
 * Checks a program for commands that do not run it: runs its net once, as `predict` does with the default seed, for at most
 * 10⁷ steps. If steps depend on random draws or on the order of events, only this run is checked.
 *
 * @returns warnings, as text
 * @throws InputError as {@link checkRun}
 */
export function checkProgram(program: ProgramNet): string[] {
  const log = new CollectiveLog(program);
  const { transitions, read } = log.log();
  if (Object.keys(transitions).length === 0 && program.world.faults.length === 0) return [];
  const { run, ended } = simulate(compile(program.net, { log: { transitions, read } }), {
    seed: DEFAULT_SEED,
    maxSteps: MAX_STEPS,
    maxInstantSteps: Number.POSITIVE_INFINITY,
  });
  const complete = ended === 'quiescent';
  const stuck = complete && run.tokens('ended').length < program.world.ranks;
  return checkRun(program, { marking: run, calls: log.calls, complete, stuck }).map(formatProblem);
}
