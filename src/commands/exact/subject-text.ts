import { andMore } from '../../base/listing.ts';
import { counted, formatCount } from '../../report/units.ts';
import type { InputFile, NetSettings } from '../inputs/document-parts.ts';

/** A line about the machine that nobody has given; a long list of parameters could hide it among the settings. */
export function assumedLine({ builtIn, assumed }: NetSettings): string[] {
  return assumed === 'machine' && builtIn !== undefined
    ? [`${ASSUMED} machine ${builtIn}: give --machine for another one`]
    : [];
}

/** The subject of a result, for the head of its view: a net; or a model with its parameters, its size and its machine. */
export function subjectWords(options: NetSettings, machine: InputFile | undefined): string[] {
  const { model, net, builtIn, assumed } = options;
  if (model === undefined) return [`net ${net}`];
  const parameters = Object.entries(options).filter(([key]) => key.startsWith(PARAMETER));
  const on = machine?.path ?? (builtIn === undefined ? undefined : `built-in machine ${builtIn}`);
  return [
    `model ${modelName(model, parameters)}`,
    ...sizeWords(options),
    ...(assumed !== undefined || on === undefined ? [] : [on]),
  ];
}

/** Marks a setting that nobody has chosen. */
export const ASSUMED = 'ASSUMED';
/** Prefix of the settings that are parameters of the model. */
export const PARAMETER = 'model.';
/** Largest number of parameters that are shown. */
const PARAMETERS = 12;

/** `jacobi2d n 8192, turns 500`. */
export function modelName(name: string | number, parameters: readonly (readonly [string, unknown])[]): string {
  const some = parameters.slice(0, PARAMETERS).map(([key, value]) => `${key.slice(PARAMETER.length)} ${value}`);
  const left = parameters.length - some.length;
  return `${name} ${some.join(', ')}${left > 0 ? `, ${andMore(left, 'parameter', formatCount)}` : ''}`.trimEnd();
}

/** Ranks, or workers and their scheduler. */
function sizeWords({ ranks, workers, scheduler, pool }: NetSettings): string[] {
  return [
    ...(ranks === undefined ? [] : [counted(Number(ranks), 'rank')]),
    ...(workers === undefined ? [] : [counted(workers, 'worker'), `scheduler ${scheduler}`]),
    ...(pool === undefined ? [] : [`pool ${pool}`]),
  ];
}
