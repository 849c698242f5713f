import { quote } from '../base/problem.ts';
import type { Net, Transition } from './net.ts';

/** Seconds of the assumed delay of an untimed net. */
const ASSUMED = 1;

/** The delay that every transition of an untimed net with a source gets. All are equal, so none has precedence. */
const ASSUMED_DELAY = { delay: { op: 'const', value: ASSUMED }, timing: 'race' } as const;

/**
 * The net with an equal assumed delay at every transition if one of them takes no token: it would fire indefinitely at
 * one instant. The untimed behaviour is unchanged. Drawings and files omit the assumed delays. O(transitions).
 */
export function withAssumedDelays(net: Net): Net {
  if (!net.transitions.some(takesNothing)) return net;
  return { ...net, untimed: true, transitions: net.transitions.map((t) => ({ ...t, ...ASSUMED_DELAY })) };
}

/** The net without `untimed` if a caller has changed its delays since. O(transitions). */
export function withValidMark(net: Net): Net {
  if (net.untimed === undefined || isUntimed(net)) return net;
  const { untimed: _, ...timed } = net;
  return timed;
}

/** True if all delays of the net are assumed. */
export function isUntimed(net: Net): boolean {
  return net.untimed === true && net.transitions.every(isAssumedDelay);
}

/** The net as its author wrote it: without assumed delays. O(transitions). */
export function withoutAssumedDelays(net: Net): Net {
  if (!isUntimed(net)) return net;
  const { untimed: _, ...timed } = net;
  return { ...timed, transitions: net.transitions.map(({ delay: _, timing: __, ...t }) => t) };
}

/** True if nets have no delays but assumed ones, and at least one has these. O(transitions). */
export function areUntimed(nets: readonly Net[]): boolean {
  const isUndelayed = ({ delay, timing }: Transition): boolean => delay === undefined && timing === undefined;
  return nets.some(isUntimed) && nets.every((net) => isUntimed(net) || net.transitions.every(isUndelayed));
}

/** The reason for the assumed delays, as a sentence; undefined if no delays are assumed. */
export function assumedDelays(net: Net): string | undefined {
  if (!isUntimed(net)) return undefined;
  const source = net.transitions.find(takesNothing);
  const why =
    source === undefined
      ? 'the net is untimed'
      : `transition ${quote(source.name)} takes no token and would fire indefinitely at one instant`;
  return `${why}: all transitions get a delay of ${ASSUMED} s`;
}

function isAssumedDelay({ delay, timing }: Transition): boolean {
  return timing === 'race' && delay !== undefined && 'op' in delay && delay.op === 'const' && delay.value === ASSUMED;
}

const takesNothing = (t: Transition): boolean => !t.inputs.some((a) => a.kind === 'take');
