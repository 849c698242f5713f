import type { Problem } from '../base/problem.ts';
import type { BlockedRank, InputFile } from './prediction.ts';

/** An operation of a program, and where it stands; line 0: not known. */
export interface Choice {
  readonly operation: string;
  readonly file: string;
  readonly line: number;
}

/** Sends that nothing receives, or receives that nothing sends to, of one rank, partner and tag. */
export interface Unmatched {
  readonly kind: 'send' | 'receive';
  readonly rank: number;
  /** The far rank; null where any would do. */
  readonly peer: number | null;
  /** null where any would do. */
  readonly tag: number | null;
  readonly count: number;
  /** The first of them; of a model every line that it may come from. */
  readonly at: readonly Choice[];
}

/** One question to a program, and its answer; null where a limit was reached before it was known. */
export interface ProgramProperty {
  readonly id: 'deadlock-free' | 'ends' | 'received' | 'supplied' | 'buffer';
  readonly verdict: boolean | null;
  readonly reason?: string;
}

/** Two messages that can match one receive in one marking. */
export interface Race {
  readonly receive: string;
  readonly messages: readonly string[];
}

/** Why a program comes to no end. */
export interface Deadlock {
  readonly blocked: readonly BlockedRank[];
  /** Ranks that wait for each other in a circle. */
  readonly cycle?: readonly number[];
  readonly ended: readonly number[];
  /** Steps of the run that leads there, and whether no run with fewer does. */
  readonly steps: number;
  readonly shortest: boolean;
  /** What of it could have gone otherwise. */
  readonly choices: readonly string[];
}

/** Where ranks are in a marking from which no run comes to the end, and every run goes on for ever. */
export interface Endless {
  /** Those that have not ended, and what each is at. */
  readonly blocked: readonly BlockedRank[];
  readonly ended: readonly number[];
  /** Of a shortest run to there. */
  readonly steps: number;
}

/** An operation that a finding is about, and the ranks whose it is. */
export interface FindingOperation extends Choice {
  readonly ranks: readonly number[];
}

/**
 * What a node of a program's control net is not that it should be, by the incidence matrix.
 *
 * - `lost message`, `receive that nothing sends to`: messages of a sender, receiver and tag that have only one end
 * - `unmatched counts`: messages of which not as many are received as are sent, turns of loops included; ranks that do not
 *   come to a collective operation equally often
 * - `unsafe place`, `transition shape`: a step that does not have the arcs that it must have
 */
export interface IncidenceFinding {
  readonly kind:
    | 'unsafe place'
    | 'lost message'
    | 'receive that nothing sends to'
    | 'unmatched counts'
    | 'transition shape';
  /** Of the control net. */
  readonly places: readonly string[];
  readonly transitions: readonly string[];
  /** In words of the program. */
  readonly what: string;
  readonly at: readonly FindingOperation[];
  readonly status: 'suspected' | 'confirmed' | 'refuted';
  /** What confirms or refutes it. `state equation`: no run comes to its end with nothing left over. */
  readonly by?: 'state equation' | 'one run' | 'state space';
  /** Why it stays a suspicion. */
  readonly reason?: string;
}

/** The control net of a model, resolved by rank, and what its incidence matrix says. */
export interface ProgramIncidence {
  readonly places: number;
  readonly transitions: number;
  /** Message places of which it is not known how many are received: data, or the order of things, decides. */
  readonly open: number;
  readonly findings: readonly IncidenceFinding[];
  /** Why it was not looked at. */
  readonly reason?: string;
}

/** A program for one number of ranks, one choice of parameters and one protocol of its sends. */
export interface ProgramInstance {
  readonly ranks: number;
  readonly parameters: Readonly<Record<string, number | string | boolean>>;
  /** `machine`: by the size of each message, as on a machine; matchers of models ask that. */
  readonly sends: 'eager' | 'rendezvous' | 'machine';
  /** How it was decided: by one run, since nothing in it can go two ways, or by all that can happen. */
  readonly method: 'one run' | 'state space';
  /** Of a model: what the incidence matrix of its control net says. */
  readonly incidence?: ProgramIncidence;
  /** What can go more than one way. */
  readonly choices: readonly Choice[];
  /** Steps of the run; states and edges of the space. */
  readonly steps: number;
  readonly states?: number;
  readonly edges?: number;
  readonly properties: readonly ProgramProperty[];
  readonly deadlock?: Deadlock;
  readonly endless?: Endless;
  readonly unmatched: readonly Unmatched[];
  readonly races?: readonly Race[];
  /** The most messages that wait for a receive of one rank, and of which. */
  readonly buffer?: { readonly most: number; readonly rank: number; readonly exact: boolean };
  /** Whether the end can always be reached, nothing is left over, and every operation is done by some rank. */
  readonly sound: boolean | null;
  readonly neverDone: readonly Choice[];
  readonly seconds: number;
}

/**
 * The result of `foretoken verify` for a trace or a model, version 1. `seconds` depend on the machine and the day;
 * nothing else does, unless a limit of memory or time was reached.
 */
export interface ProgramVerificationDocument {
  readonly format: 'foretoken';
  readonly version: 1;
  readonly kind: 'program-verification';
  readonly product: string;
  /** False where a verdict is not known. */
  readonly complete: boolean;
  readonly inputs: { readonly [role in 'trace' | 'model' | 'machine']?: InputFile } & {
    readonly members?: readonly InputFile[];
  };
  readonly options: Readonly<Record<string, string | number>>;
  readonly instances: readonly ProgramInstance[];
  /** Numbers of ranks that the model refuses, with what it says. */
  readonly refused: readonly { readonly ranks: number; readonly reason: string }[];
  readonly seconds: number;
  readonly warnings: readonly string[];
  /** What holds of every verdict from such input: TI043 (communicators). Absent: none. */
  readonly notes?: readonly Problem[];
}
