import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { flatten } from '../../../src/analysis/petri/flatten.ts';
import { replay } from '../../../src/analysis/properties/replay.ts';
import { CompactExploration } from '../../../src/analysis/space/compact/compact-exploration.ts';
import { InputError } from '../../../src/base/problem.ts';
import { explore } from '../../../src/commands/explore/explore.ts';
import type { PropertyResult } from '../../../src/commands/verify/net/verification.ts';
import { verify } from '../../../src/commands/verify/net/verify.ts';
import type { Net } from '../../../src/net/net.ts';
import { atFullEffort, effort } from '../../effort.ts';
import { philosophers } from '../../net/contest-nets.ts';
import { finiteNet } from '../../net/random-finite-net.ts';

const RUNS = effort(200);
const SEED = process.env['FORETOKEN_SEED'] === undefined ? 37 : Number(process.env['FORETOKEN_SEED']);
const LIMIT = { maxStates: 2000, reduce: 'none' } as const;

function isFlat(net: Net): boolean {
  try {
    flatten(net);
    return true;
  } catch (e) {
    if (e instanceof InputError) return false;
    throw e;
  }
}

/** Reachability of markings: what a state can show, and what only all states can show. */
function propertiesOf({ places, transitions }: Net): string[] {
  const [place, transition] = [places[0]!.name, transitions[0]!.name];
  return [
    'deadlock-free',
    `AG(tokens(${place}) <= 1)`,
    `EF(tokens(${place}) = 2)`,
    `EF enabled(${transition}) & AG(!dead | tokens(${place}) = 0)`,
    `upper-bound(${place})`,
  ];
}

/** How a verdict without a witness was proved. */
const provedBy = ({ certificate }: PropertyResult): string | undefined => certificate?.kind;

test('verdicts shown by a state are those of an exact search, all others stay open', { timeout: 600_000 }, () => {
  const seen = { violated: 0, shown: 0, open: 0 };
  fc.assert(
    fc.property(finiteNet, fc.nat(1000), (net, seed) => {
      fc.pre(isFlat(net) && net.transitions.length > 0);
      const asked = propertiesOf(net);
      const exact = verify(net, asked, LIMIT);
      fc.pre(exact.properties.every(({ verdict }) => verdict !== null));
      const found = verify(net, asked, { ...LIMIT, hashCompact: true, seed });
      expect(found.space.complete).toBe(false);
      for (const [k, result] of found.properties.entries()) {
        const { verdict, witness } = result;
        expect(provedBy(result)).not.toBe('complete space');
        if (verdict === null) {
          seen.open++;
          expect(found.complete).toBe(false);
          continue;
        }
        expect(verdict).toBe(exact.properties[k]!.verdict);
        if (provedBy(result) !== undefined) continue;
        if (verdict === false) seen.violated++;
        else seen.shown++;
        if (witness !== undefined) expect(replay(net, witness.steps).changes.length).toBe(witness.steps.length);
        expect(witness?.steps.length).toBe(exact.properties[k]!.witness?.steps.length);
      }
      // An exact search of all states that needs no other proof leaves nothing open that a state shows.
      for (const [k, { verdict, witness }] of exact.properties.entries())
        if (witness !== undefined) expect([k, found.properties[k]!.verdict]).toEqual([k, verdict]);
    }),
    { numRuns: RUNS, seed: SEED },
  );
  expect(Math.min(seen.violated, seen.shown, seen.open)).toBeGreaterThan(atFullEffort(20));
});

test('explore with hash compaction gives no verdict that an exact space contradicts', { timeout: 600_000 }, () => {
  let decided = 0;
  fc.assert(
    fc.property(finiteNet, fc.nat(1000), (net, seed) => {
      fc.pre(isFlat(net));
      const exact = explore(net, { maxStates: 2000 });
      fc.pre(exact.complete);
      const found = explore(net, { hashCompact: true, seed });
      expect(found.complete).toBe(false);
      for (const key of Object.keys(exact.verdicts) as (keyof typeof exact.verdicts)[]) {
        if (found.verdicts[key] === null) continue;
        decided++;
        expect([key, found.verdicts[key]]).toEqual([key, exact.verdicts[key]]);
      }
      // These need all states.
      expect(found.verdicts.deadlock).not.toBe(false);
      expect(found.verdicts.oneSafe).not.toBe(true);
      expect(found.verdicts.reversible).not.toBe(true);
      for (const key of ['states', 'edges', 'deadlockStates', 'maxTokensPerMarking', 'maxTokensInPlace'] as const)
        expect([key, found.figures[key].value]).toEqual([key, exact.figures[key].value]);
      expect([found.branching, found.depths]).toEqual([
        exact.branching && { ...exact.branching, mean: expect.closeTo(exact.branching.mean, 9) },
        exact.depths,
      ]);
    }),
    { numRuns: RUNS, seed: SEED + 1 },
  );
  expect(decided).toBeGreaterThan(atFullEffort(RUNS));
});

/** Collisions hide states here: some violations are missed, none is invented, and nothing is proven. */
test('with few bits a property is never proven, and a violation is still real', { timeout: 300_000 }, () => {
  const net = philosophers(5);
  let missed = 0;
  for (let seed = 1; seed <= effort(300); seed++) {
    const { properties, space } = verify(
      net,
      ['deadlock-free', 'AG(tokens(Eat) <= 2)'],
      { reduce: 'none', hashCompact: true, seed },
      (given, options) => new CompactExploration(flatten(given), options, { prime: 13 }),
    );
    const [dead, eating] = properties;
    expect([false, null]).toContain(dead!.verdict);
    expect(eating!.verdict).toBeNull();
    if (dead!.verdict === false) expect(replay(net, dead!.witness!.steps).changes.length).toBe(5);
    else missed++;
    if (space.states < 243) expect(space.omission!.probability).toBeGreaterThan(0);
  }
  expect(missed).toBeGreaterThan(0);
});
