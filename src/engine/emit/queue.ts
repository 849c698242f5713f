import {
  emitHeaps,
  emitLists,
  emitNodes,
  FREE,
  isBefore,
  kindOf,
  linkOf,
  NONE,
  orderOf,
  REMOVED,
  takeIntoRun,
  timeOf,
} from './queue-nodes.ts';
import { emitTuning } from './queue-tuning.ts';
import { dayOf, emitYear, enterDay, INT_DAY, LAST_DAY, LATER, takeDay } from './queue-year.ts';

/** Steps along today's list before the heap is taken. */
const WALK = 16;
/** Removed nodes that may wait for being set free, besides as many as are pending. */
const WAITING = 64;

/**
 * Kernel text of the queue of pending completions, ordered by time; at equal times by `order`, the number of their
 * start; at equal orders by node. A node is the handle of a completion until that is popped or removed; it carries a
 * kind, which is in [0, 2³⁰), and `width` numbers. All names but H and N begin with `queue`:
 *
 * - `queueNext` is the earliest time, Infinity when empty; `queueSize` is how many are pending.
 * - `queuePush(time, order, kind)` enters a completion at a finite time and returns its node, whose values the caller
 *   writes.
 * - `queuePop()` removes the earliest node, which must exist, and returns it; its values stay readable until the next
 *   push.
 * - `queueRemove(node)` takes back a completion, which must be pending (`queueIsPending(node)` tells). Its node is set
 *   free when its turn comes, or when more wait for that than are pending: O(1) amortised.
 * - `queueGather(now, limit)` moves every completion up to `limit` to the time `now`, so that among them only the order
 *   of their starts counts.
 * - `queueDue(now, limit)` removes the earliest, which must exist, and returns it where it is the only one up to `limit`;
 *   else it gathers them, and returns −1.
 * - `queueClear()` removes all. O(capacity).
 *
 * A self-tuning calendar queue (Brown, _Calendar Queues_, CACM 31(10), 1988) between two heaps. A year is a ring of
 * days, a day a list without order, sorted when it comes to be today. What is entered today and would need a long walk
 * along that list goes into a heap; so does what lies more than a year ahead. A bit for each day tells whether it has
 * any, so that 32 empty days are passed at a time. How many days there are follows the size: 64 to 128 for each completion
 * that is pending while that makes at most 8,192, else 4 to 8; their length follows the time between the latest completions
 * (after Tan & Thng, _SNOOPy Calendar Queue_, WSC 2000, which tunes by what operations cost), and whether these come one by
 * one or in bursts. The day is a monotone function of the time, also when rounded: the order never depends on the tuning.
 *
 * Push and pop are O(1) on average while the rate of completions changes slowly, and at any number of equal times if
 * their orders ascend. Otherwise they are O(log n), whatever the times; and every max(n, 512) operations may cost O(n)
 * of tuning. Nothing is allocated but when an array is outgrown, and nothing is given back. Memory, by the greatest
 * size: 24 + 8 × width bytes for each node (their number is a power of 2), 16 to 32 for each completion, while these are
 * few up to 512 but 33 KiB in all, 4 more for one in a heap.
 */
export function emitQueue(width: number): string {
  return [
    emitNodes(width),
    emitLists(),
    emitHeaps(['queueToday', 'queueLater']),
    emitToday(),
    emitYear(),
    emitTuning(),
    emitOperations(),
    'queueClear();\n',
  ].join('');
}

