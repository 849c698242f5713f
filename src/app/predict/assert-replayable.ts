import { simulate } from '../../analysis/simulate.ts';
import { compile } from '../../engine/compile.ts';
import { assertCutOff } from '../read-trace.ts';
import type { TraceNet } from '../trace-net.ts';
import { blockedRanks } from './blocked.ts';
import { instantSteps } from './instant-steps.ts';

/**
 * Replays a trace whose ranks make different collective calls, to see whether a deadlock explains it. Other traces are not
 * replayed.
 *
 * @throws InputError TI032
 */
export function assertReplayable({ trace, operations, net }: TraceNet): void {
  if (trace.cutOff === undefined) return;
  const { run } = simulate(compile(net), { maxInstantSteps: instantSteps(trace.ranks, trace.length) });
  const ended = new Float64Array(trace.ranks).fill(Number.NaN);
  for (const { values } of run.tokens('ended')) ended[values[0]!] = 0;
  assertCutOff(trace, blockedRanks(run, operations, trace, { ended, since: new Float64Array(trace.ranks) }));
}
