import { and, constant, eq, lt, not, or, type Term } from '../net/terms.ts';
import type { Protocol } from './message-passing-parts.ts';

/**
 * Mode of a message. `synchronous`: the sender waits for the receiver, and the message does not travel before its
 * receive is posted. `buffered`: the sender continues at once. `silent`: like `synchronous`, but the sender gets no
 * completion. `oneSided`: like `buffered`, and the message travels at once, whatever its size is.
 */
export const MODE = { standard: 0, synchronous: 1, buffered: 2, silent: 3, oneSided: 4 } as const;

/**
 * True if the sender continues at once: a small message, or a mode that does not wait.
 *
 * @param b bytes of the message
 * @param y its {@link MODE}; standard if not given
 */
export function isDetached({ detachedBelow, eagerBelow }: Protocol, b: Term<number>, y?: Term<number>): Term<boolean> {
  const limit = Math.max(detachedBelow, eagerBelow);
  const [bytes, mode] = [valueIn(b), valueIn(y)];
  if (bytes !== undefined && (y === undefined || mode !== undefined))
    return constant(mode === MODE.synchronous ? false : (mode ?? MODE.standard) !== MODE.standard || bytes < limit);
  const small = lt(b, limit);
  if (y === undefined) return small;
  return and(not(eq(y, MODE.synchronous)), not(and(eq(y, MODE.standard), not(small))));
}

/** True if a message travels before its receive is posted; parameters as in {@link isDetached}, and whether some are one-sided. */
export function isEager(
  { eagerBelow }: Protocol,
  b: Term<number>,
  y?: Term<number>,
  hasOneSided = false,
): Term<boolean> {
  const [bytes, mode] = [valueIn(b), valueIn(y)];
  if (bytes !== undefined && (y === undefined || mode !== undefined))
    return constant(
      mode === MODE.oneSided || (bytes < eagerBelow && mode !== MODE.synchronous && mode !== MODE.silent),
    );
  const small = lt(b, eagerBelow);
  if (y === undefined) return small;
  const usual = and(small, not(eq(y, MODE.synchronous)), not(eq(y, MODE.silent)));
  return hasOneSided ? or(eq(y, MODE.oneSided), usual) : usual;
}

/** Value of a constant term; undefined for other terms. */
function valueIn(term: Term<number> | undefined): number | undefined {
  return term?.op === 'const' ? term.value : undefined;
}
