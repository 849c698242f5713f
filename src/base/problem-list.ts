import { InputError, type Place, type Problem } from './problem.ts';

/** Collects problems of one input. {@link Problems.add} throws them all once the limit is reached. */
export class Problems {
  readonly found: Problem[] = [];
  readonly limit: number;

  constructor(limit: number) {
    this.limit = limit;
  }

  add(code: string, message: string, place: Place): void {
    this.found.push({ code, message, place });
    if (this.found.length < this.limit) return;
    this.found.push({ code, message: `reading ended after ${this.limit} problems`, place });
    throw new InputError(this.found);
  }

  /** @throws InputError with all problems, if there are any */
  end(): void {
    if (this.found.length > 0) throw new InputError(this.found);
  }
}
