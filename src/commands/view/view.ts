import { readFileSync } from 'node:fs';
import { given } from '../../base/given.ts';
import { formatProblem, InputError, type Problem } from '../../base/problem.ts';
import { packageFile } from '../../base/version.ts';
import type { Net } from '../../net/net.ts';
import { type Meanings, meaningsOf } from '../../report/meanings.ts';
import { type PageData, pageFile } from '../../report/page-file.ts';
import type { About } from '../../report/page-parts.ts';
import { formatSeconds } from '../../report/units.ts';
import { netOfInput } from '../convert/convert.ts';
import type { ConvertOptions } from '../convert/convert-options.ts';
import { diagnoseModel } from '../diagnose/diagnose-model.ts';
import { diagnosisJson } from '../diagnose/diagnose-view.ts';
import type { DiagnoseModelOptions } from '../diagnose/diagnosis-options.ts';
import { checkOptions } from '../inputs/check-options.ts';
import { type ByKind, byKind, givenInput, type InputOf, type ReadNet } from '../inputs/input.ts';
import { assertReadAgain } from '../inputs/input-kinds.ts';
import { type Import, openInput } from '../inputs/load-model.ts';
import {
  type InputKind,
  type KindsOf,
  type PooledModel,
  type RankedModel,
  THREAD_OPTIONS,
} from '../inputs/option-rows.ts';
import { machineFiles } from '../inputs/target.ts';
import { DEFAULT_SEED } from '../predict/document.ts';
import type { PredictOptions } from '../predict/options.ts';
import { assertSingle, checkedOptions, predictInput } from '../predict/predict.ts';
import type { PredictionDocument } from '../predict/prediction.ts';
import { predictionJson } from '../predict/prediction-json.ts';
import { RecordFollower } from '../profile/follow-record.ts';
import { profileRun } from '../profile/profile.ts';
import type { ProfileDocument, ProfiledStates } from '../profile/profile-document.ts';
import { profileSimulation } from '../profile/profile-program.ts';
import { profileJson } from '../profile/profile-view.ts';
import { copyRecord } from '../profile/read-record.ts';
import { RESULT_SCHEMAS } from '../schema/result-documents.ts';
import { recordMarking } from './marking-record.ts';
import { type NetPart, type PageNet, pageNet, readWitnesses, withWitnesses } from './page-net.ts';
import { type RecordedRun, recordedRun } from './recorded-run.ts';
import { resultParts, resultText } from './result-page.ts';
import { VIEW_ROWS, type ViewOptions, type ViewOptionsOf } from './view-options.ts';

/** A page, with its title and a description of its contents. */
export interface View {
  /** The file, in UTF-8. */
  readonly html: Uint8Array;
  /** Title of the page. */
  readonly title: string;
  /** Number of spans of processes. */
  readonly spans: number;
  /** Number of messages. */
  readonly messages: number;
  /** False if the run did not complete. */
  readonly complete: boolean;
  /** True if ranks wait forever. */
  readonly deadlocked: boolean;
  /** Of a record that is followed: how far it is complete. */
  readonly progress?: string;
}

