import { createHash } from 'node:crypto';
import { assertOptions } from '../base/options.ts';
import { didYouMean, fail, InputError, shown } from '../base/problem.ts';
import { Streams } from '../base/random/streams.ts';
import { dataOfSaved, savedBytes } from '../base/saved-bytes.ts';
import type { CompiledKernel, Kernel, KernelState } from '../kernel/kernel.ts';
import { type Memory, MemoryFull } from '../kernel/memory.ts';
import { guardingAmbient } from '../net/functions/ambient.ts';
import { netHash } from '../net/net-hash.ts';
import type { Emission } from './emit/emission.ts';
import { servedFirst } from './emit/firing/produce.ts';
import { type PlaceLayout, strideOf } from './emit/layout.ts';
import { isShared } from './emit/services/service.ts';
import { endlessInstant } from './endless-instant.ts';
import { EndlessInstant, Host } from './host.ts';
import { MAX_WORDS } from './limits.ts';
import type { Integrals, Observed } from './observers.ts';
import { isPaged } from './pager.ts';
import { tooMany } from './run-error.ts';
import { byColour, type MarkedToken, tokensOf } from './tokens.ts';

export type { MarkedToken } from './tokens.ts';

/** Options of {@link CompiledNet.start}. */
export interface StartOptions {
  /** Maximum number of steps at one instant, beyond which the run fails with RUN001; at least 1, default 10⁶. */
  readonly maxInstantSteps?: number;
  /** Seed of all random numbers, default `foretoken`. */
  readonly seed?: string;
  /** Number of the replication, from 0 on: each has different random numbers. Default 0. */
  readonly replication?: number;
  /** Resumes a saved run; seed and replication are those of the saved run. */
  readonly from?: SavedNetRun;
  /**
   * A run of a compiled net that is finished with: its memory is used again, so that many short runs start faster. Its own methods
   * then fail with RUN012.
   */
  readonly instead?: NetRun;
}

/** A saved run as bytes; it can be read only by the same product version and the same major version of Node. */
export type SavedNetRun = Uint8Array;

/** One run of a compiled net, from its initial marking on. After an error the run is unusable; later calls rethrow the error. */
export interface NetRun {
  /** Current time, in seconds. */
  readonly now: number;
  /** Number of steps so far: starts and ends of firings, and tokens served. */
  readonly steps: number;
  /** True if the last call of `run` ended because no event is left. */
  readonly quiescent: boolean;
  /** Number of firings per transition, in the order of `transitions`. A live view: read it before the run continues. */
  readonly firings: Float64Array;
  /**
   * Runs up to `budget` further steps, at most to the time `until` in seconds. Returns true if the budget ended the run; false if
   * nothing is left to happen up to `until`. If events remain after `until`, that becomes the current time, unless it is already
   * later.
   *
   * @throws InputError RUN001 … RUN009 and RUN013 … RUN015, and errors of observers, all of which later calls rethrow; RUN012 if
   * an observer of the run calls it; SIM003 if `budget` or `until` is invalid
   */
  run(budget: number, until?: number): boolean;
  /**
   * The tokens of a place, by age; tokens in service come last, by colour.
   *
   * @throws InputError SIM001 for an unknown place
   */
  tokens(place: string): MarkedToken[];
  /**
   * The load that each link of a place's service has carried so far: the sum of amount × coefficient over all tokens. A token
   * counts when it is served, or when it arrives if it shares no link.
   *
   * @throws InputError SIM001 if the place has no service that shares links
   */
  carried(place: string): Float64Array;
  /**
   * The integrals since the last call, or since the start of the run.
   *
   * @throws InputError SIM001 if the net was compiled without `measures`
   */
  integrals(): Integrals;
  /**
   * Saves the run, to be resumed by `start({ from })`.
   *
   * @throws InputError RUN012 if an observer of the run calls it; the error of a failed run
   */
  save(): SavedNetRun;
}

interface Saved {
  readonly net: string;
  readonly seed: string;
  readonly replication: number;
  readonly streams: unknown;
  readonly services: readonly unknown[];
  readonly races: unknown;
  readonly stamps: unknown;
  readonly code: KernelState;
}

/** Types of the options of {@link start}. */
const OPTIONS = { maxInstantSteps: 'any', seed: 'any', replication: 'any', from: 'any', instead: 'any' } as const;

/** Takes the memory of a run, which then cannot be used any more; by run. */
const takeOver = new WeakMap<NetRun, () => Memory>();

