import type { PagedColumn } from '../../../base/columns.ts';
import { compileKernel, Kernel } from '../../../kernel/kernel.ts';
import { maxPackedBytes, packedText, unpackText } from './packed-page.ts';
import type { PackedPages } from './packed-pages.ts';

/** Maximum number of pages that are unpacked at a time. */
export const UNPACKED = 128;
/** Number of dropped pages whose memory is not reused yet, for readers that hold a page slightly too long. */
const LIMBO = 32;
/** Pages in memory: unpacked pages, dropped pages, and the page that is being unpacked. */
const ROOM = UNPACKED + LIMBO + 1;
/** Bytes of memory in addition to the pages. */
const MEMORY = 8192;
const MEMORY_PAGE = 1 << 16;

const text = (size: number): string => `
let codes: ints = ints(${ROOM * size}); let amounts: nums = nums(${ROOM * size});${packedText(size)}${unpackText(size)}`;

/** Memory of an unpacked page: its start, and views of both columns. */
interface Room {
  readonly at: number;
  readonly code: Int32Array;
  readonly amount: Float64Array;
}

/**
 * Both columns of a packed trace, by page. The memory of unpacked pages is reused, so do not keep the array of a page;
 * always use `pages[page] ?? load(page)`.
 *
 * @param numbers numbers of the packed pages, in the order of the columns
 * @param shift a page has `1 << shift` positions
 */
export function pageColumns(
  packed: PackedPages,
  numbers: Int32Array,
  shift: number,
): { code: PagedColumn<Int32Array>; amount: PagedColumn<Float64Array> } {
  const size = 1 << shift;
  const bytes = ROOM * size * 12 + maxPackedBytes(size) + MEMORY;
  const kernel = new Kernel({ ...compileKernel(text(size)), pages: Math.ceil(bytes / MEMORY_PAGE) });
  const unpack = kernel.call['unpack']!;
  const staged = kernel.array<Uint8Array<ArrayBuffer>>('packedBytes');
  const [codeRoom, amountRoom] = [kernel.array('codes'), kernel.array<Float64Array<ArrayBuffer>>('amounts')];
  const rooms = new Array<Room | undefined>(numbers.length).fill(undefined);
  const codes = new Array<Int32Array | undefined>(numbers.length).fill(undefined);
  const amounts = new Array<Float64Array | undefined>(numbers.length).fill(undefined);
  /** Unpacked pages, first in, first out, because readers move forward. */
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
