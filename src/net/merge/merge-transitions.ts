import { didYouMean } from '../../base/problem.ts';
import type { Transition } from '../net.ts';
import { type Findings, type Part, who } from './merge-part.ts';
import { combined, partsOfName } from './merge-partners.ts';
import type { CombineRules } from './merge-rules.ts';
import { type ColumnColours, variablesIn } from './merge-variables.ts';

/** Maximum number of combined transitions of one label. */
export const MAX_COMBINATIONS: number = 2 ** 16;

/**
 * The transitions of all nets. Transitions of different nets with the same label are combined, in all combinations of
 * one from each net that has the label. Transitions without a label, or with a label of only one net, are unchanged.
 * O(size of the result).
 */
export function mergeTransitions(
  parts: readonly Part<Transition>[],
  columns: ColumnColours,
  rules: CombineRules,
  findings: Findings,
): Transition[] {
  const before = findings.count;
  differentNames(parts, findings);
  const different = findings.count === before;
  for (const part of parts) exportsKnown(part, columns, findings);
  const merged: Transition[] = [];
  const labels = alternatives(parts);
  for (const part of parts) {
    const label = part.item.label?.name;
    const nets = label === undefined ? undefined : labels.get(label);
    if (label === undefined || nets === undefined || nets.length === 1) {
      merged.push(part.item);
      continue;
    }
    // All combinations of a label take the position of its first transition.
    if (nets[0]![0] !== part) continue;
    const count = nets.reduce((product, list) => product * list.length, 1);
    if (count > MAX_COMBINATIONS) {
      const sizes = nets.map((list) => `${list.length} in ${list[0]!.home}`).join(', ');
      findings.report(
        'NET073',
        `label ${label}`,
        `has ${count} combinations (${sizes}): expected at most ${MAX_COMBINATIONS}`,
      );
      continue;
    }
    for (let k = 0; k < count; k++) {
      const transition = combined(combination(nets, k), columns, rules, findings);
      if (transition !== undefined) merged.push(transition);
    }
  }
  if (different) distinctNames(merged, findings);
  return merged;
}

/** For each label, its transitions grouped by net. */
function alternatives(parts: readonly Part<Transition>[]): Map<string, Part<Transition>[][]> {
  const labels = new Map<string, Part<Transition>[][]>();
  for (const part of parts) {
    const label = part.item.label?.name;
    if (label === undefined) continue;
    const nets = labels.get(label) ?? [];
    labels.set(label, nets);
    const last = nets.at(-1);
    if (last !== undefined && last[0]!.net === part.net) last.push(part);
    else nets.push([part]);
  }
  return labels;
}

/** The k-th combination of one item from each list; the last list varies fastest. */
function combination<T>(lists: readonly (readonly T[])[], k: number): T[] {
  const chosen: T[] = [];
  for (const list of [...lists].reverse()) {
    chosen.push(list[k % list.length]!);
    k = Math.floor(k / list.length);
  }
  return chosen.reverse();
}

/**
 * Different nets may share a transition name only under one label. Combined names are compared by their components;
 * otherwise the result would depend on the order of merging.
 */
function differentNames(parts: readonly Part<Transition>[], findings: Findings): void {
  const users = new Map<string, Part<Transition>[]>();
  for (const part of parts)
    for (const name of new Set(partsOfName(part.item.name))) {
      const group = users.get(name);
      if (group === undefined) users.set(name, [part]);
      else group.push(part);
    }
  const combine = (x: Part<Transition>, y: Part<Transition>): boolean =>
    x.item.label !== undefined && x.item.label.name === y.item.label?.name;
  for (const [name, group] of users) {
    const first = group[0]!;
    const odd = group.find((p) => !combine(first, p)) ?? first;
    for (const part of [first, odd]) {
      const other = group.find((p) => p.net !== part.net && !combine(part, p));
      if (other === undefined) continue;
      const [a, b] = part.net < other.net ? [part, other] : [other, part];
      const where = a.item.name === b.item.name ? `${a.home} and ${b.home}` : `${who(a)} and ${who(b)}`;
      findings.report(
        'NET066',
        `transition ${name}`,
        `occurs in ${where} without a common label: qualify the names of one module`,
      );
      break;
    }
  }
}

/** Reports duplicate names of combinations, which arise if two nets have alternatives of the same names. */
function distinctNames(transitions: readonly Transition[], findings: Findings): void {
  const seen = new Set<string>();
  for (const { name } of transitions) {
    if (seen.has(name))
      findings.report(
        'NET066',
        `transition ${name}`,
        'would be the name of two combinations: qualify the names of one module',
      );
    seen.add(name);
  }
}

/**
 * A label must export variables of its transition, each under one name; otherwise the order of merging would matter.
 */
function exportsKnown(part: Part<Transition>, columns: ColumnColours, findings: Findings): void {
  const { item, home } = part;
  if (item.label === undefined) return;
  const report = (message: string): void => findings.report('NET071', `transition ${item.name}`, message);
  const { bound, free } = variablesIn(item, columns);
  const names = new Map<string, string>();
  for (const [shared, variable] of Object.entries(item.label.exports)) {
    const at = `label "${item.label.name}" in ${home} exports`;
    const first = names.get(variable);
    if (first !== undefined) report(`${at} variable "${variable}" as "${first}" and as "${shared}": expected one name`);
    names.set(variable, shared);
    if (!bound.has(variable) && !free.has(variable))
      report(
        `${at} "${variable}", which is neither bound by an input nor free.${didYouMean(variable, [...bound.keys(), ...free.keys()])}`,
      );
  }
}
