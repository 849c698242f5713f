import { type CompiledNet, type CompileOptions, compile, type MarkedToken, type NetRun } from '../../engine/compile.ts';
import type { Net } from '../../net/net.ts';
import type { RewardExpression } from '../reward.ts';
import { MeasuredRewards } from './measured-reward.ts';
import { Windows } from './windows.ts';

/** Steps of the pilot run that finds the time scale of a net. */
const PILOT = 1 << 14;
/** Windows that the time of the pilot run is cut into. */
const PILOT_WINDOWS = 512;
/** Steps between two questions whether to stop. */
const SLICE = 1 << 18;
/** Rounding error of a mean, relative to the level, from above. */
const ROUNDING = 1e-12;
/** From this many steps on the engine makes faster code. */
const MANY = 1e7;

/** Numbers of the series of a net: tokens by place, throughput and enabled share by transition, rewards. */
export interface SeriesNumbers {
  readonly place: (k: number) => number;
  readonly throughput: (k: number) => number;
  readonly enabled: (k: number) => number;
  readonly reward: (k: number) => number;
  readonly all: readonly number[];
}

/** Measures figures of a run that the compiled code does not integrate. */
export interface Gauges {
  /** A run begins. */
  begin(): void;
  /** Integrals of the figures over a run up to this time, by name; 0 where absent. */
  integrals(time: number, run: Pick<NetRun, 'carried'>): ReadonlyMap<string, number>;
}

/** Maximum number of gauges that get a series in a run: those that are found first. */
const MAX_GAUGES = 1 << 11;

/** A net that is compiled once for many measured runs. */
export class MeasuredNet {
  readonly net: Net;
  readonly numbers: SeriesNumbers;
  readonly compiled: CompiledNet;
  readonly rewards: MeasuredRewards;

  /**
   * @param once true for one long run: the engine reserves much memory for each, which pays for few
   * @param observed observers of all its runs
   * @throws InputError for an invalid net; STAT002
   */
  constructor(net: Net, rewards: readonly RewardExpression[], once = false, observed: CompileOptions = {}) {
    this.net = net;
    this.rewards = new MeasuredRewards(net, rewards);
    this.compiled = compile(net, { ...observed, measures: this.rewards.measures, steps: once ? MANY : 0 });
    const [places, transitions] = [net.places.length, net.transitions.length];
    this.numbers = {
      place: (k) => k,
      throughput: (k) => places + k,
      enabled: (k) => places + transitions + k,
      reward: (k) => places + 2 * transitions + k,
      all: Array.from({ length: places + 2 * transitions + rewards.length }, (_, k) => k),
    };
  }
}

/** Seed and replication of a run. */
export interface Randomness {
  readonly seed: string;
  readonly replication: number;
}

/** One long run of a net, seen through windows of equal time. */
export class MeasuredRun {
  readonly windows: Windows;
  /** Firings so far. */
  firings = 0;
  readonly #run: NetRun;
  readonly #measured: MeasuredNet;
  /** Position in the run's firings by transition of the net. */
  readonly #order: readonly number[];
  readonly #fired: Float64Array;
  readonly #gauges: Gauges | undefined;
  /** By name of a gauge: its series, and its integral at the end of the last window. */
  readonly #gauged = new Map<string, { readonly series: number; integral: number }>();

  /**
   * @param width of the first windows in seconds; by default, that of a few dozen steps
   * @throws InputError RUN… if the run fails
   */
  constructor(measured: MeasuredNet, { seed, replication }: Randomness, width?: number, gauges?: Gauges) {
    this.#measured = measured;
    this.#gauges = gauges;
    const { compiled, net, numbers } = measured;
    const position = new Map(compiled.transitions.map((name, k) => [name, k]));
    this.#order = net.transitions.map((t) => position.get(t.name)!);
    this.#fired = new Float64Array(net.transitions.length);
    this.windows = new Windows(numbers.all.length, width ?? timeScale(compiled, { seed, replication }));
    gauges?.begin();
    this.#run = compiled.start({ seed, replication });
  }

