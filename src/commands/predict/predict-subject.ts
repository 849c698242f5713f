import { fail, type Problem } from '../../base/problem.ts';
import { createPlatform } from '../../machine/platform.ts';
import { ChromeTrace } from '../../trace/chrome.ts';
import { outputsOf } from '../../trace/run/write-run.ts';
import { exactFigures } from '../exact/exact-figures.ts';
import { named } from '../inputs/check-options.ts';
import { type ByKind, byKind, type InputOf } from '../inputs/input.ts';
import { assertTraceInput } from '../inputs/input-kinds.ts';
import type { ReadSchedule } from '../inputs/net-file.ts';
import type { KindsOf } from '../inputs/option-rows.ts';
import { readTarget } from '../inputs/target.ts';
import { checkOutputs } from '../output.ts';
import { chosenLogGops, scheduleLogGops } from '../subjects/loggops-network.ts';
import { notesOf } from './document.ts';
import { lumpedModel } from './lumping/lumped-model.ts';
import { modelSubject } from './model/model-subject.ts';
import { scheduledModel } from './model/scheduled-model.ts';
import { mapModel } from './model/stages.ts';
import { netSubject } from './net-subject.ts';
import type { PredictOptions } from './options.ts';
import type { PredictionDocument } from './prediction.ts';
import { quotientsOf } from './replications/replicated-means.ts';
import { type Replicate, ReplicationTally, replicationPlan } from './replications/replications.ts';
import { type RunOutput, runOutput } from './run-output.ts';
import type { Subject } from './subject.ts';
import { threadModelNet } from './threads/thread-model-net.ts';
import { threadSubject } from './threads/thread-subject.ts';
import { scheduledTrace } from './trace/scheduled-trace.ts';
import { traceSubject } from './trace/trace-subject.ts';

const MAKERS: ByKind<KindsOf<'predict'>, [PredictOptions], Subject> = {
  model: ({ model }, options) =>
    options.lump === true
      ? lumpedModel(model, options)
      : chosenLogGops(options) === undefined
        ? modelSubject(mapModel(model, options), options)
        : scheduledModel(model, options),
  'thread model': ({ model }, options) => threadSubject(threadModelNet(model, options), options),
  trace: ({ path }, options) => {
    assertTraceInput(path);
    return (chosenLogGops(options) === undefined ? traceSubject : scheduledTrace)(path, options);
  },
  net: ({ readValid, path }, options) => {
    const read = readValid(scheduleLogGops(options, path));
    if (read.schedule === undefined) assertUnwritten(options, path);
    return netSubject(read, path, options, read.schedule && { ...read.schedule, hosts: ranksAsHosts(read.schedule) });
  },
};

/**
 * Reads or builds an input, and maps it onto the machine that the options name.
 *
 * @throws InputError all problems of the input and of the machine
 */
export function subjectOf(input: InputOf<KindsOf<'predict'>>, options: PredictOptions): Subject {
  return byKind(MAKERS, input, options);
}

/**
 * Runs a subject once or in replications, and writes the Chrome trace and the run record that its options ask for. Closes the
 * subject.
 *
 * @param looksForTies adds a warning if ties decide figures; needs more runs
 * @throws InputError APP007 an output that is an input, APP024, APP025 replications, and all problems of the run; files that
 * have been begun are removed then
 */
export function predictSubject(subject: Subject, looksForTies = false): PredictionDocument {
  try {
    return predictOpen(subject, looksForTies);
  } finally {
    subject.close?.();
  }
}

/** As {@link predictSubject}; the subject stays open. */
export function predictOpen(subject: Subject, looksForTies = false): PredictionDocument {
  const { options } = subject;
  const plan = replicationPlan(options);
  checkOutputs(outputsOf(options), subject.files);
  const written = isWritten(options) ? writtenRun(subject) : undefined;
  if (plan === undefined) return completed(subject, written ?? subject.runs()(0), looksForTies);
  const replicate = replicator(subject, looksForTies);
  const tally = new ReplicationTally(plan);
  for (let k = 0; !tally.add(replicate(k)); k++);
  return tally.document()!;
}

/**
 * Returns a function that runs any replication of a subject.
 *
 * @throws InputError APP024 a precision for a subject without random draws
 */
