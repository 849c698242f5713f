import type { Ground } from '../analysis/properties/proof.ts';
import type { InputFile } from './prediction.ts';

/** One step of a witness: values of enumerations by name; what it changed, as an independent replay saw it. */
export interface WitnessStep {
  /** A firing without delay, the start or the end of one that lasts, or a token that is served. */
  readonly kind: 'fire' | 'start' | 'end' | 'serve';
  /** The transition; of `serve` the place. */
  readonly node: string;
  readonly binding: Readonly<Record<string, number | string>>;
  readonly changes: readonly {
    readonly place: string;
    readonly colour: readonly (number | string)[];
    /** Tokens more, or fewer. */
    readonly by: number;
  }[];
}

/** A firing sequence from the initial marking that shows why a property has its verdict. */
export interface Witness {
  readonly steps: readonly WitnessStep[];
  /** The steps from this one on (from 0) repeat for ever. */
  readonly loop?: number;
  /** What it shows. */
  readonly shows: string;
  /** True where no shorter sequence shows it. */
  readonly shortest: boolean;
  /** Of a net with time: whether the delays permit this order, and why (SEMANTICS 21). */
  readonly delays?: { readonly permitted: 'yes' | 'no' | 'unknown'; readonly reason: string };
}

/**
 * What a verdict rests on where there is no single sequence to show: all states were seen, or the structure of the net proves
 * it, whatever was explored.
 */
export type Certificate =
  | { readonly kind: 'complete space'; readonly states: number; readonly edges: number }
  | {
      readonly kind: 'structure';
      /** `bounds`, `semiflow`, `linear program`, or `siphons and traps`. */
      readonly by: string;
      /** In one line. */
      readonly because: string;
    }
  | Ground;

/** One property and its answer. */
export interface PropertyResult {
  readonly id: string;
  /** In the text form of the language. */
  readonly property: string;
  /**
   * Whether it holds; the number of an upper bound, `unbounded` where there is none; null where a limit was reached before it
   * was known.
   */
  readonly verdict: boolean | number | 'unbounded' | null;
  /** States that were known when it was decided. */
  readonly states: number;
  /** Why the verdict is null. */
  readonly reason?: string;
  /** Of an upper bound that is not known: what is reached at least. */
  readonly atLeast?: number;
  /** Of `bounds`: the largest number of tokens of each place. */
  readonly bounds?: Readonly<Record<string, number | 'unbounded'>>;
  /** Of several demands, those that fail. */
  readonly failing?: readonly string[];
  /** Of a formula with path operators: in how many states of the complete space its outermost parts hold. */
  readonly holdsIn?: readonly { readonly formula: string; readonly states: number }[];
  readonly witness?: Witness;
  readonly certificate?: Certificate;
  /** The command that repeats it; absent where no file was read. */
  readonly repeat?: string;
}

/**
 * The result of `foretoken verify`, version 1: what `--json` prints and what every view reads. `seconds` and
 * `space.bytes` depend on the machine and the day; nothing else does, unless a limit of memory or time was reached.
 */
export interface VerificationDocument {
  readonly format: 'foretoken';
  readonly version: 1;
  readonly kind: 'verification';
  readonly product: string;
  /** False where a verdict is not known. */
  readonly complete: boolean;
  readonly inputs: { readonly [role in 'net' | 'model' | 'formulas' | 'machine' | 'hostfile']?: InputFile } & {
    readonly members?: readonly InputFile[];
  };
  readonly options: Readonly<Record<string, string | number>>;
  /** Of a program: which markings are final. */
  readonly final?: string;
  readonly properties: readonly PropertyResult[];
  readonly space: {
    readonly states: number;
    readonly expanded: number;
    readonly edges: number;
    /** Whether these are all reachable markings: exploring ends as soon as every verdict is known. */
    readonly complete: boolean;
    readonly truncation: 'states' | 'memory' | 'time' | 'interrupted' | null;
    readonly bytes: number;
  };
  readonly seconds: { readonly exploring: number; readonly total: number };
  /** What was read in a way that one may want to know of. */
  readonly warnings: readonly string[];
}
