import { extname } from 'node:path';
import { processRange } from '../../analysis/processes.ts';
import type { FinalMarking } from '../../analysis/space/degrees.ts';
import { didYouMean, fail, quote } from '../../base/problem.ts';
import { isModel, type ProgramModel } from '../../models/program/model.ts';
import type { Net } from '../../net/net.ts';
import { isNetFile, NET_ENDINGS, readNetFile } from '../net-file.ts';
import { modelNet } from '../predict/predict-model.ts';
import type { MachineOptions } from '../target.ts';

/** The colour set of amounts in nets of models. */
const AMOUNTS = 'Bytes';
/** Ranks of a model that says nothing: what can happen grows fast with their number. */
const FEW = 2;

/** Values of a model's parameters. */
type Values = Readonly<Record<string, number | string | boolean>>;

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
 * The net of a file, or of a program model on the machine that the options name: with the ranks and parameters of its
 * `verifyWith` where nothing else is said, or on two ranks.
 *
 * @throws InputError APP030 a file that holds no net, APP004 a machine for a net, and all problems of reading and building
 */
export function spaceInput(
  input: string | Net | ProgramModel,
  options: MachineOptions & { readonly set?: Values },
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

function ofModel(given: ProgramModel, options: MachineOptions & { readonly set?: Values }): SpaceInput {
  const { ranks: preset, ...presets } = given.verifyWith as { readonly ranks?: number } & Values;
  const { model, ranks, target, program } = modelNet(given, {
    ...options,
    ranks: options.ranks ?? preset ?? given.ranks ?? FEW,
    set: { ...presets, ...options.set },
  });
  const net = withFiniteAmounts(program.net);
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

/** Amounts are whole numbers without a bound; as a range, only those that occur, they let the net be taken apart. */
function withFiniteAmounts(net: Net): Net {
  const colours = net.colours.map((c) =>
    c.kind === 'integer' && c.name === AMOUNTS
      ? ({ kind: 'range', name: AMOUNTS, low: 0, high: Number.MAX_SAFE_INTEGER } as const)
      : c,
  );
  return { ...net, colours };
}
