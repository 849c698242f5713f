import { createHash } from 'node:crypto';
import { didYouMean, fail, InputError } from '../base/problem.ts';
import { dataOfSaved, savedBytes } from '../base/saved-bytes.ts';
import { Streams } from '../base/streams.ts';
import { isDistribution } from '../net/distribution.ts';
import type { Delay, StationService } from '../net/net.ts';
import { netHash } from '../net/net-hash.ts';
import type { CountObserver, TransitionObserver } from './compile.ts';
import type { Emission } from './emission.ts';
import { EventQueue, grown } from './event-queue.ts';
import { MaxMin, type Refuse } from './max-min.ts';
import { Races } from './races.ts';
import { runError } from './run-error.ts';
import * as sampling from './sampling.ts';
import { type Discipline, Station } from './station.ts';

export interface StartOptions {
  /** Steps at one instant after which the run fails with RUN001, from 1 on, default 10⁶. */
  readonly maxInstantSteps?: number;
  /** Seed of all random numbers, default `foretoken`. */
  readonly seed?: string;
  /** Number of the replication, from 0 on: each has random numbers of its own, default 0. */
  readonly replication?: number;
  /** Goes on where a saved run stood; seed and replication are those of the saved run. */
  readonly from?: SavedGame;
}

/** A run as bytes; only the same product version and major version of Node read it. */
export type SavedGame = Uint8Array;

/** A token of a marking; `age` orders the tokens of a place, Infinity while it is in service; `time` where kept. */
export interface MarkedToken {
  readonly values: readonly number[];
  readonly age: number;
  readonly time: number;
}

/** One play of a compiled net, from its initial marking on. A run that fails leaves it amid a step: it fails ever after. */
export interface Game {
  /** Seconds. */
  readonly now: number;
  /** Starts and ends so far. */
  readonly steps: number;
  /** Whether the last run ended because nothing is left that can happen. */
  readonly quiescent: boolean;
  /** Firings per transition, in the order of `transitions`. */
  readonly firings: Float64Array;
  /**
   * Runs up to `budget` further steps, or all that happens up to the time `until` (which it then is, unless it is later
   * already); false when nothing is left to happen by then.
   *
   * @throws InputError RUN001 … RUN009 and what observers throw, which every later call throws again; RUN012 where an
   * observer of the game calls it; SIM003 for a budget or time that is no number
   */
  run(budget: number, until?: number): boolean;
  /** @throws InputError SIM001 where the net has no such place */
  tokens(place: string): MarkedToken[];
  /** What each link of a place's service has carried: amounts times coefficients. */
  carried(place: string): Float64Array;
  /** The run as it stands, to be resumed by `start({ from })`. */
  save(): SavedGame;
}

/** What generated code returns. */
interface Generated {
  readonly steps: number;
  readonly idle: boolean;
  run(budget: number, maxInstantSteps: number, until: number): boolean;
  begun(): void;
  save(): Record<string, unknown>;
  load(state: Record<string, unknown>): void;
  readonly put: readonly ((values: readonly number[]) => void)[];
  readonly tokens: readonly (() => MarkedToken[])[];
}

export type Make = (runtime: unknown) => Generated;

interface Observed {
  readonly observers: Readonly<Record<string, TransitionObserver>>;
  readonly counts: Readonly<Record<string, CountObserver>>;
}

interface Saved {
  readonly net: string;
  readonly seed: string;
  readonly replication: number;
  readonly counters: Float64Array;
  readonly firings: Float64Array;
  readonly queue: unknown;
  readonly services: readonly unknown[];
  readonly streams: unknown;
  readonly code: Record<string, unknown>;
}

