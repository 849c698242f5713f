import { fail } from '../../../base/problem.ts';
import { canonical, parametersIn, unchanged } from '../../rerun/rerun.ts';
import type { ProgramVerificationDocument } from '../program/program-verification.ts';
import type { VerificationDocument } from './verification.ts';
import type { VerifyOptions } from './verify.ts';

type Verification = VerificationDocument | ProgramVerificationDocument;

/** Input and options that repeat the verification of a net, of a model's net, or of a program. */
export interface VerificationRerun {
  readonly input: string;
  readonly options: Pick<VerifyOptions, 'ranks' | 'set' | 'maxStates' | 'reduce'> & {
    readonly machine?: string;
    readonly properties?: readonly string[];
    readonly formulas?: string;
    readonly final?: string;
    readonly sends?: 'eager' | 'rendezvous' | 'both';
    readonly buffer?: number;
    readonly derivedTypeBytes?: number;
    readonly maxSteps?: number;
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
export function verificationRerunOf(document: Verification, file: string): VerificationRerun {
  const program = document.kind === 'program-verification';
  const cut = program ? !document.complete : CUT.includes(document.space.truncation) && !document.complete;
  if (cut) fail('APP012', 'was cut short by a limit or by request: it has no final result to compare with', { file });
  const found = unchanged(document.inputs, file);
  const input = found.get('model') ?? found.get('trace') ?? found.get('net');
  if (input === undefined)
    return fail('APP012', 'names no net, model or trace file, so its input cannot be read again', { file });
  const { options } = document;
  const machine = found.get('machine') ?? (options['assumed'] === undefined ? options['builtIn'] : undefined);
  const numbers = (['ranks', 'maxStates', 'maxSteps', 'buffer', 'derivedTypeBytes'] as const).flatMap((key) =>
    typeof options[key] === 'number' && !(key === 'ranks' && 'skippedRanks' in options)
      ? [[key, options[key]] as const]
      : [],
  );
  const set = program ? (document.instances[0]?.parameters ?? {}) : parametersIn(options);
  const asked = {
    ...Object.fromEntries(numbers),
    ...(machine === undefined ? {} : { machine: String(machine) }),
    ...(Object.keys(set).length === 0 ? {} : { set }),
  };
  if (program) return { input, options: { ...asked, sends: options['sends'] as 'both' } };
  const formulas = found.get('formulas');
  const { final, reduce } = options;
  // Properties of a formulas file have names that differ from their text.
  const own = document.properties.filter(({ id, property }) => formulas === undefined || id === property);
  return {
    input,
    options: {
      ...asked,
      ...(own.length === 0 ? {} : { properties: own.map(({ property }) => property) }),
      ...(formulas === undefined ? {} : { formulas }),
      ...(final === undefined ? {} : { final: String(final) }),
      ...(reduce === undefined ? {} : { reduce: reduce as 'auto' }),
    },
  };
}

/** Names of the members in which two verifications differ; versions, paths, times and memory are not compared. */
export function verificationDifferences(before: Verification, after: Verification): string[] {
  const [was, is] = [lasting(before), lasting(after)];
  const keys = [...new Set([...Object.keys(was), ...Object.keys(is)])];
  return keys.filter((key) => canonical(was[key]) !== canonical(is[key]));
}

/** The reproducible part of a verification; without limits of time and memory, which were not reached. */
function lasting(document: Verification): Readonly<Record<string, unknown>> {
  if (document.kind === 'program-verification') {
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
