/** Ints of the state of a stream: three numbers and a carry. */
export const STREAM_STATE = 4;
/** The factor of Alea. */
const FACTOR = 2091639;
/** So many numbers of a stream are drawn at a time. */
const AHEAD = 16;

/** Code: the number that takes the place of one, and its carry. */
const next = (name: string, of: string): string =>
  `const ${name} = carried(${of}, ${FACTOR}, c); c = carry(${of}, ${FACTOR}, c);`;

/**
 * The streams of the code: Alea (J. Baagøe 2010), of whose numbers two make one of 53 bits, as `seedrandom` and
 * `base/streams.ts` have it. Their numbers are multiples of 2^−32, and here whole: 2091639 s + c is below 2^53, so
 * that nothing is rounded in either. Numbers are drawn some ahead: what comes of a draw decides branches, and to wait for
 * it there costs more than to draw it. The last of a stretch is given first to be counted down, so it lies at its front.
 *
 * @param streams how many there are
 */
export const emitStreams = (streams: number): string => `
let streams: ints = ints(${streams * STREAM_STATE});
let ahead: nums = nums(${streams * AHEAD});
let aheadLeft: ints = ints(${streams});
let aheadPairs: pairs = view(ahead);
function drawn(stream, exponential): num {
  let k = aheadLeft[stream] - 1;
  if (k < 0) {
    drawMore(stream, exponential);
    k = ${AHEAD - 1};
  }
  aheadLeft[stream] = k;
  return ahead[(stream << ${Math.log2(AHEAD)}) + k];
}
cold function drawMore(stream, exponential) { drawAhead(stream, ahead, aheadPairs, exponential); }
function drawAhead(stream, drawn: nums, pairs: pairs, exponential) {
  const at = stream << 2, end = stream << ${Math.log2(AHEAD)};
  let a = streams[at], b = streams[at + 1], rest = streams[at + 2], c = streams[at + 3];
  // By twos: a turn costs as much as a third of a number.
  for (let k = end + ${AHEAD - 2}; k >= end; k -= 2) {
    ${next('high', 'a')}
    ${next('low', 'b')}
    drawn[k + 1] = joined(high, low >>> 11, 21) * ${2 ** -53};
    ${next('higher', 'rest')}
    ${next('lower', 'high')}
    drawn[k] = joined(higher, lower >>> 11, 21) * ${2 ** -53};
    a = low;
    b = higher;
    rest = lower;
  }
  streams[at] = a;
  streams[at + 1] = b;
  streams[at + 2] = rest;
  streams[at + 3] = c;
  if (exponential) exponentials(drawn, pairs, end >> 1, (end + ${AHEAD}) >> 1);
  aheadLeft[stream] = ${AHEAD};
}`;
