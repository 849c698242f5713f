import { expect, test } from 'vitest';
import { asMessage, fromMessage } from '../../src/cli/answer-message.ts';
import type { Answered } from '../../src/commands/command-line/job.ts';

const answered = (result: unknown): Answered => ({ answer: { kind: 'done', result }, warnings: [] });

test('objects keyed by names of nodes cross threads as text, with names that objects inherit', () => {
  const weights = Object.create(null) as Record<string, number>;
  for (const name of ['__proto__', 'constructor', '7', 'p\u0000']) weights[name] = 2;
  const message = asMessage(answered({ placeSemiflows: [{ weights }] }), 'structure');
  expect(message.answer.kind).toBe('text');
  const { answer } = fromMessage(structuredClone(message));
  const [flow] = (answer as { result: { placeSemiflows: { weights: object }[] } }).result.placeSemiflows;
  expect(Object.entries(flow!.weights)).toEqual(Object.entries(weights));
});

test('other results and problems are cloned', () => {
  const result = { numbers: Float64Array.of(1, 2) };
  expect(fromMessage(asMessage(answered(result), 'predict'))).toEqual(answered(result));
  const refused: Answered = { answer: { kind: 'problems', problems: [] }, warnings: [] };
  expect(fromMessage(asMessage(refused, 'structure'))).toEqual(refused);
});
