import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { predict } from '../../../src/commands/predict/predict.ts';
import { effort } from '../../effort.ts';
import { folder } from '../../trace/support.ts';

/** SimGrid's compiler and launcher of MPI programs (Debian: libsimgrid-dev). */
const hasSmpi = spawnSync('sh', ['-c', 'command -v smpicc && command -v smpirun'], { stdio: 'ignore' }).status === 0;

const files = folder({
  'cluster.xml': `<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1"><cluster id="c" prefix="n" radical="0-15" suffix="" speed="1Gf" bw="1GBps" lat="1ms"/></platform>\n`,
});
afterAll(files.remove);
const machine = files.path('cluster.xml');

/** Runs a program under SMPI: the lines that it traces, and the times of each rank before its first and after its last fence. */
function recorded(binary: string, ranks: number, more: readonly string[], args: readonly (string | number)[]) {
  const trace = files.path('recorded.ti');
  const settings = ['smpi/simulate-computation:no', 'smpi/wtime:0', 'network/optim:Full', `tracing/filename:${trace}`];
  const said = execFileSync(
    'smpirun',
    [
      ...['-np', `${ranks}`, '-platform', machine, '-trace-ti'],
      ...[...settings, ...more].map((one) => `--cfg=${one}`),
      ...[binary, ...args.map(String)],
    ],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
  );
  const times = [...said.matchAll(/^times (\d+) (\S+) (\S+)$/gm)].map((found) => found.slice(1).map(Number));
  const listed = readFileSync(trace, 'utf8').trim().split('\n');
  const lines = listed.map((file) => readFileSync(file, 'utf8')).join('');
  return { lines, times: times.sort(([a], [b]) => a! - b!) as [number, number, number][] };
}

describe.skipIf(!hasSmpi)('random one-sided calls end when SimGrid executes them', () => {
  test.each(['default', 'ompi', 'mpich'])('selector %s', (selector) => {
    const binary = files.path('one-sided');
    execFileSync('smpicc', ['-O1', fileURLToPath(new URL('./one-sided.c', import.meta.url)), '-o', binary]);
    const found = { calls: 0 };
    for (let seed = 1; seed <= effort(60); seed++) {
      const [ranks, bytes] = [2 + (seed % 5), [800, 8000, 80_000, 800_000][seed % 4]!];
      const { lines, times } = recorded(binary, ranks, [`smpi/coll-selector:${selector}`], [seed, 3, bytes]);
      expect(times.length).toBe(ranks);
      found.calls += lines.match(/^\d+ (?:Put|Get|Accumulate)/gm)?.length ?? 0;
      // The window is made before the first line of a rank, and leaves none.
      const begun = lines.replaceAll(/^(\d+) init.*$/gm, (init, rank) => `${init}\n${rank} sleep ${times[rank]![1]}`);
      const trace = files.path('begun.ti');
      writeFileSync(trace, begun);
      const run = predict(trace, { machine, ...(selector === 'default' ? {} : { collectives: selector as 'ompi' }) });
      for (const { rank, endTime } of run.ranks)
        expect(Math.abs(endTime! - times[rank]![2]), `seed ${seed}, rank ${rank}`).toBeLessThan(1e-9);
    }
    expect(found.calls).toBeGreaterThan(20);
  });
});
