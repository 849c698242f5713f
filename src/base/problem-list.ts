import { InputError, type Place, type Problem } from './problem.ts';

/** Problems of one input, up to a limit; {@link Problems.add} throws them all when it is reached. */
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

  /** @throws InputError with all problems, where there are any. */
  end(): void {
    if (this.found.length > 0) throw new InputError(this.found);
  }
}
