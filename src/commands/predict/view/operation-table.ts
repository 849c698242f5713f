import { ranges } from '../../../base/listing.ts';
import { heading } from '../../../report/heading.ts';
import { sourcePlace } from '../../../report/source-place.ts';
import type { Style } from '../../../report/style.ts';
import { table } from '../../../report/table.ts';
import { formatAmount, formatCount } from '../../../report/units.ts';
import type { OperationFigures, PredictionDocument } from '../prediction.ts';

/** Maximum number of lines listed. */
const MAX_ROWS = 5;
/** Control statements, which take no time and are not operations of the program. */
const CONTROL: ReadonlySet<string> = new Set(['let', 'when', 'while', 'loop', 'repeat', 'chance', 'interval']);

/** Operations of one kind on one source line of a model. */
interface Group {
  readonly kind: string;
  readonly numbers: number[];
  readonly place: string;
  completions: number;
  throughput: number;
}

/** The most frequent operations of a model with their source lines; operations of one kind on one line are merged. */
export function operationTable({ operations = [] }: PredictionDocument, style: Style): string[] {
  const groups = grouped(operations.filter(({ completions }) => completions > 0))
    .filter(({ kind }) => !CONTROL.has(kind.slice(kind.lastIndexOf('.') + 1)))
    .sort((a, b) => b.throughput - a.throughput);
  if (groups.length < 2) return [];
  const shown = groups.slice(0, MAX_ROWS);
  const left = groups.length - shown.length;
  const rest = left > 0 ? `: the most frequent ${shown.length} of ${formatCount(groups.length)}` : '';
  const name = ({ kind, numbers }: Group): string => (numbers.length === 0 ? kind : `${kind} ${ranges(numbers)}`);
  return [
    heading('Operations', rest, style),
    ...table(
      [
        { head: 'operation', cells: shown.map(name) },
        { head: 'times', right: true, dispensable: 1, cells: shown.map((g) => formatCount(g.completions)) },
        { head: 'throughput', right: true, cells: shown.map((g) => formatAmount(g.throughput, '/s')) },
        { head: 'line', cells: shown.map((g) => g.place) },
      ],
      style,
    ),
  ];
}

/** Merges `isend 1` and `isend 2` of one line, in the order of the model. */
function grouped(operations: readonly OperationFigures[]): Group[] {
  const groups = new Map<string, Group>();
  for (const { name, file, line, completions, throughput } of operations) {
    const [, kind = name, number] = /^(.*) (\d+)$/.exec(name) ?? [];
    const key = JSON.stringify([kind, file, line]);
    let group = groups.get(key);
    if (group === undefined) {
      group = { kind, numbers: [], place: sourcePlace(file, line), completions: 0, throughput: 0 };
      groups.set(key, group);
    }
    if (number !== undefined) group.numbers.push(Number(number));
    group.completions += completions;
    group.throughput += throughput;
  }
  for (const { numbers } of groups.values()) numbers.sort((a, b) => a - b);
  return [...groups.values()];
}
