import { type Distribution, isDistribution } from '../distribution.ts';
import { assertMembers } from '../members.ts';
import type { Delay, StationService } from '../net.ts';
import { constant, isTerm, type NumberTerm, termOf } from '../term.ts';

/** Seconds: a number, an expression, or a distribution to draw from. */
export type Seconds = NumberTerm | Distribution;

/** Options of a station. */
export interface StationOptions {
  /** Number of equal servers; default 1. */
  readonly servers?: number;
  /** Service time of a token, set or drawn when it arrives. */
  readonly time: Seconds;
}

/** First come, first served. */
export function fcfs(options: StationOptions): StationService {
  return { kind: 'fcfs', ...servers('fcfs', options) };
}

/** Last come, first served with preemption: the newest token is served at once; a preempted one resumes later. */
export function lcfsPr(options: StationOptions): StationService {
  return { kind: 'lcfs-pr', ...servers('lcfsPr', options) };
}

/** All n tokens are served at once, each at rate min(1, servers / n). */
export function processorSharing(options: StationOptions): StationService {
  return { kind: 'ps', ...servers('processorSharing', options) };
}

/** One server for each token. */
export function infiniteServer(options: { readonly time: Seconds }): StationService {
  assertMembers('service', 'infiniteServer', options, ['time']);
  return { kind: 'is', time: delayOf(options.time) };
}

/**
 * Highest priority first, then first come. With `preemptive` (default false), a token of higher priority interrupts one in
 * service, which resumes later.
 */
export function priority(
  options: StationOptions & { readonly priority: NumberTerm; readonly preemptive?: boolean },
): StationService {
  return {
    kind: 'priority',
    ...servers('priority', options, ['priority', 'preemptive']),
    priority: constant(options.priority),
    preemptive: options.preemptive ?? false,
  };
}

/** A delay in the net's form; `part` is the location for messages. */
export function delayOf(seconds: Seconds, part?: string): Delay {
  return typeof seconds === 'object' && seconds !== null && !isTerm(seconds) && isDistribution(seconds)
    ? seconds
    : termOf(seconds, undefined, part);
}

function servers(
  station: string,
  options: StationOptions,
  more: readonly string[] = [],
): { servers: number; time: Delay } {
  assertMembers('service', station, options, ['servers', 'time', ...more]);
  return { servers: options.servers ?? 1, time: delayOf(options.time) };
}
