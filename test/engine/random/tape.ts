/**
 * A tape of numbers that decides every choice of a random net. Where it has ended, it gives zeros; so 0 must always stand
 * for the simplest choice, and shortening or lowering the tape shrinks the net.
 */
export class Tape {
  readonly #numbers: readonly number[];
  #at = 0;

  constructor(numbers: readonly number[]) {
    this.#numbers = numbers;
  }

  /** 0 … n − 1. */
  next(n: number): number {
    return (this.#numbers[this.#at++] ?? 0) % n;
  }

  /** True with this probability, in per cent; at the end of the tape false. */
  chance(percent: number): boolean {
    return this.next(100) >= 100 - percent;
  }

  /** One of them; at the end of the tape the first. */
  pick<T>(items: readonly T[]): T {
    return items[this.next(items.length)]!;
  }
}
