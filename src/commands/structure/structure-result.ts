import type { NetClasses } from '../../analysis/structure/net-classes.ts';
import type { SpaceFigure } from '../explore/space.ts';
import type { InputFile, Limit, NetSettings } from '../inputs/document-parts.ts';

/** Weights or counts by name of a place or transition. Open: names of the net. */
export type Weights = Readonly<Record<string, number>>;

/** A verdict and its reason; `value` is null if it is unknown. */
export interface StructureFinding {
  /** The verdict; null if unknown. */
  readonly value: boolean | null;
  /** The reason, as a phrase. */
  readonly because: string;
}

/** The proved upper bound of a place's tokens. */
export interface ProvedPlace {
  /** The place; with colours as in properties: `Fork[3]`. */
  readonly place: string;
  /** Number of initial tokens. */
  readonly initial: number;
  /** Upper bound in every reachable marking; null: nothing is proved. */
  readonly bound: number | null;
  /**
   * How it is proved. `semiflow`: the weighted sum is the same in every marking; `weights`: the sum never grows; `linear
   * program`: such weights found by HiGHS and checked exactly; `capacity`: arcs into the place check for room; `never`: no
   * transition that adds tokens to it can ever fire.
   */
  readonly by: 'semiflow' | 'weights' | 'linear program' | 'capacity' | 'never' | null;
  /** One-line explanation. */
  readonly because: string;
  /** Weights of the sum that bounds the place: up to 1,000 terms, and up to 8 after 200,000 terms of other places. */
  readonly weights?: Weights;
  /** Index in `sums` of a longer sum that bounds the place, which many places share. */
  readonly sum?: number;
  /** The weighted sum of tokens in the initial marking. */
  readonly tokens?: number;
}

/** A minimal semiflow. For places, `tokens` is their weighted sum, which is the same in every marking. */
export interface ShownSemiflow {
  /** Weights by place or transition. */
  readonly weights: Weights;
  /** Place semiflows: the constant weighted sum of tokens. */
  readonly tokens?: number;
}

/** A minimal siphon or trap. */
export interface ShownSiphon {
  /** Names of the places. */
  readonly places: readonly string[];
  /** Number of tokens in its places in the initial marking. */
  readonly tokens: number;
  /** Siphons only: the places of the largest trap inside it, if that trap is marked; otherwise null. */
  readonly trap?: readonly string[] | null;
}

/** The result for one target, obtained without exploring markings. */
export interface UnreachableTarget {
  /** The target as a property. */
  readonly target: string;
  /** true: no reachable marking satisfies the target; null: unknown. */
  readonly unreachable: true | null;
  /** The reason, as a phrase. */
  readonly because: string;
  /** One for each alternative of the target that the proof covers. */
  readonly certificates: readonly TargetCertificate[];
}

/**
 * Proof that an alternative of a target is impossible. Multiply its demands by `multipliers` and each upper bound `most` of
 * `bounds` by its `multiplier`, and add them up: every marking of the alternative would have a weighted sum of at least
 * `demanded`, with no weight above `weights`. But the sum with `weights` never exceeds its initial value `tokens`, because
 * no transition adds to it.
 */
export interface TargetCertificate {
  /** The alternative of the target, as text. */
  readonly alternative: string;
  /** Kind of the proof. */
  readonly by: 'semiflow' | 'weights' | 'linear program' | 'bounds';
  /** One-line explanation. */
  readonly because: string;
  /** Multipliers of the demands. */
  readonly multipliers?: readonly number[];
  /** Proved upper bounds that the proof uses. */
  readonly bounds?: readonly {
    /** The place. */
    readonly place: string;
    /** Its bound. */
    readonly most: number;
    /** Multiplier of the bound in the proof. */
    readonly multiplier: number;
  }[];
  /** Weights of the places in the sum. */
  readonly weights?: Weights;
  /** Initial weighted sum of tokens. */
  readonly tokens?: number;
  /** Weighted sum that the target demands. */
  readonly demanded?: number;
}

/**
 * The result of `foretoken structure`, version 1. `--json` prints it and all views read it. Places and transitions are those
 * of the net without colours. `seconds` varies with the computer; all else is reproducible.
 */
