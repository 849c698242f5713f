/**
 * Firings one after another, as the engine logs them. The one at `k` begins with a head of two ints, its number in
 * `heads[2 * k]` and its first variable in `heads[2 * k + 1]`; then come its time, `numbers[k + 1]`, and its other
 * variables.
 */
export interface LoggedFirings {
  readonly numbers: Float64Array;
  /** The same memory as ints. */
  readonly heads: Int32Array;
}

/** Numbers of a piece of the log: firings are told when so many are there, or one alone that takes more. */
export const LOGGED_AT_ONCE = 2048;

export const loggedFirings = (numbers: Float64Array): LoggedFirings => ({
  numbers,
  heads: new Int32Array(numbers.buffer, numbers.byteOffset, 2 * numbers.length),
});

/** A variable of the firing at `k`: which of those that are told. */
export const loggedValue = ({ numbers, heads }: LoggedFirings, k: number, which: number): number =>
  which === 0 ? heads[2 * k + 1]! : numbers[k + 1 + which]!;

/** How many numbers a firing takes that tells so many variables. */
export const loggedLength = (variables: number): number => 2 + Math.max(0, variables - 1);
