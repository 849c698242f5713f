import { xorshift } from '../../../base/random/threefry.ts';
import { canonicalPlacement } from './equal-hosts.ts';
import { partitioned } from './partition.ts';
import type { Placing } from './placing.ts';

/** Inputs of a search. */
export interface SearchParts {
  readonly placing: Placing;
  /** The smallest of the hosts with which each host can be exchanged. */
  readonly classes: Int32Array;
  /** The placement of the first run, and its run time in seconds. */
  readonly given: { readonly placement: Int32Array; readonly seconds: number };
  /** Predicts the run time in seconds; undefined for a placement that cannot run to its end. */
  readonly predict: (placement: Int32Array) => number | undefined;
  /** Maximum number of predictions. */
  readonly limit: number;
  /** Polled before each prediction; true ends the search. */
  readonly cancelled: () => boolean;
}

/** The best placement of a search. */
export interface Found {
  readonly placement: Int32Array;
  readonly seconds: number;
  /** Number of predictions, without that of the given placement. */
  readonly predictions: number;
  /** All placements were tried, up to exchanges of equal hosts: no other one is faster. */
  readonly all: boolean;
  /** False if the search was cancelled. */
  readonly complete: boolean;
}

/** Times that differ by less than this share are equal. */
const EQUAL = 1e-9;
/** Maximum number of hosts with which the partitioning begins. */
const FIRST_HOSTS = 4;
/** Maximum number of changes of one placement that are ordered by their estimate. */
const MAX_CHANGES = 4096;
/** Restarts from the best placement without a new placement, after which the search ends. */
const MAX_FRUITLESS = 50;
/** Maximum number of ranks on several hosts whose placements are counted. */
const MAX_RANKS_OF_ALL = 512;
/** Seed of the drawn changes. */
const SEED = 1;

/**
 * Looks for the placement with the shortest predicted run time. If there are at most `limit` placements, up to exchanges of equal
 * hosts, all are tried. Otherwise placements by graph partitioning are predicted, then changes of the best one: two
 * ranks change places, or a rank moves to a free core. Changes with the largest gain of the estimate alternate with drawn ones; a
 * change that shortens the run is kept. Where none does, ranks of the best placement are exchanged and moved at random, and the
 * search goes on from there. The same input gives the same result.
 */
export function searchPlacement({ placing, classes, given, predict, limit, cancelled }: SearchParts): Found {
  const random = xorshift(SEED);
  const known = new Map<string, number>();
  const keyOf = (placement: Int32Array): string => canonicalPlacement(placement, classes).join();
  known.set(keyOf(given.placement), given.seconds);
  let best = given;
  let predictions = 0;
  let isCancelled = false;
  const isOver = (): boolean => {
    isCancelled ||= cancelled();
    return isCancelled || predictions >= limit;
  };
  /** The run time of a placement; infinite if it cannot run. */
  const seconds = (placement: Int32Array): number => {
    const key = keyOf(placement);
    const before = known.get(key);
    if (before !== undefined) return before;
    const found = predict(canonicalPlacement(placement, classes)) ?? Number.POSITIVE_INFINITY;
    // A cancelled run has no time.
    isCancelled ||= cancelled();
    if (isCancelled) return Number.POSITIVE_INFINITY;
    predictions++;
    known.set(key, found);
    if (found < best.seconds * (1 - EQUAL))
      best = { placement: canonicalPlacement(placement, classes), seconds: found };
    return found;
  };
  const result = (all: boolean): Found => ({ ...best, predictions, all: all && !isCancelled, complete: !isCancelled });

  // The given one is among them.
  const every = allPlacements(placing, classes, limit + 1);
  if (every !== undefined) {
    for (const placement of every) if (!isOver()) seconds(placement);
    return result(every.every((placement) => known.has(keyOf(placement))));
  }
  for (const start of starts(placing, classes, given.placement)) if (!isOver()) seconds(start);
  let at = best;
  for (let fruitless = 0; !isOver() && fruitless < MAX_FRUITLESS; ) {
    const before = predictions;
    at = descended(placing, at, random, seconds, isOver);
    fruitless = predictions === before ? fruitless + 1 : 0;
    const shaken = shakenFrom(placing, best.placement, 2 + drawn(random, 3) + fruitless, random);
    if (isOver()) break;
    at = { placement: shaken, seconds: seconds(shaken) };
  }
  return result(false);
}

const drawn = (random: () => number, below: number): number => Math.floor(random() * below);

function exchange(placement: Int32Array, a: number, b: number): void {
  const host = placement[a]!;
  placement[a] = placement[b]!;
  placement[b] = host;
}

/** A placement after this number of drawn changes. */
function shakenFrom({ ranks, room }: Placing, from: Int32Array, changes: number, random: () => number): Int32Array {
  const placement = from.slice();
  const left = room.slice();
  for (const host of placement) left[host]!--;
  for (let k = 0; k < changes; k++) {
    const rank = drawn(random, ranks);
    const host = drawn(random, room.length);
    if (left[host]! > 0) {
      left[placement[rank]!]!++;
      left[host]!--;
      placement[rank] = host;
    } else exchange(placement, rank, drawn(random, ranks));
  }
  return placement;
}