/** Starts a game of compiled code: O(size of the initial marking). */
export function start(e: Emission, make: Make, observed: Observed, options: StartOptions): Game {
  const saved = options.from === undefined ? undefined : open(e, make, options.from);
  const { maxInstantSteps = 1e6 } = options;
  if (!(maxInstantSteps >= 1)) refuseOption(`maxInstantSteps ${maxInstantSteps}`, 'a number from 1 on');
  const seed = saved?.seed ?? options.seed ?? 'foretoken';
  const replication = saved?.replication ?? options.replication ?? 0;
  if (!(Number.isSafeInteger(replication) && replication >= 0))
    refuseOption(`replication ${replication}`, 'a whole number from 0 on');
  const streams = new Streams(seed, replication);
  if (saved !== undefined) streams.restore(saved.streams as never);
  const queue = new EventQueue(e.width);
  const firings = saved?.firings ?? new Float64Array(e.plans.length);
  const counters = saved?.counters ?? new Float64Array(3);
  const services = e.services.map((_, k) => serviceOf(e, k, queue));
  const nothing = (): void => {};
  let begun = saved !== undefined;
  const draw = (purpose: 'delay' | 'service', owner: string, d: Delay | undefined): unknown =>
    d !== undefined && isDistribution(d) ? drawOf(streams, purpose, owner) : undefined;
  const given = (d: Delay | undefined): unknown =>
    d !== undefined && isDistribution(d) ? sampling.prepared(d) : undefined;
  const timeOf = (k: number): Delay | undefined => {
    const s = e.services[k]!.place.service!;
    return s.kind === 'max-min' ? undefined : s.time;
  };
  const game = make({
    T: e.net.tables,
    H: queue,
    S: services,
    F: firings,
    C: counters,
    Races,
    sampling,
    grown,
    functions: (e.net.functions ?? []).map((f) => f.apply),
    starts: e.plans.map((p) => observed.observers[p.transition.name]?.start ?? nothing),
    ends: e.plans.map((p) => observed.observers[p.transition.name]?.end ?? nothing),
    // The initial marking is no change.
    counts: e.layouts.map((l) => {
      const observer = observed.counts[l.place.name];
      return observer === undefined ? nothing : (time: number, by: number) => begun && observer(time, by);
    }),
    draws: e.plans.map((p) => draw('delay', p.transition.name, p.transition.delay)),
    given: e.plans.map((p) => given(p.transition.delay)),
    drawsAt: e.services.map((l, k) => draw('service', l.place.name, timeOf(k))),
    givenAt: e.services.map((_, k) => given(timeOf(k))),
    choice: e.plans.some((p) => p.transition.weight !== undefined) ? drawOf(streams, 'choice', '') : nothing,
    fail: (code: string, details: readonly number[]) => {
      if (code === 'RUN001') throw new EndlessInstant();
      return runError(e, code, details);
    },
  });
  if (saved === undefined) {
    begin(e, game);
    begun = true;
  } else {
    queue.restore(saved.queue as never);
    for (const [k, s] of services.entries()) s?.restore(saved.services[k] as never);
    game.load(saved.code);
  }
  const numbers = new Map(e.layouts.map((l, k) => [l.place.name, k]));
  const layout = (place: string): number => {
    const k = numbers.get(place);
    if (k === undefined)
      fail('SIM001', `unknown place "${place}".${didYouMean(String(place), numbers.keys())}`, { part: 'game' });
    return k;
  };
  let running = false;
  let failed: { readonly error: unknown } | undefined;
  /** Amid a step nothing can be run or saved; after a failure the game stands amid a step for ever. */
  const assertWhole = (): void => {
    if (failed !== undefined) throw failed.error;
    if (running) fail('RUN012', 'an observer runs or saves the game that it observes', { part: `net ${e.net.name}` });
  };
  return {
    get now() {
      return counters[0]!;
    },
    get steps() {
      return game.steps;
    },
    get quiescent() {
      return game.idle;
    },
    firings,
    run: (budget, until = Number.POSITIVE_INFINITY) => {
      assertWhole();
      if (!(budget >= 0)) refuseOption(`a budget of ${budget} steps`, 'a number from 0 on');
      if (typeof until !== 'number' || Number.isNaN(until)) refuseOption(`until ${until}`, 'seconds');
      if (until < counters[0]!) return false;
      running = true;
      try {
        return game.run(budget, maxInstantSteps, until + 0);
      } catch (error) {
        failed = {
          error: error instanceof EndlessInstant ? endless(e, game, firings, counters[0]!, maxInstantSteps) : error,
        };
        throw failed.error;
      } finally {
        running = false;
      }
    },
    tokens: (place) => game.tokens[layout(place)]!(),
    carried: (place) => {
      const service = services[e.services.findIndex((l) => l.place.name === place)];
      if (!(service instanceof MaxMin)) fail('SIM001', `no service of place "${place}" shares links`, { part: 'game' });
      return service.carried;
    },
    save: () => {
      assertWhole();
      const state: Saved = {
        net: identity(e, make),
        seed,
        replication,
        counters,
        firings,
        queue: queue.state(),
        services: services.map((s) => s?.state()),
        streams: streams.state(),
        code: game.save(),
      };
      return savedBytes(state);
    },
  };
}

