import { formatPath, RUN_STATES, TABLES } from '../../trace/run/run-schema.ts';
import type { PageRecord, Range } from './page-record.ts';

/** A duration that a histogram counts. */
export interface Duration {
  readonly process: number;
  readonly start: number;
  readonly end: number;
}

/** A kind of durations: states of processes, calls of a name, executions of an interval, or messages. */
export interface DurationKind {
  readonly name: string;
  /** Passes on each of them that begins in a part of the run. */
  readonly each: (range: Range, take: (process: number, start: number, end: number) => void) => void;
}

/** The kinds of durations of a record, those with rows only. O(rows of the intervals). */
export function durationKinds(record: PageRecord): DurationKind[] {
  return [...states(record), ...calls(record), ...messages(record), ...intervals(record)];
}

const isIn = (time: number, { from, to }: Range): boolean => time >= from && time <= to;

function states({ spans }: PageRecord): DurationKind[] {
  const seen = new Set<number>();
  for (const { state } of spans) for (const of of state) seen.add(of);
  return [...seen]
    .sort((a, b) => a - b)
    .map((wanted) => ({
      name: `State: ${RUN_STATES[wanted]}`,
      each: (range, take) => {
        spans.forEach(({ start, end, state }, process) => {
          for (let k = 0; k < start.length; k++)
            if (state[k] === wanted && isIn(start[k]!, range)) take(process, start[k]!, end[k]!);
        });
      },
    }));
}

function calls({ calls: rows, names }: PageRecord): DurationKind[] {
  const [process, start, end, call] = ['process', 'start', 'end', 'call'].map((name) => rows.column(name));
  const seen = new Set<number>();
  for (let k = 0; k < rows.count; k++) seen.add(call![k]!);
  return [...seen]
    .map((index) => ({ index, name: names[index]! }))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ index, name }) => ({
      name: `Call: ${name}`,
      each: (range, take) => {
        for (let k = 0; k < rows.count; k++)
          if (call![k] === index && isIn(start![k]!, range)) take(process![k]!, start![k]!, end![k]!);
      },
    }));
}

function messages({ messages: rows }: PageRecord): DurationKind[] {
  if (rows.count === 0) return [];
  const [source, sent, received] = ['source', 'sent', 'received'].map((name) => rows.column(name));
  return [
    {
      name: 'Messages: from sending to receiving',
      each: (range, take) => {
        for (let k = 0; k < rows.count; k++) if (isIn(sent![k]!, range)) take(source![k]!, sent![k]!, received![k]!);
      },
    },
  ];
}

/** Intervals by their path without the numbers of executions, so that all executions are one kind. */
function intervals(record: PageRecord): DurationKind[] {
  const found = new Map<string, Duration[]>();
  record.rowsOf(
    'intervals',
    TABLES.intervals.map(({ name }) => name),
    ({ columns, paths, count }) => {
      const names = paths.map((path) => formatPath(path.map(({ execution: _, ...step }) => step)));
      const [process, interval, start, end] = ['process', 'interval', 'start', 'end'].map((name) => columns[name]!);
      for (let k = 0; k < count; k++) {
        const name = names[interval![k]!]!;
        const list = found.get(name) ?? [];
        list.push({ process: process![k]!, start: start![k]!, end: end![k]! });
        found.set(name, list);
      }
    },
  );
  return [...found].map(([name, list]) => ({
    name: `Interval: ${name}`,
    each: (range, take) => {
      for (const { process, start, end } of list) if (isIn(start, range)) take(process, start, end);
    },
  }));
}

/** A bar of a histogram: durations from `from`, up to `to` without it; the first bar has those of no length. */
export interface Bar {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

/** Bars in a decade. */
const PER_DECADE = 6;

/** Index of the bar of a duration: 0 for no length, then logarithmic. */
export const barOf = (seconds: number): number =>
  seconds <= 0 ? 0 : Math.floor(Math.log10(seconds) * PER_DECADE) + 1 + 40 * PER_DECADE;

/** Bars of a kind of durations, from the first to the last that is not empty; bars are equally wide in logarithms. */
export function barsOf(kind: DurationKind, range: Range): (Bar & { readonly index: number })[] {
  const counts = new Map<number, number>();
  kind.each(range, (_, start, end) => {
    const at = barOf(end - start);
    counts.set(at, (counts.get(at) ?? 0) + 1);
  });
  const edge = (index: number): number => 10 ** ((index - 1 - 40 * PER_DECADE) / PER_DECADE);
  const full = [...counts.keys()].filter((index) => index > 0).sort((a, b) => a - b);
  const zero = counts.get(0) ?? 0;
  const bars = zero === 0 ? [] : [{ index: 0, from: 0, to: 0, count: zero }];
  for (let index = full[0] ?? 1; index <= (full.at(-1) ?? 0); index++)
    bars.push({ index, from: edge(index), to: edge(index + 1), count: counts.get(index) ?? 0 });
  return bars;
}