/** What is called from outside. */
function emitOperations(): string {
  return `
function queuePush(time: num, order: num, kind: int): int {
  let node = queueFree;
  if (node < 0) {
    queueGrow();
    node = queueFree;
  }
  queueFree = ${FREE} - ${linkOf('node')};
  ${timeOf('node')} = time;
  ${orderOf('node')} = order;
  ${kindOf('node')} = kind;
  const size = queueSize + 1;
  queueSize = size;
  // As queueEnter does it, here for speed: most are of a day to come.
  const mask = queueMask;
  ${dayOf('time')}
  if (ahead >= 1 && ahead <= mask) {
    const dayAhead = ${INT_DAY};
    ${enterDay('node', 'dayAhead', 'mask')}
    if (time < queueNext) {
      queueNext = time;
      queueAhead = dayAhead;
    }
  } else {
    queueEnter(node, time);
    if (queueTicks <= 0) queueTune();
  }
  if (size > queueFull) queueRebuild(0);
  return node;
}

function queuePop(): int {
  let node = queueHead;
  let rest = ${NONE};
  if (node >= 0) {
    if (queuePlain < 0) return queuePopAnyhow();
    rest = ${linkOf('node')};
  } else {
    const day = queueAhead;
    if (day >= queuePlain || queueTicks <= 0) return queuePopAnyhow();
    const slot = day & queueMask;
    node = queueDays[slot];
    rest = ${linkOf('node')};
    if (rest >= 0) {
      queueOpen();
      node = queueHead;
      rest = ${linkOf('node')};
    } else {
      ${takeDay('slot')}
      queueDay = day;
      queueTicks--;
    }
  }
  queueHead = rest;
  queueSize--;
  if (rest < 0) queueSeek();
  else if ((${kindOf('rest')} & ${REMOVED}) === 0) queueNext = ${timeOf('rest')};
  else queueSettle();
  ${linkOf('node')} = ${FREE} - queueFree;
  queueFree = node;
  return node;
}

cold function queuePopAnyhow(): int {
  if (queueTodaySize > 0) queueRaise();
  else if (queueHead < 0) {
    if (queueTicks <= 0) queueTune();
    if (queueAhead === ${LATER}) queueTurn();
    queueOpen();
  }
  const node = queueHead;
  queueHead = ${linkOf('node')};
  queueSize--;
  queueSettle();
  queueLookLater();
  ${linkOf('node')} = ${FREE} - queueFree;
  queueFree = node;
  return node;
}

cold function queueRemove(node: int) {
  ${kindOf('node')} |= ${REMOVED};
  queueRemoved++;
  queueSize--;
  if (queueRemoved > queueSize + ${WAITING}) queueRebuild(queueTuned);
  else if (${timeOf('node')} === queueNext) queueSettle();
}

function queueGather(now: num, limit: num) { queueGatherWith(${NONE}, now, limit); }

function queueDue(now: num, limit: num): int {
  const node = queuePop();
  if (queueNext > limit) return node;
  queueFree = ${FREE} - ${linkOf('node')};
  ${linkOf('node')} = ${NONE};
  queueGatherWith(node, now, limit);
  return ${NONE};
}

// With one that has been removed, or none. All that is left comes later: those that are due go before it, in their order.
function queueGatherWith(first: int, now: num, limit: num) {
  let head = first, tail = first, strays = ${NONE}, count = 0;
  if (first >= 0) {
    ${timeOf('first')} = now;
    count = 1;
  }
  while (queueNext <= limit) {
    const node = queuePop();
    queueFree = ${FREE} - ${linkOf('node')};
    ${timeOf('node')} = now;
    count++;
    if (head < 0) {
      ${linkOf('node')} = ${NONE};
      head = node;
      tail = node;
    } else if (${orderOf('tail')} < ${orderOf('node')}) {
      ${linkOf('tail')} = node;
      ${linkOf('node')} = ${NONE};
      tail = node;
    } else {
      ${linkOf('node')} = strays;
      strays = node;
    }
  }
  if (head < 0) return;
  ${linkOf('tail')} = queueHead;
  if (queueHead < 0) queueTail = tail;
  queueHead = head;
  queueHint = ${NONE};
  queueNext = now;
  queueSize += count;
  queueTicks -= count;
  while (strays >= 0) {
    const node = strays;
    strays = ${linkOf('node')};
    queueInsert(node);
  }
}

cold function queueClear() {
  queueSize = 0;
  queueRemoved = 0;
  queueChain(0);
  queueLaterSize = 0;
  queueDays.fill(${NONE}, 0, queueMask + 1);
  queueMarks.fill(0, 0, (queueMask + 1) >> 5);
  queueNewYear(0, 0);
  queueBegin();
}
`;
}

