import { QuadTable } from '../../../trace/ti/intern.ts';
import type { Site } from '../../site.ts';
import type { ThreadNet } from '../../threads/net/thread-net.ts';
import type { Statement } from '../record/statement.ts';
import type { Argument } from './argument.ts';

/** Meaning of a transition's firing for the rank in its first variable. */
export interface TransitionInfo {
  readonly statement: StatementInfo | undefined;
  /** State of the rank since its last progress, up to the start of this firing. */
  readonly before?: Doing;
  /** State during the firing of a timed transition. */
  readonly during?: Doing;
  /** True if the rank becomes active at the start, or inactive at the end. */
  readonly begins?: boolean;
  readonly ends?: boolean;
  /** Request that the rank was blocked on: its position among the variables, or its number. */
  readonly request?: number;
  /** The rank calls a collective: the first row of its part. */
  readonly calls?: Argument;
  /** Only records the call: it does not block. */
  readonly passes?: boolean;
  /** The rank has ended. */
  readonly last?: boolean;
}

/**
 * Activities of a rank. `blocked` is split into waiting and communicating at the start of the awaited transfer; `waiting` is
 * not for a transfer.
 */
export type Doing = 'computing' | 'memory' | 'overhead' | 'idle' | 'waiting' | 'blocked';

/** A statement in results. */
export interface StatementInfo {
  readonly number: number;
  readonly label: string;
  readonly statement: Statement;
  /** Names of the enclosing intervals, outermost first. */
  readonly intervals: readonly string[];
  /** The same intervals, as run records describe them. */
  readonly nest: readonly IntervalSite[];
  /** The same, with the loops between them as intervals; a loop is inside its own interval. */
  readonly loopNest: readonly IntervalSite[];
}

/** An interval as it is written in a program. */
export interface IntervalSite {
  readonly name: string;
  /** Place of the statement. */
  readonly site: Site;
  readonly kind: 'sequential' | 'parallel' | undefined;
  /** Collective operation that its executions are, and their part of an asynchronous one. */
  readonly operation: string | undefined;
  readonly phase: 'start' | 'wait' | undefined;
  /** Integer that distinguishes executions, and the number of loop iterations of an execution. */
  readonly expression: Argument | undefined;
  readonly iterations: Argument | undefined;
  /** Number of ranks that compute the same. */
  readonly copies: Argument | undefined;
}

/** The net of a region of threads; its pools are those of consecutive ranks. */
export interface ThreadPartOfProgram {
  /** Prefix of the names of its transitions. */
  readonly prefix: string;
  /** The rank of pool 0. */
  readonly first: number;
  readonly about: Omit<ThreadNet, 'net'>;
  readonly poolOf: Int32Array;
}

/** A place that ranks enter at a statement with an invalid argument. */
export interface Fault {
  readonly place: string;
  readonly statement: StatementInfo;
  readonly arguments: readonly Argument[];
  /** The message for faults that no argument causes. */
  readonly message?: string;
}

/**
 * State shared by the modules of a program: numbers of pairs, tags and contexts, statements, and the meaning of
 * transitions.
 */
export class World {
  readonly ranks: number;
  /** Numbers of (source, destination) pairs. */
  readonly pairs: QuadTable = new QuadTable();
  /** Numbers of (communicator, tag); tags of collectives have a separate space. */
  readonly tags: QuadTable = new QuadTable();
  /** Numbers of communicators used by point-to-point messages. */
  readonly contexts: QuadTable = new QuadTable();
  readonly statements: StatementInfo[] = [];
  /** Meaning of transitions by name. */
  readonly infos: Map<string, TransitionInfo> = new Map();
  /** By transition of a control flow: the statement that its rank is at. */
  readonly visits: Map<string, StatementInfo> = new Map();
  /** Regions of threads in the order of the programs. */
  readonly threadParts: ThreadPartOfProgram[] = [];
  /** By transition of a control flow: the number of the request that it completes. */
  readonly completes: Map<string, number> = new Map();
  /** Places of control tokens whose ranks are active: the points within computations and regions of threads. */
  readonly active: { readonly computing: Set<string>; readonly inThreads: Set<string> } = {
    computing: new Set(),
    inThreads: new Set(),
  };
  /** Places of ranks with an invalid argument. */
  readonly faults: Fault[] = [];
  /** Numbers from here on were assigned after {@link seal}: not in the tables. Infinity before. */
  #knownPairs = Number.POSITIVE_INFINITY;
  #knownTags = Number.POSITIVE_INFINITY;

  constructor(ranks: number) {
    this.ranks = ranks;
  }

  /** Freezes the tables: later keys get no number. */
  seal(): void {
    this.#knownPairs = this.pairs.count;
    this.#knownTags = this.tags.count;
  }

  get sealed(): boolean {
    return this.#knownPairs < Number.POSITIVE_INFINITY;
  }

  /** Number of a pair of ranks; undefined for a pair unknown when the tables were sealed. */
  pair(from: number, to: number): number | undefined {
    const number = this.pairs.find(from, to, 0, 0);
    return number < this.#knownPairs ? number : undefined;
  }

  /** Number of a tag on a communicator; undefined for a tag unknown when the tables were sealed. */
  tag(communicator: number, tag: number, collective: boolean): number | undefined {
    const number = this.tags.find(communicator, tag, collective ? 1 : 0, 0);
    return number < this.#knownTags ? number : undefined;
  }

  context(communicator: number): number {
    return this.contexts.find(communicator, 0, 0, 0);
  }

  /** Source and destination of all pairs, by pair number. */
  pairEnds(): { readonly from: Int32Array; readonly to: Int32Array } {
    const { count } = this.pairs;
    const from = new Int32Array(count);
    const to = new Int32Array(count);
    for (let pair = 0; pair < count; pair++) {
      from[pair] = this.pairs.key(pair, 0);
      to[pair] = this.pairs.key(pair, 1);
    }
    return { from, to };
  }
}
