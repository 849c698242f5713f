import { fail, shown } from '../../base/problem.ts';
import { isThreadModel } from '../../models/threads/program/threads.ts';
import type { Net } from '../../net/net.ts';
import { outputsOf } from '../../trace/run/write-run.ts';
import { type AnyInput, fileOf, isNet } from '../inputs/any-model.ts';
import { checkOptions, inputKind } from '../inputs/check-options.ts';
import { assumedMachine } from '../inputs/document-parts.ts';
import { inputFiles } from '../inputs/inputs.ts';
import { type Import, loadInput } from '../inputs/load-model.ts';
import { localModules, moduleFiles } from '../inputs/local-modules.ts';
import { isNetFile } from '../inputs/net-file.ts';
import type { PooledModel, RankedModel } from '../inputs/option-rows.ts';
import { hostfileOf, machineFileOf } from '../inputs/target.ts';
import { checkOutputs } from '../output.ts';
import { withLimit } from './limit/find-limit.ts';
import { PREDICT_ROWS, type PredictOptions, type PredictOptionsOf, WITH_DRAWN_TIES } from './options.ts';
import { predictSubject, subjectOf } from './predict-subject.ts';
import type { ModelPrediction, PredictionDocument } from './prediction.ts';
import { TIES } from './ties/net-ties.ts';

/**
 * Predicts the run time of a program: a TI trace (a file, a listing, or `-` for standard input; gzip is detected) on a
 * machine, a program model, a thread model, or a net (also a file in PNML or JSON). Builds the net, compiles it, runs it,
 * and reports how the time is spent.
 *
 * @throws InputError for all problems of the inputs, APP060 and APP061 for options and arguments; nothing is written then
 */
export function predict<I extends string | RankedModel | PooledModel | Net>(
  input: I,
  options?: PredictOptionsOf<I>,
): PredictionOf<I>;
export function predict(input: string | AnyInput, options: PredictOptions = {}): PredictionDocument {
  checkPredict(input, options);
  const document = limited(input, options);
  if (document.options['assumed'] !== 'machine') return document;
  const name = document.options['builtIn'] ?? document.machine?.['name'];
  return { ...document, warnings: [assumedMachine(name), ...document.warnings] };
}

/** Of a path or a net the result can lack figures of processes. */
type PredictionOf<I> = I extends RankedModel | PooledModel ? ModelPrediction : PredictionDocument;

/** As {@link predictAny}, with the limit of the run if it is asked for. */
function limited(input: string | AnyInput, options: PredictOptions, path?: string): PredictionDocument {
  const document = predictAny(input, options, path, options.record === undefined);
  if (options.secondRuns !== true || isNet(input) || (typeof input === 'string' && isNetFile(input))) return document;
  return withLimit(document, input, options, (changed) => predictAny(input, changed, path));
}

/** Checks the input and the options of a prediction. @throws InputError APP004, THR011, APP060, APP061 */
export function checkPredict(
  input: string | AnyInput,
  options: PredictOptions,
  file: string | undefined = fileOf(input),
): void {
  const kind = inputKind('predict', input, ['model', 'thread model', 'trace', 'net']);
  const ties: unknown = (options as PredictOptions | null)?.ties;
  checkOptions('predict', ties === 'random' ? WITH_DRAWN_TIES : PREDICT_ROWS, kind, options, file);
  if (ties !== undefined && !(TIES as readonly unknown[]).includes(ties))
    fail('APP061', `ties: expected fixed or random, got ${shown(ties)}`, { part: 'predict' });
}

/**
 * As {@link predict}, for callers that have checked the options.
 *
 * @param path the module that exports the input
 * @param first whether a warning tells that the ties of a program decide its figures; needs more runs
 */
export function predictAny(
  input: string | AnyInput,
  options: PredictOptions,
  path?: string,
  first = false,
): PredictionDocument {
  return predictSubject(subjectOf(input, options, path), first);
}

/** As {@link predict}, for the model or net that a module exports. */
export async function predictModelFile(
  path: string,
  options: PredictOptions,
  load?: Import,
): Promise<PredictionDocument> {
  const input = await loadInput(path, load);
  const own = withoutThreads(input, options);
  checkPredict(input, own, path);
  return predictedFile(path, input, own);
}

/** As {@link predictModelFile}, for callers that have checked the options and loaded the module. */
export function predictedFile(path: string, input: AnyInput, options: PredictOptions): PredictionDocument {
  const files = { model: path, machine: machineFileOf(options), hostfile: hostfileOf(options) };
  const outputs = outputsOf(options);
  if (outputs.length > 0) checkOutputs(outputs, [...Object.values(files), ...localModules(path)]);
  return { ...limited(input, options, path), inputs: { ...inputFiles(files), ...moduleFiles(path) } };
}

/** On the command line, `--workers` are threads of foretoken if an input without threads is replicated. */
export function withoutThreads(input: AnyInput, options: PredictOptions): PredictOptions {
  const { workers: _, ...others } = options;
  const several = options.replications !== undefined || options.precision !== undefined;
  return several && !isThreadModel(input) ? others : options;
}
