import type { ReadonlySignal, Signal } from '@preact/signals';
import { LABELS } from './draw/timeline.ts';
import type { Range } from './record/page-record.ts';

/** Zoom and movement of pictures on an axis of time, the same for all of them. */
export interface TimeAxis {
  /** Time at a horizontal position, in CSS pixels. */
  readonly timeAt: (x: number) => number;
  /** Multiplies the shown part, about the cursor if it is in view. */
  readonly zoom: (factor: number, about?: number) => void;
  /** Moves by a share of the shown part. */
  readonly pan: (share: number) => void;
  /** The action of each key. */
  readonly keys: Readonly<Record<string, () => void>>;
}

export function timeAxis(of: {
  /** Begin and end of the whole axis. */
  readonly run: Range;
  readonly shown: Signal<Range>;
  readonly time: ReadonlySignal<number>;
  /** Width of the picture with its labels. */
  readonly width: ReadonlySignal<number>;
}): TimeAxis {
  const { run, shown, time, width } = of;
  const zoom = (factor: number, about = time.value): void => {
    const { from, to } = shown.value;
    const inside = about >= from && about <= to ? about : (from + to) / 2;
    shown.value = zoomed(run, shown.value, factor, inside);
  };
  const pan = (share: number): void => {
    shown.value = moved(run, shown.value, share * (shown.value.to - shown.value.from));
  };
  return {
    timeAt: (x) => {
      const { from, to } = shown.value;
      return from + (Math.max(0, x - LABELS) / Math.max(1, width.value - LABELS)) * (to - from);
    },
    zoom,
    pan,
    keys: {
      ArrowLeft: () => pan(-0.2),
      ArrowRight: () => pan(0.2),
      '+': () => zoom(0.5),
      '=': () => zoom(0.5),
      '-': () => zoom(2),
      Home: () => {
        shown.value = run;
      },
    },
  };
}

/** The part that results from zooming by a factor about an instant; stays inside the run. */
export function zoomed(run: Range, { from, to }: Range, factor: number, about: number): Range {
  // Far from zero, numbers that are closer than this are equal.
  const least = Math.max((run.to - run.from) * 1e-9, 64 * Number.EPSILON * Math.max(Math.abs(from), Math.abs(to)));
  const length = Math.min(run.to - run.from, Math.max(least, (to - from) * factor));
  const share = to > from ? (about - from) / (to - from) : 0.5;
  return moved(run, { from: about - share * length, to: about + (1 - share) * length }, 0);
}

/** The part moved by a number of seconds; stays inside the run. */
export function moved(run: Range, { from, to }: Range, seconds: number): Range {
  const length = to - from;
  const begin = Math.max(run.from, Math.min(run.to - length, from + seconds));
  return { from: begin, to: begin + length };
}
