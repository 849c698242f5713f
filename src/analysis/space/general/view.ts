import type { MarkedTokens, MarkingView } from '../state-space.ts';
import type { Marking } from './marking.ts';
import type { Rule } from './rule.ts';
import type { Section } from './sections.ts';

/** A marking in readable form. Tokens of a bag, groups of a queue and timed firings are sorted by value. */
export function viewOf(marking: Marking, rules: readonly Rule[]): MarkingView {
  const places: { place: number; tokens: MarkedTokens[] }[] = [];
  const byPlace = new Map<number, Section[]>();
  for (const section of marking.sections) {
    if (section.kind !== 'busy' && marking.end[section.number]! > marking.start[section.number]!)
      byPlace.set(section.node, [...(byPlace.get(section.node) ?? []), section]);
  }
  for (const [place, sections] of [...byPlace].sort(([a], [b]) => a - b)) {
    const tokens = sections.flatMap((section) =>
      runsOf(marking, section).map(
        (run): MarkedTokens => ({
          values: section.colours.row(marking.ids[run]!),
          count: marking.counts[run]!,
          where: section.kind === 'service' ? 'service' : 'place',
        }),
      ),
    );
    places.push({ place, tokens });
  }
  const busy = rules.flatMap((rule) =>
    rule.busy === undefined
      ? []
      : runsOf(marking, rule.busy).map((run) => ({
          transition: rule.number,
          binding: bindingOf(rule, rule.busy!.colours.row(marking.ids[run]!)),
          count: marking.counts[run]!,
        })),
  );
  return { places, busy };
}

/** The values of a binding by variable name. */
export function bindingOf(rule: Rule, slots: ArrayLike<number>): Record<string, number> {
  return Object.fromEntries(rule.names.map((name, k) => [name, slots[k]!]));
}

function runsOf(marking: Marking, section: Section): number[] {
  const { queue, colours } = section;
  const from = marking.start[section.number]!;
  const runs = Array.from({ length: marking.end[section.number]! - from }, (_, k) => from + k);
  const id = (run: number): number => marking.ids[run]!;
  if (queue === undefined) return runs.sort((a, b) => colours.compare(id(a), id(b)));
  return runs.sort((a, b) => queue.compareGroups(id(a), id(b)) || a - b);
}
