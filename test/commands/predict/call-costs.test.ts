import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { predict } from '../../../src/commands/predict/predict.ts';
import { spmd } from '../../../src/models.ts';

const dir = mkdtempSync(join(tmpdir(), 'foretoken-calls-'));
afterAll(() => rmSync(dir, { recursive: true }));

/** A cluster with settings of SimGrid's call times, by size on both sides of two thresholds. */
function cluster(name: string, props: readonly (readonly [string, string])[]): string {
  const file = join(dir, name);
  const config = props.map(([id, value]) => `<prop id="${id}" value="${value}"/>`).join('');
  writeFileSync(
    file,
    `<?xml version="1.0"?>
<platform version="4.1"><config id="General">${config}</config>
<cluster id="c" prefix="n" radical="0-15" suffix="" speed="1Gf" bw="1GBps" lat="1ms"/></platform>\n`,
  );
  return file;
}
const CALLS = [
  ['smpi/os', '100:1e-3:1e-6;1000:2e-3:0'],
  ['smpi/ois', '100:3e-3:1e-6;1000:4e-3:1e-7'],
  ['smpi/or', '500:5e-3:1e-6;1000:6e-3:0'],
] as const;
const FACTORS = [
  ['smpi/lat-factor', '0:2;516:3;5000:5'],
  ['smpi/bw-factor', '0:0.5;1016:0.75'],
] as const;

function ends(trace: string, machine: string, ranks = 2): (number | null)[] {
  const file = join(dir, 'calls.ti');
  const each = (word: string): string => Array.from({ length: ranks }, (_, r) => `${r} ${word}\n`).join('');
  writeFileSync(file, `${each('init')}${trace}\n${each('finalize')}`);
  return predict(file, { machine, ranks }).ranks.map(({ endTime }) => endTime);
}

// Ends of both ranks in SimGrid 3.32: smpirun -replay with these settings.
test.each([
  [1, 0.007003, 0.023005034],
  [100, 0.0073, 0.023500232],
  [101, 0.007303, 0.023505234],
  [500, 0.0085, 0.025501032],
  [501, 0.008503, 0.028006068],
  [984, 0.009952, 0.02994],
  [985, 0.009955, 0.029944004],
  [1000, 0.01, 0.030004064],
  [1001, 0.0102002, 0.030102812],
  [1017, 0.0102034, 0.03010445466666667],
  [4984, 0.0109968, 0.03051173333333333],
  [4985, 0.010997, 0.038511836],
  [65535, 0.023107, 0.04472830266666667],
  [65536, 0.041369408, 0.041369408],
])('call times and factors on both sides of each threshold: %i bytes', (bytes, sender, receiver) => {
  const trace = `0 isend 1 1 ${bytes}\n0 send 1 2 ${bytes}\n0 isend 1 3 ${bytes}\n0 waitall
1 irecv 0 1 ${bytes}\n1 recv 0 2 ${bytes}\n1 irecv 0 3 ${bytes}\n1 waitall`;
  const [first, second] = ends(trace, cluster('both.xml', [...CALLS, ...FACTORS]));
  expect(Math.abs(first! - sender)).toBeLessThanOrEqual(1e-9 * sender);
  expect(Math.abs(second! - receiver)).toBeLessThanOrEqual(1e-9 * receiver);
});

test('network models that fix all settings have no call times', () => {
  const file = join(dir, 'plain.ti');
  writeFileSync(file, '0 init\n0 send 1 0 100\n0 finalize\n1 init\n1 recv 0 0 100\n1 finalize\n');
  const machine = cluster('plain.xml', CALLS);
  const document = predict(file, { machine, networkModel: 'simgrid-plain' });
  expect(document.ranks[0]!.endTime).toBe(0);
  expect(document.warnings.filter(({ code }) => code === 'PLAT050')).toHaveLength(3);
});

describe('the time of a receive is spent when its rank sees the arrival', () => {
  // The message of rank 0 comes last, and its receive is posted first.
  const sends = '0 sleep 1\n0 send 1 1 100\n2 send 1 1 100\n';
  test.each([
    ['1 irecv 0 1 100\n1 irecv 2 1 100\n1 waitall', 1],
    ['1 irecv 0 1 100\n1 irecv 2 1 100\n1 wait 2 1 1\n1 wait 0 1 1', 1],
    ['1 irecv 0 1 100\n1 irecv 2 1 100\n1 wait 0 1 1\n1 wait 2 1 1', 2],
  ])('%j: after the last arrival, that of %i receives', (receives, billed) => {
    const machine = cluster('or.xml', [['smpi/or', '0:0.5:0']]);
    const free = cluster('free.xml', []);
    expect(ends(sends + receives, machine, 3)[1]! - ends(sends + receives, free, 3)[1]!).toBeCloseTo(0.5 * billed, 9);
  });
});

test.each([100, 1000, 1001, 65535, 65536])('models take the same times as traces: %i bytes', (bytes) => {
  const machine = cluster('models.xml', CALLS);
  const trace = `0 send 1 0 ${bytes}\n0 Ssend 1 0 ${bytes}\n0 ibsend 1 0 ${bytes}\n0 wait 0 1 0\n0 isend 1 0 ${bytes}\n0 wait 0 1 0
1 recv 0 0 ${bytes}\n1 recv 0 0 ${bytes}\n1 irecv 0 0 ${bytes}\n1 irecv 0 0 ${bytes}\n1 wait 0 1 0\n1 wait 0 1 0
${[0, 1, 2, 3].map((r) => `${r} allreduce ${bytes} 0`).join('\n')}`;
  const program = spmd({
    name: 'calls',
    build(m) {
      m.when(
        (s) => s.rank === 0,
        () => {
          m.send({ to: 1, bytes });
          m.send({ to: 1, bytes, mode: 'synchronous' });
          m.wait(m.isend({ to: 1, bytes, mode: 'buffered' }));
          m.wait(m.isend({ to: 1, bytes }));
        },
        () => {
          m.when(
            (s) => s.rank === 1,
            () => {
              m.recv({ from: 0 });
              m.recv({ from: 0 });
              const both = [m.irecv({ from: 0 }), m.irecv({ from: 0 })];
              m.waitAny(both);
              m.waitAll(both);
            },
          );
        },
      );
      m.allreduce({ bytes });
    },
  });
  const own = predict(program, { machine, ranks: 4 }).ranks.map(({ endTime }) => endTime!);
  const read = ends(trace, machine, 4);
  expect(own.every((end) => end > 0)).toBe(true);
  own.forEach((end, rank) => {
    expect(end).toBeCloseTo(read[rank]!, 11);
  });
});
