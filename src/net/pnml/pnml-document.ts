/** An element of a label, with what it holds: the form in which sorts and terms wait until all declarations are known. */
export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly line: number;
  readonly column: number;
  readonly children: readonly Element[];
  /** Its own text, trimmed. */
  readonly text: string;
}

/** Where an element begins. */
export interface At {
  readonly line: number;
  readonly column: number;
}

/** A number that a label says, and where. */
export interface Count extends At {
  readonly value: number;
}

export interface PlaceRecord extends At {
  readonly id: string;
  title?: string;
  /** Of a place/transition net. */
  tokens?: Count;
  /** The structures of the labels of a coloured net. */
  type?: Element;
  marking?: Element;
  capacity?: Count;
}

export interface TransitionRecord extends At {
  readonly id: string;
  title?: string;
  condition?: Element;
}

export const ARC_WORDS = {
  normal: 'take',
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

/** What a document says, before anything is looked up. */
export interface PnmlDocument {
  readonly id: string;
  readonly title?: string;
  readonly coloured: boolean;
  readonly at: At;
  readonly places: readonly PlaceRecord[];
  readonly transitions: readonly TransitionRecord[];
  readonly arcs: readonly ArcRecord[];
  readonly references: readonly ReferenceRecord[];
  /** The elements of all `declarations`, in order. */
  readonly declarations: readonly Element[];
  /** Whether nodes are called by their names, and ids are made up: this product writes so where names are no ids. */
  readonly namedByTitle: boolean;
  /** The net in the product's JSON, which this product writes where PNML cannot say all of it. */
  readonly own?: Element;
}
