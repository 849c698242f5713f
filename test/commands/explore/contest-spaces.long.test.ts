import { describe, expect, test } from 'vitest';
import { explore } from '../../../src/commands/explore/explore.ts';
import type { SpaceDocument } from '../../../src/commands/explore/space.ts';
import { type ContestNet, contestFile, contestNets } from '../../references.ts';

/** Known facts about the state space of a net; values without consensus are omitted. */
interface Expected extends Omit<ContestNet, 'deadlock'>, Partial<SpaceDocument['verdicts']> {
  readonly maxTokensPerMarking: number;
  readonly maxTokensInPlace: number;
  readonly deadlockStates?: number;
  readonly sccs?: number;
  readonly bottomSccs?: number;
  readonly upperBounds?: readonly { readonly places: readonly string[]; readonly bound: number }[];
}

const FIGURES = [
  'states',
  'edges',
  'maxTokensPerMarking',
  'maxTokensInPlace',
  'deadlockStates',
  'sccs',
  'bottomSccs',
] as const;
const VERDICTS = ['deadlock', 'oneSafe', 'quasiLive', 'live', 'stableMarking', 'reversible'] as const;

/** FORETOKEN_MCC=all includes all nets, which takes minutes. */
const most = process.env['FORETOKEN_MCC'] === 'all' ? Number.POSITIVE_INFINITY : 4000;
const nets = (contestNets() as Expected[]).filter((net) => net.states <= most);

describe.skipIf(nets.length === 0)('nets of the Model Checking Contest', () => {
  test.each(nets.map((net) => [net.file, net] as const))(
    'the space of %s has the figures of the contest',
    (file, net) => {
      const groups = net.upperBounds ?? [];
      const found = explore(contestFile(file), { bounds: groups.map((g) => g.places) });
      expect(found.complete).toBe(true);
      for (const name of FIGURES)
        if (net[name] !== undefined) expect([name, found.figures[name].value]).toEqual([name, net[name]]);
      for (const name of VERDICTS)
        if (net[name] !== undefined) expect([name, found.verdicts[name]]).toEqual([name, net[name]]);
      expect(found.bounds).toEqual(groups.map((g) => g.bound));
    },
    600_000,
  );
});