  /** The series of each gauge, by name. */
  get gauged(): ReadonlyMap<string, Float64Array> {
    return new Map([...this.#gauged].map(([name, { series }]) => [name, this.windows.of(series)]));
  }

  /** The gauges in the marking of now, were it never left. */
  get gaugesNow(): ReadonlyMap<string, number> {
    const [before = new Map<string, number>(), after] = [0, 1].map((s) =>
      this.#gauges?.integrals(this.time + s, this.#run),
    );
    return new Map([...(after ?? [])].map(([name, integral]) => [name, integral - (before.get(name) ?? 0)]));
  }

  /** Simulated seconds so far. */
  get time(): number {
    return this.#run.now;
  }

  /** True if no event is left: the marking never changes again. */
  get isDead(): boolean {
    return this.#run.quiescent;
  }

  /**
   * Simulates the next window. False if `stop` ended it early, or if the net is dead: then it is not added.
   *
   * @throws InputError RUN… if the run fails
   */
  advance(stop: () => boolean): boolean {
    const { windows } = this;
    if (windows.isFull) windows.merge();
    const end = (windows.count + 1) * windows.width;
    while (this.#run.run(SLICE, end)) if (stop()) return false;
    if (this.isDead) return false;
    const { tokens, enabled, values, seconds } = this.#run.integrals();
    const [places, transitions] = [tokens.length, enabled.length];
    const { sources } = this.#measured.rewards;
    const fired = this.#firedSince();
    windows.add((k) => {
      if (k < places) return snapped(tokens[k]! / seconds);
      if (k < places + transitions) return fired[k - places]! / seconds;
      if (k < places + 2 * transitions) return snapped(enabled[k - places - transitions]! / seconds);
      const source = sources[k - places - 2 * transitions]!;
      if ('value' in source) return snapped(values[source.value]! / seconds);
      return source.transitions.reduce((sum, t) => sum + fired[t]!, 0) / seconds;
    });
    this.#gauge(end, seconds);
    return true;
  }

  /** Adds the gauges to the window that ends now. */
  #gauge(end: number, seconds: number): void {
    for (const [name, integral] of this.#gauges?.integrals(end, this.#run) ?? []) {
      let known = this.#gauged.get(name);
      if (known === undefined) {
        if (this.#gauged.size === MAX_GAUGES) continue;
        known = { series: this.windows.addSeries(), integral: 0 };
        this.#gauged.set(name, known);
      }
      this.windows.set(known.series, snapped((integral - known.integral) / seconds));
      known.integral = integral;
    }
  }

  /** Firings of each transition since the last call. */
  #firedSince(): readonly number[] {
    const { firings } = this.#run;
    const since = this.#order.map((at, k) => firings[at]! - this.#fired[k]!);
    for (const [k, count] of since.entries()) {
      this.#fired[k]! += count;
      this.firings += count;
    }
    return since;
  }

  /** The tokens of a place now. O(tokens). */
  tokens(place: string): readonly MarkedToken[] {
    return this.#run.tokens(place);
  }
}

/** The integral of a level over some seconds, without the rounding errors that a level without a change would have. */
export function snappedIntegral(integral: number, seconds: number): number {
  return seconds > 0 ? snapped(integral / seconds) * seconds : integral;
}

/** Integrals are sums with rounding errors: the mean of a level that did not change in a window is that level. */
function snapped(mean: number): number {
  const level = Math.round(mean);
  return Math.abs(mean - level) <= ROUNDING * Math.max(1, Math.abs(level)) ? level : mean;
}

/** A window's length in seconds: a pilot run finds how much time its steps take. */
function timeScale(compiled: CompiledNet, randomness: Randomness): number {
  const run = compiled.start(randomness);
  let more = run.run(PILOT);
  // Many steps may happen at one instant; a net in which no time passes fails with RUN001.
  while (more && run.now === 0) more = run.run(PILOT);
  return run.now > 0 ? run.now / PILOT_WINDOWS : 1;
}
