import type { Placing } from './placing.ts';

/** Steps of one descent: gains that are computed, times the partners of a rank. Bounds the time for many ranks. */
const MAX_STEPS = 5e6;
/** Gains below this share of the estimate are rounding. */
const ROUNDING = 1e-12;

/**
 * Places ranks so that those which exchange most bytes are near to each other. Hosts are filled one after the other, each time
 * the one nearest to those in use, with the rank that exchanges most bytes with the ranks on the host, then with all placed ranks.
 * Pairs of ranks then change places as long as that lowers the estimate.
 *
 * Source: the greedy growth and the exchanges of Kernighan and Lin, An efficient heuristic procedure for partitioning graphs,
 * 1970, with several parts and distances.
 *
 * @param room maximum number of ranks on each host; may be below that of the machine
 * @param first the host to begin with
 * @complexity O(ranks² + hosts²) and the descent
 */
export function partitioned(placing: Placing, room: Int32Array, first: number): Int32Array {
  return exchanged(placing, grown(placing, room, first));
}

function grown(placing: Placing, room: Int32Array, first: number): Int32Array {
  const { ranks, hosts } = placing;
  const placement = new Int32Array(ranks).fill(-1);
  const toAll = new Float64Array(ranks);
  const total = Float64Array.from({ length: ranks }, (_, rank) =>
    placing.volumes(rank).reduce((sum, { bytes }) => sum + bytes, 0),
  );
  const used: number[] = [];
  const open = new Set(Array.from({ length: hosts }, (_, h) => h).filter((h) => room[h]! > 0));
  const far = new Float64Array(hosts);
  let left = ranks;
  for (let host = room[first]! > 0 ? first : nearest(open, far); left > 0; host = nearest(open, far)) {
    open.delete(host);
    used.push(host);
    for (const h of open) far[h]! += placing.distance(host, h).latency + REFERENCE * placing.distance(host, h).perByte;
    const toHost = new Float64Array(ranks);
    for (let k = 0; k < room[host]! && left > 0; k++, left--) {
      let best = -1;
      for (let rank = 0; rank < ranks; rank++)
        if (placement[rank] === -1 && (best === -1 || isBefore(rank, best, [toHost, toAll, total]))) best = rank;
      placement[best] = host;
      for (const { rank, bytes } of placing.volumes(best)) {
        toHost[rank]! += bytes;
        toAll[rank]! += bytes;
      }
    }
  }
  return placement;
}

/** Bytes of the message that compares latency and bandwidth of free hosts. */
const REFERENCE = 65536;

function nearest(open: ReadonlySet<number>, far: Float64Array): number {
  let best = -1;
  for (const h of open) if (best === -1 || far[h]! < far[best]!) best = h;
  return best;
}

/** Compares two ranks by the first list in which they differ; the larger value comes first. */
function isBefore(a: number, b: number, lists: readonly Float64Array[]): boolean {
  for (const values of lists) if (values[a] !== values[b]) return values[a]! > values[b]!;
  return false;
}

/** Exchanges pairs of ranks as long as that lowers the estimate; each host keeps its number of ranks. */
export function exchanged(placing: Placing, start: Int32Array): Int32Array {
  const placement = start.slice();
  const { ranks } = placing;
  const least = ROUNDING * Math.min(placing.estimate(placement), Number.MAX_VALUE);
  let steps = 0;
  for (let isBetter = true; isBetter; ) {
    isBetter = false;
    for (let a = 0; a < ranks; a++)
      for (let b = a + 1; b < ranks; b++) {
        if (placement[a] === placement[b]) continue;
        steps += placing.volumes(a).length + placing.volumes(b).length + 1;
        if (steps > MAX_STEPS) return placement;
        const gain = placing.exchangeGain(placement, a, b);
        if (!(gain > least)) continue;
        const host = placement[a]!;
        placement[a] = placement[b]!;
        placement[b] = host;
        isBetter = true;
      }
  }
  return placement;
}