/** Starts a run of compiled code: O(size of the initial marking). */
export function start(e: Emission, code: CompiledKernel, observed: Observed, options: StartOptions): NetRun {
  assertOptions('start', options, OPTIONS);
  const saved = options.from === undefined ? undefined : open(e, code, options.from);
  const { maxInstantSteps = 1e6 } = options;
  const { seed, replication } = saved ?? { seed: 'foretoken', replication: 0, ...given(options) };
  if (!(isSteps(maxInstantSteps) && maxInstantSteps >= 1))
    refuseOption('maxInstantSteps', 'an integer >= 1', maxInstantSteps);
  if (typeof seed !== 'string') refuseOption('seed', 'a string', seed);
  if (!(Number.isSafeInteger(replication) && replication >= 0))
    refuseOption('replication', 'an integer from 0 to 2^53 - 1', replication);
  const cleared = options.instead === undefined ? undefined : memoryOf(options.instead);
  cleared?.clear(code.shape.lowest);
  const streams = new Streams(seed, replication);
  if (saved !== undefined) streams.restore(saved.streams as never);
  const host = hosted(e, () => {
    const made = new Host(e, code, observed, streams, cleared);
    if (saved === undefined) begin(e, made.kernel);
    else resume(made, saved);
    made.begun = true;
    return made;
  });
  const { kernel, services } = host;
  const numbers = new Map(e.layouts.map((l, k) => [l.place.name, k]));
  const layout = (place: string): PlaceLayout => {
    const k = numbers.get(place);
    if (k === undefined)
      fail('SIM001', `unknown place ${shown(place)}.${didYouMean(String(place), numbers.keys())}`, { part: 'run' });
    return e.layouts[k]!;
  };
  const advance = kernel.call['run']!;
  // Functions of the net are called throughout the run.
  const run: typeof advance =
    e.net.functions === undefined ? advance : (...args) => guardingAmbient(() => advance(...args));
  let order: NetOrder | undefined;
  let running = false;
  let failed: { readonly error: unknown } | undefined;
  let isTaken = false;
  const assertOwn = (): void => {
    if (isTaken) fail('RUN012', 'another run was started instead of this one', { part: `net ${e.net.name}` });
  };
  /** Within a step the run cannot be continued or saved. An error leaves it within a step. */
  const assertUsable = (): void => {
    if (failed !== undefined) throw failed.error;
    assertOwn();
    if (running)
      fail('RUN012', 'an observer must not run or save the run that it observes', { part: `net ${e.net.name}` });
  };
  const started: NetRun = {
    get now() {
      return kernel.get('now');
    },
    get steps() {
      return kernel.get('steps');
    },
    get quiescent() {
      return kernel.get('idle') !== 0;
    },
    get firings() {
      return firingsOf(e, kernel);
    },
    run: (budget, until = Number.POSITIVE_INFINITY) => {
      assertUsable();
      if (!isSteps(budget)) refuseOption('budget', 'a number of steps >= 0', budget);
      if (typeof until !== 'number' || Number.isNaN(until)) refuseOption('until', 'seconds', until);
      if (until < kernel.get('now')) return false;
      running = true;
      try {
        const more = run(budget, maxInstantSteps, until + 0) !== 0;
        host.readLog();
        return more;
      } catch (error) {
        failed = { error: explained(e, kernel, error, maxInstantSteps) };
        throw failed.error;
      } finally {
        running = false;
      }
    },
    // The storage order of tokens in service depends on the observers, so they are sorted by colour.
    tokens: (place) => {
      assertOwn();
      return tokensOf(e, kernel, layout(place)).sort((a, b) =>
        a.age === b.age ? byColour(a.values, b.values) : a.age - b.age,
      );
    },
    carried: (place) => {
      assertOwn();
      const k = e.services.findIndex((l) => l.place.name === place && isShared(l.place.service!));
      if (k < 0) fail('SIM001', `place ${shown(place)} has no service with shared links`, { part: 'run' });
      return kernel.array<Float64Array<ArrayBuffer>>(`S${k}_carried`).slice();
    },
    integrals: () => {
      assertOwn();
      if (e.options.measures === undefined) fail('SIM001', 'the net was compiled without measures', { part: 'run' });
      order ??= netOrder(e);
      return integralsOf(e, kernel, order);
    },
    save: () => {
      assertUsable();
      const state: Saved = {
        net: identity(e, code),
        seed,
        replication,
        streams: streams.state(),
        services: services.map((s) => s?.state()),
        races: host.races?.state(),
        stamps: host.stamps(),
        code: kernel.state((array) => !isPaged(array)),
      };
      return savedBytes(state);
    },
  };
  takeOver.set(started, () => {
    assertUsable();
    isTaken = true;
    return kernel.memory;
  });
  return started;
}

/** @throws InputError RUN012 inside an observer of the run, or if another run has its memory; SIM003 for other values */
function memoryOf(run: NetRun): Memory {
  const take = takeOver.get(run);
  if (take === undefined) refuseOption('instead', 'a run of a compiled net', run);
  return take();
}

const firingsOf = (e: Emission, kernel: Kernel): Float64Array =>
  kernel.array<Float64Array<ArrayBuffer>>('F').subarray(0, e.plans.length);