export function replicator(subject: Subject, looksForTies = false): (replication: number) => Replicate {
  const { options, called, exact, place } = subject;
  if (options.precision !== undefined && !isRandom(subject))
    fail('APP024', `${called} has no random parts${exact}: one run is exact`, place);
  const run = subject.runs();
  return (replication) => {
    const found = run(replication);
    if (options.precision !== undefined && found.ended === 'time')
      fail(
        'APP024',
        `${called} ends at the requested time in every run, which a precision cannot narrow: give the number of runs, as in --replications 30, without a precision`,
        place,
      );
    const document = replication === 0 ? completed(subject, found, looksForTies) : found;
    const { complete, deadlock, figures, firings } = document;
    const asPlanned = subject.isOpenEnded === true && document.ended === 'steps' && options.maxSteps !== undefined;
    const ended = (complete && deadlock.length === 0) || asPlanned;
    return {
      seconds: figures.runTime.value,
      ended,
      quotients: quotientsOf(document),
      ...(subject.isOpenEnded === true ? { firings } : {}),
      ...(replication === 0 || !ended ? { document } : {}),
    };
  };
}

/** The document of replication 0, with the results of the other runs that options ask for. */
function completed(subject: Subject, document: PredictionDocument, looksForTies: boolean): PredictionDocument {
  return withExact(subject, withTies(subject, document, looksForTies));
}

/** The document of a subject; if it is that of one run of several possible ones, with note APP053. */
export function withSampleNote(subject: Subject, document: PredictionDocument): PredictionDocument {
  if (!isRandom(subject) || replicationPlan(subject.options) !== undefined) return document;
  return { ...document, ...notesOf([...(document.notes ?? []), drawnOnce(subject)]) };
}

const isRandom = ({ draws, options }: Subject): boolean => draws || options.ties === 'random';

/** Note APP053: why the figures of one run have no interval. */
function drawnOnce({ called, draws, options, explorable, place }: Subject): Problem {
  const why = draws ? 'has random parts' : 'has ties that are broken at random';
  const exact = explorable === undefined || options.exact === true ? '' : ' or --exact';
  return {
    code: 'APP053',
    message: `${called} ${why}: one run is one sample, so no figure${options.exact === true ? ' of this run' : ''} has an interval; use --replications 30${exact}`,
    ...(place === undefined ? {} : { place }),
  };
}

function withExact({ options, explorable }: Subject, document: PredictionDocument): PredictionDocument {
  if (options.exact !== true || explorable === undefined) return document;
  const exact = exactFigures(explorable(), options.cancelled);
  return { ...document, options: { ...document.options, exact: 'yes' }, exact };
}

function withTies(subject: Subject, document: PredictionDocument, looksForTies: boolean): PredictionDocument {
  if (!looksForTies || subject.options.ties === 'random' || subject.tied === undefined) return document;
  return subject.tied(document);
}

/** @throws InputError APP004 an option that writes the ranks of a run */
function assertUnwritten(options: PredictOptions, file: string | undefined): void {
  const name = (['trace', 'run', 'record'] as const).find((option) => options[option] !== undefined);
  if (name === undefined) return;
  fail(
    'APP004',
    `option ${named('predict', name)} does not apply to a net: it belongs to traces, models, thread models and schedules (.goal), which have ranks`,
    file === undefined ? undefined : { file },
  );
}

/** The hosts of a schedule, which names none: each rank is a node. */
function ranksAsHosts({ ranks, operations }: ReadSchedule): NonNullable<Subject['hosts']> {
  const cpus = new Int32Array(ranks).fill(1);
  for (const { rank, cpu } of operations) cpus[rank] = Math.max(cpus[rank]!, cpu + 1);
  const hosts = Array.from(cpus, (cores, rank) => ({ name: `node${rank}`, speed: 1, cores }));
  const platform = createPlatform({ name: 'schedule', hosts, links: [], route: () => 'A schedule has no links.' });
  return { target: readTarget({ machine: platform }), placement: Int32Array.from(cpus.keys()) };
}

const isWritten = ({ trace, run, record }: PredictOptions): boolean =>
  trace !== undefined || run !== undefined || record !== undefined;

/** Runs replication 0, and writes the requested Chrome trace and run record. */
function writtenRun(subject: Subject): PredictionDocument {
  const { options, name, hosts, sites } = subject;
  let chrome: ChromeTrace | undefined;
  let record: RunOutput | undefined;
  try {
    record =
      hosts === undefined
        ? undefined
        : runOutput(options, name, { ...hosts, ...(sites === undefined ? {} : { sites }) });
    chrome = options.trace === undefined ? undefined : new ChromeTrace(options.trace);
    const run = subject.runs({
      ...(chrome === undefined ? {} : { chrome }),
      ...(record === undefined ? {} : { recorder: record.recorder }),
    });
    const document = run(0);
    record?.finish(document);
    chrome?.close();
    return document;
  } catch (e) {
    record?.abort();
    chrome?.abort();
    throw e;
  }
}
