import type { Net } from '../../../src/net/net.ts';
import { stochasticNet } from '../markov/stochastic-nets.ts';

/** M/M/1 at a load, with mean service time 1 s: `queue` holds those who wait, `server` is marked while it is idle. */
export function openQueue(load: number): Net {
  return stochasticNet(
    'M/M/1',
    { source: 1, queue: 0, server: 1 },
    {
      arrive: { take: 'source', put: 'source queue', holding: load },
      serve: { take: 'queue server', put: 'server', holding: 1 },
    },
  );
}

/** A closed network of a processor and two discs with 6 jobs. */
export const closedNetwork: Net = stochasticNet(
  'closed',
  { cpu: 6, cpuFree: 1, done: 0, d1: 0, d1Free: 1, d2: 0, d2Free: 1 },
  {
    compute: { take: 'cpu cpuFree', put: 'done cpuFree', holding: 1 },
    to1: { take: 'done', put: 'd1', weight: 3 },
    to2: { take: 'done', put: 'd2', weight: 1 },
    disc1: { take: 'd1 d1Free', put: 'cpu d1Free', holding: 0.8 },
    disc2: { take: 'd2 d2Free', put: 'cpu d2Free', holding: 0.2 },
  },
);
