/*
 * Sample:
 * const p = place('p'), q = place('q');
 * fires((t) => { const { x } = t.take(p); t.delay(add(x, 1)); t.put(q, { x }); });
 * →
 *   function queuePush(time: num, order: num, kind: int): int {
 *   let node = queueFree;
 */
import { part } from '../part.ts';
import { HEAP, LISTS, NODE, NODES, nodesOf, SINK } from './queue-nodes.ts';
import { TUNING, TUNING_SIZES } from './queue-tuning.ts';
import { DAY, YEAR, YEAR_SIZES } from './queue-year.ts';

/** Maximum number of steps along today's list before the heap is used. */
const WALK = 16;
/** Removed nodes that may wait to be freed, in addition to the number of pending nodes. */
const WAITING = 64;

/**
 * Kernel text of the queue of pending completions. They are ordered by time, at equal times by `order`, the number of their
 * start, and at equal orders by node. A node is the handle of a completion until it is popped or removed; it carries a kind in
 * [0, 2³⁰) and `width` numbers. All names except H and N begin with `queue`:
 *
 * - `queueNext` is the earliest time, Infinity if the queue is empty; `queueSize` is the number of pending completions.
 * - `queuePush(time, order, kind)` enters a completion at a finite time and returns its node, whose values the caller writes.
 * - `queuePop()` removes and returns the earliest node, which must exist; its values stay readable until the next push.
 * - `queueRemove(node)` removes a pending completion (see `queueIsPending(node)`). Its node is freed when it is reached, or when
 *   more nodes wait to be freed than are pending: O(1) amortised.
 * - `queueGather(now, limit)` moves every completion up to `limit` to the time `now`, so that only the order of their starts
 *   counts among them.
 * - `queueDue(now, limit)` removes the earliest completion, which must exist. If it is the only one up to `limit`, it is returned;
 *   otherwise all of them are gathered, and −1 is returned.
 * - `queueClear()` removes all completions. O(capacity).
 *
 * The queue is a self-tuning calendar queue (Brown, _Calendar Queues_, CACM 31(10), 1988) between two heaps. A year is a ring of
 * days. A day is an unordered list, which is sorted when it becomes today. One heap holds completions that are entered today and
 * would need a long walk along today's list, the other holds those more than a year ahead. One bit per day marks the days that
 * are not empty, so that 32 empty days are skipped at a time.
 *
 * The number of days follows the size: 64 to 128 per pending completion up to 8,192 days in all, beyond that 4 to 8. The length
 * of a day follows the time between the latest completions (after Tan & Thng, _SNOOPy Calendar Queue_, WSC 2000, which tunes by
 * the cost of operations), and whether these come one by one or in bursts. The day is a monotone function of the time, also after
 * rounding, so the order never depends on the tuning.
 *
 * Push and pop take O(1) on average while the rate of completions changes slowly, and for any number of equal times if their
 * orders ascend. Otherwise they take O(log n), whatever the times. Tuning may cost O(n) every max(n, 512) operations. Memory is
 * allocated only when an array is outgrown, and is never released. By the greatest size reached, it is 24 + 8 × width bytes per
 * node (their number is a power of 2), plus 16 to 32 bytes per completion (for few completions up to 512 bytes each, but 33 KiB in
 * all), plus 4 bytes per completion in a heap.
 */
export function emitQueue(width: number): string {
  return [
    NODES({ ...NODE, ...nodesOf(width) }),
    LISTS(NODE),
    ...['queueToday', 'queueLater'].map((name) => HEAP({ ...NODE, name })),
    SINK(NODE),
    TODAY({ ...NODE, ...DAY, WALK }),
    YEAR({ ...NODE, ...DAY, ...YEAR_SIZES }),
    TUNING({ ...NODE, ...DAY, ...TUNING_SIZES }),
    OPERATIONS({ ...NODE, ...DAY, WAITING }),
    'queueClear();\n',
  ].join('');
}

