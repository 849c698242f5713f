import type { Machine } from './machine.ts';

/**
 * Names of the parts of a machine that the replay of a time-independent trace ignores: `overhead` if any of it is above
 * 0, and `noise` if given. Memory is not listed: computations in such a trace have no byte counts, so memory cannot
 * affect them.
 */
export function traceIgnores({ overhead, noise }: Pick<Machine, 'overhead' | 'noise'>): string[] {
  const { send, receive, perByte } = overhead;
  return [...(send > 0 || receive > 0 || perByte > 0 ? ['overhead'] : []), ...(noise === undefined ? [] : ['noise'])];
}
