import type { Machine } from './machine.ts';

/**
 * The parts of a machine that the replay of a time-independent trace does not use, by their keys: `overhead` where any is
 * above 0, and `noise` where there is some. Memory is none of them: no computation of such a trace says how many bytes
 * it moves.
 */
export function traceIgnores({ overhead, noise }: Pick<Machine, 'overhead' | 'noise'>): string[] {
  const { send, receive, perByte } = overhead;
  return [...(send > 0 || receive > 0 || perByte > 0 ? ['overhead'] : []), ...(noise === undefined ? [] : ['noise'])];
}
