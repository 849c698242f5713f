import { isMainThread } from 'node:worker_threads';

const one = { op: 'const', value: 1 };

/** A net that differs when imported in a worker thread, which no module should do. */
export const net = {
  name: 'two-faced',
  colours: [],
  tables: [],
  places: [{ name: 'p', fields: [], order: 'bag', key: [], initial: [{ values: [], count: isMainThread ? 1 : 2 }] }],
  transitions: [{ name: 't', inputs: [{ kind: 'take', place: 'p', pattern: {}, count: 1 }], outputs: [], delay: one }],
};
