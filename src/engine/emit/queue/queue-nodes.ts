/*
 * Sample:
 * const p = place('p'), q = place('q');
 * fires((t) => { const { x } = t.take(p); t.delay(add(x, 1)); t.put(q, { x }); });
 * →
 *   let H: nums = nums(256);
 *   let N: ints = view(H);
 */
import { part } from '../part.ts';

/** End of a list: no node. */
export const NONE = -1;
/** The link of a free node is FREE − the next free node. It is less than NONE, which distinguishes free from pending nodes. */
export const FREE = -3;
/** Bit of a node's kind: the node was removed, but is still in its list or heap. */
export const REMOVED: number = 2 ** 30;

/** Nodes allocated at first. */
const CAPACITY = 64;
/** Doubles of a record before its values: time, order, and two ints (link and kind). */
const HEAD = 3;

/** Length of a node's record, in doubles. */
export const strideOf = (width: number): number => HEAD + width;

/** Code for the members of a node's record; `node` is the code of its handle, the offset of the record in H. */
export const timeOf = (node: string): string => `H[${node}]`;
export const orderOf = (node: string): string => `H[${node} + 1]`;
export const linkOf = (node: string): string => `N[(${node} << 1) + 4]`;
export const kindOf = (node: string): string => `N[(${node} << 1) + 5]`;
export const valueAt = (node: string, k: number): string => `H[${node} + ${HEAD + k}]`;
/** Code for the values as ints, two per double. */
export const intValueAt = (node: string, k: number): string => `N[(${node} << 1) + ${2 * HEAD + k}]`;

/**
 * Code that is true if node a precedes node b: by time, then by order, then by handle. This is a strict total order. Variables
 * that already hold the times can be given as `timeA` and `timeB`.
 */
export function isBefore(a: string, b: string, timeA: string = timeOf(a), timeB: string = timeOf(b)): string {
  return `(${timeA} < ${timeB} || (${timeA} === ${timeB} && queueTie(${a}, ${b})))`;
}

/**
 * Code of a loop body that adds `node` at either end of the sorted run from `head` to `tail`, whose times are `first` and `last`,
 * and advances `node` along its list; it breaks if the node belongs inside the run.
 */
export const takeIntoRun = (): string => `const rest = ${linkOf('node')};
    const time = ${timeOf('node')};
    if (${isBefore('tail', 'node', 'last', 'time')}) {
      ${linkOf('tail')} = node;
      tail = node;
      last = time;
    } else if (${isBefore('node', 'head', 'time', 'first')}) {
      ${linkOf('node')} = head;
      head = node;
      first = time;
    } else break;
    node = rest;`;

/** Members and marks of nodes, for the parts of the queue. */
export const NODE = {
  time: timeOf,
  order: orderOf,
  link: linkOf,
  kind: kindOf,
  isBefore,
  isBeforeTime: (a: string, b: string, timeB: string): string => isBefore(a, b, timeOf(a), timeB),
  takeIntoRun,
  NONE,
  FREE,
  REMOVED,
} as const;

/** Arguments of {@link NODES} for nodes of `width` values. */
export const nodesOf = (width: number): { readonly stride: number; readonly ROOM: number } => ({
  stride: strideOf(width),
  ROOM: CAPACITY * strideOf(width),
});

/**
 * Code of the queue's nodes, one per completion: records in an array H, which doubles when it is full; N is the same memory as
 * ints. A node is the offset of its record, which holds a time, an order, a link for lists, a kind and `width` values. Free nodes
 * form a chain, in ascending order initially and after each doubling. 24 + 8 × width bytes per node.
 */
export const NODES = part(
  {
    ROOM: 'number',
    NONE: 'number',
    order: 'macro',
    stride: 'number',
    link: 'macro',
    FREE: 'number',
    kind: 'macro',
    REMOVED: 'number',
  },
  `
let H: nums = nums($ROOM);
let N: ints = view(H);
let queueSize: int = 0;
let queueFree: int = $NONE;
// Removed nodes that are not yet free.
let queueRemoved: int = 0;

function queueTie(a: int, b: int): int {
  const s = $order(a), t = $order(b);
  return s < t || (s === t && a < b);
}

// Chains the nodes with handles from the given one up; these must be all free nodes.
function queueChain(from: int) {
  queueFree = $NONE;
  for (let node = H.length - $stride; node >= from; node -= $stride) {
    $link(node) = $FREE - queueFree;
    queueFree = node;
  }
}

cold function queueGrow() {
  const old = H.length;
  H = grown(H, old * 2);
  queueChain(old);
}

// Frees a removed node, which must not be in a list or heap. Reuse overwrites its kind and so clears the mark.
function queueRelease(node: int) {
  queueRemoved--;
  $link(node) = $FREE - queueFree;
  queueFree = node;
}

function queueIsPending(node: int): int {
  if (node < 0 || node >= H.length || node % $stride !== 0) return 0;
  return $link(node) >= $NONE && ($kind(node) & $REMOVED) === 0;
}
`,
);

