import { PAGE_SIZE, type PagedColumn } from '../../base/paged.ts';
import { compileKernel, Kernel } from '../../kernel/kernel.ts';
import { PACKED, UNPACK } from './packed-page.ts';
import type { PackedPages } from './packed-pages.ts';

/** Pages that stay unpacked. */
export const UNPACKED = 128;
/** Dropped pages that wait before their memory is used again, for readers that keep a page a little too long. */
const LIMBO = 32;
/** Pages that there is room for: those, and the one that is being unpacked. */
const ROOM = UNPACKED + LIMBO + 1;
/** Bytes of memory for them, and for one that is packed, in pages of WebAssembly. */
const MEMORY = Math.ceil((ROOM * PAGE_SIZE * 12 + 8192) / 65536);

const TEXT = `
let codes: ints = ints(${ROOM * PAGE_SIZE}); let amounts: nums = nums(${ROOM * PAGE_SIZE});${PACKED}${UNPACK}`;

/** Room for a page: where it begins, and views of both of its columns. */
interface Room {
  readonly at: number;
  readonly code: Int32Array;
  readonly amount: Float64Array;
}

/**
 * Both columns of pages that have been packed, by page. The memory of unpacked pages is used again, so an array of a page
 * must not be kept: always go through `pages[page] ?? load(page)`.
 *
 * @param numbers those of the packed pages, in the order of the columns
 */
export function pageColumns(
  packed: PackedPages,
  numbers: Int32Array,
): { code: PagedColumn<Int32Array>; amount: PagedColumn<Float64Array> } {
  const kernel = new Kernel({ ...compileKernel(TEXT), pages: MEMORY });
  const unpack = kernel.call['unpack']!;
  const staged = kernel.array<Uint8Array<ArrayBuffer>>('packedBytes');
  const [codeRoom, amountRoom] = [kernel.array('codes'), kernel.array<Float64Array<ArrayBuffer>>('amounts')];
  const rooms = new Array<Room | undefined>(numbers.length).fill(undefined);
  const codes = new Array<Int32Array | undefined>(numbers.length).fill(undefined);
  const amounts = new Array<Float64Array | undefined>(numbers.length).fill(undefined);
  /** Pages that are unpacked, first in, first out: readers go forward. */
  const order: number[] = [];
  const free: Room[] = [];
  for (let at = 0; at < ROOM * PAGE_SIZE; at += PAGE_SIZE)
    free.push({
      at,
      code: codeRoom.subarray(at, at + PAGE_SIZE),
      amount: amountRoom.subarray(at, at + PAGE_SIZE),
    });
  const drop = (page: number): void => {
    free.push(rooms[page]!);
    rooms[page] = undefined;
    codes[page] = undefined;
    amounts[page] = undefined;
  };
  const load = (page: number): Room => {
    const number = numbers[page];
    if (number === undefined) throw new RangeError(`page ${page} of ${numbers.length}`);
    const known = rooms[page];
    if (known !== undefined) return known;
    const bytes = packed.read(number);
    if (order.length === UNPACKED) drop(order.shift()!);
    const room = free.shift()!;
    staged.set(bytes);
    unpack(room.at);
    rooms[page] = room;
    codes[page] = room.code;
    amounts[page] = room.amount;
    order.push(page);
    return room;
  };
  const length = numbers.length * PAGE_SIZE;
  return {
    code: { length, pages: codes, load: (page) => load(page).code },
    amount: { length, pages: amounts, load: (page) => load(page).amount },
  };
}
