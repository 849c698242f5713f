import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, it, test } from 'vitest';
import { InputError } from '../../../src/base/problem.ts';
import { compare } from '../../../src/commands/compare/compare.ts';
import { renderComparison } from '../../../src/commands/compare/comparison-view.ts';
import { differences, rerunOf } from '../../../src/commands/predict/predict-rerun.ts';
import { predictionJson } from '../../../src/commands/predict/prediction-json.ts';
import { readResult, resultOf } from '../../../src/commands/rerun/result-file.ts';
import { atFullEffort, effort } from '../../effort.ts';
import { deadlocked, imbalanced, plainNet } from '../../report/documents.ts';

const dir = mkdtempSync(join(tmpdir(), 'foretoken-result-'));
afterAll(() => rmSync(dir, { recursive: true }));
const file = join(dir, 'result.json');

it('reads a written result', () => {
  for (const document of [imbalanced, deadlocked, plainNet]) {
    writeFileSync(file, predictionJson(document));
    const read = readResult(file);
    expect(read).toEqual(document);
    expect(differences(read, document)).toEqual([]);
  }
});

it('distinguishes a result from a net', () => {
  writeFileSync(file, '{"format": "foretoken-net"}');
  expect(resultOf(file)).toBeUndefined();
  expect(() => readResult(file)).toThrow('APP010');
});

test('every document is rejected, or can be compared and repeated', () => {
  /** The document with its n-th value, in depth-first order, replaced. */
  const replaced = (value: unknown, count: { n: number }, by: unknown): unknown => {
    if (count.n-- === 0) return by;
    if (Array.isArray(value)) return value.map((v) => replaced(v, count, by));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, replaced(v, count, by)]));
  };
  let accepted = 0;
  fc.assert(
    fc.property(fc.constantFrom(imbalanced, deadlocked, plainNet), fc.nat(200), fc.jsonValue(), (document, n, by) => {
      writeFileSync(file, JSON.stringify(replaced(document, { n }, by)));
      try {
        const result = resultOf(file);
        if (result === undefined) return;
        accepted++;
        const document = compare({ input: 'a', document: imbalanced }, { input: 'b', document: result });
        renderComparison(document, { width: 80, colour: false, unicode: true });
        expect(differences(result, result)).toEqual([]);
        rerunOf(result, file);
      } catch (error) {
        if (!(error instanceof InputError)) throw error;
      }
    }),
    { numRuns: effort(500) },
  );
  expect(accepted).toBeGreaterThan(atFullEffort(50));
});
