import { deserialize, serialize } from 'node:v8';
import { fail } from '../base/problem.ts';
import {
  type CompiledNet,
  type CountObserver,
  compile,
  type Game,
  type MarkedToken,
  type SavedGame,
  type TransitionObserver,
} from '../engine/compile.ts';
import type { Net } from '../net/net.ts';
import { EventLog, type LoggedEvent } from './event-log.ts';
import { type Figures, type Monitor, type MonitorSpec, monitorOf } from './monitor.ts';

/** Starts and ends after which a run is ended unless told otherwise. */
export const MOST_STEPS = 1e9;

export interface SimulateOptions {
  /** Seed of all random numbers, default `foretoken`. */
  readonly seed?: string;
  /** Number of the replication, default 0. */
  readonly replication?: number;
  /** Seconds at which the run is ended: all that happens up to then has happened. */
  readonly until?: number;
  /** Starts and ends after which the run is ended, default 10⁹: a net need not come to an end. */
  readonly maxSteps?: number;
  /** Asked after every step; true ends the run. Slows it down. */
  readonly stopWhen?: (run: RunningNet) => boolean;
  /** Steps at one instant after which the run fails with RUN001, default 10⁶. */
  readonly maxInstantSteps?: number;
  /** Firings to be recorded: of all transitions, or of these; default none. */
  readonly record?: 'all' | readonly string[];
  /** What to measure, by a name of one's own. */
  readonly monitors?: Readonly<Record<string, MonitorSpec>>;
  /** Goes on where a run of the same net with the same monitors and recording was saved. */
  readonly from?: SavedGame;
  /** Asked between slices of some ten thousand steps; true ends the run. */
  readonly cancelled?: () => boolean;
  /** Told between slices how the game stands. */
  readonly progress?: (game: Game) => void;
}

/** A run as {@link SimulateOptions.stopWhen} sees it. */
export interface RunningNet {
  /** Seconds. */
  readonly time: number;
  /** Starts and ends so far. */
  readonly steps: number;
  tokens(place: string): readonly MarkedToken[];
  firings(transition: string): number;
}

/** Why a run ended: `quiescent` where nothing is left that can happen. */
export type Ended = 'quiescent' | 'time' | 'steps' | 'condition' | 'cancelled';

export interface SimulatedRun {
  readonly ended: Ended;
  /** Seconds. */
  readonly time: number;
  readonly steps: number;
  readonly firings: Readonly<Record<string, number>>;
  /** What was recorded, in order. */
  readonly events: readonly LoggedEvent[];
  /** Figures of every monitor, at the end. */
  readonly monitors: Readonly<Record<string, Figures>>;
  readonly game: Game;
  /** The run with its monitors and its recording, to be resumed by `simulate(net, { from })`. */
  save(): SavedGame;
}

const SLICE = 1 << 14;

interface SavedRun {
  readonly game: SavedGame;
  readonly monitors: Readonly<Record<string, readonly number[]>>;
  readonly events: readonly LoggedEvent[];
}

/**
 * Plays a net until nothing can happen any more or an option ends it, and says which. A compiled net has its own
 * observers: monitors and recording need the net itself. Same net, seed and options: same bytes.
 *
 * @throws InputError for an invalid net or option, and where the run fails (RUN…).
 */
export function simulate(net: Net | CompiledNet, options: SimulateOptions = {}): SimulatedRun {
  return ('start' in net ? ready(net, options) : prepare(net, options))(options);
}

/** A net that has been compiled with its monitors, to be run any number of times with other seeds and limits. */
export type PreparedNet = (options: Omit<SimulateOptions, 'record' | 'monitors'>) => SimulatedRun;

function ready(compiled: CompiledNet, { monitors, record }: SimulateOptions): PreparedNet {
  if (Object.keys(monitors ?? {}).length > 0 || record !== undefined)
    fail('SIM004', 'a compiled net has its observers already: monitors and recording need the net itself', {
      part: 'simulate',
    });
  return (options) => run(compiled, options, savedRun(options), {}, undefined);
}

/** Compiles a net once for many runs. */
export function prepare(net: Net, watch: Pick<SimulateOptions, 'record' | 'monitors'>): PreparedNet {
  const specs = Object.entries(watch.monitors ?? {});
  const fresh = (): Monitor[] => specs.map(([, spec]) => monitorOf(net, spec));
  // Observers are compiled in; they hand on to the monitors and the recording of the run that is under way.
  let monitors = fresh();
  let log = watch.record === undefined ? undefined : new EventLog(net, watch.record);
  const observers = monitors.map((m, k): Record<string, TransitionObserver> => {
    if (m.transition === undefined) return {};
    const own = (): TransitionObserver => monitors[k]!.transition!.observer;
    return { [m.transition.name]: { start: (...x) => own().start?.(...x), end: (...x) => own().end?.(...x) } };
  });
  const counts = monitors.flatMap((m, k): { name: string; observer: CountObserver }[] =>
    m.place === undefined
      ? []
      : [{ name: m.place.name, observer: (time, by) => monitors[k]!.place!.observer(time, by) }],
  );
  const recorders = log?.observers(
    net,
    (t) => compiled.variables(t),
    () => log!,
  );
  const compiled: CompiledNet = compile(net, {
    observers: together([...observers, ...(recorders === undefined ? [] : [recorders])]),
    counts: countsTogether(counts),
  });
  return (options) => {
    const saved = savedRun(options);
    monitors = fresh();
    specs.forEach(([name], k) => {
      const state = saved?.monitors[name];
      if (saved !== undefined && state === undefined)
        fail('SIM005', `the saved run has no monitor "${name}"`, { part: 'simulate' });
      if (state !== undefined) monitors[k]!.load(state);
    });
    if (watch.record !== undefined) log = new EventLog(net, watch.record, saved?.events);
    return run(compiled, options, saved, Object.fromEntries(specs.map(([name], k) => [name, monitors[k]!])), log);
  };
}

