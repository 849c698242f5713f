import { useComputed, useSignalEffect } from '@preact/signals';
import type { JSX } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import { CURVE, drawIntervals, drawParallelism, LANE, parallelismBins } from '../draw/lanes.ts';
import { LABELS, type TimelineSums } from '../draw/timeline.ts';
import { IntervalRows } from '../record/interval-rows.ts';
import type { PageRecord } from '../record/page-record.ts';
import type { PageState } from '../state.ts';

/** Depth up to which lanes of intervals are drawn. */
const MAX_LANES = 8;

/** Lanes below the timeline, on its axis: degree of parallelism, and the intervals of the chosen process. */
export function Lanes(props: {
  readonly state: PageState;
  readonly record: PageRecord;
  readonly sums: TimelineSums;
  readonly width: number;
}): JSX.Element {
  const { state, record, sums, width } = props;
  const curve = useRef<HTMLCanvasElement>(null);
  const lanes = useRef<HTMLCanvasElement>(null);
  const rows = useMemo(() => new IntervalRows(record), [record]);
  const process = useComputed(() => state.chosen.value?.process ?? 0);
  const intervals = useComputed(() => (state.isWhole.value && record.spans.length > 0 ? rows.of(process.value) : []));
  const depth = useComputed(() =>
    Math.min(
      MAX_LANES,
      intervals.value.reduce((most, row) => Math.max(most, row.depth + 1), 0),
    ),
  );
  useSignalEffect(() => {
    const shown = state.shown.value;
    const of = intervals.value;
    const lanesHigh = depth.value * LANE;
    // The first picture is that of the timeline: these follow.
    if (!state.isWhole.value || !(shown.to > shown.from)) return;
    // The curve needs all processes: it follows when the user rests, so that the timeline moves without delay.
    const timer = setTimeout(() => {
      if (curve.current !== null)
        drawParallelism(
          curve.current,
          parallelismBins(record, sums, shown, width - LABELS),
          record.spans.length,
          width,
        );
      if (lanes.current !== null && lanesHigh > 0) drawIntervals(lanes.current, of, shown, width, lanesHigh);
    }, 120);
    return () => clearTimeout(timer);
  });
  return (
    <>
      <canvas ref={curve} height={CURVE} role="img" aria-label="Degree of parallelism: computing processes over time" />
      {depth.value === 0 ? null : (
        <canvas
          ref={lanes}
          role="img"
          aria-label={`Intervals of process ${process.value} over time; the table Intervals has their figures`}
        />
      )}
    </>
  );
}
