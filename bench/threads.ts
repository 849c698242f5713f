import { simulate } from '../src/analysis/simulate.ts';
import { readTarget } from '../src/commands/inputs/target.ts';
import { compile } from '../src/engine/compile.ts';
import { cluster } from '../src/machine/cluster.ts';
import { mapThreads } from '../src/machine/map-machine.ts';
import { threadNet } from '../src/models/threads/net/thread-net.ts';
import { threads } from '../src/models/threads/program/threads.ts';

/*
 * `npx tsx bench/threads.ts`: 7936 user threads on 16 logical processors under the cooperative schedulers. All threads meet 64
 * times: they wait for an event that one of them sets.
 */
const THREADS = 7936;
const ROUNDS = 64;
const model = threads({
  name: 'meetings',
  build(t) {
    const events = t.events('event', ROUNDS);
    const came = t.barriers('came', THREADS);
    t.parallel(THREADS, () =>
      t.loop('k', ROUNDS, () => {
        t.compute({ seconds: 1e-5 });
        t.when(
          ({ thread, k }) => thread === k,
          () => t.set(events, ({ k }) => k),
          () => t.wait(events, ({ k }) => k),
        );
        t.barrier(came);
      }),
    );
  },
});
const machine = cluster({
  nodes: 1,
  coresPerNode: 16,
  socketsPerNode: 2,
  speed: '1Gf',
  link: { latency: '1us', bandwidth: '1GB/s' },
  eagerBelow: 0,
});
const node = mapThreads(readTarget({ machine }));
console.log(
  '| scheduler | elaborate, s | build and compile, s | run, CPU s | firings | firings/s | memory, MB | blockings |',
);
console.log('|---|--:|--:|--:|--:|--:|--:|--:|');
for (const scheduler of ['a0', 'a1', 'a2'] as const) {
  const start = performance.now();
  const program = model.program(16, { joins: 'object' });
  const made = performance.now();
  const compiled = compile(threadNet(program, node.machine, { scheduler }).net);
  const ready = performance.now();
  const before = process.cpuUsage();
  const { firings, game, ended } = simulate(compiled);
  if (ended !== 'quiescent' || game.tokens('ended').length !== 1)
    throw new Error(`${scheduler}: the program has not ended`);
  const count = Object.values(firings).reduce((a, b) => a + b, 0);
  const blockings = (firings['blocks'] ?? 0) + (firings['enqueues'] ?? 0) + (firings['begins to join'] ?? 0);
  // Processor time: the machine may do other things.
  const { user, system } = process.cpuUsage(before);
  const seconds = (user + system) / 1e6;
  const s = (ms: number): string => (ms / 1000).toFixed(2);
  console.log(
    `| ${scheduler} | ${s(made - start)} | ${s(ready - made)} | ${seconds.toFixed(2)} | ${count} | ${Math.round(count / seconds)} | ${Math.round(process.memoryUsage().rss / 1e6)} | ${blockings} |`,
  );
}
