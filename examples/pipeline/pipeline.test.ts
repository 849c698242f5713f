import * as fc from 'fast-check';
import { predict } from 'foretoken';
import { arbitraryMachine } from 'foretoken/fast-check';
import { compose, oneOf, receives, resource, sends, spmd } from 'foretoken/models';
import 'foretoken/vitest';
import { describe, expect, test, vi } from 'vitest';
import pipeline from './model.ts';
import { archive, features, sensor, smooth } from './modules.ts';

// Each test explores several state spaces: on a busy machine more than the 5 s that vitest allows.
vi.setConfig({ testTimeout: 60_000 });

const frames = fc.integer({ min: 1, max: 3 });
/** Sizes on both sides of the limit at which a send waits for its receive. */
const bytes = fc.constantFrom(0, 1_000, 1_000_000);
const filter = fc.constantFrom('smooth' as const, 'features' as const);

describe('every module alone: its partners are open', () => {
  test('the sensor, for any number and size of frames', () => {
    fc.assert(
      fc.property(frames, bytes, (frames, bytes) => {
        expect(sensor).toBeSound({ ranks: 1, set: { frames, bytes } });
      }),
      { numRuns: 12 },
    );
  });

  test.each([
    ['smooth', smooth],
    ['features', features],
    ['archive', archive],
  ])('%s, for any size of its messages', (_, module) => {
    fc.assert(
      fc.property(bytes, (bytes) => {
        expect(module).toBeSound({ ranks: 1, set: { bytes } });
      }),
      { numRuns: 6 },
    );
  });
});

describe('the whole', () => {
  test('ends with each filter, for any number and size of frames', () => {
    fc.assert(
      fc.property(frames, bytes, filter, (frames, bytes, filter) => {
        expect(pipeline).toBeSound({ ranks: 3, set: { 'sensor.frames': frames, 'sensor.bytes': bytes, filter } });
      }),
      { numRuns: 8 },
    );
  });

  test('takes at least the time of the sensor and the time of the accelerator, on any machine', () => {
    fc.assert(
      fc.property(arbitraryMachine({ nodes: 3, cores: 1 }), filter, (machine, filter) => {
        const { value } = predict(pipeline, { machine, set: { filter }, oversubscribe: true }).figures.runTime!;
        const perFrame = (filter === 'smooth' ? 4e7 : 3 * 5e6) + 1e7;
        const fastest = Math.max(...machine.nodes.map(({ speed }) => speed));
        expect(value).toBeGreaterThanOrEqual(20 * 5e-3);
        expect(value).toBeGreaterThanOrEqual(((20 * perFrame) / fastest) * (1 - 1e-12));
      }),
      { numRuns: 20 },
    );
  });
});

test('a filter with the same interface that does not forward the end is found only in the whole', () => {
  const kind = oneOf('frame', 'end');
  const forgetful = spmd({
    name: 'forgetful',
    vars: { kind },
    interface: { source: receives('kind'), result: sends('kind'), accelerator: resource(1) },
    verifyWith: { ranks: 1 },
    build(m) {
      m.while(
        (s) => s.kind === 'frame',
        () => {
          m.recv({ label: 'source', into: { carry: ['kind'] } });
          m.when(
            (s) => s.kind === 'frame',
            () => {
              m.hold('accelerator', () => m.compute({ flops: 1e6 }));
              m.send({ label: 'result', bytes: 8, carry: { kind: 'frame' } });
            },
          );
        },
      );
    },
  });
  const broken = compose(
    [
      { model: sensor, ranks: 1 },
      { model: forgetful, ranks: 1 },
      { model: archive, ranks: 1 },
    ],
    {
      synchronise: [['sensor.frames', 'forgetful.source'], ['forgetful.result', 'archive.frames'], 'accelerator'],
    },
  );
  expect(forgetful).toBeDeadlockFree({ ranks: 1 });
  expect(broken).not.toBeDeadlockFree({ ranks: 3, set: { 'sensor.frames': 2 } });
});
