import { assertOptions as assertMembers } from '../base/options.ts';
import { didYouMean, fail, shown } from '../base/problem.ts';
import { dataOfSaved, savedBytes } from '../base/saved-bytes.ts';
import { type CompiledNet, compile, type MarkedToken, type NetRun, type SavedNetRun } from '../engine/compile.ts';
import type { Net } from '../net/net.ts';
import { assertValid } from '../net/validation/validate.ts';
import type { LoggedEvent } from './event-log.ts';
import type { AllFigures, MonitorSpecs } from './monitor.ts';
import { type Watch, Watcher, type WatchState } from './watch.ts';

/** Default limit of the steps (starts and ends of firings) of a run. */
export const MAX_STEPS = 1e9;

/** Options of {@link simulate}. */
export interface SimulateOptions<M extends MonitorSpecs = MonitorSpecs> extends Watch<M> {
  /** Seed of all random numbers, default `foretoken`. */
  readonly seed?: string;
  /** Number of the replication, which selects the random streams; default 0. */
  readonly replication?: number;
  /** Time in simulated seconds at which the run ends; everything up to and including that time has happened. */
  readonly until?: number;
  /** Maximum number of steps (starts and ends of firings); default 10⁹. Many nets never come to an end without a limit. */
  readonly maxSteps?: number;
  /** Called after every step; `true` ends the run. Slows the run down. */
  readonly stopWhen?: (run: RunningNet) => boolean;
  /** Steps at one instant after which the run fails with RUN001, default 10⁶. */
  readonly maxInstantSteps?: number;
  /** Resumes a saved run of the same net with the same monitors and recording. */
  readonly from?: SavedNetRun;
  /** A run that is finished with, whose memory is used again: many short runs start faster. See {@link StartOptions.instead}. */
  readonly instead?: NetRun;
  /** Called about every 16 384 steps; `true` ends the run. */
  readonly cancelled?: () => boolean;
  /** Called about every 16 384 steps with the current run. */
  readonly progress?: (run: NetRun) => void;
}

/** The current state of a run, as passed to {@link SimulateOptions.stopWhen}. */
export interface RunningNet {
  /** Simulated seconds. */
  readonly time: number;
  /** Starts and ends of firings so far. */
  readonly steps: number;
  /**
   * The tokens of a place.
   *
   * @throws InputError SIM001 for an unknown place
   */
  tokens(place: string): readonly MarkedToken[];
  /**
   * Number of firings of a transition so far.
   *
   * @throws InputError SIM001 for an unknown transition
   */
  firings(transition: string): number;
}

/**
 * Why a run ended. If several reasons apply, the first in this order is reported: `condition` (`stopWhen`), `steps`, then
 * `quiescent` (no step is possible any more; the time is that of the last event) or `time`, `cancelled`.
 */
export type Ended = 'quiescent' | 'time' | 'steps' | 'condition' | 'cancelled';

/** The result of {@link simulate}. */
export interface SimulatedRun<M extends MonitorSpecs = MonitorSpecs> {
  /** Why the run ended. */
  readonly ended: Ended;
  /** Simulated seconds at the end. */
  readonly time: number;
  /** Starts and ends of firings. */
  readonly steps: number;
  /** Number of firings of each transition. */
  readonly firings: Readonly<Record<string, number>>;
  /** The recorded events, in order. */
  readonly events: readonly LoggedEvent[];
  /** Results of the monitors at the end, by name. */
  readonly monitors: AllFigures<M>;
  /** The run itself, with its current marking. */
  readonly run: NetRun;
  /**
   * Former name of `run`.
   *
   * @deprecated Use `run`.
   */
  readonly game: NetRun;
  /** Saves the run with its monitors and recording; `simulate(net, { from })` resumes it. */
  save(): SavedNetRun;
}

const SLICE = 1 << 14;

/** The data of a saved run; the names of its members are part of the saved bytes. */
interface SavedRun {
  readonly game: SavedNetRun;
  readonly watch: WatchState;
}

/**
 * Runs a net until no step is possible or an option ends the run. A compiled net already has its observers, so monitors and
 * recording require the net itself. Equal nets, seeds and options give byte-identical results.
 *
 * @throws InputError for an invalid net or option (NET…, SIM…), and if the run fails (RUN…).
 */
export function simulate<const M extends MonitorSpecs = MonitorSpecs>(
  net: Net | CompiledNet,
  options: SimulateOptions<M> = {},
): SimulatedRun<M> {
  assertMembers('simulate', options, OPTIONS);
  if (typeof (net as Partial<CompiledNet> | null)?.start !== 'function') return watched(net as Net, options)(options);
  if (Object.keys(options.monitors ?? {}).length > 0 || options.record !== undefined)
    fail('SIM004', 'monitors and recording require the net, got a compiled net, whose observers are fixed', {
      part: 'simulate',
    });
  const compiled = net as CompiledNet;
  return run(compiled, new Watcher(compiled.net, {}), options);
}

/** Expected types of the options of {@link prepare}. */
const WATCH = { record: 'any', monitors: 'an object' } as const;
/** Expected types of the options of {@link simulate}. */
const OPTIONS = {
  ...WATCH,
  seed: 'any',
  replication: 'any',
  until: 'any',
  maxSteps: 'any',
  maxInstantSteps: 'any',
  from: 'any',
  instead: 'any',
  stopWhen: 'a function',
  cancelled: 'a function',
  progress: 'a function',
} as const;

/** A net compiled with its monitors; each call runs it, with its own seed and limits. */
export type PreparedNet<M extends MonitorSpecs = MonitorSpecs> = (
  options: Omit<SimulateOptions, keyof Watch>,
) => SimulatedRun<M>;

