import type { Code } from '../../base/codes.ts';
import { formatProblem, InputError, type Problem } from '../../base/problem.ts';
import type { Net, Place, Transition } from '../net.ts';

/** A colour set, table, place, transition … of one of the merged nets. */
export interface Part<T> {
  readonly item: T;
  /** Index of its net. */
  readonly net: number;
  /** Name of its module in messages. */
  readonly home: string;
}

export function partsOf<T>(net: Net, index: number, items: readonly T[]): Part<T>[] {
  const home = titleOf(net, index);
  return items.map((item) => ({ item, net: index, home }));
}

/** As {@link partsOf} for places or transitions; the net's name becomes the module of nodes without one. */
export function nodesOf<T extends Place | Transition>(net: Net, index: number, nodes: readonly T[]): Part<T>[] {
  return partsOf(net, index, nodes).map((part) => {
    const modules = part.item.modules ?? (net.name === '' ? [] : [net.name]);
    return modules.length === 0 ? part : { ...part, item: { ...part.item, modules }, home: modules.join(', ') };
  });
}

function titleOf(net: Net, index: number): string {
  return net.name === '' ? `net ${index + 1}` : net.name;
}

/** `"send" of program`, for messages */
export function who(part: Part<{ readonly name: string }>): string {
  return `"${part.item.name}" of ${part.home}`;
}

/** Distinct names, sorted by code unit. */
export function united(...names: readonly (readonly string[])[]): string[] {
  return [...new Set(names.flat())].sort();
}

/** Groups by name, in order of first occurrence. */
export function byName<T extends { readonly name: string }>(parts: readonly Part<T>[]): Map<string, Part<T>[]> {
  const groups = new Map<string, Part<T>[]>();
  for (const part of parts) {
    const group = groups.get(part.item.name);
    if (group === undefined) groups.set(part.item.name, [part]);
    else group.push(part);
  }
  return groups;
}

/** Two parts with different values of a property; undefined if all defined values agree. */
export function disagreement<T, V>(
  parts: readonly Part<T>[],
  stated: (item: T) => V | undefined,
  same: (a: V, b: V) => boolean,
): { readonly parts: readonly [Part<T>, Part<T>]; readonly values: readonly [V, V] } | undefined {
  let first: { part: Part<T>; value: V } | undefined;
  for (const part of parts) {
    const value = stated(part.item);
    if (value === undefined) continue;
    if (first === undefined) first = { part, value };
    else if (!same(first.value, value)) return { parts: [first.part, part], values: [first.value, value] };
  }
  return undefined;
}

/** Collects distinct problems. */
export class Findings {
  readonly #problems = new Map<string, Problem>();

  get count(): number {
    return this.#problems.size;
  }

  /** Adds a problem; `part` names the location in the message. */
  report(code: Code, part: string, message: string): void {
    const problem = { code, message, place: { part } };
    this.#problems.set(formatProblem(problem), problem);
  }

  /** @throws InputError with all problems, if there are any */
  throwIfAny(): void {
    if (this.#problems.size > 0) throw new InputError([...this.#problems.values()]);
  }
}
