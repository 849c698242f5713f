import { entryAt } from '../../../base/columns.ts';
import { algorithmTaken } from '../../../models/collectives/algorithm-taken.ts';
import type { CollectiveChoice } from '../../../models/collectives/choice.ts';
import { bytesOf } from '../../../models/collectives/smpi/elements.ts';
import { OP, type Operations } from '../../../models/operations.ts';
import type { TraceEncoder } from '../../../models/trace-encoder.ts';
import type { Collective } from '../../../trace/collective.ts';
import type { TiAction } from '../../../trace/ti/codes.ts';
import type { Trace } from '../../subjects/compact-trace.ts';
import type { TraceNet } from '../../subjects/read-trace.ts';
import type { CollectiveFigures } from '../prediction.ts';

/** Maximum number of groups of calls. */
const MAX_GROUPS = 5;

/** A group of calls while it is summed. */
interface Group {
  readonly figures: Omit<CollectiveFigures, 'minimum' | 'maximum' | 'calls' | 'bytes' | 'share'>;
  minimum: number;
  maximum: number;
  bytes: number;
  /** Number of calls by rank. */
  readonly calls: Int32Array;
}

/**
 * The groups of collective calls of a trace whose messages carry most bytes, the largest first. A group has one operation,
 * one algorithm and sizes between two powers of two. Calls after a deadlock count, too. O(actions).
 */
export function collectiveFigures({ trace, operations, encoder, jobs, target }: TraceNet): CollectiveFigures[] {
  const groups: Group[] = [];
  let sent = 0;
  if (jobs === undefined) sent = addGroups(groups, trace, operations, encoder, target.collectives);
  else
    for (const job of jobs) {
      const own = job.encoder.operations(job.trace.named);
      sent += addGroups(groups, job.trace, own, job.encoder, target.collectives, job.name);
    }
  return groups
    .sort((a, b) => b.bytes - a.bytes)
    .slice(0, MAX_GROUPS)
    .map(({ figures, minimum, maximum, bytes, calls }) => ({
      ...figures,
      calls: calls.reduce((most, n) => Math.max(most, n), 0),
      minimum: { value: minimum, unit: 'B' },
      maximum: { value: maximum, unit: 'B' },
      bytes: { value: bytes, unit: 'B' },
      share: sent === 0 ? 0 : bytes / sent,
    }));
}

/** Adds the groups of one program. Returns the bytes of all its messages. */
function addGroups(
  all: Group[],
  trace: Pick<Trace, 'ranks' | 'start' | 'end' | 'code' | 'amount'>,
  operations: Operations,
  encoder: TraceEncoder,
  choice: CollectiveChoice,
  job?: string,
): number {
  const times = new Float64Array(operations.count);
  let sent = 0;
  for (let r = 0; r < trace.ranks; r++)
    for (let i = trace.start[r]!; i <= trace.end[r]!; i++) {
      const first = entryAt(trace.code, i);
      times[first]! += 1;
      // The size of a message of the program is in its line.
      if (isSend(operations.op[first]!) && operations.size[first]! < 0) sent += entryAt(trace.amount, i);
    }
  const groups = new Map<string, Group>();
  for (const [first, count] of times.entries()) {
    if (count === 0) continue;
    const bytes = count * bytesSent(operations, first);
    sent += bytes;
    const called = collectiveOf(encoder.actionOf(first));
    if (called === undefined) continue;
    const { collective, nonblocking } = called;
    const size = bytesOf(collective);
    const { name, ...why } = algorithmTaken(choice, collective, trace.ranks, nonblocking, encoder.place.nodes);
    const operation = `${nonblocking ? 'i' : ''}${collective.kind}`;
    // Sizes of an alltoallv differ between the ranks of a call.
    const sizeClass = collective.kind === 'alltoallv' || size < 1 ? 0 : Math.floor(Math.log2(size)) + 1;
    const key = `${operation} ${name} ${sizeClass}`;
    let group = groups.get(key);
    if (group === undefined) {
      const of = job === undefined ? {} : { job };
      group = {
        figures: { operation, algorithm: name, ...why, ...of, ranks: trace.ranks },
        minimum: size,
        maximum: size,
        bytes: 0,
        calls: new Int32Array(trace.ranks),
      };
      groups.set(key, group);
    }
    group.minimum = Math.min(group.minimum, size);
    group.maximum = Math.max(group.maximum, size);
    group.bytes += bytes;
    group.calls[(operations.by ?? operations.rank)[first]!]! += count;
  }
  all.push(...groups.values());
  return sent;
}

const isSend = (op: number): boolean => op === OP.send || op === OP.isend;

/** Bytes of the messages in the rows of an action. Rows without a size are not counted. */
function bytesSent({ op, size, more }: Operations, first: number): number {
  let bytes = 0;
  for (let row = first; ; row++) {
    if (isSend(op[row]!) && size[row]! > 0) bytes += size[row]!;
    if (more[row] === 0) return bytes;
  }
}

/** The collective of an action, if it is a call of one. */
function collectiveOf(
  action: TiAction,
): { readonly collective: Collective; readonly nonblocking: boolean } | undefined {
  switch (action.kind) {
    case 'nonblocking':
      return { collective: action.collective, nonblocking: true };
    case 'compute':
    case 'sleep':
    case 'waitall':
    case 'end':
    case 'send':
    case 'isend':
    case 'recv':
    case 'irecv':
    case 'test':
    case 'waitAny':
    case 'wait':
    case 'sendRecv':
    case 'put':
    case 'get':
    case 'accumulate':
    case 'fence':
      return undefined;
    default:
      return { collective: action, nonblocking: false };
  }
}
