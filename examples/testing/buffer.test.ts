import * as fc from 'fast-check';
import { explore, type Net } from 'foretoken';
import { arbitraryNet, arbitraryProgram, firingSequence } from 'foretoken/fast-check';
import 'foretoken/vitest';
import { describe, expect, test } from 'vitest';
import { batch, boundedBuffer } from './buffer.ts';

/** Any size that may occur: the properties are tested for each of them. */
const sizes = fc.record({ slots: fc.integer({ min: 1, max: 4 }), workers: fc.integer({ min: 1, max: 3 }) });

describe('a bounded buffer', () => {
  test('works forever, and never holds more than it can', () => {
    fc.assert(
      fc.property(sizes, ({ slots, workers }) => {
        const net = boundedBuffer(slots, workers);
        expect(net).toBeDeadlockFree();
        expect(net).toBeLive();
        expect(net).toBeBounded(Math.max(slots, workers));
        expect(net).toNeverReach(`tokens(full) > ${slots}`);
      }),
      { numRuns: 12 },
    );
  });

  test('one at a time is inside', () => {
    expect(boundedBuffer(3, 2)).toConserve({ lock: 1, 'producer inside': 1, 'consumer inside': 1 });
    expect(boundedBuffer(3, 2)).toSatisfy('mutex("producer inside", "consumer inside")');
  });

  test('whatever happens, slots are neither lost nor made', () => {
    const net = boundedBuffer(3, 2);
    fc.assert(
      fc.property(firingSequence(net, { maxLength: 50 }), ({ markings }) => {
        for (const m of markings) {
          const inside = m.tokens('producer inside') + m.tokens('consumer inside');
          expect(m.tokens('free') + m.tokens('full') + inside).toBe(3);
        }
      }),
    );
  });

  test('workers that wait with the lock stop it', () => {
    expect(boundedBuffer(2, 1, true)).not.toBeDeadlockFree();
  });
});

describe('a batch', () => {
  test('is done in time, and leaves nothing behind', () => {
    expect(batch(4, 2.5)).toFinishWithin(10);
    expect(batch(4, 2.5)).not.toFinishWithin(9.9);
    expect(batch(4, 2.5)).toBeSound({ final: { done: 4 } });
  });
});

test('inhibitors only forbid: without them no marking is lost', () => {
  const markings = (net: Net): number | null => explore(net).figures.states.value;
  fc.assert(
    fc.property(arbitraryNet({ with: ['inhibitors', 'colours'] }), (net) => {
      const transitions = net.transitions.map((t) => ({ ...t, inputs: t.inputs.filter((a) => a.kind !== 'inhibit') }));
      expect(markings({ ...net, transitions })).toBeGreaterThanOrEqual(markings(net)!);
    }),
    { numRuns: 10 },
  );
});

test('programs of matched messages do not deadlock', () => {
  fc.assert(
    fc.property(arbitraryProgram({ ranks: 3, events: 3 }), ({ model }) => {
      expect(model).toBeDeadlockFree();
    }),
    { numRuns: 10 },
  );
});
