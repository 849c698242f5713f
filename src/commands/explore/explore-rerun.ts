import { fail } from '../../base/problem.ts';
import type { Repeat } from '../command-line/repeat.ts';
import { canonical, hashOptionsIn, parametersIn, threadOptionsIn, unchanged } from '../inputs/inputs.ts';
import type { SpaceOptions } from './explore-document.ts';
import type { SpaceDocument } from './space.ts';
import { spaceJson } from './space-view.ts';

/** Input and options that reproduce an exploration. */
export interface SpaceRerun {
  readonly input: string;
  readonly options: SpaceOptions & { readonly bounds?: string };
}

/**
 * Input and options that repeat an exploration, as `rerunOf` does for predictions.
 *
 * @throws InputError APP001 a file is missing, APP011 one has changed; APP012 the exploration was ended by time, memory or
 * the user, so that its extent depends on the computer, or the net was created by a program
 */
export function spaceRerunOf(document: SpaceDocument, file: string): SpaceRerun {
  const { inputs, options, truncation } = document;
  if (truncation !== undefined && truncation !== 'states')
    fail('APP012', 'was cut short by time, memory or request: it has no final result to compare with', { file });
  const found = unchanged(inputs, file);
  const input = found.get('model') ?? found.get('net');
  if (input === undefined)
    return fail('APP012', 'names no net or model file, so its input cannot be read again', { file });
  const { order, maxStates, bounds, liveness, runTime, ranks, skippedRanks, assumed, builtIn } = options;
  const machine = found.get('machine') ?? (assumed === undefined ? builtIn : undefined);
  const set = parametersIn(options);
  return {
    input,
    options: {
      order: order === 'depth' ? 'depth' : 'breadth',
      ...(typeof maxStates === 'number' ? { maxStates } : {}),
      ...(typeof bounds === 'string' ? { bounds } : {}),
      ...hashOptionsIn(options),
      ...(liveness === 'yes' ? { liveness: true } : {}),
      ...(runTime === 'yes' ? { runTime: true } : {}),
      // Automatically chosen ranks are chosen again, with the same warning.
      ...(typeof ranks === 'number' && skippedRanks === undefined ? { ranks } : {}),
      ...threadOptionsIn(options),
      ...(machine === undefined ? {} : { machine: String(machine) }),
      ...(options.oversubscribe === 'yes' ? { oversubscribe: true } : {}),
      ...(Object.keys(set).length === 0 ? {} : { set }),
    },
  };
}

/** Members that are not compared: versions, paths, and values that depend on the computer. */
const NOT_COMPARED: readonly (keyof SpaceDocument)[] = [
  'product',
  'inputs',
  'seconds',
  'totalSeconds',
  'bytesPerState',
];

/** The members in which two results for the same space differ. Limits of time and memory that were not reached are ignored. */
export function spaceDifferences(before: SpaceDocument, after: SpaceDocument): string[] {
  const shown = (d: SpaceDocument, key: keyof SpaceDocument): string => {
    if (key !== 'options') return canonical(d[key]);
    const { memory: _, seconds: __, ...rest } = d.options;
    return canonical(rest);
  };
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])] as (keyof SpaceDocument)[];
  return keys.filter((key) => !NOT_COMPARED.includes(key) && shown(before, key) !== shown(after, key));
}

export const REPEAT: Repeat<SpaceDocument> = {
  command: 'explore',
  of: spaceRerunOf,
  differences: spaceDifferences,
  json: spaceJson,
  summary: ({ figures }) => `${figures.states.value} states, ${figures.edges.value} edges`,
};
