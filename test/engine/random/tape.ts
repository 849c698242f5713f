/**
 * A tape of numbers that determines every choice of a random net. Past its end it returns zeros. 0 must therefore always
 * mean the simplest choice; shortening the tape or lowering its numbers then shrinks the net.
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

  /** True with a probability in per cent; false past the end of the tape. */
  chance(percent: number): boolean {
    return this.next(100) >= 100 - percent;
  }

  /** Picks an item; the first past the end of the tape. */
  pick<T>(items: readonly T[]): T {
    return items[this.next(items.length)]!;
  }
}
