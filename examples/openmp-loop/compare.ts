/*
 * Runs loop.c with several schedules, chunks and threads, predicts each run, and prints both times:
 *
 *   gcc -O2 -fopenmp loop.c -o loop
 *   npx tsx compare.ts ./loop [ITERATIONS NANOSECONDS SECONDS]
 *
 * Costs of this machine are measured first, on runs that are not in the table: the time of taking a chunk from loops of
 * empty iterations, and the time of starting and ending a section from loops of one empty iteration.
 */
import { execFileSync } from 'node:child_process';
import { cpus } from 'node:os';
import { cluster, predict } from 'foretoken';
import model from './model.ts';

const [program = './loop', iterations = '2000', nanoseconds = '1000', limit = '1'] = process.argv.slice(2);
const [n, seconds] = [Number(iterations), 1e-9 * Number(nanoseconds)];
const cores = Math.min(2, cpus().length);

/** Shortest time of a loop in seconds: the median of three processes, since the clock of a virtual machine may jump. */
function measured(threads: number, schedule: string, chunk: number, n: number, nanoseconds: number): number {
  const args = [threads, schedule, chunk, n, nanoseconds, limit].map(String);
  const times = [1, 2, 3].map(() => Number(execFileSync(program, args, { encoding: 'utf8' })));
  return times.sort((a, b) => a - b)[1]!;
}

/** A node of this machine: `fetch` is the time of taking a chunk alone, `create` that of starting a section. */
function machine(threads: number): ReturnType<typeof cluster> {
  const empty = measured(threads, 'static', 0, 1, 0);
  const chunks = 2000;
  const fetch = Math.max(0, measured(1, 'dynamic', 1, chunks, 0) - measured(1, 'static', 0, 1, 0)) / chunks;
  return cluster({
    nodes: 1,
    coresPerNode: cores,
    speed: '1Gf',
    link: { latency: '1us', bandwidth: '10GB/s' },
    eagerBelow: '64KiB',
    threads: { fetch, create: empty, spawn: 0, wakeUp: 0, lock: 0 },
  });
}

const CASES = [
  ['static', 0],
  ['static', 16],
  ['dynamic', 1],
  ['dynamic', 16],
  ['dynamic', 256],
  ['guided', 1],
  ['guided', 64],
] as const;

console.log('threads  schedule  chunk  measured ms  predicted ms   error');
for (let threads = 1; threads <= cores; threads++) {
  const node = machine(threads);
  for (const [schedule, chunk] of CASES) {
    const real = measured(threads, schedule, chunk, n, 1e9 * seconds);
    const set = { n, seconds, schedule, chunk };
    const { figures } = predict(model, { machine: node, workers: threads, scheduler: 'os', set });
    const predicted = figures.runTime.value;
    const error = (100 * (predicted - real)) / real;
    console.log(
      [
        String(threads).padStart(7),
        schedule.padStart(9),
        (chunk === 0 ? '-' : String(chunk)).padStart(6),
        (1e3 * real).toFixed(3).padStart(12),
        (1e3 * predicted).toFixed(3).padStart(13),
        `${error.toFixed(1)} %`.padStart(9),
      ].join(' '),
    );
  }
}
