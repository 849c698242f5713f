import { readInput } from '../../base/input-file.ts';
import { fail, type Place, quote } from '../../base/problem.ts';
import { MAX_SECONDS } from '../run/checks/run-ranges.ts';
import { type SpanNames, type SpanState, SpanStates } from './span-states.ts';
import { WHOLE_RUN } from './worker-csv.ts';
import { type ReadWorkers, WorkerSpans } from './worker-spans.ts';
import type { WorkerConsumer, WorkerState } from './worker-states.ts';

/** Maximum file size in bytes: the limit of JavaScript strings. */
const MAX_BYTES = 2 ** 29 - 1;

/** A span of a thread, in seconds. */
interface Span {
  readonly start: number;
  readonly end: number;
  readonly state: SpanState;
}

/** A span that has begun (B). */
interface Begun {
  readonly name: string;
  readonly categories: readonly string[];
  readonly start: number;
  readonly index: number;
}

/** An event as it is in the file. */
interface Event {
  readonly ph?: unknown;
  readonly name?: unknown;
  /** Categories, by commas. */
  readonly cat?: unknown;
  readonly ts?: unknown;
  readonly dur?: unknown;
  readonly pid?: unknown;
  readonly tid?: unknown;
}

/**
 * Reads the workers of a Chrome trace (Trace Event Format, Google 2016): each thread with spans whose names or categories have a state is
 * a worker; other spans are left out. Complete events (`X`) and pairs of `B` and `E` are spans. The run is one region.
 * Memory: O(size of the file).
 *
 * Workers are named `PID:TID`.
 *
 * @throws InputError REC001 not readable, REC002 not a Chrome trace, REC005 an event without a time, WRK001 for an
 * impossible sequence of spans, WRK002 for overlapping spans, WRK005 if there is no span of a worker
 */
export function readWorkerChrome(
  path: string,
  states: SpanNames,
  gap: WorkerState,
  consumer: WorkerConsumer,
): ReadWorkers {
  const place: Place = { file: path };
  const threads = new Map<string, Span[]>();
  const names = new SpanStates(states, place);
  const open = new Map<string, Begun[]>();
  eventsOf(path).forEach((event, index) => {
    if (typeof event !== 'object' || event === null) fail('REC005', `event ${index}: expected an object`, place);
    const { ph, name, cat, ts, dur, pid, tid } = event;
    if (ph !== 'X' && ph !== 'B' && ph !== 'E') return;
    const seconds = (value: unknown, field: string): number => {
      if (typeof value === 'number' && Math.abs(value) <= 1e6 * MAX_SECONDS) return value / 1e6;
      const fault =
        value === undefined
          ? 'is missing: expected microseconds'
          : `expected microseconds, got ${quote(String(value))}`;
      return fail('REC005', `event ${index}: ${field}: ${fault}`, place);
    };
    const thread = `${String(pid ?? 0)}:${String(tid ?? 0)}`;
    const categories = typeof cat === 'string' ? cat.split(',') : [];
    const add = (of: string, its: readonly string[], start: number, end: number): void => {
      const state = names.of({ names: [of], categories: its });
      if (state === undefined) return;
      if (end < start)
        fail('REC006', `event ${index}: the span ends at ${end} s, before it begins at ${start} s`, place);
      const spans = threads.get(thread) ?? [];
      threads.set(thread, spans);
      spans.push({ start, end, state });
    };
    const start = seconds(ts, 'ts');
    if (ph === 'X') add(String(name), categories, start, start + seconds(dur ?? 0, 'dur'));
    else if (ph === 'B') {
      const begun = open.get(thread);
      if (begun === undefined) open.set(thread, [{ name: String(name), categories, start, index }]);
      else begun.push({ name: String(name), categories, start, index });
    } else {
      const begun = open.get(thread)?.pop();
      if (begun === undefined)
        fail('REC009', `event ${index}: an end (E) without a begin (B) on thread ${thread}`, place);
      add(begun.name, begun.categories, begun.start, start);
    }
  });
  for (const [thread, [begun]] of open)
    if (begun !== undefined)
      fail(
        'REC009',
        `event ${begun.index}: the span ${quote(begun.name)} of thread ${thread} begins (B) and never ends: expected an event E`,
        place,
      );
  if (threads.size === 0)
    fail('WRK005', `has no spans of workers: expected one of the names ${Object.keys(states).join(', ')}`, place);
  const spans = new WorkerSpans(consumer, gap);
  [...threads].forEach(([thread, list], worker) => {
    list.sort((a, b) => a.start - b.start || a.end - b.end);
    for (const { start, end, state } of list)
      spans.add(worker, thread, WHOLE_RUN, state.state, start, end, place, undefined, state.own);
  });
  return { names: [...threads.keys()], warnings: names.unmatched() };
}

function eventsOf(path: string): readonly Event[] {
  const place: Place = { file: path };
  const text = readInput(path, { code: 'REC001', limit: MAX_BYTES }).toString('utf8');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return fail('REC002', 'is not JSON: expected a Chrome trace', place);
  }
  const events = Array.isArray(value) ? value : (value as { traceEvents?: unknown } | null)?.traceEvents;
  return Array.isArray(events) ? events : fail('REC002', 'has no list traceEvents: expected a Chrome trace', place);
}
