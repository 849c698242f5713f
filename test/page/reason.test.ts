import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { reasonOf } from '../../src/page/record/node-state.ts';
import type { PageRecord } from '../../src/page/record/page-record.ts';
import { formatSeconds } from '../../src/report/units.ts';
import { effort } from '../effort.ts';
import { writtenRecord } from './written-record.ts';

const folder = mkdtempSync(join(tmpdir(), 'reason-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The reasons of the spans of a state on a process. */
function reasons(record: PageRecord, process: number, state: string): string[] {
  const found: string[] = [];
  for (let row = 0; row < record.rows; row++) {
    const facts = record.facts(row);
    if (facts.process === process && facts.state === state) found.push(reasonOf(facts, record));
  }
  return found;
}

const state = (process: number, start: number, end: number, more: object): object => ({
  table: 'states',
  process,
  start,
  end,
  ...more,
});

describe('why a process waits', () => {
  it('names the partner that comes later, and the time at which it does, whatever other messages there are', () => {
    fc.assert(
      fc.property(
        fc.record({
          late: fc.integer({ min: 1, max: 30 }),
          sends: fc.boolean(),
          others: fc.array(fc.record({ from: fc.constantFrom(0, 2), sent: fc.nat(40), takes: fc.nat(5) }), {
            maxLength: 10,
          }),
        }),
        ({ late, sends, others }) => {
          // Process 1 is the partner: it computes until `late`, while process 0 waits from 0.5 on.
          const at = 0.5 + late / 8;
          const call = sends ? 'MPI_Send' : 'MPI_Recv';
          const [source, destination] = sends ? [0, 1] : [1, 0];
          const rows = [
            state(0, 0, 0.5, { state: 'computing' }),
            state(0, 0.5, at, { state: 'waiting', call, peer: 1 }),
            state(0, at, at + 1, { state: 'communicating', call, peer: 1 }),
            state(1, 0, at, { state: 'computing' }),
            state(2, 0, 1, { state: 'idle' }),
            { table: 'messages', source, destination, sent: at, received: at + 1, bytes: 8 },
            ...others
              .filter(({ sent }) => sent / 8 !== at)
              .map(({ from, sent, takes }) => ({
                table: 'messages',
                source: from,
                destination: 2 - from,
                sent: sent / 8,
                received: (sent + takes) / 8,
                bytes: 1,
              })),
          ];
          const record = writtenRecord(join(folder, 'late.jsonl'), [0, 1, 2], rows, { time: 50 });
          expect(reasons(record, 0, 'waiting')).toEqual([
            `process 1 ${sends ? 'receives' : 'sends'} only at ${formatSeconds(at)}`,
          ]);
          expect(reasons(record, 0, 'communicating')).toEqual(['a transfer with process 1 is under way']);
          expect(reasons(record, 1, 'computing')).toEqual(['it computes']);
        },
      ),
      { numRuns: effort(200) },
    );
  });

  it('names the collective operation, and nobody whose message only happens to begin then', () => {
    const rows = [
      state(0, 0, 1, { state: 'waiting', call: 'MPI_Barrier', collective: 'barrier', execution: 1 }),
      state(1, 0, 1, { state: 'waiting', call: 'MPI_Recv', peer: 2 }),
      state(2, 0, 1, { state: 'computing' }),
      // It begins when process 1 stops waiting, but it is another pair's.
      { table: 'messages', source: 0, destination: 2, sent: 1, received: 2, bytes: 8 },
    ];
    const record = writtenRecord(join(folder, 'other.jsonl'), [0, 0, 0], rows, { time: 3 });
    expect(reasons(record, 0, 'waiting')).toEqual([
      'the collective operation barrier is not completed by all its processes',
    ]);
    expect(reasons(record, 1, 'waiting')).toEqual(['process 2 is not there yet']);
  });
});
