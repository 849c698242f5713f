import { given } from '../../base/given.ts';
import { fail, quote } from '../../base/problem.ts';
import { PLACEMENTS } from '../../machine/placement.ts';
import type { Repeat } from '../command-line/repeat.ts';
import type { InputFile } from '../inputs/document-parts.ts';
import { canonical, parametersIn, threadOptionsIn, unchanged } from '../inputs/inputs.ts';
import type { JobsOptions } from '../subjects/jobs/jobs.ts';
import type { PredictOptions } from './options.ts';
import type { JobFigures, PredictionDocument } from './prediction.ts';
import { predictionJson } from './prediction-json.ts';

/** Input and options that reproduce a prediction. */
export interface Rerun {
  readonly input: string;
  readonly options: PredictOptions;
}

/**
 * Input and options that reproduce a document's prediction. Its files are looked up relative to the working directory, then
 * in the document's folder, and their content must be unchanged.
 *
 * @param file the document's own path, for messages and for files in the same folder
 * @throws InputError all problems at once: APP001 a file is missing, APP011 one has changed (both hashes); APP012 the
 * document does not name its inputs (standard input, a machine created by a program), or the run was stopped early
 */
export function rerunOf(document: PredictionDocument, file: string): Rerun {
  const { inputs, options, seed } = document;
  const { suggestedPlacement } = document;
  const isSearched =
    suggestedPlacement === undefined || suggestedPlacement.kind === 'none' || suggestedPlacement.complete;
  if ((!document.complete && document.ended !== 'steps') || !isSearched)
    fail('APP012', 'was stopped by request before its end: it has no final result to compare with', { file });
  const { jobs = [] } = document;
  const found = unchanged({ ...inputs, ...filesOfJobs(jobs) }, file);
  const input = found.get('trace') ?? found.get('model') ?? found.get('net');
  if (input === undefined)
    return fail(
      'APP012',
      'names no model, trace or net file: input from standard input or from a program cannot be read again',
      {
        file,
      },
    );
  if (found.has('net')) return { input, options: { seed, ...ofRuns(options) } };
  const assumed = options['assumed'] === 'machine';
  const machine = found.get('machine') ?? options['builtIn'];
  if (machine === undefined)
    fail('APP012', 'names no machine file: only the program that built its machine can repeat it', { file });
  const placement = PLACEMENTS.find((p) => p === String(options['placement']).replace(/, job after job.*$/, ''));
  const hostfile = found.get('hostfile');
  const { networkModel, collectives, loggops } = options;
  const listed = ['list', 'function'].includes(String(options['placement']));
  if (listed) fail('APP012', 'has ranks placed by a program: only that program can repeat it', { file });
  return {
    input,
    options: {
      // A trace without drawn ties takes no seed.
      ...(found.has('trace') && options['ties'] !== 'random' ? {} : { seed }),
      ...(document.limit === undefined ? {} : { secondRuns: true }),
      ...(document.suggestedPlacement === undefined ? {} : { suggestPlacement: true }),
      ...(assumed ? {} : { machine: String(machine) }),
      ...(hostfile === undefined ? {} : { hostfile }),
      ...(placement === undefined || hostfile !== undefined ? {} : { placement }),
      ...(networkModel === undefined || loggops !== undefined ? {} : { networkModel: String(networkModel) }),
      ...(loggops === undefined ? {} : { loggops: String(loggops) }),
      ...(collectives === undefined ? {} : { collectives: String(collectives) }),
      ...given(options, ['cfg']),
      ...(options['oversubscribe'] === 'yes' ? { oversubscribe: true } : {}),
      ...(jobs.length > 0 ? {} : numbers(options, ['ranks'])),
      ...(options['scale'] === undefined ? {} : { scale: options['scale'] }),
      ...(options['derivedTypeBytes'] === undefined ? {} : { derivedTypeBytes: options['derivedTypeBytes'] }),
      ...jobsAgain(jobs, found, file),
      ...ofRuns(options),
      ...(found.has('model') ? { set: parametersIn(options) } : {}),
      ...threadOptionsIn(options),
    },
  };
}

/** The files of several programs at once, by the names of their jobs. */
function filesOfJobs(jobs: readonly JobFigures[]): Readonly<Record<string, InputFile>> {
  const files = jobs.flatMap(({ name, input, hostfile }) => [
    ...(input === undefined ? [] : [[`job ${name}`, input] as const]),
    ...(hostfile === undefined ? [] : [[`hostfile of ${name}`, hostfile] as const]),
  ]);
  return Object.fromEntries(files);
}

/** The options of several programs at once. @throws InputError APP012 a job that was standard input */
function jobsAgain(jobs: readonly JobFigures[], found: ReadonlyMap<string, string>, file: string): JobsOptions {
  const lost = jobs.find(({ name }) => !found.has(`job ${name}`));
  if (lost !== undefined)
    fail('APP012', `names no file of job ${quote(lost.name)}: standard input cannot be read again`, { file });
  const hostfiles = jobs.flatMap(({ name }) => {
    const own = found.get(`hostfile of ${name}`);
    return own === undefined ? [] : [[name, own] as const];
  });
  if (jobs.length === 0) return {};
  return {
    otherPrograms: jobs.slice(1).map(({ name }) => found.get(`job ${name}`)!),
    start: Object.fromEntries(jobs.map(({ name, start }) => [name, start])),
    ...(hostfiles.length === 0 ? {} : { jobHostfiles: Object.fromEntries(hostfiles) }),
  };
}

/** Nets and models: limits and replications. */
function ofRuns(options: PredictionDocument['options']): PredictOptions {
  const shares = (['precision', 'confidence'] as const).flatMap((key) =>
    options[key] === undefined ? [] : [[key, options[key]]],
  );
  return {
    ...(options['ties'] === 'random' ? { ties: 'random' } : {}),
    ...(options['exact'] === 'yes' ? { exact: true } : {}),
    ...(options['lump'] === 'yes' ? { lump: true } : {}),
    ...numbers(options, ['until', 'maxSteps', 'replications']),
    ...(Object.fromEntries(shares) as Pick<PredictOptions, 'precision' | 'confidence'>),
  };
}

/**
 * The members in which two predictions differ. Not compared: name and version of the product, the paths of the inputs, whose
 * content is the same, and notes.
 */
export function differences(before: PredictionDocument, after: PredictionDocument): string[] {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])] as (keyof PredictionDocument)[];
  return keys.filter(
    (key) =>
      key !== 'product' && key !== 'inputs' && key !== 'notes' && canonical(before[key]) !== canonical(after[key]),
  );
}

function numbers<K extends 'until' | 'maxSteps' | 'ranks' | 'replications'>(
  options: PredictionDocument['options'],
  keys: readonly K[],
): { readonly [k in K]?: number } {
  const given = keys.flatMap((key) => (typeof options[key] === 'number' ? [[key, options[key]] as const] : []));
  return Object.fromEntries(given) as { readonly [k in K]?: number };
}

export const REPEAT: Repeat<PredictionDocument> = {
  command: 'predict',
  of: rerunOf,
  differences,
  json: predictionJson,
  summary({ figures }, before) {
    const now = `${figures.runTime.value} s`;
    if (before === undefined) return `run time ${now}`;
    // The document contains the digest of the model's own module only.
    const unseen =
      before.inputs.model === undefined ? '' : '; packages and files that the model reads may have changed';
    return `run time was ${before.figures.runTime.value} s, is ${now}${unseen}`;
  },
  notes: ({ notes }) => notes,
};
