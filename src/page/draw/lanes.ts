import type { IntervalRow } from '../record/interval-rows.ts';
import type { PageRecord, Range } from '../record/page-record.ts';
import { binRow, STATES } from './row-bins.ts';
import { fitted, LABELS, prepared, type TimelineSums } from './timeline.ts';

/** Height of a lane of intervals, and of the curve, in CSS pixels. */
export const LANE = 18;
export const CURVE = 60;
/** Pixels and rows up to which a curve has a value for each pixel. */
const MAX_BINS = 2_000_000;

/** The mean number of processes in a state (index of NODE_STATES) in each column of pixels; of computing ones, the degree of parallelism. */
export function stateBins(
  record: PageRecord,
  sums: TimelineSums,
  shown: Range,
  width: number,
  state: number,
): Float64Array {
  const processes = record.processes?.size ?? record.spans.length;
  const columns = Math.max(1, Math.min(width, Math.floor(MAX_BINS / Math.max(1, processes))));
  const values = new Float64Array(columns);
  record.spans.forEach((spans, process) => {
    if (!record.has(process)) return;
    const bins = binRow(spans, sums.of(process), shown.from, shown.to, columns);
    for (let k = 0; k < columns; k++) values[k]! += bins[k * STATES + state]!;
  });
  return values;
}

/** A curve below the timeline. */
export interface LaneCurve {
  readonly name: string;
  readonly values: Float64Array;
  /** Value at the upper edge. */
  readonly most: number;
  readonly colour: string;
}

/** Draws a curve on the axis of the timeline. */
export function drawCurve(canvas: HTMLCanvasElement, { name, values, most, colour }: LaneCurve, width: number): void {
  const { context, text } = prepared(canvas, width, CURVE);
  context.fillStyle = text;
  context.fillText(fitted(context, name, LABELS - 8), 2, 12);
  context.fillText(`0 to ${Number(most.toPrecision(3)).toLocaleString('en')}`, 2, 28);
  const columns = width - LABELS;
  context.fillStyle = colour;
  const step = columns / values.length;
  values.forEach((value, k) => {
    const height = most > 0 ? (value / most) * (CURVE - 4) : 0;
    context.fillRect(LABELS + k * step, CURVE - height, Math.ceil(step), height);
  });
}

/** Draws the intervals of a process, one lane for each depth, on the axis of the timeline. */
export function drawIntervals(
  canvas: HTMLCanvasElement,
  rows: readonly IntervalRow[],
  { from, to }: Range,
  width: number,
  height: number,
): void {
  const { context, text } = prepared(canvas, width, height);
  const columns = width - LABELS;
  const x = (time: number): number => LABELS + ((time - from) / (to - from)) * columns;
  context.fillStyle = text;
  context.fillText('intervals', 2, LANE / 2);
  context.strokeStyle = text;
  context.lineWidth = 1;
  /** Right edge of the last drawn row of each lane: rows below a pixel apart are drawn as one. */
  const drawn: number[] = [];
  for (const { start, end, depth, name } of rows) {
    if (end < from || start > to || (depth + 1) * LANE > height) continue;
    const left = Math.max(LABELS, x(start));
    const right = Math.min(width, x(end));
    if (right - left < 1 && right < (drawn[depth] ?? 0) + 1) continue;
    drawn[depth] = right;
    context.fillStyle = `hsl(${hueOf(name)} 45% 72%)`;
    context.fillRect(left, depth * LANE, Math.max(1, right - left), LANE - 2);
    if (right - left > 30) {
      context.fillStyle = '#16161a';
      context.fillText(fitted(context, name, right - left - 6), left + 3, depth * LANE + LANE / 2 - 1);
    }
  }
}

/** A hue that stays the same for a name. */
function hueOf(name: string): number {
  let hash = 0;
  for (const character of name.replace(/[[#].*$/, '')) hash = (hash * 31 + character.codePointAt(0)!) % 360;
  return hash;
}
