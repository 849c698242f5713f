import { given } from '../../base/given.ts';
import { InputError } from '../../base/problem.ts';
import { mapNetwork } from '../../machine/map-machine.ts';
import { networkModelNames } from '../../machine/network-model.ts';
import { type CollectiveChoice, needsNodes } from '../../models/collectives/choice.ts';
import type { NodesOfCall } from '../../models/collectives/expand.ts';
import { nodesOf, sameNodes } from '../../models/collectives/nodes.ts';
import { messagePassingNet } from '../../models/message-passing.ts';
import type { MessagePassingMachine } from '../../models/message-passing-parts.ts';
import type { Operations } from '../../models/operations.ts';
import { TraceEncoder } from '../../models/trace-encoder.ts';
import type { Net } from '../../net/net.ts';
import { readScaledTrace } from '../../trace/scale/read-scaled.ts';
import type { TraceFiles } from '../../trace/ti/input/listing.ts';
import { readTiTrace, type TiTrace } from '../../trace/ti/read.ts';
import type { BlockedRank } from '../inputs/document-parts.ts';
import { assertTraceInput } from '../inputs/input-kinds.ts';
import { type MachineOptions, type Placed, placeOn, readTarget, type Target } from '../inputs/target.ts';
import { compactTrace, shortTrace, type Trace } from './compact-trace.ts';
import { type CountedTraces, countedTraces } from './jobs/counted-traces.ts';
import { hasJobs, type JobInput, type JobsOptions, jobsOf } from './jobs/jobs.ts';
import { type Job, type JointJob, jointTrace } from './jobs/joint-trace.ts';
import { placeJobs } from './jobs/place-jobs.ts';

/** A trace and the encoder that numbered its actions. */
export interface ReadTrace {
  readonly trace: TiTrace;
  readonly encoder: TraceEncoder;
}

/**
 * Reads a time-independent trace for replay. The caller closes it, and passes the ranks that the replay leaves blocked to
 * {@link assertCutOff}.
 *
 * @param billed whether ranks spend time on messages that arrive
 * @param waitsAtEnd whether a rank waits at its end for its open requests
 * @param placeOf the nodes of ranks, for algorithms of collectives that depend on them
 * @param files the texts of the trace, if they are open already; not for a scaled trace
 * @throws InputError TI026 if `derivedTypeBytes` is malformed, and all problems of the trace
 */
export function readTrace(
  path: string,
  collectives: CollectiveChoice,
  billed: boolean,
  { scale, ...options }: Pick<MachineOptions, 'ranks' | 'derivedTypeBytes' | 'confine' | 'scale'>,
  waitsAtEnd = true,
  placeOf: (ranks: number) => NodesOfCall = () => ({}),
  files?: TraceFiles,
): ReadTrace {
  let encoder: TraceEncoder | undefined;
  const encoderFor = (count: number): TraceEncoder => {
    encoder = new TraceEncoder(count, collectives, billed, waitsAtEnd, placeOf(count));
    return encoder;
  };
  const reading = {
    replayed: true,
    ...given(options, ['ranks', 'derivedTypeBytes', 'confine']),
    ...given({ files }, ['files']),
  };
  const trace =
    scale === undefined ? readTiTrace(path, encoderFor, reading) : readScaledTrace(path, scale, encoderFor, reading);
  return { trace, encoder: encoder! };
}

/** True if these blocked ranks explain why the trace was cut off: they include all its ranks without `finalize`. */
export function explainsCutOff({ cutOff }: Pick<TiTrace, 'cutOff'>, blocked: readonly BlockedRank[]): boolean {
  if (cutOff === undefined) return true;
  const stuck = new Set(blocked.map(({ rank }) => rank));
  return cutOff.ranks.every((rank) => stuck.has(rank));
}

/**
 * Rejects a trace whose ranks make different collective calls, unless the replay explains it by a deadlock.
 *
 * @param blocked the permanently blocked ranks at the end of the replay
 * @throws InputError TI032
 */
export function assertCutOff(trace: Pick<TiTrace, 'cutOff'>, blocked: readonly BlockedRank[]): void {
  if (!explainsCutOff(trace, blocked)) throw new InputError(trace.cutOff!.problems);
}

/** A trace, and the hosts of its ranks. */
export interface TraceOnHosts {
  readonly trace: Trace;
  readonly operations: Operations;
  /** That of the first job, if there are several. */
  readonly encoder: TraceEncoder;
  readonly target: Target;
  readonly placed: Placed;
}

/** A trace, a machine, and the net built from the two. */
export interface TraceNet extends TraceOnHosts {
  /** Several traces that run at once: the trace and its operations then are those of all. */
  readonly jobs?: readonly JointJob[];
  readonly machine: MessagePassingMachine;
  readonly net: Net;
}

/**
 * Reads a trace and a machine and builds their net. The caller closes the trace.
 *
 * @param compact load all positions into memory without gaps between ranks, for writing the net to a file
 * @throws InputError TI001, APP009 for inputs that are certainly not traces, before the machine is read
 */
export function traceNet(path: string, options: MachineOptions & JobsOptions, compact = false): TraceNet {
  if (hasJobs(options)) return jobsNet(path, options);
  return ofOneTrace(path, options, compact, true, (read, target) => mapped(read, target, options));
}

/** As {@link traceNet}, without its net: no message crosses the network of the machine. */
export function traceOnHosts(path: string, options: MachineOptions): TraceOnHosts {
  return ofOneTrace(path, options, false, false, (read, target) => {
    const placed = placeOn(target, options, read.trace.ranks);
    return { ...read, target, placed };
  });
}

