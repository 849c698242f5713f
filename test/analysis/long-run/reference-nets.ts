import { NetBuilder } from '../../../src/net/builder/builder.ts';
import { exponential, uniform } from '../../../src/net/builder/distributions.ts';
import { processorSharing } from '../../../src/net/builder/stations.ts';
import type { Distribution, Net } from '../../../src/net/net.ts';
import { KANBAN_RATES, kanban, stochasticNet } from '../markov/stochastic-nets.ts';
import { closedNetwork, openQueue } from './open-queue.ts';

/** A net with known figures. */
export interface ReferenceNet {
  readonly net: Net;
  /** False: it has infinitely many markings, or delays that are not exponential. */
  readonly chain: boolean;
  /** Figures of a formula or of another author: mean tokens of a place, firings per second of a transition. */
  readonly exact: Readonly<Record<string, number>>;
  /** True if a simulation takes about a second: its races have clocks, which cost more than holding firings. */
  readonly slow?: true;
}

/** M/M/1/K with arrivals 2 and service 3: a room for each customer. */
const room = 5;
const weights = Array.from({ length: room + 1 }, (_, k) => (2 / 3) ** k);
const total = weights.reduce((a, b) => a + b, 0);

/** The mean number of customers before each server of a closed network, by mean value analysis (Reiser & Lavenberg 1980). */
function meanValues(demands: readonly number[], customers: number): readonly number[] {
  let queues = demands.map(() => 0);
  for (let n = 1; n <= customers; n++) {
    const times = demands.map((d, i) => d * (1 + queues[i]!));
    const rate = n / times.reduce((a, b) => a + b, 0);
    queues = times.map((time) => rate * time);
  }
  return queues;
}
const DEMANDS = [1, 0.75 / 0.8, 0.25 / 0.2];
/** Jobs per second: q(6) = demand · X · (1 + q(5)) at the processor, whose demand is 1 s. */
const jobs = meanValues(DEMANDS, 6)[0]! / (1 + meanValues(DEMANDS, 5)[0]!);

/** One queue with Poisson arrivals, 0.5/s, and any service time of one server. */
function serviceNet(name: string, time: number | Distribution): Net {
  const n = new NetBuilder(name);
  const source = n.place('source', {}, { initial: 1 });
  const waiting = n.place('queue', {});
  const server = n.place('server', {}, { initial: 1 });
  n.transition('arrive', (t) => {
    t.take(source);
    t.put(source, {});
    t.put(waiting, {});
    t.delay(exponential(0.5));
  });
  n.transition('serve', (t) => {
    t.take(waiting);
    t.take(server);
    t.put(server, {});
    t.delay(time);
  });
  return n.build();
}

/** A server that all customers share, arrivals 0.5/s, constant amounts of 1 s of work. */
function sharedNet(): Net {
  const n = new NetBuilder('M/D/1 with processor sharing');
  const source = n.place('source', {}, { initial: 1 });
  const shared = n.place('shared', {}, { service: processorSharing({ time: 1 }) });
  n.transition('arrive', (t) => {
    t.take(source);
    t.put(source, {});
    t.put(shared, {});
    t.delay(exponential(0.5));
  });
  n.transition('leave', (t) => {
    t.take(shared);
  });
  return n.build();
}

