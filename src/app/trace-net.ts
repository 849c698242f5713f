import { entryAt } from '../base/paged.ts';
import { fail } from '../base/problem.ts';
import { defaultPlacement, readHostfile } from '../machine/hostfile.ts';
import { mapMessagePassing } from '../machine/map-message-passing.ts';
import { type NetworkModel, networkModel } from '../machine/network-model.ts';
import type { Platform } from '../machine/platform.ts';
import { readSimgridPlatform } from '../machine/simgrid-xml.ts';
import { messagePassingNet } from '../models/message-passing.ts';
import type { MessagePassingMachine } from '../models/message-passing-parts.ts';
import type { Operations } from '../models/operations.ts';
import { TraceEncoder } from '../models/trace-encoder.ts';
import type { Net } from '../net/net.ts';
import { readTiTrace, type TiTrace } from '../trace/ti/read.ts';

/** What says on which machine a trace is replayed. */
export interface MachineOptions {
  /** SimGrid platform XML. */
  readonly machine?: string;
  /** One host per rank; without it, rank r is on the platform's host r. */
  readonly hostfile?: string;
  readonly ranks?: number;
  /** Default `simgrid-smpi`. */
  readonly networkModel?: string;
}

/** A trace on a machine, and the net that is made of the two. */
export interface TraceNet {
  readonly trace: TiTrace;
  readonly operations: Operations;
  readonly platform: Platform;
  readonly model: NetworkModel;
  /** Host of every rank. */
  readonly placement: Int32Array;
  readonly machine: MessagePassingMachine;
  readonly net: Net;
}

/**
 * Reads a trace and a platform and builds the net of the one on the other. The caller closes the trace.
 *
 * @param compact put all positions in memory without gaps between ranks, for writing the net down
 */
export function traceNet(path: string, options: MachineOptions, compact = false): TraceNet {
  if (options.machine === undefined) fail('APP002', 'a trace needs a machine: --machine PLATFORM.xml');
  const model = networkModel(options.networkModel ?? 'simgrid-smpi');
  const platform = readSimgridPlatform(options.machine);
  let encoder: TraceEncoder | undefined;
  const trace = readTiTrace(
    path,
    (ranks) => {
      encoder = new TraceEncoder(ranks);
      return encoder;
    },
    options.ranks === undefined ? {} : { ranks: options.ranks },
  );
  try {
    const placement =
      options.hostfile === undefined
        ? defaultPlacement(platform, trace.ranks)
        : readHostfile(options.hostfile, platform, trace.ranks);
    const operations = encoder!.operations(trace.named);
    const machine = mapMessagePassing(platform, model, placement, operations.pairs);
    const columns = compact ? withoutGaps(trace) : trace;
    const net = messagePassingNet(
      {
        name: 'trace',
        ranks: trace.ranks,
        start: columns.start,
        operations,
        code: columns.code,
        amount: columns.amount,
      },
      machine,
    );
    return { trace, operations, platform, model, placement, machine, net };
  } catch (e) {
    trace.close();
    throw e;
  }
}

function withoutGaps(trace: TiTrace): { start: Int32Array; code: Int32Array; amount: Float64Array } {
  const counts = trace.start.map((s, r) => trace.end[r]! - s + 1);
  const length = counts.reduce((a, b) => a + b, 0);
  const start = new Int32Array(trace.ranks);
  const code = new Int32Array(length);
  const amount = new Float64Array(length);
  let at = 0;
  for (let r = 0; r < trace.ranks; r++) {
    start[r] = at;
    for (let k = 0; k < counts[r]!; k++, at++) {
      code[at] = entryAt(trace.code, trace.start[r]! + k);
      amount[at] = entryAt(trace.amount, trace.start[r]! + k);
    }
  }
  return { start, code, amount };
}
