import { fail, quote } from '../../../base/problem.ts';
import type { ProgramModel } from '../../../models/program/model.ts';
import { isWild, labelOf } from '../../../models/program/resolve/shape.ts';
import type { ProgramSink, SliceState } from '../../../models/program/run/program-states.ts';
import { ChromeTrace } from '../../../trace/chrome.ts';
import { outputsOf } from '../../../trace/run/write-run.ts';
import { hostfileOf, machineFileOf } from '../../inputs/target.ts';
import { checkOutputs } from '../../output.ts';
import type { PredictOptions } from '../options.ts';
import type { PredictionDocument } from '../prediction.ts';
import { type Replicate, ReplicationTally, replicateOf, replicationPlan } from '../replications/replications.ts';
import { type RunOutput, runOutput } from '../run-output.ts';
import { drawnPosts, withWildcardTies } from '../ties/program-ties.ts';
import { ModelRecording } from './record-model.ts';
import { compileModel, type MappedModel, mapModel, predictOnce } from './stages.ts';

/**
 * Predicts the run time of a model on a machine: builds its net, runs it once or in replications, and reports how the time
 * is spent.
 *
 * @param first whether a warning tells that ties decide figures; needs more runs
 * @throws InputError for problems of model, machine or options, with the line of the model
 */
export function predictModel(model: ProgramModel, options: PredictOptions, first = true): PredictionDocument {
  const built = mapModel(model, options);
  const document = predictBuilt(built, options);
  return first ? withModelTies(built, options, document) : document;
}

/** A prediction with a warning if ties decide its figures. */
export function withModelTies(
  built: MappedModel,
  options: PredictOptions,
  document: PredictionDocument,
): PredictionDocument {
  if (options.ties === 'random') return document;
  const { statements } = built.program.world;
  const wildcard = statements.find(({ statement }) => isWild(statement)) ?? statements[0];
  const { progress: _, ...own } = options;
  return withWildcardTies(document, {
    place: wildcard?.statement.site.place ?? {},
    random: isRandom(built),
    runs: () => {
      const drawn = { ...built, program: { ...built.program, net: drawnPosts(built.program.net) } };
      const compiled = compileModel(drawn);
      return (replication) => predictOnce(drawn, own, { compiled, replication });
    },
  });
}

/** As {@link predictModel}, for a net that has been built. */
export function predictBuilt(built: MappedModel, options: PredictOptions): PredictionDocument {
  const plan = replicationPlan(options);
  const written = hasOutputs(options) ? simulateWritten(built, options) : undefined;
  if (plan === undefined) return written ?? predictOnce(built, options);
  const replicate = replicator(built, options);
  const tally = new ReplicationTally(plan);
  for (let k = 0; !tally.add(replicate(k)); k++);
  return tally.document()!;
}

const hasOutputs = ({ trace, run, record }: PredictOptions): boolean =>
  trace !== undefined || run !== undefined || record !== undefined;

/** Runs replication 0 of a model and writes a Chrome trace and a run record of the activities of all ranks. */
function simulateWritten(built: MappedModel, options: PredictOptions): PredictionDocument {
  const { model, target, placed, program } = built;
  const { trace } = options;
  checkOutputs(outputsOf(options), [model.file, machineFileOf(options), hostfileOf(options)]);
  let record: RunOutput | undefined;
  let chrome: ChromeTrace | undefined;
  try {
    record = runOutput(options, model.name, target, placed);
    chrome = trace === undefined ? undefined : new ChromeTrace(trace);
    const recording = record === undefined ? undefined : new ModelRecording(record.recorder, program);
    const sink = sinkOf(chrome === undefined ? undefined : modelSink(chrome, built), recording);
    const document = predictOnce(built, options, { compiled: compileModel(built, sink) });
    recording?.finish(document.figures.runTime.value);
    record?.finish(document);
    chrome?.close();
    return document;
  } catch (e) {
    record?.abort();
    chrome?.abort();
    throw e;
  }
}

/** One sink of both. */
function sinkOf(chrome: ProgramSink | undefined, recording: ModelRecording | undefined): ProgramSink | undefined {
  if (chrome === undefined || recording === undefined) return recording ?? chrome;
  return {
    visit: (...args) => recording.visit(...args),
    end: (...args) => recording.end(...args),
    over: () => recording.over(),
    slice: (...args) => {
      chrome.slice(...args);
      recording.slice(...args);
    },
    message: (...args) => {
      chrome.message(...args);
      recording.message(...args);
    },
  };
}

/**
 * Returns a function that runs any replication of a model. Replication k draws the random numbers of (seed, k), independent
 * of earlier runs.
 *
 * @throws InputError APP024 a precision for a model without random draws
 */
export function replicator(built: MappedModel, options: PredictOptions): (replication: number) => Replicate {
  const first = built.program.world.statements[0]?.statement.site.place ?? {};
  if (options.precision !== undefined && options.ties !== 'random' && !isRandom(built))
    fail('APP024', `model ${quote(built.model.name)} has no random parts on this machine: one run is exact`, first);
  const compiled = compileModel(built);
  return (replication) => {
    return replicateOf(predictOnce(built, options, { compiled, replication }), replication);
  };
}

/** True if a model on its machine draws random numbers. */
export function isRandom({ program: { world, machine } }: MappedModel): boolean {
  return world.statements.some(({ statement: s }) => {
    if (s.kind === 'compute') return (s.noise ?? machine.noise) !== undefined;
    if (s.kind === 'sleep') return s.noise !== undefined;
    return s.kind === 'chance' || s.kind === 'repeat';
  });
}

/** States of slices as Chrome traces show them. */
const SHOWN: Readonly<Record<SliceState, 'computing' | 'communicating' | 'waiting' | 'idle'>> = {
  computing: 'computing',
  memory: 'computing',
  communicating: 'communicating',
  overhead: 'communicating',
  io: 'communicating',
  waiting: 'waiting',
  idle: 'idle',
};

/** Writes the activities of a model's ranks as slices of a Chrome trace, one thread per rank, and messages as arrows. */
function modelSink(chrome: ChromeTrace, { ranks, target, placed }: MappedModel): ProgramSink {
  const { hosts } = target.platform;
  for (let r = 0; r < ranks; r++) chrome.thread(r, `rank ${r} on ${hosts[placed.placement[r]!]!.name}`);
  return {
    slice: (rank, state, statement, start, end) => {
      const operation = statement === undefined ? SHOWN[state] : labelOf(statement.statement);
      const name =
        statement === undefined || statement.intervals.length === 0
          ? operation
          : `${statement.intervals.at(-1)}: ${operation}`;
      chrome.slice(rank, name, SHOWN[state], start, end);
    },
    message: (from, start, to, end, bytes) => chrome.arrow(from, start, to, end, `${bytes} B`),
  };
}
