import { formatProblem, InputError, type Problem } from '../../base/problem.ts';
import type { Net, Place, Transition } from '../net.ts';

/** A part of one of the nets that are merged: a colour set, a place, a transition. */
export interface Part<T> {
  readonly item: T;
  /** Which of the nets it comes from. */
  readonly net: number;
  /** What messages call the module it comes from. */
  readonly home: string;
}

/** The parts of a net of one kind. */
export function partsOf<T>(net: Net, index: number, items: readonly T[]): Part<T>[] {
  const home = titleOf(net, index);
  return items.map((item) => ({ item, net: index, home }));
}

/** The same for places or transitions: each remembers the net's name as its module where it names none. */
export function nodesOf<T extends Place | Transition>(net: Net, index: number, nodes: readonly T[]): Part<T>[] {
  return partsOf(net, index, nodes).map((part) => {
    const modules = part.item.modules ?? (net.name === '' ? [] : [net.name]);
    return modules.length === 0 ? part : { ...part, item: { ...part.item, modules }, home: modules.join(', ') };
  });
}

function titleOf(net: Net, index: number): string {
  return net.name === '' ? `net ${index + 1}` : net.name;
}

/** `"send" of program` */
export function who(part: Part<{ readonly name: string }>): string {
  return `"${part.item.name}" of ${part.home}`;
}

/** Names in the order of their code units, each once. */
export function united(...names: readonly (readonly string[])[]): string[] {
  return [...new Set(names.flat())].sort();
}

/** In groups by name, in the order in which the names first occur. */
export function byName<T extends { readonly name: string }>(parts: readonly Part<T>[]): Map<string, Part<T>[]> {
  const groups = new Map<string, Part<T>[]>();
  for (const part of parts) {
    const group = groups.get(part.item.name);
    if (group === undefined) groups.set(part.item.name, [part]);
    else group.push(part);
  }
  return groups;
}

/** Two parts that differ in what they state; undefined where all that state something agree. */
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

/** Collects what is wrong, each thing once. */
export class Findings {
  readonly #problems = new Map<string, Problem>();

  get count(): number {
    return this.#problems.size;
  }

  say(code: string, part: string, message: string): void {
    const problem = { code, message, place: { part } };
    this.#problems.set(formatProblem(problem), problem);
  }

  /** @throws InputError with all of them, if there are any. */
  throwIfAny(): void {
    if (this.#problems.size > 0) throw new InputError([...this.#problems.values()]);
  }
}
