import { type Signal, useComputed, useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { NODE_STATES } from '../../analysis/efficiency/node-states.ts';
import { counted, formatSeconds } from '../../report/units.ts';
import { css } from '../draw/colours.ts';
import { isPrinted, palette, useDrawing } from '../draw/scheme.ts';
import { AXIS, drawTimeline, LABELS, markFirstPicture, ROW, type TimelineRow, TimelineSums } from '../draw/timeline.ts';
import { Region, useWidth } from '../figure.tsx';
import { type PageRecord, type Range, rowAt } from '../record/page-record.ts';
import type { PageState } from '../state.ts';
import { moved, type TimeAxis, timeAxis } from '../time-axis.ts';
import { Lanes } from './lanes.tsx';
import { RangeControl, Selection } from './selection.tsx';

/** Processes by node as rows of time, with messages; a user zooms, moves, searches, and selects. */
export function Timeline({ state, record }: { readonly state: PageState; readonly record: PageRecord }): JSX.Element {
  const canvas = useRef<HTMLCanvasElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const height = useSignal(400);
  const top = useSignal(0);
  const collapsed = useSignal<ReadonlySet<number>>(new Set());
  const withMessages = useSignal(true);
  const sums = useRef<TimelineSums>(undefined);
  sums.current ??= new TimelineSums(record);
  const calls = useComputed(() =>
    state.isWhole.value ? searchedCalls(record, state.search.value) : new Set<number>(),
  );
  const rows = useComputed(() => rowsOf(record, collapsed.value, state.search.value, calls.value));
  const { run, shown, time, chosen, range, problems } = state;

  const width = useWidth(box, () => {
    height.value = canvasHeight(rows.value.length);
  });
  const hidden = useSignal(0);
  const { states } = palette();
  /** Rows that print shows, from the first visible one on. */
  const printed = isPrinted.value ? Math.min(MAX_PRINTED, rows.value.length - Math.floor(top.value / ROW)) : undefined;
  useDrawing(() => {
    const first = Math.floor(top.value / ROW);
    const scene = {
      record,
      rows: rows.value,
      first,
      shown: shown.value,
      time: time.value,
      chosen: chosen.value,
      range: range.value,
      width: width.value,
      height: isPrinted.value ? AXIS + Math.min(MAX_PRINTED, rows.value.length - first) * ROW : height.value,
      messages: withMessages.value && state.isWhole.value,
      calls: calls.value,
      colours: palette(),
    };
    return () => {
      try {
        const { messages } = drawTimeline(canvas.current!, scene, sums.current!);
        hidden.value = messages;
        markFirstPicture();
      } catch (error) {
        problems.value = [...problems.value, `The timeline cannot be drawn: ${(error as Error).message}`];
      }
    };
  });

  const axis = timeAxis({ run, shown, time, width });
  const { timeAt, zoom, pan, keys: axisKeys } = axis;
  const rowAtY = (y: number): TimelineRow | undefined =>
    y < AXIS ? undefined : rows.value[Math.floor(top.value / ROW) + Math.floor((y - AXIS) / ROW)];
  const choose = (process: number, row: number): void => {
    const spans = record.spans[process]!;
    if (row < 0 || row >= spans.start.length) return;
    chosen.value = { process, row: spans.row[row]! };
    time.value = spans.start[row]!;
    if (spans.start[row]! < shown.value.from || spans.start[row]! > shown.value.to) pan(0);
  };
  const collapse = (node: number): void => {
    const next = new Set(collapsed.value);
    if (!next.delete(node)) next.add(node);
    collapsed.value = next;
  };
  /** Nodes with a heading: those of several processes. */
  const headed = new Set(rows.value.filter(({ process }) => process === undefined).map(({ node }) => node));
  const step = (by: number): void => {
    const now = chosen.value;
    if (now === undefined) {
      const first = rows.value.find(({ process }) => process !== undefined);
      if (first !== undefined) choose(first.process!, Math.max(0, rowAt(record.spans[first.process!]!, time.value)));
      return;
    }
    choose(now.process, record.spans[now.process]!.row.indexOf(now.row) + by);
  };

  const drag = useRef<
    { readonly x: number; readonly from: number; readonly isRange: boolean; moved: boolean } | undefined
  >(undefined);
  const onKey = (event: KeyboardEvent): void => {
    const keys: Readonly<Record<string, () => void>> = {
      ...axisKeys,
      n: () => step(1),
      p: () => step(-1),
      c: () => {
        const now = chosen.value;
        const node =
          now === undefined ? rows.value[Math.floor(top.value / ROW)]?.node : record.head.nodeOf[now.process];
        if (node !== undefined) collapse(node);
      },
      ArrowDown: () => {
        top.value = Math.min(Math.max(0, rows.value.length * ROW - (height.value - AXIS)), top.value + 4 * ROW);
      },
      ArrowUp: () => {
        top.value = Math.max(0, top.value - 4 * ROW);
      },
      Escape: () => {
        range.value = undefined;
        chosen.value = undefined;
      },
    };
    const act = keys[event.key];
    if (act === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    act();
  };

  const position = (event: MouseEvent): readonly [number, number] => {
    const { left, top: above } = canvas.current!.getBoundingClientRect();
    return [event.clientX - left, event.clientY - above];
  };

  return (
    <Region name="Timeline">
      <div class="tools">
        <ZoomButtons axis={axis} shown={shown} run={run} />
        <label>
          Search{' '}
          <input
            type="search"
            aria-label="Search"
            placeholder="process, node or call"
            value={state.search.value}
            onInput={(event) => {
              state.search.value = event.currentTarget.value;
              top.value = 0;
            }}
          />
        </label>
        <label>
          <input
            type="checkbox"
            checked={withMessages.value}
            onChange={(event) => {
              withMessages.value = event.currentTarget.checked;
            }}
          />{' '}
          Messages
        </label>
        {headed.size === 0 ? null : (
          <button
            type="button"
            onClick={() => {
              collapsed.value = collapsed.value.size > 0 ? new Set() : headed;
              top.value = 0;
            }}
          >
            {collapsed.value.size > 0 ? 'Expand nodes' : 'Collapse nodes'}
          </button>
        )}
        <ul class="legend" aria-label="Colours">
          {NODE_STATES.map((name) => (
            <li key={name}>
              <span
                class="swatch"
                ref={(element) => {
                  if (element !== null) element.style.backgroundColor = css(states[name]);
                }}
              />
              {name}
            </li>
          ))}
        </ul>
      </div>
      {/* biome-ignore-start lint/a11y: an application widget takes the focus (ARIA, role application) */}
      <div
        class="canvas"
        ref={box}
        tabIndex={0}
        role="application"
        aria-label="Timeline of processes: arrow keys move, plus and minus zoom, n and p select the next and previous span, c collapses its node, Escape clears"
        onKeyDown={onKey}
        onWheel={(event) => {
          const [x, y] = position(event);
          if (event.ctrlKey || event.shiftKey || x < LABELS) {
            event.preventDefault();
            zoom(event.deltaY > 0 ? 1.25 : 0.8, timeAt(x));
          } else if (rows.value.length * ROW > height.value - AXIS && y > AXIS) {
            event.preventDefault();
            top.value = Math.max(
              0,
              Math.min(rows.value.length * ROW - (height.value - AXIS), top.value + event.deltaY),
            );
          }
        }}
        onPointerDown={(event) => {
          const [x, y] = position(event);
          if (x < LABELS) return;
          drag.current = { x, from: timeAt(x), isRange: y < AXIS || event.shiftKey, moved: false };
          event.currentTarget.setPointerCapture(event.pointerId);
        }}
        onPointerMove={(event) => {
          const from = drag.current;
          if (from === undefined) return;
          const [x] = position(event);
          if (Math.abs(x - from.x) > 3) from.moved = true;
          if (!from.moved) return;
          if (from.isRange) {
            const to = timeAt(x);
            range.value = { from: Math.min(from.from, to), to: Math.max(from.from, to) };
          } else shown.value = moved(run, shown.value, from.from - timeAt(x));
        }}
        onPointerUp={(event) => {
          const from = drag.current;
          drag.current = undefined;
          if (from === undefined || from.moved) return;
          const [x, y] = position(event);
          const at = rowAtY(y);
          time.value = timeAt(x);
          if (at === undefined) return;
          if (at.process === undefined) collapse(at.node);
          else choose(at.process, rowAt(record.spans[at.process]!, timeAt(x)));
        }}
      >
        <canvas ref={canvas} />
      </div>
      {/* biome-ignore-end lint/a11y: see above */}
      <Lanes state={state} record={record} sums={sums.current} width={width.value} />
      <p class="note">
        {record.rows === 0 ? 'The record has no spans: there is nothing to draw. ' : ''}
        {rows.value.length === 0 && record.rows > 0 ? 'No process, node or call contains the searched text. ' : ''}
        {run.to > run.from || record.rows === 0 ? '' : 'The run takes no time: there is nothing to draw. '}
        Shown: {formatSeconds(shown.value.from)} to {formatSeconds(shown.value.to)}, {counted(record.rows, 'span')} of{' '}
        {record.processes === undefined ? '' : `${record.processes.size.toLocaleString('en')} of `}
        {counted(record.head.processes, 'process', 'processes')}.
        {record.processes === undefined ? '' : ' Curves and counters are those of the shown processes.'}
        {record.rows > 1 ? ' Where several spans share a column of pixels, it is divided by their times.' : ''}
        {hidden.value > 0
          ? ` ${hidden.value.toLocaleString('en')} messages are in view, too many to draw: zoom in to see them.`
          : ''}
        {printed === undefined || printed === rows.value.length
          ? ''
          : ` ${printed.toLocaleString('en')} of ${rows.value.length.toLocaleString('en')} rows are printed.`}
      </p>
      <RangeControl state={state} />
      <Selection state={state} record={record} />
    </Region>
  );
}

/** Buttons that zoom an axis of time, and show all of it. */
export function ZoomButtons(props: {
  readonly axis: TimeAxis;
  readonly shown: Signal<Range>;
  readonly run: Range;
}): JSX.Element {
  const { axis, shown, run } = props;
  return (
    <>
      <button type="button" onClick={() => axis.zoom(0.5)}>
        Zoom in
      </button>
      <button type="button" onClick={() => axis.zoom(2)}>
        Zoom out
      </button>
      <button
        type="button"
        onClick={() => {
          shown.value = run;
        }}
      >
        Whole run
      </button>
    </>
  );
}

/** Rows of the timeline: of each node a heading, and its processes if they are not collapsed. */
export function rowsOf(
  record: PageRecord,
  collapsed: ReadonlySet<number> = new Set(),
  search = '',
  calls: ReadonlySet<number> = new Set(),
): TimelineRow[] {
  const { head, spans } = record;
  const wanted = search.trim().toLowerCase();
  const hasCall = (process: number): boolean => spans[process]!.row.some((row) => calls.has(record.callOf[row]!));
  return nodeRows(head, collapsed, (process, name) => {
    if (!record.has(process)) return false;
    if (wanted === '' || name.toLowerCase().includes(wanted) || `process ${process}`.includes(wanted)) return true;
    return calls.size > 0 && hasCall(process);
  });
}

/** Rows of the processes that are wanted, by node. */
export function nodeRows(
  { nodes, nodeOf }: { readonly nodes: readonly { readonly name: string }[]; readonly nodeOf: readonly number[] },
  collapsed: ReadonlySet<number> = new Set(),
  isWanted: (process: number, node: string) => boolean = () => true,
): TimelineRow[] {
  const members = nodes.map((): number[] => []);
  nodeOf.forEach((node, process) => {
    members[node]!.push(process);
  });
  return nodes.flatMap(({ name }, node) => {
    const processes = members[node]!;
    const matching = processes.filter((process) => isWanted(process, name));
    if (matching.length === 0) return [];
    // A node with one process needs no heading.
    if (processes.length === 1) return [{ node, name: `${name} · ${processes[0]}`, process: processes[0]! }];
    const rows = collapsed.has(node) ? [] : matching.map((process) => ({ node, name: `${process}`, process }));
    return [{ node, name }, ...rows];
  });
}

/** Rows of a timeline that fit a page of print. */
const MAX_PRINTED = 80;

/** Height of the canvas of a timeline with a number of rows. */
export const canvasHeight = (rows: number): number =>
  Math.min(Math.max(160, Math.floor(window.innerHeight * 0.6)), AXIS + rows * ROW);

/** Names of calls that contain the searched text. */
function searchedCalls({ names, calls }: PageRecord, search: string): ReadonlySet<number> {
  const wanted = search.trim().toLowerCase();
  if (wanted === '' || calls.count === 0) return new Set();
  return new Set(names.flatMap((name, index) => (name.toLowerCase().includes(wanted) ? [index] : [])));
}
