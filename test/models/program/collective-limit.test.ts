import { expect, test } from 'vitest';
import { selectorChoice } from '../../../src/models/collectives/choice.ts';
import type { Communicator } from '../../../src/models/program/record/communicator.ts';
import { CollectiveRows, MAX_ROWS } from '../../../src/models/program/resolve/collective-rows.ts';
import { BLOCKING } from '../../../src/models/program/resolve/collective-threads.ts';
import { World } from '../../../src/models/program/resolve/world.ts';

test.each([false, true])('a call beyond the maximum of steps says so, after the net was built: %s', (isBuilt) => {
  const world = new World(2);
  const rows = new CollectiveRows(world, selectorChoice('logarithmic'), { of: () => undefined } as never);
  const comm = { has: () => true, number: 0 } as unknown as Communicator;
  rows.op.length = MAX_ROWS + 1;
  if (isBuilt) world.seal();
  expect(rows.first(1, comm, 'barrier', {}, BLOCKING)).toMatch(
    /^the collectives of all ranks have more than 16777216 steps, .* lump$/,
  );
});
