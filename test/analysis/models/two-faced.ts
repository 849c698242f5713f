import { isMainThread } from 'node:worker_threads';
import type { Net } from '../../../src/net/net.ts';
import { net as queue } from './queue.ts';

/** The net differs in one part when it is imported by a worker thread. */
const change = (changed: Partial<Net>): Net => (isMainThread ? queue : { ...queue, ...changed });

export const named: Net = change({ name: 'other' });
export const marked: Net = change({ places: queue.places.map((p) => ({ ...p, capacity: 1000 })) });
export const tabled: Net = {
  ...queue,
  tables: [{ kind: 'real', name: 'times', values: Float64Array.of(isMainThread ? 1 : 1 + Number.EPSILON) }],
};
