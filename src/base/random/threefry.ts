/**
 * Threefry-4×32 with 20 rounds: maps a key and a counter, four 32-bit words each, to four 32-bit words. It is
 * crush-resistant: no test of TestU01's BigCrush distinguishes its output from random numbers, whichever words of key and
 * counter are incremented. Source: Salmon, Moraes, Dror & Shaw, _Parallel random numbers: as easy as 1, 2, 3_, SC 2011;
 * derived from the cipher Threefish (Ferguson et al. 2010).
 *
 * O(1): about 100 additions, rotations and exclusive ors.
 *
 * @param out receives the four words
 */
export function threefry(key: Int32Array, counter: Int32Array, out: Int32Array): void {
  const k0 = key[0]!;
  const k1 = key[1]!;
  const k2 = key[2]!;
  const k3 = key[3]!;
  const k4 = PARITY ^ k0 ^ k1 ^ k2 ^ k3;
  let x0 = (counter[0]! + k0) | 0;
  let x1 = (counter[1]! + k1) | 0;
  let x2 = (counter[2]! + k2) | 0;
  let x3 = (counter[3]! + k3) | 0;
  // Five groups of four rounds. After each group, the next four of the five key words are added.
  let a = k1;
  let b = k2;
  let c = k3;
  let d = k4;
  let e = k0;
  for (let s = 1; s <= 5; s++) {
    const odd = (s & 1) === 1;
    x0 = (x0 + x1) | 0;
    x2 = (x2 + x3) | 0;
    x1 = (odd ? (x1 << 10) | (x1 >>> 22) : (x1 << 6) | (x1 >>> 26)) ^ x0;
    x3 = (odd ? (x3 << 26) | (x3 >>> 6) : (x3 << 20) | (x3 >>> 12)) ^ x2;
    x0 = (x0 + x3) | 0;
    x2 = (x2 + x1) | 0;
    x3 = (odd ? (x3 << 11) | (x3 >>> 21) : (x3 << 17) | (x3 >>> 15)) ^ x0;
    x1 = (odd ? (x1 << 21) | (x1 >>> 11) : (x1 << 11) | (x1 >>> 21)) ^ x2;
    x0 = (x0 + x1) | 0;
    x2 = (x2 + x3) | 0;
    x1 = (odd ? (x1 << 13) | (x1 >>> 19) : (x1 << 25) | (x1 >>> 7)) ^ x0;
    x3 = (odd ? (x3 << 27) | (x3 >>> 5) : (x3 << 10) | (x3 >>> 22)) ^ x2;
    x0 = (x0 + x3) | 0;
    x2 = (x2 + x1) | 0;
    x3 = (odd ? (x3 << 23) | (x3 >>> 9) : (x3 << 18) | (x3 >>> 14)) ^ x0;
    x1 = (odd ? (x1 << 5) | (x1 >>> 27) : (x1 << 20) | (x1 >>> 12)) ^ x2;
    x0 = (x0 + a) | 0;
    x1 = (x1 + b) | 0;
    x2 = (x2 + c) | 0;
    x3 = (x3 + d + s) | 0;
    const first = a;
    a = b;
    b = c;
    c = d;
    d = e;
    e = first;
  }
  out[0] = x0;
  out[1] = x1;
  out[2] = x2;
  out[3] = x3;
}

const PARITY = 0x1bd11bda;

/**
 * Numbers in [0, 1) of Marsaglia's xorshift (Journal of Statistical Software 8, 2003), for heuristics: fast, with a short period.
 *
 * @param seed not 0
 */
export function xorshift(seed: number): () => number {
  let x = seed;
  return () => {
    x ^= x << 13;
    x ^= x >>> 17;
    x ^= x << 5;
    return (x >>> 0) / 2 ** 32;
  };
}
