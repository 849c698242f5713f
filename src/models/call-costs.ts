import type { NetBuilder } from '../net/builder/builder.ts';
import { add, constant, eq, lt, mul, or, type Term, when } from '../net/terms.ts';
import { isDetached, MODE } from './eager-threshold.ts';
import type { CallCosts, CostFunction, Protocol } from './message-passing-parts.ts';

/** Seconds that calls take, as terms of the bytes and {@link MODE} of a message. */
export interface CallTimes {
  readonly sends: boolean;
  readonly receives: boolean;
  /** Before the message of a send starts; `isPosted`: of a non-blocking one. */
  send(b: Term<number>, isPosted: Term<boolean> | boolean, mode: Term<number> | undefined): Term<number>;
  /** After an arrival; `b` as {@link CallTimes.billed} gives it. */
  receive(b: Term<number>): Term<number>;
  /** The bytes of a message whose receiver spends time on it; −1: it spends none. */
  billed(b: Term<number>, mode: Term<number> | undefined): Term<number>;
}

/**
 * Times of the calls of SimGrid's network models: a send that does not wait for its receiver costs its sender time before the
 * message starts, and its receiver time after the message has arrived. Source: `Request::start` and `Request::finish_wait`
 * of SimGrid 3.32.
 */
export function callTimes(n: NetBuilder, costs: CallCosts, protocol: Protocol): CallTimes {
  const timeOf = (name: string, cost: CostFunction | undefined): ((b: Term<number>) => Term<number>) => {
    if (cost === undefined) return () => constant(0);
    const seconds = n.stepTable(`${name}Seconds`, cost.from, cost.seconds);
    if (cost.perByte.every((perByte) => perByte === 0)) return (b) => seconds.of(b);
    const perByte = n.stepTable(`${name}PerByte`, cost.from, cost.perByte);
    return (b) => add(seconds.of(b), mul(perByte.of(b), b));
  };
  const send = timeOf('send', costs.send);
  const isend = timeOf('isend', costs.isend);
  const receive = timeOf('receive', costs.receive);
  return {
    sends: costs.send !== undefined || costs.isend !== undefined,
    receives: costs.receive !== undefined,
    send: (b, isPosted, mode) => {
      if (isPosted === true) return isend(b);
      const detached = isDetached(protocol, b, mode);
      const goesOn = mode === undefined ? detached : or(detached, eq(mode, MODE.synchronous));
      const blocking = when(goesOn, send(b), 0);
      return isPosted === false ? blocking : when(isPosted, isend(b), blocking);
    },
    receive: (b) => when(lt(b, 0), 0, receive(b)),
    billed: (b, mode) => when(isDetached(protocol, b, mode), b, -1),
  };
}
