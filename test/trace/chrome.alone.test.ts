import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { InputError } from '../../src/base/problem.ts';
import { ChromeTrace, decimal, microseconds } from '../../src/trace/chrome.ts';
import { effort } from '../effort.ts';

interface Event {
  readonly ph: string;
  readonly tid: number;
  readonly ts: number;
  readonly dur: number;
  readonly name: string;
  readonly cat: string;
  readonly id: number;
  readonly bp?: string;
  readonly args?: Record<string, unknown>;
}

const folder = mkdtempSync(join(tmpdir(), 'foretoken-chrome-'));
const path = join(folder, 'trace.json');
afterAll(() => rmSync(folder, { recursive: true }));
beforeEach(() => rmSync(path, { force: true }));

function events(of: 'X' | 's' | 'f' | 'M' | 'all' = 'all'): Event[] {
  const { traceEvents, displayTimeUnit } = JSON.parse(readFileSync(path, 'utf8')) as {
    traceEvents: Event[];
    displayTimeUnit: string;
  };
  expect(displayTimeUnit).toBe('ns');
  return traceEvents.filter((e) => of === 'all' || e.ph === of);
}

describe('the file', () => {
  it('is valid without events', () => {
    new ChromeTrace(path).close();
    expect(events().map((e) => e.ph)).toEqual(['M']);
  });

  it('is readable JSON', async () => {
    const trace = new ChromeTrace(path);
    trace.thread(0, 'rank 0 on node0');
    trace.thread(1, 'rank "1"\n');
    trace.slice(0, 'compute', 'computing', 0, 1e-6);
    trace.slice(0, 'send', 'communicating', 1e-6, 3.5e-6, { bytes: 1000 });
    trace.slice(1, 'recv', 'communicating', 0, 3.5e-6);
    trace.arrow(0, 1e-6, 1, 3.5e-6, '1000 B');
    trace.close();
    await expect(readFileSync(path, 'utf8')).toMatchFileSnapshot('chrome.expected.txt');
  });

  it('has the same bytes for the same calls', () => {
    const write = (): string => {
      const trace = new ChromeTrace(path);
      for (let k = 0; k < 2000; k++) trace.slice(k % 3, `op ${k % 7}`, 'computing', k / 7, (k + 1) / 7);
      trace.close();
      return readFileSync(path, 'utf8');
    };
    expect(write()).toBe(write());
  });

  it('appears on close only, and leaves no temporary file', () => {
    writeFileSync(path, 'before');
    const trace = new ChromeTrace(path);
    trace.slice(0, 'compute', 'computing', 0, 1);
    expect(readFileSync(path, 'utf8')).toBe('before');
    expect(readdirSync(folder).filter((name) => /^trace\.json\..*\.tmp$/.test(name))).toHaveLength(1);
    trace.close();
    trace.close();
    expect(events('X')).toHaveLength(1);
    expect(readdirSync(folder)).toEqual(['trace.json']);
  });

  it('is unchanged after abort', () => {
    writeFileSync(path, 'before');
    const trace = new ChromeTrace(path);
    for (let k = 0; k < 5000; k++) trace.slice(0, 'compute', 'computing', k, k + 1);
    trace.abort();
    trace.abort();
    expect(readFileSync(path, 'utf8')).toBe('before');
    expect(readdirSync(folder)).toEqual(['trace.json']);
  });

  it('is written through a link and to a device', () => {
    writeFileSync(path, 'before');
    const alias = join(folder, 'alias.json');
    symlinkSync(path, alias);
    new ChromeTrace(alias).close();
    expect(events()).toHaveLength(1);
    rmSync(alias);
    if (process.platform !== 'win32') {
      new ChromeTrace('/dev/null').close();
      expect(readdirSync('/dev').filter((name) => name.endsWith('.tmp'))).toEqual([]);
    }
  });

  it('that cannot be written is an input error', () => {
    expect(() => new ChromeTrace(join(folder, 'missing', 'trace.json'))).toThrow(InputError);
    expect(() => new ChromeTrace(folder)).toThrow(/OUT001 cannot be written: EISDIR/);
  });
});

describe('times', () => {
  it.each([
    [0, '0'],
    [1, '1000000'],
    [1e-6, '1'],
    [1.5e-6, '1.5'],
    [1e-9, '0.001'],
    [1.25e-8, '0.0125'],
    [0.1 + 0.2, '300000.00000000004'],
    [123456.789, '123456789000'],
    [5e-324, `0.${'0'.repeat(317)}5`],
    [1e21, '1000000000000000000000000000'],
    [-1e-6, '-1'],
  ])('%d s is %s us', (seconds, text) => expect(microseconds(seconds)).toBe(text));

  it('keep every digit', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1e9, noNaN: true }), (x) => {
        expect(Number(`${microseconds(x)}e-6`)).toBe(x);
        expect(Number(decimal(x))).toBe(x);
        expect(microseconds(x)).toMatch(/^(0|[1-9]\d*)(\.\d+)?$/);
      }),
    );
  });

  it('that are not numbers are rejected', () => expect(() => microseconds(Number.NaN)).toThrow(RangeError));
});

