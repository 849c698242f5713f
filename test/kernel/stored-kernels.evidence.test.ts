import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { predict } from '../../src/commands/predict/predict.ts';
import { compile } from '../../src/engine/compile.ts';
import { decoded, storeKernels } from '../../src/kernel/stored-kernels.ts';
import { translate } from '../../src/kernel/translate.ts';
import { effort } from '../effort.ts';
import { arbitraryNet } from '../engine/random-net.ts';
import { arbitrary, modelOf } from '../models/program/random-model.ts';
import { machine } from '../models/program/run.ts';
import { modelOf as threadModelOf, threadPrograms } from '../models/threads/random-threads.ts';

const entries = new Map<string, Uint8Array<ArrayBuffer>>();

beforeAll(() =>
  storeKernels({
    read: () => undefined,
    write: (key, bytes) => entries.set(key, new Uint8Array(bytes)),
  }),
);
afterAll(() => storeKernels(undefined));

/** Compares every entry with a new translation of its source, and forgets it; returns the number of entries. */
function compareEntries(): number {
  const { size } = entries;
  for (const [key, entry] of entries) {
    const [, shared, fast, text] = /^(true|false) (true|false) (.*)$/s.exec(key)!;
    const made = translate(text!, { shared: shared === 'true', fast: fast === 'true' });
    const stored = decoded(entry);
    expect(Buffer.compare(stored.bytes, made.bytes)).toBe(0);
    expect({ ...stored, bytes: undefined }).toStrictEqual({ ...made, bytes: undefined });
  }
  entries.clear();
  return size;
}

describe('a stored kernel is the one that is translated', () => {
  test('of a random net', () => {
    let stored = 0;
    fc.assert(
      fc.property(arbitraryNet, fc.boolean(), (net, fast) => {
        compile(net, { steps: fast ? 1e9 : 0 });
        stored += compareEntries();
      }),
      { numRuns: effort(150) },
    );
    expect(stored).toBeGreaterThan(10);
  });

  test('of a random program', () => {
    let stored = 0;
    fc.assert(
      fc.property(arbitrary, ({ ranks, parts }) => {
        predict(modelOf(parts), { machine, ranks });
        stored += compareEntries();
      }),
      { numRuns: effort(60) },
    );
    expect(stored).toBeGreaterThan(10);
  });

  test('of a random thread program', () => {
    let stored = 0;
    fc.assert(
      fc.property(threadPrograms, (parts) => {
        predict(threadModelOf(parts), { workers: 3 });
        stored += compareEntries();
      }),
      { numRuns: effort(40) },
    );
    expect(stored).toBeGreaterThan(10);
  });
});
