import { expect, test } from 'vitest';
import { steady } from '../../../../src/commands/steady/steady.ts';
import type { SteadyDocument } from '../../../../src/commands/steady/steady-result.ts';
import { renderSteady, steadyJson } from '../../../../src/commands/steady/view/steady-view.ts';
import { displayWidth } from '../../../../src/report/text.ts';
import { stochasticNet } from '../../../analysis/markov/stochastic-nets.ts';

/** From `start`, the net ends in one of `ends` with probabilities 1 : 2 : 3 … */
function branching(ends: number): SteadyDocument {
  const names = Array.from({ length: ends }, (_, k) => `end ${k + 1}`);
  return steady(
    stochasticNet(
      'branching',
      { start: 1, ...Object.fromEntries(names.map((_, k) => [`end${k + 1}`, 0])) },
      Object.fromEntries(names.map((name, k) => [name, { take: 'start', put: `end${k + 1}`, race: k + 1 }])),
    ),
  );
}

const plain = (document: SteadyDocument, width = 80): string =>
  renderSteady(document, { width, colour: false, unicode: false });

test.each([
  [1, 0.75, 1, '3e-1'],
  [1, 1, 1.25, '3e-1'],
  [2, 1.75, 2.0625, '3e-1'],
  [1, 0.9, 1.1, '2e-1'],
  [1, 0.905, 1, '1e-1'],
  [16, 8, 32, '2e1'],
  [1, 1, 1, '0'],
])('a mean of %f from %f to %f has the half-width %s, one digit rounded up', (mean, lower, upper, shown) => {
  const document = branching(1);
  const halfWidth = Math.max(mean - lower, upper - mean);
  const place = { name: 'p', mean, halfWidth, lower, upper, certainty: 1 };
  const page = plain({ ...document, places: [place] });
  expect(page).toContain(`\np      ${String(mean).padStart(11)}  ${shown.padStart(3)}`);
});

test.each([1, 2, 3, 12])('bottom components are listed if there are several, at most ten: %i', (ends) => {
  const page = plain(branching(ends));
  const [, list] = page.split(/^Components: .*\n/m);
  const rows = list?.match(/^ +1 /gm)?.length;
  expect(rows).toBe(ends === 1 ? undefined : Math.min(ends, 10));
  expect(list?.includes('and 2 more components, --json lists all') ?? false).toBe(ends === 12);
});

test.each([40, 80])('a page fits into %i columns, and in ASCII', (width) => {
  const page = plain(branching(3), width);
  for (const line of page.split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(width);
  expect(page).toMatch(/^[\n -~]*$/);
});

test('the document as JSON has all of its keys', () => {
  const document = branching(2);
  expect(JSON.parse(steadyJson(document))).toEqual(document);
});

test('an imprecise simulation counts the figures not known, names the widest, and the firings that suffice', () => {
  const net = stochasticNet(
    'rare',
    { idle: 1, busy: 0, down: 0 },
    {
      start: { take: 'idle', put: 'busy', race: 1 },
      stop: { take: 'busy', put: 'idle', race: 2 },
      fail: { take: 'busy', put: 'down', race: 0.02 },
      repair: { take: 'down', put: 'busy', race: 0.5 },
    },
  );
  const shortly = steady(net, { method: 'simulate', precision: 0.05, maxFirings: 300_000 });
  expect(shortly.complete).toBe(false);
  const [head] = plain(shortly, 300).split('\n');
  const [, unknown, all, widest, share, bound, firings] =
    /^INCOMPLETE: (\d+) of (\d+) figures? (?:is|are) not known to 5 %, because the limit of firings was reached; the widest, (.+), is known to (\S+) % and takes (at least|about) (\S+) firings$/.exec(
      head!,
    ) ?? [];
  expect([widest, all]).toEqual([expect.stringMatching(/^(?:tokens of down|firings of (?:fail|repair))$/), '7']);
  expect(Number(unknown)).toBeGreaterThanOrEqual(1);
  expect(bound).toBe('about');
  expect(Number(share)).toBeGreaterThan(5);
  // Twice the number: the half-width at the limit is an estimate itself.
  const maxFirings = 2 * Number(firings!.replaceAll(',', ''));
  expect(steady(net, { method: 'simulate', precision: 0.05, maxFirings }).complete).toBe(true);
  // A figure without an interval may be wider.
  const begun = steady(net, { method: 'simulate', precision: 0.05, maxFirings: 20_000 });
  expect(plain(begun, 300)).toMatch(/^INCOMPLETE: \d of 7 figures .* and takes at least \S+ firings$/m);
});
