import { before } from './node-order.ts';

/** The end of a list: no node. */
export const NONE = -1;

/** Sorted lists that wait for being merged: that at k comes from 2ᵏ runs. */
const sorted = new Int32Array(32).fill(NONE);

/**
 * Sorts a list of nodes, each with the next in `link`, and returns its head: natural merge sort (Knuth, _The Art of
 * Computer Programming_ 3, §5.2.4) of runs that grow at both ends. O(k log r) time for r runs.
 */
export function sortList(list: number, link: Int32Array, times: Float64Array, orders: Float64Array): number {
  let most = 0;
  for (let node = list; node >= 0; ) {
    let head = node;
    let tail = node;
    node = link[node]!;
    while (node >= 0) {
      const rest = link[node]!;
      if (!before(node, tail, times, orders)) {
        link[tail] = node;
        tail = node;
      } else if (before(node, head, times, orders)) {
        link[node] = head;
        head = node;
      } else break;
      node = rest;
    }
    link[tail] = NONE;
    let k = 0;
    for (; sorted[k]! >= 0; k++) {
      head = mergeLists(sorted[k]!, head, link, times, orders);
      sorted[k] = NONE;
    }
    sorted[k] = head;
    most = Math.max(most, k);
  }
  let head = NONE;
  for (let k = 0; k <= most; k++) {
    head = mergeLists(sorted[k]!, head, link, times, orders);
    sorted[k] = NONE;
  }
  return head;
}

/** Merges two sorted lists, each may be empty, and returns the head. */
export function mergeLists(
  one: number,
  other: number,
  link: Int32Array,
  times: Float64Array,
  orders: Float64Array,
): number {
  if (one < 0 || other < 0) return Math.max(one, other);
  let a = one;
  let b = other;
  let head = NONE;
  let tail = NONE;
  while (a >= 0 && b >= 0) {
    let node = a;
    if (before(b, a, times, orders)) {
      node = b;
      b = link[b]!;
    } else a = link[a]!;
    if (tail < 0) head = node;
    else link[tail] = node;
    tail = node;
  }
  link[tail] = Math.max(a, b);
  return head;
}
