import { didYouMean, fail } from '../base/problem.ts';
import type { CountObserver, TransitionObserver } from '../engine/compile.ts';
import type { Net } from '../net/net.ts';

/**
 * What to measure during a run, as plain data: the tokens of a place (those in service included), the firings of a
 * transition, or how many firings of one that lasts are in progress.
 */
export type MonitorSpec = { readonly tokens: string } | { readonly firings: string } | { readonly busy: string };

/** Named figures of a monitor; times in seconds, rates per second. */
export type Figures = Readonly<Record<string, number>>;

/** A number that changes in time, and its time average: `∫ level dt / T`. */
class Level {
  #level: number;
  #area = 0;
  #since = 0;
  #least: number;
  #most: number;

  constructor(level: number) {
    this.#level = this.#least = this.#most = level;
  }

  change(time: number, by: number): void {
    this.#area += this.#level * (time - this.#since);
    this.#since = time;
    this.#level += by;
    if (this.#level < this.#least) this.#least = this.#level;
    if (this.#level > this.#most) this.#most = this.#level;
  }

  figures(time: number): { mean: number; least: number; most: number; last: number } {
    const area = this.#area + this.#level * (time - this.#since);
    return { mean: time > 0 ? area / time : this.#level, least: this.#least, most: this.#most, last: this.#level };
  }

  get state(): readonly number[] {
    return [this.#level, this.#area, this.#since, this.#least, this.#most];
  }

  set state(s: readonly number[]) {
    [this.#level, this.#area, this.#since, this.#least, this.#most] = s as [number, number, number, number, number];
  }
}

/** Observes a run without changing it. */
export interface Monitor {
  readonly transition?: { readonly name: string; readonly observer: TransitionObserver };
  readonly place?: { readonly name: string; readonly observer: CountObserver };
  figures(time: number): Figures;
  save(): readonly number[];
  load(state: readonly number[]): void;
}

/**
 * Makes a monitor of what is to be measured.
 *
 * - `tokens`: `mean`, `least`, `most` and `last` number of tokens
 * - `firings`: `count`, `rate` per second, `between`: mean seconds from one to the next
 * - `busy`: `mean`, `most` and `last` number in progress, `count` of those that ended, `duration`: their mean seconds (Little's
 *   law: time in progress / ended, which is exact once none is in progress)
 *
 * @throws InputError SIM001 where the net has no such place or transition; SIM002 where a firing does not last.
 */
export function monitorOf(net: Net, spec: MonitorSpec): Monitor {
  if ('tokens' in spec) return tokensMonitor(net, spec.tokens);
  const name = 'firings' in spec ? spec.firings : spec.busy;
  const transition = net.transitions.find((t) => t.name === name);
  if (transition === undefined)
    return fail(
      'SIM001',
      `unknown transition "${name}".${didYouMean(
        name,
        net.transitions.map((t) => t.name),
      )}`,
      { part: 'monitor' },
    );
  if ('firings' in spec) return firingsMonitor(name);
  if (transition.delay === undefined || transition.timing === 'race')
    fail('SIM002', `transition "${name}" fires at once: nothing is in progress`, { part: 'monitor' });
  return busyMonitor(name);
}

function tokensMonitor(net: Net, name: string): Monitor {
  const place = net.places.find((p) => p.name === name);
  if (place === undefined)
    return fail(
      'SIM001',
      `unknown place "${name}".${didYouMean(
        name,
        net.places.map((p) => p.name),
      )}`,
      { part: 'monitor' },
    );
  const level = new Level(place.initial.reduce((sum, t) => sum + t.count, 0));
  return {
    place: { name, observer: (time, by) => level.change(time, by) },
    figures: (time) => level.figures(time),
    save: () => level.state,
    load: (s) => {
      level.state = s;
    },
  };
}

function firingsMonitor(name: string): Monitor {
  let count = 0;
  let first = 0;
  let last = 0;
  const start = (time: number): void => {
    if (count++ === 0) first = time;
    last = time;
  };
  return {
    transition: { name, observer: { start } },
    figures: (time) => ({
      count,
      rate: time > 0 ? count / time : 0,
      between: count > 1 ? (last - first) / (count - 1) : Number.NaN,
    }),
    save: () => [count, first, last],
    load: (s) => {
      [count, first, last] = s as [number, number, number];
    },
  };
}

function busyMonitor(name: string): Monitor {
  const level = new Level(0);
  let ended = 0;
  const observer: TransitionObserver = {
    start: (time) => level.change(time, 1),
    end: (time) => {
      level.change(time, -1);
      ended++;
    },
  };
  return {
    transition: { name, observer },
    figures: (time) => {
      const { mean, most, last } = level.figures(time);
      return { mean, most, last, count: ended, duration: ended > 0 ? (mean * time) / ended : Number.NaN };
    },
    save: () => [ended, ...level.state],
    load: ([n, ...rest]) => {
      ended = n!;
      level.state = rest;
    },
  };
}
