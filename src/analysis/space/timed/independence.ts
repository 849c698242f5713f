import type { GeneralSpace } from '../general/general-space.ts';
import type { Rule } from '../general/rule.ts';
import type { Section } from '../general/sections.ts';
import type { PossibleStep } from '../general/steps.ts';

/**
 * Steps whose order within an instant does not matter. No step that can happen before such a step at its instant disables it, and it
 * commutes with all these steps. If one is possible, following it alone finds every marking in which the instant can end
 * (../README.md). The conditions are on the structure of the net, except that no other start takes the same tokens.
 */
export class Independence {
  /** By rule: true if a start or firing may be followed alone. */
  readonly #starts: readonly boolean[];
  /** By section of firings or tokens in service: true if a completion may be followed alone. */
  readonly #completions: ReadonlySet<number>;

  constructor({ rules, sections, scalar }: GeneralSpace) {
    const guarded = new Set<number>();
    const readers = new Set<number>();
    const takers = new Map<number, Rule[]>();
    const users = new Map<number, Rule[]>();
    for (const rule of rules) {
      for (const { section, takes } of rule.arcs) {
        users.set(section.number, [...(users.get(section.number) ?? []), rule]);
        if (takes) takers.set(section.number, [...(takers.get(section.number) ?? []), rule]);
        else readers.add(section.number);
      }
      for (const { section } of [...rule.inhibitors, ...rule.resets]) guarded.add(section.number);
      for (const { place } of rule.rooms) guarded.add(sections.store(place).number);
    }
    for (const { place } of rules.flatMap((rule) => rule.transition.counts ?? []))
      guarded.add(sections.store(sections.place(place)).number);
    const isPlain = (section: Section): boolean =>
      section.queue === undefined && !guarded.has(section.number) && !readers.has(section.number);
    /** True if a token in the section may enable a rule of a higher priority. */
    const wakes = (section: Section, level: number): boolean =>
      (users.get(section.number) ?? []).some((other) => other.level < level);
    this.#starts = rules.map((rule) => {
      if (rule.transition.timing === 'race' || rule.resets.length + rule.inhibitors.length + rule.rooms.length > 0)
        return false;
      const changing = rule.arcs.filter(({ section }) => !section.fixed);
      const taken = changing.map(({ section }) => section);
      if (!changing.every(({ takes, section, count }) => takes && count === 1 && isPlain(section))) return false;
      if (new Set(taken).size < taken.length) return false;
      if (taken.length > 1 && !isDetermined(rule)) return false;
      const alone = (other: Rule): boolean => other === rule || isSimple(other);
      if (!taken.every((section) => takers.get(section.number)!.every(alone))) return false;
      return rule.outputs.every(({ section, place }) => {
        const store = sections.store(place);
        return (
          section.queue === undefined &&
          store.queue === undefined &&
          !guarded.has(store.number) &&
          (rule.busy !== undefined || !wakes(store, rule.level))
        );
      });
    });
    const bagsOnly = (of: readonly Section[]): boolean => of.every(({ queue }) => queue === undefined);
    const ends = rules.flatMap(({ busy, outputs }) =>
      busy !== undefined && bagsOnly(outputs.map(({ section }) => section)) ? [busy.number] : [],
    );
    const services = scalar.places.flatMap((_, node) => {
      const service = sections.service(node);
      return service !== undefined && bagsOnly([sections.store(node)]) ? [service.number] : [];
    });
    this.#completions = new Set([...ends, ...services]);
  }

  /** True for the end of a firing or of a service that commutes with all other completions. */
  isFree({ section }: PossibleStep): boolean {
    return this.#completions.has(section!.number);
  }

  /** True for a start that may be followed alone if no other one takes the same tokens. */
  mayBeAlone({ rule }: PossibleStep): boolean {
    return this.#starts[rule!.number]!;
  }
}

/** A rule whose binding is given by each of the tokens that it takes. */
function isDetermined({ folded }: Rule): boolean {
  return (
    folded.free.length === 0 &&
    folded.arcs.every(({ arc, terms }) => {
      if (arc.kind !== 'take') return true;
      const bound = new Set(terms.flatMap((term) => ('slot' in term ? [term.slot] : [])));
      return folded.slots.every((_, slot) => bound.has(slot));
    })
  );
}

/** A rule that depends on one token only: it can take it now, or not as long as it stays. */
function isSimple({ arcs, inhibitors, resets, rooms, transition }: Rule): boolean {
  const changing = arcs.filter(({ section }) => !section.fixed);
  return (
    changing.length === 1 &&
    changing[0]!.takes &&
    changing[0]!.count === 1 &&
    inhibitors.length + resets.length + rooms.length === 0 &&
    transition.counts === undefined
  );
}
