import type { Code } from '../../base/codes.ts';
import type { ColourSet } from '../colour.ts';
import { isDistribution, parametersOf } from '../distribution.ts';
import { type Expression, variablesOf } from '../expression.ts';
import type { Field, Place, Transition } from '../net.ts';
import { ColumnIndex } from '../validation/column-index.ts';
import { disagreement, type Part, united, who } from './merge-part.ts';
import { substituteInTransition } from './substitute.ts';

/** The colour sets of a place's columns, by column; empty if a colour set of the place is invalid. */
export type ColumnColours = (place: string) => ReadonlyMap<string, string>;

/** Looks up column colours; computed on first use for each place. */
export function columnColours(colours: readonly ColourSet[], places: readonly Place[]): ColumnColours {
  const index = new ColumnIndex(new Map(colours.map((c) => [c.name, c])), places);
  const byName = new Map(places.map((p) => [p.name, p]));
  const known = new Map<string, ReadonlyMap<string, string>>();
  return (name) => {
    let columns = known.get(name);
    if (columns === undefined) {
      columns = new Map(index.columns(byName.get(name)?.fields ?? [])?.map((c) => [c.name, c.colour.name]));
      known.set(name, columns);
    }
    return columns;
  };
}

/** The variables of a transition with the names of their colour sets. */
export interface Variables {
  readonly bound: ReadonlyMap<string, string>;
  /** Free variables not bound by an input. */
  readonly free: ReadonlyMap<string, string>;
}

/** A variable is bound by the first column that is a plain variable, in arc order (S6). An unknown colour set is ''. */
export function variablesIn(t: Transition, columns: ColumnColours): Variables {
  const bound = new Map<string, string>();
  for (const arc of t.inputs) {
    if (arc.kind !== 'take' && arc.kind !== 'read') continue;
    for (const [column, e] of Object.entries(arc.pattern))
      if (e.op === 'var' && !bound.has(e.name)) bound.set(e.name, columns(arc.place).get(column) ?? '');
  }
  const free = (t.free ?? []).filter((f) => !bound.has(f.name));
  return { bound, free: new Map(free.map((f) => [f.name, f.colour])) };
}

/**
 * Renames the variables of partners. An exported variable gets its shared name. Other variables are private: a clashing
 * one becomes `transition.variable`, with primes until unique. O(occurrences).
 */
export function withSharedNames(partners: readonly Part<Transition>[]): Part<Transition>[] {
  const names = partners.map(
    ({ item }) => new Map(Object.entries(item.label?.exports ?? {}).map(([shared, variable]) => [variable, shared])),
  );
  const privates = partners.map(({ item }, k) => [...occurring(item)].filter((v) => !names[k]!.has(v)).sort());
  const taken = new Set(names.flatMap((exported) => [...exported.values()]));
  const clashing = new Set<string>();
  for (const v of privates.flat()) {
    if (taken.has(v)) clashing.add(v);
    taken.add(v);
  }
  return partners.map((part, k) => {
    for (const v of privates[k]!) {
      if (!clashing.has(v)) continue;
      let name = `${part.item.name}.${v}`;
      while (taken.has(name)) name += "'";
      taken.add(name);
      names[k]!.set(v, name);
    }
    return { ...part, item: substituteInTransition(part.item, { variables: (v) => names[k]!.get(v) ?? v }) };
  });
}

/**
 * The variables of partners after {@link withSharedNames}: shared ones, which must have one colour, and those that stay
 * free because no partner's input binds them.
 */
export function mergeVariables(
  parts: readonly Part<Transition>[],
  columns: ColumnColours,
  report: (code: Code, message: string) => void,
): { readonly shared: readonly string[]; readonly free: readonly Field[] } {
  const variables = new Map(parts.map((p) => [p.item, variablesIn(p.item, columns)]));
  const shared = united(parts.flatMap((p) => Object.keys(p.item.label?.exports ?? {})));
  for (const v of shared) {
    const colour = (t: Transition): string | undefined => {
      const { bound, free } = variables.get(t)!;
      return bound.get(v) ?? free.get(v);
    };
    const found = disagreement(parts, (t) => colour(t) || undefined, Object.is);
    if (found === undefined) continue;
    const [a, b] = [0, 1].map((k) => `${found.values[k]} in ${who(found.parts[k]!)}`);
    report('NET067', `variable "${v}" has the colour ${a} and ${b}: a shared variable must have one colour set`);
  }
  const all = [...variables.values()];
  const bound = new Set(all.flatMap((v) => [...v.bound.keys()]));
  const free = new Map(all.flatMap((v) => [...v.free]));
  return { shared, free: [...free].filter(([v]) => !bound.has(v)).map(([name, colour]) => ({ name, colour })) };
}

function occurring(t: Transition): Set<string> {
  const expressions: (Expression | undefined)[] = [
    ...t.inputs.flatMap((a) => Object.values(a.pattern)),
    ...t.outputs.flatMap((a) => [...Object.values(a.values), a.count]),
    t.process,
    t.guard,
    t.weight,
    t.speed,
    ...(t.counts ?? []).flatMap((c) => Object.values(c.pattern)),
    ...(t.delay === undefined ? [] : isDistribution(t.delay) ? parametersOf(t.delay) : [t.delay]),
  ];
  const names = new Set([...(t.free ?? []), ...(t.counts ?? [])].map((v) => v.name));
  for (const e of expressions) if (e !== undefined) variablesOf(e, names);
  return names;
}
