import { fail } from '../base/problem.ts';
import type { CompiledNet } from '../engine/compile.ts';
import type { CountObserver, Observer } from '../engine/observers.ts';
import type { Net } from '../net/net.ts';
import { EventLog, type LoggedEvent, type LogState, recordedTransitions } from './event-log.ts';
import { type Figures, lasts, type Monitor, type MonitorSpec, type MonitorSpecs, monitorOf } from './monitor.ts';

/** Measurements and recording of a run. */
export interface Watch<M extends MonitorSpecs = MonitorSpecs> {
  /** Transitions whose firings are recorded; default none. */
  readonly record?: 'all' | readonly string[];
  /** Measurements, by names chosen by the caller. */
  readonly monitors?: M;
}

/** The monitors and the recording of a run, as saved. */
export interface WatchState {
  readonly monitors: readonly {
    readonly name: string;
    readonly spec: MonitorSpec;
    readonly state: readonly number[];
  }[];
  readonly recorded: readonly string[];
  readonly log: LogState | undefined;
}

/** The monitors and the recording of one run. */
export interface Watching {
  readonly events: readonly LoggedEvent[];
  figures(time: number): Readonly<Record<string, Figures>>;
  state(): WatchState;
}

/**
 * The observers of a net through which its runs are measured and recorded. Observers are compiled in by name; the functions
 * are looked up when a run starts, so that every run has its own monitors.
 */
export class Watcher {
  // No prototype: a node may have any name.
  readonly observers: Record<string, { start?: Observer; end?: Observer }> = Object.create(null);
  readonly counts: Record<string, CountObserver> = Object.create(null);
  /** Places whose tokens are counted by colour. */
  readonly coloured: string[] = [];
  readonly #net: Net;
  readonly #specs: readonly (readonly [name: string, spec: MonitorSpec])[];
  readonly #recorded: readonly string[];
  readonly #records: boolean;

  /** @throws InputError SIM001, SIM002 for an unknown place or transition, or one that cannot be measured as specified */
  constructor(net: Net, { monitors = {}, record }: Watch) {
    this.#net = net;
    if (record !== undefined && record !== 'all' && !Array.isArray(record))
      fail('SIM010', 'record: expected "all" or a list of names of transitions', { part: 'record' });
    this.#specs = Object.entries(monitors);
    this.#records = record !== undefined;
    this.#recorded = record === undefined ? [] : recordedTransitions(net, record);
    for (const { transition, place } of this.#monitors(() => 0)) {
      if (transition !== undefined) this.observers[transition.name] = {};
      if (place !== undefined) this.counts[place.name] = () => {};
      if (place?.coloured === true) this.coloured.push(place.name);
    }
    for (const name of this.#recorded) this.observers[name] = {};
  }

  /**
   * Creates the monitors and the recording of the next run.
   *
   * @param saved state of the resumed run
   * @throws InputError SIM005 if that run had other monitors or recorded other transitions
   */
  begin(compiled: CompiledNet, steps: () => number, saved: WatchState | undefined): Watching {
    if (saved !== undefined) this.#assertSame(saved);
    const monitors = this.#monitors(steps);
    saved?.monitors.forEach(({ name, state }) => {
      monitors[this.#specs.findIndex(([own]) => own === name)]!.load(state);
    });
    const log = new EventLog(saved?.log);
    const watching = monitors.flatMap((m) => (m.transition === undefined ? [] : [m.transition]));
    for (const t of this.#net.transitions)
      if (this.#recorded.includes(t.name))
        watching.push({ name: t.name, observer: log.observer(t.name, lasts(t), compiled.variables(t.name)) });
    for (const [name, observer] of Object.entries(this.observers)) {
      const own = watching.filter((w) => w.name === name);
      observer.start = together(own.flatMap((w) => w.observer.start ?? []));
      observer.end = together(own.flatMap((w) => w.observer.end ?? []));
    }
    for (const name of Object.keys(this.counts))
      this.counts[name] = together(monitors.flatMap(({ place }) => (place?.name === name ? [place.observer] : [])));
    return {
      events: log.events,
      figures: (time) => Object.fromEntries(this.#specs.map(([name], k) => [name, monitors[k]!.figures(time)])),
      state: () => ({
        monitors: this.#specs.map(([name, spec], k) => ({ name, spec, state: monitors[k]!.save() })),
        recorded: this.#recorded,
        log: this.#records ? log.state() : undefined,
      }),
    };
  }

  #monitors(steps: () => number): Monitor[] {
    return this.#specs.map(([name, spec]) => monitorOf(this.#net, name, spec, steps));
  }

  #assertSame({ monitors, recorded }: WatchState): void {
    const refuse = (message: string): never => fail('SIM005', message, { part: 'simulate' });
    const own = new Map(this.#specs);
    const theirs = new Map(monitors.map((m) => [m.name, m.spec]));
    for (const name of own.keys()) if (!theirs.has(name)) refuse(`the saved run has no monitor "${name}"`);
    for (const [name, spec] of theirs) {
      const now = own.get(name);
      if (now === undefined) refuse(`the saved run has a monitor "${name}": the resumed run requires it`);
      else if (describe(now) !== describe(spec))
        refuse(`monitor "${name}" of the saved run measures ${describe(spec)}, not ${describe(now)}`);
    }
    if (recorded.join('\n') !== this.#recorded.join('\n'))
      refuse(`the saved run recorded ${listed(recorded)}, not ${listed(this.#recorded)}`);
  }
}

/** A canonical text, independent of the order of the members; a `from` equal to the default 0 is omitted. */
const describe = (spec: MonitorSpec): string =>
  Object.entries(spec)
    .filter(([what, of]) => of !== undefined && !(what === 'from' && of === 0))
    .sort(([a], [b]) => (a === 'from' ? 1 : b === 'from' ? -1 : a < b ? -1 : 1))
    .map(([what, of]) => (typeof of === 'object' ? `${what} ${JSON.stringify(of)}` : `${what} "${of}"`))
    .join();

const listed = (names: readonly string[]): string =>
  names.length === 0 ? 'nothing' : names.length > 5 ? `${names.length} transitions` : names.join(', ');

/** Combines several observers into one. */
function together<A extends unknown[]>(all: readonly ((...event: A) => void)[]): (...event: A) => void {
  if (all.length === 1) return all[0]!;
  return (...event) => {
    for (const observer of all) observer(...event);
  };
}
