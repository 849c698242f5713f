import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Net } from '../../src/net/net.ts';
import { readPnml } from '../../src/net/pnml/pnml-read.ts';
import { unfold } from '../../src/net/unfold/unfold.ts';
import { validate } from '../../src/net/validation/validate.ts';
import { contestFile, contestNets, skipped } from '../references.ts';
import { explore } from './untimed-explorer.ts';

const nets = contestNets();
const net = (file: string): Net => readPnml(readFileSync(contestFile(file)), file).net;

describe.skipIf(nets.length === 0)(
  `nets of the Model Checking Contest${nets.length === 0 ? ` (${skipped})` : ''}`,
  () => {
    test('there are 34', () => {
      expect(nets).toHaveLength(34);
    });

    test.each(nets)('$file is read with the size given by the contest', ({ file, kind, places, transitions, arcs }) => {
      const read = readPnml(readFileSync(contestFile(file)), file);
      expect(read.warnings).toEqual([]);
      expect(read.coloured).toBe(kind === 'coloured');
      expect([read.net.places.length, read.net.transitions.length, read.arcs]).toEqual([places, transitions, arcs]);
      expect(validate(read.net)).toEqual([]);
    });

    // The plain explorer counts an edge for each firing with its binding.
    const small = nets.filter((n) => n.states <= 3000 && n.edges <= 12000);
    test.each(small)('$file has $states states and $edges edges', ({ file, states, edges }) => {
      const space = explore(net(file), Number.POSITIVE_INFINITY, 4000);
      expect(space.size).toBe(states);
      expect([...space.values()].reduce((sum, firings) => sum + firings.length, 0)).toBe(edges);
    });

    const size = ({ places, transitions }: Net): readonly number[] => [places.length, transitions.length];
    test.each([
      ['Philosophers-COL-000005.pnml', 'Philosophers-PT-000005.pnml', true],
      ['TokenRing-COL-005.pnml', 'TokenRing-PT-005.pnml', true],
      ['SharedMemory-COL-000010.pnml', 'SharedMemory-PT-000010.pnml', true],
      // The contest's place/transition version contains unreachable nodes.
      ['LamportFastMutEx-COL-3.pnml', 'LamportFastMutEx-PT-3.pnml', false],
    ] as const)('%s unfolds to as many nodes as %s', (coloured, twin, reachableOnly) => {
      expect(size(unfold(net(coloured), { reachableOnly }))).toEqual(size(net(twin)));
    });
  },
);
