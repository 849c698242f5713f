import { LOWEST, MAX_PAGES, Memory, MemoryFull, PAGE } from '../../../kernel/memory.ts';
import { type Allocate, separately } from '../../space/state-space.ts';

/** Bytes that the kernel needs besides the arrays. */
const SPARE = 2 ** 17;
/** Vectors of doubles: inverses of the exit rates, rewards and h in pairs. */
const VECTORS = 5;
/** Maximum number of different rates that take a byte. */
const CODES = 2 ** 8;

/** Pages for a matrix, whose rates take this number of bytes, and the vectors of its sweeps. */
export function pagesFor(states: number, entries: number, bytesOfRate: number): number {
  const matrix = 4 * (states + 1) + (4 + bytesOfRate) * entries + 8 * CODES;
  return Math.ceil((matrix + 8 * VECTORS * states + SPARE) / PAGE);
}

/**
 * Memory for the rows of a chain, one byte per rate. The chain is solved in place, so that rows exist only once. The memory never grows,
 * because views of its arrays would be lost. Undefined if it exceeds 4 GiB or the available memory.
 */
export function roomForRows({
  states,
  edges,
}: {
  readonly states: number;
  readonly edges: number;
}): Memory | undefined {
  const pages = pagesFor(states, edges, 1);
  if (pages > MAX_PAGES) return undefined;
  try {
    const memory = new Memory(pages, LOWEST, pages);
    return memory.memory.buffer.byteLength === pages * PAGE ? memory : undefined;
  } catch (error) {
    if (error instanceof MemoryFull) return undefined;
    throw error;
  }
}

/** Allocates arrays in a memory that does not grow, and those that exceed it elsewhere. */
export function allocatedIn(memory: Memory): Allocate {
  return (bytes) => {
    try {
      return { byteOffset: memory.allocate(bytes), buffer: memory.memory.buffer };
    } catch (error) {
      if (error instanceof MemoryFull) return separately(bytes);
      throw error;
    }
  };
}
