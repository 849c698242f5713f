/**
 * Consecutive firings as logged by the engine. A firing at index `k` consists of two integers, its number in `heads[2 * k]`
 * and its first variable in `heads[2 * k + 1]`, followed by its time in `numbers[k + 1]` (s) and its other variables.
 */
export interface LoggedFirings {
  readonly numbers: Float64Array;
  /** The same memory as `numbers`, seen as 32-bit integers. */
  readonly heads: Int32Array;
}

/** Capacity of the log in numbers: firings are delivered when it is full. It is larger only if one firing needs more. */
export const LOGGED_AT_ONCE = 2048;

export const loggedFirings = (numbers: Float64Array): LoggedFirings => ({
  numbers,
  heads: new Int32Array(numbers.buffer, numbers.byteOffset, 2 * numbers.length),
});

/** Variable `which` of the firing at index `k`, counting the logged variables from 0. */
export const loggedValue = ({ numbers, heads }: LoggedFirings, k: number, which: number): number =>
  which === 0 ? heads[2 * k + 1]! : numbers[k + 1 + which]!;

/** Numbers that a firing with this many logged variables occupies. */
export const loggedLength = (variables: number): number => 2 + Math.max(0, variables - 1);
