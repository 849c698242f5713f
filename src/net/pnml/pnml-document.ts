/** An element of a label with its content. Sorts and terms are kept in this form until all declarations are known. */
export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly line: number;
  readonly column: number;
  readonly children: readonly Element[];
  /** Its direct text, trimmed. */
  readonly text: string;
}

/** Position of an element. */
export interface At {
  readonly line: number;
  readonly column: number;
}

/** A number in a label, with its position. */
export interface Count extends At {
  /** All tokens, of whatever class. */
  readonly value: number;
  /** Tokens by class, if the label lists classes (PIPE). */
  readonly classes?: readonly (readonly [name: string, count: number])[];
}

/** A net inside a page (WoPeD); undefined is the outermost net. */
export interface Scope {
  readonly parent: Scope | undefined;
  readonly depth: number;
}

/** A page that holds a net, the subprocess of the transition with the page's id (WoPeD). */
export interface Subprocess extends At {
  readonly id: string;
  /** The net that contains the page. */
  readonly scope: Scope | undefined;
  /** The net in the page. */
  readonly inner: Scope;
}

/** Where a node is drawn, in units of the document; y goes down. */
export interface Drawn {
  readonly x: number;
  readonly y: number;
}

export interface PlaceRecord extends At {
  readonly id: string;
  readonly scope?: Scope;
  title?: string;
  position?: Drawn;
  /** Initial marking in a place/transition net. */
  tokens?: Count;
  /** Label structures in a coloured net. */
  type?: Element;
  marking?: Element;
  capacity?: Count;
  /** A parameter that replaces the initial marking (PIPE). */
  parameter?: At & { readonly name: string };
}

/** Timing of a transition as PIPE writes it; missing parts have PIPE's defaults. */
export interface PipeTiming {
  /** Rate of a timed transition in 1/s, or weight of an immediate one. Default 1. */
  rate?: number;
  /** Weight of an immediate transition, in files that have both. */
  weight?: number;
  /** Name of the rate parameter that replaces the rate. */
  parameter?: string;
  /** A rate or weight that is not a number (PIPE 5). */
  expression?: At & { readonly part: 'rate' | 'weight'; readonly text: string };
  /** Default false: immediate. */
  timed?: boolean;
  /** Default false: one server. */
  infiniteServer?: boolean;
  /** Priority among immediate transitions. Default 1. */
  priority?: number;
}

/** The properties of a tool-specific part of a stochastic net (ProM, pm4py), as texts. */
export interface StochasticPart extends At {
  readonly properties: ReadonlyMap<string, string>;
}

export interface TransitionRecord extends At {
  readonly id: string;
  readonly scope?: Scope;
  title?: string;
  position?: Drawn;
  condition?: Element;
  /** Rates, servers and priorities (PIPE). */
  timing?: PipeTiming;
  /** Distribution, weight and priority (ProM, pm4py). */
  stochastic?: StochasticPart;
}

export const ARC_WORDS = {
  normal: 'take',
  // The kinds of TAPAAL, whose inscriptions are intervals of ages.
  timed: 'take',
  tapninhibitor: 'inhibit',
  inhibitor: 'inhibit',
  read: 'read',
  test: 'read',
  reset: 'reset',
} as const;

export interface ArcRecord extends At {
  readonly id: string;
  readonly source: string;
  readonly target: string;
  kind?: (typeof ARC_WORDS)[keyof typeof ARC_WORDS];
  weight?: Count;
  inscription?: Element;
}

/** A reference to a place or transition of another page. */
export interface ReferenceRecord extends At {
  readonly id: string;
  readonly of: 'place' | 'transition';
  readonly ref: string;
}

/** Token count of a place in a final marking. */
export interface FinalRecord extends At {
  readonly place: string;
  readonly count: number;
}

/** The content of a document, before references are resolved. */
export interface PnmlDocument {
  readonly id: string;
  readonly title?: string;
  readonly coloured: boolean;
  readonly at: At;
  readonly places: readonly PlaceRecord[];
  readonly transitions: readonly TransitionRecord[];
  readonly arcs: readonly ArcRecord[];
  readonly references: readonly ReferenceRecord[];
  /** Nets in pages, outermost first. */
  readonly subprocesses: readonly Subprocess[];
  /** Expressions of rate and marking parameters by name (PIPE). */
  readonly parameters: ReadonlyMap<string, string>;
  /** Policy and unit of a stochastic net (ProM). */
  readonly stochastic?: StochasticPart;
  /** Final markings in the format of ProM and pm4py. */
  readonly finalMarkings: readonly (readonly FinalRecord[])[];
  /** The elements of all `declarations`, in order. */
  readonly declarations: readonly Element[];
  /** True if node names come from `<name>` and ids are generated. foretoken writes this if names are not valid ids. */
  readonly namedByTitle: boolean;
  /** The net in foretoken's JSON, written if PNML cannot represent all of it. */
  readonly own?: Element;
}
