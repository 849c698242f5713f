import { amount, required, usually } from '../../base/form.ts';
import type { Size, Time } from '../../base/units.ts';
import type { Measure } from '../change.ts';
import type { Transport } from '../platform.ts';
import { crossbar } from './crossbar.ts';
import type { Misfit, Topology } from './topology.ts';

/** Parameters of LogGOPS in SI units: seconds, seconds per byte, bytes. The members of the topology say what each one is. */
export type LogGopsNetwork = { readonly [name in 'L' | 'o' | 'g' | 'G' | 'O' | 'S']: number };

/** As {@link LogGopsNetwork}, with quantities as numbers or strings with units. */
export interface GivenLogGops {
  readonly L: Time;
  readonly o: Time;
  readonly g: Time;
  readonly G: Time;
  /** Default 0. */
  readonly O?: Time;
  /** Default 65535. */
  readonly S?: Size;
}

/** The cable of a node of a machine that gives none: latency 0, and the bandwidth of an ideal network. */
export const NO_LINK: Transport = { latency: 0, bandwidth: 1e30 };

const TIMES = ['L', 'o', 'g', 'G', 'O'] as const;
/** Parameters per byte, in s/B. */
const PER_BYTE: ReadonlySet<string> = new Set(['G', 'O']);
/** Seconds, or seconds per byte: larger values are nanoseconds whose unit is missing. */
const MAX_SECONDS = 1;

const time = (meaning: string, example: string) =>
  required(amount('time', 'zero', `${meaning}: seconds, or with a unit, "${example}".`), example);

/**
 * No links: each rank has an interface, and messages take the times of LogGOPS (Hoefler, Schneider & Lumsdaine, LSAP 2010).
 * Nodes have cables as in a crossbar for commands that draw a machine; no message is mapped onto them.
 */
export const loggops: Topology<
  LogGopsNetwork,
  Partial<LogGopsNetwork> & Omit<LogGopsNetwork, 'O' | 'S'>,
  GivenLogGops
> = {
  ...crossbar,
  what: 'a LogGOPS network',
  members: {
    L: time('Latency', '2500ns'),
    o: time('Overhead of a core per message', '1500ns'),
    g: time('Gap of an interface between messages', '1us'),
    G: time('Gap of an interface per byte, s/B', '6ns'),
    O: usually(0, amount('time', 'zero', 'Overhead of a core per byte, s/B; default 0.')),
    S: usually(
      65_535,
      amount('size', 'zero', 'Largest message whose send does not wait for its receive; default 65535.'),
    ),
  },
  example: () => undefined,
  misfit: (network) => tooLong(network),
};

/** A time of a second or more: that of a number in nanoseconds without its unit. */
function tooLong(network: LogGopsNetwork): Misfit | undefined {
  const member = TIMES.find((name) => network[name] >= MAX_SECONDS);
  if (member === undefined) return undefined;
  const value = network[member];
  const [unit, meant] = PER_BYTE.has(member) ? ['s/B', ' per byte'] : ['s', ''];
  return {
    message: `${member} is ${value} ${unit}: expected less than ${MAX_SECONDS} s${meant}; numbers are in seconds, so nanoseconds need their unit, as in ${member}: ${value}ns`,
    member,
  };
}

/** The unit of a parameter of the network. */
export const logGopsMeasure = (name: string): Measure =>
  name === 'S' ? { dimension: 'size', unit: 'B' } : { dimension: 'time', unit: PER_BYTE.has(name) ? 's/B' : 's' };

/** The parameters in nanoseconds, rounded to 10⁻⁶ ns so that `2500ns` is 2500, not 2500.0000000000005. */
export function inNanoseconds(network: LogGopsNetwork): LogGopsNetwork {
  const nanoseconds = (seconds: number): number => Math.round(seconds * 1e15) / 1e6;
  const { L, o, g, G, O, S } = network;
  return {
    L: nanoseconds(L),
    o: nanoseconds(o),
    g: nanoseconds(g),
    G: nanoseconds(G),
    O: nanoseconds(O),
    S: Math.floor(S),
  };
}
