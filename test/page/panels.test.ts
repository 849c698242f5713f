import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { profileRun } from '../../src/commands/profile/profile.ts';
import { callPaths } from '../../src/page/record/call-paths.ts';
import { Counters, MESSAGE_COUNTERS, type MessageCounter } from '../../src/page/record/counters.ts';
import { barOf, barsOf, durationKinds } from '../../src/page/record/durations.ts';
import { orderOf, PairsUntil, pairsOf } from '../../src/page/record/message-pairs.ts';
import type { PageRecord } from '../../src/page/record/page-record.ts';
import { found, METRICS, metricValue, processesOf, treeOf } from '../../src/page/record/path-tree.ts';
import { profileRange, waitsOfCalls } from '../../src/page/record/range-profile.ts';
import { atFullEffort, effort } from '../effort.ts';
import { writtenRecord } from './written-record.ts';

const folder = mkdtempSync(join(tmpdir(), 'panels-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const file = join(folder, 'r.jsonl');

/** Calls in nested intervals, and messages of any direction: times are multiples of 1/8, so that sums are exact. */
const runs = fc.record({
  nodeOf: fc.array(fc.nat(2), { minLength: 2, maxLength: 5 }),
  steps: fc.array(
    fc.record({
      process: fc.nat(4),
      gap: fc.constantFrom(0, 0.25, 1),
      length: fc.constantFrom(0, 0.125, 0.5, 3),
      state: fc.constantFrom('computing', 'waiting', 'communicating', 'overhead'),
      call: fc.constantFrom('send', 'recv', 'wait'),
      interval: fc.constantFrom(undefined, 'solve', 'solve/step[1]', 'solve/step[2]#2', 'output'),
      bytes: fc.nat(100),
    }),
    { minLength: 1, maxLength: 40 },
  ),
  messages: fc.array(
    fc.record({
      source: fc.nat(4),
      destination: fc.nat(4),
      sent: fc.nat(40),
      takes: fc.nat(16),
      bytes: fc.nat(1000),
    }),
    { maxLength: 30 },
  ),
});
type Run = typeof runs extends fc.Arbitrary<infer T> ? T : never;

interface Message {
  readonly source: number;
  readonly destination: number;
  readonly sent: number;
  readonly received: number;
  readonly bytes: number;
}

/** Writes a run as a record. */
function recorded({ nodeOf, steps, messages: given }: Run): {
  readonly record: PageRecord;
  readonly messages: readonly Message[];
  readonly rows: readonly { readonly process: number; readonly start: number; readonly end: number }[];
} {
  const count = nodeOf.length;
  const ends = nodeOf.map(() => 0);
  // Every process has a row.
  const all = [...nodeOf.map((_, process) => ({ ...steps[0]!, process, gap: 0, state: 'computing' })), ...steps];
  const rows = all.map(({ process: p, gap, length, state, call, interval, bytes }, sequence) => {
    const process = p % count;
    const start = ends[process]! + gap;
    ends[process] = start + length;
    const inCall = state === 'computing' ? {} : { call, sequence, bytes };
    return { process, start, end: start + length, state, ...(interval === undefined ? {} : { interval }), ...inCall };
  });
  const messages = given.map(({ source, destination, sent, takes, bytes }) => ({
    source: source % count,
    destination: destination % count,
    sent: sent / 8,
    received: (sent + takes) / 8,
    bytes,
  }));
  const executed = rows.flatMap(({ process, start, end, interval }) =>
    interval === undefined ? [] : [{ table: 'intervals', process, interval, start, end }],
  );
  const time = Math.max(...ends, ...messages.map(({ received }) => received)) + 1;
  const calls = rows.flatMap(({ process, start, end, ...row }) =>
    'call' in row
      ? [{ table: 'calls', process, start, end, call: row.call, sequence: row.sequence, system: 0, blocked: 0 }]
      : [],
  );
  const tables = [
    ...rows.map((row) => ({ table: 'states', ...row })),
    ...messages.map((message) => ({ table: 'messages', ...message })),
    ...calls,
    ...executed,
  ];
  const record = writtenRecord(file, nodeOf, tables, { time });
  return { record, messages, rows };
}

describe('calls by interval and process', () => {
  it('add up to the calls by interval and by process of a profile, of the whole run and of a part', () => {
    fc.assert(
      fc.property(runs, fc.boolean(), (run, isPart) => {
        const { record } = recorded(run);
        const range = isPart ? { from: 0.25, to: Math.max(0.5, record.end.time / 2) } : undefined;
        const profile = range === undefined ? profileRun(file, {}) : profileRange(record, range);
        const paths = callPaths(record, range);
        for (const { call, intervals, processes } of profile.calls) {
          const own = paths.filter((path) => path.call === call);
          for (const { interval, ...sums } of intervals) {
            const parts = own
              .filter((path) => path.interval === interval)
              .flatMap((path) => [...path.processes.values()]);
            for (const key of ['count', 'bytes', 'seconds', 'blocked'] as const)
              expect(parts.reduce((sum, part) => sum + part[key], 0)).toBeCloseTo(sums[key], 12);
          }
          for (const { process, ...sums } of processes) {
            const parts = own.flatMap((path) => path.processes.get(process) ?? []);
            for (const key of ['count', 'bytes', 'seconds', 'blocked'] as const)
              expect(parts.reduce((sum, part) => sum + part[key], 0)).toBeCloseTo(sums[key], 12);
          }
        }
        const known = new Set(profile.calls.map(({ call }) => call));
        expect(paths.every(({ call }) => known.has(call))).toBe(true);
      }),
      { numRuns: effort(200) },
    );
  });

  it('are leaves of the tree of intervals, whose values are those of the profile', () => {
    fc.assert(
      fc.property(runs, (run) => {
        const { record } = recorded(run);
        const profile = profileRun(file, {});
        const root = treeOf(profile, callPaths(record, undefined), 'p');
        const metric = (key: string) => METRICS.find((of) => of.key === key)!;
        const seconds = profile.calls.reduce((sum, call) => sum + call.seconds, 0);
        expect(metricValue(root, metric('seconds'))).toBeCloseTo(seconds, 12);
        expect(metricValue(root, metric('lostTime'))).toBe(profile.figures.lostTime.value);
        const solve = profile.intervals.find(({ name }) => name === 'solve');
        const node = found(root, 'solve');
        expect(node === undefined).toBe(solve === undefined);
        if (solve === undefined) return;
        expect(metricValue(node!, metric('communication'))).toBe(solve.figures.communication.value);
        // Values of processes add up to that of the interval.
        const sum = processesOf(node!, metric('communication')).reduce((all, { value }) => all + value, 0);
        expect(sum).toBeCloseTo(solve.figures.communication.value, 12);
        const all = processesOf(node!, metric('executionTime')).reduce((total, { value }) => total + value, 0);
        expect(metricValue(node!, metric('executionTime'))).toBeCloseTo(all, 12);
      }),
      { numRuns: effort(200) },
    );
  });
});

describe('records of calls and messages', () => {
  it('lose the time of the wait states of the profile, by process', () => {
    let waiting = 0;
    fc.assert(
      fc.property(runs, (run) => {
        const { record } = recorded(run);
        const { waits } = profileRun(file, {});
        const processes = record.calls.column('process');
        const found = new Map<string, number>();
        for (const [row, states] of waitsOfCalls(record))
          for (const [state, seconds] of states) {
            const key = `${state} ${processes[row]}`;
            found.set(key, (found.get(key) ?? 0) + seconds);
            const [start, end] = ['start', 'end'].map((name) => record.calls.column(name)[row]!);
            expect(seconds).toBeLessThanOrEqual(end! - start!);
            waiting++;
          }
        const wanted = waits.flatMap(({ state, processes: of }) =>
          of.map(({ process, seconds }) => [`${state} ${process}`, seconds] as const),
        );
        expect(found.size).toBe(wanted.length);
        for (const [key, seconds] of wanted) expect(found.get(key), key).toBeCloseTo(seconds, 12);
      }),
      { numRuns: effort(200) },
    );
    expect(waiting).toBeGreaterThan(atFullEffort(20));
  });

  it('lose the time until the sender sends, where a receiver waits', () => {
    const exchanges = fc.array(
      fc.record({ source: fc.nat(2), by: fc.constantFrom(1, 2), compute: fc.constantFrom(0.25, 1, 2) }),
      { minLength: 1, maxLength: 20 },
    );
    let waiting = 0;
    fc.assert(
      fc.property(exchanges, (all) => {
        const ends = [0.125, 0.125, 0.125];
        const rows: object[] = ends.map((end, process) => ({
          table: 'states',
          ...{ process, start: 0, end, state: 'computing' },
        }));
        const lost: { readonly start: number; readonly seconds: number }[] = [];
        all.forEach(({ source, by, compute }, sequence) => {
          const destination = (source + by) % 3;
          const sent = ends[source]! + compute;
          rows.push({ table: 'states', process: source, start: ends[source], end: sent, state: 'computing' });
          rows.push({
            table: 'messages',
            source,
            destination,
            sent,
            received: Math.max(sent, ends[destination]!),
            bytes: 1,
          });
          ends[source] = sent;
          const start = ends[destination]!;
          if (start >= sent) return;
          const call = { process: destination, start, end: sent, call: 'recv', sequence };
          rows.push({ table: 'states', state: 'waiting', ...call });
          rows.push({ table: 'calls', system: 0, blocked: sent - start, ...call });
          lost.push({ start, seconds: sent - start });
          ends[destination] = sent;
        });
        const record = writtenRecord(file, [0, 1, 2], rows, { time: Math.max(...ends) });
        const found = waitsOfCalls(record);
        expect(found.size).toBe(lost.length);
        lost.forEach(({ seconds }, row) => {
          const states = [...found.get(row)!];
          expect(states.map(([state]) => state.replace('/Wrong Order', ''))).toEqual(['Late Sender']);
          expect(states[0]![1]).toBeCloseTo(seconds, 12);
        });
        waiting += lost.length;
      }),
      { numRuns: effort(200) },
    );
    expect(waiting).toBeGreaterThan(40);
  });

  it('are counted by pair of processes and by node', () => {
    fc.assert(
      fc.property(runs, fc.boolean(), (run, isPart) => {
        const { record, messages } = recorded(run);
        const range = isPart ? { from: 0.25, to: Math.max(0.5, record.end.time / 2) } : undefined;
        const profile = range === undefined ? profileRun(file, {}) : profileRange(record, range);
        expect(pairsOf(record, range)).toEqual(profile.messages.pairs);
        // As the source has it: messages count where they are received.
        const own = messages.filter(
          ({ received }) => range === undefined || (received >= range.from && received < range.to),
        );
        for (const [key, isWithin] of [
          ['withinNodes', true],
          ['betweenNodes', false],
        ] as const) {
          const of = own.filter(
            ({ source, destination }) => (run.nodeOf[source] === run.nodeOf[destination]) === isWithin,
          );
          const sum = (value: (message: Message) => number): number => of.reduce((all, one) => all + value(one), 0);
          const { messages: count, bytes, meanSeconds } = profile.messages[key];
          expect([count, bytes]).toEqual([of.length, sum((one) => one.bytes)]);
          if (of.length === 0) expect(meanSeconds).toBeUndefined();
          else {
            const begin = range?.from ?? Number.NEGATIVE_INFINITY;
            expect(meanSeconds).toBeCloseTo(sum((one) => one.received - Math.max(begin, one.sent)) / of.length, 12);
          }
        }
      }),
      { numRuns: effort(200) },
    );
  });
});

describe('the messages of a matrix', () => {
  it('are those that have been received by the cursor, wherever it comes from', () => {
    fc.assert(
      fc.property(
        runs,
        fc.array(fc.nat(60), { minLength: 1, maxLength: 8 }),
        fc.constantFrom(0, 1, 2.5),
        (run, times, from) => {
          const { record, messages } = recorded(run);
          const until = new PairsUntil(record, from);
          for (const time of times.map((eighths) => eighths / 8)) {
            const sums = new Map<string, { messages: number; bytes: number }>();
            for (const { source, destination, received, bytes } of messages) {
              if (received < from || received > time) continue;
              const sum = sums.get(`${source} ${destination}`) ?? { messages: 0, bytes: 0 };
              sums.set(`${source} ${destination}`, { messages: sum.messages + 1, bytes: sum.bytes + bytes });
            }
            const found = until.at(time).map(({ source, destination, ...sum }) => [`${source} ${destination}`, sum]);
            expect(new Map(found as [string, object][])).toEqual(sums);
          }
        },
      ),
      { numRuns: effort(200) },
    );
  });
});

describe('the order of a matrix', () => {
  it('is that of processes, of nodes, or of volumes, and has every process once', () => {
    const nodeOf = [1, 0, 1, 0];
    const pairs = [
      { source: 0, destination: 2, messages: 1, bytes: 10 },
      { source: 3, destination: 2, messages: 5, bytes: 1 },
    ];
    expect(orderOf('process', pairs, 'bytes', 4, nodeOf).axis).toEqual([0, 1, 2, 3]);
    expect(orderOf('node', pairs, 'bytes', 4, nodeOf).axis).toEqual([1, 3, 0, 2]);
    expect(orderOf('volume', pairs, 'bytes', 4, nodeOf).axis).toEqual([2, 0, 3, 1]);
    expect(orderOf('volume', pairs, 'messages', 4, nodeOf)).toEqual({
      axis: [2, 3, 0, 1],
      position: Int32Array.of(2, 3, 0, 1),
    });
  });
});

describe('counters over time', () => {
  /** The value of a counter at an instant, from its definition. */
  function valueAt(
    counter: MessageCounter,
    messages: readonly Message[],
    nodeOf: readonly number[],
    time: number,
  ): number {
    const open = messages.filter(
      ({ source, destination, sent, received }) =>
        sent <= time &&
        time < received &&
        (nodeOf[source] === nodeOf[destination]) === (counter === 'messages under way within nodes'),
    );
    if (counter.startsWith('bytes')) return open.reduce((sum, { bytes }) => sum + bytes, 0);
    if (!counter.startsWith('pairs')) return open.length;
    return new Set(open.map(({ source, destination }) => `${nodeOf[source]} ${nodeOf[destination]}`)).size;
  }

  it('are the means of their values in each column', () => {
    fc.assert(
      fc.property(
        runs,
        fc.constantFrom(...MESSAGE_COUNTERS),
        fc.nat(3),
        fc.integer({ min: 1, max: 6 }),
        (run, counter, from, columns) => {
          const { record, messages } = recorded(run);
          const range = { from: from / 2, to: from / 2 + columns * 0.75 };
          const bins = new Counters(record).bins(counter, range, columns);
          // Values change at multiples of 1/8 only: six samples in each column give its mean.
          const means = Array.from({ length: columns }, (_, column) => {
            const samples = Array.from({ length: 6 }, (__, k) => range.from + column * 0.75 + k / 8 + 1 / 16);
            return samples.reduce((sum, at) => sum + valueAt(counter, messages, run.nodeOf, at), 0) / 6;
          });
          bins.forEach((value, k) => {
            expect(value).toBeCloseTo(means[k]!, 9);
          });
        },
      ),
      { numRuns: effort(300) },
    );
  });
});

describe('histograms', () => {
  it('count every duration once, in the bar whose ends enclose it', () => {
    fc.assert(
      fc.property(runs, (run) => {
        const { record, rows, messages } = recorded(run);
        const whole = { from: 0, to: record.end.time };
        const kinds = durationKinds(record);
        let states = 0;
        let calls = 0;
        for (const kind of kinds) {
          let count = 0;
          const bars = barsOf(kind, whole);
          kind.each(whole, (_, start, end) => {
            count++;
            const bar = bars.find(({ index }) => index === barOf(end - start))!;
            if (end === start) expect(bar).toMatchObject({ from: 0, to: 0 });
            else {
              expect(end - start).toBeGreaterThanOrEqual(bar.from * (1 - 1e-12));
              expect(end - start).toBeLessThanOrEqual(bar.to * (1 + 1e-12));
            }
          });
          expect(bars.reduce((sum, bar) => sum + bar.count, 0)).toBe(count);
          if (kind.name.startsWith('State: ')) states += count;
          if (kind.name.startsWith('Call: ')) calls += count;
          if (kind.name.startsWith('Messages')) expect(count).toBe(messages.length);
        }
        expect(states).toBe(rows.length);
        expect(calls).toBe(rows.filter((row) => 'call' in row).length);
        expect(kinds.some(({ name }) => name.startsWith('Interval: '))).toBe(
          run.steps.some(({ interval }) => interval !== undefined),
        );
      }),
      { numRuns: effort(200) },
    );
  });
});
