import { readFileSync } from 'node:fs';
import { printed, printedOperations } from './figures.ts';

/** Reads a profile (`foretoken profile … --json`) on standard input; prints it next to the printed figures. */
interface Figure {
  readonly value: number;
}
interface Operation {
  readonly kind: string;
  readonly phase?: string;
  readonly communication: number;
  readonly synchronization: number;
  readonly timeVariation: number;
  readonly overlap: number;
}
const document = JSON.parse(readFileSync(0, 'utf8')) as {
  readonly figures: Readonly<Record<string, Figure>>;
  readonly spread: Readonly<Record<string, { readonly min: number; readonly max: number }>>;
  readonly operations: readonly Operation[];
};
const { figures, spread, operations } = document;

const line = (label: string, ...cells: readonly string[]): string =>
  `${label.padEnd(32)}${cells.map((cell) => cell.padStart(12)).join('')}`.trimEnd();
const error = (predicted: number, given: number): string => `${(100 * (predicted / given - 1)).toFixed(1)} %`;
const compared = (label: string, given: number, predicted: number, how: string, digits = 3): string =>
  `${line(label, given.toFixed(digits), predicted.toFixed(digits), error(predicted, given))}  ${how}`;

const of = (name: string): number => figures[name]!.value;
console.log(line('', 'printed', 'predicted', 'error'));
for (const [name, label, how] of [
  ['executionTime', 'execution time', 'predicted'],
  ['totalTime', 'total time', 'predicted'],
  ['productiveTime', 'productive time', 'given'],
  ['lostTime', 'lost time', 'predicted'],
  ['insufficientParallelism', '- insufficient parallelism', 'given'],
  ['communication', '- communication', 'predicted'],
  ['idle', '- idle', 'predicted'],
  ['synchronization', 'synchronization', 'predicted'],
  ['timeVariation', 'time variation', 'predicted'],
  ['overlap', 'overlap', 'given'],
  ['loadImbalance', 'load imbalance', 'given'],
] as const)
  console.log(compared(label, printed[name], of(name), how));
console.log(compared('efficiency', printed.efficiency, of('efficiency'), 'predicted', 4));
const { communication, executionTime } = spread;
console.log(compared('communication, least of a rank', printed.leastCommunication, communication!.min, 'predicted'));
console.log(compared('communication, most of a rank', printed.mostCommunication, communication!.max, 'predicted'));
console.log(compared('end of the first rank', printed.firstEnd, executionTime!.min, 'predicted'));

/** The operation whose communication the time per byte is fitted to. */
const FITTED = 'Start_shadow';
const COLUMNS = ['communication', 'synchronization', 'timeVariation', 'overlap'] as const;
for (const { label, kind, phase, ...sums } of printedOperations) {
  console.log(`\n${line(`${label}, ${sums.count} times`, 'printed', 'predicted', 'error')}`);
  const found = operations.find((operation) => operation.kind === kind && operation.phase === phase)!;
  for (const column of COLUMNS) {
    const given = sums[column];
    if (given === undefined) continue;
    const how =
      column === 'overlap' ? 'given' : label === FITTED && column === 'communication' ? 'fitted' : 'predicted';
    console.log(compared(`- ${column === 'timeVariation' ? 'time variation' : column}`, given, found[column], how));
  }
}
