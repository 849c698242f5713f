import { evaluator, surroundingsOf } from '../../net/evaluate.ts';
import type { Net } from '../../net/net.ts';
import type { Step } from '../space/state-space.ts';

/** Result and reason: do the delays of a net permit a sequence of steps? */
export interface Permission {
  readonly permitted: 'yes' | 'no' | 'unknown';
  readonly reason: string;
  /** If the delays permit it: the earliest time of each step, in seconds. */
  readonly times?: readonly number[];
}

interface Lasting {
  readonly key: string;
  readonly due: number;
}

/**
 * Executes a sequence of steps in order with the delays of the net: starts as early as possible, ends when due. Result `no`:
 * a firing would end before another that is due earlier, or time would pass while a step can start (S10). `yes`: all times
 * fit; steps at the same instant may occur in this order as far as delays are concerned. `unknown`: the net has random
 * delays, races or services. Undefined for a net without time.
 *
 * @param canStart true if some step can start in the marking before step k (from 0)
 */
export function delaysPermit(
  net: Net,
  steps: readonly Step[],
  canStart: (step: number) => boolean,
): Permission | undefined {
  if (net.transitions.every((t) => t.delay === undefined) && net.places.every((p) => p.service === undefined))
    return undefined;
  const service = net.places.find((p) => p.service !== undefined);
  if (service !== undefined) return { permitted: 'unknown', reason: `place ${service.name} has a service` };
  const race = net.transitions.find((t) => t.timing === 'race');
  if (race !== undefined) return { permitted: 'unknown', reason: `transition ${race.name} races` };
  const busy: Lasting[] = [];
  const times: number[] = [];
  let now = 0;
  for (const [k, step] of steps.entries()) {
    if (step.kind === 'end') {
      const at = busy.findIndex((b) => b.key === keyOf(step));
      const { due } = busy[at]!;
      const earlier = busy.find((b) => b.due < due);
      if (earlier !== undefined)
        return {
          permitted: 'no',
          reason: `at step ${k + 1} another firing would already have ended, at ${earlier.due} s`,
        };
      if (due > now && canStart(k))
        return { permitted: 'no', reason: `before step ${k + 1} time would pass although a transition is enabled` };
      now = due;
      busy.splice(at, 1);
    } else if (step.kind === 'start') {
      const delay = delayOf(net, step);
      if (delay === undefined)
        return { permitted: 'unknown', reason: `the delay of ${net.transitions[step.node]!.name} is random` };
      busy.push({ key: keyOf(step), due: now + delay });
    }
    times.push(now);
  }
  return { permitted: 'yes', reason: `the steps have consistent times, the last one at ${now} s`, times };
}

/** The delay of a firing in seconds; undefined if it is random or invalid. */
function delayOf(net: Net, { node, binding }: Step): number | undefined {
  const { delay } = net.transitions[node]!;
  if (delay === undefined || !('op' in delay)) return undefined;
  const names = Object.keys(binding);
  try {
    const value = evaluator(
      delay,
      new Map(names.map((n, k) => [n, k])),
      surroundingsOf(net),
    )(names.map((n) => binding[n]!));
    return value >= 0 && value < Infinity ? value : undefined;
  } catch {
    return undefined;
  }
}

function keyOf({ node, binding }: Step): string {
  return JSON.stringify([node, ...Object.entries(binding).sort(([a], [b]) => (a < b ? -1 : 1))]);
}