/**
 * Compiles a net once for many runs.
 *
 * @throws InputError for an invalid net (NET…), and for places or transitions that it does not have (SIM001, SIM002);
 * SIM010 for unknown options, and if monitors or recording are given to a run
 */
export function prepare<const M extends MonitorSpecs = MonitorSpecs>(net: Net, watch: Watch<M> = {}): PreparedNet<M> {
  assertMembers('prepare', watch, WATCH);
  const start = watched(net, watch);
  return (options) => {
    for (const name of Object.keys(WATCH) as (keyof Watch)[])
      if ((options as Watch | undefined)?.[name] !== undefined)
        fail('SIM010', `${name} is an option of prepare, not of its runs: use prepare(net, { ${name} })`, {
          part: 'simulate',
        });
    return start(options);
  };
}

/** Compiles the net with its observers. */
function watched<M extends MonitorSpecs>(net: Net, watch: Watch<M>): PreparedNet<M> {
  assertValid(net);
  const watcher = new Watcher(net, watch);
  const compiled = compile(net, { observers: watcher.observers, counts: watcher.counts, coloured: watcher.coloured });
  return (options) => run(compiled, watcher, options);
}

function run<M extends MonitorSpecs>(
  compiled: CompiledNet,
  watcher: Watcher,
  options: Omit<SimulateOptions, keyof Watch>,
): SimulatedRun<M> {
  assertOptions(options);
  const { from, instead, maxInstantSteps, seed, replication } = options;
  const saved = from === undefined ? undefined : openRun(from);
  let net: NetRun | undefined;
  const watching = watcher.begin(compiled, () => net?.steps ?? 0, saved?.watch);
  const started = compiled.start({
    ...(maxInstantSteps === undefined ? {} : { maxInstantSteps }),
    ...(seed === undefined ? {} : { seed }),
    ...(replication === undefined ? {} : { replication }),
    ...(saved === undefined ? {} : { from: saved.game }),
    ...(instead === undefined ? {} : { instead }),
  });
  net = started;
  const ended = advance(compiled, started, options);
  return {
    ended,
    time: started.now,
    steps: started.steps,
    firings: Object.fromEntries(Array.from(started.firings, (n, k) => [compiled.transitions[k]!, n])),
    events: watching.events,
    monitors: watching.figures(started.now) as AllFigures<M>,
    run: started,
    game: started,
    save: () => savedBytes({ game: started.save(), watch: watching.state() } satisfies SavedRun),
  };
}

/**
 * Checks the options of a run.
 *
 * @throws InputError SIM003, SIM010
 */
export function assertOptions(options: Omit<SimulateOptions, keyof Watch>): void {
  assertMembers('simulate', options, OPTIONS);
  const { until = 0, maxSteps = 0, maxInstantSteps = 1, replication = 0, seed = '' } = options;
  const refuse = (option: string, expected: string, value: unknown): never =>
    fail('SIM003', `${option}: expected ${expected}, got ${shown(value)}`, { part: 'simulate' });
  const isInteger = (n: number): boolean => Number.isInteger(n) || n === Number.POSITIVE_INFINITY;
  if (!(typeof until === 'number' && until >= 0)) refuse('until', 'seconds >= 0', until);
  if (!(maxSteps >= 0 && isInteger(maxSteps))) refuse('maxSteps', 'an integer >= 0', maxSteps);
  if (!(maxInstantSteps >= 1 && isInteger(maxInstantSteps)))
    refuse('maxInstantSteps', 'an integer >= 1', maxInstantSteps);
  if (!(Number.isSafeInteger(replication) && replication >= 0)) refuse('replication', 'an integer >= 0', replication);
  if (typeof seed !== 'string') refuse('seed', 'a string', seed);
}

function advance(compiled: CompiledNet, net: NetRun, options: Omit<SimulateOptions, keyof Watch>): Ended {
  const { cancelled, progress, stopWhen, until = Number.POSITIVE_INFINITY, maxSteps = MAX_STEPS } = options;
  // A resumed run may already be past `until`; it does not go back in time.
  if (net.now > until) return 'time';
  const numbers = new Map(compiled.transitions.map((t, k) => [t, k]));
  const places = new Set(compiled.net.places.map((p) => p.name));
  const unknown = (what: string, name: string, known: Iterable<string>): never =>
    fail('SIM001', `unknown ${what} ${shown(name)}.${didYouMean(String(name), known)}`, { part: 'stopWhen' });
  const view: RunningNet = {
    get time() {
      return net.now;
    },
    get steps() {
      return net.steps;
    },
    tokens: (place) => (places.has(place) ? net.tokens(place) : unknown('place', place, places)),
    firings: (t) => net.firings[numbers.get(t) ?? unknown('transition', t, numbers.keys())]!,
  };
  const slice = stopWhen === undefined ? SLICE : 1;
  for (let slices = 1; ; slices++) {
    if (net.steps >= maxSteps) return 'steps';
    const before = net.steps;
    const more = net.run(Math.min(slice, maxSteps - before), until + 0);
    if (net.steps > before && stopWhen?.(view) === true) return 'condition';
    if (!more) return net.quiescent ? 'quiescent' : 'time';
    if ((slices * slice) % SLICE !== 0 || net.steps >= maxSteps) continue;
    if (cancelled?.() === true) return 'cancelled';
    progress?.(net);
  }
}

function openRun(bytes: SavedNetRun): SavedRun {
  const run = dataOfSaved(bytes) as Partial<SavedRun> | undefined;
  if (!(run?.game instanceof Uint8Array) || run.watch === undefined)
    return fail(
      'RUN010',
      'the saved run is of a compiled net, not of simulate: resume it with compile(net).start({ from })',
    );
  return { game: run.game, watch: run.watch };
}
