import type { InputFile } from './prediction.ts';
import type { SpaceFigure } from './space.ts';

/** Weights or counts by the name of a place or transition. */
export type Weights = Readonly<Record<string, number>>;

/** What is known, and why; `value` is null where it is not. */
export interface StructureFinding {
  readonly value: boolean | null;
  readonly because: string;
}

/** The most tokens that a place can ever hold, as far as it is proved. */
export interface ProvedPlace {
  /** A place of one colour as in properties: `Fork[3]`. */
  readonly place: string;
  readonly initial: number;
  /** null: nothing is proved. */
  readonly bound: number | null;
  /**
   * What proves it. `semiflow`: these weights have the same sum in every marking; `weights`: their sum never grows;
   * `linear program`: the same, found by HiGHS and checked exactly; `capacity`: room is looked for; `never`: nothing that adds to it can
   * ever fire.
   */
  readonly by: 'semiflow' | 'weights' | 'linear program' | 'capacity' | 'never' | null;
  /** In one line, for people. */
  readonly because: string;
  readonly weights?: Weights;
  /** The weighted sum of tokens, initially. */
  readonly tokens?: number;
}

/** A minimal semiflow: of places their weighted sum of tokens, which is the same in every marking. */
export interface ShownSemiflow {
  readonly weights: Weights;
  readonly tokens?: number;
}

export interface ShownSiphon {
  readonly places: readonly string[];
  /** Tokens in its places, initially. */
  readonly tokens: number;
  /** Of a siphon: the places of the largest trap inside it, where that is marked; null: there is none. */
  readonly trap?: readonly string[] | null;
}

/** What is known of a target, without a marking explored. */
export interface UnreachableTarget {
  /** As in properties. */
  readonly target: string;
  /** true: no reachable marking is one of the target; null: not known. */
  readonly unreachable: true | null;
  readonly because: string;
  /** One for each alternative of the target that the reason is about. */
  readonly certificates: readonly TargetCertificate[];
}

/**
 * Why an alternative is impossible: its demands × `multipliers`, and `most` tokens at most in each of the `bounds` × its own, add up to
 * a sum of tokens of which no weight is above `weights`, and which would have to be `demanded`; but the sum by `weights` is `tokens` at
 * most, since no transition adds to it.
 */
export interface TargetCertificate {
  readonly alternative: string;
  readonly by: 'semiflow' | 'weights' | 'linear program' | 'bounds';
  readonly because: string;
  readonly multipliers?: readonly number[];
  readonly bounds?: readonly { readonly place: string; readonly most: number; readonly multiplier: number }[];
  readonly weights?: Weights;
  readonly tokens?: number;
  readonly demanded?: number;
}

/**
 * The result of `foretoken structure`, version 1: what `--json` prints and what every view reads. Places and transitions are
 * those of the net without colours. `seconds` depends on the machine it was computed on; nothing else does.
 */
export interface StructureDocument {
  readonly format: 'foretoken';
  readonly version: 1;
  readonly kind: 'structure';
  readonly product: string;
  readonly inputs: { readonly [role in 'net' | 'model' | 'machine' | 'hostfile']?: InputFile } & {
    readonly members?: readonly InputFile[];
  };
  readonly options: Readonly<Record<string, string | number>>;
  readonly figures: {
    readonly places: SpaceFigure;
    readonly transitions: SpaceFigure;
    readonly placeSemiflows: SpaceFigure;
    readonly transitionSemiflows: SpaceFigure;
    readonly siphons: SpaceFigure;
    readonly traps: SpaceFigure;
    /** Places whose bound is proved. */
    readonly boundedPlaces: SpaceFigure;
    /** The largest of these bounds; null where one is missing. */
    readonly largestBound: SpaceFigure;
    readonly deadTransitions: SpaceFigure;
  };
  /** Whether these are all minimal ones: there can be exponentially many, and searches have limits. */
  readonly complete: {
    readonly placeSemiflows: boolean;
    readonly transitionSemiflows: boolean;
    readonly siphons: boolean;
    readonly traps: boolean;
  };
  /** Classes of place/transition nets, as the Model Checking Contest names them; null where the net has other arcs. */
  readonly classes: Readonly<Record<string, boolean>> | null;
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
  readonly proved: readonly ProvedPlace[];
  readonly placeSemiflows: readonly ShownSemiflow[];
  readonly transitionSemiflows: readonly ShownSemiflow[];
  readonly siphons: readonly ShownSiphon[];
  readonly traps: readonly ShownSiphon[];
  /** Transitions that can never fire. */
  readonly deadTransitions: readonly string[];
  readonly unreachable?: readonly UnreachableTarget[];
  /**
   * What solved linear programs. `absent`: the optional package `highs` is not installed, and bounds may be weaker; `off`: it was not
   * to be used; `not needed`: they could have shown no more.
   */
  readonly solver: 'highs' | 'not needed' | 'absent' | 'off';
  readonly seconds: number;
  /** What was read in a way that one may want to know of. */
  readonly warnings: readonly string[];
}
