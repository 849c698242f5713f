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
import { readTiTrace } from '../trace/ti/read.ts';
import { compactTrace, shortTrace, type Trace } from './compact-trace.ts';

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
  readonly trace: Trace;
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
  const read = readTiTrace(
    path,
    (ranks) => {
      encoder = new TraceEncoder(ranks);
      return encoder;
    },
    options.ranks === undefined ? {} : { ranks: options.ranks },
  );
  try {
    const trace = compact ? compactTrace(read) : shortTrace(read);
    const placement =
      options.hostfile === undefined
        ? defaultPlacement(platform, trace.ranks)
        : readHostfile(options.hostfile, platform, trace.ranks);
    const operations = encoder!.operations(trace.named);
    const machine = mapMessagePassing(platform, model, placement, operations.pairs);
    const net = messagePassingNet(
      {
        name: 'trace',
        ranks: trace.ranks,
        start: trace.start,
        operations,
        code: trace.code,
        amount: trace.amount,
      },
      machine,
    );
    return { trace, operations, platform, model, placement, machine, net };
  } catch (e) {
    read.close();
    throw e;
  }
}
