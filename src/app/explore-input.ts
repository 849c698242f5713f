import { extname } from 'node:path';
import { processRange } from '../analysis/processes.ts';
import type { FinalMarking } from '../analysis/space/degrees.ts';
import { didYouMean, fail, quote } from '../base/problem.ts';
import { isModel, type ProgramModel } from '../models/program/model.ts';
import type { Net } from '../net/net.ts';
import { isNetFile, NET_ENDINGS, readNetFile } from './net-file.ts';
import { modelNet } from './predict-model.ts';
import type { MachineOptions } from './target.ts';

/** A net to be explored: where it comes from, and what a result has to say of it. */
export interface SpaceInput {
  readonly net: Net;
  /** The file that its problems name. */
  readonly file: string;
  /** Of a program: the marking in which all its processes have ended. */
  readonly final?: FinalMarking;
  /** What of the input a rerun needs. */
  readonly options: Readonly<Record<string, string | number>>;
  /** What was read in a way that one may want to know of. */
  readonly warnings: readonly string[];
}

/**
 * The net of a file, or of a program model on the machine that the options name.
 *
 * @throws InputError APP030 a file that holds no net, APP004 a machine for a net, and all problems of reading and building
 */
export function spaceInput(
  input: string | Net | ProgramModel,
  options: MachineOptions & { readonly set?: Readonly<Record<string, number | string | boolean>> },
): SpaceInput {
  if (typeof input !== 'string')
    return isModel(input)
      ? ofModel(input, options)
      : { net: input, file: input.name, options: { net: input.name }, warnings: [] };
  for (const key of [
    'machine',
    'hostfile',
    'placement',
    'oversubscribe',
    'networkModel',
    'collectives',
    'ranks',
    'set',
  ] as const)
    if (options[key] !== undefined)
      fail('APP004', `a net holds its machine already: the option for ${key} has no use with it`, { file: input });
  if (!isNetFile(input)) {
    const ending = extname(input);
    return fail('APP030', `the ending ${quote(ending)} is none of a net.${didYouMean(ending, NET_ENDINGS)}`, {
      file: input,
    });
  }
  const { net, warnings } = readNetFile(input);
  return { net, file: input, options: { net: net.name }, warnings };
}

function ofModel(
  given: ProgramModel,
  options: MachineOptions & { readonly set?: Readonly<Record<string, number | string | boolean>> },
): SpaceInput {
  const { model, ranks, target, program } = modelNet(given, options);
  const { net } = program;
  const { processes } = net;
  const place = net.places.findIndex((p) => p.name === processes?.ended);
  const parameters = Object.entries(model.params).map(([key, value]) => [
    `model.${key}`,
    typeof value === 'number' ? value : String(value),
  ]);
  return {
    net,
    file: given.file ?? given.name,
    ...(place < 0 ? {} : { final: { places: [place], tokens: processRange(net).count } }),
    options: {
      model: model.name,
      ...Object.fromEntries(parameters),
      ranks,
      collectives: target.collectives,
      networkModel: target.model.name,
      ...(target.builtIn ? { builtIn: target.platform.name } : {}),
      ...(options.machine === undefined ? { assumed: 'machine' } : {}),
    },
    warnings: [],
  };
}
