import type { Place } from '../base/problem.ts';
import { isOwnPlace, isUserPlace, placesOf } from '../base/thrown.ts';

/** Source place of a builder call in a model. The stack of the call is parsed on first use. */
export class Site {
  /** The call if it adds several statements, which then share this site: `waitall`, `sendrecv`. */
  readonly call: string | undefined;
  readonly #stack: { stack?: string } = {};
  #place: Place | undefined;

  /** @param above the function whose caller wrote the statement */
  constructor(above: (...args: never[]) => unknown, call?: string) {
    this.call = call;
    const limit = Error.stackTraceLimit;
    Error.stackTraceLimit = 4;
    Error.captureStackTrace(this.#stack, above);
    Error.stackTraceLimit = limit;
  }

  /** File, line and column, as far as known. */
  get place(): Place {
    this.#place ??= placeOf(this.#stack.stack ?? '');
    return this.#place;
  }

  /** File name without folders and line, `jacobi.ts:14`; empty if unknown. */
  get short(): string {
    const { file, line } = this.place;
    return file === undefined ? '' : `${file.split(/[\\/]/).at(-1)}:${line}`;
  }
}

/**
 * The innermost frame of a stack outside this package: in code of the user, else of an installed one. Statements that the package
 * itself adds, as for a composition, have no place.
 */
export function placeOf(stack: string): Place {
  const places = placesOf(stack);
  return places.find(isUserPlace) ?? places.find((place) => !isOwnPlace(place)) ?? {};
}
