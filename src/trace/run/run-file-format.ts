import { TABLE_NAMES } from './run-schema.ts';

/**
 * Binary run record (.ftrun), version 1. All numbers are little-endian.
 *
 * The file is {@link MAGIC}, then blocks: kind (uint8), length of the payload (uint32), CRC-32 of the payload (uint32),
 * payload. The first block is the head; the last one is the end. Blocks of names precede the rows that use them. A block of
 * rows is independent of every other block: number of rows (uint32), length of its interval paths (uint32), the paths as a
 * JSON array of strings, then one column after the other.
 */
export const MAGIC: Uint8Array = Uint8Array.from([0x46, 0x54, 0x52, 0x55, 0x4e, 0x00, 0x01, 0x0a]);
export const BLOCK_HEAD_BYTES = 9;
/** Maximum payload of a block, in bytes. */
export const MAX_BLOCK_BYTES: number = 2 ** 28;

/** Kinds of blocks. */
export const BLOCK = { head: 1, names: 2, end: 3, firstTable: 16 } as const;

/** Maps tables to block kinds, and back. */
export const blockOfTable = (table: (typeof TABLE_NAMES)[number]): number =>
  BLOCK.firstTable + TABLE_NAMES.indexOf(table);
export const tableOfBlock = (kind: number): (typeof TABLE_NAMES)[number] | undefined =>
  TABLE_NAMES[kind - BLOCK.firstTable];
