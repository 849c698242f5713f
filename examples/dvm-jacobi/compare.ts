import { readFileSync } from 'node:fs';
import { printed, printedOperationSpreads, printedOperations, printedSpreads, type Triple } from './figures.ts';

/** Reads a profile (`foretoken profile … --json`) on standard input; prints all rows of the printed tables next to it. */
interface Figure {
  readonly value: number;
}
interface Spread {
  readonly min: number;
  readonly minProcess: number;
  readonly max: number;
  readonly maxProcess: number;
  readonly mean: number;
}
type Column = 'communication' | 'synchronization' | 'timeVariation' | 'overlap';
interface Operation extends Readonly<Record<Column, number>> {
  readonly kind: string;
  readonly phase?: string;
  readonly spread: Readonly<Record<Column, Spread>>;
}
const { figures, spread, operations } = JSON.parse(readFileSync(0, 'utf8')) as {
  readonly figures: Readonly<Record<string, Figure>>;
  readonly spread: Readonly<Record<string, Spread>>;
  readonly operations: readonly Operation[];
};
const WORDS: Readonly<Record<string, string>> = {
  executionTime: 'execution time',
  totalTime: 'total time',
  productiveTime: 'productive time',
  lostTime: 'lost time',
  insufficientParallelism: 'insufficient parallelism',
  timeVariation: 'time variation',
  loadImbalance: 'load imbalance',
  cpuTimeSequential: 'CPU time, sequential',
  cpuTimeParallel: 'CPU time, parallel',
  ioTime: 'I/O time',
  loopIterations: 'loop iterations',
};
const word = (name: string): string => WORDS[name] ?? name;

/** Figures that the model has from the printed tables (given), or that costs are fitted to. All others are predicted. */
const USES: Readonly<Record<string, string>> = {
  'insufficient parallelism': 'given',
  'insufficient parallelism, min': 'given',
  'insufficient parallelism, max': 'given',
  'insufficient parallelism, mean': 'given',
  'CPU time, sequential, min': 'given',
  'CPU time, sequential, max': 'given',
  'CPU time, sequential, mean': 'given',
  'CPU time, parallel, min': 'fitted',
  'CPU time, parallel, mean': 'fitted',
  'productive time': 'fitted',
  overlap: 'given',
  'overlap, mean': 'given',
  'I/O time, max': 'given',
  'I/O time, mean': 'given',
  'Start_reduction, communication, min': 'fitted',
  'Start_reduction, overlap': 'given',
  'Start_reduction, overlap, mean': 'given',
  'Wait_reduction, communication, min': 'fitted',
  'Wait_reduction, time variation, max': 'fitted',
  'Start_shadow, communication': 'fitted',
  'Start_shadow, communication, min': 'fitted',
  'Start_shadow, communication, max': 'fitted',
  'Start_shadow, communication, mean': 'fitted',
  'Start_shadow, overlap': 'given',
  'Start_shadow, overlap, mean': 'given',
  'Wait_shadow, communication, min': 'fitted',
};

const row = (label: string, ...cells: readonly string[]): string =>
  `${label.padEnd(40)}${cells.map((cell) => cell.padStart(14)).join('')}`.trimEnd();
function compared(label: string, given: number, found: number, where = ''): void {
  const digits = Number.isInteger(given) && given > 1000 ? 0 : 6;
  const error = given === 0 ? '–' : `${(100 * (found / given - 1)).toFixed(1)} %`;
  console.log(
    `${row(label, given.toFixed(digits), found.toFixed(digits), error)}  ${USES[label] ?? 'predicted'}${where}`,
  );
}
/** Minimum, maximum and mean; the processors of minimum and maximum count from 1. */
function triple(label: string, [min, minOn, max, maxOn, mean]: Triple, found: Spread): void {
  const on = (printedOn: number, process: number): string =>
    printedOn === process + 1 ? `, on ${printedOn}` : `, printed on ${printedOn}, found on ${process + 1}`;
  compared(`${label}, min`, min, found.min, on(minOn, found.minProcess));
  compared(`${label}, max`, max, found.max, on(maxOn, found.maxProcess));
  compared(`${label}, mean`, mean, found.mean);
}
const heading = (title: string): void => console.log(`${row(title, 'printed', 'predicted', 'error')}`);

heading('Level 0');
for (const name of [
  'executionTime',
  'totalTime',
  'productiveTime',
  'lostTime',
  'insufficientParallelism',
  'communication',
  'idle',
  'synchronization',
  'timeVariation',
  'overlap',
  'loadImbalance',
  'efficiency',
] as const)
  compared(word(name), printed[name], figures[name]!.value);

console.log();
heading('By processor');
for (const [name, of] of Object.entries(printedSpreads)) triple(word(name), of, spread[name]!);

for (const { label, kind, phase, count, ...sums } of printedOperations) {
  console.log();
  heading(`${label}, ${count} times`);
  const found = operations.find((operation) => operation.kind === kind && operation.phase === phase)!;
  for (const [name, of] of Object.entries(printedOperationSpreads[label]) as [Column, Triple][]) {
    compared(`${label}, ${word(name)}`, sums[name]!, found[name]);
    triple(`${label}, ${word(name)}`, of, found.spread[name]);
  }
}
