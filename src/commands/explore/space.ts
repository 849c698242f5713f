import type { LivenessLevel } from '../../analysis/space/liveness.ts';
import type { ShownFirings, ShownTokens } from '../../analysis/space/marking-tokens.ts';
import type { Truncation } from '../../analysis/space/state-space.ts';
import type { ComponentSize, DepthProfile } from '../../analysis/space/statistics.ts';
import type { Verdicts } from '../../analysis/space/verdicts.ts';
import type { Absorption, SpaceFragment, SpaceParallelism, SpaceRunTime, SpaceWitness } from '../exact/exact-parts.ts';
import type {
  FigureError,
  HashSettings,
  InputFile,
  NetSettings,
  SearchSettings,
  SpaceOmission,
} from '../inputs/document-parts.ts';

/** A number, or null if it is unknown. A number of an incomplete space has an error: it is a lower bound. */
export type SpaceFigure =
  | { readonly value: number | null; readonly unit: '1' }
  | ({ readonly value: number; readonly unit: '1' } & FigureError);

/** Settings of an exploration. */
export interface SpaceSettings extends NetSettings, SearchSettings, HashSettings {
  /** Order of the search. */
  readonly order?: 'breadth' | 'depth';
  /** Groups of places whose bounds are asked for: names by commas, groups by semicolons. */
  readonly bounds?: string;
  /** The liveness levels were requested. */
  readonly liveness?: 'yes';
  /** The run times were requested. */
  readonly runTime?: 'yes';
}

/** A marking in which no transition can fire. */
export interface DeadMarking {
  /** Number of the state, in the order of discovery. */
  readonly state: number;
  /** Length of a shortest path from the initial state; null if unknown. */
  readonly distance: number | null;
  /** Programs only: whether all its processes have ended. */
  readonly final?: boolean;
  /** Equal tokens are one entry with a count; empty places have none. */
  readonly marking: readonly ShownTokens[];
  /** Firings in progress. */
  readonly busy: readonly ShownFirings[];
}

/** How often a transition can fire. */
export interface TransitionLiveness {
  /** The transition. */
  readonly transition: string;
  /**
   * 0: never; 1: at least once; 3: infinitely often in some run (level 2, as often as one likes, is the same where markings are finitely
   * many); 4: again from every reachable marking. Null if unknown.
   */
  readonly level: LivenessLevel | null;
  /** The reason. */
  readonly because: string;
  /** Levels 1 and 3: a state from which it is never possible again. */
  readonly witness: SpaceWitness | null;
}

/**
 * The result of `foretoken explore`, version 1. `--json` prints it and all views read it. If the space is incomplete,
 * figures and bounds cover only the states found and are lower bounds, except for components. `seconds`, `totalSeconds` and
 * `bytesPerState` vary with the computer; all else is reproducible.
 */
export interface SpaceDocument {
  /** Always `foretoken`: distinguishes results from other JSON. */
  readonly format: 'foretoken';
  /** 1 until a key changes its meaning; a new key does not change it. */
  readonly version: 1;
  /** Which result this is; also the name of its schema. */
  readonly kind: 'space';
  /** Name and version of the program that wrote the document. */
  readonly product: string;
  /** True if every reachable marking was found. */
  readonly complete: boolean;
  /** Why exploration ended early: a limit, or a request of the user. */
  readonly truncation?: Truncation;
  /** With hash compaction: how likely a state was omitted. `complete` is then false, also if no limit was reached. */
  readonly omission?: SpaceOmission;
  /** Input files by role, with their digests. */
  readonly inputs: { readonly [role in 'net' | 'model' | 'machine' | 'hostfile' | 'collectives']?: InputFile } & {
    /** The files that a model's module imports by path. */
    readonly members?: readonly InputFile[];
  };
  /** All settings needed for a rerun besides the inputs. */
  readonly options: SpaceSettings;
  /** Lower bounds if the space is incomplete. */
  readonly figures: {
    /** Number of reachable markings. */
    readonly states: SpaceFigure;
    /** Number of edges: the enabled pairs of transition and binding, summed over the markings. */
    readonly edges: SpaceFigure;
    /** Maximum number of tokens in a marking. */
    readonly maxTokensPerMarking: SpaceFigure;
    /** Maximum number of equal tokens in one place. */
    readonly maxTokensInPlace: SpaceFigure;
    /** Dead states; for programs only those that are not final. */
    readonly deadlockStates: SpaceFigure;
    /** Programs only: dead states in which all processes have ended. */
    readonly finalStates?: SpaceFigure;
    /** Number of strongly connected components: sets of states that can be reached from each other. */
    readonly sccs: SpaceFigure;
    /** Number of these components that no edge leaves. */
    readonly bottomSccs: SpaceFigure;
    /** States that can be reached from every state: all of the only bottom component, none if there are several. */
    readonly homeStates: SpaceFigure;
  };
  /** Verdicts; null if unknown. */
  readonly verdicts: { readonly [name in keyof Verdicts]: boolean | null };
  /** The reason of each verdict, or why it is unknown. */
  readonly because: { readonly [name in keyof Verdicts]: string };
  /** With `--liveness`: the level of each transition, in the order of the net. */
  readonly liveness?: readonly TransitionLiveness[];
  /** Nets with processes and programs only. */
  readonly parallelism?: SpaceParallelism;
  /** With `parallelism`: the sets of processes that are active together, the largest first, at most 1,000. */
  readonly fragments?: readonly SpaceFragment[];
  /** With `--run-time`, and for loop-free nets with constant delays. */
  readonly runTime?: SpaceRunTime;
  /**
   * With `--run-time`, and for loop-free nets of at most 2,000 states: the distribution of the run time, if delays are exponential, made of
   * phases, or absent.
   */
  readonly distribution?: Absorption;
  /** Maximum number of tokens in each requested group of places, in the order requested. */
  readonly bounds?: readonly number[];
  /** Number of states by distance from the initial one. */
  readonly depths?: DepthProfile;
  /** Number of steps possible in a state: minimum, mean and maximum. */
  readonly branching?: {
    /** Minimum over the states. */
    readonly least: number;
    /** Mean over the states. */
    readonly mean: number;
    /** Maximum over the states. */
    readonly most: number;
  };
  /** Components by size, the largest first, at most 20 sizes. */
  readonly components?: readonly ComponentSize[];
  /** The first dead states found. */
  readonly dead: readonly DeadMarking[];
  /** Time for exploring alone. */
  readonly seconds: number;
  /** Time of the whole command: also reading the input, preparation and analysis. */
  readonly totalSeconds: number;
  /** Memory per state, in bytes. */
  readonly bytesPerState: number;
  /** Remarks on how the input was read. */
  readonly warnings: readonly string[];
}
