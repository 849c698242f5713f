import type { Findings } from '../../analysis/space/findings.ts';
import { homeStates } from '../../analysis/space/liveness.ts';
import { MarkingTokens } from '../../analysis/space/marking-tokens.ts';
import type { ExploreOptions, StateSpace, Truncation } from '../../analysis/space/state-space.ts';
import type { Verdict, Verdicts } from '../../analysis/space/verdicts.ts';
import { finiteDocument } from '../../base/finite-figures.ts';
import { given } from '../../base/given.ts';
import { PRODUCT } from '../../base/version.ts';
import { errorOfPart, type HashSettings } from '../inputs/document-parts.ts';
import {
  ALL,
  ANALYSED,
  ANALYSIS_ROWS,
  HOOK_ROWS,
  type KindOf,
  type OptionRows,
  type OptionsFor,
  SEARCH_ROWS,
} from '../inputs/option-rows.ts';
import type { MachineOptions } from '../inputs/target.ts';
import type { ThreadOptions } from '../inputs/thread-options.ts';
import type { SpaceInput } from './explore-input.ts';
import type { SpaceDocument, SpaceFigure, SpaceSettings } from './space.ts';

/**
 * The result document of an exploration, without input files.
 *
 * @param ended what ended the analysis that follows the exploration, if it was ended early
 */
export function spaceDocument(
  { net, final, options: ofInput, warnings }: SpaceInput,
  options: SpaceOptions,
  space: StateSpace,
  found: Findings,
  ended: Truncation | undefined,
  active?: Pick<SpaceDocument, 'liveness' | 'parallelism' | 'fragments' | 'runTime' | 'distribution'>,
): SpaceDocument {
  const { degrees, components, bounds, depths, sizes } = found;
  const truncation = space.truncation ?? ended;
  const complete = truncation === undefined && space.complete;
  const atLeast = (value: number | undefined): SpaceFigure =>
    complete || value === undefined ? plain(value) : { value, unit: '1', ...errorOfPart(value) };
  const words = new MarkingTokens(net);
  return finiteDocument({
    format: 'foretoken',
    version: 1,
    kind: 'space',
    product: PRODUCT,
    complete,
    ...(truncation === undefined ? {} : { truncation }),
    inputs: {},
    options: { ...ofInput, ...asked(options) },
    ...(space.omission === undefined ? {} : { omission: space.omission }),
    figures: {
      states: atLeast(space.states),
      edges: atLeast(space.edges),
      maxTokensPerMarking: atLeast(space.maxTokensPerMarking),
      maxTokensInPlace: atLeast(space.maxTokensInPlace),
      deadlockStates: atLeast(degrees?.stuck),
      ...(final === undefined ? {} : { finalStates: atLeast(degrees && degrees.dead - degrees.stuck) }),
      sccs: plain(components?.count),
      bottomSccs: plain(components?.bottoms),
      homeStates: plain(components && homeStates(components)),
    },
    verdicts: mapped(found.verdicts, (v) => v.value),
    because: mapped(found.verdicts, (v) => v.because),
    ...active,
    ...(options.bounds === undefined || bounds === undefined ? {} : { bounds }),
    ...(depths === undefined ? {} : { depths }),
    ...(degrees === undefined ? {} : { branching: { least: degrees.least, mean: degrees.mean, most: degrees.most } }),
    ...(sizes === undefined ? {} : { components: sizes }),
    dead: found.dead.map(({ state, distance, final: ended }) => {
      const view = found.names.marking(state);
      return {
        state,
        distance: distance ?? null,
        ...(final === undefined ? {} : { final: ended }),
        marking: words.tokens(view),
        busy: words.busy(view),
      };
    }),
    seconds: space.seconds,
    totalSeconds: (performance.now() - (options.begun ?? performance.now())) / 1000,
    bytesPerState: space.bytes / space.states,
    warnings,
  });
}

function plain(value: number | undefined): SpaceFigure {
  return { value: value ?? null, unit: '1' };
}

function mapped<T>(all: Verdicts, of: (v: Verdict) => T): { [name in keyof Verdicts]: T } {
  const { deadlock, oneSafe, quasiLive, live, stableMarking, reversible } = all;
  return {
    deadlock: of(deadlock),
    oneSafe: of(oneSafe),
    quasiLive: of(quasiLive),
    live: of(live),
    stableMarking: of(stableMarking),
    reversible: of(reversible),
  };
}

/** The requested settings, as needed for a rerun. */
function asked(options: SpaceOptions): SpaceSettings {
  const { bounds } = options;
  const groups = typeof bounds === 'string' ? bounds : bounds?.map((names) => names.join(',')).join(';');
  const { maxStates, memory, seconds } = options;
  return {
    order: options.order ?? 'breadth',
    ...given({ maxStates, memory, seconds }, ['maxStates', 'memory', 'seconds']),
    ...(groups === undefined ? {} : { bounds: groups }),
    ...(options.liveness === true ? { liveness: 'yes' as const } : {}),
    ...(options.runTime === true ? { runTime: 'yes' as const } : {}),
    ...hashSettings(options),
  };
}

/** Hash compaction as recorded in a result; the seed, too, if it is not given. */
export function hashSettings({ hashCompact, seed = 1 }: Pick<ExploreOptions, 'hashCompact' | 'seed'>): HashSettings {
  return hashCompact === true ? { hashCompact: 'yes', seed: String(seed) } : {};
}

/** Progress of an exploration. */
export interface ExploreProgress {
  /** Number of states found. */
  readonly states: number;
  /** Number of states whose successors are known. */
  readonly expanded: number;
  /** Seconds spent on exploring. */
  readonly seconds: number;
  /** Share of the limits of states, time and memory that is used, the greatest of them: at 1 the work ends. */
  readonly used?: number;
}

/** Options of `foretoken explore`. For models also the machine and the number of ranks. */
export interface SpaceOptions extends MachineOptions, ThreadOptions, Omit<ExploreOptions, 'progress' | 'budget'> {
  /** Values of its parameters. */
  readonly set?: Readonly<Record<string, number | string | boolean>>;
  /** Groups of places whose maximum token sum is wanted: `p1,p2;p3`, or lists of names. */
  readonly bounds?: string | readonly (readonly string[])[];
  /** Also determines the liveness level of each transition. */
  readonly liveness?: boolean;
  /** Also the shortest and the longest run time over all orders, or the distribution of a random run time, as far as the limits allow. */
  readonly runTime?: boolean;
  /** Writes the graph of a small space to this file: .svg, .html or .dot. */
  readonly graph?: string;
  /** Called repeatedly during the exploration. */
  readonly progress?: (p: ExploreProgress) => void;
  /** Start time of the command by `performance.now()`; `seconds` count from there. Default: now. */
  readonly begun?: number;
}

/** The kinds of input to which each option applies. */
export const EXPLORE_ROWS = {
  ...ANALYSIS_ROWS,
  ...SEARCH_ROWS,
  order: ALL,
  hashCompact: ANALYSED,
  seed: ANALYSED,
  ...HOOK_ROWS,
  bounds: ANALYSED,
  liveness: ANALYSED,
  runTime: ANALYSED,
  graph: ANALYSED,
} as const satisfies OptionRows<SpaceOptions>;

/** Options of `explore` that apply to an input. */
export type SpaceOptionsOf<I> = OptionsFor<SpaceOptions, typeof EXPLORE_ROWS, KindOf<I>>;
