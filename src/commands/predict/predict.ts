import { fail, quote, shown, withArticle } from '../../base/problem.ts';
import { PLACEMENTS } from '../../machine/placement.ts';
import type { Net } from '../../net/net.ts';
import { outputsOf } from '../../trace/run/write-run.ts';
import { assertObject, checkOptions } from '../inputs/check-options.ts';
import { assumedMachine } from '../inputs/document-parts.ts';
import { givenInput, type InputOf } from '../inputs/input.ts';
import { type Import, openInput } from '../inputs/load-model.ts';
import { filesOfInput, localModules } from '../inputs/local-modules.ts';
import type { InputKind, KindsOf, PooledModel, RankedModel } from '../inputs/option-rows.ts';
import { machineFiles } from '../inputs/target.ts';
import { checkOutputs } from '../output.ts';
import { hasJobs, type JobsOptions } from '../subjects/jobs/jobs.ts';
import { withLimit } from './limit/find-limit.ts';
import { PREDICT_ROWS, type PredictOptions, type PredictOptionsOf, WITH_DRAWN_TIES } from './options.ts';
import { checkSuggestion, withSuggestion } from './placement/suggest-placement.ts';
import { predictOpen, predictSubject, subjectOf, withSampleNote } from './predict-subject.ts';
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
export function predict(input: unknown, options: PredictOptions = {}): PredictionDocument {
  const found = givenInput('predict', input);
  const document = predictInput(found, checkedOptions(found, options));
  if (document.options['assumed'] !== 'machine') return document;
  const name = document.options['builtIn'] ?? document.machine?.['name'];
  return { ...document, warnings: [assumedMachine(name), ...document.warnings] };
}

/** Predictions for paths and nets may lack figures of processes. */
type PredictionOf<I> = I extends RankedModel | PooledModel ? ModelPrediction : PredictionDocument;

/** As {@link predict}, for a file: a trace, a net, or a module that exports a model or a net. */
export async function predictFile(path: string, options: PredictOptions, load?: Import): Promise<PredictionDocument> {
  const input = await openInput('predict', path, load);
  return predictInput(input, checkedOptions(input, options));
}

/**
 * The options of a prediction, checked. On the command line, `--workers` are threads of foretoken if the input of a module,
 * without threads, is replicated.
 *
 * @throws InputError APP004, THR011, APP060, APP061
 */
export function checkedOptions(input: InputOf<KindsOf<'predict'>>, given: PredictOptions): PredictOptions {
  const { workers, ...others } = given ?? {};
  const ofForetoken =
    workers !== undefined &&
    input.module !== undefined &&
    !(PREDICT_ROWS.workers as readonly InputKind[]).includes(input.kind) &&
    (others.replications !== undefined || others.precision !== undefined);
  const options = ofForetoken ? others : given;
  const exact: unknown = (options as PredictOptions | null)?.exact;
  const ties: unknown = (options as PredictOptions | null)?.ties;
  if (!(PREDICT_ROWS.otherPrograms as readonly InputKind[]).includes(input.kind)) assertSingle(input, options);
  else if (hasJobs(options ?? {})) assertJobs('predict', options);
  checkOptions('predict', ties === 'random' ? WITH_DRAWN_TIES : PREDICT_ROWS, input, options);
  if (ties !== undefined && !(TIES as readonly unknown[]).includes(ties))
    fail('APP061', `ties: expected fixed or random, got ${shown(ties)}`, { part: 'predict' });
  if (exact !== undefined && typeof exact !== 'boolean')
    fail('APP061', `exact: expected true or false, got ${shown(exact)}`, { part: 'predict' });
  checkSuggestion(options);
  return options;
}

/** @throws InputError APP065 several programs, of which the first is not a trace */
export function assertSingle(
  { kind, label }: { readonly kind: InputKind; readonly label: string },
  options: JobsOptions,
): void {
  if (((options as JobsOptions | null)?.otherPrograms ?? []).length > 0)
    fail('APP065', `is ${withArticle(kind)}: programs that run at once are traces, all of them`, { file: label });
}

/** Options that belong to a single program. */
const SINGLE = ['suggestPlacement', 'ranks', 'scale'] as const;

/** Options of several programs at once, and those that they exclude. */
type JobsOption = keyof JobsOptions | (typeof SINGLE)[number] | 'hostfile' | 'placement';

/** @throws InputError APP061 values of another kind, APP065 options that several programs at once do not have */
export function assertJobs(
  by: 'predict' | 'whatif' | 'profile',
  { otherPrograms = [], start = {}, jobHostfiles = {}, ...options }: Pick<PredictOptions, JobsOption>,
): void {
  if (!Array.isArray(otherPrograms))
    fail('APP061', `otherPrograms: expected the paths of traces, got ${shown(otherPrograms)}`, { part: by });
  assertObject(by, 'start', start);
  assertObject(by, 'jobHostfiles', jobHostfiles);
  const alone = SINGLE.find((name) => options[name] !== undefined);
  if (alone !== undefined)
    fail('APP065', `option ${alone} belongs to a single trace: it does not apply to several at once`, { part: by });
  const all = options.hostfile ?? options.placement;
  const one = Object.entries(jobHostfiles)[0];
  if (one !== undefined && all !== undefined && !(PLACEMENTS as readonly unknown[]).includes(all))
    fail('MACH022', `two placements: ${shown(all)} of all jobs, and hostfile ${shown(one[1])} of job ${quote(one[0])}`);
}

/** As {@link predict}, with checked options. Includes the limit of the run if it is asked for. */
export function predictInput(input: InputOf<KindsOf<'predict'>>, options: PredictOptions): PredictionDocument {
  const { module } = input;
  const files = machineFiles(options);
  const outputs = outputsOf(options);
  if (module !== undefined && outputs.length > 0)
    checkOutputs(outputs, [module, ...Object.values(files), ...localModules(module)]);
  const subject = subjectOf(input, options);
  try {
    const first = withSampleNote(subject, predictOpen(subject, options.record === undefined));
    const again = (changed: PredictOptions): PredictionDocument =>
      predictSubject(subject.on?.(changed) ?? subjectOf(input, changed));
    const limited = options.secondRuns === true ? withLimit(first, input, options, again) : first;
    const document =
      options.suggestPlacement === true && subject.hosts !== undefined
        ? withSuggestion({ document: limited, ...subject.hosts, options, predict: again })
        : limited;
    return module === undefined ? document : { ...document, inputs: filesOfInput(module, files, document.inputs) };
  } finally {
    subject.close?.();
  }
}
