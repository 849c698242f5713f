import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { predict } from '../../../src/commands/predict/predict.ts';
import { profileRun } from '../../../src/commands/profile/profile.ts';
import { RunFileWriter } from '../../../src/trace/run/run-file-writer.ts';
import { effort } from '../../effort.ts';
import { arbitrary, modelOf } from '../../models/program/random-model.ts';
import { machine } from '../../models/program/run.ts';
import { arbitraryRun, emit } from '../../trace/run/recorded.ts';

const folder = mkdtempSync(join(tmpdir(), 'wait-states-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = (name: string): string => join(folder, name);

const STATES = 'process,start,end,state,call,peer,collective,phase,sequence';
const MESSAGES = 'source,destination,sent,received,bytes,call';

/** Wait states by process, of states and messages as lines of CSV. */
function waitsOf(states: readonly string[], messages: readonly string[]): Record<string, number> {
  const table = (head: string, lines: readonly string[]): string =>
    [head, ...lines.map((line) => line + ','.repeat(head.split(',').length - line.split(',').length)), ''].join('\n');
  writeFileSync(file('s.csv'), table(STATES, states));
  writeFileSync(file('m.csv'), table(MESSAGES, messages));
  const { waits } = profileRun(file('s.csv'), { messages: file('m.csv') });
  return Object.fromEntries(
    waits.flatMap(({ state, processes }) => processes.map(({ process, seconds }) => [`${state} ${process}`, seconds])),
  );
}

/** The lines with every choice of labels for the blocked rows, which are marked by a question mark. */
function labelled(lines: readonly string[]): string[][] {
  const marks = lines.filter((line) => line.includes('?')).length;
  return Array.from({ length: 2 ** marks }, (_, choice) => {
    let k = 0;
    return lines.map((line) => line.replace('?', () => ((choice >> k++) & 1 ? 'waiting' : 'communicating')));
  });
}

interface Case {
  readonly states: readonly string[];
  readonly messages?: readonly string[];
  readonly waits: Record<string, number>;
}

const CASES: Readonly<Record<string, Case>> = {
  'a receive before its send': {
    states: ['0,0,1,computing', '0,1,4,?,MPI_Recv,1', '1,0,3,computing', '1,3,3.5,?,MPI_Send,0'],
    messages: ['1,0,3,4,8,MPI_Send'],
    waits: { 'Late Sender 0': 2 },
  },
  'a receive in two rows': {
    states: ['0,0,3,?,MPI_Recv,1', '0,3,4,?,MPI_Recv,1', '1,0,3,computing', '1,3,3.5,?,MPI_Send,0'],
    messages: ['1,0,3,4,8,MPI_Send'],
    waits: { 'Late Sender 0': 3 },
  },
  'two receives without numbers that touch': {
    states: ['0,0,2,?,MPI_Recv,1', '0,2,5,?,MPI_Recv,1', '1,0,1,computing', '1,1,1,?,MPI_Send,0', '1,1,4,computing'],
    messages: ['1,0,1,2,8,MPI_Send', '1,0,4,5,8,MPI_Send'],
    waits: { 'Late Sender 0': 3 },
  },
  'rows without a call': {
    states: ['0,0,4,?', '1,0,3,computing', '1,3,3.5,?'],
    messages: ['1,0,3,4,8,'],
    waits: { 'Late Sender 0': 3 },
  },
  'a blocking send that meets its receive late': {
    states: ['0,0,2.3,?,MPI_Send,1', '0,2.3,3,computing', '1,0,2,computing', '1,2,2.5,?,MPI_Recv,0'],
    messages: ['0,1,0,2.5,1000000,MPI_Send'],
    waits: { 'Late Receiver 0': 2 },
  },
  'a send that does not wait for its receive': {
    states: ['0,0,0.5,?,MPI_Send,1', '0,0.5,3,computing', '1,0,2,computing', '1,2,2.5,?,MPI_Recv,0'],
    messages: ['0,1,0,2.5,8,MPI_Send'],
    waits: {},
  },
  'a receive that another call of the sender overlaps': {
    // The eager message to process 1 is taken while process 0 waits for process 2.
    states: [
      '0,0,0.1,?,MPI_Send,1',
      '0,0.1,5,?,MPI_Recv,2',
      '1,0,3,computing',
      '1,3,3.5,?,MPI_Recv,0',
      '2,0,2,computing',
    ],
    messages: ['0,1,0,3.5,8,MPI_Send', '2,0,2,5,8,MPI_Send'],
    waits: { 'Late Sender 0': 1.9 },
  },
  'MPI_Wait for a receive': {
    states: [
      '0,0,0,communicating,MPI_Irecv,1',
      '0,0,1,computing',
      '0,1,5,?,MPI_Wait',
      '1,0,4,computing',
      '1,4,4.5,?,MPI_Send,0',
    ],
    messages: ['1,0,4,5,8,MPI_Send'],
    waits: { 'Late Sender 0': 3 },
  },
  'MPI_Wait for a send': {
    states: ['0,0,0.1,?,MPI_Isend,1', '0,0.1,1,computing', '0,1,4,?,MPI_Wait', '1,0,3,computing', '1,3,4,?,MPI_Recv,0'],
    messages: ['0,1,0,4,1000000,MPI_Isend'],
    waits: { 'Late Receiver 0': 2 },
  },
  'MPI_Waitall that sees all messages at its end': {
    states: [
      '0,0,6,?,MPI_Waitall,,,,3',
      '1,0,2,computing',
      '1,2,3,?,MPI_Send,0',
      '2,0,5,computing',
      '2,5,6,?,MPI_Send,0',
    ],
    messages: ['1,0,2,6,8,MPI_Send', '2,0,5,6,8,MPI_Send'],
    waits: { 'Late Sender 0': 5 },
  },
  'MPI_Waitall that sees one message after the other': {
    states: ['0,0,2,?,MPI_Waitall,,,,3', '0,2,6,?,MPI_Waitall,,,,3', '1,0,1,computing', '2,0,5,computing'],
    messages: ['1,0,1,2,8,MPI_Send', '2,0,5,6,8,MPI_Send'],
    waits: { 'Late Sender 0': 4 },
  },
  'a message that was sent earlier and is received later': {
    states: ['0,0,4,?,MPI_Recv,1', '0,4,5,?,MPI_Recv,2', '1,0,3,computing', '1,3,4,?,MPI_Send,0', '2,0,1,?,MPI_Send,0'],
    messages: ['1,0,3,4,8,MPI_Send', '2,0,0.5,5,8,MPI_Send'],
    waits: { 'Late Sender/Wrong Order 0': 3 },
  },
  'MPI_Sendrecv with a late partner': {
    states: ['0,0,4,?,MPI_Sendrecv,1', '1,0,3,computing', '1,3,4,?,MPI_Sendrecv,0'],
    messages: ['0,1,0,4,8,MPI_Sendrecv', '1,0,3,4,8,MPI_Sendrecv'],
    waits: { 'Late Sender 0': 3 },
  },
  barrier: {
    states: ['0,0,3,?,MPI_Barrier,,barrier#1', '1,0,2,computing', '1,2,3,?,MPI_Barrier,,barrier#1'],
    waits: { 'Wait at Barrier 0': 2 },
  },
  allreduce: {
    states: [
      '0,0,2,?,MPI_Allreduce,,allreduce#1',
      '0,2,3,?,MPI_Allreduce,,allreduce#1',
      '1,0,2,computing',
      '1,2,3,?,MPI_Allreduce,,allreduce#1',
    ],
    waits: { 'Wait at N×N 0': 2 },
  },
  'broadcast with a named root': {
    states: [
      '0,0,3,?,MPI_Bcast,1,bcast#1',
      '1,0,2,computing',
      '1,2,3,?,MPI_Bcast,1,bcast#1',
      '2,0,1,computing',
      '2,1,3,?,MPI_Bcast,1,bcast#1',
    ],
    waits: { 'Late Broadcast 0': 2, 'Late Broadcast 2': 1 },
  },
  'broadcast without a named root': {
    states: [
      '0,0,3,?,MPI_Bcast,,bcast#1',
      '1,0,2,computing',
      '1,2,3,?,MPI_Bcast,,bcast#1',
      '2,0,3.5,computing',
      '2,3.5,4,?,MPI_Bcast,,bcast#1',
    ],
    waits: { 'Late Broadcast 0': 2 },
  },
  'reduction with a named root': {
    states: [
      '0,0,3,?,MPI_Reduce,0,reduce#1',
      '1,0,2,computing',
      '1,2,3,?,MPI_Reduce,0,reduce#1',
      '2,0,1,computing',
      '2,1,1.5,?,MPI_Reduce,0,reduce#1',
    ],
    waits: { 'Early Reduce 0': 1 },
  },
  'reduction without a named root': {
    states: ['0,0,3,?,MPI_Reduce,,reduce#1', '1,0,2,computing', '1,2,2.5,?,MPI_Reduce,,reduce#1'],
    waits: { 'Early Reduce 0': 2 },
  },
  'the wait of an asynchronous reduction': {
    states: [
      '0,0,0.1,?,MPI_Iallreduce,,allreduce#1,start',
      '0,0.1,1,computing',
      '0,1,6,?,MPI_Wait,,allreduce#1,wait',
      '1,0,5,computing',
      '1,5,5.1,?,MPI_Iallreduce,,allreduce#1,start',
      '1,5.1,5.5,computing',
      '1,5.5,6,?,MPI_Wait,,allreduce#1,wait',
    ],
    waits: { 'Wait at N×N 0': 4 },
  },
};

describe('wait states follow from messages and executions, whatever the label', () => {
  test.each(Object.entries(CASES))('wait states do not depend on labels: %s', (_, { states, messages = [], waits }) => {
    for (const lines of labelled(states)) expect(waitsOf(lines, messages)).toEqual(mapValues(waits));
  });
});

const mapValues = (waits: Record<string, number>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(waits).map(([name, seconds]) => [name, expect.closeTo(seconds, 12)]));

/** Wait states of a record, with and without other labels of its blocked rows. */
function sameWithLabels(path: string, states: string, labels: readonly boolean[]): void {
  const expected = profileRun(path).waits;
  let k = 0;
  const other = states.replace(/"state":"(waiting|communicating)"/g, () => {
    const state = labels[k++ % labels.length] ? 'waiting' : 'communicating';
    return `"state":"${state}"`;
  });
  writeFileSync(file('other.jsonl'), other);
  expect(profileRun(file('other.jsonl')).waits).toEqual(expected);
}

const labels = fc.array(fc.boolean(), { minLength: 1, maxLength: 20 });

test('other labels change no wait state of a simulated run', () => {
  fc.assert(
    fc.property(arbitrary, labels, ({ ranks, parts }, choice) => {
      predict(modelOf(parts), { machine, ranks, run: file('run.jsonl') });
      sameWithLabels(file('run.jsonl'), readFileSync(file('run.jsonl'), 'utf8'), choice);
    }),
    { numRuns: effort(50) },
  );
});

test('other labels change no wait state of any recorded run', () => {
  fc.assert(
    fc.property(arbitraryRun, labels, ({ head, rows, end }, choice) => {
      emit(head, rows, end, new RunFileWriter(file('a.ftrun')));
      let k = 0;
      const other = rows.map((row) =>
        row['state'] === 'waiting' || row['state'] === 'communicating'
          ? { ...row, state: choice[k++ % choice.length] ? 'waiting' : 'communicating' }
          : row,
      );
      emit(head, other as typeof rows, end, new RunFileWriter(file('b.ftrun')));
      expect(profileRun(file('b.ftrun')).waits).toEqual(profileRun(file('a.ftrun')).waits);
    }),
    { numRuns: effort(60) },
  );
});

test('one message: closed form of late senders and late receivers', () => {
  const tenth = fc.integer({ min: 0, max: 60 }).map((x) => x / 10);
  fc.assert(
    fc.property(tenth, tenth, tenth, fc.boolean(), (send, receive, rest, isRendezvous) => {
      const received = Math.max(send, receive) + 0.1 + rest;
      const sendEnd = isRendezvous ? received : send + 0.05;
      const found = waitsOf(
        [`0,${send},${sendEnd},communicating,MPI_Send,1`, `1,${receive},${received},communicating,MPI_Recv,0`],
        [`0,1,${send},${received},8,MPI_Send`],
      );
      const late = Math.max(0, send - receive);
      const early = receive < sendEnd ? Math.max(0, receive - send) : 0;
      expect(found['Late Sender 1'] ?? 0).toBeCloseTo(late, 9);
      expect(found['Late Receiver 0'] ?? 0).toBeCloseTo(early, 9);
    }),
    { numRuns: effort(60) },
  );
});
