import { fail } from '../../base/problem.ts';
import { checkAmount, checkRank } from './expand.ts';
import type { PointToPoint } from './point-to-point.ts';

/** A step of a sendRecv: like {@link PointToPoint}, but its receive may have any source (`peer: null`). */
export type SendRecvStep =
  | Exclude<PointToPoint, { readonly op: 'irecv' }>
  | {
      readonly op: 'irecv';
      readonly peer: number | null;
      readonly tag: number;
      readonly bytes: number;
      readonly request: number;
    };

/** Peers and sizes of one rank's sendRecv; `from: null` is any source. */
export interface SendRecv {
  readonly to: number;
  readonly sendBytes: number;
  readonly from: number | null;
  readonly recvBytes: number;
}

/**
 * A simultaneous send and receive, as in SimGrid's `Request::sendrecv`: posts the send, then the receive, then waits
 * for both. With itself as both peers a rank sends nothing. `tag` is one of the program's tags: 0 in traces.
 *
 * @throws InputError COLL001, COLL002, COLL005, COLL006 for invalid ranks, peers or sizes
 */
export function expandSendRecv(sendRecv: SendRecv, rank: number, size: number, tag = 0): SendRecvStep[] {
  const { to, sendBytes, from, recvBytes } = sendRecv;
  checkRank(rank, size);
  for (const peer of from === null ? [to] : [to, from]) {
    if (!Number.isInteger(peer) || peer < 0 || peer >= size) {
      fail('COLL006', `peer ${peer} of a sendRecv is not one of the ${size} ranks (0 to ${size - 1})`);
    }
  }
  checkAmount(sendBytes, 'sendBytes of a sendRecv');
  checkAmount(recvBytes, 'recvBytes of a sendRecv');
  if (to === rank && from === rank) return [];
  return [
    { op: 'isend', peer: to, tag, bytes: sendBytes, request: 0 },
    { op: 'irecv', peer: from, tag, bytes: recvBytes, request: 1 },
    { op: 'wait', request: 0 },
    { op: 'wait', request: 1 },
  ];
}
