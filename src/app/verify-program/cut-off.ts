import { InputError } from '../../base/problem.ts';
import type { ProgramInstance } from '../../report/program-verification.ts';
import type { TiTrace } from '../../trace/ti/read.ts';
import { explainsCutOff } from '../read-trace.ts';

/**
 * Adjusts the instances of a trace that ends early, possibly because the program deadlocked. If a deadlock under one
 * protocol explains the end of the trace, the verdicts under the other protocol become unknown: there the ranks continue
 * past the recorded lines.
 *
 * @throws InputError TI032 if all instances are decided and none explains the end: the trace is broken
 */
export function explained(
  trace: Pick<TiTrace, 'cutOff'>,
  instances: readonly ProgramInstance[],
): readonly ProgramInstance[] {
  const { cutOff } = trace;
  if (cutOff === undefined) return instances;
  const explains = instances.map(({ deadlock }) => deadlock !== undefined && explainsCutOff(trace, deadlock.blocked));
  const decided = instances.every(({ properties }) => properties.every((p) => p.verdict !== null));
  if (decided && !explains.includes(true)) throw new InputError(cutOff.problems);
  return instances.map((instance, k) => (explains[k] ? instance : unknown(instance)));
}

const REASON = 'the trace was cut off, and under this protocol its ranks continue past its last lines';

function unknown({ deadlock: _, endless: _endless, ...instance }: ProgramInstance): ProgramInstance {
  return {
    ...instance,
    properties: instance.properties.map((p) => ({ id: p.id, verdict: null, reason: p.reason ?? REASON })),
    unmatched: [],
    sound: null,
    neverDone: [],
  };
}