export interface StructureDocument {
  /** Always `foretoken`: distinguishes results from other JSON. */
  readonly format: 'foretoken';
  /** 1 until a key changes its meaning; a new key does not change it. */
  readonly version: 1;
  /** Which result this is; also the name of its schema. */
  readonly kind: 'structure';
  /** Name and version of the program that wrote the document. */
  readonly product: string;
  /** Input files by role, with their digests. */
  readonly inputs: { readonly [role in 'net' | 'model' | 'machine' | 'hostfile' | 'collectives']?: InputFile } & {
    readonly members?: readonly InputFile[];
  };
  /** Options of the analysis. */
  readonly options: NetSettings & { readonly sets?: Limit };
  /** Size of the net and numbers of the found sets. */
  readonly figures: {
    /** Number of places. */
    readonly places: SpaceFigure;
    /** Number of transitions. */
    readonly transitions: SpaceFigure;
    /** Minimal place semiflows: weighted sums of tokens that no firing changes. */
    readonly placeSemiflows: SpaceFigure;
    /** Minimal transition semiflows: numbers of firings that reproduce a marking. */
    readonly transitionSemiflows: SpaceFigure;
    /** Minimal siphons: sets of places that stay empty once they are empty. */
    readonly siphons: SpaceFigure;
    /** Minimal traps: sets of places that stay marked once they are marked. */
    readonly traps: SpaceFigure;
    /** Number of places with a proved bound. */
    readonly boundedPlaces: SpaceFigure;
    /** Maximum of these bounds; null if one is missing. */
    readonly largestBound: SpaceFigure;
    /** Number of transitions that can never fire. */
    readonly deadTransitions: SpaceFigure;
  };
  /** True if all minimal ones were found: there can be exponentially many, and searches have limits. */
  readonly complete: {
    /** All minimal place semiflows. */
    readonly placeSemiflows: boolean;
    /** All minimal transition semiflows. */
    readonly transitionSemiflows: boolean;
    /** All minimal siphons. */
    readonly siphons: boolean;
    /** All minimal traps. */
    readonly traps: boolean;
  };
  /** Why the analysis ended early: a limit, or a request of the user. The parts found until then remain true. */
  readonly truncation?: 'time' | 'memory' | 'interrupted';
  /** Classes of place/transition nets with the names of the Model Checking Contest; null if the net has other kinds of arcs. */
  readonly classes: NetClasses | null;
  /** Verdicts with their reasons. */
  readonly verdicts: {
    readonly [name in
      | 'safe'
      | 'bounded'
      | 'structurallyBounded'
      | 'conservative'
      | 'consistent'
      | 'deadlockFree'
      | 'live']: StructureFinding;
  };
  /** Proved bound of each place. */
  readonly proved: readonly ProvedPlace[];
  /** Sums of more than 1,000 terms that bound places of `proved`. Absent if empty. */
  readonly sums?: readonly Weights[];
  /** Minimal place semiflows. */
  readonly placeSemiflows: readonly ShownSemiflow[];
  /** Minimal transition semiflows. */
  readonly transitionSemiflows: readonly ShownSemiflow[];
  /** Minimal siphons. */
  readonly siphons: readonly ShownSiphon[];
  /** Minimal traps. */
  readonly traps: readonly ShownSiphon[];
  /** Transitions that can never fire. */
  readonly deadTransitions: readonly string[];
  /** Answers to the targets of `unreachable`. */
  readonly unreachable?: readonly UnreachableTarget[];
  /**
   * The solver of linear programs. `absent`: the optional package `highs` is not installed, and bounds may be weaker; `off`:
   * disabled by the user; `not needed`: linear programs could not have improved the result; `too large`: the net has too many
   * arcs for them, and bounds may be weaker; `skipped`: the analysis ended early.
   */
  readonly solver: 'highs' | 'not needed' | 'absent' | 'off' | 'too large' | 'skipped';
  /** Time of the whole command in seconds, reading and preparation included. */
  readonly seconds: number;
  /** Remarks on how the input was read. */
  readonly warnings: readonly string[];
}
