import { given } from '../../base/given.ts';
import { formatProblem, InputError, type Problem, unlessRejected } from '../../base/problem.ts';
import type { Net } from '../../net/net.ts';
import { counted, formatSeconds } from '../../report/units.ts';
import { netOfInput } from '../convert/convert.ts';
import type { ConvertOptions } from '../convert/convert-options.ts';
import { diagnoseModel } from '../diagnose/diagnose-model.ts';
import { diagnosisJson } from '../diagnose/diagnose-view.ts';
import type { DiagnoseModelOptions } from '../diagnose/diagnosis-options.ts';
import { checkOptions } from '../inputs/check-options.ts';
import { type ByKind, byKind, type InputOf, type ReadNet } from '../inputs/input.ts';
import { assertReadAgain } from '../inputs/input-kinds.ts';
import { type InputKind, type KindsOf, THREAD_OPTIONS } from '../inputs/option-rows.ts';
import { machineFiles } from '../inputs/target.ts';
import { DEFAULT_SEED } from '../predict/document.ts';
import type { PredictOptions } from '../predict/options.ts';
import { assertSingle, checkedOptions, predictInput } from '../predict/predict.ts';
import type { PredictionDocument } from '../predict/prediction.ts';
import { predictionJson } from '../predict/prediction-json.ts';
import { type CompletePart, RecordFollower } from '../profile/follow-record.ts';
import { profileRun } from '../profile/profile.ts';
import type { ProfileDocument, ProfiledStates } from '../profile/profile-document.ts';
import { profileSimulation } from '../profile/profile-program.ts';
import { profileJson } from '../profile/profile-view.ts';
import { copyRecord } from '../profile/read-record.ts';
import { scheduleLogGops } from '../subjects/loggops-network.ts';
import { recordMarking } from './marking-record.ts';
import { type NetPart, type PageNet, pageNet, readWitnesses, withWitnesses } from './page-net.ts';
import { type RecordedRun, recordedRun } from './recorded-run.ts';
import { VIEW_ROWS, type ViewOptions } from './view-options.ts';

/** Sources of a page: documents as `--json` prints them, the main one first. */
export interface Parts {
  readonly title: string;
  readonly texts: readonly string[];
  readonly complete: boolean;
  readonly deadlocked?: boolean;
  readonly record?: RecordedRun;
  readonly net?: PageNet;
  readonly notes?: readonly string[];
  /** Two runs that are compared. */
  readonly pair?: readonly (RecordedRun | undefined)[];
  readonly progress?: string;
}

/** The kind of a document. */
export const kindOf = (text: string): unknown => (JSON.parse(text) as { readonly kind?: unknown }).kind;

/**
 * The parts of the page of an input.
 *
 * @param known a document of this run that need not be made again
 */
export function partsOf(input: InputOf<KindsOf<'view'>>, options: ViewOptions, known?: string): Parts {
  if (!(VIEW_ROWS.otherPrograms as readonly InputKind[]).includes(input.kind)) assertSingle(input, options);
  checkOptions('view', VIEW_ROWS, input, options);
  return byKind(PAGES, input, options, known);
}

/** @param known a document of this run that need not be made again */
type Made<K extends KindsOf<'view'>> = (input: InputOf<K>, options: ViewOptions, known?: string) => Parts;

/** The prediction of an input, unless it is known. */
function predicted(
  input: InputOf<KindsOf<'predict'>>,
  options: PredictOptions,
  known: string | undefined,
): PredictionDocument {
  if (known !== undefined && kindOf(known) === 'prediction') return JSON.parse(known) as PredictionDocument;
  return predictInput(input, checkedOptions(input, { ...options, secondRuns: true }));
}

/**
 * Progress of one of several runs that take about as long as each other.
 *
 * @param runTime length of the run in seconds, if known: the share of a run without a known share follows from it
 */
function partOf(
  { progress }: ViewOptions,
  part: number,
  parts: number,
  runTime = Number.NaN,
): Pick<ViewOptions, 'progress'> {
  if (progress === undefined) return {};
  return {
    progress: ({ time, share }) => {
      const done = Number.isNaN(share) && runTime > 0 ? Math.min(1, time / runTime) : share;
      progress({ time, share: (part + done) / parts });
    },
  };
}

