import { ranges as numberRanges } from '../../base/listing.ts';
import { formatProblem, InputError, type Problem, quote } from '../../base/problem.ts';
import type { ProgramModel } from '../../models/program/model-object.ts';
import type { ThreadNet } from '../../models/threads/net/thread-net.ts';
import type { ThreadModel } from '../../models/threads/program/threads.ts';
import { type Explorable, explorableNet, explorableProgram, explorableThreads } from '../exact/explorable.ts';
import type { NetSettings, ParameterSettings } from '../inputs/document-parts.ts';
import { type ByKind, byKind, type InputOf } from '../inputs/input.ts';
import type { MachineOptions } from '../inputs/target.ts';
import type { ThreadOptions } from '../inputs/thread-options.ts';
import { checkProgram } from '../predict/model/program-fault.ts';
import { type MappedModel, mapModel } from '../predict/model/stages.ts';
import { runThreads } from '../predict/threads/run-threads.ts';
import {
  machineWarnings,
  meanTimes,
  poolSettings,
  type ThreadModelNet,
  threadModelNet,
} from '../predict/threads/thread-model-net.ts';

/** Default number of ranks: the state space grows fast with it. */
const FEW = 2;
/** Maximum number of ranks tried if the model rejects fewer. */
const MAX_TRIED = 64;

/** Values of a model's parameters. */
type Values = Readonly<Record<string, number | string | boolean>>;

type SpaceInputOptions = MachineOptions & ThreadOptions & { readonly set?: Values };
/** Options of {@link spaceInput} of its caller. */
interface SpaceInputMore {
  /**
   * True if threads beyond the cores change on them in time slices. By default they share them evenly: slices change times, and
   * multiply the markings.
   */
  readonly slices?: boolean;
  /** True if the net is explored without times: receives of a schedule keep the order of its file. */
  readonly withoutTimes?: boolean;
}
/** The kinds of input whose markings are explored. */
type SpaceKind = 'model' | 'thread model' | 'net';

/** A net to be explored, its origin, and remarks for the result. */
export interface SpaceInput extends Explorable {
  /** The file that its problems name. */
  readonly file: string;
  /** Settings of the input that a rerun needs. */
  readonly options: NetSettings;
  /** Remarks on how the input was read. */
  readonly warnings: readonly string[];
  /** Program models only: the model on its machine. */
  readonly built?: MappedModel;
  /** Thread models only: the model on its node. */
  readonly threads?: ThreadModelNet;
  /** Schedules only: why all operations end in every order of the steps; undefined if that is not known. */
  readonly whyAllEnd?: () => string | undefined;
}

/**
 * The net of a file, or of a model on the machine that the options name. Ranks, workers and parameters default to the model's
 * `verifyWith`, and ranks and workers otherwise to two.
 *
 * @param check checks a program for faults and returns warnings
 * @throws InputError APP030 a file without a net, and all problems of reading, building and running the program
 */
export function spaceInput(
  input: InputOf<SpaceKind>,
  options: SpaceInputOptions,
  check: typeof checkProgram = checkProgram,
  more: SpaceInputMore = {},
): SpaceInput {
  return byKind(SPACES, input, options, check, more);
}

const SPACES: ByKind<SpaceKind, [SpaceInputOptions, typeof checkProgram, SpaceInputMore], SpaceInput> = {
  model: ({ model }, options, check) => ofModel(model, options, check),
  'thread model': ({ model }, options, _, more) => ofThreads(model, options, more),
  net: ({ read, path }, _, __, { withoutTimes = false }) => {
    const { net: timed, warnings, schedule } = read();
    const net = withoutTimes && schedule !== undefined ? schedule.netOfOrders() : timed;
    const space = explorableNet(net);
    const whyAllEnd = schedule === undefined ? {} : { whyAllEnd: schedule.whyAllEnd };
    return { ...space, file: path ?? net.name, options: { net: net.name }, warnings, ...whyAllEnd };
  },
};

