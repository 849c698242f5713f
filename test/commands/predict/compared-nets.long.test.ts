import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { InputError } from '../../../src/base/problem.ts';
import { compare } from '../../../src/commands/compare/compare.ts';
import { renderComparison } from '../../../src/commands/compare/comparison-view.ts';
import { predict } from '../../../src/commands/predict/predict.ts';
import type { PredictionDocument } from '../../../src/commands/predict/prediction.ts';
import { plainNet } from '../../analysis/markov/random-plain-net.ts';
import { stochasticNet } from '../../analysis/markov/stochastic-nets.ts';
import { effort } from '../../effort.ts';

const view = { width: 100, colour: false, unicode: true };

/** The means of a net by name; undefined if a place of it has none. */
const means = ({ places = [], transitions = [] }: PredictionDocument): Map<string, number | null> =>
  new Map([
    ...places.map(({ name, mean }) => [`tokens ${name}`, mean] as const),
    ...transitions.map(({ name, rate }) => [`rate ${name}`, rate] as const),
  ]);

test('two runs of a net that end at one time are told apart by the means that differ', () => {
  let [equal, different] = [0, 0];
  fc.assert(
    fc.property(plainNet, fc.constantFrom('1', '2'), (draft, seed) => {
      const net = stochasticNet('random', draft.initial, draft.transitions);
      let sides: PredictionDocument[];
      try {
        sides = ['1', seed].map((own) => predict(net, { until: 5, seed: own, maxSteps: 5_000 }));
      } catch (error) {
        // Immediate firings never end.
        if (error instanceof InputError) return;
        throw error;
      }
      const [a, b] = sides as [PredictionDocument, PredictionDocument];
      // Long runs are cut.
      if (!a.complete || !b.complete) return;
      const found = compare({ input: 'a', document: a }, { input: 'b', document: b });
      const [before, after] = [means(a), means(b)];
      const differ = [...before].filter(([name, x]) => {
        const y = after.get(name)!;
        return x !== y && x !== null && y !== null && !(Math.abs(x - y) <= 1e-12 * Math.abs(x));
      });
      const [line] = renderComparison(found, view).split('\n');
      if (a.figures.runTime.value !== b.figures.runTime.value) return;
      // A run that ends at time 0 has no means.
      const all = [...before].filter(([name, x]) => x !== null || after.get(name) !== null).length;
      if (all === 0) expect(line).toBe('B takes as long as A');
      else if (differ.length === 0) {
        equal++;
        expect(line).toBe('B takes as long as A, and all means of places and transitions are equal');
      } else {
        different++;
        expect(line).toBe(
          `B takes as long as A, but ${differ.length} of ${all} means of places and transitions differ`,
        );
      }
    }),
    { numRuns: effort(200) },
  );
  expect(Math.min(equal, different)).toBeGreaterThan(0);
});
