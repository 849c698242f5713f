import { predict } from '../../../src/commands/predict/predict.ts';
import { ANY, cluster, counter, flag, oneOf, type ProgramBuilder, range, rankVar, spmd } from '../../../src/models.ts';

/** A message takes 10 µs plus 1 ns per byte; a core takes 1 ns per flop. */
export const machine = cluster({
  nodes: 64,
  coresPerNode: 1,
  speed: '1Gf',
  link: { latency: '5us', bandwidth: '1GB/s' },
  eagerBelow: 1000,
  detachedBelow: 10_000,
});

export const L = 10e-6;
/** Transfer time of a message in seconds. */
export const message = (bytes: number): number => L + bytes * 1e-9;

const vars = {
  i: counter(),
  k: range(0, 20),
  who: rankVar(),
  order: oneOf('work', 'stop'),
  done: flag(),
  tag: range(0, 99),
};
export type TestBuilder = ProgramBuilder<Record<never, never>, typeof vars>;

/** Predicts the program recorded by `build`. */
export function simulateModel(
  ranks: number,
  build: (m: TestBuilder) => void,
  options: Parameters<typeof predict>[1] = {},
) {
  const model = spmd({ name: 'test', vars, build });
  return predict(model, { machine, ranks, ...options });
}

export { ANY };
