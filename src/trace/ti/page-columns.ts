import type { PagedColumn } from '../../base/paged.ts';
import { compileKernel, Kernel } from '../../kernel/kernel.ts';
import { mostPacked, packedText, unpackText } from './packed-page.ts';
import type { PackedPages } from './packed-pages.ts';

/** Pages that stay unpacked. */
export const UNPACKED = 128;
/** Dropped pages that wait before their memory is used again, for readers that keep a page a little too long. */
const LIMBO = 32;
/** Pages that there is room for: those, and the one that is being unpacked. */
const ROOM = UNPACKED + LIMBO + 1;
/** Bytes of memory besides those for pages. */
const MEMORY = 8192;
const MEMORY_PAGE = 1 << 16;

const text = (size: number): string => `
let codes: ints = ints(${ROOM * size}); let amounts: nums = nums(${ROOM * size});${packedText(size)}${unpackText(size)}`;

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
 * @param shift a page has `1 << shift` positions
 */
export function pageColumns(
  packed: PackedPages,
  numbers: Int32Array,
  shift: number,
): { code: PagedColumn<Int32Array>; amount: PagedColumn<Float64Array> } {
  const size = 1 << shift;
  const bytes = ROOM * size * 12 + mostPacked(size) + MEMORY;
  const kernel = new Kernel({ ...compileKernel(text(size)), pages: Math.ceil(bytes / MEMORY_PAGE) });
  const unpack = kernel.call['unpack']!;
  const staged = kernel.array<Uint8Array<ArrayBuffer>>('packedBytes');
  const [codeRoom, amountRoom] = [kernel.array('codes'), kernel.array<Float64Array<ArrayBuffer>>('amounts')];
  const rooms = new Array<Room | undefined>(numbers.length).fill(undefined);
  const codes = new Array<Int32Array | undefined>(numbers.length).fill(undefined);
  const amounts = new Array<Float64Array | undefined>(numbers.length).fill(undefined);
  /** Pages that are unpacked, first in, first out: readers go forward. */
  const order: number[] = [];
  const free: Room[] = [];
  for (let at = 0; at < ROOM * size; at += size)
    free.push({
      at,
      code: codeRoom.subarray(at, at + size),
      amount: amountRoom.subarray(at, at + size),
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
    const packedPage = packed.read(number);
    if (order.length === UNPACKED) drop(order.shift()!);
    const room = free.shift()!;
    staged.set(packedPage);
    unpack(room.at);
    rooms[page] = room;
    codes[page] = room.code;
    amounts[page] = room.amount;
    order.push(page);
    return room;
  };
  const length = numbers.length * size;
  return {
    code: { length, shift, sound: true, pages: codes, load: (page) => load(page).code },
    amount: { length, shift, sound: true, pages: amounts, load: (page) => load(page).amount },
  };
}
