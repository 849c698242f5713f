import type { Noise } from '../../base/noise.ts';
import type { Communicator } from './communicator.ts';
import type { Request, SendMode } from './statement.ts';
import type { NamesOf, ValueOf, Variables } from './variables.ts';

/** Parameters of a model: plain values, the same for all ranks. */
export type Parameters = Readonly<Record<string, number | string | boolean>>;

/** What a function of a model may depend on: the rank's own number, and its variables. `size` and `p` are the same for all. */
export type State<P, V extends Variables> = {
  readonly rank: number;
  readonly size: number;
  readonly p: Readonly<P>;
} & { readonly [K in keyof V]: ValueOf<V[K]> };

/** Any tag, any source. */
export const ANY: unique symbol = Symbol.for('foretoken.any');
export type Any = typeof ANY;

/** A value, or a function of a rank's state. */
export type Arg<S, T> = T | ((s: S) => T);
/** A rank of the communicator; null: no partner (MPI_PROC_NULL), the operation does nothing. */
export type Peer = number | null | undefined;

interface OnCommunicator {
  /** Default: all ranks of the model. */
  readonly comm?: Communicator;
}

export interface ComputeOptions<S> {
  /** Operations of one core: take flops / speed. */
  readonly flops?: Arg<S, number>;
  /** Bytes moved to and from memory: take bytes / bandwidth, shared with the cores that use the memory at the time. */
  readonly bytes?: Arg<S, number>;
  /** Time on the reference core, instead of flops: the same on any machine. */
  readonly seconds?: Arg<S, number>;
  /** A random factor of mean 1 on the time of the flops or seconds. */
  readonly noise?: Noise;
}

export interface SendOptions<S, V extends Variables> extends OnCommunicator {
  readonly to: Arg<S, Peer>;
  /** A whole number. */
  readonly bytes: Arg<S, number>;
  /** From 0 on, default 0. */
  readonly tag?: Arg<S, number>;
  readonly mode?: SendMode;
  /** Values that the receiver may put into its variables. */
  readonly carry?: { readonly [K in keyof V]?: Arg<S, ValueOf<V[K]>> };
}

/** Variables that are told where a message came from and what it carried. */
export interface IntoOptions<V extends Variables> {
  readonly source?: NamesOf<V, number>;
  readonly tag?: NamesOf<V, number>;
  readonly carry?: readonly (keyof V & string)[];
}

export interface RecvOptions<S, V extends Variables> extends OnCommunicator {
  readonly from: Arg<S, Peer> | Any;
  /** Default 0. */
  readonly tag?: Arg<S, number> | Any;
  readonly into?: IntoOptions<V>;
}

export interface SendrecvOptions<S, V extends Variables> extends Omit<SendOptions<S, V>, 'mode'> {
  readonly from: Arg<S, Peer> | Any;
  /** Default: the tag of the send. */
  readonly recvTag?: Arg<S, number> | Any;
  readonly into?: IntoOptions<V>;
}

type Root<S> = { /** Default 0; the same on all ranks. */ readonly root?: Arg<S, number> };
type Bytes<S> = { readonly bytes: Arg<S, number> };
type Flops<S> = {
  /** Operations of every rank for its reduction, after the communication. Default 0. */ readonly flops?: Arg<
    S,
    number
  >;
};
type Counts<S> = { /** Bytes of every rank. */ readonly counts: Arg<S, readonly number[]> };

/** What each collective takes; bytes are those of one rank (of one pair in an alltoall). */
export interface CollectiveOptions<S> {
  readonly barrier: OnCommunicator;
  readonly bcast: Bytes<S> & Root<S> & OnCommunicator;
  readonly reduce: Bytes<S> & Flops<S> & Root<S> & OnCommunicator;
  readonly allreduce: Bytes<S> & Flops<S> & OnCommunicator;
  readonly scan: Bytes<S> & Flops<S> & OnCommunicator;
  readonly exscan: Bytes<S> & Flops<S> & OnCommunicator;
  readonly gather: Bytes<S> & Root<S> & OnCommunicator;
  readonly scatter: Bytes<S> & Root<S> & OnCommunicator;
  readonly allgather: Bytes<S> & OnCommunicator;
  readonly alltoall: Bytes<S> & OnCommunicator;
  readonly gatherv: Counts<S> & Root<S> & OnCommunicator;
  readonly scatterv: Counts<S> & Root<S> & OnCommunicator;
  readonly allgatherv: Counts<S> & OnCommunicator;
  readonly alltoallv: {
    /** Bytes for every rank, and from every rank. */
    readonly sendCounts: Arg<S, readonly number[]>;
    readonly recvCounts: Arg<S, readonly number[]>;
  } & OnCommunicator;
  readonly reducescatter: Counts<S> & Flops<S> & OnCommunicator;
}

/** What profiles tell of an interval. Nothing of it changes the run. */
export interface IntervalOptions<S> {
  /**
   * `sequential`: all ranks compute the same; `parallel` (default): they share the work. All that is inside a parallel
   * interval is parallel.
   */
  readonly kind?: 'sequential' | 'parallel';
  /** An integer: executions with different values are reported separately. Evaluated at entry. */
  readonly expression?: Arg<S, number>;
  /** Loop iterations that the rank computes in one execution. Evaluated at entry. */
  readonly iterations?: Arg<S, number>;
  /**
   * The interval is a collective operation of this name, such as an exchange of edges: the k-th executions of all ranks
   * are one execution of it. Collectives that are called inside are parts of it.
   */
  readonly operation?: string;
  /** The interval is the start or the wait of an asynchronous operation. */
  readonly phase?: 'start' | 'wait';
}

