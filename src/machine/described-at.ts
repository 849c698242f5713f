import type { Place } from '../base/problem.ts';

const places = new WeakMap<object, Place>();

/** Remembers where a file describes a machine or platform, for problems that are found later. */
export function describedAt<T extends object>(described: T, place: Place): T {
  places.set(described, place);
  return described;
}

/** Where a machine or platform is described: the file, and the line where it is known; undefined if made by a program. */
export function descriptionPlace(described: object | undefined): Place | undefined {
  return described === undefined ? undefined : places.get(described);
}
