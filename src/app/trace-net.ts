import { mapNetwork } from '../machine/map-machine.ts';
import { messagePassingNet } from '../models/message-passing.ts';
import type { MessagePassingMachine } from '../models/message-passing-parts.ts';
import type { Operations } from '../models/operations.ts';
import type { TraceEncoder } from '../models/trace-encoder.ts';
import type { Net } from '../net/net.ts';
import { assertTraceInput } from './input-kinds.ts';
import { compactTrace, shortTrace, type Trace } from './predict/compact-trace.ts';
import { readTrace } from './read-trace.ts';
import { type MachineOptions, type Placed, placeOn, readTarget, type Target } from './target.ts';

/** A trace, a machine, and the net built from the two. */
export interface TraceNet {
  readonly trace: Trace;
  readonly operations: Operations;
  readonly encoder: TraceEncoder;
  readonly target: Target;
  readonly placed: Placed;
  readonly machine: MessagePassingMachine;
  readonly net: Net;
}

/**
 * Reads a trace and a machine and builds their net. The caller closes the trace.
 *
 * @param compact load all positions into memory without gaps between ranks, for writing the net to a file
 * @throws InputError TI001, APP009 for inputs that are certainly not traces, before the machine is read
 */
export function traceNet(path: string, options: MachineOptions, compact = false): TraceNet {
  assertTraceInput(path);
  const target = readTarget(options);
  const { trace: read, encoder } = readTrace(path, target.collectives, options);
  try {
    const trace = compact ? compactTrace(read) : shortTrace(read);
    const placed = placeOn(target, options, trace.ranks);
    const operations = encoder.operations(trace.named);
    const machine = mapNetwork(target, placed.placement, operations.pairs);
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
    return { trace, operations, encoder, target, placed, machine, net };
  } catch (e) {
    read.close();
    throw e;
  }
}
