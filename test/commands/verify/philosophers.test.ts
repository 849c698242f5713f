import { expect, test } from 'vitest';
import { verifyThreads } from '../../../src/commands/verify/verify-threads.ts';
import { philosophers } from './cases.ts';

test.each([2, 3, 4, 5])('x %i', (n) => {
  for (const reduce of [true, false])
    for (const ordered of [true, false])
      for (const scheduler of ['os', 'stealing', 'central'] as const) {
        if (!reduce && n > 3) continue;
        const d = verifyThreads(philosophers(n, ordered), { scheduler, workers: n, reduce, maxStates: 100000 });
        const i = d.instances[0]!;
        console.log(
          n,
          reduce,
          ordered,
          scheduler,
          i.states,
          i.edges,
          i.seconds.toFixed(2),
          i.properties.map((p) => p.id + ':' + p.verdict).join(' '),
          JSON.stringify(i.violations.map((v) => [v.kind, v.firings])),
        );
        if (n === 3 && scheduler === 'os' && reduce && !ordered) console.log(JSON.stringify(i.violations, null, 1));
      }
  expect(1).toBe(1);
});
