import type { Problem } from '../../../base/problem.ts';
import type { MessagePassingMachine } from '../../../models/message-passing-parts.ts';
import type { ProgramNet } from '../../../models/program/net/program-net.ts';
import { NO_COSTS } from '../../../models/threads/costs.ts';
import type { Net, Transition } from '../../../net/net.ts';
import type { BlockedRank } from '../../inputs/document-parts.ts';
import type { Choice, Unmatched } from '../../predict/unmatched.ts';
import type { Suspicions } from './incidence.ts';

/** Tokens of a marking, of a run or a state. */
export interface Marking {
  tokens(place: string): readonly { readonly values: readonly number[] }[];
}

/** A step of a run: its transition and binding. */
export interface NamedStep {
  readonly transition: string;
  readonly binding: Readonly<Record<string, number>>;
}

/** The two ends of a wildcard match: unique keys, and `words` for descriptions. */
export interface WildMatch {
  readonly receive: string;
  readonly message: string;
  readonly words: () => { readonly receive: string; readonly message: string };
}

/** A program to be verified, for one rank count and fixed parameters. */
export interface Subject {
  readonly ranks: number;
  readonly parameters: Readonly<Record<string, number | string | boolean>>;
  /** Algorithms of the collectives; `undefined` if there are no collectives. */
  readonly collectives: string | undefined;
  /** Operations with more than one possible outcome; if empty, one run decides. */
  readonly choices: readonly Choice[];
  /** Suspected errors found in the incidence matrix of a model, before any run. */
  suspicions?(): Suspicions;
  /** The program's net under a protocol of sends. */
  withSends(sends: SendProtocol): ProgramInstanceNet;
  /** Releases files; call it when the subject is no longer used. */
  close(): void;
}

/** The net of a program, and the interpretation of its markings. */
export interface ProgramInstanceNet {
  readonly net: Net;
  /** Transitions that match a send with a receive. */
  readonly matches: readonly string[];
  /** The transition of {@link matches} for receives that can choose between messages. */
  readonly wildMatch: string;
  /** True if firing this transition as soon as it is enabled preserves all outcomes (README.md). */
  canHasten(t: Transition): boolean;
  /** Blocked ranks of a dead marking. */
  blocked(marking: Marking): BlockedRank[];
  /** Sends and receives without a partner. */
  unmatched(marking: Marking): Unmatched[];
  /**
   * Traces: the missing lines (TI044) that explain all blocked ranks, or unmatched operations if no rank is blocked;
   * `undefined` if they do not.
   */
  missingLines?(blocked: readonly BlockedRank[], unmatched: readonly Unmatched[]): readonly Problem[] | undefined;
  /** Number of messages that wait for a receive, by receiving rank. */
  waiting(marking: Marking): Map<number, number>;
  /**
   * True if a wildcard match does not violate the order of messages: it takes the sender's oldest message that the receive
   * accepts, and the oldest receive that accepts the message.
   */
  isInOrder(marking: Marking, match: NamedStep): boolean;
  /** True if a transition only maintains internal lists of the net and is not a step of the program. */
  isBookkeeping(transition: string): boolean;
  /** True if the protocol of a send depends on the size of its message. */
  readonly sized: boolean;
  /** The program of a model, whose runs can be faulty; `undefined` for a trace. */
  readonly program: ProgramNet | undefined;
  /** Describes a step that is a choice; `undefined` for other steps. */
  describe(step: NamedStep): string | undefined;
  /** Receive and message of a wildcard match. */
  match(step: NamedStep): WildMatch;
  /** Operations none of whose transitions has fired. */
  neverDone(fired: (transition: string) => boolean): Choice[];
}

/**
 * Assumed protocol of standard-mode sends. `eager`: every send is buffered and its sender continues immediately.
 * `rendezvous`: every send waits for its receive. The behaviours that MPI allows lie between the two. Sends with an explicit
 * mode (synchronous, buffered) keep it under both protocols.
 */
export type SendProtocol = 'eager' | 'rendezvous';

/** Protocol of a machine: sends of fewer than `detachedBelow` bytes are buffered, others wait for their receives. */
export interface SizedProtocol {
  readonly detachedBelow: number;
}

/**
 * A machine without timing: all ranks have a core of the same speed, messages share no links, and sends use the protocol
 * `sends`.
 */
export function untimedMachine(
  ranks: number,
  pairs: number,
  sends: SendProtocol | SizedProtocol,
): MessagePassingMachine {
  const limits = { eager: Number.MAX_VALUE, rendezvous: 0 };
  const one = { from: Float64Array.of(Number.NEGATIVE_INFINITY), values: Float64Array.of(1) };
  return {
    speed: new Float64Array(ranks).fill(1),
    threadCosts: NO_COSTS,
    links: [],
    latency: new Float64Array(pairs),
    weight: new Float64Array(pairs).fill(1),
    bound: new Float64Array(pairs).fill(1),
    routes: { start: new Int32Array(pairs + 1), link: new Int32Array(0), coefficient: new Float64Array(0) },
    protocol: {
      envelope: 0,
      detachedBelow: typeof sends === 'string' ? limits[sends] : sends.detachedBelow,
      eagerBelow: 0,
      latencyFactor: one,
      bandwidthFactor: one,
      testSleep: 0,
    },
  };
}
