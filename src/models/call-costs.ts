import type { NetBuilder } from '../net/builder/builder.ts';
import { add, constant, eq, lt, min, mul, or, type Term, when } from '../net/terms.ts';
import { isDetached, MODE } from './eager-threshold.ts';
import type { CallCosts, CostFunction, Protocol, RankCosts } from './message-passing-parts.ts';

/** Seconds that calls take, as terms of the bytes and {@link MODE} of a message, and of the rank that calls. */
export interface CallTimes {
  readonly sends: boolean;
  readonly receives: boolean;
  /** Before the message of a send starts; `isPosted`: of a non-blocking one. */
  send(
    rank: Term<number>,
    b: Term<number>,
    isPosted: Term<boolean> | boolean,
    mode: Term<number> | undefined,
  ): Term<number>;
  /** After an arrival; `b` as {@link CallTimes.billed} gives it. */
  receive(rank: Term<number>, b: Term<number>): Term<number>;
  /** The bytes of a message whose receiver spends time on it; −1: it spends none. */
  billed(b: Term<number>, mode: Term<number> | undefined): Term<number>;
}

/** Bytes from which on every function is in its last piece: thresholds are below 2^31. */
const BEYOND = 2 ** 31;
/** Distance of two functions in a table of all. */
const STRIDE = 2 ** 32;

/** One table of the pieces of all functions: those of function k are at k × {@link STRIDE} + bytes. */
function tableOf(functions: readonly CostFunction[], part: 'seconds' | 'perByte'): [Float64Array, Float64Array] {
  const from = functions.flatMap((cost, k) =>
    Array.from(cost.from, (bytes) => (k === 0 ? bytes : k * STRIDE + Math.max(0, bytes))),
  );
  return [Float64Array.from(from), Float64Array.from(functions.flatMap((cost) => [...cost[part]]))];
}

/**
 * Times of the calls of SimGrid's network models: a send that does not wait for its receiver costs its sender time before the
 * message starts, and its receiver time after the message has arrived. Source: `Request::start` and `Request::finish_wait`
 * of SimGrid 3.32.
 */
export function callTimes(n: NetBuilder, costs: CallCosts, protocol: Protocol): CallTimes {
  const timeOf = (name: string, costs: RankCosts | undefined): ((r: Term<number>, b: Term<number>) => Term<number>) => {
    if (costs === undefined) return () => constant(0);
    const { functions, ofRank } = costs;
    const numbers = ofRank && n.intTable(`${name}Function`, ofRank, { low: 0, high: functions.length - 1 });
    const at = (r: Term<number>, b: Term<number>): Term<number> =>
      numbers === undefined ? b : add(mul(numbers.at(r), STRIDE), min(b, BEYOND));
    const seconds = n.stepTable(`${name}Seconds`, ...tableOf(functions, 'seconds'));
    if (functions.every(({ perByte }) => perByte.every((one) => one === 0))) return (r, b) => seconds.of(at(r, b));
    const perByte = n.stepTable(`${name}PerByte`, ...tableOf(functions, 'perByte'));
    return (r, b) => add(seconds.of(at(r, b)), mul(perByte.of(at(r, b)), b));
  };
  const send = timeOf('send', costs.send);
  const isend = timeOf('isend', costs.isend);
  const receive = timeOf('receive', costs.receive);
  return {
    sends: costs.send !== undefined || costs.isend !== undefined,
    receives: costs.receive !== undefined,
    send: (rank, b, isPosted, mode) => {
      if (isPosted === true) return isend(rank, b);
      const detached = isDetached(protocol, b, mode);
      const goesOn = mode === undefined ? detached : or(detached, eq(mode, MODE.synchronous));
      const blocking = when(goesOn, send(rank, b), 0);
      return isPosted === false ? blocking : when(isPosted, isend(rank, b), blocking);
    },
    receive: (rank, b) => when(lt(b, 0), 0, receive(rank, b)),
    billed: (b, mode) => when(isDetached(protocol, b, mode), b, -1),
  };
}
