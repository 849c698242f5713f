import { fail } from '../../base/problem.ts';
import type { Expression } from '../../net/expression.ts';
import type { Delay, InputArc, Net, Service, Transition } from '../../net/net.ts';
import { clocksOf, countsIn } from '../../net/race-timing.ts';
import { meanDelay } from '../../net/scaled-delay.ts';
import { unfoldWithOrigins } from '../../net/unfold/unfold.ts';
import { isUntimed } from '../../net/untimed.ts';
import { assertValid } from '../../net/validation/validate.ts';
import type { Weighted } from '../petri/petri.ts';

/** A net without colours, with the arcs of its transitions as numbers. */
export interface TimedNet {
  /** The unfolded net. */
  readonly net: Net;
  readonly places: readonly TimedPlace[];
  readonly transitions: readonly TimedTransition[];
}

export interface TimedPlace {
  readonly name: string;
  /** Index in the given net; -1 for a place that only counts tokens of others. */
  readonly origin: number;
  readonly initial: number;
  readonly capacity: number | undefined;
  readonly service: Service | undefined;
}

/** Arcs are summed by place; of several arcs that read, inhibit or reset, the one that decides counts. */
export interface TimedTransition {
  readonly name: string;
  /** Index in the given net. */
  readonly origin: number;
  readonly takes: readonly Weighted[];
  readonly reads: readonly Weighted[];
  readonly inhibits: readonly Weighted[];
  readonly resets: readonly number[];
  readonly puts: readonly Weighted[];
  readonly delay: Delay | undefined;
  /** True for a race: tokens stay in their places during the delay. */
  readonly isRace: boolean;
  /** Servers of a race; Infinity if it has as many clocks as its tokens allow, and for other timing. */
  readonly servers: number;
  readonly priority: number;
  /** Undefined if none is declared. */
  readonly weight: number | undefined;
}

/**
 * The net without colours. O(size of the unfolded net).
 *
 * @throws InputError NET… if it is not valid, UNF001 … UNF010 if it cannot be unfolded with its timing; BND001 if its delays are only assumed, BND005
 */
export function timedNet(given: Net): TimedNet {
  assertValid(given);
  if (isUntimed(given))
    fail('BND001', 'the net has no delays: give its transitions delays to ask for its speed', {
      part: `net ${given.name}`,
    });
  for (const t of given.transitions) assertPlainTiming(t);
  const { net, places, transitions } = unfoldWithOrigins(given);
  const number = new Map(net.places.map((p, k) => [p.name, k]));
  return {
    net,
    places: net.places.map(({ name, initial, capacity, service }, k) => ({
      name,
      origin: places[k]!,
      initial: initial.reduce((sum, { count }) => sum + count, 0),
      capacity,
      service,
    })),
    transitions: net.transitions.map((t, k) => timedTransition(t, transitions[k]!, number)),
  };
}

/** Maximum number of clocks of a race; a race without input has one (S9a). */
export const mostClocks = ({ servers, takes }: TimedTransition): number => (takes.length === 0 ? 1 : servers);

/** @throws InputError BND005 for speeds, age memory, and weights that count tokens: bounds do not cover them */
function assertPlainTiming(t: Transition): void {
  const refuse = (what: string): never =>
    fail('BND005', `has ${what}: bounds cover clocks of constant speed without memory. Ask for another method`, {
      part: `transition ${t.name}`,
    });
  if (t.speed !== undefined) refuse('a speed that counts tokens');
  if (t.timing === 'race' && (t.memory ?? 'enabling') !== 'enabling') refuse(`${t.memory} memory`);
  if (countsIn(t, t.weight).length > 0) refuse('a weight that counts tokens');
}

function timedTransition(t: Transition, origin: number, number: ReadonlyMap<string, number>): TimedTransition {
  const listed = (kind: InputArc['kind'], joined: (a: number, b: number) => number): Weighted[] => {
    const counts = new Map<number, number>();
    for (const arc of t.inputs) {
      if (arc.kind !== kind) continue;
      const place = number.get(arc.place)!;
      const before = counts.get(place);
      counts.set(place, before === undefined ? arc.count : joined(before, arc.count));
    }
    return [...counts];
  };
  const puts = new Map<number, number>();
  for (const { place, count } of t.outputs) {
    const tokens = constantOf(count)!;
    if (tokens > 0) puts.set(number.get(place)!, (puts.get(number.get(place)!) ?? 0) + tokens);
  }
  return {
    name: t.name,
    origin,
    takes: listed('take', (a, b) => a + b),
    reads: listed('read', Math.max),
    inhibits: listed('inhibit', Math.min),
    resets: listed('reset', Math.max).map(([p]) => p),
    puts: [...puts],
    delay: t.delay,
    isRace: t.timing === 'race' && t.delay !== undefined,
    servers: t.timing === 'race' ? clocksOf(t) : Number.POSITIVE_INFINITY,
    priority: t.priority ?? 0,
    weight: t.weight === undefined ? undefined : constantOf(t.weight),
  };
}

/** The value of a constant expression. */
export const constantOf = (e: Expression): number | undefined => (e.op === 'const' ? e.value : undefined);

/** Seconds of a constant delay; 0 without a delay; undefined for any other one. */
export function constantDelay(delay: Delay | undefined): number | undefined {
  if (delay === undefined) return 0;
  return 'op' in delay ? constantOf(delay) : undefined;
}

/** Words for a delay that is not constant. */
export function kindOfDelay(delay: Delay): string {
  return 'dist' in delay ? `the distribution "${delay.dist}"` : 'a delay that depends on the marking';
}

/**
 * The mean s of a delay, as a factor that keeps rows of linear programs exact: s · x ≤ y is `low` · x ≤ `rate` · y, and s · x ≥ y is
 * `high` · x ≥ `rate` · y.
 */
export interface DelayTime {
  readonly low: number;
  readonly high: number;
  readonly rate: number;
  /** The remaining time of a clock does not depend on its age. */
  readonly isMemoryless: boolean;
  readonly isConstant: boolean;
}

/** Relative error that the computed mean of a distribution may have. */
const ERROR = 1e-9;

/** Undefined if the mean is not known, or not finite. */
export function timeOfDelay(delay: Delay): DelayTime | undefined {
  const constant = constantDelay(delay);
  if (constant !== undefined) return { low: constant, high: constant, rate: 1, isMemoryless: false, isConstant: true };
  if (!('dist' in delay)) return undefined;
  if (delay.dist === 'exponential') {
    if (delay.rate.op !== 'const') return undefined;
    return { low: 1, high: 1, rate: delay.rate.value, isMemoryless: true, isConstant: false };
  }
  const mean = meanDelay(delay);
  if (mean === undefined || !(mean < Number.POSITIVE_INFINITY)) return undefined;
  return { low: mean * (1 - ERROR), high: mean * (1 + ERROR), rate: 1, isMemoryless: false, isConstant: false };
}
