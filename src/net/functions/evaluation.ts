import { InputError, type Problem } from '../../base/problem.ts';

/** The function under evaluation, and its first violation of purity. */
interface Evaluation {
  readonly part: string;
  offence: Problem | undefined;
}

let current: Evaluation | undefined;

/** Throws if a host-language function is being evaluated; otherwise does nothing. Guards side effects. */
export function refuseInFunction(code: string, message: string): void {
  if (current === undefined) return;
  // Stored, so that a function that catches the error is rejected too.
  current.offence ??= { code, message, place: { part: current.part } };
  throw new InputError([current.offence]);
}

/** Marks the start of an evaluation. */
export function beginEvaluation(part: string): void {
  current = { part, offence: undefined };
}

export function endEvaluation(): void {
  current = undefined;
}

/** The violation recorded in this evaluation. */
export function offence(): Problem | undefined {
  return current?.offence;
}
