import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compileModel, mapModel, predictOnce } from '../src/commands/predict/model/stages.ts';
import { predict } from '../src/commands/predict/predict.ts';
import { cluster, counter, grid2d, type ProgramModel, spmd } from '../src/models.ts';
import { traceOf } from '../test/models/program/interpret.ts';

/*
 * `npx tsx bench/models.ts`: a Jacobi iteration as a model and as the equivalent trace, for several numbers of ranks
 * and about the same total number of messages.
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
