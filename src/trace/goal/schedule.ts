/** Kinds of operations, in the order in which those that become ready together are taken up. */
export const OPERATION = { send: 0, recv: 1, calc: 2 } as const;

/** An operation of a schedule. */
export interface ScheduledOperation {
  readonly kind: (typeof OPERATION)[keyof typeof OPERATION];
  readonly rank: number;
  /** Bytes of a send or recv, nanoseconds of a calc. */
  readonly size: number;
  /** Partner of a send or recv; −1: any rank. */
  readonly peer: number;
  /** −1: any. */
  readonly tag: number;
  readonly cpu: number;
  readonly nic: number;
  /** As in the file: `l2: recv 8b from 3 tag 1`. */
  readonly text: string;
  readonly line: number;
}

/** `to` starts after `from` has ended; with `started`, after it has started. Numbers of operations. */
export interface Dependency {
  readonly from: number;
  readonly to: number;
  readonly started: boolean;
}

/** A schedule: operations of ranks, with their dependencies. */
export interface Schedule {
  readonly ranks: number;
  /** By rank, then by kind, then in the order of the file. */
  readonly operations: readonly ScheduledOperation[];
  readonly dependencies: readonly Dependency[];
  /** Parameters in a comment `// LogGOPS L=2500 o=1500 …`. */
  readonly parameters: Partial<LogGops>;
}

/** Parameters of LogGOPS (Hoefler, Schneider & Lumsdaine, LSAP 2010), in nanoseconds and nanoseconds per byte. */
export interface LogGops {
  /** Latency. */
  readonly L: number;
  /** Overhead of a CPU per message. */
  readonly o: number;
  /** Gap of a network interface between messages. */
  readonly g: number;
  /** Gap per byte. */
  readonly G: number;
  /** Overhead per byte. */
  readonly O: number;
  /** Largest message in bytes whose send does not wait for its receive. */
  readonly S: number;
}

/** The defaults of LogGOPSim. */
export const LOGGOPS: LogGops = { L: 2500, o: 1500, g: 1000, G: 6, O: 0, S: 65_535 };
