/** A figure of a document. */
export interface ShownFigure {
  /** Its key under `figures`, or a pointer (RFC 6901) elsewhere in the document. */
  readonly name: string;
  /** In SI units, as in the document. */
  readonly value: number | null | undefined;
  readonly unit: string;
  /** The kind of the document, if it is not the first one. */
  readonly of?: string;
  /** Name of the figure whose format the number has, if `name` does not tell it. */
  readonly like?: string;
}

/** A sentence with figures in it. */
export type Sentence = readonly (string | ShownFigure)[];

/** Parts of a page that have more of a statement: the first one that the page has. */
export type Places = readonly string[];

/** A sentence on the result. Where a page has none of the places, the part of its document has more of it. */
export interface Statement {
  readonly sentence: Sentence;
  readonly places?: Places;
}

/** A figure, or several of one kind, with the words for it. */
export interface Fact {
  readonly term: string;
  readonly figures: readonly ShownFigure[];
  readonly places?: Places;
}

/** A statement on the run, and the part of the page that has more of it. */
export interface Finding {
  readonly question?: string;
  readonly answer: string;
  readonly interval?: string;
}

/** What must not be overlooked: a sentence, and its cases. */
export interface Warned {
  readonly text: string;
  readonly items: readonly string[];
  readonly places?: Places;
}

/**
 * The first screen of a page, and the text of `view --text`: run time, efficiency, losses by cause, and proposed changes. Parts
 * are functions, so that a document that lacks a member costs the part that needs it.
 */
export interface Summary {
  readonly facts: readonly (readonly [part: string, () => readonly Fact[]])[];
  /** What limits the run, or the result of a study, a verification. */
  readonly statements: () => readonly Statement[];
  readonly findings: () => readonly Finding[];
  readonly warned: () => readonly Warned[];
  readonly notes: readonly string[];
}