/** Code of the functions that are called from outside. */
const OPERATIONS = part(
  {
    FREE: 'number',
    link: 'macro',
    time: 'macro',
    order: 'macro',
    kind: 'macro',
    dayOf: 'macro',
    INT_DAY: 'code',
    enterDay: 'macro',
    NONE: 'number',
    takeDay: 'macro',
    REMOVED: 'number',
    LATER: 'number',
    WAITING: 'number',
  },
  `
function queuePush(time: num, order: num, kind: int): int {
  let node = queueFree;
  if (node < 0) {
    queueGrow();
    node = queueFree;
  }
  queueFree = $FREE - $link(node);
  $time(node) = time;
  $order(node) = order;
  $kind(node) = kind;
  const size = queueSize + 1;
  queueSize = size;
  // Inlined part of queueEnter, for speed: most completions are on a future day.
  const mask = queueMask;
  $dayOf(time)
  if (ahead >= 1 && ahead <= mask) {
    const dayAhead = $INT_DAY;
    $enterDay(node, dayAhead, mask)
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
  let rest = $NONE;
  if (node >= 0) {
    if (queuePlain < 0) return queuePopAnyhow();
    rest = $link(node);
  } else {
    const day = queueAhead;
    if (day >= queuePlain || queueTicks <= 0) return queuePopAnyhow();
    const slot = day & queueMask;
    node = queueDays[slot];
    rest = $link(node);
    if (rest >= 0) {
      queueOpen();
      node = queueHead;
      rest = $link(node);
    } else {
      $takeDay(slot)
      queueDay = day;
      queueTicks--;
    }
  }
  queueHead = rest;
  queueSize--;
  if (rest < 0) queueSeek();
  else if (($kind(rest) & $REMOVED) === 0) queueNext = $time(rest);
  else queueSettle();
  $link(node) = $FREE - queueFree;
  queueFree = node;
  return node;
}

cold function queuePopAnyhow(): int {
  if (queueTodaySize > 0) queueRaise();
  else if (queueHead < 0) {
    if (queueTicks <= 0) queueTune();
    if (queueAhead === $LATER) queueTurn();
    queueOpen();
  }
  const node = queueHead;
  queueHead = $link(node);
  queueSize--;
  queueSettle();
  queueLookLater();
  $link(node) = $FREE - queueFree;
  queueFree = node;
  return node;
}

cold function queueRemove(node: int) {
  $kind(node) |= $REMOVED;
  queueRemoved++;
  queueSize--;
  if (queueRemoved > queueSize + $WAITING) queueRebuild(queueTuned);
  else if ($time(node) === queueNext) queueSettle();
}

function queueGather(now: num, limit: num) { queueGatherWith($NONE, now, limit); }

function queueDue(now: num, limit: num): int {
  const node = queuePop();
  if (queueNext > limit) return node;
  queueFree = $FREE - $link(node);
  $link(node) = $NONE;
  queueGatherWith(node, now, limit);
  return $NONE;
}

// Gathers all due completions and a node that has already been popped (or NONE). All others come later, so the due ones are
// put before them, in their order.
function queueGatherWith(first: int, now: num, limit: num) {
  let head = first, tail = first, strays = $NONE, count = 0;
  if (first >= 0) {
    $time(first) = now;
    count = 1;
  }
  while (queueNext <= limit) {
    const node = queuePop();
    queueFree = $FREE - $link(node);
    $time(node) = now;
    count++;
    if (head < 0) {
      $link(node) = $NONE;
      head = node;
      tail = node;
    } else if ($order(tail) < $order(node)) {
      $link(tail) = node;
      $link(node) = $NONE;
      tail = node;
    } else {
      $link(node) = strays;
      strays = node;
    }
  }
  if (head < 0) return;
  $link(tail) = queueHead;
  if (queueHead < 0) queueTail = tail;
  queueHead = head;
  queueHint = $NONE;
  queueNext = now;
  queueSize += count;
  queueTicks -= count;
  while (strays >= 0) {
    const node = strays;
    strays = $link(node);
    queueInsert(node);
  }
}

cold function queueClear() {
  queueSize = 0;
  queueRemoved = 0;
  queueChain(0);
  queueLaterSize = 0;
  queueDays.fill($NONE, 0, queueMask + 1);
  queueMarks.fill(0, 0, (queueMask + 1) >> 5);
  queueNewYear(0, 0);
  queueBegin();
}
`,
);

