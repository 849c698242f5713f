import { isAs } from '../base/options.ts';
import { didYouMean, fail, quote, shown } from '../base/problem.ts';
import type { CountObserver, TransitionObserver } from '../engine/observers.ts';
import { columnsOf } from '../net/colour.ts';
import type { Delay, Net, Place, Transition } from '../net/net.ts';

/**
 * A measurement during a run, as plain data: `tokens` in a place (tokens in service included), all or those with the values of
 * `colour`, by column (`{ tokens: 'p', colour: { k: 1 } }`; an omitted column matches every value), `firings` of a transition, or
 * `busy`, the number of firings in progress of a transition with a delay. Measurement starts at time `from` (seconds, default
 * 0), so that a warm-up phase can be excluded.
 */
export type MonitorSpec = (
  | { readonly tokens: string; readonly colour?: Readonly<Record<string, number | boolean | string>> }
  | { readonly firings: string }
  | { readonly busy: string }
) & {
  readonly from?: number;
};

/** Monitors by names chosen by the caller. */
export type MonitorSpecs = Readonly<Record<string, MonitorSpec>>;

/** The results of a monitor by name; times in seconds, rates per second. */
export type Figures = Readonly<Record<string, number>>;

/** The results of one kind of monitor; the kinds are described at {@link monitorOf}. */
export type FiguresOf<S extends MonitorSpec> = Readonly<
  Record<
    S extends { readonly tokens: string }
      ? 'mean' | 'least' | 'most' | 'last'
      : S extends { readonly firings: string }
        ? 'count' | 'rate' | 'between'
        : 'mean' | 'most' | 'last' | 'count' | 'duration',
    number
  >
>;

/** The results of all monitors, by monitor name. */
export type AllFigures<M extends MonitorSpecs> = MonitorSpecs extends M
  ? Readonly<Record<string, Figures>>
  : { readonly [K in keyof M]: FiguresOf<M[K]> };

/**
 * A piecewise constant level and its time average `∫ level dt / T`. Minimum and maximum consider the level after complete
 * steps only: tokens that a step takes and returns do not count as a change.
 */
class Level {
  readonly #steps: () => number;
  #level: number;
  #area = 0;
  #since = 0;
  /** Number of the step that last changed the level. */
  #step = 0;
  #min = Number.POSITIVE_INFINITY;
  #max = Number.NEGATIVE_INFINITY;
  readonly #from: number;

  /**
   * @param steps returns the number of steps so far, including the current one
   * @param from start of the measurement in seconds
   */
  constructor(level: number, steps: () => number, from: number) {
    this.#level = level;
    this.#steps = steps;
    this.#from = from;
    this.#since = from;
  }

  change(time: number, by: number): void {
    const step = this.#steps();
    if (step !== this.#step && time >= this.#from) {
      this.#step = step;
      this.#min = Math.min(this.#min, this.#level);
      this.#max = Math.max(this.#max, this.#level);
    }
    if (time > this.#since) {
      this.#area += this.#level * (time - this.#since);
      this.#since = time;
    }
    this.#level += by;
  }

