import type { Place } from '../../base/problem.ts';
import { placesOf } from '../../base/thrown.ts';

/** Where a statement of a model was written: the stack of its call, looked at only when it is asked for. */
export class Site {
  readonly #stack: { stack?: string } = {};
  #place: Place | undefined;

  /** @param above the function whose caller wrote the statement */
  constructor(above: (...args: never[]) => unknown) {
    const limit = Error.stackTraceLimit;
    Error.stackTraceLimit = 4;
    Error.captureStackTrace(this.#stack, above);
    Error.stackTraceLimit = limit;
  }

  /** File, line and column, as far as they are known. */
  get place(): Place {
    this.#place ??= placeOf(this.#stack.stack ?? '');
    return this.#place;
  }

  /** `jacobi.ts:14`, without folders; empty where nothing is known. */
  get short(): string {
    const { file, line } = this.place;
    return file === undefined ? '' : `${file.split(/[\\/]/).at(-1)}:${line}`;
  }
}

/** The innermost frame of a stack that is a place in a file. */
export function placeOf(stack: string): Place {
  return placesOf(stack)[0] ?? {};
}
