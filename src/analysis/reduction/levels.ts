import { fail } from '../../base/problem.ts';
import type { Petri } from '../petri/petri.ts';

/** True if all transitions have the same priority level, so that no enabled transition pre-empts another. */
export function hasOneLevel({ transitions }: Petri): boolean {
  return new Set(transitions.flatMap((t) => (t.level === undefined ? [] : [t.level]))).size <= 1;
}

/**
 * Rejects nets with priorities. There, two independent transitions need not commute: one may enable a third of higher priority.
 *
 * @throws InputError RED001 with two transitions of different priority
 */
export function assertOneLevel(petri: Petri): void {
  if (hasOneLevel(petri)) return;
  const starts = petri.transitions.filter((t) => t.level !== undefined);
  const other = starts.find((t) => t.level !== starts[0]!.level)!;
  const [a, b] = [starts[0]!, other].map((t) => petri.net.transitions[t.node]!);
  const why =
    (a!.timing === 'race') === (b!.timing === 'race') ? 'have different priorities' : 'mix immediate and race timing';
  fail(
    'RED001',
    `cannot be reduced: transitions "${a!.name}" and "${b!.name}" ${why}. Verify it without reduction (--reduce none).`,
    {
      part: `net ${petri.net.name}`,
    },
  );
}
