import { kindOf, linkOf, NONE, REMOVED, timeOf } from './queue-nodes.ts';

/** Completions a day, on average. Measured: from 1 to 2 the cost is about the same; more to sort, or more empty days, cost more. */
const A_DAY = 1.5;
/** The shortest year: one word of marks. */
const SHORTEST_YEAR = 32;
/** Days are numbered up to here before the numbers start anew. */
export const LAST_DAY: number = 2 ** 30;
/** Up to so many are all of one day: a sorted list is the fastest. */
const FEW = 8;
/** Nodes of a day that are looked at for the earliest before the day is opened instead. */
const WALK = 16;
/** Fewest completions from one look at the rate to the next. */
const EPOCH = 512;
/** Times from which a rate is estimated while none has been observed. */
const SAMPLE = 64;

/** Added to a number below 2^51, this rounds it to a whole one, which is then in the lower bits. */
export const ROUNDING: number = 2 ** 52;

/**
 * Code that declares the day of a time, and how far it is ahead of today. Days are rounded, not cut off, everywhere alike:
 * to make an int of a number otherwise takes a test of its range.
 */
export const dayOf = (time: string): string => `const day = (${time} - queueBase) * queueRate + ${ROUNDING};
  const ahead = day - ${ROUNDING} - queueDay;`;

/** The day as an int, where it is one of this year. */
export const INT_DAY = 'lowWord(day)';

/** Code that puts a node into a day of this year: `day` is an int, `mask` the mask of the year. */
export function enterDay(node: string, day: string, mask: string): string {
  return `const slot = ${day} & ${mask};
    ${linkOf(node)} = queueDays[slot];
    queueDays[slot] = ${node};
    queueMarks[slot >> 5] |= 1 << slot;`;
}

/** Code for the number of the lowest bit that is set in the word of that name. */
const lowestBit = (word: string): string => `31 - Math.clz32(${word} & -${word})`;

/** The year: a ring of days. Day d is at d & mask, and it has days after today, up to today + mask. */
export function emitYear(): string {
  return `
let queueNext: num = Infinity;
let queueDays: ints = ints(${SHORTEST_YEAR});
let queueMarks: ints = ints(${SHORTEST_YEAR >> 5});
let queueMask: int = ${SHORTEST_YEAR - 1};
// The day of a time is (time - base) * rate, rounded.
let queueBase: num = 0;
let queueRate: num = 0;
// Today.
let queueDay: int = ${NONE};
// The day of the earliest, if nothing is left of today; none: it is a later one.
let queueAhead: int = ${NONE};

// Enters a node by its time: into a day to come, today, or among the later ones.
seldom function queueEnter(node: int, time: num) {
  const mask = queueMask;
  ${dayOf('time')}
  let dayAhead = ${NONE};
  if (ahead >= 1 && ahead <= mask) {
    dayAhead = ${INT_DAY};
    ${enterDay('node', 'dayAhead', 'mask')}
  } else if (ahead < 1) {
    queueInsert(node);
    queueTicks--;
  } else {
    ${linkOf('node')} = ${NONE};
    queueLaterPush(node);
  }
  if (time < queueNext) {
    queueNext = time;
    queueAhead = dayAhead;
  }
}

// The year begins anew with the first of the later ones: no other are left.
seldom function queueTurn() {
  queueBase = queueNext;
  queueDay = -1;
  queueNext = Infinity;
  queueFetch();
}

// Brings in the later ones that the year covers.
seldom function queueFetch() {
  while (queueLaterSize > 0) {
    const top = queueLaterHeap[0];
    const time = ${timeOf('top')};
    ${dayOf('time')}
    if (ahead > queueMask) return;
    queueLaterPop();
    queueEnter(top, time);
  }
}

// Finds the earliest where nothing is left of today; false: it has to be looked for again.
function queueSeek(): int {
  if (queueSize + queueRemoved === queueLaterSize) return queueSeekLater();
  const mask = queueMask;
  const tomorrow = queueDay + 1;
  const from = tomorrow & mask;
  let w = from >> 5;
  let word = (queueMarks[w] >>> from) << from;
  while (word === 0) {
    w = (w + 1) & (mask >> 5);
    word = queueMarks[w];
    queueEmptyWords++;
    queueTicks--;
  }
  const slot = (w << 5) + ${lowestBit('word')};
  queueAhead = tomorrow + ((slot - from) & mask);
  if (queueRemoved > 0 && !queueWeed(slot)) return 0;
  let node = queueDays[slot];
  let time = ${timeOf('node')};
  node = ${linkOf('node')};
  for (let k = 1; node >= 0; k++) {
    if (k === ${WALK}) {
      queueOpen();
      return 0;
    }
    const t = ${timeOf('node')};
    if (t < time) time = t;
    node = ${linkOf('node')};
  }
  queueNext = time;
  return 1;
}

seldom function queueSeekLater(): int {
  queueAhead = ${NONE};
  if (queueLaterSize === 0) {
    queueNext = Infinity;
    return 1;
  }
  const top = queueLaterHeap[0];
  queueNext = ${timeOf('top')};
  if ((${kindOf('top')} & ${REMOVED}) === 0) return 1;
  queueLaterPop();
  queueRelease(top);
  return 0;
}

// Sets free what was removed of a day; false: nothing is left of it.
seldom function queueWeed(slot: int): int {
  const list = queueWeeded(queueDays[slot], ${NONE});
  queueDays[slot] = list;
  if (list < 0) queueMarks[slot >> 5] &= ~(1 << slot);
  return list >= 0;
}

// Puts a list in front of another, in reverse, but for what was removed, which it sets free.
seldom function queueWeeded(list: int, other: int): int {
  let result = other;
  let node = list;
  while (node >= 0) {
    const rest = ${linkOf('node')};
    if ((${kindOf('node')} & ${REMOVED}) !== 0) queueRelease(node);
    else {
      ${linkOf('node')} = result;
      result = node;
    }
    node = rest;
  }
  return result;
}

seldom function queueWeedLater() {
  let kept = 0;
  for (let k = 0; k < queueLaterSize; k++) {
    const node = queueLaterHeap[k];
    if ((${kindOf('node')} & ${REMOVED}) !== 0) queueRelease(node);
    else {
      queueLaterHeap[kept] = node;
      kept++;
    }
  }
  queueLaterSize = kept;
  for (let k = (kept - 2) >> 2; k >= 0; k--) queueSink(queueLaterHeap, kept, k, queueLaterHeap[k]);
}
`;
}

