import { QuadTable } from '../../trace/ti/intern.ts';
import type { Argument } from './argument.ts';
import type { Statement } from './statement.ts';

/** What a firing of a transition says of the rank that its first variable is. */
export interface TransitionInfo {
  readonly statement: StatementInfo | undefined;
  /** What the rank did since it last went on, up to the start of this firing. */
  readonly before?: Doing;
  /** What it does during the firing, for transitions that last. */
  readonly during?: Doing;
  /** Whether it begins (at the start) or ends (at the end) to be active. */
  readonly begins?: boolean;
  readonly ends?: boolean;
  /** Blocked until a request is complete: the position of its number among the variables, or the number. */
  readonly request?: number;
  /** The rank calls a collective: the first row of its part. */
  readonly calls?: Argument;
  /** Nothing more than that: the call does not wait. */
  readonly passes?: boolean;
  /** The rank is at its end. */
  readonly last?: boolean;
}

/** What a rank does with its time. `blocked` parts into communicating and waiting, by when the transfer started. */
export type Doing = 'computing' | 'memory' | 'overhead' | 'idle' | 'blocked';

/** A statement as results tell of it. */
export interface StatementInfo {
  readonly number: number;
  readonly label: string;
  readonly statement: Statement;
  /** Names of the intervals around it, the outermost first. */
  readonly intervals: readonly string[];
  /** The same intervals, as run records describe them. */
  readonly nest: readonly IntervalSite[];
}

/** An interval as it is written in a program. */
export interface IntervalSite {
  readonly name: string;
  readonly kind: 'sequential' | 'parallel' | undefined;
  /** Collective operation that its executions are, and their part of an asynchronous one. */
  readonly operation: string | undefined;
  readonly phase: 'start' | 'wait' | undefined;
  /** Integer that tells executions apart, and the number of loop iterations of an execution. */
  readonly expression: Argument | undefined;
  readonly iterations: Argument | undefined;
}

/** A place where a rank ends up that has no valid argument for a statement. */
export interface Fault {
  readonly place: string;
  readonly statement: StatementInfo;
  readonly arguments: readonly Argument[];
  /** What is wrong where no argument is. */
  readonly says?: string;
}

/** What the modules of a program know together: numbers of pairs, tags and requests, and what transitions tell. */
export class World {
  readonly ranks: number;
  /** Numbers of (source, destination). */
  readonly pairs: QuadTable = new QuadTable();
  /** Numbers of (communicator, tag); those of collectives have a space of their own. */
  readonly tags: QuadTable = new QuadTable();
  /** Numbers of communicators on which ranks send to each other. */
  readonly contexts: QuadTable = new QuadTable();
  readonly statements: StatementInfo[] = [];
  readonly tells: Map<string, TransitionInfo> = new Map();
  /** By transition of a control flow: the statement that its rank is at. */
  readonly visits: Map<string, StatementInfo> = new Map();
  /** Places where a rank ends up that has no valid argument. */
  readonly faults: Fault[] = [];
  /** Numbers from here on are of what was not known when the tables were written; Infinity before. */
  #knownPairs = Number.POSITIVE_INFINITY;
  #knownTags = Number.POSITIVE_INFINITY;

  constructor(ranks: number) {
    this.ranks = ranks;
  }

  /** From now on nothing gets a number that has none. */
  seal(): void {
    this.#knownPairs = this.pairs.count;
    this.#knownTags = this.tags.count;
  }

  get sealed(): boolean {
    return this.#knownPairs < Number.POSITIVE_INFINITY;
  }

  /** The number of a pair of ranks; undefined for one that has none once the tables are written. */
  pair(from: number, to: number): number | undefined {
    const number = this.pairs.find(from, to, 0, 0);
    return number < this.#knownPairs ? number : undefined;
  }

  /** The number of a tag on a communicator; undefined for one that has none once the tables are written. */
  tag(communicator: number, tag: number, collective: boolean): number | undefined {
    const number = this.tags.find(communicator, tag, collective ? 1 : 0, 0);
    return number < this.#knownTags ? number : undefined;
  }

  context(communicator: number): number {
    return this.contexts.find(communicator, 0, 0, 0);
  }

  /** The ranks of all pairs, by their numbers. */
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