/** Nets of the literature, each with the figures that a formula or a paper gives; single servers as holding firings, which are simulated fast. */
export const REFERENCE_NETS: Readonly<Record<string, ReferenceNet>> = {
  'M/M/1/K': {
    net: stochasticNet(
      'M/M/1/K',
      { source: 1, room, queue: 0, server: 1 },
      {
        arrive: { take: 'source room', put: 'source queue', holding: 2 },
        serve: { take: 'queue server', put: 'room server', holding: 3 },
      },
    ),
    chain: true,
    exact: {
      queue: weights.reduce((sum, w, k) => sum + (k * w) / total, 0) - (1 - 1 / total),
      server: 1 / total,
      serve: 3 * (1 - 1 / total),
      arrive: 3 * (1 - 1 / total),
    },
  },
  'machine repair': {
    net: stochasticNet(
      'machine repair',
      { up: 5, down: 0, workers: 5 },
      {
        fail: { take: 'up', put: 'down', holding: 1 },
        repair: { take: 'down workers', put: 'up workers', holding: 2 },
      },
    ),
    chain: true,
    // A worker for each machine: they are independent, a share 2/3 is up; its clock is a firing that holds the token.
    exact: { fail: 10 / 3, repair: 10 / 3, workers: 10 / 3 },
  },
  'machine repair, two workers': {
    net: stochasticNet(
      'machine repair',
      { up: 5, down: 0, workers: 2 },
      {
        fail: { take: 'up', put: 'down', holding: 1 },
        repair: { take: 'down workers', put: 'up workers', holding: 2 },
      },
    ),
    chain: true,
    exact: {},
  },
  'closed Jackson network': {
    net: closedNetwork,
    chain: true,
    exact: { compute: jobs, disc1: 0.75 * jobs, disc2: 0.25 * jobs, cpuFree: 1 - jobs },
  },
  'tandem with blocking': {
    net: stochasticNet(
      'tandem',
      { free1: 1, at1: 0, done1: 0, free2: 1, at2: 0 },
      {
        arrive: { take: 'free1', put: 'at1', race: 1, single: true },
        serve1: { take: 'at1', put: 'done1', race: 1, single: true },
        move: { take: 'done1 free2', put: 'free1 at2' },
        serve2: { take: 'at2', put: 'free2', race: 1, single: true },
      },
    ),
    chain: true,
    // π of the five states is in the ratio 2 : 2 : 3 : 1 : 1.
    exact: { at1: 4 / 9, done1: 1 / 9, at2: 4 / 9, arrive: 4 / 9, move: 4 / 9, serve2: 4 / 9 },
    slow: true,
  },
  // Processors with private work wait for a bus to a common memory (Ajmone Marsan, Balbo & Conte 1984): machine repair, one worker.
  'GSPN multiprocessor': {
    net: stochasticNet(
      'GSPN multiprocessor',
      { active: 4, waiting: 0, bus: 1 },
      {
        work: { take: 'active', put: 'waiting', holding: 1 },
        access: { take: 'waiting bus', put: 'active bus', holding: 4 },
      },
    ),
    chain: true,
    // Erlang: p(k) = 4! / (4 − k)! (1/4)^k p(0), so p(0) = 32/103.
    exact: { bus: 32 / 103, access: 4 * (71 / 103), work: 4 * (71 / 103) },
  },
  // M. K. Molloy, Performance analysis using stochastic Petri nets, IEEE Trans. Computers C-31 (1982): five markings,
  // of probabilities 5, 8, 2, 23 and 5 of 43 with these rates.
  "Molloy's net": {
    net: stochasticNet(
      'Molloy',
      { p1: 1, p2: 0, p3: 0, p4: 0, p5: 0 },
      {
        t1: { take: 'p1', put: 'p2 p3', race: 2 },
        t2: { take: 'p2', put: 'p4', race: 1 },
        t3: { take: 'p3', put: 'p5', race: 1 },
        t4: { take: 'p4', put: 'p2', race: 3 },
        t5: { take: 'p4 p5', put: 'p1', race: 2 },
      },
    ),
    chain: true,
    exact: { p1: 5 / 43, p2: 31 / 43, p3: 10 / 43, p4: 7 / 43, p5: 28 / 43, t1: 10 / 43, t2: 31 / 43, t5: 10 / 43 },
    slow: true,
  },
  'cyclic polling': {
    net: stochasticNet(
      'polling',
      { poll1: 1, poll2: 0, serving1: 0, serving2: 0, idle1: 1, idle2: 1, waiting1: 0, waiting2: 0 },
      Object.fromEntries(
        [
          [1, 2],
          [2, 1],
        ].flatMap(([i, next]) => [
          [`arrive${i}`, { take: `idle${i}`, put: `waiting${i}`, race: 1 / 2 }],
          [`walk${i}`, { take: `poll${i}`, put: `poll${next}`, inhibit: `waiting${i}`, race: 5 }],
          [`begin${i}`, { take: `poll${i} waiting${i}`, put: `serving${i}`, race: 5 }],
          [`end${i}`, { take: `serving${i}`, put: `poll${next} idle${i}`, race: 1 }],
        ]),
      ),
    ),
    chain: true,
    exact: {},
    slow: true,
  },
  // Ciardo & Tilgner 1996, one card for each cell.
  Kanban: {
    net: kanban(1, KANBAN_RATES),
    chain: true,
    exact: { tout4: 0.0739756736, pm1: 0.08806627809, pout1: 0.7322785146, pkan4: 0.5940055624 },
    slow: true,
  },
  'M/M/1': {
    net: openQueue(0.5),
    chain: false,
    exact: { queue: 0.5, server: 0.5, arrive: 0.5, serve: 0.5 },
  },
  'M/M/2': {
    net: stochasticNet(
      'M/M/2',
      { source: 1, queue: 0, server: 2 },
      {
        arrive: { take: 'source', put: 'source queue', holding: 1 },
        serve: { take: 'queue server', put: 'server', holding: 1 },
      },
    ),
    chain: false,
    // Erlang C: one of three customers waits, as many as in M/M/1 at load 1/2.
    exact: { queue: 1 / 3, server: 1, serve: 1 },
  },
  // Half of the customers of the first queue leave the second one for the first again (Jackson 1957): arrivals 0.3, flows 0.6.
  'open Jackson network': {
    net: stochasticNet(
      'open Jackson network',
      { source: 1, a: 0, aFree: 1, b: 0, bFree: 1, left: 0 },
      {
        arrive: { take: 'source', put: 'source a', holding: 0.3 },
        first: { take: 'a aFree', put: 'aFree b', holding: 1 },
        second: { take: 'b bFree', put: 'bFree left', holding: 1.2 },
        again: { take: 'left', put: 'a', weight: 1 },
        leave: { take: 'left', put: '', weight: 1 },
      },
    ),
    chain: false,
    exact: { a: 0.36 / 0.4, b: 0.25 / 0.5, aFree: 0.4, bFree: 0.5, leave: 0.3, first: 0.6 },
  },
  // Pollaczek and Khinchine: λ² E(S²) / (2 (1 − λ E(S))) customers wait.
  'M/D/1': {
    net: serviceNet('M/D/1', 1),
    chain: false,
    exact: { queue: 0.25, server: 0.5, serve: 0.5 },
  },
  'M/G/1': {
    net: serviceNet('M/G/1', uniform(0.5, 1.5)),
    chain: false,
    exact: { queue: (0.25 * (1 + 1 / 12)) / (2 * 0.5), server: 0.5, serve: 0.5 },
  },
  // The number in a shared server is that of M/M/1, whatever the amounts of work (Sakata, Noguchi & Oizumi 1971).
  'processor sharing': {
    net: sharedNet(),
    chain: false,
    exact: { shared: 1, leave: 0.5 },
  },
};
