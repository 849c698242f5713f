/**
 * Printed figures of a run of Jacobi's method in C-DVM: 3000 x 3000 points, 20 iterations, 16 processors of an MVS-100.
 * Seconds. The table gives the mean, minimum and maximum of each quantity, with the processor's number.
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
  synchronization: 10.322752,
  timeVariation: 8.137856,
  overlap: 0.41376,
  firstEnd: 47.76992,
} as const;

/** The printed table by operation, over all processors; undefined: nothing is printed. */
export const printedOperations: readonly {
  readonly label: string;
  readonly kind: string;
  readonly phase?: 'start' | 'wait';
  readonly count: number;
  readonly communication?: number;
  readonly synchronization: number;
  readonly timeVariation: number;
  readonly overlap?: number;
}[] = [
  {
    label: 'Start_reduction',
    kind: 'reduction',
    phase: 'start',
    count: 20,
    communication: 4.280256,
    synchronization: 4.302848,
    timeVariation: 0.386112,
    overlap: 0.202624,
  },
  {
    label: 'Wait_reduction',
    kind: 'reduction',
    phase: 'wait',
    count: 20,
    communication: 1.766848,
    synchronization: 0.362688,
    timeVariation: 0.097024,
  },
  {
    label: 'Start_shadow',
    kind: 'shadow edges',
    phase: 'start',
    count: 20,
    communication: 12.063936,
    synchronization: 0.139264,
    timeVariation: 2.080576,
    overlap: 0.211136,
  },
  {
    label: 'Wait_shadow',
    kind: 'shadow edges',
    phase: 'wait',
    count: 20,
    communication: 11.839552,
    synchronization: 2.067072,
    timeVariation: 2.234944,
  },
  { label: 'I/O', kind: 'I/O', count: 21, synchronization: 3.45088, timeVariation: 3.3392 },
];

export const PROCESSORS = 16;

/** By rank: the processors named in the table; the others have the value that gives the mean of the table. */
function byRank(mean: number, named: Readonly<Record<number, number>>): readonly number[] {
  const values = Object.values(named);
  const rest = (PROCESSORS * mean - values.reduce((a, b) => a + b, 0)) / (PROCESSORS - values.length);
  return Array.from({ length: PROCESSORS }, (_, rank) => named[rank + 1] ?? rest);
}

/**
 * Seconds that each processor computes between start and wait of the two operations: the printed overlap. It is part of
 * the computing that every processor repeats.
 */
export const overlapped = { reduction: 0.202624 / PROCESSORS, shadow: 0.211136 / PROCESSORS } as const;

/**
 * Computing that every processor repeats. At the end the others wait for processor 2 exactly as long as its surplus of
 * this computing. We conclude that it computes the surplus after the last message, and the rest with the others.
 */
const alike: readonly number[] = byRank(1.973052, { 2: 2.088896, 16: 1.793472 });
const usual = alike[0]!;
export const sequential: readonly number[] = alike.map(
  (seconds) => Math.min(seconds, usual) - overlapped.reduction - overlapped.shadow,
);
export const sequentialAtEnd: readonly number[] = alike.map((seconds) => Math.max(0, seconds - usual));
/** Its share of the parallel loops. */
export const parallel: readonly number[] = byRank(44.069204, { 6: 44.21504, 16: 42.124288 });
/** Seconds of input and output, without the messages inside: all but 0.4 % is processor 1's. At 1 GB/s. */
export const OUTPUT_BYTES = 0.176192e9;
