/*
 * Sample:
 * const p = place('p'), q = place('q');
 * fires((t) => { const { x } = t.take(p); t.delay(add(x, 1)); t.put(q, { x }); });
 * →
 *   let queueEpoch: int = 512;
 *   let queueTicks: int = 512;
 */
import { part } from '../part.ts';
import { SHORTEST_YEAR } from './queue-year.ts';

/** Minimum number of days of a year per pending completion. */
const DENSE = 4;
/** The same for a year of at most SPARSE_DAYS days, which fits the first-level cache. */
const SPARSE = 64;
const SPARSE_DAYS = 8192;
/** Minimum ratio of the completions expected in a year to those pending, as far as COARSE allows. */
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

/** Arguments of {@link TUNING}. */
export const TUNING_SIZES = {
  EPOCH,
  SAMPLE,
  SOME_GAPS,
  EPOCH_WEIGHT,
  MANY_GAPS,
  COARSE,
  FEW_GAPS,
  FINE,
  FEW,
  SPARSE_DAYS,
  DENSE,
  SPARSE,
  A_YEAR,
  SAMPLE_SHIFT: Math.log2(SAMPLE),
  SAMPLE_MASK: SAMPLE - 1,
  FEWEST: SHORTEST_YEAR >> 1,
} as const;

/**
 * Code that tunes the year. An epoch ends after a number of ticks; completions and words of empty days are ticks.
 *
 * If completions come one by one, days are so short that most have at most one: nothing needs sorting, and branches are predicted
 * well. If they come in bursts, days are longer, and the few days between bursts are skipped faster.
 */
