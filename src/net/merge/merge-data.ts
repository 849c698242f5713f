import type { ColourSet } from '../colour.ts';
import type { NetFunction, Processes, Table } from '../net.ts';
import { byName, disagreement, type Findings, type Part } from './merge-part.ts';

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

/**
 * Deep equality of net data: plain objects (an undefined property counts as absent), arrays and typed arrays. Anything
 * else, such as a function or a paged column, is compared by identity. O(size), or O(1) for the same object.
 */
export function sameData(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (isNumbers(a)) return isNumbers(b) && a.constructor === b.constructor && sameList(a, b, Object.is);
  if (Array.isArray(a)) return Array.isArray(b) && sameList(a, b, sameData);
  if (!isPlain(a) || !isPlain(b)) return false;
  const given = Object.keys(a).filter((key) => a[key] !== undefined);
  return (
    given.every((key) => Object.hasOwn(b, key) && sameData(a[key], b[key])) &&
    Object.keys(b).filter((key) => b[key] !== undefined).length === given.length
  );
}

type Numbers = Int32Array | Float64Array;

function isNumbers(x: object): x is Numbers {
  return ArrayBuffer.isView(x);
}

/** A paged column is compared by identity even if it is a plain object: its loaded pages are not its content. */
function isPlain(x: object): x is Record<string, unknown> {
  const prototype: unknown = Object.getPrototypeOf(x);
  return (prototype === Object.prototype || prototype === null) && !('pages' in x);
}

function sameList(a: ArrayLike<unknown>, b: ArrayLike<unknown>, same: (x: unknown, y: unknown) => boolean): boolean {
  if (a.length !== b.length) return false;
  for (let k = 0; k < a.length; k++) if (!same(a[k], b[k])) return false;
  return true;
}
