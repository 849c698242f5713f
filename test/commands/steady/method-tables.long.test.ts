import { expect, test } from 'vitest';
import type { FigureError } from '../../../src/commands/inputs/document-parts.ts';
import { steady } from '../../../src/commands/steady/steady.ts';
import { renderSteady } from '../../../src/commands/steady/view/steady-view.ts';
import { REFERENCE_NETS } from '../../analysis/long-run/reference-nets.ts';

/** Capacities with which the chain of an open net is solved; the others with infinitely many markings have other delays than exponential ones. */
const CAPACITY: Readonly<Record<string, number>> = { 'M/M/1': 100, 'M/M/2': 100, 'open Jackson network': 40 };
/** Simulated intervals hold with probability 95 % each; one of three times the width misses in one of 10⁸ cases. */
const WIDER = 3;

function contains({ lower, upper, certainty }: FigureError, value: number): boolean {
  if (certainty === 0) return true;
  const [low, high] = [lower ?? Number.NEGATIVE_INFINITY, upper ?? Number.POSITIVE_INFINITY];
  // Published figures have ten digits.
  const more = certainty === 1 ? 1e-9 * Math.abs(value) : ((WIDER - 1) * (high - low)) / 2;
  return value >= low - more && value <= high + more;
}

test.each(Object.entries(REFERENCE_NETS))(
  'every method gives the figures of %s, and the table is kept',
  { timeout: 120_000 },
  async (name, { net, exact, chain }) => {
    const capacity = CAPACITY[name];
    const found = steady(net, {
      method: 'all',
      precision: 0.05,
      ...(capacity === undefined ? {} : { capacity }),
    });
    const methods = found.methods!;
    expect(methods.filter(({ agree }) => agree === false)).toEqual([]);
    const answered = methods.filter(({ places }) => places.length > 0).map(({ method }) => method);
    expect(answered).toEqual(chain || capacity !== undefined ? ['ctmc', 'bounds', 'simulate'] : ['bounds', 'simulate']);
    for (const { method, places, transitions } of methods)
      for (const [part, value] of Object.entries(exact)) {
        const figure = [...places, ...transitions].find((one) => one.name === part);
        if (figure !== undefined) expect([method, part, contains(figure, value)]).toEqual([method, part, true]);
      }
    // The time of the work is no figure.
    const page = renderSteady(found, { width: 400, colour: false, unicode: true }).replace(
      / · [\d.,]+ m?s(?=$| · )/m,
      '',
    );
    const file = `./tables/${name.replaceAll(/[^A-Za-z0-9]+/g, '-')}.txt`;
    await expect(`${page}\n`).toMatchFileSnapshot(file);
  },
);
