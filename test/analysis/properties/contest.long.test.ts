import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { verify } from '../../../src/commands/verify/net/verify.ts';
import { contestFile, skipped } from '../../references.ts';

const hasNets = existsSync(contestFile('expected.json'));
/** `FORETOKEN_MCC=all` includes the larger nets. */
const MAX_STATES = process.env['FORETOKEN_MCC'] === 'all' ? Infinity : 5000;

interface Reference {
  readonly file: string;
  readonly states: number;
  readonly formulas?: Readonly<
    Record<string, { readonly file: string; readonly verdicts: Readonly<Record<string, boolean>> }>
  >;
}

const references = hasNets
  ? (JSON.parse(readFileSync(contestFile('expected.json'), 'utf8')) as Reference[]).filter(
      (r) => r.formulas !== undefined && r.states <= MAX_STATES,
    )
  : [];

/**
 * The contest's verdicts by id. The contest numbers verdicts without years, in the order of the sorted ids. expected.json
 * assigns them to ids in the order of the file, which differs if a formulas file mixes years (…-2025-00 to -11, then
 * …-2023-12 to -15). Therefore verdicts are reassigned in sorted order; files of a single year are unaffected.
 */
function verdictsOf(verdicts: Readonly<Record<string, boolean>>): Map<string, boolean> {
  const values = Object.values(verdicts);
  return new Map(
    Object.keys(verdicts)
      .sort()
      .map((id, k) => [id, values[k]!]),
  );
}

test.skipIf(hasNets)(skipped, () => {});

describe.each(references.map((r) => [r.file, r] as const))('formulas of %s', (file, { formulas = {}, states }) => {
  test.each(Object.entries(formulas))('the verdicts of %s are those of the contest', (_, reference) => {
    const input = contestFile(file);
    const document = verify(input, undefined, { formulas: contestFile(reference.file) });
    const wanted = verdictsOf(reference.verdicts);
    const found = new Map(document.properties.map((p) => [p.id, p.verdict]));
    expect(wanted.size).toBeGreaterThan(10);
    expect([...wanted.keys()].map((id) => [id, found.get(id)])).toEqual([...wanted]);
    if (document.space.complete) expect(document.space.states).toBe(states);
    // Verdicts come with a witness, unless they are decided in the initial marking.
    for (const p of document.properties) {
      if (p.verdict === true && p.property.startsWith('EF')) expect(p.witness).toBeDefined();
      if (p.verdict === false && p.property.startsWith('AG')) expect(p.witness).toBeDefined();
      if (
        p.verdict === false &&
        p.property.startsWith('EF') &&
        p.certificate?.kind !== 'structure' &&
        p.certificate?.kind !== 'reduced space'
      )
        expect(p.certificate).toMatchObject({ kind: 'complete space', states });
    }
  });
});

describe.skipIf(!hasNets)('upper bounds', () => {
  test('of the contest, as properties', () => {
    const all = JSON.parse(readFileSync(contestFile('expected.json'), 'utf8')) as (Reference & {
      readonly upperBounds?: readonly { readonly places: readonly string[]; readonly bound: number }[];
    })[];
    let asked = 0;
    for (const { file, states, upperBounds = [] } of all) {
      if (states > 300) continue;
      const properties = upperBounds.map(({ places }, k) => ({
        id: String(k),
        property: `upper-bound(tokens(${places.map((p) => JSON.stringify(p)).join(', ')}))`,
      }));
      if (properties.length === 0) continue;
      const document = verify(contestFile(file), properties);
      expect(document.properties.map((p) => p.verdict)).toEqual(upperBounds.map((b) => b.bound));
      asked += properties.length;
    }
    expect(asked).toBeGreaterThan(60);
  });
});
