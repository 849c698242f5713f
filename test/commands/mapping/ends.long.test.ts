import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { explore } from '../../../src/commands/explore/explore.ts';
import { map } from '../../../src/commands/mapping/map.ts';
import { predict } from '../../../src/commands/predict/predict.ts';
import { verify } from '../../../src/commands/verify/net/verify.ts';
import { cluster, compose, resource, spmd } from '../../../src/models.ts';
import { effort } from '../../effort.ts';

const machine = cluster({
  nodes: 2,
  coresPerNode: 2,
  speed: '1Gf',
  link: { latency: '10us', bandwidth: '1GB/s' },
  eagerBelow: 4096,
});

const LABELS = ['x', 'y'] as const;

/** A module that holds two resources at once, in one of two orders. */
const holder = (name: string, first: (typeof LABELS)[number], flops: number) =>
  spmd({
    name,
    interface: { x: resource(1), y: resource(1) },
    build: (m) =>
      m.hold(first, () => {
        m.compute({ flops });
        m.hold(first === 'x' ? 'y' : 'x', () => m.compute({ flops: 10 }));
      }),
  });

test('the merge of a program and a machine ends and deadlocks where the program does', () => {
  const modules = fc.array(fc.record({ first: fc.constantFrom(...LABELS), flops: fc.integer({ min: 1, max: 3000 }) }), {
    minLength: 2,
    maxLength: 3,
  });
  let deadlocks = 0;
  fc.assert(
    fc.property(modules, (all) => {
      const model = compose(
        all.map(({ first, flops }, k) => ({ model: holder(`m${k}`, first, flops), ranks: 1 })),
        { synchronise: LABELS },
      );
      const { net } = map(model, { machine });
      const given = predict(model, { machine });
      const mapped = predict(net);
      if (given.deadlock.length > 0) deadlocks++;
      expect(mapped.figures.runTime!.value).toBeCloseTo(given.figures.runTime!.value, 12);
      // Each rank that waits is named; a run that ends has no warning.
      const warnings = mapped.warnings.filter(({ code }) => code === 'APP046');
      const ranks = given.deadlock.map(({ rank }) => rank);
      expect(warnings.map(({ code }) => code)).toEqual(ranks.length === 0 ? [] : ['APP046']);
      for (const { message } of warnings)
        expect(message).toMatch(`deadlock: ${ranks.length} of ${all.length} processes have not ended`);
      // Over all orders, the same verdict as for the program.
      const expected = explore(model, { machine }).figures.deadlockStates.value === 0;
      expect(explore(net).figures.deadlockStates.value === 0).toBe(expected);
      expect(verify(net, ['deadlock-free']).properties[0]!.verdict).toBe(expected);
    }),
    {
      numRuns: effort(200),
      examples: [
        [
          [
            { first: 'x', flops: 1 },
            { first: 'y', flops: 1 },
          ],
        ],
      ],
    },
  );
  expect(deadlocks).toBeGreaterThan(0);
}, 120_000);
