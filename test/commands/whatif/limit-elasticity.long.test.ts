import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it, test } from 'vitest';
import { predict } from '../../../src/commands/predict/predict.ts';
import { elasticities } from '../../../src/commands/whatif/axes/machine-paths.ts';
import { cluster } from '../../../src/machine/cluster.ts';
import { changeMachine } from '../../../src/machine/description/machine-parameters.ts';
import type { Machine } from '../../../src/machine/machine.ts';
import { spmd } from '../../../src/models.ts';

const folder = mkdtempSync(join(tmpdir(), 'foretoken-limit-'));
afterAll(() => rmSync(folder, { recursive: true }));

const PATHS = {
  latency: ['link.latency', 'intraNode.latency', 'network.latency'],
  bandwidth: ['link.bandwidth', 'intraNode.bandwidth', 'network.bandwidth'],
};

/** Reduction of the run time by 1 % less latency and by 1 % more bandwidth of all links. */
async function gains(run: (machine: Machine) => number, machine: Machine) {
  const changed = (paths: readonly string[], factor: number): Machine =>
    paths.reduce((m, path) => {
      try {
        return changeMachine(m, path, `x${factor}`);
      } catch {
        return m;
      }
    }, machine);
  const found = await elasticities(['latency', 'bandwidth'], (name, factor) => ({
    value: run(changed(PATHS[name as keyof typeof PATHS], factor)),
  }));
  const of = (name: string): number => found.find((f) => f.parameter === name)?.elasticity ?? 0;
  return { latency: of('latency'), bandwidth: -of('bandwidth') };
}

/** Checks that the limit and the elasticities name the same parameter. */
function expectAgreement(
  limit: 'latency' | 'bandwidth',
  { latency, bandwidth }: { latency: number; bandwidth: number },
) {
  if (limit === 'bandwidth') expect(bandwidth).toBeGreaterThan(latency);
  else expect(latency).toBeGreaterThan(bandwidth);
}

describe('the limit named by predict agrees with elasticities', () => {
  test.each([
    ['large blocks', 1_000_000, 'bandwidth'],
    ['small blocks', 8, 'latency'],
  ] as const)('of a compute and an alltoall of %s', async (_, bytes, expected) => {
    const model = spmd({
      name: 'phases',
      build(m) {
        m.compute({ flops: bytes > 1000 ? 4e6 : 1e4 });
        m.alltoall({ bytes });
      },
    });
    const machine = cluster({
      nodes: 64,
      coresPerNode: 1,
      speed: '4Gf',
      link: { latency: '12us', bandwidth: '1.25GB/s' },
      eagerBelow: 65536,
    });
    expect(predict(model, { machine, ranks: 8, secondRuns: true }).limit).toMatchObject({ kind: expected });
    const found = await gains((m) => predict(model, { machine: m, ranks: 8 }).figures.runTime.value, machine);
    expectAgreement(expected, found);
  });

  it.each([
    ['named requests', ['0 isend 1 0 SIZE 0', '0 wait 0 1 0', '1 irecv 0 0 SIZE 0', '1 wait 0 1 0']],
    [
      'waitall',
      [
        '0 isend 1 0 SIZE 0',
        '0 irecv 1 0 SIZE 0',
        '0 waitall 2',
        '1 isend 0 0 SIZE 0',
        '1 irecv 0 0 SIZE 0',
        '1 waitall 2',
      ],
    ],
    ['blocking calls', ['0 send 1 0 SIZE 0', '1 recv 0 0 SIZE 0']],
  ])('of traces with %s', async (_, actions) => {
    for (const [size, expected] of [
      ['10000000', 'bandwidth'],
      ['100', 'latency'],
    ] as const) {
      const lines = [0, 1].flatMap((r) => [
        `${r} init`,
        ...actions.filter((a) => a.startsWith(`${r} `)).map((a) => a.replace('SIZE', size)),
        `${r} finalize`,
      ]);
      const path = join(folder, 'two.ti');
      writeFileSync(path, `${lines.join('\n')}\n`);
      const machine = cluster({
        nodes: 2,
        coresPerNode: 1,
        speed: '4Gf',
        link: { latency: '12us', bandwidth: '1.25GB/s' },
        eagerBelow: 65536,
      });
      const run = (m: Machine): number => predict(path, { machine: m }).figures.runTime.value;
      expect(predict(path, { machine, secondRuns: true }).limit).toMatchObject({ kind: expected });
      expectAgreement(expected, await gains(run, machine));
    }
  });
});
