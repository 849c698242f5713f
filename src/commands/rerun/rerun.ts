import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fail, InputError, type Problem } from '../../base/problem.ts';
import { PLACEMENTS } from '../../machine/placement.ts';
import { inputFile } from '../inputs/inputs.ts';
import type { PredictOptions } from '../predict/options.ts';
import type { InputFile, PredictionDocument } from '../predict/prediction.ts';
import type { ThreadOptions } from '../predict/threads/thread-options.ts';

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
  if (!document.complete && document.ended !== 'steps')
    fail('APP012', 'was stopped by request before its end: it has no final result to compare with', { file });
  const found = unchanged(inputs, file);
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
  const placement = PLACEMENTS.find((p) => p === options['placement']);
  const hostfile = found.get('hostfile');
  const { networkModel, collectives } = options;
  const listed = ['list', 'function'].includes(String(options['placement']));
  if (listed) fail('APP012', 'has ranks placed by a program: only that program can repeat it', { file });
  return {
    input,
    options: {
      // A trace without drawn ties takes no seed.
      ...(found.has('trace') && options['ties'] !== 'random' ? {} : { seed }),
      ...(document.limit === undefined ? {} : { secondRuns: true }),
      ...(assumed ? {} : { machine: String(machine) }),
      ...(hostfile === undefined ? {} : { hostfile }),
      ...(placement === undefined || hostfile !== undefined ? {} : { placement }),
      ...(networkModel === undefined ? {} : { networkModel: String(networkModel) }),
      ...(collectives === undefined ? {} : { collectives: String(collectives) }),
      ...(options['oversubscribe'] === 'yes' ? { oversubscribe: true } : {}),
      ...numbers(options, ['ranks']),
      ...(options['derivedTypeBytes'] === undefined ? {} : { derivedTypeBytes: options['derivedTypeBytes'] }),
      ...ofRuns(options),
      ...(found.has('model') ? { set: parametersIn(options) } : {}),
      ...threadOptions(options),
    },
  };
}

/** Thread models only: workers and scheduler. */
function threadOptions(options: PredictionDocument['options']): ThreadOptions {
  const { workers, scheduler, victim, take, rounds, bypass, pool } = options;
  const given = { workers, scheduler, victim, take, rounds, bypass: bypass === 'no' ? false : undefined, pool };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as ThreadOptions;
}

/** Nets and models: limits and replications. */
function ofRuns(options: PredictionDocument['options']): PredictOptions {
  const shares = (['precision', 'confidence'] as const).flatMap((key) =>
    options[key] === undefined ? [] : [[key, options[key]]],
  );
  return {
    ...(options['ties'] === 'random' ? { ties: 'random' } : {}),
    ...numbers(options, ['until', 'maxSteps', 'replications']),
    ...(Object.fromEntries(shares) as Pick<PredictOptions, 'precision' | 'confidence'>),
  };
}

/** The parameters of a model among the options of a result. */
export function parametersIn(options: PredictionDocument['options']): Readonly<Record<string, string | number>> {
  const own = Object.entries(options).filter(([key]) => key.startsWith('model.'));
  return Object.fromEntries(own.map(([key, value]) => [key.slice('model.'.length), value]));
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

/** JSON with sorted object members. File names, as in deadlocks, are left out. */
export function canonical(value: unknown): string {
  return JSON.stringify(value ?? null, (key, v: unknown) => {
    if (key === 'file') return undefined;
    if (typeof v !== 'object' || v === null || Array.isArray(v)) return v;
    return Object.fromEntries(Object.entries(v).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

/**
 * The current paths of a result's inputs, by role: relative to the working directory, or in the folder of the result.
 *
 * @throws InputError APP001 a file is missing, APP011 one has changed
 */
export function unchanged({ members = [], ...roles }: PredictionDocument['inputs'], file: string): Map<string, string> {
  const found = new Map<string, string>();
  const problems: Problem[] = [];
  const look = (role: string, { path, sha256 }: InputFile): void => {
    const place = [path, join(dirname(file), path)].find((p) => existsSync(p)) ?? path;
    try {
      const now = inputFile(place).sha256;
      if (now === sha256) found.set(role, place);
      else
        problems.push({
          code: 'APP011',
          message: `has changed: expected SHA-256 ${sha256}, got ${now}`,
          place: { file: place },
        });
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      problems.push(...error.problems);
    }
  };
  for (const [role, one] of Object.entries(roles)) look(role, one as InputFile);
  for (const [k, one] of members.entries()) look(`member ${k}`, one);
  if (problems.length > 0) throw new InputError(problems);
  return found;
}

function numbers<K extends 'until' | 'maxSteps' | 'ranks' | 'replications'>(
  options: PredictionDocument['options'],
  keys: readonly K[],
): { readonly [k in K]?: number } {
  const given = keys.flatMap((key) => (typeof options[key] === 'number' ? [[key, options[key]] as const] : []));
  return Object.fromEntries(given) as { readonly [k in K]?: number };
}
