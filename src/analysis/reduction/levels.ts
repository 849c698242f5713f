import { fail } from '../../base/problem.ts';
import type { Petri } from '../space/petri.ts';

/** Whether no step ever keeps another from happening by its priority: all starts are of one level. */
export function hasOneLevel({ transitions }: Petri): boolean {
  return new Set(transitions.flatMap((t) => (t.level === undefined ? [] : [t.level]))).size <= 1;
}

/**
 * With priorities the steps of two independent transitions no longer commute: one may enable a third that goes before the other.
 *
 * @throws InputError RED001 with two transitions of different priority
 */
export function assertOneLevel(petri: Petri): void {
  if (hasOneLevel(petri)) return;
  const starts = petri.transitions.filter((t) => t.level !== undefined);
  const other = starts.find((t) => t.level !== starts[0]!.level)!;
  const [a, b] = [starts[0]!, other].map((t) => petri.net.transitions[t.node]!);
  const why =
    (a!.timing === 'race') === (b!.timing === 'race') ? 'have different priorities' : 'are one immediate, one a race';
  fail(
    'RED001',
    `is not reduced: transitions "${a!.name}" and "${b!.name}" ${why}. Verify it without reduction (--reduce none).`,
    {
      part: `net ${petri.net.name}`,
    },
  );
}
