import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { NODE_STATES, statePriority } from '../../src/analysis/efficiency/node-states.ts';
import { profileRun } from '../../src/commands/profile/profile.ts';
import { binRow, STATES, sumsOf } from '../../src/page/draw/row-bins.ts';
import { eventAfter, nodeStateAt } from '../../src/page/record/node-state.ts';
import type { PageRecord } from '../../src/page/record/page-record.ts';
import { profileRange } from '../../src/page/record/range-profile.ts';
import { RUN_STATES } from '../../src/trace/run/run-schema.ts';
import { effort } from '../effort.ts';
import { writtenRecord } from './written-record.ts';

const folder = mkdtempSync(join(tmpdir(), 'page-record-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = join(folder, 'r.jsonl');

interface Row {
  readonly process: number;
  readonly start: number;
  readonly end: number;
  readonly state: string;
}

/** Random states of processes on nodes: gaps, rows of no length, nodes that join late and leave early, in up to two stays. */
const records = fc
  .record({
    nodeOf: fc.array(fc.nat(2), { minLength: 1, maxLength: 5 }),
    steps: fc.array(
      fc.record({
        process: fc.nat(4),
        gap: fc.constantFrom(0, 0, 0.25, 1),
        length: fc.constantFrom(0, 0.125, 0.5, 1, 3),
        state: fc.constantFrom(...RUN_STATES.slice(0, 6)),
      }),
      { minLength: 1, maxLength: 40 },
    ),
    early: fc.constantFrom(0, 0.5),
    late: fc.constantFrom(0, 2),
    stays: fc.boolean(),
  })
  .map(({ nodeOf: given, steps, early, late, stays }) => {
    const nodeOf = given.map((node, process) => (process === 0 ? 0 : node));
    const ends = nodeOf.map((): number => early);
    // Every process has a row.
    const all = [...nodeOf.map((_, process) => ({ process, gap: 0, length: 0.125, state: RUN_STATES[0]! })), ...steps];
    const rows: Row[] = all.map(({ process: p, gap, length, state }) => {
      const process = p % nodeOf.length;
      const start = ends[process]! + gap;
      ends[process] = start + length;
      return { process, start, end: start + length, state };
    });
    const time = Math.max(...ends) + late;
    const stayRows = stays
      ? nodeOf.slice(0, 1).map(() => ({
          table: 'nodes',
          node: 'n0',
          joined: early / 2,
          left: Math.max(...ends.filter((_, p) => nodeOf[p] === 0)),
        }))
      : [];
    return { nodeOf, rows, time, stayRows };
  });

/** Writes a record, and returns what a page has of it. */
function recorded({
  nodeOf,
  rows,
  time,
  stayRows,
}: typeof records extends fc.Arbitrary<infer T> ? T : never): PageRecord {
  const messages = rows.slice(1).map(({ process, start, end }, k) => ({
    table: 'messages',
    source: rows[k]!.process,
    destination: process,
    sent: start,
    received: end,
    bytes: k,
  }));
  const tables = [...rows.map((row) => ({ table: 'states', ...row })), ...messages, ...stayRows];
  const record = writtenRecord(file, nodeOf, tables, { time });
  expect(record.messages.count).toBe(messages.length);
  return record;
}

describe('what a page reads from a record', () => {
  it('gives nodes the state that profile --at gives them', () => {
    fc.assert(
      fc.property(
        records,
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 2, maxLength: 4 }),
        (run, shares) => {
          const record = recorded(run);
          const edges = run.rows.flatMap(({ start, end }) => [start, end]);
          const instants = [
            record.begin,
            run.time,
            ...edges,
            ...shares.map((share) => record.begin + share * (run.time - record.begin)),
          ];
          for (const at of instants.filter((time) => time >= record.begin && time <= run.time).slice(0, 12)) {
            const { nodes } = profileRun(file, { at });
            expect(nodes.map((_, node) => nodeStateAt(record, node, at))).toEqual(nodes.map((node) => node.at));
          }
        },
      ),
      { numRuns: effort(300) },
    );
  });

  it('measures a part of the run as profile --from --to', () => {
    fc.assert(
      fc.property(
        records,
        fc.double({ min: 0, max: 0.9, noNaN: true }),
        fc.double({ min: 0.05, max: 1, noNaN: true }),
        (run, a, b) => {
          const record = recorded(run);
          fc.pre(run.time > record.begin);
          const from = record.begin + a * (run.time - record.begin);
          const to = Math.min(run.time, from + b * (run.time - from));
          fc.pre(from < to);
          const whole = profileRun(file, { from, to });
          const found = profileRange(record, { from, to });
          for (const part of ['figures', 'calls', 'messages', 'intervals', 'waits'] as const)
            expect(found[part]).toEqual(whole[part]);
        },
      ),
      { numRuns: effort(300) },
    );
  });

  it('knows every cell of a selected row', () => {
    fc.assert(
      fc.property(records, (run) => {
        const record = recorded(run);
        const found = run.rows.map((_, row) => record.facts(row));
        expect(found.map(({ process, start, end, state }) => ({ process, start, end, state }))).toEqual(run.rows);
      }),
      { numRuns: effort(100) },
    );
  });

  it('steps to each instant at which a state begins or ends, forwards and back', () => {
    fc.assert(
      fc.property(records, (run) => {
        const record = recorded(run);
        const instants = [...new Set([...run.rows.flatMap(({ start, end }) => [start, end]), run.time])].sort(
          (x, y) => x - y,
        );
        const forwards = [instants[0]!];
        for (let at = eventAfter(record, instants[0]!, 1); at !== undefined; at = eventAfter(record, at, 1))
          forwards.push(at);
        expect(forwards).toEqual(instants);
        const back = [run.time];
        for (let at = eventAfter(record, run.time, -1); at !== undefined; at = eventAfter(record, at, -1))
          back.push(at);
        expect(back.reverse()).toEqual(instants);
      }),
      { numRuns: effort(300) },
    );
  });
});