/** The tuning of the year. An epoch ends after so many ticks, which are completions and words of empty days. */
export function emitTuning(): string {
  return `
let queueEpoch: int = ${EPOCH};
let queueTicks: int = ${EPOCH};
let queueEmptyWords: int = 0;
let queueSince: num = 0;
let queueSample: nums = nums(${SAMPLE});

// Ends an epoch: a new year if the rate has doubled or halved, or the year has come to be far too long.
seldom function queueTune() {
  const completions = queueEpoch - queueTicks - queueEmptyWords;
  const elapsed = queueNext - queueSince;
  const rate = completions > 0 && elapsed > 0 ? completions / (elapsed * ${A_DAY}) : queueRate;
  if (queueDay > ${LAST_DAY}) queueRebuild(queueRate);
  else if (rate > queueRate * 2 || rate * 2 < queueRate) queueRebuild(rate);
  else if ((queueSize << 4) < queueMask && queueMask >= ${SHORTEST_YEAR}) queueRebuild(rate);
  else queueBegin();
}

function queueBegin() {
  queueEpoch = queueSize > ${EPOCH} ? queueSize : ${EPOCH};
  queueTicks = queueEpoch;
  queueEmptyWords = 0;
  queueSince = queueNext;
}

// Begins a year of a length for the present size, and sets free what was removed. A rate of 0 is replaced by an
// estimate. O(n), where later ones count only as far as the new year covers them.
seldom function queueRebuild(rate: num) {
  if (queueRemoved > 0) queueWeedLater();
  let all = queueWeeded(queueHead, ${NONE});
  for (let k = 0; k < queueTodaySize; k++) all = queueWeeded(queueTodayHeap[k], all);
  const lastWord = queueMask >> 5;
  for (let w = 0; w <= lastWord; w++)
    for (let rest = queueMarks[w]; rest !== 0; rest &= rest - 1)
      all = queueWeeded(queueDays[(w << 5) + ${lowestBit('rest')}], all);
  let first = Infinity;
  if (queueLaterSize > 0) {
    const top = queueLaterHeap[0];
    first = ${timeOf('top')};
  }
  for (let node = all; node >= 0; node = ${linkOf('node')}) first = Math.min(first, ${timeOf('node')});
  // A rate of 0 makes it all one day. Infinity would make no number of what is of the first day.
  if (queueSize === 0) queueNewYear(0, 0);
  else if (queueSize <= ${FEW}) queueNewYear(first, 0);
  else queueNewYear(first, Math.min(rate === 0 ? queueEstimate(all, first) : rate, 1e300));
  while (all >= 0) {
    const node = all;
    all = ${linkOf('node')};
    queueEnter(node, ${timeOf('node')});
  }
  queueFetch();
  queueBegin();
}

// The rate of the earlier quarter of what is pending, from a sample; those of the list are not among the later ones.
seldom function queueEstimate(list: int, first: num): num {
  const stride = (queueSize + ${SAMPLE - 1}) >> ${Math.log2(SAMPLE)};
  let count = 0, some = 0;
  for (let node = list; node >= 0; node = ${linkOf('node')}) {
    if (count % stride === 0) queueSampled(some++, ${timeOf('node')});
    count++;
  }
  for (let k = 0; k < queueLaterSize; k++) {
    const node = queueLaterHeap[k];
    if (count % stride === 0) queueSampled(some++, ${timeOf('node')});
    count++;
  }
  const gap = (queueSample[some >> 2] - first) / (count / 4);
  if (gap > 0) return 1 / (gap * ${A_DAY});
  if (queueRate === 0) return 1;
  return queueRate;
}

// Enters a time into the sample, which is sorted and has so many.
seldom function queueSampled(count: int, time: num) {
  let k = count;
  for (; k > 0 && queueSample[k - 1] > time; k--) queueSample[k] = queueSample[k - 1];
  queueSample[k] = time;
}

// An empty year of a length for the size, of which no day has come.
seldom function queueNewYear(base: num, rate: num) {
  let length = ${SHORTEST_YEAR};
  while (length < queueSize * 4) length = length * 2;
  if (length > queueDays.length) {
    queueDays = grown(queueDays, length);
    queueMarks = grown(queueMarks, length >> 5);
  }
  queueMask = length - 1;
  queueDays.fill(${NONE}, 0, length);
  queueMarks.fill(0, 0, length >> 5);
  queueBase = base;
  queueRate = rate;
  queueDay = -1;
  queueAhead = ${NONE};
  queueHead = ${NONE};
  queueTail = ${NONE};
  queueHint = ${NONE};
  queueTodaySize = 0;
  queueNext = Infinity;
}
`;
}
