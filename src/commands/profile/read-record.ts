import { type ClockAlignment, ClockSurvey } from '../../analysis/efficiency/clock-survey.ts';
import { ProfileMeter, type ProfileMeterOptions } from '../../analysis/efficiency/profile-meter.ts';
import { given } from '../../base/given.ts';
import { fail } from '../../base/problem.ts';
import { PRODUCT } from '../../base/version.ts';
import type { RunConsumer } from '../../trace/run/batch.ts';
import type { Clocks, SkewedMessages } from '../../trace/run/checks/clocks.ts';
import type { Growth, ReadOptions } from '../../trace/run/checks/run-checker.ts';
import { type RecordFiles, readRun } from '../../trace/run/read-run.ts';
import type { RunEnd } from '../../trace/run/run-schema.ts';
import { RunWindow, type Window } from '../../trace/run/run-window.ts';

/** A measured record, with the corrections of its clocks. */
export interface MeasuredRecord {
  readonly meter: ProfileMeter;
  readonly alignment?: ClockAlignment & { readonly remaining: SkewedMessages };
}

interface RecordOptions extends ProfileMeterOptions {
  readonly messages?: RecordFiles;
  readonly align?: boolean;
  readonly from?: Moment;
  readonly to?: Moment;
  /** The record may still be written. */
  readonly growing?: Growth;
}

/**
 * Reads a record and measures it: once as a rule; before that, once to align clocks and once for a window in per cent of the
 * run; after that, once more if a node has several stays, to which its states are then cut.
 */
export function measureRecord(files: RecordFiles, options: RecordOptions): MeasuredRecord {
  const { messages } = options;
  const read = (consumer: RunConsumer, how: ReadOptions): void =>
    readRun(files, messages, PRODUCT, consumer, { ...how, ...given(options, ['growing']) });
  let alignment: ClockAlignment | undefined;
  if (options.align === true) {
    const survey = new ClockSurvey();
    read(survey, { clocks: {} });
    alignment = survey.alignment();
  }
  const clocks = (remaining: SkewedMessages): { readonly clocks?: Clocks } =>
    alignment === undefined ? {} : { clocks: { shifts: alignment.shifts, remaining } };
  const window = windowOf(options, () => {
    const extent = new Extent();
    read(extent, clocks({ count: 0, seconds: 0 }));
    return extent;
  });
  const remaining = { count: 0, seconds: 0 };
  const measured = (how: Pick<ReadOptions, 'stays'>, into: SkewedMessages): ProfileMeter => {
    const meter = new ProfileMeter({ ...options, ...how, ...(window === undefined ? {} : { window }) });
    read(window === undefined ? meter : new RunWindow(meter, window), { ...how, ...clocks(into) });
    return meter;
  };
  let meter = measured({}, remaining);
  const stays = new Map([...meter.stays].filter(([, list]) => list.length > 1));
  if (stays.size > 0) meter = measured({ stays }, { count: 0, seconds: 0 });
  return { meter, ...(alignment === undefined ? {} : { alignment: { ...alignment, remaining } }) };
}

/** Passes a record on, or the part of it that the options ask for, with its clocks aligned if they ask for it. */
export function copyRecord(
  files: RecordFiles,
  options: Pick<RecordOptions, 'messages' | 'align' | 'from' | 'to' | 'growing'>,
  to: RunConsumer,
): void {
  let shifts: ClockAlignment['shifts'] | undefined;
  const read = (consumer: RunConsumer): void =>
    readRun(files, options.messages, PRODUCT, consumer, {
      ...given(options, ['growing']),
      ...(shifts === undefined ? {} : { clocks: { shifts, remaining: { count: 0, seconds: 0 } } }),
    });
  if (options.align === true) {
    const survey = new ClockSurvey();
    readRun(files, options.messages, PRODUCT, survey, { clocks: {} });
    shifts = survey.alignment().shifts;
  }
  const window = windowOf(options, () => {
    const extent = new Extent();
    read(extent);
    return extent;
  });
  read(window === undefined ? to : new RunWindow(to, window));
}

/** Begin and end of a run. */
class Extent implements RunConsumer {
  #first = Number.POSITIVE_INFINITY;
  to = 0;

  get from(): number {
    return Number.isFinite(this.#first) ? this.#first : 0;
  }

  head(): void {}
  name(): void {}

  batch({ table, columns, count }: Parameters<RunConsumer['batch']>[0]): void {
    if (table !== 'states') return;
    for (let row = 0; row < count; row++) this.#first = Math.min(this.#first, columns['start']![row]!);
  }

  end({ time }: RunEnd): void {
    this.to = time;
  }
}

/** An instant of a run: seconds, or per cent of the run as in `25%`. */
export type Moment = number | `${number}%`;

/**
 * The part of a run that options ask for; undefined if it is the whole run.
 *
 * @param extent begin and end of the run; called only if they are needed
 * @throws InputError PROF001 for a part that is empty or outside the run
 */
export function windowOf(
  { from, to }: { readonly from?: Moment; readonly to?: Moment },
  extent: () => Window,
): Window | undefined {
  if (from === undefined && to === undefined) return undefined;
  const run = extent();
  const instant = (moment: Moment | undefined, otherwise: number): number => {
    if (moment === undefined) return otherwise;
    if (typeof moment === 'number') return moment;
    const share = Number.parseFloat(moment) / 100;
    // At 100 % the sum may differ from the end by rounding.
    return share === 1 ? run.to : run.from + (run.to - run.from) * share;
  };
  const window = { from: instant(from, run.from), to: instant(to, run.to) };
  for (const name of ['from', 'to'] as const)
    if (!(window[name] >= run.from && window[name] <= run.to))
      fail(
        'PROF001',
        `${name}: expected an instant of the run, from ${run.from} to ${run.to} s, got ${window[name]} s`,
      );
  if (!(window.from < window.to))
    fail('PROF001', `from ${window.from} s to ${window.to} s: expected a time that begins before it ends`);
  return { ...window, isLast: window.to === run.to };
}
