import type { Problem } from '../base/problem.ts';
import type { BlockedRank, InputFile } from './prediction.ts';

/** An operation of a program and its source position; line 0: unknown. */
export interface Choice {
  readonly operation: string;
  readonly file: string;
  readonly line: number;
}

/** Unreceived sends, or receives without a message, of one rank, partner and tag. */
export interface Unmatched {
  readonly kind: 'send' | 'receive';
  readonly rank: number;
  /** The partner; null for any rank. */
  readonly peer: number | null;
  /** null for any tag. */
  readonly tag: number | null;
  readonly count: number;
  /** The first unmatched operation; for models, every line it may come from. */
  readonly at: readonly Choice[];
}

/** A property of a program and its verdict; null if a limit was reached before it was decided. */
export interface ProgramProperty {
  readonly id: 'deadlock-free' | 'ends' | 'received' | 'supplied' | 'buffer';
  readonly verdict: boolean | null;
  readonly reason?: string;
}

/** Messages that can match the same receive in one marking. */
export interface Race {
  readonly receive: string;
  readonly messages: readonly string[];
}

/** A marking in which a program is blocked before its end. */
export interface Deadlock {
  readonly blocked: readonly BlockedRank[];
  /** Ranks that wait for each other in a cycle. */
  readonly cycle?: readonly number[];
  readonly ended: readonly number[];
  /** Steps of the run that leads there, and whether no shorter run does. */
  readonly steps: number;
  readonly shortest: boolean;
  /** Points of this run at which it could have continued differently. */
  readonly choices: readonly string[];
}

/** A marking from which the end is unreachable although every run continues forever. */
export interface Endless {
  /** The ranks that have not ended, and the operation each is at. */
  readonly blocked: readonly BlockedRank[];
  readonly ended: readonly number[];
  /** Length of a shortest run to this marking. */
  readonly steps: number;
}

/** An operation of a finding, and the ranks that execute it. */
export interface FindingOperation extends Choice {
  readonly ranks: readonly number[];
}

/**
 * A structural defect of a program's control net, found in its incidence matrix.
 *
 * - `lost message`, `receive that nothing sends to`: messages of a sender, receiver and tag with only one end
 * - `unmatched counts`: numbers of sent and received messages that differ, loop iterations included; ranks that reach a
 *   collective a different number of times
 * - `unsafe place`, `transition shape`: a step without the arcs it must have
 */
export interface IncidenceFinding {
  readonly kind:
    | 'unsafe place'
    | 'lost message'
    | 'receive that nothing sends to'
    | 'unmatched counts'
    | 'transition shape';
  /** Nodes of the control net. */
  readonly places: readonly string[];
  readonly transitions: readonly string[];
  /** Description in terms of the program. */
  readonly what: string;
  readonly at: readonly FindingOperation[];
  readonly status: 'suspected' | 'confirmed' | 'refuted';
  /** What confirms or refutes it. `state equation`: no run ends with nothing left over. */
  readonly by?: 'state equation' | 'one run' | 'state space';
  /** Why it is still only suspected. */
  readonly reason?: string;
}

/** The control net of a model, resolved by rank, and the findings from its incidence matrix. */
export interface ProgramIncidence {
  readonly places: number;
  readonly transitions: number;
  /** Message places whose number of received messages is unknown, because it depends on data or on the order of events. */
  readonly open: number;
  readonly findings: readonly IncidenceFinding[];
  /** Why the matrix was not analysed. */
  readonly reason?: string;
}

/** A program for one number of ranks, one set of parameters and one protocol of its sends. */
export interface ProgramInstance {
  readonly ranks: number;
  readonly parameters: Readonly<Record<string, number | string | boolean>>;
  /** `machine`: by message size, as on a machine; used by test matchers for models. */
  readonly sends: 'eager' | 'rendezvous' | 'machine';
  /** How it was decided: by one run, because the program has no choices, or by its full state space. */
  readonly method: 'one run' | 'state space';
  /** Models only: findings from the incidence matrix of the control net. */
  readonly incidence?: ProgramIncidence;
  /** Operations with more than one possible outcome. */
  readonly choices: readonly Choice[];
  /** Steps of the run, or states and edges of the state space. */
  readonly steps: number;
  readonly states?: number;
  readonly edges?: number;
  readonly properties: readonly ProgramProperty[];
  readonly deadlock?: Deadlock;
  readonly endless?: Endless;
  readonly unmatched: readonly Unmatched[];
  readonly races?: readonly Race[];
  /** Maximum number of messages waiting for a receive of one rank, and that rank; `exact: false`: a lower bound. */
  readonly buffer?: { readonly most: number; readonly rank: number; readonly exact: boolean };
  /** True if the end can always be reached, nothing is left over, and every operation is executed by some rank. */
  readonly sound: boolean | null;
  readonly neverDone: readonly Choice[];
  readonly seconds: number;
}

/**
 * The result of `foretoken verify` for a trace or a model, version 1. `seconds` vary from run to run; all else is
 * reproducible unless a limit of memory or time was reached.
 */
export interface ProgramVerificationDocument {
  readonly format: 'foretoken';
  readonly version: 1;
  readonly kind: 'program-verification';
  readonly product: string;
  /** False if a verdict is unknown. */
  readonly complete: boolean;
  readonly inputs: { readonly [role in 'trace' | 'model' | 'machine']?: InputFile } & {
    readonly members?: readonly InputFile[];
  };
  readonly options: Readonly<Record<string, string | number>>;
  readonly instances: readonly ProgramInstance[];
  /** Numbers of ranks that the model rejects, with its message. */
  readonly refused: readonly { readonly ranks: number; readonly reason: string }[];
  readonly seconds: number;
  readonly warnings: readonly string[];
  /** Limitations of all verdicts from such input: TI043 (communicators). Absent if there are none. */
  readonly notes?: readonly Problem[];
}
