import { randomInt } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { predict } from '../../../src/commands/predict/predict.ts';
import { spmd, threads } from '../../../src/models.ts';

/** Sources of randomness and time. */
const sources: Readonly<Record<string, () => unknown>> = {
  'Math.random': () => Math.random(),
  'Date.now': () => Date.now(),
  'new Date': () => new Date(),
  Date: () => Date(),
  'performance.now': () => performance.now(),
  'process.hrtime': () => process.hrtime(),
  'process.hrtime.bigint': () => process.hrtime.bigint(),
  'crypto.getRandomValues': () => globalThis.crypto.getRandomValues(new Uint8Array(1)),
  'crypto.randomUUID': () => globalThis.crypto.randomUUID(),
  'a named import': () => randomInt(5),
  'a source whose error the build catches': () => {
    try {
      return Math.random();
    } catch {
      return 0;
    }
  },
};

describe.each(Object.entries(sources))('a build that reads %s', (_, read) => {
  const models = {
    program: spmd({
      name: 'x',
      build: (m) => {
        read();
        m.compute({ flops: 1 });
      },
    }),
    threads: threads({
      name: 'x',
      build: (t) => {
        read();
        t.compute({ flops: 1 });
      },
    }),
  };

  it.each(['program', 'threads'] as const)('of a %s is refused with its line', (kind) => {
    expect(() => predict(models[kind])).toThrow(/random-build\.test\.ts:\d+:\d+: MODEL060 build reads /);
  });

  it('leaves the source as it was', () => {
    expect(() => predict(models.program)).toThrow('MODEL060');
    expect(() => read()).not.toThrow();
  });
});

it('fixed dates are allowed', () => {
  const model = spmd({ name: 'x', build: (m) => m.compute({ flops: new Date(2_000_000_000).getTime() }) });
  expect(predict(model, { machine: 'sdsc-gordon-switch', ranks: 1 }).figures.runTime.value).toBeGreaterThan(0);
});