/** A send or receive that is started again and again. */
export interface PersistentRequest extends Request {
  readonly persistent: true;
}

type Collectives<S> = {
  readonly [K in keyof CollectiveOptions<S>]: K extends 'barrier'
    ? (options?: CollectiveOptions<S>[K]) => void
    : (options: CollectiveOptions<S>[K]) => void;
} & {
  readonly [K in keyof CollectiveOptions<S> as `i${K}`]: K extends 'barrier'
    ? (options?: CollectiveOptions<S>[K]) => Request
    : (options: CollectiveOptions<S>[K]) => Request;
};

/**
 * What `build` is given: every call adds a statement to the program that all ranks run. What depends on a rank, a turn
 * of a loop or a received value is a function of the state, `s => …`.
 */
export interface ProgramBuilder<P, V extends Variables, S = State<P, V>> extends Collectives<S> {
  /** How many ranks the model has. */
  readonly size: number;
  readonly p: Readonly<P>;
  /** All ranks of the model. */
  readonly world: Communicator;
  /** All ranks of all models that run together. */
  readonly everyone: Communicator;
  /** The ranks that a part of coupled models has within `everyone`: the first of them, and how many. */
  part(name: string): { readonly name: string; readonly first: number; readonly size: number };
  compute(work: ComputeOptions<S>): void;
  /** Seconds. */
  sleep(seconds: Arg<S, number>, noise?: Noise): void;
  send(options: SendOptions<S, V>): void;
  isend(options: SendOptions<S, V>): Request;
  recv(options: RecvOptions<S, V>): void;
  irecv(options: Omit<RecvOptions<S, V>, 'into'>): Request;
  /** Both at once; the send is posted first. */
  sendrecv(options: SendrecvOptions<S, V>): void;
  sendInit(options: SendOptions<S, V>): PersistentRequest;
  recvInit(options: Omit<RecvOptions<S, V>, 'into'>): PersistentRequest;
  start(...requests: PersistentRequest[]): void;
  wait(request: Request, into?: IntoOptions<V>): void;
  waitAll(requests: readonly Request[]): void;
  /** Waits for the first of them to complete; `index` takes its position in the list. */
  waitAny(
    requests: readonly Request[],
    options?: { readonly index?: NamesOf<V, number>; readonly into?: IntoOptions<V> },
  ): void;
  /** Waits for the first of them, and takes all that are complete then; `count` takes their number. */
  waitSome(requests: readonly Request[], options?: { readonly count?: NamesOf<V, number> }): void;
  /** Reads from the storage of the machine, whose bandwidth all ranks share. */
  readFile(options: { readonly bytes: Arg<S, number> }): void;
  /** Writes to the storage of the machine, whose bandwidth all ranks share. */
  writeFile(options: { readonly bytes: Arg<S, number> }): void;
  /** Looks whether a request is complete, and says so in `done`; a complete one needs no wait any more. */
  test(request: Request, options: { readonly done: NamesOf<V, boolean>; readonly into?: IntoOptions<V> }): void;
  /**
   * Parts the ranks into groups of equal colour (null: in none), ordered by key, then by rank. Known when the model is
   * built: colour and key depend on the rank alone.
   */
  split(options: {
    readonly color: (s: { readonly rank: number; readonly size: number; readonly p: Readonly<P> }) => number | null;
    readonly key?: (s: { readonly rank: number; readonly size: number; readonly p: Readonly<P> }) => number;
    readonly comm?: Communicator;
  }): Communicator;
  /** Writes to the memory of another rank, which takes no part; complete after the next fence. */
  put(options: { readonly to: Arg<S, Peer>; readonly bytes: Arg<S, number>; readonly comm?: Communicator }): void;
  /** Reads from the memory of another rank, which takes no part; complete after the next fence. */
  get(options: { readonly from: Arg<S, Peer>; readonly bytes: Arg<S, number>; readonly comm?: Communicator }): void;
  /** Waits for what this rank has put and got, then for all ranks. */
  fence(options?: OnCommunicator): void;
  /** Assigns a variable. */
  let<K extends keyof V & string>(variable: K, value: Arg<S, ValueOf<V[K]>>): void;
  when(test: (s: S) => boolean, then: () => void, otherwise?: () => void): void;
  /** The first part with this probability. */
  chance(probability: Arg<S, number>, then: () => void, otherwise?: () => void): void;
  /** Runs the body `count` times; the variable counts 0, 1, 2 …, and is `count` afterwards. */
  loop(variable: NamesOf<V, number>, count: Arg<S, number>, body: () => void): void;
  loop(count: number, body: () => void): void;
  while(test: (s: S) => boolean, body: () => void): void;
  /** Runs the body, and again with this probability. */
  repeat(probability: Arg<S, number>, body: () => void): void;
  /** Names a part of the program, by which the results are told. */
  interval(name: string, body: () => void): void;
  /** As above, with what profiles tell of it. */
  interval(name: string, options: IntervalOptions<S>, body: () => void): void;
}
