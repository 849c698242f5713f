import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { convert } from '../../../src/commands/convert/convert.ts';
import { predict } from '../../../src/commands/predict/predict.ts';
import { changeMachine } from '../../../src/machine/description/machine-parameters.ts';
import { idealNetwork } from '../../../src/machine/ideal-network.ts';
import type { Machine } from '../../../src/machine/machine.ts';
import { type ClusterOptions, cluster, spmd } from '../../../src/models.ts';
import { effort } from '../../effort.ts';
import type { TestBuilder } from './run.ts';

const LATENCY = 2e-6;
/** A route of two links with half the latency each; the time per byte is negligible. */
const machine = (options: object = {}): Machine =>
  cluster({
    nodes: 4,
    coresPerNode: 8,
    speed: '1Gf',
    link: { latency: LATENCY / 2, bandwidth: 1e30 },
    eagerBelow: '1MB',
    ...options,
  } as unknown as ClusterOptions);

function ends(build: (m: TestBuilder) => void, on: Machine, ranks: number, placement: readonly number[]): number[] {
  const model = spmd({ name: 'm', build: build as never });
  return predict(model, { machine: on, ranks, placement: [...placement] }).ranks.map((r) => r.endTime!);
}

const near = (found: readonly number[], expected: readonly number[]): void => {
  expect(found.length).toBe(expected.length);
  for (const [k, x] of found.entries()) expect(x).toBeCloseTo(expected[k]!, 15);
};

interface Sent {
  readonly from: number;
  readonly to: number;
  /** Computation of the sender before this message, in nanoseconds. */
  readonly after: number;
}

/** End times of the ranks by the LogGP model with gap g; sends are eager, receives come last. */
function logGp(sends: readonly Sent[], ranks: number, placement: readonly number[], g: number): number[] {
  const clock = Array.from({ length: ranks }, () => 0);
  const posted = sends.map(({ from, to, after }) => {
    clock[from]! += after * 1e-9;
    return { from: placement[from]!, to: placement[to]!, rank: to, at: clock[from]! };
  });
  const lastOut = new Map<number, number>();
  const arriving = posted
    .sort((a, b) => a.at - b.at)
    .map((m) => {
      if (m.from === m.to) return { ...m, at: m.at + LATENCY / 2 };
      const leaves = Math.max(m.at, (lastOut.get(m.from) ?? Number.NEGATIVE_INFINITY) + g);
      lastOut.set(m.from, leaves);
      return { ...m, at: leaves + LATENCY };
    });
  const lastIn = new Map<number, number>();
  for (const m of arriving.sort((a, b) => a.at - b.at)) {
    let { at } = m;
    if (m.from !== m.to) {
      at = Math.max(at, (lastIn.get(m.to) ?? Number.NEGATIVE_INFINITY) + g);
      lastIn.set(m.to, at);
    }
    clock[m.rank] = Math.max(clock[m.rank]!, at);
  }
  return clock;
}

const arbitraryProgram = fc.integer({ min: 2, max: 5 }).chain((ranks) =>
  fc.record({
    ranks: fc.constant(ranks),
    placement: fc.array(fc.integer({ min: 0, max: 3 }), { minLength: ranks, maxLength: ranks }),
    g: fc.integer({ min: 1, max: 8000 }).map((ns) => ns * 1e-9),
    sends: fc.array(
      fc
        .record({ from: fc.nat(ranks - 1), to: fc.nat(ranks - 1), after: fc.integer({ min: 1, max: 5000 }) })
        .filter(({ from, to }) => from !== to),
      { minLength: 1, maxLength: 25 },
    ),
  }),
);

describe('the gap between messages (g of LogGP)', () => {
  test('separates messages that leave a node from messages that arrive', () => {
    fc.assert(
      fc.property(arbitraryProgram, ({ ranks, placement, g, sends }) => {
        // Distinct fractions of a nanosecond ensure that no two messages are ready at the same time.
        const spread = sends.map((s, k) => ({ ...s, after: s.after + (s.from + 1) / 1000 + k / 1e6 }));
        const build = (m: TestBuilder): void => {
          for (let rank = 0; rank < ranks; rank++)
            m.when(
              (s) => s.rank === rank,
              () => {
                for (const { from, to, after } of spread)
                  if (from === rank) {
                    m.compute({ flops: after });
                    m.send({ to, bytes: 1 });
                  }
                for (const { from, to } of spread) if (to === rank) m.recv({ from });
              },
            );
        };
        near(ends(build, machine({ gap: g }), ranks, placement), logGp(spread, ranks, placement, g));
      }),
      { numRuns: effort(50) },
    );
  });

  test.each([
    [5e-6, 1e-6],
    [1e-6, 5e-6],
  ])('the last of n messages in a row is received after 2 o + (n - 1) max(o, g) + L: o = %f, g = %f', (o, g) => {
    const n = 20;
    const [, end] = ends(
      (m) =>
        m.when(
          (s) => s.rank === 0,
          () => m.loop(n, () => m.send({ to: 1, bytes: 1 })),
          () => m.loop(n, () => m.recv({ from: 0 })),
        ),
      machine({ overhead: { send: o, receive: o }, gap: g }),
      2,
      [0, 1],
    );
    expect(end).toBeCloseTo(2 * o + (n - 1) * Math.max(o, g) + LATENCY, 15);
  });

  test('applies to the replay of a trace and to messages that wait for their receiver', () => {
    const folder = mkdtempSync(join(tmpdir(), 'gap-'));
    const path = join(folder, 'trace.ti');
    const sends = (kind: string): string => `0 init
1 init
${`0 ${kind} 1 0 1000000\n`.repeat(3)}${'1 irecv 0 0 1000000\n'.repeat(3)}0 waitall
1 waitall
0 finalize
1 finalize
`;
    writeFileSync(path, sends('isend'));
    const run = (gap: string): number | null =>
      predict(path, { machine: machine({ gap, eagerBelow: 0 }), placement: 'cyclic' }).figures.runTime.value;
    expect(run('10us')).toBeCloseTo(2 * 10e-6 + LATENCY, 12);
    expect(run('0s')).toBeCloseTo(LATENCY, 12);
    // The exported net contains no message sizes; the final gap of an interface does not count as run time.
    const net = join(folder, 'net.json');
    convert(path, net, { machine: machine({ gap: '10us', eagerBelow: 0 }), placement: 'cyclic' });
    expect(predict(net, {}).figures.runTime.value).toBe(run('10us'));
    rmSync(folder, { recursive: true });
  });

  test('is a parameter: an ideal network has none, and a study can change it', () => {
    expect(idealNetwork(machine({ gap: '3us' })).gap).toBe(0);
    expect(changeMachine(machine({ gap: '3us' }), 'gap', 'x2').gap).toBe(6e-6);
    expect(() => machine({ gap: -1 })).toThrow('UNIT003');
    expect(() => machine({ gap: '3B' })).toThrow('UNIT002');
  });
});