/**
 * Reads a trace and makes something of it; closes the trace if that fails.
 *
 * @param networked whether messages cross the network of the machine, so that its model may set up nodes
 */
function ofOneTrace<T>(
  path: string,
  options: MachineOptions,
  compact: boolean,
  networked: boolean,
  make: (read: Pick<TraceNet, 'trace' | 'encoder' | 'operations'>, target: Target) => T,
): T {
  assertTraceInput(path);
  const target = readTarget(options);
  const placeOf = (ranks: number): NodesOfCall => nodesIn(target, options, ranks, networked);
  const { trace: read, encoder } = readTrace(path, target.collectives, isBilled(target), options, true, placeOf);
  try {
    const trace = compact ? compactTrace(read) : shortTrace(read);
    return make({ trace, encoder, operations: encoder.operations(trace.named) }, target);
  } catch (e) {
    read.close();
    throw e;
  }
}

/** As {@link traceNet}, for several traces at once. */
function jobsNet(path: string, options: MachineOptions & JobsOptions): TraceNet {
  const inputs = jobsOf(path, options);
  for (const input of inputs) assertTraceInput(input.path);
  const target = readTarget(options);
  const jobs: Job[] = [];
  const { files, places, close } = nodesOfJobs(inputs, target, options);
  try {
    let first = 0;
    for (const [k, input] of inputs.entries()) {
      const placeOf = (): NodesOfCall => places?.[k] ?? {};
      const { trace, encoder } = readTrace(
        input.path,
        target.collectives,
        isBilled(target),
        options,
        true,
        placeOf,
        files?.[k],
      );
      jobs.push({ ...input, trace, encoder, first });
      first += trace.ranks;
    }
    return mapped({ ...jointTrace(jobs), encoder: jobs[0]!.encoder }, target, options);
  } catch (e) {
    for (const { trace } of jobs) trace.close();
    throw e;
  } finally {
    close?.();
  }
}

/** The texts of jobs and the nodes of their ranks, if their collectives depend on them. */
function nodesOfJobs(
  inputs: readonly JobInput[],
  target: Target,
  options: MachineOptions & JobsOptions,
): Partial<CountedTraces> & { readonly places?: readonly NodesOfCall[] } {
  if (!needsNodes(target.collectives)) return {};
  const counted = countedTraces(
    inputs.map(({ path }) => path),
    options.confine === true,
  );
  const { ranks, close } = counted;
  // A trace without ranks is refused when it is read.
  if (ranks.includes(0)) return counted;
  try {
    const jobs = inputs.map((input, k) => ({ name: input.name, ranks: ranks[k]!, ...given(input, ['hostfile']) }));
    const { placement } = placeJobs(target, options, jobs);
    let first = 0;
    const places = ranks.map((count) => {
      const own = placement.subarray(first, first + count);
      first += count;
      return placeOfCalls(own, setsUpNodes(target));
    });
    return { ...counted, places };
  } catch (error) {
    close();
    throw error;
  }
}

/**
 * A trace that is open already on another machine, with the same ranks; undefined if its actions take other steps there,
 * which are expanded while a trace is read.
 *
 * @throws InputError all problems of the machine
 */
export function traceOn(built: TraceNet, options: MachineOptions): TraceNet | undefined {
  const target = readTarget(options);
  const { ranks } = built.trace;
  const { nodes, ready } = built.encoder.place;
  const other = nodesIn(target, options, ranks, true);
  const same =
    target.collectives.text === built.target.collectives.text &&
    isBilled(target) === isBilled(built.target) &&
    sameNodes(other.nodes, nodes) &&
    (other.ready === undefined) === (ready === undefined);
  return same ? mapped(built, target, options) : undefined;
}

/**
 * The nodes of the ranks of a single trace, if its collectives depend on them.
 */
function nodesIn(target: Target, options: MachineOptions, ranks: number, networked: boolean): NodesOfCall {
  if (!needsNodes(target.collectives)) return {};
  return placeOfCalls(placeOn(target, options, ranks).placement, networked && setsUpNodes(target));
}

/** True if the first call that needs communicators of nodes sets them up: under the network models of SimGrid. */
const setsUpNodes = ({ model }: Target): boolean => (networkModelNames as readonly string[]).includes(model.name);

const placeOfCalls = (placement: Int32Array, setsUp: boolean): NodesOfCall => ({
  nodes: nodesOf(placement),
  ...(setsUp ? { ready: new Uint8Array(placement.length) } : {}),
});

/** True if ranks spend time on messages that arrive. */
const isBilled = ({ model }: Target): boolean => model.receiveCost !== undefined;

function mapped(
  read: Pick<TraceNet, 'trace' | 'encoder' | 'operations' | 'jobs'>,
  target: Target,
  options: MachineOptions,
): TraceNet {
  const { trace, encoder, operations, jobs } = read;
  const placed =
    jobs === undefined
      ? placeOn(target, options, trace.ranks)
      : placeJobs(
          target,
          options,
          jobs.map((job) => ({ name: job.name, ranks: job.trace.ranks, ...given(job, ['hostfile']) })),
        );
  const machine = mapNetwork(target, placed.placement, operations.pairs);
  const { start, code, amount, ranks } = trace;
  const net = messagePassingNet({ name: 'trace', ranks, start, operations, code, amount }, machine);
  return { trace, operations, encoder, target, placed, machine, net, ...(jobs === undefined ? {} : { jobs }) };
}
