import type { ColourSet } from '../colour.ts';
import type { NetFunction, Processes, Table } from '../net.ts';
import { byName, disagreement, type Findings, type Part } from './merge-part.ts';
import { sameData } from './same-data.ts';

/** Colour sets of all nets; those of the same name must be equal. */
export function mergeColours(parts: readonly Part<ColourSet>[], findings: Findings): ColourSet[] {
  return onceEach(parts, (name, a, b) => {
    const what = `is ${colourText(a.item)} in ${a.home} and ${colourText(b.item)} in ${b.home}`;
    findings.report('NET060', `colour set ${name}`, `${what}: colour sets of the same name must be equal`);
  });
}

/** Tables of all nets; those of the same name must be equal, and paged columns the same object. O(entries compared). */
export function mergeTables(parts: readonly Part<Table>[], findings: Findings): Table[] {
  return onceEach(parts, (name, a, b) => {
    const what = `differs between ${a.home} and ${b.home}`;
    findings.report('NET061', `table ${name}`, `${what}: tables of the same name must be equal`);
  });
}

/** Functions of all nets; those of the same name must be the same object. */
export function mergeFunctions(parts: readonly Part<NetFunction>[], findings: Findings): NetFunction[] {
  return onceEach(parts, (name, a, b) => {
    const what = `is one function in ${a.home} and another in ${b.home}`;
    findings.report('NET062', `function ${name}`, `${what}: functions of the same name must be identical`);
  });
}

/** The process declarations of the nets, which must agree. */
export function mergeProcesses(parts: readonly Part<Processes>[], findings: Findings): Processes | undefined {
  const found = disagreement(parts, (p) => p, sameData);
  if (found !== undefined) {
    const [a, b] = found.parts.map(
      ({ item, home }) => `numbered by "${item.colour}" and ended in "${item.ended}" in ${home}`,
    );
    findings.report('NET063', 'processes', `are ${a}, ${b}: modules that declare processes must agree`);
  }
  return parts[0]?.item;
}

/** One item for each name; `differ` is called for two that are not equal. */
function onceEach<T extends { readonly name: string }>(
  parts: readonly Part<T>[],
  differ: (name: string, a: Part<T>, b: Part<T>) => void,
): T[] {
  return [...byName(parts)].map(([name, group]) => {
    const found = disagreement(group, (item) => item, sameData);
    if (found !== undefined) differ(name, ...found.parts);
    return group[0]!.item;
  });
}

function colourText(c: ColourSet): string {
  switch (c.kind) {
    case 'range':
      return `${c.low} … ${c.high}`;
    case 'enum':
      return c.values.join(' | ');
    case 'product':
      return c.parts.join(' × ');
    case 'record':
      return `(${c.fields.map((f) => `${f.name}: ${f.colour}`).join(', ')})`;
    case 'bool':
    case 'integer':
    case 'unit':
      return c.kind;
  }
}
