import { NODE_STATES } from '../../analysis/efficiency/node-states.ts';
import type { Chosen, Range } from '../record/page-record.ts';
import { type PageRecord, rowAt } from '../record/page-record.ts';
import { css, type Palette } from './colours.ts';
import { binRow, type SpanSums, STATES, sumsOf } from './row-bins.ts';
import { ticksOf } from './ticks.ts';

/** Height of a row, of the axis, and width of the labels, in CSS pixels. */
export const ROW = 16;
export const AXIS = 24;
export const LABELS = 120;
/** Columns of pixels for each arrow of a message: more arrows would hide the spans below. */
const COLUMNS_PER_MESSAGE = 3;
/** Pixels of a row that show states; the rest separates it from the next. */
const BAND = 13;

/** A row: a process, or the heading of a node. */
export interface TimelineRow {
  readonly node: number;
  readonly name: string;
  readonly process?: number;
}

/** Contents and position of a timeline. */
export interface Scene {
  readonly record: PageRecord;
  readonly rows: readonly TimelineRow[];
  /** Index of the first visible row. */
  readonly first: number;
  readonly shown: Range;
  /** Time that the axis calls 0, if it is another than that of the record. */
  readonly origin?: number;
  readonly time: number;
  readonly chosen: Chosen | undefined;
  readonly range: Range | undefined;
  readonly width: number;
  readonly height: number;
  readonly messages: boolean;
  /** Index of the names of calls that the user searches. */
  readonly calls: ReadonlySet<number>;
  readonly colours: Palette;
}

/** Sums of the spans of each process, made when a row is drawn for the first time. */
export class TimelineSums {
  readonly #record: PageRecord;
  readonly #sums: (SpanSums | undefined)[] = [];

  constructor(record: PageRecord) {
    this.#record = record;
  }

  of(process: number): SpanSums {
    const made = this.#sums[process] ?? sumsOf(this.#record.spans[process]!);
    this.#sums[process] = made;
    return made;
  }
}

/** Sets the mark of the first picture: all visible rows have been painted. */
export function markFirstPicture(): void {
  if (performance.getEntriesByName('first-picture').length === 0) performance.mark('first-picture');
}

/** A canvas of a size in CSS pixels, cleared, whatever the ratio of the display; and the colour of its text. */
export function prepared(
  canvas: HTMLCanvasElement,
  width: number,
  height: number,
): { readonly context: CanvasRenderingContext2D; readonly text: string } {
  const ratio = window.devicePixelRatio;
  if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    canvas.style.width = `${width}px`;
    canvas.style.height = `${height}px`;
  }
  const context = canvas.getContext('2d')!;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  context.font = '12px system-ui, sans-serif';
  context.textBaseline = 'middle';
  return { context, text: getComputedStyle(canvas).color };
}

/** The parts of a scene that drawing a row uses. */
type Frame = Pick<Scene, 'rows' | 'first' | 'shown' | 'origin' | 'width' | 'height' | 'colours'>;

/** Where rows have been drawn. */
interface Drawn {
  readonly context: CanvasRenderingContext2D;
  /** Colour of text. */
  readonly text: string;
  readonly x: (time: number) => number;
  /** Middle of the rows of processes. */
  readonly y: ReadonlyMap<number, number>;
  /** False if a visible process has no bins. */
  readonly isWhole: boolean;
}

/**
 * Draws the axis and the visible rows.
 *
 * @param binsOf shares by state of each column, as {@link binRow} makes them
 */
export function drawRows(
  canvas: HTMLCanvasElement,
  { rows, first, shown, origin = 0, width, height, colours }: Frame,
  binsOf: (process: number, columns: number) => Float32Array | undefined,
): Drawn {
  const { context, text } = prepared(canvas, width, height);
  const columns = width - LABELS;
  const x = (time: number): number => LABELS + ((time - shown.from) / (shown.to - shown.from)) * columns;
  axis(context, { from: shown.from - origin, to: shown.to - origin }, (t) => x(t + origin), width, height, text);
  const visible = rows.slice(first, first + Math.ceil((height - AXIS) / ROW));
  const y = new Map<number, number>();
  let isWhole = true;
  if (columns > 0 && shown.to > shown.from) {
    const image = new ImageData(columns, BAND);
    const pixels = pixelsOf(colours);
    visible.forEach(({ process, name }, k) => {
      const above = AXIS + k * ROW;
      context.fillStyle = text;
      context.font = process === undefined ? 'bold 12px system-ui, sans-serif' : '12px system-ui, sans-serif';
      context.fillText(
        fitted(context, name, LABELS - 10 - (process === undefined ? 0 : 12)),
        process === undefined ? 2 : 14,
        above + ROW / 2,
      );
      if (process === undefined) return;
      y.set(process, above + BAND / 2);
      const bins = binsOf(process, columns);
      if (bins === undefined) {
        isWhole = false;
        return;
      }
      paint(image, bins, columns, pixels);
      put(context, image, LABELS, above + 1);
    });
  }
  return { context, text, x, y, isWhole };
}

