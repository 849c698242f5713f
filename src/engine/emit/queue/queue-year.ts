/*
 * Sample:
 * const p = place('p'), q = place('q');
 * fires((t) => { const { x } = t.take(p); t.delay(add(x, 1)); t.put(q, { x }); });
 * →
 *   let queueDays: ints = ints(32, -1);
 *   let queueMarks: ints = ints(1);
 *   let queueMask: int = 31;
 */
import { part } from '../part.ts';
import { linkOf, NONE } from './queue-nodes.ts';

/** The shortest year, in days: one word of marks. */
export const SHORTEST_YEAR = 32;
/** Highest day number before the numbering starts again. */
export const LAST_DAY: number = 2 ** 30;
/** Used as a day number: beyond the year. */
export const LATER: number = 2 ** 31 - 1;
/** Maximum number of nodes of a day that are searched for the earliest; a longer day is opened instead. */
const WALK = 16;
/** Adding this to a number below 2^51 rounds it to an integer, which is then held in the lower bits. */
export const ROUNDING: number = 2 ** 52;

/**
 * Code that declares `day`, the day of a time, and `ahead`, its distance from today. Days are always rounded, never truncated:
 * any other conversion of a number to an int requires a range test.
 */
export const dayOf = (time: string): string => `const day = (${time} - queueBase) * queueRate + ${ROUNDING};
  const ahead = day - ${ROUNDING} - queueDay;`;

/** Code: `day` as an int, if it is a day of this year. */
export const INT_DAY = 'lowWord(day)';

/** Code that adds a node to a day of this year; `day` is an int, `mask` the mask of the year. */
export function enterDay(node: string, day: string, mask: string): string {
  return `const slot = ${day} & ${mask};
    ${linkOf(node)} = queueDays[slot];
    queueDays[slot] = ${node};
    queueMarks[slot >> 5] |= 1 << slot;`;
}

/** Code that removes the list of a day from the year; the caller has taken its nodes before. */
export const takeDay = (slot: string): string => `queueDays[${slot}] = ${NONE};
    queueMarks[${slot} >> 5] &= ~(1 << ${slot});`;

/** Days, for the parts of the queue. */
export const DAY = { dayOf, enterDay, takeDay, INT_DAY, LAST_DAY, LATER, SHORTEST_YEAR } as const;

/** Arguments of {@link YEAR}. */
export const YEAR_SIZES = { WALK, WORDS: SHORTEST_YEAR >> 5, MASK: SHORTEST_YEAR - 1 } as const;

