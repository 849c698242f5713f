import type { TiAction } from './action.ts';
import { ANY_SOURCE, ROWS } from './grammar.ts';

/**
 * Builds the action of a row from its normalized arguments (bytes, flops, peers, root in the order of its form). For
 * rows whose arguments are all part of the action: sendRecv and the collectives.
 */
export function buildAction(row: number, numbers: readonly number[], ranks: number): TiAction {
  const [a, b, c, d] = numbers as readonly [number, number, number, number];
  const last = numbers.at(-1)!;
  const kind = ROWS[row]!.name;
  switch (kind) {
    case 'sendRecv':
      return { kind, sendBytes: a, to: b, recvBytes: c, from: d === ANY_SOURCE ? null : d };
    case 'barrier':
      return { kind };
    case 'bcast':
      return { kind, bytes: a, root: b };
    case 'reduce':
      return { kind, bytes: a, flops: b, root: c };
    case 'allreduce':
    case 'scan':
    case 'exscan':
      return { kind, bytes: a, flops: b };
    case 'gather':
    case 'scatter':
      return { kind, sendBytes: a, recvBytes: b, root: c };
    case 'allgather':
    case 'alltoall':
      return { kind, sendBytes: a, recvBytes: b };
    case 'gatherv':
      return { kind, sendBytes: a, recvBytes: numbers.slice(1, 1 + ranks), root: last };
    case 'scatterv':
      return { kind, sendBytes: numbers.slice(0, ranks), recvBytes: numbers[ranks]!, root: last };
    case 'allgatherv':
      return { kind, sendBytes: a, recvBytes: numbers.slice(1, 1 + ranks) };
    case 'alltoallv':
      return { kind, sendBytes: numbers.slice(0, ranks), recvBytes: numbers.slice(ranks, 2 * ranks) };
    case 'reducescatter':
      return { kind, recvBytes: numbers.slice(0, ranks), flops: numbers[ranks]!, elementBytes: last };
    default:
      throw new Error(`${kind} is not an action with all its arguments`);
  }
}