/** Code of today: a sorted list from `queueHead` to `queueTail`, and a heap. */
const TODAY = part(
  {
    NONE: 'number',
    isBefore: 'macro',
    link: 'macro',
    takeDay: 'macro',
    time: 'macro',
    takeIntoRun: 'macro',
    LAST_DAY: 'number',
    isBeforeTime: 'macro',
    WALK: 'number',
    kind: 'macro',
    REMOVED: 'number',
  },
  `
let queueHead: int = $NONE;
let queueTail: int = $NONE;
// The node that was inserted last: the search for the next insertion may begin here.
let queueHint: int = $NONE;

// Makes the earliest completion the head of today's list; today's heap must not be empty.
cold function queueRaise() {
  const top = queueTodayHeap[0];
  const head = queueHead;
  if (head >= 0 && $isBefore(head, top)) return;
  queueTodayPop();
  $link(top) = head;
  queueHead = top;
}

// Makes the day ahead today; the previous day must be empty.
function queueOpen() {
  const day = queueAhead;
  const slot = day & queueMask;
  let head = queueDays[slot];
  $takeDay(slot)
  queueDay = day;
  // A run that grows at both ends sorts up to two nodes, and most days have no more.
  let tail = head, count = 1;
  let first = $time(head), last = first;
  let node = $link(head);
  for (; node >= 0; count++) {
    $takeIntoRun()
  }
  $link(tail) = $NONE;
  if (node >= 0) {
    head = queueMerge(head, queueSort(node));
    count = 1;
    for (tail = head; $link(tail) >= 0; count++) tail = $link(tail);
  }
  queueHead = head;
  queueTail = tail;
  queueHint = $NONE;
  queueTicks = day >= $LAST_DAY ? 0 : queueTicks - count;
  if (day >= queuePlain && queueLaterSize > 0) queueFetch();
}

// Adds a node of today or of an earlier day.
function queueInsert(node: int) {
  const head = queueHead, tail = queueTail;
  if (head < 0) {
    $link(node) = $NONE;
    queueHead = node;
    queueTail = node;
  } else if ($isBefore(tail, node)) {
    $link(tail) = node;
    $link(node) = $NONE;
    queueTail = node;
  } else if ($isBefore(node, head)) {
    $link(node) = head;
    queueHead = node;
  } else {
    queueInsertWithin(node);
    return;
  }
  queueHint = node;
}

// Adds a node between head and tail of today's list, or to the heap.
cold function queueInsertWithin(node: int) {
  const time = $time(node);
  const hint = queueHint;
  let at = queueHead;
  // A hint that has left the list precedes the head; if its node is in use again, it is on a future day.
  if (hint >= 0 && $isBefore(at, hint) && $isBefore(hint, node)) at = hint;
  let rest = $link(at);
  for (let k = 0; $isBeforeTime(rest, node, time); k++) {
    if (k === $WALK) {
      $link(node) = $NONE;
      if (hint === node) queueHint = $NONE;
      queueTodayPush(node);
      queuePlain = $NONE;
      return;
    }
    at = rest;
    rest = $link(rest);
  }
  $link(at) = node;
  $link(node) = rest;
  queueHint = node;
}

// Finds the earliest completion, and frees removed nodes that precede it.
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
      if (head < 0 || $isBefore(other, head)) {
        top = other;
        inHeap = 1;
      }
    }
    if (($kind(top) & $REMOVED) === 0) {
      queueNext = $time(top);
      return;
    }
    if (inHeap) queueTodayPop();
    else queueHead = $link(top);
    queueRelease(top);
  }
}
`,
);
