import type { Collective } from '../../../trace/collective.ts';

/**
 * The number of elements of a message and the bytes of one. SMPI divides messages by elements, not by bytes. Derived
 * datatypes without a size count as bytes.
 */
export function elementsOf(call: { readonly bytes: number; readonly elementBytes?: number }): {
  readonly count: number;
  readonly size: number;
} {
  const size = elementBytesOf(call);
  return { count: call.bytes / size, size };
}

/** Bytes of an element of a call: 1 if it is not known. */
export function elementBytesOf({ elementBytes = 1 }: { readonly elementBytes?: number }): number {
  return elementBytes > 0 ? elementBytes : 1;
}

/**
 * Elements of a segment of about `segmentBytes`: all `count` if they fit into one segment, or if an element is larger
 * than a segment. Rounded to the nearest number of elements, as Open MPI does (`COLL_TUNED_COMPUTED_SEGCOUNT`).
 */
export function segmentElements(segmentBytes: number, size: number, count: number): number {
  if (segmentBytes < size || segmentBytes >= size * count) return count;
  const whole = Math.floor(segmentBytes / size);
  return segmentBytes - whole * size > Math.floor(size / 2) ? whole + 1 : whole;
}

/** Sizes of the segments of `count` elements: all `perSegment`, the last one the rest. */
export function segments(count: number, perSegment: number): number[] {
  const sizes: number[] = [];
  for (let left = count; left > 0; left -= perSegment) sizes.push(Math.min(left, perSegment));
  return sizes;
}

/** `count` elements in `blocks` blocks: the first `early` blocks have one element more than the others. */
export class Blocks {
  readonly #base: number;
  readonly #early: number;

  constructor(count: number, blocks: number) {
    this.#base = Math.floor(count / blocks);
    this.#early = count % blocks;
  }

  /** Elements of a block. */
  of(block: number): number {
    return block < this.#early ? this.#base + 1 : this.#base;
  }
}

/** Largest power of two that is not above `size`. */
export function powerBelow(size: number): number {
  let power = 1;
  while (power * 2 <= size) power *= 2;
  return power;
}

export function isPowerOfTwo(size: number): boolean {
  return powerBelow(size) === size;
}

/** Bytes, or elements, of all parts together. */
export function sumOf(parts: readonly number[]): number {
  return parts.reduce((a, b) => a + b, 0);
}

/**
 * The size of a call in bytes: of the message, per pair of ranks for gather, scatter, allgather and alltoall, of all parts
 * for calls with a list.
 */
export function bytesOf(collective: Collective): number {
  switch (collective.kind) {
    case 'barrier':
      return 0;
    case 'gather':
    case 'scatter':
    case 'allgather':
    case 'alltoall':
      return collective.sendBytes;
    case 'scatterv':
    case 'alltoallv':
      return sumOf(collective.sendBytes);
    case 'gatherv':
    case 'allgatherv':
    case 'reducescatter':
      return sumOf(collective.recvBytes);
    default:
      return collective.bytes;
  }
}
