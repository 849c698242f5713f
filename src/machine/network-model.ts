import { didYouMean, fail, type Place, quote } from '../base/problem.ts';

/** A piecewise-constant function of a message's wire bytes. */
export interface Steps {
  /** Ascending; `values[i]` holds for wire bytes above `above[i]` (strictly) up to and including `above[i + 1]`. */
  readonly above: readonly number[];
  readonly values: readonly number[];
}

/**
 * Seconds by the bytes of a message, linear in each piece: `seconds[i] + perByte[i] × bytes` above `above[i]` (strictly) up to
 * and including `above[i + 1]`. The first piece also holds up to `above[0]`.
 */
export interface CallCost {
  readonly above: readonly number[];
  readonly seconds: readonly number[];
  readonly perByte: readonly number[];
}

/** A call that takes no time. */
export const FREE_CALL: CallCost = { above: [-1], seconds: [0], perByte: [0] };

/**
 * Cost model of messages as plain data: one of SimGrid 3.32's configurations, or our own: `foretoken`, and `fcfs`, the same
 * with links that serve messages in the order of arrival.
 *
 * A message of `bytes` puts `wire = bytes + envelope` on its route. It waits for `latency × valueAt(latencyFactor,
 * wire)` and then shares bandwidth (see `transferCost`) until it has moved `wire / valueAt(bandwidthFactor, wire)`.
 *
 * Sources: SimGrid 3.32, models CM02 and SMPI, checked against the installed program; Clauss et al., IPDPS 2011.
 */
export interface NetworkModel {
  readonly name: NetworkModelName | OwnModelName;
  /** Bytes of every message in addition to its payload. */
  readonly envelope: number;
  /** A blocking send of fewer payload bytes returns at once. */
  readonly detachedBelow: number;
  /** Eager threshold: messages of fewer payload bytes start to travel at the send, whether or not the receive is posted. */
  readonly eagerBelow: number;
  /** Factor on the latency of the route, by wire bytes. */
  readonly latencyFactor: Steps;
  /** Factor on the bandwidth, by wire bytes. */
  readonly bandwidthFactor: Steps;
  /**
   * TCP window in bytes, or Infinity. The rate of a flow is at most `window / (2 × route latency)`; `latencyFactor`
   * does not apply here.
   */
  readonly window: number;
  /** Flows share links in proportion to 1 / penalty, or equally, or each occupies them alone, in the order of arrival. */
  readonly shares: 'by-penalty' | 'equal' | 'in-order';
  /** Bytes. The sharing penalty of a flow is the latency of its route plus the sum of `weightS / bandwidth` over its links. */
  readonly weightS: number;
  /** Fraction of a flow's rate that it also uses on each link of the return route (acknowledgements). */
  readonly crossTraffic: number;
  /**
   * Seconds. Every `test` of an outstanding request sleeps `n × testSleep` before it looks; n is 1 + the number of
   * failed tests since the last successful one, counted over all ranks together.
   */
  readonly testSleep: number;
  /**
   * Time of the sender in a send that does not wait for its receiver (small, buffered or synchronous), before its message
   * starts. Default: none, as of the two below.
   */
  readonly sendCost?: CallCost;
  /** The same of every non-blocking send. */
  readonly isendCost?: CallCost;
  /** Time of the receiver after a message whose sender did not wait. */
  readonly receiveCost?: CallCost;
  /** `lazy`: a change solves only some links again, as SimGrid does by default. Default: all that are connected with it. */
  readonly solver?: 'lazy';
}

const OWN = 'foretoken';
/** Network model of machines of our own whose links serve messages first come, first served. */
export const FCFS = 'fcfs';
type OwnModelName = typeof OWN | typeof FCFS;
const MODEL_NAMES = ['simgrid-plain', 'simgrid-eager', 'simgrid-rendezvous', 'simgrid-smpi'] as const;
export type NetworkModelName = (typeof MODEL_NAMES)[number];
/** Names of the network models that {@link networkModel} accepts for any machine. */
export const networkModelNames: readonly NetworkModelName[] = MODEL_NAMES;

/** True for the network models of machines of our own. */
export const isOwnModel = (name: NetworkModel['name']): name is OwnModelName => name === OWN || name === FCFS;

const ONE: Steps = { above: [0], values: [1] };
const plain: NetworkModel = {
  name: 'simgrid-plain',
  envelope: 16,
  detachedBelow: 65536,
  eagerBelow: 0,
  latencyFactor: ONE,
  bandwidthFactor: ONE,
  window: Number.POSITIVE_INFINITY,
  shares: 'by-penalty',
  weightS: 0,
  crossTraffic: 0,
  testSleep: 0,
};
const smpiThresholds = [0, 257, 732, 1426, 3484, 5776, 9376, 15424, 65472];
const models: Readonly<Record<NetworkModelName, NetworkModel>> = {
  'simgrid-plain': plain,
  'simgrid-eager': { ...plain, name: 'simgrid-eager', eagerBelow: 65536 },
  'simgrid-rendezvous': { ...plain, name: 'simgrid-rendezvous', detachedBelow: 0 },
  'simgrid-smpi': {
    ...plain,
    name: 'simgrid-smpi',
    latencyFactor: {
      above: smpiThresholds,
      values: [2.01467, 1.95341, 1.9503, 1.61075, 1.88101, 2.18796, 2.59299, 3.48845, 11.6436],
    },
    bandwidthFactor: {
      above: smpiThresholds,
      values: [0.812084, 0.338112, 0.341987, 0.608902, 0.77493, 1.08739, 0.58729, 0.697866, 0.940694],
    },
    window: 4194304,
    weightS: 8775,
    crossTraffic: 0.05,
    testSleep: 1e-4,
  },
};

/**
 * The network model of this name. `foretoken` and `fcfs` need the thresholds of a foretoken machine.
 *
 * @param place place of the platform's description, for problems
 * @throws InputError PLAT030 for an unknown name, with the nearest known one, and for our own models without a machine
 */
export function networkModel(name: string, machine?: Thresholds, place?: Place): NetworkModel {
  if (Object.hasOwn(models, name)) return models[name as NetworkModelName];
  if (name !== OWN && name !== FCFS)
    return fail('PLAT030', `unknown network model ${quote(name)}.${didYouMean(name, [OWN, FCFS, ...MODEL_NAMES])}`);
  if (machine !== undefined) return ownModel(machine, name);
  const message = `network model ${name} takes its thresholds from a machine file; a SimGrid platform has none.`;
  return fail('PLAT030', `${message} Known: ${MODEL_NAMES.join(', ')}.`, place);
}

/** Thresholds of the protocol, in bytes. */
export interface Thresholds {
  readonly eagerBelow: number;
  readonly detachedBelow: number;
}

/** foretoken's own models: no envelope, unmodified link latencies and bandwidths, equal sharing of links or queues. */
export function ownModel({ eagerBelow, detachedBelow }: Thresholds, name: OwnModelName = OWN): NetworkModel {
  const shares = name === FCFS ? 'in-order' : 'equal';
  return { ...plain, name, envelope: 0, eagerBelow, detachedBelow, shares };
}

/**
 * The value for this number of wire bytes: that of the largest threshold strictly below it; 1 below all thresholds.
 * O(thresholds).
 */
export function valueAt(steps: Steps, wire: number): number {
  const { above, values } = steps;
  for (let i = above.length - 1; i >= 0; i--) if (wire > above[i]!) return values[i]!;
  return 1;
}
