import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import jacobi2d from '../examples/jacobi-2d/model.ts';
import { compileModel, mapModel, predictOnce } from '../src/commands/predict/model/stages.ts';
import { predict } from '../src/commands/predict/predict.ts';
import { ANY, cluster, counter, grid2d, type ProgramModel, range, rankVar, spmd } from '../src/models.ts';
import { traceOf } from '../test/models/program/interpret.ts';

/*
 * `npx tsx bench/models.ts`: a Jacobi iteration as a model and as the equivalent trace, for several numbers of ranks
 * and about the same total number of messages. Then the scaling over ranks of the example jacobi-2d with a fixed number
 * of iterations, and of a master-worker program.
 */
const jacobi = spmd({
  name: 'jacobi2d',
  params: { n: 8192, turns: 500, check: 10 },
  vars: { it: counter() },
  build(m) {
    const g = grid2d(m.size);
    const [nx, ny] = [Math.ceil(m.p.n / g.px), Math.ceil(m.p.n / g.py)];
    m.loop('it', m.p.turns, () => {
      const all = [g.west, g.east, g.north, g.south].flatMap((peer, side) => [
        m.isend({ to: (s) => peer(s.rank), bytes: 8 * (side < 2 ? ny : nx), tag: side ^ 1 }),
        m.irecv({ from: (s) => peer(s.rank), tag: side }),
      ]);
      m.compute({ flops: 5 * nx * ny });
      m.waitAll(all);
      m.when(
        (s) => s.it % s.p.check === s.p.check - 1,
        () => m.allreduce({ bytes: 8 }),
      );
    });
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

const dir = mkdtempSync(join(tmpdir(), 'foretoken-bench-'));
console.log(
  '| ranks | turns | build, s | compile, s | play, s | events | ns an event | trace replayed, s | trace : model |',
);
console.log('|---|---|---|---|---|---|---|---|---|');
for (const [ranks, turns] of [
  [64, 640],
  [1024, 40],
  [4096, 10],
] as const) {
  const machine = cluster({
    nodes: ranks / 32,
    coresPerNode: 32,
    speed: '2.4Gf',
    link: { latency: '1.5us', bandwidth: '12.5GB/s' },
    eagerBelow: 65536,
  });
  const model = jacobi.with({ turns });
  const start = performance.now();
  const built = mapModel(model, { machine, ranks });
  const made = performance.now();
  const prepared = compileModel(built);
  const compiled = performance.now();
  const own = predictOnce(built, { machine }, { compiled: prepared });
  const played = performance.now();
  const events = Object.values(own.firings).reduce((a, b) => a + b, 0);
  const file = join(dir, 'jacobi.ti');
  writeFileSync(file, traceOf(model.record(ranks)[0]!));
  const before = performance.now();
  const replayed = predict(file, { machine, ranks });
  const after = performance.now();
  const off = Math.abs(own.figures.runTime.value / replayed.figures.runTime.value - 1);
  if (off > 1e-12) throw new Error(`model and trace differ by ${off}`);
  const s = (ms: number): string => (ms / 1000).toFixed(2);
  console.log(
    `| ${ranks} | ${turns} | ${s(made - start)} | ${s(compiled - made)} | ${s(played - compiled)} | ${events} | ${Math.round(((played - compiled) * 1e6) / events)} | ${s(after - before)} | ${((after - before) / (played - start)).toFixed(2)} |`,
  );
}
rmSync(dir, { recursive: true });

console.log('\n| model | ranks | build, s | compile, s | play, s | events | ns an event |');
console.log('|---|---|---|---|---|---|---|');
const scaled = [
  ...[1024, 4096, 16384, 65536].map((ranks) => ({
    model: jacobi2d.with({ turns: 10 }) as unknown as ProgramModel,
    ranks,
  })),
  ...[250, 1000, 4000].map((ranks) => ({ model: farm, ranks })),
];
for (const { model, ranks } of scaled) {
  const machine = cluster({
    nodes: ranks,
    coresPerNode: 1,
    speed: '4Gf',
    link: { latency: '12us', bandwidth: '1.25GB/s' },
    eagerBelow: 65536,
  });
  const start = performance.now();
  const built = mapModel(model, { machine, ranks });
  const made = performance.now();
  const prepared = compileModel(built);
  const compiled = performance.now();
  const { firings } = predictOnce(built, { machine }, { compiled: prepared });
  const played = performance.now();
  const events = Object.values(firings).reduce((a, b) => a + b, 0);
  const s = (ms: number): string => (ms / 1000).toFixed(2);
  console.log(
    `| ${model.name} | ${ranks} | ${s(made - start)} | ${s(compiled - made)} | ${s(played - compiled)} | ${events} | ${Math.round(((played - compiled) * 1e6) / events)} |`,
  );
}