function run(
  compiled: CompiledNet,
  options: SimulateOptions,
  saved: SavedRun | undefined,
  monitors: Readonly<Record<string, Monitor>>,
  log: EventLog | undefined,
): SimulatedRun {
  const { until = Number.POSITIVE_INFINITY, maxSteps = MOST_STEPS } = options;
  checkOptions(until, maxSteps);
  const game = compiled.start({
    ...(options.maxInstantSteps === undefined ? {} : { maxInstantSteps: options.maxInstantSteps }),
    ...(options.seed === undefined ? {} : { seed: options.seed }),
    ...(options.replication === undefined ? {} : { replication: options.replication }),
    ...(saved === undefined ? {} : { from: saved.game }),
  });
  const ended = play(compiled, game, options, until, maxSteps);
  const events = log?.events ?? [];
  const all = Object.entries(monitors);
  return {
    ended,
    time: game.now,
    steps: game.steps,
    firings: Object.fromEntries(compiled.transitions.map((t, k) => [t, game.firings[k]!])),
    events,
    monitors: Object.fromEntries(all.map(([name, m]) => [name, m.figures(game.now)])),
    game,
    save: () => {
      const state = Object.fromEntries(all.map(([name, m]) => [name, m.save()]));
      return serialize({ game: game.save(), monitors: state, events } satisfies SavedRun);
    },
  };
}

const savedRun = (options: SimulateOptions): SavedRun | undefined =>
  options.from === undefined ? undefined : openRun(options.from);

function checkOptions(until: number, maxSteps: number): void {
  if (!(until >= 0)) fail('SIM003', `until ${until}: seconds from 0 on are expected`, { part: 'simulate' });
  if (!(maxSteps >= 0)) fail('SIM003', `maxSteps ${maxSteps}: a number from 0 on is expected`, { part: 'simulate' });
}

/** Several observers of one transition as one. */
function together(all: readonly Record<string, TransitionObserver>[]): Record<string, TransitionObserver> {
  const out: Record<string, TransitionObserver> = {};
  for (const some of all)
    for (const [name, { start, end }] of Object.entries(some)) {
      const known = out[name];
      out[name] = {
        start: (...event) => {
          known?.start?.(...event);
          start?.(...event);
        },
        end: (...event) => {
          known?.end?.(...event);
          end?.(...event);
        },
      };
    }
  return out;
}

function countsTogether(all: readonly { name: string; observer: CountObserver }[]): Record<string, CountObserver> {
  const out: Record<string, CountObserver> = {};
  for (const { name, observer } of all) {
    const known = out[name];
    out[name] = (time, by) => {
      known?.(time, by);
      observer(time, by);
    };
  }
  return out;
}

function play(compiled: CompiledNet, game: Game, options: SimulateOptions, until: number, maxSteps: number): Ended {
  const { cancelled, progress, stopWhen } = options;
  const numbers = new Map(compiled.transitions.map((t, k) => [t, k]));
  const view: RunningNet = {
    get time() {
      return game.now;
    },
    get steps() {
      return game.steps;
    },
    tokens: (place) => game.tokens(place),
    firings: (t) =>
      game.firings[numbers.get(t) ?? -1] ?? fail('SIM001', `unknown transition "${t}"`, { part: 'stopWhen' }),
  };
  const slice = stopWhen === undefined ? SLICE : 1;
  for (let slices = 1; ; slices++) {
    if (game.steps >= maxSteps) return 'steps';
    const before = game.steps;
    const more = game.run(Math.min(slice, maxSteps - game.steps), until);
    if (game.steps > before && stopWhen?.(view) === true) return 'condition';
    if (!more) return game.quiescent ? 'quiescent' : 'time';
    if ((slices * slice) % SLICE !== 0) continue;
    if (cancelled?.() === true) return 'cancelled';
    progress?.(game);
  }
}

function openRun(bytes: SavedGame): SavedRun {
  let run: SavedRun | undefined;
  try {
    run = deserialize(bytes) as SavedRun;
  } catch {
    // Reported below.
  }
  if (!(run?.game instanceof Uint8Array)) return fail('RUN010', 'these bytes are no saved run');
  return run;
}
