import { linkOf, NONE, timeOf } from './queue-nodes.ts';
import { LAST_DAY, LATER, SHORTEST_YEAR } from './queue-year.ts';

/** Minimum number of days of a year per pending completion. */
const DENSE = 4;
/** The same for a year of at most SPARSE_DAYS days, which fits the first-level cache. */
const SPARSE = 64;
const SPARSE_DAYS = 8192;
/** A year is long enough for at least this many times the pending completions, as far as COARSE allows. */
const A_YEAR = 16;
/** Minimum and maximum number of days per completion at the tuned rate. */
const COARSE = 2 / 3;
const FINE = 8;
/** Words of empty days per completion: days become shorter below FEW_GAPS, longer above MANY_GAPS, and SOME_GAPS is neutral. */
const FEW_GAPS = 0.02;
const MANY_GAPS = 0.1;
const SOME_GAPS = 0.05;
/** Weight of the latest epoch in the moving average of gaps. */
const EPOCH_WEIGHT = 0.125;
/** Up to this many pending completions share one day: a sorted list is fastest. */
const FEW = 8;
/** Minimum length of an epoch, in ticks. */
const EPOCH = 512;
/** Number of times from which the rate is estimated before one has been observed. */
const SAMPLE = 64;

/**
 * Code that tunes the year. An epoch ends after a number of ticks; completions and words of empty days are ticks.
 *
 * If completions come one by one, days are so short that most have at most one: nothing needs sorting, and branches are predicted
 * well. If they come in bursts, days are longer, and the few days between bursts are skipped faster.
 */
export function emitTuning(): string {
  return `
let queueEpoch: int = ${EPOCH};
let queueTicks: int = ${EPOCH};
let queueEmptyWords: int = 0;
let queueSince: num = 0;
let queueSample: nums = nums(${SAMPLE});
// Completions in a unit of time, by which the year was made, and how many may be pending before it is made anew.
let queueTuned: num = 0;
let queueFull: int = 0;
// Days for each completion, where there are enough.
let queueFineness: num = 2;
// Words of empty days for each completion, over the last epochs.
let queueGaps: num = ${SOME_GAPS};

// Ends an epoch: a new year if the rate has doubled or halved, days are to be shorter or longer, or the year has come to be far
// too long.
cold function queueTune() {
  const completions = queueEpoch - queueTicks - queueEmptyWords;
  const elapsed = queueNext - queueSince;
  const rate = completions > 0 && elapsed > 0 ? completions / elapsed : queueTuned;
  const fineness = queueFineness;
  if (completions > 0) queueGaps += (queueEmptyWords / completions - queueGaps) * ${EPOCH_WEIGHT};
  if (queueGaps > ${MANY_GAPS}) queueFineness = Math.max(fineness / 2, ${COARSE});
  else if (queueGaps < ${FEW_GAPS}) queueFineness = Math.min(fineness * 2, ${FINE});
  if (fineness !== queueFineness) queueGaps = ${SOME_GAPS};
  if (queueDay >= ${LAST_DAY}) queueRebuild(queueTuned);
  else if (fineness !== queueFineness || rate > queueTuned * 2 || rate * 2 < queueTuned) queueRebuild(rate);
  else if (queueLength() * 4 <= queueMask) queueRebuild(rate);
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
cold function queueRebuild(rate: num) {
  if (queueRemoved > 0) queueWeedLater();
  let all = queueWeeded(queueHead, ${NONE});
  for (let k = 0; k < queueTodaySize; k++) all = queueWeeded(queueTodayHeap[k], all);
  const lastWord = queueMask >> 5;
  for (let w = 0; w <= lastWord; w++) {
    let rest = queueMarks[w];
    if (rest === 0) continue;
    for (; rest !== 0; rest &= rest - 1) {
      const slot = (w << 5) + lowestBit(rest);
      all = queueWeeded(queueDays[slot], all);
      queueDays[slot] = ${NONE};
    }
    queueMarks[w] = 0;
  }
  let first = Infinity;
  if (queueLaterSize > 0) {
    const top = queueLaterHeap[0];
    first = ${timeOf('top')};
  }
  for (let node = all; node >= 0; node = ${linkOf('node')}) first = Math.min(first, ${timeOf('node')});
  if (queueSize === 0) queueNewYear(0, 0);
  else if (queueSize <= ${FEW}) queueNewYear(first, 0);
  else queueNewYear(first, rate === 0 ? queueEstimate(all, first) : rate);
  while (all >= 0) {
    const node = all;
    all = ${linkOf('node')};
    queueEnter(node, ${timeOf('node')});
  }
  queueFetch();
  queueLookLater();
  queueBegin();
}

// The rate of the earlier quarter of what is pending, from a sample; those of the list are not among the later ones.
cold function queueEstimate(list: int, first: num): num {
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
  if (gap > 0) return 1 / gap;
  if (queueTuned === 0) return 1;
  return queueTuned;
}

// Enters a time into the sample, which is sorted and has so many.
cold function queueSampled(count: int, time: num) {
  let k = count;
  for (; k > 0 && queueSample[k - 1] > time; k--) queueSample[k] = queueSample[k - 1];
  queueSample[k] = time;
}

// The days of a year for the present size: a power of two. A sparse one never becomes shorter.
cold function queueLength(): int {
  let length = Math.min(queueMask + 1, ${SPARSE_DAYS});
  while (length < queueSize * ${DENSE} || (length < ${SPARSE_DAYS} && length < queueSize * ${SPARSE})) length = length * 2;
  return length;
}

// A year of a length for the size, of which no day has come; no day has anything. A rate of 0 makes it all one day.
cold function queueNewYear(base: num, rate: num) {
  const length = queueLength();
  const room = queueDays.length;
  if (length > room) {
    queueDays = grown(queueDays, length);
    queueDays.fill(${NONE}, room, length);
    queueMarks = grown(queueMarks, length >> 5);
  }
  queueMask = length - 1;
  queueBase = base;
  queueTuned = rate;
  // Infinity would make no number of what is of the first day.
  queueRate = rate === 0 ? 0 : Math.min(rate * Math.max(Math.min(length / (queueSize * ${A_YEAR}), queueFineness), ${COARSE}), 1e300);
  queueFull = Math.max(queueSize << 1, ${SHORTEST_YEAR >> 1}, length >> 4);
  queueDay = -1;
  queueAhead = ${LATER};
  queuePlain = ${NONE};
  queueHead = ${NONE};
  queueTail = ${NONE};
  queueHint = ${NONE};
  queueTodaySize = 0;
  queueNext = Infinity;
}
`;
}
