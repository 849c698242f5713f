import { readFileSync } from 'node:fs';
import { output, PROCESSORS, parallel, printed, sequential, sequentialAtEnd } from './figures.ts';

/** Reads a prediction (`foretoken predict … --json`) from standard input and prints it next to the printed figures. */
interface Rank {
  readonly endTime: number;
  readonly communicating: number;
  readonly waiting: number;
}
const document = JSON.parse(readFileSync(0, 'utf8')) as {
  readonly figures: { readonly runTime: { readonly value: number } };
  readonly ranks: readonly Rank[];
};

const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);
const time = document.figures.runTime.value;
const communication = document.ranks.map((r) => r.communicating + r.waiting);
// A sequential section is needed only once: its 15 other copies are lost time.
const allSequential = sum(sequential) + sum(sequentialAtEnd);
const insufficientParallelism = (allSequential * (PROCESSORS - 1)) / PROCESSORS;
const idle = sum(document.ranks.map((r) => time - r.endTime));
const productiveTime = allSequential + sum(parallel) - insufficientParallelism + sum(output);

const predicted: Readonly<Record<keyof typeof printed, number>> = {
  executionTime: time,
  totalTime: PROCESSORS * time,
  productiveTime,
  efficiency: productiveTime / (PROCESSORS * time),
  lostTime: PROCESSORS * time - productiveTime,
  insufficientParallelism,
  communication: sum(communication),
  idle,
  loadImbalance: PROCESSORS * Math.max(...parallel) - sum(parallel),
  leastCommunication: Math.min(...communication),
  mostCommunication: Math.max(...communication),
  firstEnd: Math.min(...document.ranks.map((r) => r.endTime)),
};

const rows: readonly [keyof typeof printed, string, 'given' | 'predicted'][] = [
  ['executionTime', 'execution time', 'predicted'],
  ['totalTime', 'total time', 'predicted'],
  ['productiveTime', 'productive time', 'given'],
  ['efficiency', 'efficiency', 'predicted'],
  ['lostTime', 'lost time', 'predicted'],
  ['insufficientParallelism', '- insufficient parallelism', 'given'],
  ['communication', '- communication', 'predicted'],
  ['idle', '- idle', 'predicted'],
  ['loadImbalance', 'load imbalance', 'given'],
  ['leastCommunication', 'communication, least of a rank', 'predicted'],
  ['mostCommunication', 'communication, most of a rank', 'predicted'],
  ['firstEnd', 'end of the first rank', 'predicted'],
];
const line = (...cells: readonly string[]): string =>
  `${cells[0]!.padEnd(32)}${cells
    .slice(1, 4)
    .map((c) => c.padStart(12))
    .join('')}  ${cells[4]}`.trimEnd();
console.log(line('', 'printed', 'predicted', 'error', ''));
for (const [key, label, how] of rows) {
  const error = 100 * (predicted[key] / printed[key] - 1);
  const digits = key === 'efficiency' ? 4 : 3;
  console.log(line(label, printed[key].toFixed(digits), predicted[key].toFixed(digits), `${error.toFixed(1)} %`, how));
}
