import { type Signal, useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import { formatSeconds } from '../../report/units.ts';
import { palette, useDrawing } from '../draw/scheme.ts';
import { AXIS, drawTimeline, LABELS, ROW, TimelineSums } from '../draw/timeline.ts';
import { Region, useWidth } from '../figure.tsx';
import { PageRecord, type Range } from '../record/page-record.ts';
import { moved, type TimeAxis, timeAxis } from '../time-axis.ts';
import { rowsOf, ZoomButtons } from './timeline.tsx';

/** Most pixels of the height of one run; further rows scroll. */
const MAX_HEIGHT = 320;

/**
 * Two runs, one above the other, on one axis of time: both zoom and move together. Times count from the first span of each run:
 * recorded runs begin at any time.
 */
export function Pair({ pair }: { readonly pair: readonly [Uint8Array, Uint8Array] }): JSX.Element {
  const records = useMemo(() => pair.map((bytes) => new PageRecord(bytes)), [pair]);
  const run = useMemo(() => ({ from: 0, to: Math.max(...records.map(lengthOf)) }), [records]);
  const shown = useSignal<Range>(run);
  const time = useSignal(run.from);
  const box = useRef<HTMLDivElement>(null);
  const width = useWidth(box);
  const axis = timeAxis({ run, shown, time, width });
  return (
    <Region name="Timeline">
      <div class="tools">
        <ZoomButtons axis={axis} shown={shown} run={run} />
      </div>
      <div ref={box}>
        {records.map((record, k) => (
          <OneRun
            key={k}
            name={'ab'[k]!}
            record={record}
            run={run}
            shown={shown}
            time={time}
            width={width}
            axis={axis}
          />
        ))}
      </div>
      <p class="note">
        Shown of both runs: {formatSeconds(shown.value.from)} to {formatSeconds(shown.value.to)}. Times count from the
        first span of each run.
      </p>
    </Region>
  );
}

/** Seconds from the first span to the end. */
const lengthOf = ({ begin, end }: PageRecord): number => end.time - begin;

function OneRun(props: {
  readonly name: string;
  readonly record: PageRecord;
  readonly run: Range;
  readonly shown: Signal<Range>;
  readonly time: Signal<number>;
  readonly width: Signal<number>;
  readonly axis: TimeAxis;
}): JSX.Element {
  const { name, record, run, shown, time, width, axis } = props;
  const canvas = useRef<HTMLCanvasElement>(null);
  const sums = useMemo(() => new TimelineSums(record), [record]);
  const rows = useMemo(() => rowsOf(record), [record]);
  const top = useSignal(0);
  const height = Math.min(MAX_HEIGHT, AXIS + rows.length * ROW);
  useDrawing(() => {
    const scene = {
      record,
      rows,
      first: Math.floor(top.value / ROW),
      shown: { from: shown.value.from + record.begin, to: shown.value.to + record.begin },
      origin: record.begin,
      time: time.value + record.begin,
      chosen: undefined,
      range: undefined,
      width: width.value,
      height,
      messages: false,
      colours: palette(),
      calls: new Set<number>(),
    };
    return () => void drawTimeline(canvas.current!, scene, sums);
  });
  const scroll = (by: number): void => {
    top.value = Math.max(0, Math.min(rows.length * ROW - (height - AXIS), top.value + by));
  };
  const drag = useRef<{ readonly from: number; readonly x: number; moved: boolean } | undefined>(undefined);
  const x = (event: MouseEvent): number => event.clientX - canvas.current!.getBoundingClientRect().left;
  return (
    <>
      <h3>
        {name}: {record.head.program}, {formatSeconds(lengthOf(record))}
      </h3>
      {/* biome-ignore-start lint/a11y: an application widget takes the focus (ARIA, role application) */}
      <div
        class="canvas"
        tabIndex={0}
        role="application"
        aria-label={`Processes of run ${name}: arrow keys move, plus and minus zoom, Home shows all`}
        onKeyDown={(event) => {
          const act = { ...axis.keys, ArrowDown: () => scroll(4 * ROW), ArrowUp: () => scroll(-4 * ROW) }[event.key];
          if (act === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
          event.preventDefault();
          act();
        }}
        onWheel={(event) => {
          if (event.ctrlKey || event.shiftKey) {
            event.preventDefault();
            axis.zoom(event.deltaY > 0 ? 1.25 : 0.8, axis.timeAt(x(event)));
          } else if (rows.length * ROW > height - AXIS) {
            event.preventDefault();
            scroll(event.deltaY);
          }
        }}
        onPointerDown={(event) => {
          if (x(event) < LABELS) return;
          drag.current = { x: x(event), from: axis.timeAt(x(event)), moved: false };
          event.currentTarget.setPointerCapture(event.pointerId);
        }}
        onPointerMove={(event) => {
          const { current } = drag;
          if (current === undefined) return;
          if (Math.abs(x(event) - current.x) > 3) current.moved = true;
          if (current.moved) shown.value = moved(run, shown.value, current.from - axis.timeAt(x(event)));
        }}
        onPointerUp={(event) => {
          if (drag.current?.moved === false) time.value = axis.timeAt(x(event));
          drag.current = undefined;
        }}
      >
        <canvas ref={canvas} />
      </div>
      {/* biome-ignore-end lint/a11y: see above */}
    </>
  );
}
