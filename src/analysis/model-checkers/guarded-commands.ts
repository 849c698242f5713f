import type { Expression } from '../../net/expression.ts';

/** An integer variable: tokens of a place, tokens in service, firings in progress (in a phase), or the phase of a race. */
export interface Variable {
  readonly id: string;
  /** The place or transition whose tokens or firings are counted, in the words of the net. */
  readonly what: string;
  readonly initial: number;
  /** Infinity if no bound is known. */
  readonly bound: number;
}

/** A step that is possible where its guard holds; its expressions are over identifiers of variables. */
export interface Command {
  readonly what: string;
  readonly guard: Expression;
  readonly updates: readonly { readonly id: string; readonly value: Expression }[];
}

/** A step after an exponential delay. */
export interface TimedCommand extends Command {
  readonly rate: Expression;
}

/** A step without delay: of those enabled only those of the highest level are possible (docs/semantics.md, S10). */
export interface ImmediateCommand extends Command {
  readonly level: number;
  /** Undefined if the transition declares none. */
  readonly weight: Expression | undefined;
  /** Identifier of the figure of the transition that fires; undefined for the start of a holding firing. */
  readonly fires: string | undefined;
}

/** The mean number of tokens of a place of the given net. */
export interface PlaceFigure {
  readonly id: string;
  readonly what: string;
  readonly tokens: Expression;
}

/** The firings per second of a transition of the given net. */
export interface TransitionFigure {
  readonly id: string;
  readonly what: string;
  /** The commands whose rates add up to it; none if it fires in {@link ImmediateCommand}s, or never. */
  readonly timed: readonly TimedCommand[];
}

/** A stochastic net as guarded commands, the form of the languages of PRISM and JANI. */
export interface Commands {
  readonly name: string;
  readonly variables: readonly Variable[];
  readonly timed: readonly TimedCommand[];
  readonly immediate: readonly ImmediateCommand[];
  readonly places: readonly PlaceFigure[];
  readonly transitions: readonly TransitionFigure[];
}
