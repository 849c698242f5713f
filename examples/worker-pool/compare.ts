/*
 * Runs pool.cpp, predicts each run from the sizes of its tasks, and prints both times:
 *
 *   g++ -O2 -std=c++17 -pthread pool.cpp -o pool
 *   npx tsx compare.ts ./pool [REPEATS]
 *
 * The costs of spawning, of a look into the own queue and of a steal come from the recorded states of two runs that are not in
 * the table.
 */
import { execFileSync } from 'node:child_process';
import { cpus } from 'node:os';
import { cluster, predict } from 'foretoken';
import model from './tasks.ts';

const [program = './pool', repeats = '100'] = process.argv.slice(2);
const cores = Math.min(2, cpus().length);

interface Row {
  readonly worker: number;
  readonly time: number;
  readonly state: string;
}

/** The recorded states of a run: the shortest of several, because other programs can only add to it. */
function recorded(workers: number, tasks: number, nanoseconds: number, spawning: string): Row[] {
  const runs = Array.from({ length: Number(repeats) }, () => {
    const args = [...[workers, tasks, nanoseconds].map(String), spawning];
    const lines = execFileSync(program, args, { encoding: 'utf8', maxBuffer: 1e9 }).trim().split('\n').slice(1);
    return lines.map((line) => {
      const [worker, time, state] = line.split(',') as [string, string, string];
      return { worker: Number(worker), time: Number(time), state };
    });
  });
  return runs.sort((a, b) => elapsed(a) - elapsed(b))[0]!;
}

/** From the first state of a worker to the last one. */
function elapsed(rows: readonly Row[]): number {
  const times = rows.map(({ time }) => time);
  return times.reduce((a, b) => Math.max(a, b)) - times.reduce((a, b) => Math.min(a, b));
}

/** Median duration of a state that is followed by another one. */
function duration(rows: readonly Row[], state: string, next: string): number {
  const all = rows.flatMap((row, k) => {
    const after = rows[k + 1];
    return row.state === state && after?.state === next && after.worker === row.worker ? [after.time - row.time] : [];
  });
  return all.sort((a, b) => a - b)[all.length >> 1] ?? 0;
}

const TASKS = 4000;
const empty = recorded(1, TASKS, 0, 'linear');
const first = empty.findIndex(({ state }) => state === 'EXEC');
const spawn = (empty[first + 1]!.time - empty[first]!.time) / TASKS;
// A task of no length still reads the clock and records two states.
const task = duration(empty, 'EXEC', 'LOCAL');
const local = duration(empty, 'LOCAL', 'EXEC');
const steal = cores === 1 ? 0 : duration(recorded(2, 2000, 2000, 'linear'), 'GLOBAL', 'EXEC');
// The second worker begins later: its thread is created after the first one.
const starts = recorded(cores, 200, 2000, 'linear');
const wakeUp = Math.abs((starts.find(({ worker }) => worker === 1)?.time ?? 0) - starts[0]!.time);

const node = cluster({
  nodes: 1,
  coresPerNode: cores,
  speed: '1Gf',
  link: { latency: '1us', bandwidth: '10GB/s' },
  eagerBelow: '64KiB',
  threads: { spawn, local, steal, search: steal, wakeUp },
});

const CASES = [
  ['linear', 4000, 500],
  ['linear', 1000, 2000],
  ['linear', 100, 20_000],
  ['recursive', 4000, 500],
  ['recursive', 1000, 2000],
  ['recursive', 100, 20_000],
] as const;

console.log('workers  spawning   tasks  task us  measured ms  predicted ms   error');
for (let workers = 1; workers <= cores; workers++)
  for (const [spawning, tasks, nanoseconds] of CASES) {
    const real = elapsed(recorded(workers, tasks, nanoseconds, spawning));
    const set = { tasks, seconds: 1e-9 * nanoseconds + task, recursive: spawning === 'recursive' };
    const { figures } = predict(model, { machine: node, workers, scheduler: 'stealing', victim: 'nearest', set });
    const predicted = figures.runTime.value;
    console.log(
      [
        String(workers).padStart(7),
        spawning.padStart(9),
        String(tasks).padStart(7),
        (nanoseconds / 1000).toFixed(1).padStart(8),
        (1e3 * real).toFixed(3).padStart(12),
        (1e3 * predicted).toFixed(3).padStart(13),
        `${((100 * (predicted - real)) / real).toFixed(1)} %`.padStart(9),
      ].join(' '),
    );
  }
