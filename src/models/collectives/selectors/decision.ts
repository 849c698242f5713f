import type { Collective } from '../../../trace/collective.ts';
import type { NodesSeen } from '../nodes.ts';
import type { Call } from '../steps.ts';

/** Collectives for which SMPI has several algorithms. The others (scan, exscan, gatherv, scatterv) have one, `default`. */
export const SELECTABLE = [
  'allgather',
  'allgatherv',
  'allreduce',
  'alltoall',
  'alltoallv',
  'barrier',
  'bcast',
  'gather',
  'reduce',
  'reducescatter',
  'scatter',
] as const satisfies readonly Collective['kind'][];
export type Selectable = (typeof SELECTABLE)[number];

/** The name of the algorithm that a selector takes for a call on P ranks. */
export type AlgorithmNames = {
  readonly [K in Selectable]: (collective: Call<K>, size: number, nodes: NodesSeen) => string;
};

/**
 * The algorithms of a collective by number of ranks and bytes. Entries ascend by `ranks`, and rows by their first
 * element; the last entry with `ranks` ≤ P and its last row with `from` ≤ bytes apply. The first ones begin at 1 rank
 * and 0 bytes, so that there is no gap.
 */
export type DecisionTable = readonly {
  readonly ranks: number;
  readonly rows: readonly (readonly [from: number, algorithm: string])[];
}[];

/** The algorithm for P ranks and a number of bytes. O(entries + rows). */
export function decide(table: DecisionTable, ranks: number, bytes: number): string {
  const { rows } = table.findLast((entry) => entry.ranks <= ranks)!;
  return rows.findLast(([from]) => from <= bytes)![1];
}

/**
 * A table from lines of one entry each: ranks, then pairs of bytes and the number of an algorithm.
 *
 *     1: 0 4, 8 3, 4096 4
 *     4: 0 3
 *
 * @param algorithms names by number
 */
export function decisionTable(algorithms: Readonly<Record<number, string>>, lines: string): DecisionTable {
  return lines
    .trim()
    .split('\n')
    .map((line) => {
      const [ranks, rows] = line.split(':') as [string, string];
      return {
        ranks: Number(ranks),
        rows: rows.split(',').map((row) => {
          const [from, number] = row.trim().split(' ');
          return [Number(from), algorithms[Number(number)]!] as const;
        }),
      };
    });
}

/**
 * A table from lines of one entry each: the largest number of ranks, then pairs of the largest number of bytes and the number of
 * an algorithm. `*` is any number of them, and ends each list.
 *
 *     16: 1024 1, * 2
 *     *: * 2
 *
 * @param algorithms names by number
 * @param last whether a row applies to its largest number of bytes, or only below it
 */
export function tableUpTo(
  algorithms: Readonly<Record<number, string>>,
  last: 'included' | 'excluded',
  lines: string,
): DecisionTable {
  let ranks = 1;
  return lines
    .trim()
    .split('\n')
    .map((line) => {
      const [most, rows] = line.trim().split(':') as [string, string];
      let bytes = 0;
      const entry = {
        ranks,
        rows: rows.split(',').map((row) => {
          const [upTo, number] = row.trim().split(' ');
          const from = bytes;
          bytes = Number(upTo) + (last === 'included' ? 1 : 0);
          return [from, algorithms[Number(number)]!] as const;
        }),
      };
      ranks = Number(most) + 1;
      return entry;
    });
}

/** Tables by the number of ranks on every node. */
export type TablesByNode = ReadonlyMap<number, DecisionTable>;

/** Tables for numbers of ranks on every node, each as {@link tableUpTo} reads it. */
export function tablesUpTo(
  algorithms: Readonly<Record<number, string>>,
  last: 'included' | 'excluded',
  tables: Readonly<Record<number, string>>,
): TablesByNode {
  return new Map(Object.entries(tables).map(([each, lines]) => [Number(each), tableUpTo(algorithms, last, lines)]));
}

/** The algorithm by the table of the nodes; by that of one rank a node for other numbers, and where nodes differ. */
export function decideOn(tables: TablesByNode, each: number | undefined, ranks: number, bytes: number): string {
  return decide(tables.get(each ?? 1) ?? tables.get(1)!, ranks, bytes);
}
