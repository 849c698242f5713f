/*
 * Insensitivity: if customers share a processor (M/PS/1), their mean response time depends only on the mean of the service
 * time, not on its distribution. If they queue (M/G/1), it grows with the variance (Pollaczek and Khinchine).
 * The mean response time follows from the mean number by Little's law.
 */
import {
  type Distribution,
  exponential,
  fcfs,
  gamma,
  NetBuilder,
  processorSharing,
  simulate,
  uniform,
} from 'foretoken';

const LAMBDA = 0.7;
const END = 200_000;

/** Service times with mean 1, and their variances. */
const times: readonly (readonly [name: string, time: Distribution | number, variance: number])[] = [
  ['constant', 1, 0],
  ['uniform 0 … 2', uniform(0, 2), 1 / 3],
  ['exponential', exponential(1), 1],
  ['gamma, shape 1/4', gamma(0.25, 4), 4],
];

function meanResponse(kind: 'shared' | 'queued', time: Distribution | number): number {
  const n = new NetBuilder(kind);
  const station = n.place('station', {}, { service: kind === 'shared' ? processorSharing({ time }) : fcfs({ time }) });
  n.transition('arrive', (t) => {
    t.race({ delay: exponential(LAMBDA) });
    t.put(station, {});
  });
  // Tokens in service cannot be taken: a customer that can be taken has been served.
  n.transition('leave', (t) => {
    t.take(station);
  });
  const { monitors, firings } = simulate(n.build(), { until: END, monitors: { there: { tokens: 'station' } } });
  return monitors['there']!['mean']! / (firings['arrive']! / END);
}

console.log('service time       shared  exact   queued  exact');
for (const [name, time, variance] of times) {
  const exact = { shared: 1 / (1 - LAMBDA), queued: 1 + (LAMBDA * (1 + variance)) / (2 * (1 - LAMBDA)) };
  const cells = (['shared', 'queued'] as const).flatMap((kind) => [meanResponse(kind, time), exact[kind]]);
  console.log(`${name.padEnd(17)} ${cells.map((x) => x.toFixed(2).padStart(7)).join('')}`);
}
