import { fail } from '../../base/problem.ts';
import { assertOneLevel } from '../reduction/levels.ts';
import type { Petri } from '../space/petri.ts';
import { type Unlimited, withoutLimits } from './without-limits.ts';

/**
 * Removes the limits of a net, so that more tokens never disable a transition (monotonicity). Coverability is decidable for
 * such nets (Finkel & Schnoebelen, _Well-structured transition systems everywhere!_, 2001).
 *
 * @param resets true if resets are allowed: covering is decidable with them, boundedness is not (Dufourd, Finkel & Schnoebelen 1998)
 * @throws InputError RED001 for priorities, COV001 for a limit that cannot be removed, COV002 for resets
 */
export function monotone(petri: Petri, resets: boolean): Unlimited {
  assertOneLevel(petri);
  const { net } = petri;
  const name = (k: number): string => {
    const { kind, node } = petri.transitions[k]!;
    return `transition ${kind === 'serve' ? net.places[node]!.name : net.transitions[node]!.name}`;
  };
  const reset = petri.transitions.findIndex((t) => t.resets.length > 0);
  if (reset >= 0 && !resets)
    fail(
      'COV002',
      'resets a place: boundedness is undecidable for nets with resets. Use a fixed limit instead: bounded(k).',
      {
        part: name(reset),
      },
    );
  const unlimited = withoutLimits(petri);
  if (unlimited === undefined)
    fail(
      'COV001',
      'has an inhibitor or a capacity on places that other transitions fill without that limit: coverability is undecidable',
      { part: name(petri.transitions.findIndex((t) => t.limits.length > 0)) },
    );
  return unlimited;
}
