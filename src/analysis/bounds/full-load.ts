import { InputError } from '../../base/problem.ts';
import type { Net } from '../../net/net.ts';
import { placeNames } from '../structure/prove-property.ts';
import { type Balance, type LinearRows, linearRows } from './linear-rows.ts';
import { provedBound } from './proved-bound.ts';
import { Simplex } from './simplex.ts';
import { type TimedNet, timedNet } from './timed-net.ts';

/** A place at which tokens arrive, in any steady state, at least as fast as they can leave. */
export interface FullPlace {
  /** Index in the given net. */
  readonly place: number;
  /** Its name, with the colour: `queue[red]`. */
  readonly name: string;
  /** True if they arrive faster: load above 1. False: load 1, apart from rounding. */
  readonly isOver: boolean;
  /** Tokens per second that arrive at least, and that leave at most, if these two alone show it. */
  readonly rates?: { readonly arrive: number; readonly leave: number };
}

/** Maximum number of places without a maximum of tokens that are examined, and of entries of a tableau. */
const MAX_PLACES = 16;
const MAX_ENTRIES = 500_000;
/** Differences of rates below this share of them are rounding. */
const ROUNDING = 1e-8;

/**
 * Places whose load is 1 or more, by linear programs over the rows of `throughputBounds`: the place may give away any number of tokens, all
 * other places are balanced. If even then not more tokens can leave than arrive, its consumers never empty it.
 * With load above 1, the place has no steady state. With load 1 and random times it has none either: such a queue is a random walk
 * without drift. Places that only wait for the consumers of such a place are left out.
 *
 * @returns an empty list if no such place is found, also for nets without bounds
 */
export function fullPlaces(net: Net, stop: () => boolean = () => false): readonly FullPlace[] {
  try {
    return fullPlacesOf(timedNet(net), stop);
  } catch (error) {
    if (error instanceof InputError) return [];
    throw error;
  }
}

function fullPlacesOf(timed: TimedNet, stop: () => boolean): readonly FullPlace[] {
  const alone = linearRows(timed, stop, () => 'saturated');
  const { petri, bounds, rows, variables } = alone;
  if (rows.length * (variables + 2 * rows.length) > MAX_ENTRIES) return [];
  const names = placeNames(petri);
  const open = petri.places.flatMap((_, p) => (bounds[p] === Number.POSITIVE_INFINITY ? [p] : []));
  const free = new Means(alone, stop);
  return open.slice(0, MAX_PLACES).flatMap((p): FullPlace[] => {
    const { kind, node } = petri.places[p]!;
    // Firings in progress without a maximum have no consumer that could be too slow.
    if (kind === 'busy' || stop()) return [];
    const means = (others: Balance): Means =>
      new Means(
        linearRows(timed, stop, (q) => (q === p ? 'saturated' : others)),
        stop,
      );
    const balanced = means('equal');
    // If other places cannot be balanced, they may pile up; how many tokens they pass on is then not known.
    const load = loadOf(balanced.isFeasible ? balanced : means('piles up'), p);
    if (load === undefined || !(balanced.isFeasible || load.isOver)) return [];
    const { leave, ...rest } = load;
    // Its own consumers limit it if they are no faster where all other places have tokens and room.
    const isLimit = free.most(alone.traffic(p).departures) <= leave * (1 + ROUNDING);
    return isLimit ? [{ place: timed.places[node]!.origin, name: names[p]!, ...rest }] : [];
  });
}

/** Upper bounds of sums of flows. */
class Means {
  readonly system: LinearRows;
  readonly #program: Simplex;

  constructor(system: LinearRows, stop: () => boolean) {
    this.system = system;
    this.#program = new Simplex(system.variables, system.rows, stop);
  }

  get isFeasible(): boolean {
    return this.#program.isFeasible;
  }

  most(sum: ReadonlyMap<number, number>): number {
    const y = this.#program.maximise(sum);
    return y === undefined ? Number.POSITIVE_INFINITY : provedBound(this.system.rows, sum, y, this.system.most);
  }
}

function loadOf(means: Means, place: number): (Pick<FullPlace, 'isOver' | 'rates'> & { leave: number }) | undefined {
  const { arrivals, departures } = means.system.traffic(place);
  if (arrivals.size === 0 || departures.size === 0) return undefined;
  if (!means.isFeasible) return undefined;
  const drained = new Map(departures);
  for (const [v, n] of arrivals) drained.set(v, (drained.get(v) ?? 0) - n);
  const excess = means.most(drained);
  const arrive = -means.most(new Map([...arrivals].map(([v, n]) => [v, -n])));
  const leave = means.most(departures);
  const rounding = ROUNDING * Math.max(arrive, Number.isFinite(leave) ? leave : 0);
  // A place that nothing need enter is not full.
  if (!(arrive > 0 && excess <= rounding)) return undefined;
  return { isOver: excess < -rounding, leave, ...(arrive >= leave - rounding ? { rates: { arrive, leave } } : {}) };
}
