import type { Noise } from '../../../base/random/noise.ts';
import type { Parameters } from '../../parameters.ts';
import type { ThreadBuilder } from '../../threads/program/builder-types.ts';
import type { Communicator } from './communicator.ts';
import type { Interface, LabelsOf } from './labels.ts';
import type { Request, SendMode } from './statement.ts';
import type { NamesOf, ValueOf, Variables } from './variables.ts';

export type { Parameters } from '../../parameters.ts';

/**
 * State that functions of a model may depend on: the rank within the model and its variables. `size` and `p` are equal
 * on all ranks.
 */
export type State<P, V extends Variables> = {
  readonly rank: number;
  readonly size: number;
  readonly p: Readonly<P>;
} & { readonly [K in keyof V]: ValueOf<V[K]> };

/** Wildcard: any tag (MPI_ANY_TAG) or any source (MPI_ANY_SOURCE). */
export const ANY: unique symbol = Symbol.for('foretoken.any');
/** Type of the wildcard {@link ANY}. */
export type Any = typeof ANY;

/** A value, or a function of a rank's state. */
export type Arg<S, T> = T | ((s: S) => T);
/** A rank of the communicator. `null` or `undefined` (MPI_PROC_NULL): no partner, the operation does nothing. */
export type Peer = number | null | undefined;

interface OnCommunicator {
  /** Default: all ranks of the model. */
  readonly comm?: Communicator;
}

/** Work of a `compute`: `flops` or `seconds`, `bytes`, or one of the two together with `bytes`. */
export interface ComputeOptions<S> {
  /** Operations of one core; their time is flops / speed. */
  readonly flops?: Arg<S, number>;
  /**
   * Bytes moved to and from memory; their time is bytes / bandwidth, which is shared with the cores that use the memory
   * at the same time.
   */
  readonly bytes?: Arg<S, number>;
  /** Time in seconds, instead of flops; independent of the machine's speed. */
  readonly seconds?: Arg<S, number>;
  /** Random factor of mean 1 on the time of flops or seconds. Default: the noise of the machine. */
  readonly noise?: Noise;
}

/** Options of `send`, `isend` and `sendInit`. */
export interface SendOptions<S, V extends Variables> extends OnCommunicator {
  /** Destination within the communicator. */
  readonly to: Arg<S, Peer>;
  /** Message size, an integer. */
  readonly bytes: Arg<S, number>;
  /** Tag, from 0. Default 0. */
  readonly tag?: Arg<S, number>;
  /** Default `standard`. */
  readonly mode?: SendMode;
  /** Values sent along with the message; receivers copy them to their variables by `into.carry`. */
  readonly carry?: { readonly [K in keyof V]?: Arg<S, ValueOf<V[K]>> };
}

/** A send to another module, by a label of the interface. */
export interface LabelledSend<S, V extends Variables, I extends Interface>
  extends Omit<SendOptions<S, V>, 'to' | 'comm'> {
  /** Label made by `sends()`. */
  readonly label: LabelsOf<I, 'sends'>;
  /**
   * Rank within the partner module. Default: its only rank, or the sender's own number if both modules have as many ranks.
   */
  readonly to?: Arg<S, Peer>;
}

/** Variables of the receiver that take properties of the received message. */
export interface IntoOptions<V extends Variables> {
  /** Variable that takes the source, a rank of the communicator. */
  readonly source?: NamesOf<V, number>;
  /** Variable that takes the tag. */
  readonly tag?: NamesOf<V, number>;
  /** Variables that take the carried values of the same names. */
  readonly carry?: readonly (keyof V & string)[];
}

/** Options of `recv`, `irecv` and `recvInit`. */
export interface RecvOptions<S, V extends Variables> extends OnCommunicator {
  /** Source within the communicator; {@link ANY}: any source. */
  readonly from: Arg<S, Peer> | Any;
  /** Default 0; {@link ANY}: any tag. */
  readonly tag?: Arg<S, number> | Any;
  /** Variables that take source, tag and carried values. */
  readonly into?: IntoOptions<V>;
}

/** Options of `probe` and `iprobe`. */
export interface ProbeOptions<S, V extends Variables> extends Pick<RecvOptions<S, V>, 'from' | 'tag' | 'comm'> {
  /** Variables that take source and tag of the message. */
  readonly into?: Omit<IntoOptions<V>, 'carry'>;
}

