import { extname } from 'node:path';
import type { ProfileMeter } from '../../analysis/efficiency/profile-meter.ts';
import { finiteDocument } from '../../base/finite-figures.ts';
import { given } from '../../base/given.ts';
import type { Problem } from '../../base/problem.ts';
import { fail } from '../../base/problem.ts';
import { PRODUCT } from '../../base/version.ts';
import type { Growth } from '../../trace/run/checks/run-checker.ts';
import { longRunWarning } from '../../trace/run/checks/run-ranges.ts';
import type { RecordFiles } from '../../trace/run/read-run.ts';
import { inputFiles } from '../inputs/inputs.ts';
import { assembleProfile, MAX_SPANS } from './assemble.ts';
import type { ProfileComparison, ProfileDocument } from './profile-document.ts';
import type { ProfileOptions } from './profile-options.ts';
import { measureRecord } from './read-record.ts';

/**
 * Profiles a run record: time by call, node states, wait states, and productive and lost time over nested intervals.
 *
 * @param input path of a run record: .ftrun, .jsonl, or the states of a run as .csv; paths, if the run has a file for each host
 * @throws InputError REC001 to REC010 for the record, PROF001 to PROF003 for options that do not fit it
 */
export function profileRun(input: RecordFiles, options: ProfileOptions = {}): ProfileDocument {
  return profileRecord(input, options);
}

/** As {@link profileRun}. @param growing the record may still be written */
export function profileRecord(input: RecordFiles, options: ProfileOptions, growing?: Growth): ProfileDocument {
  const { meter, alignment } = measureRecord(input, {
    ...given(options, MEASURED),
    maxSpans: MAX_SPANS,
    ...(growing === undefined ? {} : { growing }),
  });
  const files = [input].flat();
  const isCsv = extname(files[0]!).toLowerCase() === '.csv';
  const document = profileDocument(
    meter,
    { ...filesOf(isCsv ? 'states' : 'run', files), ...filesOf('messages', [options.messages ?? []].flat()) },
    options,
  );
  if (alignment === undefined) return document;
  const { shifts, residual, skewed, remaining } = alignment;
  return finiteDocument({
    ...document,
    clocks: {
      shifts,
      residual: { value: residual, unit: 's' },
      skewedMessages: { before: skewed, after: remaining.count },
    },
  });
}

const MEASURED = ['messages', 'align', 'from', 'to', 'at'] as const;

/** Input files by their role: one, or a list of several. */
function filesOf(role: string, files: readonly string[]): ProfileDocument['inputs'] {
  const found = files.flatMap((file) => inputFiles({ file }).file ?? []);
  return found.length === 0 ? {} : { [role]: found.length === 1 ? found[0]! : found };
}

/** The document of a measured run. */
export function profileDocument(
  meter: ProfileMeter,
  inputs: ProfileDocument['inputs'],
  options: Omit<ProfileOptions, 'messages'>,
): ProfileDocument {
  const { head_: head, end_: end, efficiency } = meter;
  checkOptions(meter, options);
  const measured = assembleProfile(meter, options);
  const compared = comparison(measured.figures.productiveTime.value, options);
  return finiteDocument({
    format: 'foretoken',
    version: 1,
    kind: 'profile',
    product: PRODUCT,
    ...(head.seed === undefined ? {} : { seed: head.seed }),
    complete: end.complete,
    inputs,
    options: {
      ...given(options as Omit<ProfileOptions, 'processes' | 'messages'>, [
        'align',
        'from',
        'to',
        'at',
        'level',
        'interval',
        'loopIntervals',
        'oneProcessor',
        'sequential',
      ]),
      ...(options.processes === undefined ? {} : { processes: options.processes.join(',') }),
    },
    program: head.program,
    origin: head.origin,
    ...(meter.window === undefined ? {} : { window: { from: meter.window.from, to: meter.window.to } }),
    ...measured,
    ...(compared === undefined ? {} : { comparison: compared }),
    warnings: [
      ...(Number.isFinite(efficiency.begin) ? [] : [{ code: 'PROF004', message: 'the record has no states' } as const]),
      ...longRun(meter),
      ...meter.suspended.map(
        ({ process, state, from, to }): Problem => ({
          code: 'PROF007',
          message: `process ${process} is in state ${state} while its node does not take part, from ${from} to ${to} s: this time counts for the process, not for the node`,
        }),
      ),
      ...end.notes.map((message): Problem => ({ code: 'PROF005', message })),
    ],
  });
}

/** A recorded run of improbable length: its times are probably in another unit than seconds. */
function longRun({ head_: head, end_: end, begin }: ProfileMeter): Problem[] {
  const message = head.origin === 'recorded' ? longRunWarning(end.time - begin) : undefined;
  return message === undefined ? [] : [{ code: 'REC012', message }];
}

/** @throws InputError PROF001 to PROF003 */
function checkOptions({ head_: head, end_: end, begin, efficiency }: ProfileMeter, options: ProfileOptions): void {
  const { at, processes, interval } = options;
  if (at !== undefined && !(at >= begin && at <= end.time))
    fail('PROF001', `at: expected an instant of the run, from ${begin} to ${end.time} s, got ${at}`);
  for (const process of processes ?? [])
    if (!(process < head.processes))
      fail('PROF002', `process: expected a number below ${head.processes}, got ${process}`);
  if (interval !== undefined && !efficiency.tree.has(interval))
    fail(
      'PROF003',
      `interval: the run has no interval ${JSON.stringify(interval)}.${efficiency.tree.nearest(interval)}`,
    );
}

/** Measured times next to the forecast of one processor, the productive time. */
function comparison(forecast: number, options: ProfileOptions): ProfileDocument['comparison'] {
  const against = (measured: number | undefined): ProfileComparison | undefined =>
    measured === undefined
      ? undefined
      : {
          measured: { value: measured, unit: 's' },
          forecast: { value: forecast, unit: 's' },
          difference: { value: forecast / measured - 1, unit: '1' },
        };
  const oneProcessor = against(options.oneProcessor);
  const sequential = against(options.sequential);
  if (oneProcessor === undefined && sequential === undefined) return undefined;
  return {
    ...(oneProcessor === undefined ? {} : { oneProcessor }),
    ...(sequential === undefined ? {} : { sequential }),
  };
}
