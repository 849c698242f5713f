import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { InputError } from '../../src/base/problem.ts';
import { netToJson } from '../../src/net/json/json.ts';
import type { Net } from '../../src/net/net.ts';
import { readPnml } from '../../src/net/pnml/pnml-read.ts';
import { writePnml } from '../../src/net/pnml/pnml-write.ts';
import { unfold } from '../../src/net/unfold/unfold.ts';
import { validate } from '../../src/net/validation/validate.ts';
import { atFullEffort, effort } from '../effort.ts';
import { symmetricNet } from './symmetric-net.ts';
import { explore, type Space } from './untimed-explorer.ts';

const runs = effort(100);
const manageable = symmetricNet.filter((net) => net.bindings <= 1000);

/** State space of the unfolded net, with the transition names of the folded one. */
function behaviour(net: Net): Space {
  const space = explore(unfold(net), 2, 40);
  return new Map(
    [...space].map(([marking, firings]) => [marking, firings.map((f) => f.replace(/\[[^→]*\] →/, ' →')).sort()]),
  );
}

/** Reads a valid net; it may be rejected only if a difference leads to too large an expression. */
function read(xml: string): Net | undefined {
  try {
    return readPnml(xml, 'random.pnml').net;
  } catch (e) {
    expect((e as InputError).problems.map((p) => p.code)).toEqual(['PNML018']);
    return undefined;
  }
}

test('a symmetric net has the bindings of its terms', () => {
  let firings = 0;
  let nets = 0;
  fc.assert(
    fc.property(manageable, ({ xml, explore: wanted }) => {
      const net = read(xml);
      fc.pre(net !== undefined);
      nets++;
      expect(validate(net)).toEqual([]);
      const space = wanted(2, 40);
      expect(behaviour(net)).toEqual(space);
      for (const from of space.values()) firings += from.length;
    }),
    { numRuns: runs },
  );
  expect(nets).toBeGreaterThan(atFullEffort(0.95 * runs));
  expect(firings).toBeGreaterThan(atFullEffort(10 * runs));
});

test('a symmetric net is written as it was read', () => {
  let folded = 0;
  fc.assert(
    fc.property(manageable, ({ xml }) => {
      const net = read(xml);
      fc.pre(net !== undefined);
      const written = writePnml(net);
      expect(netToJson(readPnml(written.text, 'written.pnml').net)).toBe(netToJson(written.net));
      if (written.net === net) folded++;
    }),
    { numRuns: runs },
  );
  // The others contain differences of terms with variables, which cannot be expanded over a colour set.
  expect(folded).toBeGreaterThan(atFullEffort(0.3 * runs));
});
