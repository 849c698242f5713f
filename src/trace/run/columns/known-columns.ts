import type { Batch, Cells } from '../batch.ts';
import type { TableName } from '../run-schema.ts';

/** Earlier columns from which a column is predicted, for records that will be compressed. */
interface Comparison {
  readonly columns: readonly string[];
  /** Numbers that the cells are near to, or equal; absent for a count that goes on with each process. */
  readonly near?: (columns: readonly Cells[], row: number) => number;
}

/** A message arrives soon after it is sent, a call that is blocked is so for most of its time, and calls are numbered by process. */
const COMPARED: Readonly<Partial<Record<TableName, Readonly<Record<string, Comparison>>>>> = {
  states: { sequence: { columns: ['process'] } },
  messages: { received: { columns: ['sent'], near: ([sent], row) => sent![row]! } },
  calls: {
    end: { columns: ['start'], near: ([start], row) => start![row]! },
    sequence: { columns: ['process'] },
    blocked: { columns: ['start', 'end'], near: ([start, end], row) => end![row]! - start![row]! },
  },
};

/** Predictions that the encoding of a column may use. */
export interface Known {
  /** For doubles: a number for each row; computed on demand. */
  readonly near?: () => Float64Array;
  /** For counts: the process of each row. */
  readonly process?: Int32Array;
}

/** The prediction of a column from earlier ones; undefined for columns without a prediction. */
export function knownOf(table: TableName, name: string, columns: Batch['columns'], count: number): Known | undefined {
  const compared = COMPARED[table]?.[name];
  if (compared === undefined) return undefined;
  const others = compared.columns.map((column) => columns[column]!);
  const { near } = compared;
  if (near === undefined) return { process: others[0] as Int32Array };
  return { near: () => Float64Array.from({ length: count }, (_, row) => near(others, row)) };
}

/** The columns of a table with those that predict them. */
export const withCompared = (table: TableName, names: readonly string[]): readonly string[] => [
  ...new Set(names.flatMap((name) => [...(COMPARED[table]?.[name]?.columns ?? []), name])),
];