/** Code of the year: a ring of days. Day d is at d & mask; the ring holds the days after today, up to today + mask. */
export const YEAR = part(
  {
    SHORTEST_YEAR: 'number',
    NONE: 'number',
    WORDS: 'number',
    MASK: 'number',
    LATER: 'number',
    dayOf: 'macro',
    INT_DAY: 'code',
    enterDay: 'macro',
    link: 'macro',
    time: 'macro',
    LAST_DAY: 'number',
    kind: 'macro',
    WALK: 'number',
    REMOVED: 'number',
  },
  `
let queueNext: num = Infinity;
let queueDays: ints = ints($SHORTEST_YEAR, $NONE);
let queueMarks: ints = ints($WORDS);
let queueMask: int = $MASK;
// The day of a time is (time - base) * rate, rounded.
let queueBase: num = 0;
let queueRate: num = 0;
// Number of today, −1 before the first day of a year.
let queueDay: int = $NONE;
// The day of the earliest completion, if today has none left.
let queueAhead: int = $LATER;
// From this day on, a pop takes the slow path, because the year may cover completions of the later heap. NONE: every pop does,
// because today's heap is in use.
let queuePlain: int = $NONE;

// Adds a node by its time: to a future day, to today, or to the later heap.
cold function queueEnter(node: int, time: num) {
  const mask = queueMask;
  $dayOf(time)
  let dayAhead = $LATER;
  if (ahead >= 1 && ahead <= mask) {
    dayAhead = $INT_DAY;
    $enterDay(node, dayAhead, mask)
  } else if (ahead < 1) {
    queueInsert(node);
    queueTicks--;
  } else {
    $link(node) = $NONE;
    queueLaterPush(node);
    queueLookLater();
  }
  if (time < queueNext) {
    queueNext = time;
    queueAhead = dayAhead;
  }
}

// Starts the year again at the first completion of the later heap; no other completions may be left.
cold function queueTurn() {
  queueBase = queueNext;
  queueDay = -1;
  queueNext = Infinity;
  queueFetch();
}

// Moves the completions that the year covers from the later heap into the year.
cold function queueFetch() {
  while (queueLaterSize > 0) {
    const top = queueLaterHeap[0];
    const time = $time(top);
    $dayOf(time)
    if (ahead > queueMask) return;
    queueLaterPop();
    queueEnter(top, time);
  }
}

// Sets the day from which on the year may cover completions of the later heap.
cold function queueLookLater() {
  queuePlain = $LAST_DAY;
  if (queueTodaySize > 0) queuePlain = $NONE;
  else if (queueLaterSize > 0) {
    const top = queueLaterHeap[0];
    const time = $time(top);
    $dayOf(time)
    if (ahead < $LAST_DAY - queueDay) queuePlain = $INT_DAY - queueMask;
  }
}

// Finds the earliest completion if today has none left. Usually it is in one of the next 32 days.
function queueSeek() {
  const mask = queueMask;
  const tomorrow = queueDay + 1;
  const from = tomorrow & mask;
  const w = from >> 5;
  const marks = (queueMarks[w] >>> from) | ((queueMarks[(w + 1) & (mask >> 5)] << 1) << (31 - from));
  if (marks !== 0) {
    queueAhead = tomorrow + lowestBit(marks);
    let node = queueDays[queueAhead & mask];
    let time = $time(node);
    let kinds = $kind(node);
    node = $link(node);
    for (let k = 1; node >= 0 && k < $WALK; k++) {
      time = Math.min(time, $time(node));
      kinds |= $kind(node);
      node = $link(node);
    }
    if (node < 0 && (kinds & $REMOVED) === 0) {
      queueNext = time;
      return;
    }
  }
  queueSettle();
}

// Finds the earliest completion of the day ahead. A day with too many is opened instead, and the result is false.
cold function queueLook(list: int): int {
  let node = list;
  let time = $time(node);
  node = $link(node);
  for (let k = 1; node >= 0; k++) {
    if (k === $WALK) {
      queueOpen();
      return 0;
    }
    time = Math.min(time, $time(node));
    node = $link(node);
  }
  queueNext = time;
  return 1;
}

// Finds the earliest completion on any day or in the later heap, and frees removed nodes. False: the search must be repeated.
cold function queueSeekFar(): int {
  if (queueSize + queueRemoved === queueLaterSize) return queueSeekLater();
  const mask = queueMask;
  const tomorrow = queueDay + 1;
  const from = tomorrow & mask;
  let w = from >> 5;
  let word = (queueMarks[w] >>> from) << from;
  let empty = 0;
  for (; word === 0; empty++) {
    w = (w + 1) & (mask >> 5);
    word = queueMarks[w];
  }
  queueEmptyWords += empty;
  queueTicks -= empty;
  const slot = (w << 5) + lowestBit(word);
  queueAhead = tomorrow + ((slot - from) & mask);
  if (queueRemoved > 0 && !queueWeed(slot)) return 0;
  return queueLook(queueDays[slot]);
}

cold function queueSeekLater(): int {
  queueAhead = $LATER;
  if (queueLaterSize === 0) {
    queueNext = Infinity;
    return 1;
  }
  const top = queueLaterHeap[0];
  queueNext = $time(top);
  if (($kind(top) & $REMOVED) === 0) return 1;
  queueLaterPop();
  queueRelease(top);
  return 0;
}

// Frees the removed nodes of a day; false if no others are left.
cold function queueWeed(slot: int): int {
  const list = queueWeeded(queueDays[slot], $NONE);
  queueDays[slot] = list;
  if (list < 0) queueMarks[slot >> 5] &= ~(1 << slot);
  return list >= 0;
}

// Prepends a list, reversed, to another; frees its removed nodes instead.
cold function queueWeeded(list: int, other: int): int {
  let result = other;
  let node = list;
  while (node >= 0) {
    const rest = $link(node);
    if (($kind(node) & $REMOVED) !== 0) queueRelease(node);
    else {
      $link(node) = result;
      result = node;
    }
    node = rest;
  }
  return result;
}

cold function queueWeedLater() {
  let kept = 0;
  for (let k = 0; k < queueLaterSize; k++) {
    const node = queueLaterHeap[k];
    if (($kind(node) & $REMOVED) !== 0) queueRelease(node);
    else {
      queueLaterHeap[kept] = node;
      kept++;
    }
  }
  queueLaterSize = kept;
  for (let k = (kept - 2) >> 2; k >= 0; k--) queueSink(queueLaterHeap, kept, k, queueLaterHeap[k]);
}
`,
);
