/*
 * Sample:
 * const p = place('p'); fires((t) => { t.take(p); t.delay(exponential(2)); });
 * →
 *   let streams: ints = ints(4);
 *   let ahead: nums = nums(16);
 *   let aheadLeft: ints = ints(1);
 */
import { part } from './part.ts';

/** Size of a stream's state, in ints: three numbers and a carry. */
export const STREAM_STATE = 4;
/** The multiplier of Alea. */
const FACTOR = 2091639;
/** Numbers of a stream that are drawn ahead at a time. */
const AHEAD = 16;

/** Code that computes the successor of a number of the state, and the carry. */
const next = (name: string, of: string): string =>
  `const ${name} = carried(${of}, ${FACTOR}, c); c = carry(${of}, ${FACTOR}, c);`;

/**
 * Code of the random streams: Alea (J. Baagøe 2010), two of whose numbers make one of 53 bits, as in `seedrandom` and
 * `base/streams.ts`. There the numbers are multiples of 2^−32, here they are integers: 2091639 s + c is below 2^53, so nothing is
 * rounded in either form. Numbers are drawn ahead, because branches depend on them, and a branch that waits for a draw costs more
 * than the draw. A block is used from its end to its front, so its last number is at the front.
 */
const STREAMS = part(
  {
    STATES: 'number',
    NUMBERS: 'number',
    streams: 'number',
    LAST: 'number',
    AHEAD_SHIFT: 'number',
    LAST_PAIR: 'number',
    next: 'macro',
    UNIT: 'number',
    AHEAD: 'number',
  },
  `
let streams: ints = ints($STATES);
let ahead: nums = nums($NUMBERS);
let aheadLeft: ints = ints($streams);
let aheadPairs: pairs = view(ahead);
function drawn(stream, exponential): num {
  let k = aheadLeft[stream] - 1;
  if (k < 0) {
    drawMore(stream, exponential);
    k = $LAST;
  }
  aheadLeft[stream] = k;
  return ahead[(stream << $AHEAD_SHIFT) + k];
}
cold function drawMore(stream, exponential) { drawAhead(stream, ahead, aheadPairs, exponential); }
function drawAhead(stream, drawn: nums, pairs: pairs, exponential) {
  const at = stream << 2, end = stream << $AHEAD_SHIFT;
  let a = streams[at], b = streams[at + 1], rest = streams[at + 2], c = streams[at + 3];
  // Two numbers per iteration: the overhead of an iteration is a third of the cost of a number.
  for (let k = end + $LAST_PAIR; k >= end; k -= 2) {
    $next(high, a)
    $next(low, b)
    drawn[k + 1] = joined(high, low >>> 11, 21) * $UNIT;
    $next(higher, rest)
    $next(lower, high)
    drawn[k] = joined(higher, lower >>> 11, 21) * $UNIT;
    a = low;
    b = higher;
    rest = lower;
  }
  streams[at] = a;
  streams[at + 1] = b;
  streams[at + 2] = rest;
  streams[at + 3] = c;
  if (exponential) exponentials(drawn, pairs, end >> 1, (end + $AHEAD) >> 1);
  aheadLeft[stream] = $AHEAD;
}`,
);

/** @param streams number of streams */
export const emitStreams = (streams: number): string =>
  STREAMS({
    streams,
    STATES: streams * STREAM_STATE,
    NUMBERS: streams * AHEAD,
    AHEAD,
    AHEAD_SHIFT: Math.log2(AHEAD),
    LAST: AHEAD - 1,
    LAST_PAIR: AHEAD - 2,
    UNIT: 2 ** -53,
    next,
  });