/** Reads the integrals (emit/measure.ts) and sets them to 0. */
function integralsOf(e: Emission, kernel: Kernel, { places, transitions }: NetOrder): Integrals {
  const now = kernel.get('now');
  const seconds = now - kernel.get('measuredFrom');
  kernel.set('measuredFrom', now);
  const nums = (name: string): Float64Array => kernel.array<Float64Array<ArrayBuffer>>(name);
  const [levels, moments, busy, busyMoments, values] = [
    nums('ML'),
    nums('MW'),
    kernel.array('MB'),
    nums('MV'),
    nums('MR'),
  ];
  const integrals: Integrals = {
    seconds,
    tokens: places.map((k) => levels[k]! * seconds - moments[k]!),
    enabled: transitions.map((k) => (busy[k]! > 0 ? seconds : 0) - busyMoments[k]!),
    values: values.slice(0, e.options.measures!.values.length),
  };
  for (const array of [moments, busyMoments, values]) array.fill(0);
  return integrals;
}

/** Numbers of places and transitions in the code, in the order of the net. */
interface NetOrder {
  readonly places: Float64Array;
  readonly transitions: Float64Array;
}

function netOrder(e: Emission): NetOrder {
  const plans = new Map(e.plans.map((p) => [p.transition.name, p.number]));
  return {
    places: Float64Array.from(e.net.places, ({ name }) => e.byName.get(name)!.number),
    transitions: Float64Array.from(e.net.transitions, ({ name }) => plans.get(name)!),
  };
}

/** The options without those that are `undefined`. */
function given<T extends object>(options: T): { readonly [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(options).filter(([, v]) => v !== undefined)) as never;
}

function resume(host: Host, saved: Saved): void {
  for (const [k, s] of host.services.entries()) s?.restore(saved.services[k] as never);
  host.races?.restore(saved.races as never);
  host.restoreStamps(saved.stamps as never);
  host.kernel.restore(saved.code);
}

/** Reports memory exhausted at the start with the same error as memory exhausted later. */
function hosted(e: Emission, make: () => Host): Host {
  try {
    return make();
  } catch (error) {
    throw full(e, error);
  }
}

/** The error that ends a run; errors of the generated code are expressed with the names of the net. */
function explained(e: Emission, kernel: Kernel, error: unknown, max: number): unknown {
  return error instanceof EndlessInstant ? endlessInstant(e, kernel, () => firingsOf(e, kernel), max) : full(e, error);
}

function full(e: Emission, error: unknown): unknown {
  if (!(error instanceof MemoryFull)) return error;
  return new InputError([
    { code: 'RUN013', message: `the run needs ${error.message}`, place: { part: `net ${e.net.name}` } },
  ]);
}

/** Adds the initial marking: services first, by place name, then by colour (S7, S11). */
function begin(e: Emission, kernel: Kernel): void {
  assertFits(e);
  for (const l of servedFirst(e.layouts, (own) => own)) {
    const kinds = [...l.place.initial].sort((a, b) => byColour(a.values, b.values));
    for (const { values, count } of kinds) {
      // −0 is 0 (S7).
      const plain = values.map((v) => v + 0);
      for (let n = 0; n < count; n++) kernel.call[`add${l.number}`]!(...plain);
    }
  }
  kernel.call['begun']!();
}

/** True for a valid number of steps; Infinity is one. */
const isSteps = (n: unknown): boolean =>
  typeof n === 'number' && n >= 0 && (Number.isInteger(n) || n === Number.POSITIVE_INFINITY);

/** Refuses an initial marking that memory cannot hold before it is built. */
function assertFits(e: Emission): void {
  let words = 0;
  for (const l of e.layouts) {
    const tokens = l.place.initial.reduce((sum, t) => sum + t.count, 0);
    words += tokens * strideOf(l);
    if (words > MAX_WORDS)
      tooMany(`place ${l.place.name}`, `${MAX_WORDS * 4} bytes of tokens: it has ${tokens} initially`);
  }
}

function refuseOption(name: string, expected: string, value: unknown): never {
  return fail('SIM003', `${name}: expected ${expected}, got ${shown(value)}`, { part: 'run' });
}

/**
 * Hash of the net and of its code, which must be the same when a saved run is resumed. The code depends on the observers: tokens
 * that are not observed may pass through a place without being stored.
 */
function identity(e: Emission, code: CompiledKernel): string {
  return createHash('sha256').update(netHash(e.net)).update(code.text).digest('hex');
}

function open(e: Emission, code: CompiledKernel, bytes: SavedNetRun): Saved {
  const saved = dataOfSaved(bytes) as Saved | undefined;
  if (saved?.net !== identity(e, code))
    fail('RUN010', 'the saved run belongs to another net, or to this net compiled with other observers or options', {
      part: `net ${e.net.name}`,
    });
  return saved;
}

/**
 * Former name of {@link NetRun}.
 *
 * @deprecated Use {@link NetRun}.
 */
export type Game = NetRun;
/**
 * Former name of {@link SavedNetRun}.
 *
 * @deprecated Use {@link SavedNetRun}.
 */
export type SavedGame = SavedNetRun;
