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

/** Minimum and maximum of a figure, each with its processor, and mean. */
export type Triple = readonly [min: number, minOn: number, max: number, maxOn: number, mean: number];

/** The printed table by processor: names are those of a profile. */
export const printedSpreads = {
  lostTime: [3.704516, 2, 5.809572, 16, 3.846452],
  insufficientParallelism: [1.68138, 16, 1.95834, 2, 1.849736],
  communication: [1.718784, 10, 3.848128, 16, 1.871912],
  idle: [0, 2, 0.280064, 16, 0.121144],
  executionTime: [47.76992, 16, 48.049984, 2, 47.92518],
  cpuTimeSequential: [1.793472, 16, 2.088896, 2, 1.973052],
  cpuTimeParallel: [42.124288, 16, 44.21504, 6, 44.069204],
  ioTime: [0.000142, 3, 0.175481, 1, 0.011012],
  synchronization: [0.102208, 2, 4.226048, 16, 0.645172],
  timeVariation: [0.098368, 2, 2.120256, 16, 0.508616],
  overlap: [0.023488, 16, 0.029312, 10, 0.02586],
  loadImbalance: [0, 2, 2.382016, 16, 0.16228],
  loopIterations: [1613284, 16, 1691248, 2, 1686001],
} as const satisfies Readonly<Record<string, Triple>>;

/** The printed table by operation and processor: the second comparative table. */
export const printedOperationSpreads = {
  Start_reduction: {
    communication: [0.01984, 2, 2.453824, 16, 0.267516],
    synchronization: [0.001344, 3, 2.44544, 16, 0.268928],
    timeVariation: [0.000128, 3, 0.056768, 9, 0.024132],
    overlap: [0.010944, 16, 0.016, 8, 0.012664],
  },
  Wait_reduction: {
    communication: [0.092416, 2, 0.149056, 10, 0.110428],
    synchronization: [0.00032, 3, 0.055808, 9, 0.022668],
    timeVariation: [0.000576, 9, 0.021504, 1, 0.006064],
  },
  Start_shadow: {
    communication: [0.500608, 16, 0.899776, 2, 0.753996],
    synchronization: [0, 10, 0.024448, 2, 0.008704],
    timeVariation: [0, 2, 0.396608, 1, 0.130036],
    overlap: [0.012352, 2, 0.0144, 7, 0.013196],
  },
  Wait_shadow: {
    communication: [0.628032, 1, 0.862464, 3, 0.739972],
    synchronization: [0, 2, 0.395328, 1, 0.129192],
    timeVariation: [0, 3, 0.51776, 1, 0.139684],
  },
  'I/O': {
    synchronization: [0, 3, 1.379712, 16, 0.21568],
    timeVariation: [0, 3, 1.379712, 16, 0.2087],
  },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Triple>>>>;

/** The printed table by operation, over all processors; undefined: nothing is printed. */
export const printedOperations: readonly {
  readonly label: keyof typeof printedOperationSpreads;
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

/** Computing that every processor repeats, in seconds. */
export const repeated: readonly number[] = byRank(1.973052, { 2: 2.088896, 16: 1.793472 });
/**
 * At the end the others wait for processor 2 exactly as long as its surplus of this computing. grid.ts concludes that it computes
 * the surplus after the last message, and the rest with the others.
 */
const usual = repeated[0]!;
export const sequential: readonly number[] = repeated.map(
  (seconds) => Math.min(seconds, usual) - overlapped.reduction - overlapped.shadow,
);
export const sequentialAtEnd: readonly number[] = repeated.map((seconds) => Math.max(0, seconds - usual));
/** Its share of the parallel loops. */
export const parallel: readonly number[] = byRank(44.069204, { 6: 44.21504, 16: 42.124288 });
/** Seconds of input and output, without the messages inside: all but 0.4 % is processor 1's. At 1 GB/s. */
export const OUTPUT_BYTES = 0.176192e9;

/** Points in a row, turns of the loop, and rows of a processor: 3000 rows are dealt in blocks of 188, the last one of 180. */
const [POINTS, TURNS, BLOCK, LAST] = [3000, 20, 188, 180] as const;

/**
 * Costs from the calibration set: minimum and mean of the CPU time in parallel loops; of communication the minimum of both parts
 * of the reduction, minimum, maximum and mean of Start_shadow, and minimum of Wait_shadow; maximum of the time variation of
 * Wait_reduction. Seconds, unless stated otherwise.
 */
export const calibrated = calibrate();

function calibrate(): {
  /** Loop iterations per second. */
  readonly speed: number;
  /** Iterations of the loops that take as long as setting one initial value. */
  readonly initialFlops: number;
  /** Time of a message without its bytes. */
  readonly latency: number;
  /** Bytes per second. */
  readonly bandwidth: number;
  readonly perByte: number;
  /** The call that starts the exchange, on all processors but the second one, and there. */
  readonly startShadow: number;
  readonly startShadowSecond: number;
  /** The calls of the reduction, without its messages. */
  readonly startReduction: number;
  readonly waitReduction: number;
} {
  const [leastCpu, , , , meanCpu] = printedSpreads.cpuTimeParallel;
  // All processors but the last have 188 rows; the first and the last one have a row at the border, which does not change.
  const others = PROCESSORS * meanCpu - leastCpu;
  const [loops, initial] = [(PROCESSORS - 1) * BLOCK - 1, (PROCESSORS - 1) * BLOCK];
  const determinant = loops * LAST - initial * (LAST - 1);
  const row = (others * LAST - initial * leastCpu) / determinant;
  const initialRow = (loops * leastCpu - others * (LAST - 1)) / determinant;
  const iteration = row / (2 * TURNS) / (POINTS - 2);

  const seconds = (total: number): number => total / TURNS;
  const { Start_reduction, Wait_reduction, Start_shadow, Wait_shadow } = printedOperationSpreads;
  const [least, , most, , mean] = Start_shadow.communication;
  const one = seconds(least);
  // The first and the last processor have one neighbour; the second one takes longer than the others.
  const two = seconds(PROCESSORS * mean - most - 2 * least) / (PROCESSORS - 3);
  const copy = two - one;
  const second = seconds(most) - 2 * copy;
  // The first processor waits for the first message of the second one, and copies it.
  const end = one + overlapped.shadow / TURNS + seconds(Wait_shadow.communication[0]);
  const travels = end - copy - (second + copy);
  // Processors leave a reduction after up to four messages.
  const latency = seconds(Wait_reduction.timeVariation[2]) / 4;
  return {
    speed: 1 / iteration,
    initialFlops: initialRow / POINTS / iteration,
    latency,
    bandwidth: (8 * POINTS) / (travels - latency),
    perByte: copy / (8 * POINTS),
    startShadow: one - copy,
    startShadowSecond: second,
    // The processor that comes last does not wait.
    startReduction: seconds(Start_reduction.communication[0]),
    waitReduction: seconds(Wait_reduction.communication[0]),
  };
}