/**
 * Code that sorts lists of nodes: natural merge sort (Knuth, _The Art of Computer Programming_ 3, §5.2.4) with runs that grow at
 * both ends. O(k log r) time for k nodes in r runs.
 */
export const LISTS = part(
  { NONE: 'number', time: 'macro', link: 'macro', takeIntoRun: 'macro', isBefore: 'macro' },
  `
// Sorted lists to be merged; the list at index k consists of 2^k runs.
let queueSorted: ints = ints(32, $NONE);

cold function queueSort(list: int): int {
  let most = 0;
  let node = list;
  while (node >= 0) {
    let head = node, tail = node;
    let first = $time(node), last = first;
    node = $link(node);
    while (node >= 0) {
      $takeIntoRun()
    }
    $link(tail) = $NONE;
    let k = 0;
    for (; queueSorted[k] >= 0; k++) {
      head = queueMerge(queueSorted[k], head);
      queueSorted[k] = $NONE;
    }
    queueSorted[k] = head;
    if (k > most) most = k;
  }
  let all = $NONE;
  for (let k = 0; k <= most; k++) {
    all = queueMerge(queueSorted[k], all);
    queueSorted[k] = $NONE;
  }
  return all;
}

// Merges two sorted lists, which may be empty, and returns the head.
function queueMerge(one: int, other: int): int {
  if (one < 0) return other;
  if (other < 0) return one;
  let a = one, b = other;
  let s = $time(a), t = $time(b);
  let head = $NONE, tail = $NONE;
  while (a >= 0 && b >= 0) {
    let node = a;
    if ($isBefore(b, a, t, s)) {
      node = b;
      b = $link(b);
      if (b >= 0) t = $time(b);
    } else {
      a = $link(a);
      if (a >= 0) s = $time(a);
    }
    if (tail < 0) head = node;
    else $link(tail) = node;
    tail = node;
  }
  $link(tail) = a < 0 ? b : a;
  return head;
}
`,
);

/**
 * Code of 4-ary heaps of nodes (Williams 1964; arity after LaMarca & Ladner 1996), each an array and a size that begin with the
 * given name. Push and pop take O(log n), the push of a node that is last in order O(1); 4 bytes per node.
 */
export const HEAP = part(
  { name: 'name', time: 'macro', isBefore: 'macro' },
  `
let $nameSize: int = 0;
let $nameHeap: ints = ints(16);

cold function $namePush(node: int) {
  let k = $nameSize;
  $nameSize = k + 1;
  if (k === $nameHeap.length) $nameHeap = grown($nameHeap, k * 2);
  const time = $time(node);
  while (k > 0) {
    const up = (k - 1) >> 2;
    const other = $nameHeap[up];
    const t = $time(other);
    if ($isBefore(other, node, t, time)) break;
    $nameHeap[k] = other;
    k = up;
  }
  $nameHeap[k] = node;
}

cold function $namePop(): int {
  const top = $nameHeap[0];
  const size = $nameSize - 1;
  $nameSize = size;
  if (size > 0) queueSink($nameHeap, size, 0, $nameHeap[size]);
  return top;
}
`,
);

/** Code that both heaps use: moves a node down from a position to its place. */
export const SINK = part(
  { time: 'macro', isBefore: 'macro' },
  `
cold function queueSink(heap: ints, size: int, from: int, node: int) {
  const time = $time(node);
  let k = from;
  for (;;) {
    const first = (k << 2) + 1;
    if (first >= size) break;
    const end = first + 4 < size ? first + 4 : size;
    let at = first;
    let best = heap[first];
    let least = $time(best);
    for (let c = first + 1; c < end; c++) {
      const other = heap[c];
      const t = $time(other);
      if ($isBefore(other, best, t, least)) {
        at = c;
        best = other;
        least = t;
      }
    }
    if ($isBefore(node, best, time, least)) break;
    heap[k] = best;
    k = at;
  }
  heap[k] = node;
}
`,
);