function ofModel(given: ProgramModel, options: SpaceInputOptions, check: typeof checkProgram): SpaceInput {
  const { ranks: preset, ...presets } = given.verifyWith as { readonly ranks?: number } & Values;
  const fixed = options.ranks ?? preset ?? given.ranks;
  const built = (ranks: number): MappedModel =>
    mapModel(given, { ...options, ranks, set: { ...presets, ...options.set } });
  const { found, skipped } =
    fixed === undefined ? onFewestRanks(built) : { found: built(fixed), skipped: [] as readonly Skipped[] };
  const { model, ranks, target, program } = found;
  return {
    ...explorableProgram(program),
    file: given.file ?? given.name,
    options: {
      model: model.name,
      ...parametersOf(model),
      ranks,
      collectives: target.collectives.text,
      networkModel: target.model.name,
      ...(target.builtIn ? { builtIn: target.platform.name } : {}),
      ...(options.machine === undefined ? { assumed: 'machine' } : {}),
      ...(options.oversubscribe === true ? { oversubscribe: 'yes' } : {}),
      ...(skipped.length === 0 ? {} : { skippedRanks: numberRanges(skipped.map((s) => s.ranks)) }),
    },
    warnings: [...(skipped.length === 0 ? [] : [skippedText(given, skipped, ranks)]), ...check(program)],
    built: found,
  };
}

/** A thread model with mean times. Its pool is as in `verify`, and its scheduler as in `predict`. */
function ofThreads(given: ThreadModel, options: SpaceInputOptions, { slices = false }: SpaceInputMore): SpaceInput {
  const { workers: preset, ...presets } = given.verifyWith as { readonly workers?: number } & Values;
  const set = { ...presets, ...options.set };
  const workers = options.workers ?? preset ?? FEW;
  const threads = threadModelNet(given, { ...options, workers, set }, { sharesEvenly: !slices });
  const { model, target, drawsTimes } = threads;
  const net = threads.withMeanTimes();
  checkThreads(net);
  return {
    ...explorableThreads(net),
    file: given.file ?? given.name,
    options: {
      model: model.name,
      ...parametersOf(model),
      ...poolSettings(threads, options.allocator),
      ...(target.builtIn ? { builtIn: target.platform.name } : {}),
      ...(options.machine === undefined ? { assumed: 'machine' } : {}),
    },
    warnings: [...target.warnings, ...machineWarnings(threads), ...(drawsTimes ? [meanTimes(model)] : [])].map(
      formatProblem,
    ),
    threads,
  };
}

/** Maximum number of steps of a run that only looks for faults. */
const MAX_STEPS = 1e7;

/**
 * Runs the net once. As for programs of ranks, only this run is checked if steps depend on random draws.
 *
 * @throws InputError THR009 for a strand that releases an object that it does not hold
 */
function checkThreads(net: ThreadNet): void {
  runThreads(net, { maxSteps: MAX_STEPS });
}

const parametersOf = ({ params }: { readonly params: object }): ParameterSettings =>
  Object.fromEntries(
    Object.entries(params).map(([key, value]) => [`model.${key}`, typeof value === 'number' ? value : String(value)]),
  );

/** A number of ranks that a model rejects, and the reason. */
interface Skipped {
  readonly ranks: number;
  readonly problem: Problem;
}

/**
 * The net on the smallest number of ranks that the model accepts, from two on.
 *
 * @throws InputError the first problem if it accepts none up to {@link MAX_TRIED}
 */
function onFewestRanks(built: (ranks: number) => MappedModel): {
  readonly found: MappedModel;
  readonly skipped: readonly Skipped[];
} {
  const skipped: Skipped[] = [];
  let first: InputError | undefined;
  for (const ranks of [...Array.from({ length: MAX_TRIED - FEW + 1 }, (_, k) => FEW + k), 1]) {
    try {
      return { found: built(ranks), skipped };
    } catch (e) {
      // Problems of the machine do not depend on the number of ranks, so only those of the model are skipped.
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
  const on = `${ranks} rank${ranks === 1 ? ' is' : 's are'} explored`;
  return `model ${quote(name)} refuses ${all} (${code} ${message}): ${on}; --ranks chooses others`;
}
