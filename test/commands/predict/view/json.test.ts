import { expect, it } from 'vitest';
import { predictionJson } from '../../../../src/commands/predict/prediction-json.ts';
import { deadlocked, imbalanced, plainNet } from '../../../report/documents.ts';
import { predicted } from '../../../report/models.ts';

it('is the document, one line for each rank, ended by a newline', () => {
  for (const document of [imbalanced, deadlocked, plainNet, predicted['jacobi']!()]) {
    const text = predictionJson(document);
    expect(JSON.parse(text)).toEqual(document);
    expect(text.endsWith('}\n')).toBe(true);
    for (const rank of document.ranks) expect(text).toContain(`\n    ${JSON.stringify(rank)}`);
  }
});

it('does not depend on the order of the document’s keys', () => {
  const reversed = Object.fromEntries(Object.entries(imbalanced).reverse()) as unknown as typeof imbalanced;
  expect(predictionJson(reversed)).toBe(predictionJson(imbalanced));
});
