import type { ProgramNet } from '../../models/program/program-net.ts';
import type { Net, Transition } from '../../net/net.ts';
import type { BlockedRank } from '../../report/prediction.ts';
import type { Choice, Unmatched } from '../../report/program-verification.ts';
import type { Suspicions } from './incidence.ts';
import type { SendProtocol } from './untimed-machine.ts';

/** The tokens of a marking, of a game or of a state. */
export interface Marking {
  tokens(place: string): readonly { readonly values: readonly number[] }[];
}

/** A step of a run by its transition and the values that it binds. */
export interface NamedStep {
  readonly transition: string;
  readonly binding: Readonly<Record<string, number>>;
}

/** The two ends of a match: as numbers that tell them apart, and in words. */
export interface WildMatch {
  readonly receive: string;
  readonly message: string;
  readonly words: () => { readonly receive: string; readonly message: string };
}

/** A program for a number of ranks and parameters. */
export interface Subject {
  readonly ranks: number;
  readonly parameters: Readonly<Record<string, number | string | boolean>>;
  /** The algorithms of its collectives; undefined where it has none. */
  readonly collectives: string | undefined;
  /** What in it may go more than one way; where there is nothing, one run decides. */
  readonly choices: readonly Choice[];
  /** What the incidence matrix says of a model, before any run. */
  suspicions?(): Suspicions;
  /** Its net where sends are taken to behave so. */
  withSends(sends: SendProtocol): Playable;
  close(): void;
}

/** The net of a program, and what its markings mean. */
export interface Playable {
  readonly net: Net;
  /** Transitions that bring a send and a receive together. */
  readonly matches: readonly string[];
  /** Of {@link matches}, the one of receives that have a choice. */
  readonly wildMatch: string;
  /** Whether it changes no outcome when this transition comes as soon as it can (docs/design.md). */
  canHasten(t: Transition): boolean;
  /** The ranks that have not ended, where nothing more can happen. */
  blocked(marking: Marking): BlockedRank[];
  /** Sends and receives without a partner. */
  unmatched(marking: Marking): Unmatched[];
  /** By rank: the messages that wait for a receive of it. */
  waiting(marking: Marking): Map<number, number>;
  /**
   * Whether a match with a wildcard takes the oldest message of its sender that the receive admits, and is of the oldest
   * receive that admits the message: messages do not overtake each other.
   */
  isInOrder(marking: Marking, match: NamedStep): boolean;
  /** Whether a transition only keeps the net's own lists in order: no step of the program. */
  isBookkeeping(transition: string): boolean;
  /** Whether the sizes of messages decide how they are sent. */
  readonly sized: boolean;
  /** The net's program, whose runs can be faulty; undefined: a trace. */
  readonly program: ProgramNet | undefined;
  /** A step in the words of the program; undefined where it is not one that could have been another. */
  told(step: NamedStep): string | undefined;
  /** Of a match with a wildcard: which receive it is of, and whose message it gets. */
  match(step: NamedStep): WildMatch;
  /** Operations that are not among these firings. */
  neverDone(fired: (transition: string) => boolean): Choice[];
}
