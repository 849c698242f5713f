import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { explore } from '../../../../src/commands/explore/explore.ts';
import { predict } from '../../../../src/commands/predict/predict.ts';
import { verifyProgram } from '../../../../src/commands/verify/program/verify-program.ts';
import { cluster, type ProgramModel, spmd } from '../../../../src/models.ts';
import { effort } from '../../../effort.ts';
import { composed, moduleOf, type Spec, specs, whole } from './random-modules.ts';

/** Every rank has a node, and the distance of all is equal: the order of the modules does not matter. */
const machine = cluster({
  nodes: 16,
  coresPerNode: 1,
  speed: '1Gf',
  link: { latency: '10us', bandwidth: '1.25GB/s' },
  eagerBelow: 4096,
  detachedBelow: 65536,
});

// biome-ignore lint/suspicious/noExplicitAny: models of other types are not assignable to each other
type AnyModel = ProgramModel<any, any, any>;

const ranksOf = ({ sizes }: Spec): number => sizes.reduce((a, b) => a + b, 0);
const everyModule = ({ sizes }: Spec): number[] => [...sizes.keys()];

/** Run time, or `deadlock`. */
function outcome(model: AnyModel, ranks: number): number | 'deadlock' {
  const { figures, deadlock } = predict(model, { machine, ranks });
  return deadlock.length > 0 ? 'deadlock' : figures.runTime!.value;
}

function expectSame(a: number | 'deadlock', b: number | 'deadlock'): void {
  if (a === 'deadlock' || b === 'deadlock') expect(a).toBe(b);
  else expect(Math.abs(a - b)).toBeLessThanOrEqual(1e-12 * b);
}

describe('composition of random modules', () => {
  test('takes as long as the program written whole, in every order and nesting', { timeout: 600_000 }, () => {
    const idle = spmd({ name: 'idle', build: () => {} });
    const outcomes: (number | 'deadlock')[] = [];
    const seen = new Set<number>();
    fc.assert(
      fc.property(specs({ mayDeadlock: true }), fc.nat(1000), (spec, where) => {
        const all = everyModule(spec);
        const ranks = ranksOf(spec);
        const flat = outcome(composed(spec, all), ranks);
        outcomes.push(flat);
        expectSame(flat, outcome(whole(spec), ranks));
        // One law a case: every model is compiled.
        const law = where % 3;
        seen.add(law);
        if (law === 0) {
          const at = 1 + (where % (all.length - 1));
          const nested = composed(spec, all, [
            composed(spec, all.slice(0, at), undefined, 'left'),
            composed(spec, all.slice(at), undefined, 'right'),
          ]);
          expectSame(outcome(nested, ranks), flat);
        } else if (law === 1) expectSame(outcome(composed(spec, [...all].reverse()), ranks), flat);
        else {
          // A module that does nothing is the unit.
          const withIdle = composed(spec, [...all, -1], [...all.map((k) => moduleOf(spec, k)), idle]);
          expectSame(outcome(withIdle, ranks + 1), flat);
        }
      }),
      { numRuns: effort(30) },
    );
    expect(seen.size).toBe(3);
    expect(outcomes).toContain('deadlock');
    expect(outcomes.some((one) => one !== 'deadlock')).toBe(true);
  });

  test('has the verdicts of the program written whole', { timeout: 600_000 }, () => {
    fc.assert(
      fc.property(specs({ mayDeadlock: true, size: 2 }), (spec) => {
        const options = { ranks: ranksOf(spec), maxStates: 5_000 };
        const verdicts = (model: AnyModel): readonly unknown[] =>
          verifyProgram(model, options).instances.flatMap(({ sends, properties }) =>
            properties.map(({ id, verdict }) => [sends, id, verdict]),
          );
        const together = verdicts(composed(spec, everyModule(spec)));
        expect(together.length).toBeGreaterThan(0);
        expect(together).toEqual(verdicts(whole(spec)));
      }),
      { numRuns: effort(20) },
    );
  });

  test('has as many reachable markings in every order and nesting', { timeout: 600_000 }, () => {
    fc.assert(
      fc.property(specs({ mayDeadlock: true, steps: 3, size: 2 }), (spec) => {
        const all = everyModule(spec);
        const options = { ranks: ranksOf(spec), maxStates: 2_000 };
        const count = (model: AnyModel): readonly unknown[] => {
          const { complete, figures } = explore(model, options);
          return [complete, figures.states.value, figures.edges.value];
        };
        const flat = count(composed(spec, all));
        fc.pre(flat[0] === true);
        // In the other order, and nested.
        const back = [...all].reverse();
        const nested = composed(spec, back, [
          composed(spec, back.slice(0, 1), undefined, 'left'),
          composed(spec, back.slice(1), undefined, 'right'),
        ]);
        expect(count(nested)).toEqual(flat);
      }),
      { numRuns: effort(20) },
    );
  });
});