/** Today: a sorted list from `queueHead` to `queueTail`, and a heap. */
function emitToday(): string {
  return `
let queueHead: int = ${NONE};
let queueTail: int = ${NONE};
// The node that was inserted last: those that follow it find their place here.
let queueHint: int = ${NONE};

// Makes the earliest the head of today's list, where there is a heap.
cold function queueRaise() {
  const top = queueTodayHeap[0];
  const head = queueHead;
  if (head >= 0 && ${isBefore('head', 'top')}) return;
  queueTodayPop();
  ${linkOf('top')} = head;
  queueHead = top;
}

// The day ahead becomes today, of which nothing is left.
function queueOpen() {
  const day = queueAhead;
  const slot = day & queueMask;
  let head = queueDays[slot];
  ${takeDay('slot')}
  queueDay = day;
  // A run that grows at both ends takes two nodes always, and most days have no more.
  let tail = head, count = 1;
  let first = ${timeOf('head')}, last = first;
  let node = ${linkOf('head')};
  for (; node >= 0; count++) {
    ${takeIntoRun()}
  }
  ${linkOf('tail')} = ${NONE};
  if (node >= 0) {
    head = queueMerge(head, queueSort(node));
    count = 1;
    for (tail = head; ${linkOf('tail')} >= 0; count++) tail = ${linkOf('tail')};
  }
  queueHead = head;
  queueTail = tail;
  queueHint = ${NONE};
  queueTicks = day >= ${LAST_DAY} ? 0 : queueTicks - count;
  if (day >= queuePlain && queueLaterSize > 0) queueFetch();
}

// Enters a node of today, or of a day before.
function queueInsert(node: int) {
  const head = queueHead, tail = queueTail;
  if (head < 0) {
    ${linkOf('node')} = ${NONE};
    queueHead = node;
    queueTail = node;
  } else if (${isBefore('tail', 'node')}) {
    ${linkOf('tail')} = node;
    ${linkOf('node')} = ${NONE};
    queueTail = node;
  } else if (${isBefore('node', 'head')}) {
    ${linkOf('node')} = head;
    queueHead = node;
  } else {
    queueInsertWithin(node);
    return;
  }
  queueHint = node;
}

// Enters a node between head and tail of today's list, or into the heap.
cold function queueInsertWithin(node: int) {
  const time = ${timeOf('node')};
  const hint = queueHint;
  let at = queueHead;
  // A hint that has left the list came before its head, unless it is in use again: then it is of a day to come.
  if (hint >= 0 && ${isBefore('at', 'hint')} && ${isBefore('hint', 'node')}) at = hint;
  let rest = ${linkOf('at')};
  for (let k = 0; ${isBefore('rest', 'node', timeOf('rest'), 'time')}; k++) {
    if (k === ${WALK}) {
      ${linkOf('node')} = ${NONE};
      if (hint === node) queueHint = ${NONE};
      queueTodayPush(node);
      queuePlain = ${NONE};
      return;
    }
    at = rest;
    rest = ${linkOf('rest')};
  }
  ${linkOf('at')} = node;
  ${linkOf('node')} = rest;
  queueHint = node;
}

// Finds the earliest, and sets free what was removed and stands before it.
cold function queueSettle() {
  for (;;) {
    const head = queueHead;
    if (head < 0 && queueTodaySize === 0) {
      if (queueSeekFar()) return;
      continue;
    }
    let top = head;
    let inHeap = 0;
    if (queueTodaySize > 0) {
      const other = queueTodayHeap[0];
      if (head < 0 || ${isBefore('other', 'head')}) {
        top = other;
        inHeap = 1;
      }
    }
    if ((${kindOf('top')} & ${REMOVED}) === 0) {
      queueNext = ${timeOf('top')};
      return;
    }
    if (inHeap) queueTodayPop();
    else queueHead = ${linkOf('top')};
    queueRelease(top);
  }
}
`;
}
