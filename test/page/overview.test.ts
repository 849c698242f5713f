import { gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NODE_STATES, statePriority } from '../../src/analysis/efficiency/node-states.ts';
import { OverviewMeter, readOverview } from '../../src/analysis/efficiency/run-overview.ts';
import { deflatePieces, packed } from '../../src/report/deflate-pieces.ts';
import { BatchBuffer } from '../../src/trace/run/batch.ts';
import { effort } from '../effort.ts';

const STATES = NODE_STATES.length;

/** Rows of two processes from an instant on; the lengths span many powers of ten. */
const runs = fc.record({
  begin: fc.constantFrom(-3.7, 0, 1e-9, 12_345.678),
  scale: fc.constantFrom(1e-9, 1e-3, 1, 1e5),
  rows: fc.array(
    fc.record({
      process: fc.nat(1),
      gap: fc.constantFrom(0, 0, 0.3, 40),
      length: fc.constantFrom(0, 0.01, 1, 7, 900),
      state: fc.nat(6),
    }),
    { minLength: 1, maxLength: 60 },
  ),
  rest: fc.constantFrom(0, 5),
  columns: fc.integer({ min: 1, max: 40 }),
});

describe('the overview of a run', () => {
  it('has the share of each state in equal columns, to a level', () => {
    fc.assert(
      fc.property(runs, ({ begin, scale, rows, rest, columns }) => {
        const meter = new OverviewMeter();
        const nodes = [{ name: 'n', sockets: 1 }];
        const head = { program: 'p', origin: 'recorded', product: 't', processes: 2 } as const;
        meter.head({ ...head, nodes, nodeOf: [0, 0], socketOf: [0, 0] });
        const buffer = new BatchBuffer('states');
        const ends: number[] = [begin, begin];
        const spans = rows.map(({ process, gap, length, state }) => {
          const start = ends[process]! + gap * scale;
          const end = start + length * scale;
          ends[process] = end;
          const at = buffer.row();
          Object.entries({ process, start, end, state }).forEach(([name, value]) => {
            buffer.columns[name]![at] = value;
          });
          return { process, start, end, state: statePriority(state) };
        });
        meter.batch(buffer);
        const from = Math.min(...spans.map(({ start }) => start));
        const to = Math.max(...spans.map(({ end }) => end)) + rest * scale;
        const overview = readOverview(meter.encoded(to));
        expect([overview.from, overview.to]).toEqual([from, to]);
        // Shorter runs have fewer instants than an overview has bins.
        if (!(to - from > Math.abs(to) * 2 ** -37)) return;
        // Bins mix the time of neighbours, and a share has 15 levels.
        const width = (to - from) / columns;
        const tolerance = 1.01 / 15 + (2 * (to - from)) / 2048 / width;
        for (const process of [0, 1]) {
          const bins = overview.bins(process, columns)!;
          for (let column = 0; column < columns; column++) {
            const [left, right] = [from + column * width, from + (column + 1) * width];
            const expected = new Array<number>(STATES).fill(0);
            for (const { process: of, start, end, state } of spans)
              if (of === process) expected[state]! += Math.max(0, Math.min(end, right) - Math.max(start, left)) / width;
            expected[STATES - 1] = 1 - expected.slice(0, -1).reduce((sum, share) => sum + share, 0);
            const found = [...bins.subarray(column * STATES, (column + 1) * STATES)];
            expect(found.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 4);
            found.forEach((share, state) => {
              expect(Math.abs(share - expected[state]!)).toBeLessThan(tolerance);
            });
          }
        }
      }),
      { numRuns: effort(200) },
    );
  });

  it('has rows of the first processes by node, and none of others', () => {
    const meter = new OverviewMeter();
    const nodeOf = Array.from({ length: 1000 }, (_, process) => process % 2);
    const nodes = ['a', 'b'].map((name) => ({ name, sockets: 1 }));
    const head = { program: 'p', origin: 'recorded', product: 't', processes: 1000, nodes, nodeOf, socketOf: nodeOf };
    meter.head({ ...head, origin: 'recorded' });
    const overview = readOverview(meter.encoded(1));
    expect(overview.processes).toEqual(Array.from({ length: 128 }, (_, k) => 2 * k));
    expect(overview.bins(2, 10)).toBeDefined();
    expect(overview.bins(1, 10)).toBeUndefined();
  });
});

describe('compressed parts of a page', () => {
  const pieces = fc.array(
    fc.oneof(
      fc.uint8Array({ maxLength: 3000 }),
      fc.tuple(fc.nat(255), fc.nat(9000)).map(([value, length]) => new Uint8Array(length).fill(value)),
    ),
    { maxLength: 8 },
  );

  it('are what they were, and never larger than gzip alone makes them', async () => {
    await fc.assert(
      fc.asyncProperty(pieces, async (parts) => {
        const bytes = Buffer.concat(parts);
        expect(Buffer.concat([...deflatePieces(bytes)])).toEqual(bytes);
        const found = await packed(bytes);
        expect(gunzipSync(found)).toEqual(bytes);
        expect(found.length).toBeLessThanOrEqual(gzipSync(bytes, { level: 9 }).length);
      }),
      { numRuns: effort(60) },
    );
  });

  it('have blocks that end where random bytes meet small numbers', async () => {
    // Planes of 4,001 bytes: random bytes, then random bits.
    let seed = 1;
    const random = (): number => {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
      return seed >>> 24;
    };
    const bytes = Uint8Array.from({ length: 64 * 4001 }, (_, k) =>
      Math.floor(k / 4001) % 2 === 0 ? random() : random() & 1,
    );
    // Entropy: 8 bits and 1 bit a byte in turn.
    const entropy = bytes.length * (4.5 / 8);
    const found = (await packed(bytes)).length;
    expect(found).toBeGreaterThan(entropy);
    expect(found).toBeLessThan(1.05 * entropy);
    expect(found).toBeLessThan(0.98 * gzipSync(bytes, { level: 9 }).length);
  });
});