/** All placements, one for each set of those that differ by exchanges of equal hosts; undefined if there are more than `limit`. */
function allPlacements(placing: Placing, classes: Int32Array, limit: number): Int32Array[] | undefined {
  const { ranks, hosts, room } = placing;
  // More ranks have more placements than the limit: each rank may be alone on one of two hosts.
  if (ranks > MAX_RANKS_OF_ALL && room.filter((most) => most > 0).length > 1) return undefined;
  const found: Int32Array[] = [];
  const placement = new Int32Array(ranks);
  const used = new Int32Array(hosts);
  /** Places the ranks from this one on; false if there are too many. */
  const place = (rank: number): boolean => {
    if (rank === ranks) return found.push(placement.slice()) <= limit;
    const begun = new Set<number>();
    for (let host = 0; host < hosts; host++) {
      if (used[host]! >= room[host]!) continue;
      // Unused equal hosts give the same run time, so only the first one is taken.
      if (used[host] === 0) {
        if (begun.has(classes[host]!)) continue;
        begun.add(classes[host]!);
      }
      used[host]!++;
      placement[rank] = host;
      const isFew = place(rank + 1);
      used[host]!--;
      if (!isFew) return false;
    }
    return true;
  };
  return place(0) ? found : undefined;
}

/**
 * Placements to begin with: by partitioning with full nodes, with as many ranks on each node as in the given placement, and with
 * ranks spread over all nodes, from several first hosts each; and the given one with its ranks exchanged.
 */
function starts(placing: Placing, classes: Int32Array, given: Int32Array): Int32Array[] {
  const { ranks, room, hosts } = placing;
  const asGiven = new Int32Array(hosts);
  for (const host of given) asGiven[host]!++;
  const spread = room.slice();
  for (let most = 1; ; most++) {
    for (let h = 0; h < hosts; h++) spread[h] = Math.min(room[h]!, most);
    if (spread.reduce((a, b) => a + b, 0) >= ranks) break;
  }
  const firsts = [...new Set(classes)].filter((host) => room[host]! > 0);
  const some = firsts.filter((_, k) => k % Math.ceil(firsts.length / FIRST_HOSTS) === 0);
  const made = some.flatMap((first) => [room, asGiven, spread].map((rooms) => partitioned(placing, rooms, first)));
  return made.sort((a, b) => placing.estimate(a) - placing.estimate(b));
}

interface Timed {
  readonly placement: Int32Array;
  readonly seconds: number;
}

/** A change of a placement: `rank` moves to `host`, or changes places with `partner`. */
interface Change {
  readonly gain: number;
  readonly rank: number;
  readonly partner?: number;
  readonly host?: number;
}

/** Changes a placement as long as that shortens the run. */
function descended(
  placing: Placing,
  start: Timed,
  random: () => number,
  seconds: (placement: Int32Array) => number,
  isOver: () => boolean,
): Timed {
  let at = start;
  for (;;) {
    const better = firstBetter(placing, at, random, seconds, isOver);
    if (better === undefined) return at;
    at = better;
  }
}

function firstBetter(
  placing: Placing,
  at: Timed,
  random: () => number,
  seconds: (placement: Int32Array) => number,
  isOver: () => boolean,
): Timed | undefined {
  const changes = changesOf(placing, at.placement, random);
  for (let k = 0; changes.length > 0; k++) {
    if (isOver()) return undefined;
    const [{ rank, partner, host }] = changes.splice(k % 2 === 0 ? 0 : drawn(random, changes.length), 1) as [Change];
    const placement = at.placement.slice();
    if (partner === undefined) placement[rank] = host!;
    else exchange(placement, rank, partner);
    const found = seconds(placement);
    if (found < at.seconds * (1 - EQUAL)) return { placement, seconds: found };
  }
  return undefined;
}

/** Changes of a placement, the largest gain of the estimate first. */
function changesOf(placing: Placing, placement: Int32Array, random: () => number): Change[] {
  const { ranks, hosts, room } = placing;
  const used = new Int32Array(hosts);
  for (const host of placement) used[host]!++;
  const free = Array.from({ length: hosts }, (_, h) => h).filter((h) => used[h]! < room[h]!);
  const exchanges = (ranks * (ranks - 1)) / 2;
  const moves = ranks * free.length;
  const changes: Change[] = [];
  const add = (number: number): void => {
    if (number >= exchanges) {
      const rank = Math.floor((number - exchanges) / free.length);
      const host = free[(number - exchanges) % free.length]!;
      if (placement[rank] !== host) changes.push({ gain: placing.moveGain(placement, rank, host), rank, host });
      return;
    }
    // Pair (a, b), a < b, of number b (b − 1) / 2 + a.
    let b = Math.floor((1 + Math.sqrt(1 + 8 * number)) / 2);
    if ((b * (b - 1)) / 2 > number) b--;
    const a = number - (b * (b - 1)) / 2;
    if (placement[a] !== placement[b])
      changes.push({ gain: placing.exchangeGain(placement, a, b), rank: a, partner: b });
  };
  const count = exchanges + moves;
  if (count <= MAX_CHANGES) for (let k = 0; k < count; k++) add(k);
  else for (let k = 0; k < MAX_CHANGES; k++) add(drawn(random, count));
  const order = (gain: number): number => (Number.isNaN(gain) ? Number.NEGATIVE_INFINITY : gain);
  return changes.sort((a, b) => order(b.gain) - order(a.gain));
}