describe('columns of pixels of a row', () => {
  it('have the share of each state, for any number of spans in a column', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom(0, 0, 0, 0.5), fc.constantFrom(0, 0.01, 0.1, 1), fc.nat(6)), {
          minLength: 0,
          maxLength: 400,
        }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 0.001, max: 1, noNaN: true }),
        fc.integer({ min: 1, max: 40 }),
        (rows, a, b, columns) => {
          let time = 0;
          const spans = { start: [] as number[], end: [] as number[], state: [] as number[] };
          for (const [gap, length, state] of rows) {
            spans.start.push(time + gap);
            time += gap + length;
            spans.end.push(time);
            spans.state.push(state);
          }
          const total = Math.max(1, time);
          const from = a * total;
          const to = from + b * total;
          const typed = {
            start: Float64Array.from(spans.start),
            end: Float64Array.from(spans.end),
            state: Uint8Array.from(spans.state),
            row: Int32Array.from(rows, (_, k) => k),
          };
          const bins = binRow(typed, sumsOf(typed), from, to, columns);
          for (let column = 0; column < columns; column++) {
            const left = from + (column * (to - from)) / columns;
            const right = from + ((column + 1) * (to - from)) / columns;
            const expected = NODE_STATES.map(() => 0);
            rows.forEach((_, k) => {
              const seconds = Math.min(right, spans.end[k]!) - Math.max(left, spans.start[k]!);
              if (seconds > 0) expected[statePriority(spans.state[k]!)]! += seconds / (right - left);
            });
            expected[STATES - 1]! += 1 - expected.reduce((x, y) => x + y, 0);
            for (let s = 0; s < STATES; s++) expect(bins[column * STATES + s]).toBeCloseTo(expected[s]!, 4);
          }
        },
      ),
      { numRuns: effort(500) },
    );
  });
});
