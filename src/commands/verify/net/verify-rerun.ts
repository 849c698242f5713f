import { fail } from '../../../base/problem.ts';
import type { Repeat } from '../../command-line/repeat.ts';
import { canonical, hashOptionsIn, parametersIn, unchanged } from '../../inputs/inputs.ts';
import type { ProgramSettings, ProgramVerificationDocument } from '../program/program-verification.ts';
import type { ThreadSettings, ThreadVerificationDocument } from '../threads/thread-verification.ts';
import type { VerifyOptions } from '../verify-options.ts';
import type { VerificationDocument, VerificationSettings } from './verification.ts';

/** The result of `verify` for any input. */
export type AnyVerification = VerificationDocument | ProgramVerificationDocument | ThreadVerificationDocument;

/** Input and options that repeat the verification of a net, of a model's net, of a program, or of a thread program. */
export interface VerificationRerun {
  readonly input: string;
  readonly options: Pick<VerifyOptions, 'ranks' | 'oversubscribe' | 'set' | 'maxStates' | 'reduce'> & {
    readonly machine?: string;
    readonly properties?: readonly string[];
    readonly formulas?: string;
    readonly final?: string;
    readonly sends?: 'eager' | 'rendezvous' | 'both';
    readonly buffer?: number;
    readonly derivedTypeBytes?: number | string;
    readonly maxSteps?: number;
    readonly workers?: number;
    readonly scheduler?: string;
    readonly pool?: string;
    readonly allocator?: string;
    readonly retry?: boolean;
    readonly hashCompact?: boolean;
    readonly seed?: string;
  };
}

/** Truncations that are not reproducible: they depend on the computer or the user. */
const CUT: readonly unknown[] = ['memory', 'time', 'interrupted'];

/**
 * Input and options that repeat a verification; the counterpart of `rerunOf` for predictions.
 *
 * @throws InputError APP001 missing file, APP011 changed file; APP012 the verification was cut short by time, memory or
 * cancellation, or its input was not a file
 */
export function verificationRerunOf(document: AnyVerification, file: string): VerificationRerun {
  const hasInstances = document.kind !== 'verification';
  if (isCut(document))
    fail('APP012', 'was cut short by a limit or by request: it has no final result to compare with', { file });
  const found = unchanged(document.inputs, file);
  const input = found.get('model') ?? found.get('trace') ?? found.get('net');
  if (input === undefined)
    return fail('APP012', 'names no net, model or trace file, so its input cannot be read again', { file });
  const options = document.options as VerificationSettings & ProgramSettings & Omit<ThreadSettings, 'reduce'>;
  const machine = found.get('machine') ?? (options['assumed'] === undefined ? options['builtIn'] : undefined);
  const numbers = (['ranks', 'maxStates', 'maxSteps', 'buffer', 'workers'] as const).flatMap((key) =>
    typeof options[key] === 'number' && !(key === 'ranks' && 'skippedRanks' in options)
      ? [[key, options[key]] as const]
      : [],
  );
  const set = hasInstances ? (document.instances[0]?.parameters ?? {}) : parametersIn(document.options);
  const asked = {
    ...Object.fromEntries(numbers),
    ...(options['derivedTypeBytes'] === undefined
      ? {}
      : { derivedTypeBytes: options['derivedTypeBytes'] as number | string }),
    ...(machine === undefined ? {} : { machine: String(machine) }),
    ...(options.oversubscribe === 'yes' ? { oversubscribe: true } : {}),
    ...(Object.keys(set).length === 0 ? {} : { set }),
  };
  const { final, reduce, scheduler, pool, allocator, retry } = options;
  const reduction = reduce === undefined ? {} : { reduce: reduce as 'auto' };
  if (document.kind === 'thread-verification')
    return {
      input,
      options: {
        ...asked,
        ...reduction,
        ...(scheduler === undefined ? {} : { scheduler: String(scheduler) }),
        ...(pool === undefined ? {} : { pool: String(pool) }),
        ...(allocator === undefined ? {} : { allocator: String(allocator) }),
        ...(retry === undefined ? {} : { retry: false }),
      },
    };
  if (document.kind === 'program-verification')
    return { input, options: { ...asked, sends: options['sends'] as 'both' } };
  const formulas = found.get('formulas');
  // Properties of a formulas file have names that differ from their text.
  const own = document.properties.filter(({ id, property }) => formulas === undefined || id === property);
  return {
    input,
    options: {
      ...asked,
      ...(own.length === 0 ? {} : { properties: own.map(({ property }) => property) }),
      ...(formulas === undefined ? {} : { formulas }),
      ...(final === undefined ? {} : { final: String(final) }),
      ...reduction,
      ...hashOptionsIn(options),
    },
  };
}

/** True if the verification ended at a limit that depends on the computer or the user. */
function isCut(document: AnyVerification): boolean {
  switch (document.kind) {
    case 'verification':
      return !document.complete && CUT.includes(document.space.truncation);
    case 'program-verification':
      return !document.complete;
    case 'thread-verification':
      // A violation ends an exploration, too, and a limit of states is reached again.
      return document.instances.some(({ truncation }) => CUT.includes(truncation));
  }
}

/** Names of the members in which two verifications differ; versions, paths, times and memory are not compared. */
export function verificationDifferences(before: AnyVerification, after: AnyVerification): string[] {
  const [was, is] = [lasting(before), lasting(after)];
  const keys = [...new Set([...Object.keys(was), ...Object.keys(is)])];
  return keys.filter((key) => canonical(was[key]) !== canonical(is[key]));
}

/** The reproducible part of a verification; without limits of time and memory, which were not reached. */
function lasting(document: AnyVerification): Readonly<Record<string, unknown>> {
  if (document.kind !== 'verification') {
    const { product: _, inputs: __, seconds: ___, options, instances, ...rest } = document;
    return { ...rest, options: without(options, 'program'), instances: instances.map((i) => without(i, 'seconds')) };
  }
  const { product: _, inputs: __, seconds: ___, options, space, properties, ...rest } = document;
  return {
    ...rest,
    options: without(options, 'seconds', 'memory'),
    space: without(space, 'bytes'),
    properties: properties.map((property) => without(property, 'repeat')),
  };
}

function without(value: object, ...keys: readonly string[]): object {
  return Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key)));
}

/** Repeats verifications of nets, programs and thread programs, by the kind of the document. */
export const REPEAT: Repeat<AnyVerification> = {
  command: 'verify',
  of: verificationRerunOf,
  differences: verificationDifferences,
  async json(document) {
    switch (document.kind) {
      case 'verification':
        return (await import('./verify-view.ts')).verificationJson(document);
      case 'program-verification':
        return (await import('../program/program-verify-view.ts')).programVerificationJson(document);
      case 'thread-verification':
        return (await import('../threads/thread-verify-view.ts')).threadVerificationJson(document);
    }
  },
  summary(document) {
    const count =
      document.kind === 'verification'
        ? document.properties.length
        : document.instances.reduce((sum, { properties }) => sum + properties.length, 0);
    return `${count} verdict${count === 1 ? '' : 's'}`;
  },
  notes: (document) => (document.kind === 'verification' ? undefined : document.notes),
};
