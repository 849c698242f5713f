import type { Place } from '../base/problem.ts';

const places = new WeakMap<object, Place>();

/** Records where a file describes a machine or platform, for problems that are found later. */
export function describedAt<T extends object>(described: T, place: Place): T {
  places.set(described, place);
  return described;
}

/** File and, if known, line of the description of a machine or platform; undefined if a program created it. */
export function descriptionPlace(described: object | undefined): Place | undefined {
  return described === undefined ? undefined : places.get(described);
}
