import type { By, Pairs, Sorted } from '../record/message-pairs.ts';
import type { Range } from '../record/page-record.ts';
import { type Colour, css, type Palette } from './colours.ts';

/** Width and height of the matrix, and of the numbers at its left and above it, in CSS pixels. */
export const SIZE = 480;
export const MARGIN = 44;
/** Share of the colour of messages that the smallest amount has. */
const FAINTEST = 0.15;
/** Distance of numbers, in CSS pixels. */
const STEP = 40;

/** Positions in the order of processes, from `from` on and before `to`. */
export interface Shown {
  readonly rows: Range;
  readonly columns: Range;
}

/** @param scene pairs in the order of their amounts: where several share a pixel, the largest is seen */
export function drawMatrix(
  context: CanvasRenderingContext2D,
  scene: {
    readonly pairs: Pairs;
    readonly by: By;
    readonly axis: Sorted;
    readonly shown: Shown;
    /** Nodes whose ends are drawn. */
    readonly nodeOf: readonly number[] | undefined;
    readonly colours: Palette;
  },
): void {
  const { pairs, by, axis, shown, nodeOf, colours } = scene;
  const { ground, message } = colours;
  const { rows, columns } = shown;
  const [height, width] = [SIZE / (rows.to - rows.from), SIZE / (columns.to - columns.from)];
  const most = pairs.at(-1)?.[by] ?? 0;
  context.fillStyle = css(ground);
  context.fillRect(0, 0, SIZE + MARGIN, SIZE + MARGIN);
  for (const pair of pairs) {
    const row = axis.position[pair.source]! - rows.from;
    const column = axis.position[pair.destination]! - columns.from;
    if (row < 0 || column < 0 || row >= rows.to - rows.from || column >= columns.to - columns.from) continue;
    // Amounts span orders of magnitude: the colour follows the square root, so that small ones are seen beside large ones.
    const depth = most > 0 ? Math.sqrt(pair[by] / most) : 0;
    const share = FAINTEST + (1 - FAINTEST) * depth;
    const mixed = ground.map((from, k) => Math.round(from + (message[k]! - from) * share));
    context.fillStyle = css(mixed as unknown as Colour);
    context.fillRect(MARGIN + column * width, MARGIN + row * height, Math.max(1, width), Math.max(1, height));
  }
  context.strokeStyle = 'rgb(110 110 120)';
  context.strokeRect(MARGIN + 0.5, MARGIN + 0.5, SIZE - 1, SIZE - 1);
  // Lines between nodes are fainter than cells.
  context.strokeStyle = 'rgb(128 128 128 / 35%)';
  context.fillStyle = getComputedStyle(context.canvas).color;
  context.font = '12px system-ui, sans-serif';
  for (const [isRow, { from, to }, size] of [
    [true, rows, height],
    [false, columns, width],
  ] as const) {
    const step = Math.max(1, Math.ceil(STEP / size));
    context.textAlign = isRow ? 'right' : 'center';
    context.textBaseline = isRow ? 'middle' : 'bottom';
    for (let at = from; at < to; at++) {
      const edge = MARGIN + (at - from) * size;
      if ((at - from) % step === 0) {
        const [x, y] = isRow ? [MARGIN - 4, edge + size / 2] : [edge + size / 2, MARGIN - 4];
        context.fillText(String(axis.axis[at]), x, y);
      }
      if (nodeOf === undefined || at === from || nodeOf[axis.axis[at]!] === nodeOf[axis.axis[at - 1]!]) continue;
      context.beginPath();
      if (isRow) {
        context.moveTo(MARGIN, edge);
        context.lineTo(MARGIN + SIZE, edge);
      } else {
        context.moveTo(edge, MARGIN);
        context.lineTo(edge, MARGIN + SIZE);
      }
      context.stroke();
    }
  }
}
