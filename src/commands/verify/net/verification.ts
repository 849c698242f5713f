import type { Ground } from '../../../analysis/properties/proof.ts';
import type {
  HashSettings,
  InputFile,
  NetSettings,
  SearchSettings,
  SpaceOmission,
} from '../../inputs/document-parts.ts';
import type { Reduce } from '../verify-options.ts';

/** Settings of a verification. */
export interface VerificationSettings extends NetSettings, SearchSettings, HashSettings {
  /** Formula of the final markings, as given. */
  readonly final?: string;
  /** Which reductions were allowed. */
  readonly reduce?: Reduce;
}

/** One step of a witness: variable values (enumerations by name) and the marking change as computed by an independent replay. */
export interface WitnessStep {
  /** An immediate firing, the start or the end of a timed one, or a token that is served. */
  readonly kind: 'fire' | 'start' | 'end' | 'serve';
  /** The transition; for `serve` the place. */
  readonly node: string;
  /** Values of the transition's variables. Open: names of the net. */
  readonly binding: Readonly<Record<string, number | string>>;
  /** Changes of the marking, by place. */
  readonly changes: readonly {
    /** The place. */
    readonly place: string;
    /** Values of the colour of the tokens. */
    readonly colour: readonly (number | string)[];
    /** Number of tokens added; negative if removed. */
    readonly by: number;
  }[];
}

/** A firing sequence from the initial marking that demonstrates a verdict. */
export interface Witness {
  /** The steps of the firing sequence. */
  readonly steps: readonly WitnessStep[];
  /** Index of the step (from 0) from which the sequence repeats forever. */
  readonly loop?: number;
  /** The property that the sequence demonstrates. */
  readonly shows: string;
  /** True if no shorter sequence demonstrates it. */
  readonly shortest: boolean;
  /** Timed nets only: whether the delays permit this order, and why. */
  readonly delays?: {
    /** Whether the delays permit this order. */
    readonly permitted: 'yes' | 'no' | 'unknown';
    /** The reason. */
    readonly reason: string;
    /** If they permit it: the earliest time of each step, in seconds. */
    readonly times?: readonly number[];
  };
}

/**
 * Basis of a verdict without a witness: all states were seen, or the structure of the net proves it, independent of
 * exploration.
 */
export type Certificate =
  | {
      readonly kind: 'complete space';
      /** Number of states of the space. */
      readonly states: number;
      /** Number of its edges. */
      readonly edges: number;
    }
  | {
      readonly kind: 'structure';
      /** `bounds`, `semiflow`, `linear program`, or `siphons and traps`. */
      readonly by: string;
      /** One-line explanation. */
      readonly because: string;
    }
  | Ground;

/** One property and its verdict. */
export interface PropertyResult {
  /** Name of the property, or its formula. */
  readonly id: string;
  /** In the text syntax of the property language. */
  readonly property: string;
  /** True: holds; false: violated; a number or `unbounded`: upper bound; null: a limit was reached before it was decided. */
  readonly verdict: boolean | number | 'unbounded' | null;
  /** Number of states known when it was decided. */
  readonly states: number;
  /** Why the verdict is null. */
  readonly reason?: string;
  /** For an unknown upper bound: the largest value reached. */
  readonly atLeast?: number;
  /** For `bounds`: the maximum number of tokens of each place. Open: names of the net. */
  readonly bounds?: Readonly<Record<string, number | 'unbounded'>>;
  /** For a conjunction: the parts that fail. */
  readonly failing?: readonly string[];
  /** For a formula with path operators: the number of states of the complete space that satisfy each outermost part. */
  readonly holdsIn?: readonly {
    /** The part of the formula. */
    readonly formula: string;
    /** Number of states that satisfy it. */
    readonly states: number;
  }[];
  /** A path that shows the verdict. */
  readonly witness?: Witness;
  /** A proof from the structure of the net. */
  readonly certificate?: Certificate;
  /** The command that repeats it; absent if no file was read. */
  readonly repeat?: string;
}

/**
 * The result of `foretoken verify` for a net, version 1. `--json` prints it and all views read it. `seconds` and
 * `space.bytes` vary from run to run; all else is reproducible unless a limit of memory or time was reached.
 */
export interface VerificationDocument {
  /** Always `foretoken`: distinguishes results from other JSON. */
  readonly format: 'foretoken';
  /** 1 until a key changes its meaning; a new key does not change it. */
  readonly version: 1;
  /** Which result this is; also the name of its schema. */
  readonly kind: 'verification';
  /** Name and version of the program that wrote the document. */
  readonly product: string;
  /** False if a verdict is unknown. */
  readonly complete: boolean;
  /** Input files by role, with their digests. */
  readonly inputs: {
    readonly [role in 'net' | 'model' | 'formulas' | 'machine' | 'hostfile' | 'collectives']?: InputFile;
  } & {
    readonly members?: readonly InputFile[];
  };
  /** Limits and other options. */
  readonly options: VerificationSettings;
  /** Programs only: which markings are final. */
  readonly final?: string;
  /** Results, in the order of the questions. */
  readonly properties: readonly PropertyResult[];
  /** The explored space. */
  readonly space: {
    /** Number of markings found. */
    readonly states: number;
    /** Number of these markings whose successors are known. */
    readonly expanded: number;
    /** Number of firings followed. */
    readonly edges: number;
    /** True if these are all reachable markings: exploration stops once every verdict is known. */
    readonly complete: boolean;
    /** The limit that ended the exploration; null if none did. */
    readonly truncation: 'states' | 'memory' | 'time' | 'interrupted' | null;
    /** With hash compaction: how likely a state was omitted. */
    readonly omission?: SpaceOmission;
    /** Memory of the markings, in bytes. */
    readonly bytes: number;
  };
  /** Computing times, in seconds. */
  readonly seconds: {
    /** For exploring alone. */
    readonly exploring: number;
    /** Wall-clock time of the command. */
    readonly total: number;
  };
  /** Remarks on how the input was read. */
  readonly warnings: readonly string[];
}

/** The firing sequences that `foretoken verify --witness FILE` writes, version 1; `replay` of the library takes their steps. */
export interface WitnessesDocument {
  /** Always `foretoken`: distinguishes results from other JSON. */
  readonly format: 'foretoken';
  /** 1 until a key changes its meaning; a new key does not change it. */
  readonly version: 1;
  /** Which result this is; also the name of its schema. */
  readonly kind: 'witnesses';
  /** Name and version of the program that wrote the document. */
  readonly product: string;
  /** Input files by role, with their digests. */
  readonly inputs: VerificationDocument['inputs'];
  /** One for each property with a witness, in the order of the questions. */
  readonly sequences: readonly WitnessSequence[];
}

/** A property, its verdict and the firing sequence that demonstrates it. */
export interface WitnessSequence extends Witness, Pick<PropertyResult, 'id' | 'property' | 'verdict'> {}
