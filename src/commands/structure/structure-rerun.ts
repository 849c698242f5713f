import { fail } from '../../base/problem.ts';
import type { Repeat } from '../command-line/repeat.ts';
import { canonical, parametersIn, threadOptionsIn, unchanged } from '../inputs/inputs.ts';
import type { StructureOptions } from './structure-options.ts';
import type { StructureDocument } from './structure-result.ts';
import { structureJson } from './structure-view.ts';

/** Input and options that reproduce an analysis of structure. */
export interface StructureRerun {
  readonly input: string;
  readonly options: Pick<StructureOptions, 'ranks' | 'oversubscribe' | 'set' | 'sets' | 'linearPrograms'> & {
    readonly machine?: string;
    readonly unreachable?: readonly string[];
  };
}

/**
 * Input and options that repeat an analysis of structure, as `rerunOf` does for predictions.
 *
 * @throws InputError APP001 a file is missing, APP011 one has changed; APP012 the analysis was ended by a
 * limit or the user, or the net was created by a program
 */
export function structureRerunOf(document: StructureDocument, file: string): StructureRerun {
  const { inputs, options, unreachable = [], solver, truncation } = document;
  if (truncation !== undefined)
    fail('APP012', 'was cut short by time, memory or request: it has no final result to compare with', { file });
  const found = unchanged(inputs, file);
  const input = found.get('model') ?? found.get('net');
  if (input === undefined)
    return fail('APP012', 'names no net or model file, so its input cannot be read again', { file });
  const { sets, ranks, skippedRanks, assumed, builtIn } = options;
  const machine = found.get('machine') ?? (assumed === undefined ? builtIn : undefined);
  const set = parametersIn(options);
  return {
    input,
    options: {
      ...(typeof sets === 'number' ? { sets } : {}),
      // Automatically chosen ranks are chosen again, with the same warning.
      ...(found.has('model') && typeof ranks === 'number' && skippedRanks === undefined ? { ranks } : {}),
      ...threadOptionsIn(options),
      ...(machine === undefined ? {} : { machine: String(machine) }),
      ...(options.oversubscribe === 'yes' ? { oversubscribe: true } : {}),
      ...(Object.keys(set).length === 0 ? {} : { set }),
      ...(unreachable.length === 0 ? {} : { unreachable: unreachable.map(({ target }) => target) }),
      ...(solver === 'off' ? { linearPrograms: false } : {}),
    },
  };
}

/** Members that are not compared: versions, paths and times. */
const LEFT_OUT: readonly (keyof StructureDocument)[] = ['product', 'inputs', 'seconds'];

/** The members in which two results for the same structure differ. */
export function structureDifferences(before: StructureDocument, after: StructureDocument): string[] {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])] as (keyof StructureDocument)[];
  return keys.filter((key) => !LEFT_OUT.includes(key) && canonical(before[key]) !== canonical(after[key]));
}

/** An analysis of structure in `rerun`. */
export const REPEAT: Repeat<StructureDocument> = {
  command: 'structure',
  of: structureRerunOf,
  differences: structureDifferences,
  json: structureJson,
  summary({ figures, solver }, before) {
    const size = `${figures.places.value} places, ${figures.placeSemiflows.value} place semiflows`;
    if (before === undefined || before.solver === solver) return size;
    return `${size}; linear programs were ${before.solver}, are ${solver}`;
  },
};
