import { describe, expect, test } from 'vitest';
import { netClasses } from '../../../src/analysis/structure/net-classes.ts';
import { type Structure, structureOf } from '../../../src/analysis/structure/structure.ts';
import { reachedSums } from '../../../src/analysis/structure/trial-run.ts';
import { readNetFile } from '../../../src/commands/inputs/net-file.ts';
import { type ContestNet, contestFile, contestNets, skipped } from '../../references.ts';

interface Expected extends ContestNet {
  readonly oneSafe?: boolean;
  readonly live?: boolean;
  readonly structural?: Readonly<Record<string, boolean>>;
  readonly upperBounds?: readonly { readonly places: readonly string[]; readonly bound: number }[];
}

const nets = contestNets() as Expected[];

test.skipIf(nets.length > 0)(skipped, () => {});

/** The largest proved bound of the tokens of one colour in one place. */
const largest = ({ proofs }: Structure): number => Math.max(...proofs.map((p) => p?.bound ?? Number.POSITIVE_INFINITY));

describe.skipIf(nets.length === 0)('nets of the Model Checking Contest', () => {
  const found = new Map<string, Structure>();
  test.each(nets.map((net) => [net.file, net] as const))('bounds and verdicts of %s agree', (file, expected) => {
    const structure = structureOf(readNetFile(contestFile(file)).net);
    found.set(file, structure);
    const { petri, proofs, verdicts } = structure;
    expect(largest(structure)).toBeGreaterThanOrEqual(expected.maxTokensInPlace);
    // Values reached by a run are lower bounds.
    const reached = reachedSums(
      petri,
      petri.places.map((_, p) => new Map([[p, 1]])),
      200_000,
    );
    for (const [p, proof] of proofs.entries()) expect(proof?.bound ?? Infinity).toBeGreaterThanOrEqual(reached[p]!);
    if (expected.kind === 'pt') {
      if (verdicts.safe.value !== undefined) expect(verdicts.safe.value).toBe(expected.maxTokensInPlace <= 1);
      const number = new Map(petri.net.places.map((p, k) => [p.name, k]));
      for (const { places, bound } of expected.upperBounds ?? []) {
        const [only, ...others] = places;
        if (others.length === 0) expect(proofs[number.get(only!)!]?.bound ?? Infinity).toBeGreaterThanOrEqual(bound);
      }
    }
    if (verdicts.deadlockFree.value !== undefined) expect(verdicts.deadlockFree.value).toBe(!expected.deadlock);
    if (verdicts.live.value !== undefined && expected.live !== undefined)
      expect(verdicts.live.value).toBe(expected.live);
    const { structural } = expected;
    const classes = netClasses(petri) as unknown as Readonly<Record<string, boolean>>;
    if (structural !== undefined)
      expect(Object.keys(structural).map((name) => [name, classes[name]])).toEqual(Object.entries(structural));
  });

  test('number of places with a proved exact bound', () => {
    const exact = nets.filter((net) => largest(found.get(net.file)!) === net.maxTokensInPlace);
    const left = nets.filter((net) => !exact.includes(net)).map((net) => net.file);
    expect(left).toEqual(['DoubleExponent-PT-002.pnml', 'JoinFreeModules-PT-0003.pnml']);
    expect(nets.filter((net) => largest(found.get(net.file)!) < Infinity).length).toBe(nets.length - 1);
    expect(nets.filter((net) => found.get(net.file)!.verdicts.deadlockFree.value === true).length).toBe(DEADLOCK_FREE);
  });
});

/** Number of nets proved deadlock-free, of 19 that are. */
const DEADLOCK_FREE = 8;
