import { extname } from 'node:path';
import { processRange } from '../../analysis/processes.ts';
import type { FinalMarkings } from '../../analysis/space/degrees.ts';
import { didYouMean, fail, InputError, type Problem, quote } from '../../base/problem.ts';
import { ranges as numberRanges } from '../../base/ranges.ts';
import { isModel, type ProgramModel } from '../../models/program/model.ts';
import type { Net } from '../../net/net.ts';
import { assertExists, assertReadable } from '../input-kinds.ts';
import { MODEL_ENDINGS } from '../model-endings.ts';
import { isNetFile, NET_ENDINGS, readNetFile } from '../net-file.ts';
import { type ModelNet, modelNet } from '../predict/predict-model.ts';
import { checkProgram } from '../predict/program-fault.ts';
import type { MachineOptions } from '../target.ts';
import { finalMarkingsOf } from './final-markings.ts';

/** The colour set of amounts in nets of models. */
const AMOUNTS = 'Bytes';
/** Ranks of a model that says nothing: what can happen grows fast with their number. */
const FEW = 2;
/** The most ranks that are tried where the model refuses fewer. */
const MAX_TRIED = 64;

/** Values of a model's parameters. */
type Values = Readonly<Record<string, number | string | boolean>>;

/** A net to be explored: where it comes from, and what a result has to say of it. */
export interface SpaceInput {
  readonly net: Net;
  /** The file that its problems name. */
  readonly file: string;
  /** The final markings of the net; of a program: the marking in which all its processes have ended. */
  readonly final?: FinalMarkings;
  /** What of the input a rerun needs. */
  readonly options: Readonly<Record<string, string | number>>;
  /** What was read in a way that one may want to know of. */
  readonly warnings: readonly string[];
  /** Of a program model: what its net was made of. */
  readonly built?: ModelNet;
}

/**
 * The net of a file, or of a program model on the machine that the options name: with the ranks and parameters of its
 * `verifyWith` where nothing else is said, or on two ranks.
 *
 * @param check how a program is checked for faults, which gives warnings
 * @throws InputError APP030 a file that holds no net, APP004 a machine for a net, and all problems of reading, building and
 * running the program
 */
export function spaceInput(
  input: string | Net | ProgramModel,
  options: MachineOptions & { readonly set?: Values },
  check: typeof checkProgram = checkProgram,
): SpaceInput {
  if (typeof input !== 'string')
    return isModel(input)
      ? ofModel(input, options, check)
      : { net: input, file: input.name, ...finalIn(input), options: { net: input.name }, warnings: [] };
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
  if (!isNetFile(input)) refuseEnding(input);
  const { net, warnings } = readNetFile(input);
  return { net, file: input, ...finalIn(net), options: { net: net.name }, warnings };
}

/** A net that is not valid is refused elsewhere. */
function finalIn(net: Net): Pick<SpaceInput, 'final'> {
  const final = finalMarkingsOf(net);
  return final === undefined ? {} : { final };
}

/**
 * Refuses a file that is no net by its ending; one that does not exist is reported first.
 *
 * @throws InputError APP001, APP009, APP030
 */
function refuseEnding(input: string): never {
  assertReadable(input);
  const ending = extname(input);
  const trace =
    ending === '.ti' ? ' A trace has no state space of its own: foretoken verify checks it as a program.' : '';
  const message = `the ending ${quote(ending)} is none of a net.${didYouMean(ending, [...NET_ENDINGS, ...MODEL_ENDINGS])}${trace}`;
  const problem = { code: 'APP030', message, place: { file: input } };
  try {
    assertExists(input);
  } catch (e) {
    if (e instanceof InputError) throw new InputError([...e.problems, problem]);
    throw e;
  }
  throw new InputError([problem]);
}

function ofModel(
  given: ProgramModel,
  options: MachineOptions & { readonly set?: Values },
  check: typeof checkProgram,
): SpaceInput {
  const { ranks: preset, ...presets } = given.verifyWith as { readonly ranks?: number } & Values;
  const fixed = options.ranks ?? preset ?? given.ranks;
  const built = (ranks: number): ModelNet =>
    modelNet(given, { ...options, ranks, set: { ...presets, ...options.set } });
  const { found, skipped } =
    fixed === undefined ? onFewestRanks(built) : { found: built(fixed), skipped: [] as readonly Skipped[] };
  const { model, ranks, target, program } = found;
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
      ...(skipped.length === 0 ? {} : { skippedRanks: numberRanges(skipped.map((s) => s.ranks)) }),
    },
    warnings: [...(skipped.length === 0 ? [] : [skippedText(given, skipped, ranks)]), ...check(program)],
    built: found,
  };
}

/** A number of ranks that a model refuses, and why. */
interface Skipped {
  readonly ranks: number;
  readonly problem: Problem;
}

/**
 * The net on the fewest ranks, from two on, that the model takes.
 *
 * @throws InputError the first problem where it takes none up to {@link MAX_TRIED}
 */
function onFewestRanks(built: (ranks: number) => ModelNet): {
  readonly found: ModelNet;
  readonly skipped: readonly Skipped[];
} {
  const skipped: Skipped[] = [];
  let first: InputError | undefined;
  for (const ranks of [...Array.from({ length: MAX_TRIED - FEW + 1 }, (_, k) => FEW + k), 1]) {
    try {
      return { found: built(ranks), skipped };
    } catch (e) {
      // Only the model's own problems: another number of ranks does not change those of its machine.
      if (!(e instanceof InputError) || !e.problems.every((p) => p.code.startsWith('MODEL'))) throw e;
      first ??= e;
      skipped.push({ ranks, problem: e.problems[0]! });
    }
  }
  throw first!;
}

function skippedText({ name }: ProgramModel, skipped: readonly Skipped[], ranks: number): string {
  const { code, message } = skipped[0]!.problem;
  const all =
    skipped.length === 1 ? `${skipped[0]!.ranks} ranks` : `${numberRanges(skipped.map((s) => s.ranks))} ranks`;
  const on = `${ranks} rank${ranks === 1 ? ' is' : 's are'} taken`;
  return `model ${quote(name)} refuses ${all} (${code} ${message}): ${on}; --ranks chooses others`;
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
