import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import type { PredictOptions } from '../../../src/commands/predict/options.ts';
import { predict } from '../../../src/commands/predict/predict.ts';
import type { ProgramModel } from '../../../src/models/program/model-object.ts';
import { ANY, counter, spmd } from '../../../src/models.ts';
import { TYPE_NAMES } from '../../../src/trace/ti/data-types.ts';
import { TYPE_BYTES } from '../../../src/trace/ti/grammar.ts';
import { effort } from '../../effort.ts';
import { arbitrary, modelOf } from '../../models/program/random-model.ts';
import { machine } from '../../models/program/run.ts';
import { arbitraryProgram, text } from '../../models/random-trace.ts';
import { Collector, type PlainRow } from '../../trace/run/recorded.ts';

const folder = mkdtempSync(join(tmpdir(), 'run-calls-'));
afterAll(() => rmSync(folder, { recursive: true }));
const trace = join(folder, 'a.ti');

type Row = Readonly<Record<string, string | number | undefined>>;

function recorded(input: string | ProgramModel, options: PredictOptions = {}): PlainRow[] {
  const collector = new Collector();
  predict(input, { machine, ...options, record: collector });
  return collector.rows;
}
const table = (rows: readonly PlainRow[], name: string): Row[] => rows.filter((row) => row.table === name) as Row[];

/** Columns of the calls of a process, without those that begin and end a trace. */
function calls(
  rows: readonly PlainRow[],
  process: number,
  columns: readonly string[],
): (string | number | undefined)[][] {
  return table(rows, 'calls')
    .filter((row) => row['process'] === process && !/Init|Finalize/.test(String(row['call'])))
    .map((row) => columns.map((column) => row[column]));
}

/** A trace from the actions of its ranks. */
function written(...ranks: readonly (readonly string[])[]): string {
  const lines = ranks.flatMap((actions, rank) => actions.map((action) => `${rank} ${action}\n`));
  writeFileSync(trace, lines.join(''));
  return trace;
}

describe('datatype and number of elements', () => {
  const COLUMNS = ['call', 'type', 'count'];

  test('of a trace, as its lines name them', () => {
    const rows = recorded(
      written(
        [
          'init',
          'send 1 0 10 0',
          'compute 5',
          'isend 1 0 7',
          'waitall 1',
          'bcast 3 0 5',
          'barrier',
          'alltoall 4 4 1 1',
          'finalize',
        ],
        ['init', 'recv 0 0 10 0', 'recv 0 0 7', 'bcast 3 0 5', 'barrier', 'alltoall 4 4 1 1', 'finalize'],
      ),
    );
    expect(calls(rows, 0, COLUMNS)).toEqual([
      ['MPI_Send', 'MPI_DOUBLE', 10],
      ['MPI_Isend', 'MPI_BYTE', 7],
      ['MPI_Waitall', undefined, undefined],
      ['MPI_Bcast', 'MPI_FLOAT', 3],
      ['MPI_Barrier', undefined, undefined],
      ['MPI_Alltoall', 'MPI_INT', 4],
    ]);
    expect(calls(rows, 1, COLUMNS).slice(0, 2)).toEqual([
      ['MPI_Recv', 'MPI_DOUBLE', 10],
      ['MPI_Recv', 'MPI_BYTE', 7],
    ]);
  });

  test('a default datatype, counts per process, and a derived datatype', () => {
    const first = ['init 1', 'allreduce 6 0'];
    const rows = recorded(
      written(
        [...first, 'gatherv 1 1 2 0', 'scatterv 3 4 3 0 1 1', 'bcast 9 0 -1', 'finalize'],
        [...first, 'gatherv 2 1 2 0', 'scatterv 3 4 4 0 1 1', 'bcast 9 0 -1', 'finalize'],
      ),
      { derivedTypeBytes: 24 },
    );
    expect(calls(rows, 0, COLUMNS)).toEqual([
      ['MPI_Allreduce', 'MPI_DOUBLE', 6],
      ['MPI_Gatherv', 'MPI_DOUBLE', 1],
      ['MPI_Scatterv', 'MPI_INT', 7],
      ['MPI_Bcast', 'derived', 9],
    ]);
  });

  test('a name for each datatype', () => {
    expect(TYPE_NAMES).toHaveLength(TYPE_BYTES.length);
    expect(new Set(TYPE_NAMES).size).toBe(TYPE_NAMES.length);
    const bytes = (name: string): number => TYPE_BYTES[TYPE_NAMES.indexOf(name)]!;
    expect(['MPI_INT16_T', 'MPI_UINT64_T', 'MPI_2INT', 'MPI_DOUBLE_INT', 'MPI_REAL16', 'MPI_UB'].map(bytes)).toEqual([
      2, 8, 8, 16, 16, 0,
    ]);
  });

  test('of a model, bytes', () => {
    const model = spmd({
      name: 'data',
      build(m) {
        m.sendrecv({ to: (s) => 1 - s.rank, from: (s) => 1 - s.rank, bytes: 100 });
        m.allreduce({ bytes: 8 });
        m.barrier();
        m.gatherv({ counts: [5, 6] });
      },
    });
    expect(calls(recorded(model, { ranks: 2 }), 1, COLUMNS)).toEqual([
      ['MPI_Sendrecv', 'MPI_BYTE', 100],
      ['MPI_Allreduce', 'MPI_BYTE', 8],
      ['MPI_Barrier', undefined, undefined],
      ['MPI_Gatherv', 'MPI_BYTE', 6],
    ]);
  });

  test('elements have the bytes of the call, in random traces', () => {
    fc.assert(
      fc.property(arbitraryProgram, (program) => {
        writeFileSync(trace, text(program));
        const rows = recorded(trace);
        const states = table(rows, 'states');
        for (const call of table(rows, 'calls')) {
          if (!/^MPI_(Send|Isend)$/.test(String(call['call']))) continue;
          const own = states.filter((s) => s['process'] === call['process'] && s['sequence'] === call['sequence']);
          const bytes = own.reduce((sum, row) => sum + Number(row['bytes'] ?? 0), 0);
          expect(Number(call['count']) * TYPE_BYTES[TYPE_NAMES.indexOf(String(call['type']))]!).toBe(bytes);
        }
      }),
      { numRuns: effort(30) },
    );
  });
});

