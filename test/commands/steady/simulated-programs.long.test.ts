import { expect, test } from 'vitest';
import type { Interval } from '../../../src/commands/exact/exact-parts.ts';
import { steady } from '../../../src/commands/steady/steady.ts';
import type { SteadyDocument } from '../../../src/commands/steady/steady-result.ts';
import { renderSteady } from '../../../src/commands/steady/view/steady-view.ts';
import { cluster, noise, spmd } from '../../../src/models.ts';

const random = { noise: noise.exponential() };

/** Work of different lengths, branches taken by chance, and several rounds. */
const programs = [
  spmd({
    name: 'branches',
    build(m) {
      m.compute({ seconds: (s) => 1 + s.rank, ...random });
      m.chance(
        0.3,
        () => m.compute({ seconds: 2, ...random }),
        () => m.compute({ seconds: 0.25, ...random }),
      );
    },
  }),
  spmd({
    name: 'some',
    build(m) {
      m.when(
        (s) => s.rank > 0,
        () => m.compute({ seconds: 1, ...random }),
      );
      m.compute({ seconds: 0.5, ...random });
    },
  }),
];

/** All figures by name. */
function figures(document: SteadyDocument): Map<string, readonly [number, Interval]> {
  const { runTime, parallelism, fragments = [], nodes = [], places, transitions } = document;
  return new Map<string, readonly [number, Interval]>([
    ['run time', [runTime!.mean, runTime!]],
    ['parallelism', [parallelism!.mean, parallelism!]],
    ...fragments.map((f) => [`fragment ${f.processes.join()}`, [f.probability, f]] as const),
    ...nodes.map((n) => [n.name, [n.load, n]] as const),
    ...places.flatMap((p) => [
      [p.name, [p.mean, p]] as const,
      ...(p.response === undefined ? [] : [[`stay ${p.name}`, [p.response.value, p.response]] as const]),
    ]),
    ...transitions.map((t) => [`transition ${t.name}`, [t.throughput, t]] as const),
  ]);
}

test.each(programs.map((program) => [program.name, program] as const))(
  '%s: restarted runs agree with the restarted chain in every figure',
  (_, program) => {
    const exact = figures(steady(program, { ranks: 3, method: 'ctmc' }));
    const simulated = figures(steady(program, { ranks: 3, method: 'simulate', precision: '5%' }));
    expect([...simulated.keys()].sort()).toEqual([...exact.keys()].sort());
    let compared = 0;
    for (const [name, [value, { certainty }]] of exact) {
      expect(certainty, name).toBe(1);
      const [mean, { lower, upper }] = simulated.get(name)!;
      if (lower === null) expect(Math.abs(mean - value), name).toBeLessThan(1e-9);
      else {
        compared++;
        // Three times as wide as an interval of 95 %.
        expect(Math.abs(mean - value), name).toBeLessThan(1.5 * (upper! - lower));
      }
    }
    expect(compared).toBeGreaterThan(12);
  },
);

test('intervals of restarted runs contain the exact run time and degree as often as they say', () => {
  const [program] = programs;
  const exact = steady(program!, { ranks: 2, method: 'ctmc' });
  let [time, degree] = [0, 0];
  const count = 60;
  for (let seed = 0; seed < count; seed++) {
    const { runTime, parallelism } = steady(program!, {
      ranks: 2,
      method: 'simulate',
      maxFirings: 1000,
      seed: String(seed),
    });
    const holds = ({ lower, upper }: Interval, value: number): number => Number(lower! <= value && value <= upper!);
    time += holds(runTime!, exact.runTime!.mean);
    degree += holds(parallelism!, exact.parallelism!.mean);
  }
  // Binomial limits of 99.9 % for 60 intervals of 95 %.
  for (const held of [time, degree]) expect(held).toBeGreaterThanOrEqual(50);
});

test('places that hold tokens for no time have none on the mean: rounding errors of sums are left out', () => {
  const machine = cluster({
    nodes: 4,
    coresPerNode: 4,
    speed: '4Gf',
    memory: '100GB/s',
    link: { latency: '1.5us', bandwidth: '12.5GB/s' },
    overhead: { send: '1us', receive: '1us' },
    eagerBelow: '64KiB',
  });
  const model = spmd({
    name: 'instants',
    build(m) {
      m.loop(10, () => {
        m.compute({ flops: (s) => 4e6 * (1 + s.rank), bytes: 8e6 });
        m.sendrecv({ to: (s) => (s.rank + 1) % s.size, from: (s) => (s.rank + s.size - 1) % s.size, bytes: 80_000 });
        m.allreduce({ bytes: 8 });
      });
    },
  });
  const { places, transitions } = steady(model, { machine, ranks: 2, method: 'simulate' });
  expect(places.filter(({ mean }) => mean !== 0 && Math.abs(mean) < 1e-12)).toEqual([]);
  expect(transitions.filter(({ enabled }) => enabled.value !== 0 && Math.abs(enabled.value) < 1e-12)).toEqual([]);
  expect(places.find(({ name }) => name === 'completed')!.mean).toBe(0);
});

test('all methods of a program whose runs are all the same: none gives an interval, and the page says so', () => {
  const program = spmd({
    name: 'same',
    build(m) {
      m.compute({ seconds: 1 });
      m.barrier();
    },
  });
  const found = steady(program, { ranks: 2, method: 'all' });
  expect(found.methods!.map(({ agree }) => agree)).toEqual([null, null, null]);
  const page = renderSteady(found, { width: 400, colour: false, unicode: true });
  expect(page.split('\n')[0]).toBe('No method gives an interval, so none is compared: simulation');
  expect(page).toContain(
    'Not compared, simulation: none of its figures has an interval: each is the same in every run',
  );
});
