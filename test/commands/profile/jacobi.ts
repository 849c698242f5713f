/**
 * Rows of states.csv that reproduce the printed analysis of Jacobi's method in C-DVM on 16 processors of an MVS-100
 * (Keldysh Institute 1998, ../shared/sources/dvm-efficiency.md). Processors are processes 0 to 15.
 */

const P = 16;

/** Values by processor: those of the table, and equal values for the others such that the mean is the printed one. */
export function byProcessor(mean: number, named: Readonly<Record<number, number>>): number[] {
  const values = Object.values(named);
  const other = (P * mean - values.reduce((a, b) => a + b, 0)) / (P - values.length);
  return Array.from({ length: P }, (_, p) => named[p + 1] ?? other);
}

/** Printed figures of level 0, in seconds. */
export const PRINTED = {
  processors: 16,
  executionTime: 48.049984,
  totalTime: 768.799744,
  efficiency: 0.919949,
  productiveTime: 707.256508,
  productiveCpuTime: 707.080316,
  ioTime: 0.176192,
  lostTime: 61.543236,
  insufficientParallelism: 29.59578,
  insufficientParallelismSequential: 29.59578,
  insufficientParallelismParallel: 0,
  communication: 29.950592,
  idle: 1.996864,
  loadImbalance: 2.333376,
} as const;

const sequential = byProcessor(1.973052, { 2: 2.088896, 16: 1.793472 });
const parallel = byProcessor(44.069204, { 6: 44.21504, 16: 42.124288 });
const io = byProcessor(0.176192 / P, { 1: 0.175481, 3: 0.000142 });
/** Idle follows the totals: P × (48.049984 − 47.925180) = 1.996864. */
const execution = byProcessor(48.049984 - 1.996864 / P, { 2: 48.049984, 16: 47.76992 });

/** Rows for sequential computation, parallel computation, output, and communication until the processor's end. */
export function jacobiStates(): string {
  const lines = ['process,node,start,end,state,call,interval,kind,collective,phase'];
  for (let p = 0; p < P; p++) {
    let time = 0;
    const row = (seconds: number, state: string, rest: string): void => {
      lines.push(`${p},node${p},${time},${time + seconds},${state},${rest}`);
      time += seconds;
    };
    row(sequential[p]!, 'computing', ',,sequential,,');
    row(parallel[p]!, 'computing', ',iterations#1,parallel,,');
    row(io[p]!, 'io', ',,sequential,,');
    row(execution[p]! - time, 'communicating', 'exchange,,,,');
  }
  return `${lines.join('\n')}\n`;
}
