import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import type { PredictOptions } from '../../../src/commands/predict/options.ts';
import { predict } from '../../../src/commands/predict/predict.ts';
import type { ProfiledInterval, ProfiledSection } from '../../../src/commands/profile/profile-document.ts';
import { profile } from '../../../src/commands/profile/profile-program.ts';
import type { ProgramModel } from '../../../src/models/program/model-object.ts';
import { cluster, spmd } from '../../../src/models.ts';
import { effort } from '../../effort.ts';
import { arbitrary, modelOf } from '../../models/program/random-model.ts';
import { arbitraryProgram, text } from '../../models/random-trace.ts';
import { Collector, type PlainRow } from '../../trace/run/recorded.ts';

const folder = mkdtempSync(join(tmpdir(), 'conservation-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Shared cores, overheads of messages, and messages of all protocols. */
const machine = cluster({
  nodes: 3,
  coresPerNode: 2,
  speed: '1Gf',
  link: { latency: '10us', bandwidth: '1.25GB/s' },
  intraNode: { latency: '1us', bandwidth: '10GB/s' },
  overhead: { send: '1us', receive: '2us', perByte: '0.1ns' },
  eagerBelow: 4096,
  detachedBelow: 65536,
});

interface Row {
  readonly process: number;
  readonly start: number;
  readonly end: number;
  readonly state: string;
  readonly call?: string;
  readonly sequence?: number;
  readonly bytes?: number;
  readonly collective?: string;
}
const rowsOf = <T>(rows: readonly PlainRow[], table: string): T[] => rows.filter((r) => r.table === table) as never;
const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);
const near = (a: number, b: number, scale: number): void =>
  expect(Math.abs(a - b)).toBeLessThanOrEqual(1e-9 * scale + 1e-15);

function laws(input: string | ProgramModel, options: PredictOptions): void {
  const record = new Collector();
  const { figures, ranks } = predict(input, { ...options, record });
  const time = figures.runTime.value;
  const states = rowsOf<Row>(record.rows, 'states');
  const calls = rowsOf<{
    process: number;
    sequence: number;
    start: number;
    end: number;
    system: number;
    blocked: number;
  }>(record.rows, 'calls');
  // States of a rank follow each other without gaps up to the end of the run; they add up to the predicted times.
  ranks.forEach(({ rank, computing, memory = 0, communicating, waiting, idle }) => {
    const own = states.filter((row) => row.process === rank);
    expect(own.filter(({ start, end }, k) => start !== (own[k - 1]?.end ?? 0) || end < start)).toEqual([]);
    expect(own.at(-1)!.end).toBe(time);
    const of = (...names: readonly string[]): number =>
      sum(own.filter((row) => names.includes(row.state)).map((row) => row.end - row.start));
    near(of('computing'), computing, time);
    near(of('memory'), memory, time);
    near(of('communicating', 'overhead', 'io'), communicating!, time);
    near(of('waiting'), waiting!, time);
    near(of('idle'), idle, time);
  });
  // Each call has rows, and lasts as long as they do.
  const secondsOf = new Map<string, number>();
  for (const { process, sequence, start, end } of states)
    if (sequence !== undefined) {
      const key = `${process} ${sequence}`;
      secondsOf.set(key, (secondsOf.get(key) ?? 0) + end - start);
    }
  expect(calls).toHaveLength(secondsOf.size);
  const wrong = calls.filter(({ process, sequence, start, end, system, blocked }) => {
    const seconds = secondsOf.get(`${process} ${sequence}`)!;
    return Math.abs(seconds - (end - start)) > 1e-9 * time || system + blocked > seconds + 1e-9 * time;
  });
  expect(wrong).toEqual([]);
  // Bytes that calls send are those of the messages, which are those that are received.
  const messages = rowsOf<{
    source: number;
    destination: number;
    sent: number;
    received: number;
    bytes: number;
    call: string;
  }>(record.rows, 'messages');
  const sending = states.filter(
    ({ call, collective }) => collective !== undefined || /^MPI_(I?[sb]?send|Sendrecv)$/i.test(call ?? ''),
  );
  const bytesOf = new Map<string, number>();
  for (const { process, sequence, bytes = 0 } of sending) {
    const key = `${process} ${sequence}`;
    bytesOf.set(key, Math.max(bytesOf.get(key) ?? 0, bytes));
  }
  expect(sum([...bytesOf.values()])).toBe(sum(messages.map((m) => m.bytes)));
  expect(messages.filter(({ sent, received }) => sent < 0 || received < sent || received > time)).toEqual([]);
  efficiency(input, options, time, states);
}

function efficiency(input: string | ProgramModel, options: PredictOptions, time: number, states: readonly Row[]): void {
  const document = profile(input, options);
  const law = ({ figures, processes }: ProfiledSection): void => {
    const of = (name: keyof typeof figures): number => figures[name].value;
    const scale = of('totalTime');
    near(of('lostTime'), of('insufficientParallelism') + of('communication') + of('idle'), scale);
    near(of('productiveTime') + of('lostTime'), of('totalTime'), scale);
    near(of('totalTime'), of('processors') * of('executionTime'), scale);
    for (const { figures: own } of processes!)
      near(own.executionTime.value + own.idle.value, of('executionTime'), of('executionTime'));
  };
  law(document);
  const inside = (intervals: readonly ProfiledInterval[]): void =>
    intervals.forEach((interval) => {
      law(interval);
      inside(interval.children);
      const parts = interval.children.map(({ figures }) => figures.productiveTime.value);
      expect(sum(parts)).toBeLessThanOrEqual(interval.figures.productiveTime.value * (1 + 1e-9) + 1e-15);
    });
  inside(document.intervals);
  expect(document.figures.executionTime.value).toBeLessThanOrEqual(time * (1 + 1e-12));
  const inCalls = sum(document.calls.map((call) => call.seconds));
  const ofCalls = states.filter((row) => row.call !== undefined);
  near(inCalls, sum(ofCalls.map((row) => row.end - row.start)), document.figures.totalTime.value);
  for (const call of document.calls) near(sum(call.processes.map((p) => p.seconds)), call.seconds, inCalls);
  for (const call of document.calls) near(sum(call.intervals.map((p) => p.seconds)), call.seconds, inCalls);
}

/** Figures of a run that are sums over its time: those of its parts add up to them. */
const SUMMED = ['totalTime', 'productiveTime', 'ioTime', 'lostTime', 'communication', 'overhead', 'idle'] as const;

function parts(input: string | ProgramModel, options: PredictOptions, cuts: readonly number[]): void {
  const whole = profile(input, options);
  const time = whole.figures.executionTime.value;
  if (time === 0) return;
  const edges = [0, ...[...new Set(cuts)].sort((a, b) => a - b).map((share) => share * time)];
  const sections = edges.map((from, k) => {
    const to = edges[k + 1];
    return profile(input, { ...options, from, ...(to === undefined ? {} : { to }) });
  });
  for (const name of SUMMED)
    near(
      sum(sections.map(({ figures }) => figures[name].value)),
      whole.figures[name].value,
      whole.figures.totalTime.value,
    );
  whole.processes!.forEach(({ figures }, p) => {
    near(sum(sections.map((s) => s.processes![p]!.figures.executionTime.value)), figures.executionTime.value, time);
  });
  near(sum(sections.flatMap((s) => s.calls.map((c) => c.seconds))), sum(whole.calls.map((c) => c.seconds)), time);
}

describe('parts of a run add up to the whole, also where ranks sleep', () => {
  const shares = fc.array(fc.double({ min: 0.01, max: 0.99, noNaN: true }), { minLength: 1, maxLength: 3 });

  test('random models', () => {
    fc.assert(
      fc.property(arbitrary, shares, ({ ranks, parts: statements }, cuts) => {
        parts(modelOf(statements), { machine, ranks: Math.min(ranks, 6) }, cuts);
      }),
      { numRuns: effort(20) },
    );
  });

  test('random traces', () => {
    const file = join(folder, 'parts.ti');
    fc.assert(
      fc.property(arbitraryProgram, shares, (program, cuts) => {
        writeFileSync(file, text(program));
        parts(file, { machine }, cuts);
      }),
      { numRuns: effort(20) },
    );
  });

  test('all ranks sleep in the part', () => {
    const model = spmd({
      name: 'asleep',
      build(m) {
        m.sleep(1);
        m.compute({ flops: (s) => 1e9 * (1 + s.rank) });
      },
    });
    const { figures } = profile(model, { machine, ranks: 2, from: 0, to: 0.5 });
    expect(figures).toMatchObject({ totalTime: { value: 1 }, communication: { value: 1 }, efficiency: { value: 0 } });
    // Rank 0 ends after 2 s, rank 1 after 3 s.
    const last = profile(model, { machine, ranks: 2, from: 2, to: 3 });
    expect(last.figures).toMatchObject({ totalTime: { value: 2 }, communication: { value: 0 }, idle: { value: 1 } });
  });
});

describe('conservation laws', () => {
  test('random models', () => {
    fc.assert(
      fc.property(arbitrary, fc.boolean(), ({ ranks, parts }, oversubscribe) =>
        laws(modelOf(parts), {
          machine: oversubscribe ? { ...machine, nodes: machine.nodes.map((n) => ({ ...n, cores: 1 })) } : machine,
          ranks: Math.min(ranks, 6),
          ...(oversubscribe ? { oversubscribe } : {}),
        }),
      ),
      { numRuns: effort(30) },
    );
  });

  test.each(['foretoken', 'simgrid-plain', 'simgrid-eager', 'simgrid-rendezvous'])(
    'random traces, %s',
    (networkModel) => {
      const file = join(folder, 'a.ti');
      fc.assert(
        fc.property(arbitraryProgram, (program) => {
          writeFileSync(file, text(program));
          laws(file, { machine, networkModel });
        }),
        { numRuns: effort(20) },
      );
    },
  );
});
