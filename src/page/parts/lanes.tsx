import { useComputed, useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import { NODE_STATES } from '../../analysis/efficiency/node-states.ts';
import { CURVES, css } from '../draw/colours.ts';
import { CURVE, drawCurve, drawIntervals, LANE, stateBins } from '../draw/lanes.ts';
import { palette, useDrawing } from '../draw/scheme.ts';
import { LABELS, type TimelineSums } from '../draw/timeline.ts';
import { Counters, MESSAGE_COUNTERS } from '../record/counters.ts';
import { followedNet } from '../record/followed-net.ts';
import { IntervalRows } from '../record/interval-rows.ts';
import type { PageRecord } from '../record/page-record.ts';
import type { PageState } from '../state.ts';

/** Depth up to which lanes of intervals are drawn. */
const MAX_LANES = 8;

/** Counters besides the degree of parallelism: processes in a state, and what follows from messages. */
const STATE_COUNTERS = NODE_STATES.slice(1).map((name) => `${name} processes`);

/** Lanes below the timeline, on its axis: degree of parallelism, a counter, and the intervals of the chosen process. */
export function Lanes(props: {
  readonly state: PageState;
  readonly record: PageRecord;
  readonly sums: TimelineSums;
  readonly width: number;
}): JSX.Element {
  const { state, record, sums, width } = props;
  const curve = useRef<HTMLCanvasElement>(null);
  const lanes = useRef<HTMLCanvasElement>(null);
  const second = useRef<HTMLCanvasElement>(null);
  const counter = useSignal<string>(record.head.nodes.length > 1 ? MESSAGE_COUNTERS[0] : STATE_COUNTERS[1]!);
  const counters = useMemo(() => {
    const { net, history } = state.content.net === undefined ? {} : followedNet(state.content.net);
    return new Counters(record, net, history);
  }, [record]);
  const rows = useMemo(() => new IntervalRows(record), [record]);
  const process = useComputed(() => state.chosen.value?.process ?? record.processes?.values().next().value ?? 0);
  const intervals = useComputed(() => (state.isWhole.value && record.spans.length > 0 ? rows.of(process.value) : []));
  const depth = useComputed(() =>
    Math.min(
      MAX_LANES,
      intervals.value.reduce((most, row) => Math.max(most, row.depth + 1), 0),
    ),
  );
  // The curve needs all processes: it follows when the user rests, so that the timeline moves without delay.
  useDrawing(() => {
    const shown = state.shown.value;
    const of = intervals.value;
    const name = counter.value;
    const lanesHigh = depth.value * LANE;
    const colours = palette();
    // The first picture is that of the timeline: these follow.
    if (!state.isWhole.value || !(shown.to > shown.from)) return undefined;
    return () => {
      const columns = width - LABELS;
      if (curve.current !== null)
        drawCurve(
          curve.current,
          {
            name: 'computing',
            values: stateBins(record, sums, shown, columns, 0),
            most: record.processes?.size ?? record.spans.length,
            colour: css(colours.states.computing),
          },
          width,
        );
      if (second.current !== null) {
        const state = STATE_COUNTERS.indexOf(name) + 1;
        const values = state > 0 ? stateBins(record, sums, shown, columns, state) : counters.bins(name, shown, columns);
        const most = values.reduce((max, value) => Math.max(max, value), 0);
        drawCurve(second.current, { name, values, most, colour: CURVES[0] }, width);
      }
      if (lanes.current !== null && lanesHigh > 0) drawIntervals(lanes.current, of, shown, width, lanesHigh);
    };
  }, 120);
  return (
    <>
      <canvas ref={curve} height={CURVE} role="img" aria-label="Degree of parallelism: computing processes over time" />
      <label class="choice">
        Counter{' '}
        <select
          value={counter.value}
          onChange={(event) => {
            counter.value = event.currentTarget.value;
          }}
        >
          {[...(record.messages.count > 0 || !state.isWhole.value ? MESSAGE_COUNTERS : []), ...STATE_COUNTERS].map(
            (name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ),
          )}
          {counters.ofNet.length === 0 ? null : (
            <optgroup label="Net">
              {counters.ofNet.map((name) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
            </optgroup>
          )}
        </select>
      </label>
      <canvas ref={second} height={CURVE} role="img" aria-label={`Mean number over time: ${counter.value}`} />
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
