import { InputError, type Problem } from '../../base/problem.ts';

/** The function that is being evaluated, and what it did that a pure function may not do. */
interface Evaluation {
  readonly part: string;
  offence: Problem | undefined;
}

let current: Evaluation | undefined;

/** Refuses what a function of the host language does besides computing; a no-op while none is evaluated. */
export function refuseInFunction(code: string, message: string): void {
  if (current === undefined) return;
  // Remembered, so that a function that catches the error is refused as well.
  current.offence ??= { code, message, place: { part: current.part } };
  throw new InputError([current.offence]);
}

/** From now on a function is evaluated. */
export function beginEvaluation(part: string): void {
  current = { part, offence: undefined };
}

export function endEvaluation(): void {
  current = undefined;
}

/** What the function did that it may not do. */
export function offence(): Problem | undefined {
  return current?.offence;
}