/** Sources of a page: documents as `--json` prints them, the main one first. */
interface Parts {
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

/**
 * The page of an input: a model, a trace, a net, a run record (paths, or values), or the path of a result document. The page is one
 * HTML file that requests nothing from any network.
 *
 * @throws InputError the problems of the input, as `predict` and `profile` report them; APP010 for a damaged document
 */
export async function view<I extends string | RankedModel | PooledModel | Net | readonly string[]>(
  input: I,
  options?: ViewOptionsOf<I>,
): Promise<View>;
export async function view(input: unknown, options: ViewOptions = {}): Promise<View> {
  const text = resultText(input);
  if (text !== undefined) return viewOf(await resultParts(text, String(input)));
  return viewOf(partsOf(givenInput('view', input), options));
}

/**
 * As {@link view}, for a file, or the module that exports the input.
 *
 * @param served number of the version, if the page is for a server
 */
export async function viewFile(path: string, options: ViewOptions, load?: Import, served?: number): Promise<View> {
  return viewOf(await fileParts(path, options, load), served);
}

/** Sources of the first screen of a page. */
export interface Viewed extends Pick<View, 'title' | 'complete' | 'deadlocked'> {
  readonly texts: readonly string[];
  readonly notes: readonly string[];
}

/** The first screen of the page of a file. */
export async function viewedFile(path: string, options: ViewOptions, load?: Import): Promise<Viewed> {
  const { title, texts, complete, deadlocked = false, notes = [] } = await fileParts(path, options, load);
  return { title, texts, complete, deadlocked, notes };
}

/** The parts of the page of a file: a result document, or an input. */
async function fileParts(path: string, options: ViewOptions, load?: Import): Promise<Parts> {
  const text = resultText(path);
  if (text !== undefined) return resultParts(text, path, load);
  return partsOf(await openInput('view', path, load), options);
}

/**
 * The page of a document that a command has printed.
 *
 * @param run the run that it describes, which the page shows with it
 */
export async function reportOf(
  text: string,
  run: { readonly path: string; readonly options: ViewOptions } | undefined,
  load?: Import,
): Promise<View> {
  const document = await resultParts(text, undefined, load);
  if (run === undefined) return viewOf(document);
  const { texts, ...parts } = partsOf(await openInput('view', run.path, load), run.options, text);
  const others = texts.filter((other) => kindOf(other) !== kindOf(text));
  // The page has the spans of a profile in its record.
  const isProfile = kindOf(text) === 'profile' && parts.record !== undefined;
  const own = isProfile ? profileJson(withoutSpans(JSON.parse(text) as ProfileDocument)) : text;
  return viewOf({ ...document, ...parts, texts: [own, ...others] });
}

/**
 * The page of a comparison, with the two runs on one time axis.
 *
 * @param paths inputs of the runs; undefined for a run without an input
 */
export async function comparisonOf(
  text: string,
  paths: readonly (string | undefined)[],
  options: ViewOptions,
  load?: Import,
): Promise<View> {
  const notes: string[] = [];
  const pair: (RecordedRun | undefined)[] = [];
  for (const path of paths) {
    const input = path === undefined ? undefined : await openInput('view', path, load);
    const record = input === undefined ? undefined : byKind(RECORDED_RUNS, input, options);
    pair.push(record);
    if (record === undefined)
      notes.push(
        `The timeline of ${path ?? 'a result'} is not shown: only models, traces and run records have a run of processes.`,
      );
  }
  const parts = await resultParts(text, undefined, load);
  return viewOf(pair.includes(undefined) ? { ...parts, notes } : { ...parts, pair });
}

const kindOf = (text: string): unknown => (JSON.parse(text) as { readonly kind?: unknown }).kind;

function partsOf(input: InputOf<KindsOf<'view'>>, options: ViewOptions, known?: string): Parts {
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
 * @param runTime length of the run in seconds, where it is known: a run does not know its share then either
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
  const record = recordedRun();
  const profile = profileSimulation(
    input,
    { ...simulation, ...partOf(options, first, all, runTime), ...given(options, ['from', 'to', 'processes']) },
    record,
  );
  const last = { ...simulation, ...partOf(options, all - 1, all, runTime) };
  const { net, notes } = withMarking(netPart(input, simulation), input, last, document);
  return {
    title: document.options.model ?? document.jobs?.map(({ name }) => name).join(' + ') ?? input.label,
    texts: [predictionJson(document), profileJson(withoutSpans(profile))],
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
  profileSimulation(input, options, record);
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
    copyRecord(files, {}, record);
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

/** Problems that a run has met: the net itself is valid. */
const isOfRun = ({ code }: Problem): boolean => code.startsWith('RUN');

const PAGES: ByKind<KindsOf<'view'>, [ViewOptions, known?: string], Parts> = {
  model: program,
  'thread model': pool,
  trace: program,
  net: (input, given, known) => {
    const { witness, ...options } = given;
    const witnesses = witness === undefined ? undefined : readWitnesses(witness);
    const { net: own, positions, warnings } = input.readValid();
    let document: PredictionDocument | undefined;
    let why: InputError | undefined;
    try {
      document = predicted(input, options, known);
    } catch (error) {
      if (!(error instanceof InputError && error.problems.every(isOfRun))) throw error;
      why = error;
    }
    const part = netPart(input, options, positions);
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
    const profile = profileRun(files, own);
    const record = recordedRun();
    copyRecord(files, own, record);
    return { title: label, texts: [profileJson(withoutSpans(profile))], complete: profile.complete, record };
  },
};

/** A page has the spans of nodes, sockets and processes in its record, from which it restores them where the document is saved. */
function withoutSpans(document: ProfileDocument): ProfileDocument {
  const stripped = <T extends ProfiledStates>({ spans: _, ...states }: T): Omit<T, 'spans'> => states;
  const nodes = document.nodes.map(({ sockets, processes, ...node }) => ({
    ...stripped(node),
    sockets: sockets.map(stripped),
    processes: processes.map(stripped),
  }));
  return { ...document, nodes };
}

/** The page of a record that may still be written: of the part that is complete. */
export async function viewGrowing(path: string, options: ViewOptions, served: number): Promise<View> {
  checkOptions('view', VIEW_ROWS, { kind: 'run record', file: path }, options);
  const follower = new RecordFollower(path);
  const part = follower.next();
  if (part === undefined) {
    const progress = 'Nothing of the record is complete yet: a part is, when each process has rows up to its end.';
    return viewOf({ title: path, texts: [], complete: false, notes: [progress], progress }, served);
  }
  const { isComplete, until } = part;
  const own = given(options, ['processes']);
  const record = recordedRun();
  copyRecord(path, isComplete ? {} : { to: until, growing: { isComplete } }, record);
  const profile = follower.profile(part, own);
  const progress = isComplete ? 'The record is complete.' : `The record is complete up to ${formatSeconds(until)}.`;
  const texts = [profileJson(withoutSpans(profile))];
  return viewOf({ title: path, texts, complete: profile.complete, record, progress }, served);
}

/** Descriptions of the members of a document, from the schema of its kind. The head of the document has its kind. */
function meaningsIn(text: string): [kind: string, Meanings][] {
  const [, kind = ''] = /"kind":\s*"([\w-]+)"/.exec(text.slice(0, 4096)) ?? [];
  if (!Object.hasOwn(RESULT_SCHEMAS, kind)) return [];
  return [[kind, meaningsOf(JSON.parse(readFileSync(packageFile(`schema/${kind}.schema.json`), 'utf8')))]];
}

async function viewOf(parts: Parts, served?: number): Promise<View> {
  const { title, texts, complete, deadlocked = false, record, net, notes = [], progress, pair } = parts;
  const json = (value: unknown): readonly Uint8Array[] => [Buffer.from(JSON.stringify(value))];
  const data: PageData = {
    about: json({ title, notes, ...(served === undefined ? {} : { served }) } satisfies About),
    documents: json(texts),
    ...(record?.overview === undefined ? {} : { overview: [record.overview] }),
    meanings: json(Object.fromEntries(texts.flatMap(meaningsIn))),
    ...(record === undefined ? {} : { record: record.pieces, later: record.later }),
    ...(net === undefined
      ? {}
      : {
          ...(net.marking === undefined ? {} : { marking: net.marking }),
          net: [
            Buffer.from(
              `{"net":${net.json},"drawing":${JSON.stringify(net.drawing ?? null)},"witnesses":${JSON.stringify(net.witnesses ?? [])}}`,
            ),
          ],
        }),
    ...(pair === undefined ? {} : { runA: pair[0]!.pieces, runB: pair[1]!.pieces }),
  };
  const { states = 0, messages = 0 } = record?.rows ?? {};
  const html = await pageFile(title, data, served !== undefined);
  return {
    html,
    title,
    spans: states,
    messages,
    complete,
    deadlocked,
    ...(progress === undefined ? {} : { progress }),
  };
}
