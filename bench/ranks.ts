import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import jacobi2d from '../examples/jacobi-2d/model.ts';
import { mapModel, predictOnce } from '../src/commands/predict/model/stages.ts';
import { ANY, cluster, counter, type ProgramModel, range, rankVar, spmd } from '../src/models.ts';

/*
 * `npx tsx bench/ranks.ts [MOST [MODEL …]]`: models from 64 ranks up to MOST (default 65536; 1048576 takes long), each in a process of
 * its own: processor time from building the model to its figures, that of an event, peak memory, and memory per rank that was added
 * since the size before. One core per node, links of 12 µs and 1.25 GB/s, messages eager below 64 KiB.
 */
const halo = jacobi2d.with({ turns: 10 }) as unknown as ProgramModel;
const allreduce = spmd({
  name: 'allreduce',
  vars: { i: counter() },
  build: (m) =>
    m.loop('i', 4, () => {
      m.compute({ flops: 1e6 });
      m.allreduce({ bytes: 8 });
    }),
}) as unknown as ProgramModel;
const pipeline = spmd({
  name: 'pipeline',
  vars: { i: counter() },
  build: (m) =>
    m.loop('i', 10, () => {
      m.when(
        (s) => s.rank > 0,
        () => m.recv({ from: (s) => s.rank - 1 }),
      );
      m.compute({ flops: 1e6 });
      m.when(
        (s) => s.rank < s.size - 1,
        () => m.send({ to: (s) => s.rank + 1, bytes: 1024 }),
      );
    }),
}) as unknown as ProgramModel;
/** Every rank exchanges blocks with the 63 others of its group. */
const transpose = spmd({
  name: 'transpose in groups of 64',
  vars: { k: counter() },
  build: (m) => {
    m.compute({ flops: 1e6 });
    m.loop('k', 63, () =>
      m.sendrecv({
        to: (s) => s.rank - (s.rank % 64) + ((s.rank + s.k + 1) % 64),
        from: (s) => s.rank - (s.rank % 64) + ((s.rank - s.k + 63) % 64),
        bytes: 1024,
      }),
    );
  },
}) as unknown as ProgramModel;
/** A master that answers requests in the order of arrival: one rank executes a send with a variable peer. */
const farm = spmd({
  name: 'farm',
  params: { tasks: 200 },
  vars: { who: rankVar(), more: range(0, 1) },
  build(m) {
    const answer = (times: number, more: 0 | 1): void =>
      m.loop(times, () => {
        m.recv({ from: ANY, into: { source: 'who' } });
        m.send({ to: (s) => s.who, bytes: 1000, carry: { more } });
      });
    m.when(
      (s) => s.rank === 0,
      () => {
        answer(m.p.tasks, 1);
        answer(m.size - 1, 0);
      },
      () => {
        m.let('more', 1);
        m.while(
          (s) => s.more === 1,
          () => {
            m.send({ to: 0, bytes: 8 });
            m.recv({ from: 0, into: { carry: ['more'] } });
            m.when(
              (s) => s.more === 1,
              () => m.compute({ seconds: 1e-3 }),
            );
          },
        );
      },
    );
  },
}) as unknown as ProgramModel;
const MODELS = { halo, allreduce, pipeline, transpose, farm };

interface Measured {
  readonly seconds: number;
  readonly events: number;
  readonly bytes: number;
  readonly runTime: number;
}

/** Runs one model in this process. */
function measure(model: ProgramModel, ranks: number): Measured {
  const link = { latency: '12us', bandwidth: '1.25GB/s' } as const;
  const machine = cluster({ nodes: ranks, coresPerNode: 1, speed: '4Gf', link, eagerBelow: 65536 });
  const before = process.cpuUsage();
  const { firings, figures } = predictOnce(mapModel(model, { machine, ranks }), { machine });
  const { user, system } = process.cpuUsage(before);
  return {
    seconds: (user + system) / 1e6,
    events: Object.values(firings).reduce((a, b) => a + b, 0),
    bytes: process.resourceUsage().maxRSS * 1024,
    runTime: figures.runTime.value!,
  };
}

const [first, ...others] = process.argv.slice(2);
if (first === '--measure') {
  const [name, ranks] = others as [keyof typeof MODELS, string];
  console.log(JSON.stringify(measure(MODELS[name], Number(ranks))));
} else {
  const most = Number(first ?? 65_536);
  console.log(
    '| model | ranks | processor time, s | events | ns an event | peak, MB | bytes an added rank | run time, s |',
  );
  console.log('|---|---|---|---|---|---|---|---|');
  for (const [name, model] of Object.entries(MODELS)) {
    if (others.length > 0 && !others.includes(name)) continue;
    let last: { readonly ranks: number; readonly bytes: number } | undefined;
    for (let ranks = 64; ranks <= most; ranks *= ranks === 64 ? 16 : 4) {
      const args = [...process.execArgv, fileURLToPath(import.meta.url), '--measure', name, String(ranks)];
      const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: 'utf8' });
      if (status !== 0) {
        console.log(`| ${model.name} | ${ranks} | ${stderr.trim().split('\n').at(-1)} | | | | | |`);
        break;
      }
      const { seconds, events, bytes, runTime } = JSON.parse(stdout) as Measured;
      const added = last === undefined ? '' : Math.round((bytes - last.bytes) / (ranks - last.ranks));
      console.log(
        `| ${model.name} | ${ranks} | ${seconds.toFixed(2)} | ${events} | ${Math.round((seconds * 1e9) / events)} | ${Math.round(bytes / 1e6)} | ${added} | ${runTime.toPrecision(6)} |`,
      );
      last = { ranks, bytes };
    }
  }
}