/** Draws the visible rows. Returns the number of messages in view that were too many to draw. */
export function drawTimeline(
  canvas: HTMLCanvasElement,
  scene: Scene,
  sums: TimelineSums,
): { readonly messages: number } {
  const { shown, width, height, record, range, chosen, time } = scene;
  const { context, text, x, y } = drawRows(canvas, scene, (process, columns) =>
    binRow(record.spans[process]!, sums.of(process), shown.from, shown.to, columns),
  );
  for (const [process, middle] of y) blank(context, scene, process, x, middle - BAND / 2);
  if (scene.calls.size > 0) for (const [process, middle] of y) marks(context, scene, process, x, middle - BAND / 2);
  if (range !== undefined) {
    context.fillStyle = 'rgb(40 110 220 / 18%)';
    const left = Math.max(LABELS, x(range.from));
    context.fillRect(left, 0, Math.min(width, x(range.to)) - left, height);
  }
  const tooMany = scene.messages ? messages(context, scene, x, y) : 0;
  if (chosen !== undefined && y.has(chosen.process))
    outline(context, scene, x, y.get(chosen.process)! - BAND / 2, text);
  if (time >= shown.from && time <= shown.to) {
    context.strokeStyle = text;
    context.lineWidth = 1.5;
    context.beginPath();
    context.moveTo(x(time), 0);
    context.lineTo(x(time), height);
    context.stroke();
  }
  return { messages: tooMany };
}

/** Clears the time in which the node of a process does not take part: it is not idle then. */
function blank(
  context: CanvasRenderingContext2D,
  { record, width }: Scene,
  process: number,
  x: (time: number) => number,
  above: number,
): void {
  const stays = record.stays.get(record.head.nodeOf[process]!);
  if (stays === undefined) return;
  const clear = (from: number, to: number): void => {
    if (to > from) context.clearRect(from, above, to - from, ROW);
  };
  let from = LABELS;
  for (const { joined, left } of stays) {
    clear(from, Math.min(width, x(joined)));
    from = Math.max(from, x(left));
  }
  // After the end of the run, all nodes are idle: a comparison shows the time of a longer run.
  clear(from, Math.min(width, x(record.end.time)));
}

/** Most marks of a row: more would share pixels. */
const MAX_MARKS = 20_000;

/** Marks the spans of searched calls by a line above them. */
function marks(
  context: CanvasRenderingContext2D,
  { record, shown, calls, colours }: Scene,
  process: number,
  x: (time: number) => number,
  above: number,
): void {
  const { start, end, row } = record.spans[process]!;
  const { callOf } = record;
  context.fillStyle = css(colours.message);
  let drawn = Number.NEGATIVE_INFINITY;
  let count = 0;
  for (let k = Math.max(0, rowAt(record.spans[process]!, shown.from)); k < start.length && start[k]! <= shown.to; k++) {
    if (!calls.has(callOf[row[k]!]!)) continue;
    const left = Math.max(LABELS, x(start[k]!));
    const right = x(end[k]!);
    if (right < drawn + 0.5) continue;
    context.fillRect(left, above, Math.max(1, right - left), 3);
    drawn = right;
    if (++count > MAX_MARKS) return;
  }
}

/** Draws an image at CSS pixels, whatever the ratio of the display: `putImageData` ignores transformations. */
let buffer: { readonly canvas: OffscreenCanvas; readonly context: OffscreenCanvasRenderingContext2D } | undefined;
function put(context: CanvasRenderingContext2D, image: ImageData, left: number, top: number): void {
  if (buffer === undefined || buffer.canvas.width !== image.width) {
    const canvas = new OffscreenCanvas(image.width, image.height);
    buffer = { canvas, context: canvas.getContext('2d')! };
  }
  buffer.context.putImageData(image, 0, 0);
  context.drawImage(buffer.canvas, left, top);
}

/** Colours of states as pixels of an image, in the byte order of this computer. */
const pixelsOf = ({ states }: Palette): readonly number[] =>
  NODE_STATES.map((name) => new Uint32Array(Uint8Array.of(...states[name], 255).buffer)[0]!);

