import { predict } from 'foretoken';
import { cluster, threads } from 'foretoken/models';

/**
 * Run time of N tasks of 1 us that one thread spawns, and that tasks spawn by halves, on 1 to 64 workers.
 *
 * Usage: npx tsx spawning.ts [largest power of ten of N]
 */
const model = threads({
  name: 'spawning',
  params: { tasks: 10, recursive: false },
  build(t) {
    t.parallelFor({
      n: t.p.tasks,
      spawning: t.p.recursive ? 'recursive' : 'linear',
      body: (b) => b.compute({ seconds: 1e-6 }),
    });
  },
});

/** A node with a core for each worker, and the default costs of spawning, stealing and waking up. */
const machine = cluster({
  ...{ name: 'node', nodes: 1, coresPerNode: 64, speed: '1Gf', eagerBelow: 0 },
  link: { latency: '1us', bandwidth: '1GB/s' },
});

const WORKERS = [1, 2, 4, 8, 16, 32, 64];
const largest = Number(process.argv[2] ?? 4);

function seconds(tasks: number, workers: number, recursive: boolean): number {
  const document = predict(model, { set: { tasks, recursive }, workers, scheduler: 'stealing', machine });
  return document.figures.runTime.value;
}

/** The ratio linear / recursive of all numbers of workers. */
const row = (tasks: number): number[] =>
  WORKERS.map((workers) => seconds(tasks, workers, false) / seconds(tasks, workers, true));

const line = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;

console.log('Time of linear over recursive spawning\n');
console.log(line(['tasks', ...WORKERS.map((w) => `${w} workers`)]));
console.log(line(['tasks', ...WORKERS].map(() => '---:')));
for (let power = 1; power <= largest; power++)
  for (const tasks of power === largest ? [10 ** power] : [1, 2, 5].map((k) => k * 10 ** power))
    console.log(line([tasks.toLocaleString('en'), ...row(tasks).map((ratio) => ratio.toFixed(2))]));