  figures(time: number): { mean: number; least: number; most: number; last: number } {
    const last = this.#level;
    return {
      mean: time > this.#from ? this.area(time) / (time - this.#from) : Number.NaN,
      least: Math.min(this.#min, last),
      most: Math.max(this.#max, last),
      last,
    };
  }

  area(time: number): number {
    return this.#area + this.#level * Math.max(0, time - this.#since);
  }

  get state(): number[] {
    return [this.#level, this.#area, this.#since, this.#step, this.#min, this.#max];
  }

  set state(s: readonly number[]) {
    [this.#level, this.#area, this.#since, this.#step, this.#min, this.#max] = s as [
      number,
      number,
      number,
      number,
      number,
      number,
    ];
  }
}

/** Observes a run without changing it. */
export interface Monitor {
  readonly transition?: { readonly name: string; readonly observer: TransitionObserver };
  /** `coloured`: the observer needs the values of the token. */
  readonly place?: { readonly name: string; readonly observer: CountObserver; readonly coloured: boolean };
  figures(time: number): Figures;
  save(): readonly number[];
  load(state: readonly number[]): void;
}

/** The members that select the quantity to measure. */
const KINDS = ['tokens', 'firings', 'busy'] as const;
const EXPECTED = 'expected one of tokens, firings and busy';

/**
 * Creates a monitor from its specification.
 *
 * - `tokens`: `mean`, `least`, `most` and `last` number of tokens
 * - `firings`: `count`, `rate` per second, `between`: mean seconds between consecutive firings, NaN before the second
 * - `busy`: `mean`, `most` and `last` number in progress, `count` of completed firings, `duration`: their mean seconds
 *   (Little's law: time in progress / completed firings; exact when none is in progress), NaN before the first completion
 *
 * Means and rates are NaN if the run ends before `from`.
 *
 * @param name of the monitor, for messages
 * @param steps returns the number of steps so far, including the current one
 * @throws InputError SIM001 for an invalid specification or an unknown place or transition; SIM002 for `busy` of a transition
 * without a delay; SIM003 for an invalid `from`
 */
export function monitorOf(net: Net, name: string, spec: MonitorSpec, steps: () => number): Monitor {
  const part = `monitor ${name}`;
  assertMonitor(part, spec);
  const { from = 0 } = spec;
  if (!(typeof from === 'number' && from >= 0 && from < Number.POSITIVE_INFINITY))
    fail('SIM003', `from: expected finite seconds >= 0, got ${shown(from)}`, { part });
  if ('tokens' in spec) return tokensMonitor(net, placeOf(net, spec.tokens, part), spec.colour, part, steps, from);
  if ('firings' in spec) return firingsMonitor(transitionOf(net, spec.firings, part).name, from);
  const transition = transitionOf(net, spec.busy, part);
  if (!lasts(transition))
    fail(
      'SIM002',
      transition.timing === 'race'
        ? `transition "${transition.name}" is a race, which keeps its tokens in their place: measure the tokens of that place`
        : `transition "${transition.name}" has no delay: its firings are never in progress`,
      { part },
    );
  return busyMonitor(transition.name, steps, from);
}

/** Rejects a specification with unknown members, or that does not select exactly one measurement. */
function assertMonitor(part: string, spec: unknown): void {
  const refuse = (message: string): never => fail('SIM001', message, { part });
  if (!isAs(spec, 'an object')) refuse(`expected an object, as in { tokens: 'p' }, got ${shown(spec)}`);
  const known = [...KINDS, 'colour', 'from'];
  const given = Object.keys(spec as object);
  for (const name of given)
    if (!known.includes(name)) refuse(`unknown member ${quote(name)}.${didYouMean(name, known)}`);
  const kinds = given.filter((name) => name !== 'from' && name !== 'colour');
  if (kinds.length === 0) refuse(`${EXPECTED}, got none`);
  if (kinds.length > 1) refuse(`${EXPECTED}, got ${kinds.join(' and ')}`);
  const { colour } = spec as { colour?: unknown };
  if (colour === undefined) return;
  if (kinds[0] !== 'tokens') refuse(`colour: only tokens have colours, not ${kinds[0]}`);
  if (!isAs(colour, 'an object')) refuse(`colour: expected an object, as in { k: 1 }, got ${shown(colour)}`);
}

/** True if firings of the transition have a start and an end. */
export function lasts(t: Transition): boolean {
  return t.delay !== undefined && t.timing !== 'race';
}

function placeOf(net: Net, name: string, part: string): Place {
  return net.places.find((p) => p.name === name) ?? unknown('place', name, net.places, part);
}

function transitionOf(net: Net, name: string, part: string): Transition {
  return net.transitions.find((t) => t.name === name) ?? unknown('transition', name, net.transitions, part);
}

function unknown(what: string, name: string, known: readonly { readonly name: string }[], part: string): never {
  const names = known.map((k) => k.name);
  return fail('SIM001', `unknown ${what} ${shown(name)}.${didYouMean(String(name), names)}`, { part });
}

/** The wanted value of each column of a place; undefined: any. */
function wantedColour(
  net: Net,
  place: Place,
  colour: Readonly<Record<string, number | boolean | string>>,
  part: string,
): (number | undefined)[] {
  const columns = columnsOf(place.fields, new Map(net.colours.map((c) => [c.name, c])));
  const known = columns.map((c) => c.name);
  for (const name of Object.keys(colour))
    if (!known.includes(name))
      fail('SIM001', `colour: place "${place.name}" has no column ${quote(name)}.${didYouMean(name, known)}`, { part });
  return columns.map(({ name, colour: set }) => {
    const value = colour[name];
    if (value === undefined || typeof value === 'number') return value;
    if (typeof value === 'boolean') return Number(value);
    const position = set.kind === 'enum' ? set.values.indexOf(value) : -1;
    if (position >= 0) return position;
    return fail('SIM001', `colour: ${quote(value)} is no value of column "${name}" (${set.name})`, { part });
  });
}

function tokensMonitor(
  net: Net,
  place: Place,
  colour: Readonly<Record<string, number | boolean | string>> | undefined,
  part: string,
  steps: () => number,
  from: number,
): Monitor {
  const { name } = place;
  const wanted = colour === undefined ? [] : wantedColour(net, place, colour, part);
  const counts = (values: readonly number[]): boolean => wanted.every((v, k) => v === undefined || v === values[k]);
  const initial = place.initial.reduce((sum, t) => sum + (counts(t.values) ? t.count : 0), 0);
  const level = new Level(initial, steps, from);
  return {
    place: {
      name,
      coloured: colour !== undefined,
      observer:
        colour === undefined
          ? (time, by) => level.change(time, by)
          : (time, by, ...values) => {
              if (counts(values)) level.change(time, by);
            },
    },
    figures: (time) => level.figures(time),
    save: () => level.state,
    load: (s) => {
      level.state = s;
    },
  };
}

function firingsMonitor(name: string, from: number): Monitor {
  let count = 0;
  let first = 0;
  let last = 0;
  const start = (time: number): void => {
    if (time < from) return;
    if (count++ === 0) first = time;
    last = time;
  };
  return {
    transition: { name, observer: { start } },
    figures: (time) => ({
      count,
      rate: time > from ? count / (time - from) : Number.NaN,
      between: count > 1 ? (last - first) / (count - 1) : Number.NaN,
    }),
    save: () => [count, first, last],
    load: (s) => {
      [count, first, last] = s as [number, number, number];
    },
  };
}

function busyMonitor(name: string, steps: () => number, from: number): Monitor {
  const level = new Level(0, steps, from);
  let ended = 0;
  const observer: TransitionObserver = {
    start: (time) => level.change(time, 1),
    end: (time) => {
      level.change(time, -1);
      if (time >= from) ended++;
    },
  };
  return {
    transition: { name, observer },
    figures: (time) => {
      const { mean, most, last } = level.figures(time);
      return { mean, most, last, count: ended, duration: ended > 0 ? level.area(time) / ended : Number.NaN };
    },
    save: () => [ended, ...level.state],
    load: ([n, ...rest]) => {
      ended = n!;
      level.state = rest;
    },
  };
}

/** False: every run of the net is the same. */
export function drawsNumbers({ places, transitions }: Net): boolean {
  const isRandom = (delay: Delay | undefined): boolean => delay !== undefined && 'dist' in delay;
  return (
    transitions.some((t) => isRandom(t.delay) || t.weight !== undefined) ||
    places.some(({ service }) => service !== undefined && 'time' in service && isRandom(service.time))
  );
}