/** Divides each column of an image among the states by their shares. Every state with a share gets a pixel if there is room. */
function paint({ data }: ImageData, bins: Float32Array, columns: number, colours: readonly number[]): void {
  const pixels = new Uint32Array(data.buffer);
  for (let column = 0; column < columns; column++) {
    let from = 0;
    let sum = 0;
    for (let s = 0; s < STATES; s++) {
      const share = bins[column * STATES + s]!;
      sum += share;
      let to = s === STATES - 1 ? BAND : Math.round(sum * BAND);
      if (share > 0 && to === from && from < BAND) to = from + 1;
      if (share <= 0 && s < STATES - 1) to = from;
      const colour = colours[s]!;
      for (let line = from; line < to && line < BAND; line++) pixels[line * columns + column] = colour;
      from = Math.max(from, to);
    }
  }
}

function axis(
  context: CanvasRenderingContext2D,
  shown: Range,
  x: (time: number) => number,
  width: number,
  height: number,
  text: string,
): void {
  context.strokeStyle = 'rgb(128 128 128 / 40%)';
  context.fillStyle = text;
  context.lineWidth = 1;
  for (const { time, label } of ticksOf(shown, (width - LABELS) / 110)) {
    const at = x(time);
    context.beginPath();
    context.moveTo(at, AXIS - 6);
    context.lineTo(at, height);
    context.stroke();
    context.fillText(label, at + 3, AXIS / 2 - 2);
  }
}

function messages(
  context: CanvasRenderingContext2D,
  { record, shown, width, colours: { message, ground } }: Scene,
  x: (time: number) => number,
  y: ReadonlyMap<number, number>,
): number {
  const { count } = record.messages;
  const [source, destination, sent, received] = ['source', 'destination', 'sent', 'received'].map((name) =>
    record.messages.column(name),
  ) as [Int32Array, Int32Array, Float64Array, Float64Array];
  const most = Math.floor((width - LABELS) / COLUMNS_PER_MESSAGE);
  const seen: number[] = [];
  let more = 0;
  for (let k = 0; k < count; k++) {
    if (received[k]! < shown.from || sent[k]! > shown.to || !y.has(source[k]!) || !y.has(destination[k]!)) continue;
    if (seen.length < most) seen.push(k);
    else more++;
  }
  if (more > 0) return seen.length + more;
  // An edge of the colour of the ground parts arrows from the spans that they cross.
  for (const [colour, stroke] of [
    [ground, 3],
    [message, 1],
  ] as const) {
    context.strokeStyle = css(colour);
    context.fillStyle = css(colour);
    context.lineWidth = stroke;
    for (const k of seen) {
      const [x1, y1, x2, y2] = [x(sent[k]!), y.get(source[k]!)!, x(received[k]!), y.get(destination[k]!)!];
      context.beginPath();
      context.moveTo(Math.max(LABELS, x1), y1);
      context.lineTo(Math.max(LABELS, x2), y2);
      context.stroke();
      if (x2 < LABELS) continue;
      const angle = Math.atan2(y2 - y1, x2 - x1);
      context.beginPath();
      context.moveTo(x2, y2);
      context.lineTo(x2 - 6 * Math.cos(angle - 0.4), y2 - 6 * Math.sin(angle - 0.4));
      context.lineTo(x2 - 6 * Math.cos(angle + 0.4), y2 - 6 * Math.sin(angle + 0.4));
      context.closePath();
      if (colour === ground) context.stroke();
      else context.fill();
    }
  }
  return 0;
}

function outline(
  context: CanvasRenderingContext2D,
  { record, chosen }: Scene,
  x: (time: number) => number,
  top: number,
  text: string,
): void {
  const spans = record.spans[chosen!.process]!;
  const row = spans.row.indexOf(chosen!.row);
  if (row < 0) return;
  context.strokeStyle = text;
  context.lineWidth = 2;
  const left = Math.max(LABELS, x(spans.start[row]!));
  context.strokeRect(left, top, Math.max(2, x(spans.end[row]!) - left), BAND + 1);
}

/** A name that fits a width: its end is cut. */
export function fitted(context: CanvasRenderingContext2D, name: string, width: number): string {
  const text = name.length > 200 ? name.slice(0, 200) : name;
  if (context.measureText(text).width <= width) return text;
  let length = text.length;
  while (length > 1 && context.measureText(`${text.slice(0, length)}…`).width > width) length--;
  return `${text.slice(0, length)}…`;
}
