import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fail, InputError, type Problem } from '../base/problem.ts';
import { PLACEMENTS } from '../machine/placement.ts';
import type { InputFile, PredictionDocument } from '../report/prediction.ts';
import { inputFile } from './inputs.ts';
import type { PredictOptions } from './options.ts';

/** What repeats a prediction. */
export interface Rerun {
  readonly input: string;
  readonly options: PredictOptions;
}

/**
 * Input and options with which a result document's prediction is repeated. Its files are looked for relative to the
 * working directory, then beside the document, and must be what they were, to the byte.
 *
 * @param file the document's own, for messages and for files beside it
 * @throws InputError all at once: APP001 a file is gone, APP011 one has changed (both hashes); APP012 the document does not
 * say what it was made of (standard input, a machine made by a program), or
 * was cut short
 */
export function rerunOf(document: PredictionDocument, file: string): Rerun {
  const { inputs, options, seed } = document;
  if (!document.complete && document.ended !== 'steps')
    fail('APP012', 'was ended by request before its end: there is no result to compare with', { file });
  const found = unchanged(inputs, file);
  const input = found.get('trace') ?? found.get('model') ?? found.get('net');
  if (input === undefined)
    return fail(
      'APP012',
      'names neither a model, a trace nor a net: what came from standard input, or from a program, cannot be read again',
      {
        file,
      },
    );
  if (found.has('net')) return { input, options: { seed, ...numbers(options, ['until', 'maxSteps']) } };
  const assumed = options['assumed'] === 'machine';
  const machine = found.get('machine') ?? options['builtIn'];
  if (machine === undefined)
    fail('APP012', 'names no machine file: its machine was made by a program, which has to repeat it', { file });
  const placement = PLACEMENTS.find((p) => p === options['placement']);
  const hostfile = found.get('hostfile');
  const { networkModel, collectives } = options;
  const listed = ['list', 'function'].includes(String(options['placement']));
  if (listed) fail('APP012', 'has ranks that were placed by a program, which has to repeat it', { file });
  return {
    input,
    options: {
      seed,
      ...(assumed ? {} : { machine: String(machine) }),
      ...(hostfile === undefined ? {} : { hostfile }),
      ...(placement === undefined || hostfile !== undefined ? {} : { placement }),
      ...(networkModel === undefined ? {} : { networkModel: String(networkModel) }),
      ...(collectives === undefined ? {} : { collectives: String(collectives) }),
      ...(options['oversubscribe'] === 'yes' ? { oversubscribe: true } : {}),
      ...numbers(options, ['ranks', 'derivedTypeBytes']),
      ...(found.has('model') ? modelOptions(options) : {}),
    },
  };
}

/** Of a model: its parameters, and how long and how often it was run. */
function modelOptions(options: PredictionDocument['options']): PredictOptions {
  const shares = (['precision', 'confidence'] as const).flatMap((key) =>
    options[key] === undefined ? [] : [[key, options[key]]],
  );
  return {
    ...numbers(options, ['until', 'maxSteps', 'replications']),
    ...(Object.fromEntries(shares) as Pick<PredictOptions, 'precision' | 'confidence'>),
    set: parametersIn(options),
  };
}

/** The parameters of a model among the options of a result. */
export function parametersIn(options: PredictionDocument['options']): Readonly<Record<string, string | number>> {
  const own = Object.entries(options).filter(([key]) => key.startsWith('model.'));
  return Object.fromEntries(own.map(([key, value]) => [key.slice('model.'.length), value]));
}

/**
 * The members of a document in which two predictions differ. What lies outside the promise does not count: the product's
 * name and version, the paths of the inputs, whose content is the same, and notes.
 */
export function differences(before: PredictionDocument, after: PredictionDocument): string[] {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])] as (keyof PredictionDocument)[];
  return keys.filter(
    (key) =>
      key !== 'product' && key !== 'inputs' && key !== 'notes' && canonical(before[key]) !== canonical(after[key]),
  );
}

/** As JSON with the members of objects in order; paths in what is said of a deadlock are left out. */
export function canonical(value: unknown): string {
  return JSON.stringify(value ?? null, (key, v: unknown) => {
    if (key === 'file') return undefined;
    if (typeof v !== 'object' || v === null || Array.isArray(v)) return v;
    return Object.fromEntries(Object.entries(v).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

/**
 * Where the inputs of a result are now, by role: relative to the working directory, or beside the result.
 *
 * @throws InputError APP001 a file is gone, APP011 one has changed
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
          message: `has changed: SHA-256 was ${sha256}, is ${now}`,
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

function numbers<K extends 'until' | 'maxSteps' | 'ranks' | 'replications' | 'derivedTypeBytes'>(
  options: PredictionDocument['options'],
  keys: readonly K[],
): { readonly [k in K]?: number } {
  const given = keys.flatMap((key) => (typeof options[key] === 'number' ? [[key, options[key]] as const] : []));
  return Object.fromEntries(given) as { readonly [k in K]?: number };
}