/** A receive from another module, by a label of the interface. */
export interface LabelledRecv<S, V extends Variables, I extends Interface>
  extends Omit<RecvOptions<S, V>, 'from' | 'comm'> {
  /** Label made by `receives()`. */
  readonly label: LabelsOf<I, 'receives'>;
  /** Rank within the partner module. Default: any. */
  readonly from?: Arg<S, Peer> | Any;
}

/** Options of `sendrecv`. */
export interface SendrecvOptions<S, V extends Variables> extends Omit<SendOptions<S, V>, 'mode'> {
  /** Source within the communicator; {@link ANY}: any source. */
  readonly from: Arg<S, Peer> | Any;
  /** Tag of the receive. Default: the tag of the send. */
  readonly recvTag?: Arg<S, number> | Any;
  /** Variables that take source, tag and carried values. */
  readonly into?: IntoOptions<V>;
}

type Root<S> = {
  /** Rank within the communicator that sends or receives the data; equal on all ranks. Default 0. */
  readonly root?: Arg<S, number>;
};
type Bytes<S> = {
  /**
   * Message size in bytes, an integer: `bcast`: sent by the root; `gather`, `scatter`: from or to each rank; `allgather`:
   * contributed by each rank; `alltoall`: for each pair of ranks; `reduce`, `allreduce`, `scan`, `exscan`: the vector.
   */
  readonly bytes: Arg<S, number>;
};
type Flops<S> = {
  /** Operations of every rank for its reduction, after the communication. Default 0. */ readonly flops?: Arg<
    S,
    number
  >;
};
type Counts<S> = {
  /**
   * Bytes of each rank of the communicator, in rank order. `gatherv`, `allgatherv`: contributed by the
   * rank; `scatterv`, `reducescatter`: received by it.
   */
  readonly counts: Arg<S, readonly number[]>;
};

/** Options of each collective. `bytes` is the size per rank (per pair of ranks for an alltoall). */
export interface CollectiveOptions<S> {
  /** No data. */
  readonly barrier: OnCommunicator;
  /** Bytes sent by the root. */
  readonly bcast: Bytes<S> & Root<S> & OnCommunicator;
  /** Bytes of the vector; flops of the reduction. */
  readonly reduce: Bytes<S> & Flops<S> & Root<S> & OnCommunicator;
  /** Bytes of the vector; flops of the reduction. */
  readonly allreduce: Bytes<S> & Flops<S> & OnCommunicator;
  /** Bytes of the vector; flops of the reduction. */
  readonly scan: Bytes<S> & Flops<S> & OnCommunicator;
  /** Bytes of the vector; flops of the reduction. */
  readonly exscan: Bytes<S> & Flops<S> & OnCommunicator;
  /** Bytes sent by each rank to the root. */
  readonly gather: Bytes<S> & Root<S> & OnCommunicator;
  /** Bytes received by each rank from the root. */
  readonly scatter: Bytes<S> & Root<S> & OnCommunicator;
  /** Bytes contributed by each rank. */
  readonly allgather: Bytes<S> & OnCommunicator;
  /** Bytes from each rank to each rank. */
  readonly alltoall: Bytes<S> & OnCommunicator;
  /** Bytes sent by each rank to the root, as a list by rank. */
  readonly gatherv: Counts<S> & Root<S> & OnCommunicator;
  /** Bytes received by each rank from the root, as a list by rank. */
  readonly scatterv: Counts<S> & Root<S> & OnCommunicator;
  /** Bytes contributed by each rank, as a list by rank. */
  readonly allgatherv: Counts<S> & OnCommunicator;
  /** Bytes to and from each rank, as lists by rank. */
  readonly alltoallv: {
    /** Bytes that this rank sends to each rank, in rank order. */
    readonly sendCounts: Arg<S, readonly number[]>;
    /** Bytes that this rank receives from each rank, in rank order. */
    readonly recvCounts: Arg<S, readonly number[]>;
  } & OnCommunicator;
  /** Bytes received by each rank, as a list by rank; flops of the reduction. */
  readonly reducescatter: Counts<S> & Flops<S> & OnCommunicator;
}