describe('slices', () => {
  it('in sequence do not overlap, in doubles or in whole nanoseconds', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 1e-12, max: 10, noNaN: true }), { minLength: 1 }), (lengths) => {
        const trace = new ChromeTrace(path);
        let time = 0;
        const given: number[] = [];
        for (const length of lengths) {
          trace.slice(0, 'compute', 'computing', time, time + length);
          given.push(length);
          time += length;
        }
        trace.close();
        const all = events('X');
        all.forEach((e, k) => {
          expect(e.dur).toBeGreaterThanOrEqual(0);
          expect(Math.abs(e.dur - given[k]! * 1e6)).toBeLessThanOrEqual(1.01e-3 + 1e-15 * e.ts);
          const next = all[k + 1];
          if (next === undefined) return;
          expect(e.ts + e.dur).toBeLessThanOrEqual(next.ts);
          expect(Math.floor(e.ts * 1000) + Math.floor(e.dur * 1000)).toBeLessThanOrEqual(Math.floor(next.ts * 1000));
        });
      }),
      { numRuns: effort(200) },
    );
  });
});

describe('arrows', () => {
  /** The slice to which Perfetto binds a flow: the latest one of the thread, by time and then by position in the file. */
  function bound(all: readonly Event[], flow: Event): Event | undefined {
    const before = all
      .map((event, index) => ({ event, index, ns: Math.floor(event.ts * 1000) }))
      .filter(({ event }) => event.tid === flow.tid && (event.ph === 'X' || event === flow))
      .sort((a, b) => a.ns - b.ns || a.index - b.index);
    const at = before.findIndex(({ event }) => event === flow);
    return before[at - 1]?.event;
  }

  it('are inside the slices that they connect', () => {
    const length = fc.double({ min: 1e-10, max: 1e-3, noNaN: true });
    const message = fc.record({
      compute: length,
      transfer: length,
      late: fc.double({ min: 0, max: 1e-3, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.array(message, { minLength: 1, maxLength: 20 }), (messages) => {
        const trace = new ChromeTrace(path);
        let time = 0;
        for (const { compute, transfer, late } of messages) {
          const start = time + compute;
          const end = start + transfer;
          trace.slice(0, 'compute', 'computing', time, start);
          if (late > 0) trace.slice(1, 'recv', 'waiting', time, start);
          else trace.slice(1, 'compute', 'computing', time, start);
          trace.slice(0, 'send', 'communicating', start, end);
          trace.slice(1, 'recv', 'communicating', start, end);
          trace.arrow(0, start, 1, end, 'message');
          time = end;
        }
        trace.close();
        const all = events().filter((e) => e.ph !== 'M');
        const tails = all.filter((e) => e.ph === 's');
        const heads = all.filter((e) => e.ph === 'f');
        const ends = all.filter((e) => e.cat === 'communicating');
        expect(tails.map((e) => e.id)).toEqual(messages.map((_, k) => k + 1));
        expect(heads.map((e) => e.id)).toEqual(tails.map((e) => e.id));
        messages.forEach((_, k) => {
          const [send, receive] = [ends[2 * k]!, ends[2 * k + 1]!];
          for (const [flow, slice] of [
            [tails[k]!, send],
            [heads[k]!, receive],
          ] as const) {
            expect(flow.ts).toBeGreaterThanOrEqual(slice.ts);
            expect(flow.ts).toBeLessThan(
              all.find((e) => e.tid === slice.tid && e.ph === 'X' && e.ts > slice.ts)?.ts ?? Infinity,
            );
            expect(bound(all, flow)).toBe(slice);
          }
          expect(heads[k]!.ts).toBeGreaterThanOrEqual(tails[k]!.ts);
          expect(heads[k]!.bp).toBe('e');
        });
      }),
      { numRuns: effort(100) },
    );
  });

  it('from a rank without a slice bind to its first slice', () => {
    const trace = new ChromeTrace(path);
    trace.slice(1, 'recv', 'communicating', 0, 2e-6);
    trace.arrow(0, 0, 1, 2e-6, 'early');
    trace.slice(0, 'compute', 'computing', 0, 5e-6);
    trace.close();
    const all = events();
    expect(bound(all, events('s').map((e) => all.find((x) => x.ph === e.ph)!)[0]!)?.name).toBe('compute');
  });

  it('never point back in time', () => {
    const trace = new ChromeTrace(path);
    trace.slice(0, 'compute', 'computing', 0, 1);
    trace.slice(1, 'recv', 'waiting', 0, 2);
    trace.slice(0, 'send', 'communicating', 1, 3);
    trace.arrow(0, 2, 1, 2, 'instantly');
    trace.close();
    expect(events('f')[0]!.ts).toBe(events('s')[0]!.ts);
  });
});

it('writes a million events in bounded memory', () => {
  const trace = new ChromeTrace(path);
  const before = process.memoryUsage().heapUsed;
  for (let k = 0; k < 1_000_000; k++)
    trace.slice(k & 63, 'compute', 'computing', (k >> 6) * 1e-5, ((k >> 6) + 1) * 1e-5);
  expect(process.memoryUsage().heapUsed - before).toBeLessThan(100e6);
  trace.abort();
});
