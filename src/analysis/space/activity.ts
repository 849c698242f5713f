import type { Net } from '../../net/net.ts';
import { processRange, servedPlaces } from '../processes.ts';
import type { Classified } from './state-space.ts';

/** Where the processes of a net are active: tokens and timed firings, divided into classes. */
export interface Activity {
  readonly nodes: readonly Classified[];
  /** By class: the process that is active while the class is not empty; undefined for threads inside a process. */
  readonly processOf: readonly (number | undefined)[];
  /** By class: how many of its members count for the degree of parallelism at most. */
  readonly most: readonly number[];
}

/**
 * The activity of a net as {@link ComputingMeter} measures it: timed firings of kind `compute`, and tokens in operation places
 * with a service, whose process is that of the transitions that put them. Undefined for a net without processes.
 */
export function activityOf(net: Net): Activity | undefined {
  const { low, count } = processRange(net);
  if (count === 0) return undefined;
  const classOf = (value: number): number | undefined =>
    value >= low && value < low + count ? value - low : undefined;
  const served = servedPlaces(net);
  const columns = new Map<string, string>();
  const nodes: Classified[] = [];
  net.transitions.forEach(({ kind, delay, timing, process, outputs }, node) => {
    if (process?.op !== 'var') return;
    const lasts = delay !== undefined && timing !== 'race';
    const puts = outputs.filter(({ place }) => served.has(place));
    for (const { place, values } of puts) {
      const column = Object.entries(values).find(([, v]) => v.op === 'var' && v.name === process.name)?.[0];
      if (column !== undefined) columns.set(place, column);
    }
    if (lasts && (kind === 'compute' || puts.length > 0)) nodes.push({ kind: 'busy', node, by: process.name, classOf });
  });
  net.places.forEach(({ name }, node) => {
    const by = columns.get(name);
    if (by !== undefined) nodes.push({ kind: 'place', node, by, classOf });
  });
  const processOf = Array.from({ length: count }, (_, p) => low + p);
  return { nodes, processOf, most: processOf.map(() => 1) };
}
