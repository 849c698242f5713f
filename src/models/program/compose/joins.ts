import { type ColouredLabel, labelText, sameColours } from '../record/labels.ts';
import { checkChoices } from './choices.ts';
import { type Connected, connect, type Report } from './connect.ts';
import type { End, Join, Part } from './coupled.ts';

const labelOf = ({ part, label }: End): ColouredLabel => part.choices[0]!.interface[label]!;

/**
 * The connections of a composition's labels, checked: every label is met by labels that fit, and once. All problems are
 * reported. O(labels of all modules).
 */
export function joinsOf(
  parts: readonly Part[],
  given: Parameters<typeof connect>[1],
  report: Report,
): { readonly joins: readonly Join[]; readonly exposed: Connected<End>['exposed'] } {
  for (const part of parts) checkChoices(part, labelText, report);
  const all = parts.flatMap((part) => Object.keys(part.choices[0]!.interface).map((label): End => ({ part, label })));
  const { groups, exposed }: Connected<End> = connect(
    all,
    given,
    { text: (end) => labelText(labelOf(end)), misfit, fits, isOpen: (end) => isOpen(labelOf(end).kind) },
    report,
  );
  const joins = groups.map((ends): Join => {
    const { kind, units } = labelOf(ends[0]!);
    return { kind, ends: kind === 'receives' ? [...ends].reverse() : ends, units };
  });
  return { joins, exposed };
}

/** Messages have two ends; phases and resources any number. */
const isOpen = (kind: Join['kind']): boolean => kind === 'phase' || kind === 'resource';

/** The reason why labels cannot be connected; undefined if they fit. */
function misfit(ends: readonly End[]): string | undefined {
  const kinds = ends.map((end) => labelOf(end).kind);
  const [kind] = kinds as [Join['kind']];
  if (isOpen(kind)) {
    if (kinds.some((other) => other !== kind)) return 'labels of different kinds';
    if (ends.length < 2) return 'expected two modules or more with this label, got one';
  } else {
    if (ends.length !== 2)
      return `expected one sender and one receiver, got ${ends.length === 1 ? 'one label' : `${ends.length} labels`}`;
    if (!kinds.includes('sends') || !kinds.includes('receives')) return 'expected a sender and a receiver';
  }
  if (ends.every((end) => sameColours(labelOf(end), labelOf(ends[0]!)))) return undefined;
  return kind === 'resource' ? 'different numbers of units' : 'the carried values differ';
}

function fits(a: End, b: End): boolean {
  const opposite = { sends: 'receives', receives: 'sends', phase: 'phase', resource: 'resource' }[labelOf(a).kind];
  return labelOf(b).kind === opposite && sameColours(labelOf(a), labelOf(b));
}
