import type { Problem } from '../../../base/problem.ts';
import type { BlockedRank, InputFile, Limit, MachineSettings } from '../../inputs/document-parts.ts';

import type { Choice, Unmatched } from '../../predict/unmatched.ts';

/** Settings of the verification of a program. */
export interface ProgramSettings extends Pick<MachineSettings, 'ranks' | 'collectives' | 'builtIn'> {
  /** Name of the model, or path of the trace. */
  readonly program?: string;
  /** Protocols of sends; matchers take that of the machine. */
  readonly sends?: 'eager' | 'rendezvous' | 'both' | 'machine';
  /** Slots of a buffer. */
  readonly buffer?: Limit;
  /** Maximum number of steps of a run. */
  readonly maxSteps?: Limit;
  /** Maximum number of stored states. */
  readonly maxStates?: Limit;
  /** Bytes per element of derived datatypes, as given. */
  readonly derivedTypeBytes?: string | number;
}

/** A property of a program and its verdict; null if a limit was reached before it was decided. */
export interface ProgramProperty {
  /** Name of the property. */
  readonly id: 'deadlock-free' | 'ends' | 'received' | 'supplied' | 'buffer';
  /** True: holds; false: violated; null: unknown. */
  readonly verdict: boolean | null;
  /** Why the verdict is unknown, or a limitation of it. */
  readonly reason?: string;
}

/** Messages that can match the same receive in one marking. */
export interface Race {
  /** The receive: rank, operation and place. */
  readonly receive: string;
  /** The messages that it can take. */
  readonly messages: readonly string[];
}

/** A marking in which a program is blocked before its end. */
export interface Deadlock {
  /** The blocked ranks, in ascending order. */
  readonly blocked: readonly BlockedRank[];
  /** Ranks that wait for each other in a cycle. */
  readonly cycle?: readonly number[];
  /** The ranks that have ended, in ascending order. */
  readonly ended: readonly number[];
  /** Steps of the run that leads there, and whether no shorter run does. */
  readonly steps: number;
  /** True if no shorter sequence of steps leads to a deadlock. */
  readonly shortest: boolean;
  /** Points of this run at which it could have continued differently. */
  readonly choices: readonly string[];
}

/** A marking from which the end is unreachable although every run continues forever. */
export interface Endless {
  /** The ranks that have not ended, and the operation each is at. */
  readonly blocked: readonly BlockedRank[];
  /** The ranks that have ended, in ascending order. */
  readonly ended: readonly number[];
  /** Length of a shortest run to this marking. */
  readonly steps: number;
}

/** An operation of a finding, and the ranks that execute it. */
export interface FindingOperation extends Choice {
  /** The ranks that execute the operation, in ascending order. */
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
  /** The defect, as listed above. */
  readonly kind:
    | 'unsafe place'
    | 'lost message'
    | 'receive that nothing sends to'
    | 'unmatched counts'
    | 'transition shape';
  /** Nodes of the control net. */
  readonly places: readonly string[];
  /** Names of the transitions concerned. */
  readonly transitions: readonly string[];
  /** Description in terms of the program. */
  readonly what: string;
  /** The operations concerned. */
  readonly at: readonly FindingOperation[];
  /** Status of the suspicion after the explored runs. */
  readonly status: 'suspected' | 'confirmed' | 'refuted';
  /** Method that confirms or refutes it. `state equation`: no run ends with all operations matched. */
  readonly by?: 'state equation' | 'one run' | 'state space';
  /** Why it is still only suspected. */
  readonly reason?: string;
}

/** The control net of a model, resolved by rank, and the findings from its incidence matrix. */
export interface ProgramIncidence {
  /** Number of places of the control net. */
  readonly places: number;
  /** Number of transitions of the control net. */
  readonly transitions: number;
  /** Message places whose number of received messages is unknown, because it depends on data or on the order of events. */
  readonly open: number;
  /** Suspected errors, with their status. */
  readonly findings: readonly IncidenceFinding[];
  /** Why the matrix was not analysed. */
  readonly reason?: string;
}

/** A program for one number of ranks, one set of parameters and one protocol of its sends. */
export interface ProgramInstance {
  /** Number of ranks. */
  readonly ranks: number;
  /** Parameters of the model. Open: names of the model. */
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
  /** Number of explored states; absent if one run decides. */
  readonly states?: number;
  /** Number of explored edges; absent if one run decides. */
  readonly edges?: number;
  /** Verdicts, in a fixed order. */
  readonly properties: readonly ProgramProperty[];
  /** A deadlock, if one was found. */
  readonly deadlock?: Deadlock;
  /** A marking from which the program never ends, if one was found. */
  readonly endless?: Endless;
  /** Sends and receives without a partner. */
  readonly unmatched: readonly Unmatched[];
  /** Receives that can take different messages. */
  readonly races?: readonly Race[];
  /** Maximum number of messages waiting for a receive of one rank, and that rank; `exact: false`: a lower bound. */
  readonly buffer?: {
    /** Maximum number of messages that wait. */
    readonly most: number;
    /** The rank for whose receives they wait. */
    readonly rank: number;
    /** False: a lower bound. */
    readonly exact: boolean;
  };
  /** True if the end can always be reached, nothing is left over, and every operation is executed by some rank. */
  readonly sound: boolean | null;
  /** Operations that no run executes. */
  readonly neverDone: readonly Choice[];
  /** Computing time of the verification, in seconds. */
  readonly seconds: number;
}

/**
 * The result of `foretoken verify` for a trace or a model, version 1. `seconds` vary from run to run; all else is
 * reproducible unless a limit of memory or time was reached.
 */
export interface ProgramVerificationDocument {
  /** Always `foretoken`: distinguishes results from other JSON. */
  readonly format: 'foretoken';
  /** 1 until a key changes its meaning; a new key does not change it. */
  readonly version: 1;
  /** Which result this is; also the name of its schema. */
  readonly kind: 'program-verification';
  /** Name and version of the program that wrote the document. */
  readonly product: string;
  /** False if a verdict is unknown. */
  readonly complete: boolean;
  /** Traces only: lines that the tracer did not write (TI044), because of which verdicts are unknown. */
  readonly because?: readonly Problem[];
  /** Input files by role, with their digests. */
  readonly inputs: { readonly [role in 'trace' | 'model' | 'machine' | 'hostfile' | 'collectives']?: InputFile } & {
    readonly members?: readonly InputFile[];
  };
  /** Limits and other options. */
  readonly options: ProgramSettings;
  /** One result per rank count and protocol of sends. */
  readonly instances: readonly ProgramInstance[];
  /** Numbers of ranks that the model rejects, with its message. */
  readonly refused: readonly { readonly ranks: number; readonly reason: string }[];
  /** Computing time of the whole verification, in seconds. */
  readonly seconds: number;
  /** Warnings about the inputs and the run, each once. */
  readonly warnings: readonly string[];
  /** Limitations of all verdicts from such input: TI043 (communicators). Absent if empty. */
  readonly notes?: readonly Problem[];
}