/** The initial marking: by place name, then by colour (S11). */
function begin(e: Emission, game: Generated): void {
  e.layouts.forEach((l, k) => {
    const kinds = [...l.place.initial].sort((a, b) => byColour(a.values, b.values));
    for (const { values, count } of kinds) {
      // −0 is 0 (S7).
      const plain = values.map((v) => v + 0);
      for (let n = 0; n < count; n++) game.put[k]!(plain);
    }
  });
  game.begun();
}

function byColour(a: readonly number[], b: readonly number[]): number {
  const k = a.findIndex((v, i) => v !== b[i]);
  return k < 0 ? 0 : a[k]! - b[k]!;
}

function drawOf(streams: Streams, purpose: 'delay' | 'service' | 'choice', owner: string): () => number {
  return streams.stream(purpose, owner).draw;
}

/** What serves the tokens of a place; nothing where every token is served at once by a server of its own. */
function serviceOf(e: Emission, number: number, queue: EventQueue): MaxMin | Station | undefined {
  const layout = e.services[number]!;
  const s = layout.place.service!;
  const kind = e.plans.length + number;
  const refuse: Refuse = (code, ...d) =>
    runError(e, code, code === 'RUN004' ? [-1, d[0]!, layout.number] : [layout.number, ...d]);
  switch (s.kind) {
    case 'max-min': {
      const routes = e.tables.get(s.routes);
      if (routes?.kind !== 'routes') throw new Error('validated');
      return new MaxMin(s.links, routes, queue, kind, refuse);
    }
    case 'ps':
      return new MaxMin(
        [{ name: 'servers', capacity: s.servers, fatpipe: false }],
        { link: Int32Array.of(0), coefficient: Float64Array.of(1) },
        queue,
        kind,
        refuse,
      );
    case 'is':
      return undefined;
    default:
      return new Station(queue, kind, s.servers, disciplineOf(s), refuse);
  }
}

function disciplineOf(s: Exclude<StationService, { kind: 'ps' | 'is' }>): Discipline {
  if (s.kind === 'priority') return s.preemptive ? 'priority-pr' : 'priority';
  return s.kind === 'lcfs-pr' ? 'lcfs-pr' : 'fcfs';
}

class EndlessInstant extends Error {}

function refuseOption(what: string, expected: string): never {
  return fail('SIM003', `${what}: ${expected} expected`, { part: 'game' });
}

/** Names of a cycle that are listed. */
const MOST_LISTED = 12;

/** Lets the net run on for a while to see which transitions make up the cycle: the error that names them. */
function endless(e: Emission, game: Generated, firings: Float64Array, now: number, most: number): InputError {
  const before = Float64Array.from(firings);
  try {
    game.run(1000, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY);
  } catch {
    // The cycle is reported all the same.
  }
  const cycle = e.plans.filter((p) => firings[p.number]! > before[p.number]!).map((p) => p.transition.name);
  const more = cycle.length > MOST_LISTED ? ` and ${cycle.length - MOST_LISTED} more` : '';
  // Where nothing starts any more there is no cycle, only very much at once.
  const why =
    cycle.length === 0
      ? 'more can be allowed by maxInstantSteps'
      : `an endless cycle without delay through ${cycle.slice(0, MOST_LISTED).join(', ')}${more}`;
  return new InputError([{ code: 'RUN001', message: `more than ${most} steps at the instant ${now} s: ${why}` }]);
}

/**
 * What a saved run must have been started from: the net, and the code that plays it. Code differs with what is observed:
 * tokens of which nothing is told may pass through a place without being stored.
 */
function identity(e: Emission, make: Make): string {
  return createHash('sha256').update(netHash(e.net)).update(make.toString()).digest('hex');
}

function open(e: Emission, make: Make, bytes: SavedGame): Saved {
  const saved = dataOfSaved(bytes) as Saved | undefined;
  if (saved?.net !== identity(e, make))
    fail(
      'RUN010',
      'the saved run belongs to another net, or to one that was compiled with other observers or options',
      {
        part: `net ${e.net.name}`,
      },
    );
  return saved;
}