export const TUNING = part(
  {
    EPOCH: 'number',
    SAMPLE: 'number',
    SOME_GAPS: 'number',
    EPOCH_WEIGHT: 'number',
    MANY_GAPS: 'number',
    COARSE: 'number',
    FEW_GAPS: 'number',
    FINE: 'number',
    LAST_DAY: 'number',
    NONE: 'number',
    time: 'macro',
    link: 'macro',
    FEW: 'number',
    SAMPLE_MASK: 'number',
    SAMPLE_SHIFT: 'number',
    SPARSE_DAYS: 'number',
    DENSE: 'number',
    SPARSE: 'number',
    A_YEAR: 'number',
    FEWEST: 'number',
    LATER: 'number',
  },
  `
let queueEpoch: int = $EPOCH;
let queueTicks: int = $EPOCH;
let queueEmptyWords: int = 0;
let queueSince: num = 0;
let queueSample: nums = nums($SAMPLE);
// Completions per unit of time for which the year was built, and the number of pending ones that triggers a rebuild.
let queueTuned: num = 0;
let queueFull: int = 0;
// Days per completion, if the year has enough days.
let queueFineness: num = 2;
// Words of empty days per completion, a moving average over epochs.
let queueGaps: num = $SOME_GAPS;

// Ends an epoch. Rebuilds the year if the rate has doubled or halved, the length of a day must change, or the year is at least
// four times too long.
cold function queueTune() {
  const completions = queueEpoch - queueTicks - queueEmptyWords;
  const elapsed = queueNext - queueSince;
  const rate = completions > 0 && elapsed > 0 ? completions / elapsed : queueTuned;
  const fineness = queueFineness;
  if (completions > 0) queueGaps += (queueEmptyWords / completions - queueGaps) * $EPOCH_WEIGHT;
  if (queueGaps > $MANY_GAPS) queueFineness = Math.max(fineness / 2, $COARSE);
  else if (queueGaps < $FEW_GAPS) queueFineness = Math.min(fineness * 2, $FINE);
  if (fineness !== queueFineness) queueGaps = $SOME_GAPS;
  if (queueDay >= $LAST_DAY) queueRebuild(queueTuned);
  else if (fineness !== queueFineness || rate > queueTuned * 2 || rate * 2 < queueTuned) queueRebuild(rate);
  else if (queueLength() * 4 <= queueMask) queueRebuild(rate);
  else queueBegin();
}

function queueBegin() {
  queueEpoch = queueSize > $EPOCH ? queueSize : $EPOCH;
  queueTicks = queueEpoch;
  queueEmptyWords = 0;
  queueSince = queueNext;
}

// Starts a new year whose length fits the current size, and frees removed nodes. A rate of 0 is replaced by an estimate.
// O(n); completions of the later heap count only if the new year covers them.
cold function queueRebuild(rate: num) {
  if (queueRemoved > 0) queueWeedLater();
  let all = queueWeeded(queueHead, $NONE);
  for (let k = 0; k < queueTodaySize; k++) all = queueWeeded(queueTodayHeap[k], all);
  const lastWord = queueMask >> 5;
  for (let w = 0; w <= lastWord; w++) {
    let rest = queueMarks[w];
    if (rest === 0) continue;
    for (; rest !== 0; rest &= rest - 1) {
      const slot = (w << 5) + lowestBit(rest);
      all = queueWeeded(queueDays[slot], all);
      queueDays[slot] = $NONE;
    }
    queueMarks[w] = 0;
  }
  let first = Infinity;
  if (queueLaterSize > 0) {
    const top = queueLaterHeap[0];
    first = $time(top);
  }
  for (let node = all; node >= 0; node = $link(node)) first = Math.min(first, $time(node));
  if (queueSize === 0) queueNewYear(0, 0);
  else if (queueSize <= $FEW) queueNewYear(first, 0);
  else queueNewYear(first, rate === 0 ? queueEstimate(all, first) : rate);
  while (all >= 0) {
    const node = all;
    all = $link(node);
    queueEnter(node, $time(node));
  }
  queueFetch();
  queueLookLater();
  queueBegin();
}

// Estimates the rate of the earliest quarter of the pending completions from a sample. The list must not contain completions
// of the later heap.
cold function queueEstimate(list: int, first: num): num {
  const stride = (queueSize + $SAMPLE_MASK) >> $SAMPLE_SHIFT;
  let count = 0, some = 0;
  for (let node = list; node >= 0; node = $link(node)) {
    if (count % stride === 0) queueSampled(some++, $time(node));
    count++;
  }
  for (let k = 0; k < queueLaterSize; k++) {
    const node = queueLaterHeap[k];
    if (count % stride === 0) queueSampled(some++, $time(node));
    count++;
  }
  const gap = (queueSample[some >> 2] - first) / (count / 4);
  if (gap > 0) return 1 / gap;
  if (queueTuned === 0) return 1;
  return queueTuned;
}

// Inserts a time into the sorted sample, which has count entries.
cold function queueSampled(count: int, time: num) {
  let k = count;
  for (; k > 0 && queueSample[k - 1] > time; k--) queueSample[k] = queueSample[k - 1];
  queueSample[k] = time;
}

// The number of days of a year for the current size, a power of two. A year of at most $SPARSE_DAYS days never shrinks.
cold function queueLength(): int {
  let length = Math.min(queueMask + 1, $SPARSE_DAYS);
  while (length < queueSize * $DENSE || (length < $SPARSE_DAYS && length < queueSize * $SPARSE)) length = length * 2;
  return length;
}

// Starts an empty year whose length fits the size. With rate 0, all times are on one day.
cold function queueNewYear(base: num, rate: num) {
  const length = queueLength();
  const room = queueDays.length;
  if (length > room) {
    queueDays = grown(queueDays, length);
    queueDays.fill($NONE, room, length);
    queueMarks = grown(queueMarks, length >> 5);
  }
  queueMask = length - 1;
  queueBase = base;
  queueTuned = rate;
  // With an infinite rate, the day of a time equal to the base would be NaN.
  queueRate = rate === 0 ? 0 : Math.min(rate * Math.max(Math.min(length / (queueSize * $A_YEAR), queueFineness), $COARSE), 1e300);
  queueFull = Math.max(queueSize << 1, $FEWEST, length >> 4);
  queueDay = -1;
  queueAhead = $LATER;
  queuePlain = $NONE;
  queueHead = $NONE;
  queueTail = $NONE;
  queueHint = $NONE;
  queueTodaySize = 0;
  queueNext = Infinity;
}
`,
);