/** The prediction, the profile of its run, and the record of this run. */
const program: Made<'model' | 'thread model' | 'trace'> = (input, options, known) => {
  assertReadAgain('a page', [input.path, ...(options.otherPrograms ?? []), ...Object.values(machineFiles(options))]);
  const { from: _, to: __, processes: ___, messages: ____, align: _____, ...simulation } = options;
  const document = predicted(input, { ...simulation, ...partOf(options, 0, 3) }, known);
  // The run is simulated again for its record, and for the marking of its net: now its length is known.
  const [first, all] = known === undefined ? [1, 3] : [0, 2];
  const { value: runTime } = document.figures.runTime;
  const record = recordedRun(options.processes);
  const profile = profileSimulation(
    input,
    { ...simulation, ...partOf(options, first, all, runTime), ...given(options, ['from', 'to', 'processes']) },
    record.consumer,
  );
  const last = { ...simulation, ...partOf(options, all - 1, all, runTime) };
  const { net, notes } = withMarking(netPart(input, simulation), input, last, document);
  return {
    title: document.options.model ?? document.jobs?.map(({ name }) => name).join(' + ') ?? input.label,
    texts: [predictionJson(document), profileJson(withoutSpans(profile, record))],
    complete: document.complete,
    deadlocked: document.deadlock.length > 0,
    record,
    ...(net === undefined ? {} : { net }),
    notes,
  };
};

/** The record of a simulated run of processes. */
const recordOf = (input: InputOf<'model' | 'thread model' | 'trace'>, options: ViewOptions): RecordedRun => {
  const record = recordedRun();
  profileSimulation(input, options, record.consumer);
  return record;
};

/** The run that a comparison shows of an input. The options are those of the simulated one of two: a record has no others. */
const RECORDED_RUNS: ByKind<KindsOf<'view'>, [ViewOptions], RecordedRun | undefined> = {
  model: recordOf,
  'thread model': recordOf,
  trace: recordOf,
  net: () => undefined,
  'run record': ({ files }) => {
    const record = recordedRun();
    copyRecord(files, {}, record.consumer);
    return record;
  },
};

/** As {@link program}, with the diagnosis of the workers. */
const pool: Made<'thread model'> = (input, options, known) => {
  const parts = program(input, options, known);
  try {
    const own = given(options, ['machine', 'set', 'seed', ...THREAD_OPTIONS]) as DiagnoseModelOptions;
    return { ...parts, texts: [...parts.texts, diagnosisJson(diagnoseModel(input.model, own))] };
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    return { ...parts, notes: [...(parts.notes ?? []), `Workers are not diagnosed: ${error.problems[0]!.message}`] };
  }
};

/** The net of an input for the token game. */
const netPart = (input: InputOf<KindsOf<'convert'>>, options: ViewOptions, positions?: ReadNet['positions']): NetPart =>
  pageNet(() => netOf(input, options), positions);

function netOf(input: InputOf<KindsOf<'convert'>>, options: ViewOptions): Net {
  const {
    from: _,
    to: __,
    processes: ___,
    until: ____,
    maxSteps: _____,
    seed: ______,
    witness: _______,
    progress: ________,
    ...machine
  } = options;
  return netOfInput(input, machine as ConvertOptions, []);
}

/** The net of a run with its marking at each instant; a note where the page cannot have it. */
function withMarking(
  part: NetPart,
  input: InputOf<'model' | 'thread model' | 'trace'>,
  options: ViewOptions,
  { firings }: { readonly firings?: unknown },
): NetPart {
  const { net } = part;
  if (net === undefined) return part;
  const { progress, cancelled } = options;
  const found = recordMarking(netOf(input, options), options.seed ?? DEFAULT_SEED, firings, {
    ...(progress === undefined ? {} : { progress: (time) => progress({ time, share: Number.NaN }) }),
    ...(cancelled === undefined ? {} : { cancelled }),
  });
  if ('pieces' in found) return { ...part, net: { ...net, marking: found.pieces } };
  return { ...part, notes: [...part.notes, `The marking of the net does not follow the replay: ${found.why}.`] };
}

/** The run that a comparison shows of an input; undefined for a net, which has no processes. */
export const recordedRunOf = (input: InputOf<KindsOf<'view'>>, options: ViewOptions): RecordedRun | undefined =>
  byKind(RECORDED_RUNS, input, options);

/** Problems that a run has met: the net itself is valid. */
const isOfRun = ({ code }: Problem): boolean => code.startsWith('RUN');

