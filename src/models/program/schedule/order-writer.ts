import type { GoalWriter } from '../../../trace/goal/goal-writer.ts';
import type { preparedCollective } from '../../collectives/expand.ts';
import type { PointToPoint } from '../../collectives/steps.ts';
import type { Statement } from '../record/statement.ts';

/** The places that messages of ranks and of collectives have for their tags. */
export type Space = 'user' | 'collective' | `call ${number}`;

/** The place of a rank in a collective call. */
export interface CollectiveAt {
  readonly statement: Extract<Statement, { kind: 'collective' }>;
  /** Rank of the world, and within the communicator. */
  readonly rank: number;
  readonly own: number;
  /** Flop/s of its core. */
  readonly speed: number;
  readonly tagOf: (tag: number) => number;
}

/** Takes the operations of one rank after the other, as {@link GoalWriter} does. */
export interface OrderWriter extends Pick<GoalWriter<Statement>, 'calc' | 'message' | 'wait' | 'aside' | 'join'> {
  /** A statement that a fixed order excludes; absent: GOAL008. */
  refuse?(what: string, s: Statement): never;
  /** Appends the steps of a blocking collective; absent: they are passed to the other functions one by one. */
  append?(prepared: ReturnType<typeof preparedCollective>, at: CollectiveAt): void;
  /** A collective call, before its messages; absent: calls are not followed. */
  collective?(
    s: Extract<Statement, { kind: 'collective' }>,
    rank: number,
    args: Readonly<Record<string, unknown>>,
  ): void;
}

/**
 * Numbers of tags in a schedule, in the order of their first use. A tag has a separate number in each communicator and space: the
 * messages of collectives never match those of ranks.
 */
export class TagNumbers {
  readonly #known = new Map<string, Map<number, number>>();
  #count = 0;

  /** The numbers of the tags of a communicator in a space. */
  of(communicator: number, space: Space): (tag: number) => number {
    const key = `${communicator} ${space}`;
    const numbers = this.#known.get(key) ?? new Map<number, number>();
    this.#known.set(key, numbers);
    return (tag) => {
      const known = numbers.get(tag);
      if (known !== undefined) return known;
      numbers.set(tag, this.#count);
      return this.#count++;
    };
  }
}

/** The messages of one collective of a rank, with separate requests. */
export class CollectiveMessages {
  readonly #writer: OrderWriter;
  readonly #origin: Statement;
  readonly #open = new Map<number, number>();

  constructor(writer: OrderWriter, origin: Statement) {
    this.#writer = writer;
    this.#origin = origin;
  }

  message(step: Exclude<PointToPoint, { readonly op: 'compute' | 'wait' }>, peer: number, tag: number): void {
    const posts = step.op === 'isend' || step.op === 'irecv';
    const kind = step.op === 'send' || step.op === 'isend' ? 'send' : 'recv';
    const label = this.#writer.message(kind, { bytes: Math.floor(step.bytes), peer, tag }, posts, this.#origin);
    if ('request' in step) this.#open.set(step.request, label);
  }

  wait(request: number): void {
    const label = this.#open.get(request);
    if (label !== undefined) this.#writer.wait(label);
    this.#open.delete(request);
  }

  waitForAll(): void {
    for (const label of this.#open.values()) this.#writer.wait(label);
    this.#open.clear();
  }
}
