import type { MeasuredProfile } from '../../commands/profile/assemble.ts';
import type { ProfiledInterval, ProfiledSection } from '../../commands/profile/profile-document.ts';
import type { CallPath, CallPathSums } from './call-paths.ts';

/** A column of the tree and the processes: times of intervals as DVM names them, or sums over calls. */
export interface Metric {
  readonly key: string;
  readonly name: string;
  readonly unit: string;
  /** Sums over calls are known for calls, too. */
  readonly isOfCalls?: true;
  /** Known over all processes only; parts do not add up. */
  readonly isShare?: true;
}

export const METRICS: readonly Metric[] = [
  { key: 'lostTime', name: 'Lost time', unit: 's' },
  { key: 'efficiency', name: 'Efficiency', unit: '1', isShare: true },
  { key: 'executionTime', name: 'Execution time, all processes', unit: 's' },
  { key: 'productiveTime', name: 'Productive time', unit: 's' },
  { key: 'productiveCpuTime', name: 'Productive CPU time', unit: 's' },
  { key: 'ioTime', name: 'Input and output', unit: 's' },
  { key: 'insufficientParallelism', name: 'Insufficient parallelism', unit: 's' },
  { key: 'insufficientParallelismSequential', name: 'Insufficient parallelism, sequential', unit: 's' },
  { key: 'insufficientParallelismParallel', name: 'Insufficient parallelism, parallel', unit: 's' },
  { key: 'communication', name: 'Communication', unit: 's' },
  { key: 'overhead', name: 'Overhead', unit: 's' },
  { key: 'idle', name: 'Idle', unit: 's' },
  { key: 'synchronization', name: 'Synchronization', unit: 's' },
  { key: 'timeVariation', name: 'Time variation', unit: 's' },
  { key: 'overlap', name: 'Overlap', unit: 's' },
  { key: 'loadImbalance', name: 'Load imbalance', unit: 's' },
  { key: 'loopIterations', name: 'Loop iterations', unit: '1' },
  { key: 'seconds', name: 'Time in calls', unit: 's', isOfCalls: true },
  { key: 'blocked', name: 'Time blocked in calls', unit: 's', isOfCalls: true },
  { key: 'bytes', name: 'Bytes of calls', unit: 'B', isOfCalls: true },
  { key: 'count', name: 'Number of calls', unit: '1', isOfCalls: true },
];

/** An interval, or a call in it. */
export interface PathNode {
  /** Path of the interval; of a call, with its name after a colon. */
  readonly key: string;
  readonly name: string;
  readonly section?: ProfiledSection;
  readonly calls?: readonly CallPath[];
  readonly children: readonly PathNode[];
}

/** The tables of a profile from which a tree is made. */
export type IntervalTables = Pick<MeasuredProfile, 'intervals' | 'figures' | 'spread' | 'processes'>;

/** Intervals as a tree below the program; calls follow the intervals inside. */
export function treeOf(tables: IntervalTables, paths: readonly CallPath[], program: string): PathNode {
  const byInterval = new Map<string, CallPath[]>();
  for (const path of paths) byInterval.set(path.interval, [...(byInterval.get(path.interval) ?? []), path]);
  const nodeOf = (
    name: string,
    key: string,
    section: ProfiledSection,
    inner: readonly ProfiledInterval[],
  ): PathNode => {
    const intervals = inner.map((child) =>
      nodeOf(child.name, key === '' ? child.name : `${key}/${child.name}`, child, child.children),
    );
    const own = byInterval.get(key) ?? [];
    const calls = own.map((path) => ({ key: `${key}:${path.call}`, name: path.call, calls: [path], children: [] }));
    return {
      key,
      name,
      section,
      calls: [...own, ...intervals.flatMap(({ calls: of = [] }) => of)],
      children: [...intervals, ...calls],
    };
  };
  return nodeOf(program, '', tables, tables.intervals);
}

/** The part with a key, or undefined. */
export function found(node: PathNode, key: string): PathNode | undefined {
  if (node.key === key) return node;
  for (const child of node.children) {
    const of = found(child, key);
    if (of !== undefined) return of;
  }
  return undefined;
}

/** Value over all processes; undefined where the metric is not known. */
export function metricValue({ section, calls = [] }: PathNode, { key, isOfCalls }: Metric): number | undefined {
  if (isOfCalls) {
    let sum = 0;
    for (const { processes } of calls) for (const sums of processes.values()) sum += sums[key as keyof CallPathSums];
    return sum;
  }
  if (section === undefined) return undefined;
  // The figure of an interval is the longest time of a process: the sum is what its parts add up to.
  if (key === 'executionTime') return section.spread.executionTime.mean * section.figures.processors.value;
  return section.figures[key as 'lostTime'].value;
}

/** Value on each process that has one. */
export function processesOf(
  { section, calls = [] }: PathNode,
  { key, isOfCalls, isShare }: Metric,
): { readonly process: number; readonly value: number }[] {
  if (isShare) return [];
  if (!isOfCalls)
    return (section?.processes ?? []).map(({ process, figures }) => ({
      process,
      value: figures[key as 'lostTime'].value,
    }));
  const values = new Map<number, number>();
  for (const { processes } of calls)
    for (const [process, sums] of processes)
      values.set(process, (values.get(process) ?? 0) + sums[key as keyof CallPathSums]);
  return [...values].sort(([a], [b]) => a - b).map(([process, value]) => ({ process, value }));
}
