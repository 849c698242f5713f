import { lasts } from '../../analysis/monitor.ts';
import { leavesAtOnce, serversOf } from '../../analysis/stations.ts';
import type { CountObserver, TransitionObserver } from '../../engine/observers.ts';
import type { Net } from '../../net/net.ts';
import type { PlaceFigures, TransitionFigures } from './prediction.ts';

/** A piecewise constant level: time integrals of the level and of its part up to `limit`, and its maximum. */
class Level {
  readonly #limit: number;
  #level: number;
  #since = 0;
  #area = 0;
  #limited = 0;
  #most: number;

  constructor(level: number, limit: number) {
    this.#level = level;
    this.#most = level;
    this.#limit = limit;
  }

  change(time: number, by: number): void {
    // Tokens that a step takes and returns at once do not count as a change.
    if (time > this.#since) this.#advance(time);
    this.#level += by;
  }

  #advance(time: number): void {
    this.#area += this.#level * (time - this.#since);
    this.#limited += Math.min(this.#level, this.#limit) * (time - this.#since);
    this.#most = Math.max(this.#most, this.#level);
    this.#since = time;
  }

  /** Means over time; `limited` of the part up to the limit. Null for a run without time. */
  figures(time: number): { mean: number | null; limited: number | null; most: number; last: number } {
    if (time > this.#since) this.#advance(time);
    const over = (area: number): number | null => (time > 0 ? area / time : null);
    const most = Math.max(this.#most, this.#level);
    return { mean: over(this.#area), limited: over(this.#limited), most, last: this.#level };
  }
}

/** Measures the tokens of every place and the firings in progress of every transition of a net during one run. */
export class NetMeter {
  readonly counts: Readonly<Record<string, CountObserver>>;
  readonly observers: Readonly<Record<string, TransitionObserver>>;
  readonly #net: Net;
  #places: readonly Level[] = [];
  #transitions: readonly Level[] = [];

  constructor(net: Net) {
    this.#net = net;
    this.begin();
    this.counts = record(
      net.places,
      (_, k): CountObserver =>
        (time, by) =>
          this.#places[k]!.change(time, by),
    );
    const observed = (k: number): TransitionObserver => ({
      start: (time) => this.#transitions[k]!.change(time, 1),
      end: (time) => this.#transitions[k]!.change(time, -1),
    });
    this.observers = record(net.transitions, (t, k) => (lasts(t) ? observed(k) : undefined));
  }

  /** Resets the meter for the next run. */
  begin(): void {
    const { places, transitions } = this.#net;
    this.#places = places.map(
      (p) =>
        new Level(
          p.initial.reduce((n, { count }) => n + count, 0),
          serversOf(p) ?? 0,
        ),
    );
    this.#transitions = transitions.map(() => new Level(0, 1));
  }

  /** Figures of all places, at the end of the run. */
  places(time: number): PlaceFigures[] {
    return this.#net.places.map((place, k): PlaceFigures => {
      const { mean, limited, most, last } = this.#places[k]!.figures(time);
      const servers = serversOf(place);
      const known = servers !== undefined && leavesAtOnce(this.#net, place);
      return { name: place.name, mean, most, last, ...(known ? { utilisation: divided(limited, servers) } : {}) };
    });
  }

  /** Figures of all transitions, at the end of the run. */
  transitions(time: number, firings: Readonly<Record<string, number>>): TransitionFigures[] {
    return this.#net.transitions.map((t, k): TransitionFigures => {
      const count = firings[t.name] ?? 0;
      const rate = time > 0 ? count / time : null;
      if (!lasts(t)) return { name: t.name, firings: count, rate };
      const { mean, limited } = this.#transitions[k]!.figures(time);
      return { name: t.name, firings: count, rate, inProgress: mean, utilisation: limited };
    });
  }
}

const divided = (value: number | null, by: number): number | null => (value === null ? null : value / by);

/** A record by the names of places or transitions, which may be any string. */
function record<T extends { readonly name: string }, V>(
  all: readonly T[],
  of: (one: T, index: number) => V | undefined,
): Record<string, V> {
  const found: Record<string, V> = Object.create(null);
  for (const [k, one] of all.entries()) {
    const value = of(one, k);
    if (value !== undefined) found[one.name] = value;
  }
  return found;
}
