import type { ShownFirings, ShownTokens } from '../analysis/space/marking-tokens.ts';
import type { Truncation } from '../analysis/space/state-space.ts';
import type { ComponentSize, DepthProfile } from '../analysis/space/statistics.ts';
import type { Verdicts } from '../analysis/space/verdicts.ts';
import type { InputFile } from './prediction.ts';

/** A figure with its unit, `1` for a plain number; null where it is not known. */
export interface SpaceFigure {
  readonly value: number | null;
  readonly unit: string;
}

/** A marking in which nothing can happen. */
export interface DeadMarking {
  readonly state: number;
  /** Steps of a shortest way from the initial state; null where it is not known. */
  readonly distance: number | null;
  /** Of a program: whether all its processes have ended. */
  readonly final?: boolean;
  readonly marking: readonly ShownTokens[];
  readonly busy: readonly ShownFirings[];
}

/**
 * The result of `foretoken explore`, version 1: what `--json` prints and what every view reads. Of a space that is not
 * complete, figures and bounds are of the states that were found, and so lower bounds, but for components. `seconds` and
 * `bytesPerState` depend on the machine it was computed on; nothing else does.
 */
export interface SpaceDocument {
  readonly format: 'foretoken';
  readonly version: 1;
  readonly kind: 'space';
  readonly product: string;
  /** Whether every reachable marking was found. */
  readonly complete: boolean;
  /** Why not: a limit, or the user's wish. */
  readonly truncation?: Truncation;
  readonly inputs: { readonly [role in 'net' | 'model' | 'machine' | 'hostfile']?: InputFile } & {
    /** The files that a model's module imports by their paths. */
    readonly members?: readonly InputFile[];
  };
  /** All that a rerun needs besides the inputs. */
  readonly options: Readonly<Record<string, string | number>>;
  readonly figures: {
    readonly states: SpaceFigure;
    /** Firings summed over the markings: one for each transition and binding that is possible there. */
    readonly edges: SpaceFigure;
    readonly maxTokensPerMarking: SpaceFigure;
    /** The most equal tokens in one place. */
    readonly maxTokensInPlace: SpaceFigure;
    /** Dead states; of a program only those that are not final. */
    readonly deadlockStates: SpaceFigure;
    /** Of a program: dead states in which all its processes have ended. */
    readonly finalStates?: SpaceFigure;
    readonly sccs: SpaceFigure;
    readonly bottomSccs: SpaceFigure;
  };
  readonly verdicts: { readonly [name in keyof Verdicts]: boolean | null };
  /** Why each verdict is what it is, or is not known. */
  readonly because: { readonly [name in keyof Verdicts]: string };
  /** The largest sum of tokens over each group of places that was asked for, in their order. */
  readonly bounds?: readonly number[];
  /** States by their distance from the initial one. */
  readonly depths?: DepthProfile;
  /** Steps that are possible in a state. */
  readonly branching?: { readonly least: number; readonly mean: number; readonly most: number };
  /** Components by size, the largest first, at most 20 sizes. */
  readonly components?: readonly ComponentSize[];
  /** The first dead states. */
  readonly dead: readonly DeadMarking[];
  /** Spent on exploring alone. */
  readonly seconds: number;
  readonly bytesPerState: number;
  /** What of the input was read in a way that one may want to know of. */
  readonly warnings: readonly string[];
}