/** Attributes of an interval in profiles. They do not change the run. */
export interface IntervalOptions<S> {
  /**
   * `sequential`: all ranks compute the same; `parallel` (default): they share the work. Intervals inside a parallel
   * interval are parallel.
   */
  readonly kind?: 'sequential' | 'parallel';
  /** An integer: executions with different values are reported separately. Evaluated at entry. */
  readonly expression?: Arg<S, number>;
  /** Loop iterations that the rank computes in one execution. Evaluated at entry. */
  readonly iterations?: Arg<S, number>;
  /**
   * Number of ranks that compute the same in a parallel interval, default 1: a loop distributed over some
   * dimensions of the ranks only. Evaluated at entry; inherited by inner intervals without `copies`.
   */
  readonly copies?: Arg<S, number>;
  /**
   * The interval is a collective operation of this name, such as an exchange of edges: the k-th executions of all ranks
   * are one execution of it. Collectives that are called inside are parts of it.
   */
  readonly operation?: string;
  /** The interval is the start or the wait of an asynchronous operation. */
  readonly phase?: 'start' | 'wait';
}

/** A persistent send or receive, posted by `start` any number of times. */
export interface PersistentRequest extends Request {
  /** Marks the request as persistent. */
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
 * Argument of `build`. Every call adds a statement to the program that all ranks run. Values that depend on a rank, a
 * loop variable or a received value are functions of the state, `s => …`.
 *
 * Invalid statements throw an InputError (MODEL003, MODEL010 to MODEL020) with their line.
 */
export interface ProgramBuilder<P, V extends Variables, S = State<P, V>, I extends Interface = Record<never, never>>
  extends Collectives<S> {
  /** Number of ranks of the model. */
  readonly size: number;
  /** Parameter values of the model. */
  readonly p: Readonly<P>;
  /** Communicator of all ranks of the model. */
  readonly world: Communicator;
  /** Communicator of all ranks of all coupled models. */
  readonly everyone: Communicator;
  /**
   * Ranks of a part of coupled models within `everyone`: the first one and their number.
   *
   * @throws InputError MODEL028 for an unknown part
   */
  part(name: string): { readonly name: string; readonly first: number; readonly size: number };
  /** Computes, and moves bytes to and from memory. */
  compute(work: ComputeOptions<S>): void;
  /** Idles for a time in seconds. */
  sleep(seconds: Arg<S, number>, noise?: Noise): void;
  /** Blocking send (MPI_Send and its modes). */
  send(options: SendOptions<S, V> | LabelledSend<S, V, I>): void;
  /** Non-blocking send. A request that nothing waits for is released at completion (MPI_Request_free). */
  isend(options: SendOptions<S, V> | LabelledSend<S, V, I>): Request;
  /** Blocking receive. */
  recv(options: RecvOptions<S, V> | LabelledRecv<S, V, I>): void;
  /** Non-blocking receive; give `into` to the wait. */
  irecv(options: Omit<RecvOptions<S, V>, 'into'> | Omit<LabelledRecv<S, V, I>, 'into'>): Request;
  /** Waits until a message is sent that a receive of the same source, tag and communicator would take now (MPI_Probe). */
  probe(options: ProbeOptions<S, V>): void;
  /**
   * Sets `done` to whether such a message is sent, without waiting (MPI_Iprobe). A loop of probes must contain a statement that takes
   * time.
   */
  iprobe(options: ProbeOptions<S, V> & { readonly done: NamesOf<V, boolean> }): void;
  /** Sends and receives at the same time; the send is posted first. */
  sendrecv(options: SendrecvOptions<S, V>): void;
  /** Creates a persistent send; `start` posts it. */
  sendInit(options: SendOptions<S, V> | LabelledSend<S, V, I>): PersistentRequest;
  /** Creates a persistent receive; `start` posts it. */
  recvInit(options: Omit<RecvOptions<S, V>, 'into'> | Omit<LabelledRecv<S, V, I>, 'into'>): PersistentRequest;
  /** Posts persistent requests in order. */
  start(...requests: PersistentRequest[]): void;
  /** Waits for a request; `into` takes properties of a received message. */
  wait(request: Request, into?: IntoOptions<V>): void;
  /** Waits for all requests. */
  waitAll(requests: readonly Request[]): void;
  /** Waits for the first request to complete; `index` takes its position in the list. */
  waitAny(
    requests: readonly Request[],
    options?: { readonly index?: NamesOf<V, number>; readonly into?: IntoOptions<V> },
  ): void;
  /** Waits for the first request to complete and takes every request that is complete by then; `count` takes their number. */
  waitSome(requests: readonly Request[], options?: { readonly count?: NamesOf<V, number> }): void;
  /**
   * Sets `done` to whether some request is complete, and takes the first such in the list; `index` takes its position. If all were taken
   * before, `done` is true. Does not wait.
   */
  testAny(
    requests: readonly Request[],
    options: { readonly done: NamesOf<V, boolean>; readonly index?: NamesOf<V, number> },
  ): void;
  /** Sets `done` to whether all requests are complete, without waiting. Complete requests need no wait. */
  testAll(requests: readonly Request[], options: { readonly done: NamesOf<V, boolean> }): void;
  /** Takes every request that is complete, without waiting; `count` takes their number. */
  testSome(requests: readonly Request[], options?: { readonly count?: NamesOf<V, number> }): void;
  /**
   * Executes a region of threads or tasks in a pool of each rank, and waits for its end. Functions of the state in the region
   * may read `s.rank` and the names in scope there, not the rank's variables.
   */
  threads<const W extends string = string>(
    options: {
      /** Workers of each rank, each on a separate core. */
      readonly workers: number;
      /** Default `stealing`. */
      readonly scheduler?: 'stealing' | 'central' | 'static' | 'os' | 'a0' | 'a1' | 'a2';
      /** Kind of the pool, for pools. Default `migrating`. */
      readonly pool?: 'migrating' | 'stack' | 'isolated';
    },
    build: (t: ThreadBuilder<P & Parameters, W>) => void,
  ): void;
  /** Reads from the machine's storage; all ranks share its bandwidth. */
  readFile(options: { readonly bytes: Arg<S, number> }): void;
  /** Writes to the machine's storage; all ranks share its bandwidth. */
  writeFile(options: { readonly bytes: Arg<S, number> }): void;
  /** Sets `done` to whether the request is complete, without waiting. A complete request needs no wait. */
  test(request: Request, options: { readonly done: NamesOf<V, boolean>; readonly into?: IntoOptions<V> }): void;
  /**
   * Splits the ranks into groups of equal colour (`null`: no group), ordered by key, then by rank. Evaluated when the
   * model is built: colour and key depend only on the rank.
   */
  split(options: {
    readonly color: (s: { readonly rank: number; readonly size: number; readonly p: Readonly<P> }) => number | null;
    readonly key?: (s: { readonly rank: number; readonly size: number; readonly p: Readonly<P> }) => number;
    readonly comm?: Communicator;
  }): Communicator;
  /** Writes to the memory of a passive target rank; complete after the next fence. */
  put(options: { readonly to: Arg<S, Peer>; readonly bytes: Arg<S, number>; readonly comm?: Communicator }): void;
  /** As `put`, and waits for the arrival of the bytes, as MPI_Accumulate in SimGrid's SMPI. */
  accumulate(options: {
    readonly to: Arg<S, Peer>;
    readonly bytes: Arg<S, number>;
    readonly comm?: Communicator;
  }): void;
  /** Reads from the memory of a passive target rank; complete after the next fence. */
  get(options: { readonly from: Arg<S, Peer>; readonly bytes: Arg<S, number>; readonly comm?: Communicator }): void;
  /** Completes all puts and gets of this rank, then waits for all ranks. */
  fence(options?: OnCommunicator): void;
  /** Number of ranks of the module that a label of messages is connected with; 1 while it is open. */
  partners(label: LabelsOf<I, 'sends' | 'receives'>): number;
  /** Waits until all ranks of all modules with this label of kind `phase` are here; while it is open, those of this module. */
  meet(label: LabelsOf<I, 'phase'>): void;
  /** Runs the body with a unit of a resource, after waiting for one that is free. */
  hold(label: LabelsOf<I, 'resource'>, body: () => void): void;
  /** Assigns a variable. */
  let<K extends keyof V & string>(variable: K, value: Arg<S, ValueOf<V[K]>>): void;
  /** Runs `then` if the test holds, else `otherwise`. */
  when(test: (s: S) => boolean, then: () => void, otherwise?: () => void): void;
  /** Runs `then` with this probability, else `otherwise`. */
  chance(probability: Arg<S, number>, then: () => void, otherwise?: () => void): void;
  /** Runs the body `count` times; the variable is 0, 1, 2 … in the iterations and `count` afterwards. */
  loop(variable: NamesOf<V, number>, count: Arg<S, number>, body: () => void): void;
  /** Runs the body `count` times. */
  loop(count: number, body: () => void): void;
  /** Runs the body while the test holds. */
  while(test: (s: S) => boolean, body: () => void): void;
  /** Runs the body once, then again with this probability after each iteration. */
  repeat(probability: Arg<S, number>, body: () => void): void;
  /** Names a part of the program; results report the time of each interval. */
  interval(name: string, body: () => void): void;
  /** As above, with attributes that profiles report. */
  interval(name: string, options: IntervalOptions<S>, body: () => void): void;
}
