/**
 * Figures printed after a run of Jacobi's method in C-DVM: 3000 x 3000 points, 20 iterations, 16 processors of an MVS-100.
 * In seconds. For each quantity the table has mean, minimum and maximum, the latter two with the number of the processor.
 */
export const printed = {
  executionTime: 48.049984,
  totalTime: 768.799744,
  productiveTime: 707.256508,
  efficiency: 0.919949,
  lostTime: 61.543236,
  insufficientParallelism: 29.59578,
  communication: 29.950592,
  idle: 1.996864,
  loadImbalance: 2.333376,
  leastCommunication: 1.718784,
  mostCommunication: 3.848128,
  firstEnd: 47.76992,
} as const;

export const PROCESSORS = 16;

/** Values by rank: those of the processors named in the table; all others get the value that gives the printed mean. */
function byRank(mean: number, named: Readonly<Record<number, number>>): readonly number[] {
  const values = Object.values(named);
  const rest = (PROCESSORS * mean - values.reduce((a, b) => a + b, 0)) / (PROCESSORS - values.length);
  return Array.from({ length: PROCESSORS }, (_, rank) => named[rank + 1] ?? rest);
}

/**
 * Computing that every processor repeats. At the end the others wait for processor 2 exactly as long as its surplus of
 * this computing. We conclude that it computes the surplus after the last message, and the rest with the others.
 */
const alike: readonly number[] = byRank(1.973052, { 2: 2.088896, 16: 1.793472 });
const usual = alike[0]!;
export const sequential: readonly number[] = alike.map((seconds) => Math.min(seconds, usual));
export const sequentialAtEnd: readonly number[] = alike.map((seconds) => Math.max(0, seconds - usual));
/** Computing in the parallel loops. */
export const parallel: readonly number[] = byRank(44.069204, { 6: 44.21504, 16: 42.124288 });
/** Input and output, without the messages in it: nearly all of it on processor 1. */
export const output: readonly number[] = byRank(0.011012, { 1: 0.175481 });