test('wrapped calls are the point-to-point calls below', () => {
  const model = spmd({
    name: 'wrapped',
    build(m) {
      m.bcast({ bytes: 8 });
      m.sendrecv({ to: (s) => 1 - s.rank, from: (s) => 1 - s.rank, bytes: 100 });
      m.when(
        (s) => s.rank === 0,
        () => m.send({ to: 1, bytes: 8 }),
        () => m.recv({ from: 0 }),
      );
    },
  });
  const of = (process: number) => calls(recorded(model, { ranks: 2 }), process, ['call', 'wrapped']);
  expect(of(0)).toEqual([
    ['MPI_Bcast', 'MPI_Send'],
    ['MPI_Sendrecv', expect.stringMatching(/^MPI_(Isend|Irecv|Send|Recv)$/)],
    ['MPI_Send', undefined],
  ]);
  expect(of(1)[0]).toEqual(['MPI_Bcast', 'MPI_Recv']);
  const lines = ['init', 'bcast 8', 'finalize'];
  expect(calls(recorded(written(lines, lines)), 1, ['call', 'wrapped'])).toEqual([['MPI_Bcast', 'MPI_Recv']]);
  expect(
    calls(recorded(spmd({ name: 'one', build: (m) => m.bcast({ bytes: 8 }) }), { ranks: 1 }), 0, ['wrapped']),
  ).toEqual([[undefined]]);
});

describe('matching rank and tag, and sequence numbers', () => {
  test('wildcards have the source and the tag of their messages', () => {
    const model = spmd({
      name: 'wildcards',
      vars: { i: counter() },
      build: (m) =>
        m.when(
          (s) => s.rank === 0,
          () => m.loop('i', 2, () => m.recv({ from: ANY, tag: ANY })),
          () => {
            m.compute({ seconds: (s) => s.rank });
            m.send({ to: 0, bytes: 8, tag: (s) => 10 * s.rank });
          },
        ),
    });
    const rows = recorded(model, { ranks: 3 });
    expect(calls(rows, 0, ['sequence', 'peer', 'tag', 'matchedPeer', 'matchedTag'])).toEqual([
      [0, undefined, undefined, 1, 10],
      [1, undefined, undefined, 2, 20],
    ]);
    const lines = ['init', 'recv -555 -444 8', 'recv -555 -444 8', 'finalize'];
    const senders = [1, 2].map((r) => ['init', `compute ${r}e9`, `send 0 ${10 * r} 8`, 'finalize']);
    expect(calls(recorded(written(lines, ...senders)), 0, ['matchedPeer', 'matchedTag'])).toEqual([
      [1, 10],
      [2, 20],
    ]);
  });

  /** Every message that a blocking receive or its wait takes is matched once; sequence numbers count from 0. */
  function check(rows: readonly PlainRow[]): void {
    const all = table(rows, 'calls');
    const next = new Map<unknown, number>();
    for (const { process, sequence } of all) {
      expect(sequence).toBe(next.get(process) ?? 0);
      next.set(process, Number(sequence) + 1);
    }
    const sent = new Map<string, number>();
    for (const { source, destination, tag, call } of table(rows, 'messages'))
      if (tag !== undefined && /Send/i.test(String(call))) {
        const key = `${destination} ${source} ${tag}`;
        sent.set(key, (sent.get(key) ?? 0) + 1);
      }
    const others = new Set(all.filter(({ call }) => /Wait|Sendrecv/.test(String(call))).map(({ process }) => process));
    for (const { process, call, peer, tag, matchedPeer, matchedTag } of all) {
      if (call !== 'MPI_Recv') continue;
      // A receive from a neighbour that does not exist has no message.
      if (matchedPeer === undefined) {
        expect([peer, matchedTag]).toEqual([undefined, undefined]);
        continue;
      }
      const key = `${process} ${matchedPeer} ${matchedTag}`;
      expect(sent.get(key), key).toBeGreaterThan(0);
      sent.set(key, sent.get(key)! - 1);
      expect([undefined, matchedPeer]).toContain(peer);
      expect([undefined, matchedTag]).toContain(tag);
    }
    // What no receive has matched is completed by a wait or a sendrecv.
    for (const [key, count] of sent) if (count > 0) expect(others, key).toContain(Number(key.split(' ')[0]));
  }

  test('of random traces', () => {
    fc.assert(
      fc.property(arbitraryProgram, (program) => {
        writeFileSync(trace, text(program));
        check(recorded(trace));
      }),
      { numRuns: effort(30) },
    );
  });

  test('of random models', () => {
    fc.assert(
      fc.property(arbitrary, ({ ranks, parts }) => check(recorded(modelOf(parts), { ranks }))),
      { numRuns: effort(30) },
    );
  });
});
