import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { constants, createGzip } from 'node:zlib';

/*
 * Deflate has one Huffman code for a block, and zlib ends a block after a number of symbols, not where the bytes change. A record
 * has planes of random bytes next to planes of small numbers: a code for both suits neither. A block that ends between them has
 * cost a header of about {@link HEADER_BITS}, and saves up to a tenth of the file.
 */

/**
 * Bytes as gzip: with blocks that end where the bytes change, and with long matches only (`Z_FILTERED`), if that is smaller. Short
 * matches of random bytes cost more than the bytes.
 */
export async function packed(bytes: Uint8Array): Promise<Buffer> {
  const level = 9;
  const pieces = [...deflatePieces(bytes)];
  const found = await Promise.all(
    [
      { of: [bytes], options: { level } },
      { of: pieces, options: { level, flush: constants.Z_BLOCK } },
      { of: pieces, options: { level, flush: constants.Z_BLOCK, strategy: constants.Z_FILTERED } },
    ].map(({ of, options }) => buffer(Readable.from(of).pipe(createGzip(options)))),
  );
  return found.reduce((least, one) => (one.length < least.length ? one : least));
}

/** Bytes between two places at which a block may end, and between the places near such a one that are tried then. */
const STEP = 512;
const FINE_STEP = 32;
/** Bytes that are looked at beyond such a place. */
const AHEAD = 2 * STEP;
/** Size of the codes of a block, in bits. */
const HEADER_BITS = 8 * 80;

/**
 * Divides bytes where one Huffman code for both sides would be longer than two: each piece is to be a separate block.
 * O(bytes). Estimates the length of a code by the entropy of single bytes (Shannon, A mathematical theory of communication, 1948).
 */
export function* deflatePieces(bytes: Uint8Array): Generator<Uint8Array> {
  const before = new Uint32Array(256);
  const after = new Uint32Array(256);
  const both = new Uint32Array(256);
  let from = 0;
  for (let at = 0; at < bytes.length; at += STEP) {
    if (at > from) {
      count(after.fill(0), bytes, at, at + AHEAD);
      for (let value = 0; value < 256; value++) both[value] = before[value]! + after[value]!;
      if (codeBits(both) > codeBits(before) + codeBits(after) + HEADER_BITS) {
        at = bestEnd(bytes, from, at);
        yield bytes.subarray(from, at);
        from = at;
        before.fill(0);
      }
    }
    count(before, bytes, at, at + STEP);
  }
  yield bytes.subarray(from);
}

/** The place near `at` between which and its neighbours two codes are shortest. O(256 STEP / FINE_STEP). */
function bestEnd(bytes: Uint8Array, from: number, at: number): number {
  const end = Math.min(bytes.length, at + AHEAD);
  const first = Math.max(from + FINE_STEP, at - STEP);
  const [left, right] = [new Uint32Array(256), new Uint32Array(256)];
  count(left, bytes, from, first);
  count(right, bytes, first, end);
  let best = at;
  let least = Number.POSITIVE_INFINITY;
  for (let place = first; place < Math.min(at + STEP, end); place += FINE_STEP) {
    const bits = codeBits(left) + codeBits(right);
    if (bits < least) [best, least] = [place, bits];
    for (const value of bytes.subarray(place, place + FINE_STEP)) {
      left[value]!++;
      right[value]!--;
    }
  }
  return best;
}

function count(counts: Uint32Array, bytes: Uint8Array, from: number, to: number): void {
  for (let at = from, end = Math.min(to, bytes.length); at < end; at++) counts[bytes[at]!]!++;
}

/** Bits of bytes with these counts in their best code. */
function codeBits(counts: Uint32Array): number {
  let total = 0;
  let bits = 0;
  for (const times of counts) {
    total += times;
    bits -= timesLog(times);
  }
  return bits + timesLog(total);
}

/** n log₂ n for counts of a block, most of which are small. */
const TIMES_LOG = Float64Array.from({ length: 1 << 16 }, (_, n) => (n === 0 ? 0 : n * Math.log2(n)));
const timesLog = (n: number): number => TIMES_LOG[n] ?? n * Math.log2(n);
