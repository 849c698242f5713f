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
  synchronization: 10.322752,
  timeVariation: 8.137856,
  overlap: 0.41376,
} as const;

/** Printed table by kind of operation: executions, communication, synchronization, time variation and overlap. */
export const PRINTED_OPERATIONS = {
  'reduction start': [20, 4.280256, 4.302848, 0.386112, 0.202624],
  'reduction wait': [20, 1.766848, 0.362688, 0.097024, 0],
  'shadow start': [20, 12.063936, 0.139264, 2.080576, 0.211136],
  'shadow wait': [20, 11.839552, 2.067072, 2.234944, 0],
  'io ': [21, 0, 3.45088, 3.3392, 0],
} as const;

/** Printed minimum and maximum, each with its processor, and mean. */
export const PRINTED_SPREADS = {
  synchronization: [0.102208, 2, 4.226048, 16, 0.645172],
  timeVariation: [0.098368, 2, 2.120256, 16, 0.508616],
  overlap: [0.023488, 16, 0.029312, 10, 0.02586],
  cpuTimeSequential: [1.793472, 16, 2.088896, 2, 1.973052],
  cpuTimeParallel: [42.124288, 16, 44.21504, 6, 44.069204],
  loopIterations: [1613284, 16, 1691248, 2, 1686001],
} as const;

const sequential = byProcessor(1.973052, { 2: 2.088896, 16: 1.793472 });
const parallel = byProcessor(44.069204, { 6: 44.21504, 16: 42.124288 });
const io = byProcessor(0.176192 / P, { 1: 0.175481, 3: 0.000142 });
/** Idle follows the totals: P × (48.049984 − 47.925180) = 1.996864. */
const execution = byProcessor(48.049984 - 1.996864 / P, { 2: 48.049984, 16: 47.76992 });

const communication = execution.map((time, p) => time - sequential[p]! - parallel[p]! - io[p]!);
const iterations = byProcessor(1686001, { 2: 1691248, 16: 1613284 });
const synchronization = byProcessor(0.645172, { 2: 0.102208, 16: 4.226048 });
const variation = byProcessor(0.508616, { 2: 0.098368, 16: 2.120256 });
const overlap = byProcessor(0.02586, { 10: 0.029312, 16: 0.023488 });

/*
 * Parts of the operations in these figures, by processor. The printed lines of output give those of processors 3 and 16;
 * that of processor 2 is chosen below its total. The waits of the operations begin where their starts end, after the
 * overlapped computing: so the variation of a start is the synchronization of its wait, apart from the overlap.
 */
const share = byProcessor(1 / P, { 2: 0.01, 16: 0.2 });
const scaled = (total: number): number[] => share.map((part) => total * part);
const ofTotal = (total: number): number[] => overlap.map((part) => (total * part) / PRINTED.overlap);
const minus = (all: readonly number[], ...parts: readonly (readonly number[])[]): number[] =>
  all.map((x, p) => parts.reduce((rest, part) => rest - part[p]!, x));
const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);

const overlaps = { reduction: ofTotal(0.202624), shadow: ofTotal(0.211136) };
/** Computing between start and wait that is the same on all processors. */
const common = { reduction: (0.202624 - 0.386112 + 0.362688) / P, shadow: (0.211136 - 2.080576 + 2.067072) / P };
const late = {
  output: byProcessor(0.21568, { 2: 0.03, 3: 0, 16: 1.379712 }),
  reductionWait: scaled(0.362688),
  shadowStart: scaled(0.139264),
  shadowWait: scaled(2.067072),
};
const reductionStart = minus(synchronization, late.output, late.reductionWait, late.shadowStart, late.shadowWait);
const early = {
  output: byProcessor(0.2087, { 2: 0.03, 3: 0, 16: 1.379712 }),
  reductionStart: late.reductionWait.map((s, p) => s + overlaps.reduction[p]! - common.reduction),
  reductionWait: scaled(0.097024),
  shadowStart: late.shadowWait.map((s, p) => s + overlaps.shadow[p]! - common.shadow),
};
const shadowWait = minus(variation, early.output, early.reductionStart, early.reductionWait, early.shadowStart);

/** Part of a processor's delay in an execution: the first two have all of it, and in each of them one processor has none. */
function part(delay: readonly number[], p: number, execution: number): number {
  if (execution > 2) return 0;
  if (p < 2) return p === execution - 1 ? 0 : delay[p]!;
  return delay[p]! / 2;
}

/** Rows of states of the whole run. Computing fills the time between all others. */
export function jacobiStates(): string {
  const lines = ['process,node,start,end,state,call,interval,kind,collective,phase,iterations'];
  for (let p = 0; p < P; p++) {
    let time = 0;
    const row = (end: number, state: string, rest: string): void => {
      lines.push(`${p},node${p},${time},${end},${state},${rest}`);
      time = end;
    };
    const compute = (until: number): void => {
      if (until < time) throw new Error(`processor ${p + 1} has no time to compute: ${time} > ${until}`);
      if (until > time) row(until, 'computing', ',iterations#1,parallel,,,');
    };
    /** An execution that lasts from `start` to `end`, of which the processor communicates for some seconds. */
    const operation = (name: string, phase: string, start: number, end: number, seconds: number): void => {
      const cells = `${name},iterations#1,parallel,${name},${phase},`;
      const state = name.startsWith('io') ? 'io' : 'communicating';
      compute(start);
      row(time + seconds, state, cells);
      if (time === end) return;
      compute(end);
      row(end, state, cells);
    };
    const seconds = (total: number): number => (total * communication[p]!) / PRINTED.communication / 20;
    row(sequential[p]!, 'computing', ',,sequential,,,');
    let base = 5;
    for (let k = 1; k <= 21; k++) {
      const length = k <= 2 ? 0.8 : 0.09;
      const at = (delay: readonly number[]): number => part(delay, p, k);
      base += length;
      operation(`io#${k}`, '', base - at(late.output), base + length - at(early.output), io[p]! / 21);
      if (k === 21) break;
      for (const [name, startLate, startEarly, waitLate, waitEarly, startSeconds, waitSeconds] of [
        [
          'reduction',
          reductionStart,
          early.reductionStart,
          late.reductionWait,
          early.reductionWait,
          4.280256,
          1.766848,
        ],
        ['shadow', late.shadowStart, early.shadowStart, late.shadowWait, shadowWait, 12.063936, 11.839552],
      ] as const) {
        base += 3 * length;
        const startEnd = base + length;
        operation(`${name}#${k}`, 'start', base - at(startLate), startEnd - at(startEarly), seconds(startSeconds));
        base = startEnd + common[name] / 20;
        operation(`${name}#${k}`, 'wait', base - at(waitLate), base + length - at(waitEarly), seconds(waitSeconds));
        base += length;
      }
    }
    row(execution[p]!, 'computing', `,iterations#1,parallel,,,${iterations[p]}`);
  }
  if (Math.abs(sum(reductionStart) - 4.302848) + Math.abs(sum(shadowWait) - 2.234944) > 1e-9)
    throw new Error('the parts of the operations do not add up to the printed table');
  return `${lines.join('\n')}\n`;
}