const PAGES: ByKind<KindsOf<'view'>, [ViewOptions, known?: string], Parts> = {
  model: program,
  'thread model': pool,
  trace: program,
  net: (input, given, known) => {
    const { witness, ...options } = given;
    const witnesses = witness === undefined ? undefined : readWitnesses(witness);
    const loggops = scheduleLogGops(options, input.path);
    const { net: own, positions, warnings } = input.readValid(loggops);
    let document: PredictionDocument | undefined;
    let why: InputError | undefined;
    try {
      document = predicted(input, options, known);
    } catch (error) {
      if (!(error instanceof InputError && error.problems.every(isOfRun))) throw error;
      why = error;
    }
    const part = loggops === undefined ? netPart(input, options, positions) : pageNet(() => own, positions);
    // A net that cannot be simulated, as one with an endless cycle without delay, can be played by hand.
    if (why !== undefined && part.net === undefined) throw why;
    const { net, notes } = witnesses === undefined ? part : withWitnesses(part, own, witnesses, witness!);
    return {
      title: document?.options.net ?? input.label,
      texts: document === undefined ? [] : [predictionJson(document)],
      complete: document?.complete === true,
      ...(net === undefined ? {} : { net }),
      notes: [
        ...warnings,
        ...(why === undefined ? [] : [`The net is not simulated: ${formatProblem(why.problems[0]!)}`]),
        ...notes,
      ],
    };
  },
  'run record': ({ files, label }, options) => {
    const own = given(options, ['messages', 'align', 'from', 'to', 'processes']);
    try {
      const profile = profileRun(files, own);
      const record = recordedRun(own.processes);
      copyRecord(files, own, record.consumer);
      return { title: label, texts: [profileJson(withoutSpans(profile, record))], complete: profile.complete, record };
    } catch (error) {
      const { processes: _, ...ofWhole } = own;
      const follower =
        Object.keys(ofWhole).length > 0 ? undefined : unlessRejected(() => new RecordFollower(files, false));
      const part = unlessRejected(() => follower?.next());
      if (follower !== undefined && part === undefined && follower.started.length > 0)
        return rowsWithoutFigures(String(files), follower.started, own);
      // Other problems than a missing end.
      if (follower === undefined || part === undefined || part.isComplete) throw error;
      const progress = `The record is cut off: the page shows its part up to ${formatSeconds(part.until)}.`;
      return { ...partOfRecord(String(files), follower, part, own), progress };
    }
  },
};

/** The page of the complete part of a record. */
export function partOfRecord(
  path: string,
  follower: RecordFollower,
  part: CompletePart,
  options: Pick<ViewOptions, 'processes'>,
): Parts {
  const { isComplete, until } = part;
  const record = recordedRun(options.processes);
  copyRecord(path, isComplete ? {} : { to: until, growing: { isComplete } }, record.consumer);
  const profile = follower.profile(part, options);
  return { title: path, texts: [profileJson(withoutSpans(profile, record))], complete: profile.complete, record };
}

/** The page of a record that was cut off before each process has rows: no part of the run is known of all processes. */
function rowsWithoutFigures(
  path: string,
  started: readonly number[],
  { processes }: Pick<ViewOptions, 'processes'>,
): Parts {
  const shown = processes === undefined ? started : started.filter((process) => processes.includes(process));
  const record = recordedRun(shown);
  copyRecord(path, { growing: { isComplete: false } }, record.consumer);
  const progress =
    `The record is cut off before all processes have rows: there are no figures. ` +
    `The page shows the rows of ${counted(shown.length, 'process', 'processes')} that it has.`;
  // The record has no rows of the other processes.
  return { title: path, texts: [], complete: false, record: { ...record, omitted: [] }, notes: [progress], progress };
}

/**
 * A page has the spans of nodes, sockets and processes in its record, from which it restores them where the document is saved. A record of
 * some processes does not have those of the nodes: they stay in the document.
 */
export function withoutSpans(document: ProfileDocument, { part }: Pick<RecordedRun, 'part'>): ProfileDocument {
  if (part?.processes !== undefined) return document;
  const stripped = <T extends ProfiledStates>({ spans: _, ...states }: T): Omit<T, 'spans'> => states;
  const nodes = document.nodes.map(({ sockets, processes, ...node }) => ({
    ...stripped(node),
    sockets: sockets.map(stripped),
    processes: processes.map(stripped),
  }));
  return { ...document, nodes };
}
