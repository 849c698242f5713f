import { useComputed, useSignal, useSignalEffect } from '@preact/signals';
import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { NODE_STATES } from '../../analysis/efficiency/node-states.ts';
import { formatBytes, formatSeconds } from '../../report/units.ts';
import { RUN_STATES } from '../../trace/run/run-schema.ts';
import {
  AXIS,
  css,
  drawTimeline,
  LABELS,
  ROW,
  STATE_COLOURS,
  type TimelineRow,
  TimelineSums,
} from '../draw/timeline.ts';
import { Region } from '../figure.tsx';
import { type PageRecord, rowAt } from '../record/page-record.ts';
import { moved, type PageState, zoomed } from '../state.ts';

/** Processes by node as rows of time, with messages; a user zooms, moves, searches, and selects. */
export function Timeline({ state, record }: { readonly state: PageState; readonly record: PageRecord }): JSX.Element {
  const canvas = useRef<HTMLCanvasElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const width = useSignal(1200);
  const height = useSignal(400);
  const top = useSignal(0);
  const collapsed = useSignal<ReadonlySet<number>>(new Set());
  const withMessages = useSignal(true);
  const sums = useRef<TimelineSums>(undefined);
  sums.current ??= new TimelineSums(record);
  const rows = useComputed(() => rowsOf(record, collapsed.value, state.search.value));
  const { run, shown, time, chosen, range, problems } = state;

  useLayoutEffect(() => {
    const element = box.current!;
    const measured = (): void => {
      width.value = Math.max(200, element.clientWidth);
      height.value = Math.min(Math.max(160, Math.floor(window.innerHeight * 0.6)), AXIS + rows.value.length * ROW);
    };
    measured();
    const observer = new ResizeObserver(measured);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  const hidden = useSignal(0);
  useSignalEffect(() => {
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
      height: height.value,
      messages: withMessages.value && state.isWhole.value,
    };
    const frame = requestAnimationFrame(() => {
      try {
        const { messages } = drawTimeline(canvas.current!, scene, sums.current!);
        hidden.value = messages;
        if (performance.getEntriesByName('first-picture').length === 0) performance.mark('first-picture');
      } catch (error) {
        problems.value = [...problems.value, `The timeline cannot be drawn: ${(error as Error).message}`];
      }
    });
    return () => cancelAnimationFrame(frame);
  });

  const timeAt = (x: number): number => {
    const { from, to } = shown.value;
    return from + (Math.max(0, x - LABELS) / Math.max(1, width.value - LABELS)) * (to - from);
  };
  const rowAtY = (y: number): TimelineRow | undefined =>
    y < AXIS ? undefined : rows.value[Math.floor(top.value / ROW) + Math.floor((y - AXIS) / ROW)];
  const zoom = (factor: number, about = time.value): void => {
    const { from, to } = shown.value;
    const inside = about >= from && about <= to ? about : (from + to) / 2;
    shown.value = zoomed(run, shown.value, factor, inside);
  };
  const pan = (share: number): void => {
    shown.value = moved(run, shown.value, share * (shown.value.to - shown.value.from));
  };
  const choose = (process: number, row: number): void => {
    const spans = record.spans[process]!;
    if (row < 0 || row >= spans.start.length) return;
    chosen.value = { process, row: spans.row[row]! };
    time.value = spans.start[row]!;
    if (spans.start[row]! < shown.value.from || spans.start[row]! > shown.value.to) pan(0);
  };
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
      ArrowLeft: () => pan(-0.2),
      ArrowRight: () => pan(0.2),
      '+': () => zoom(0.5),
      '=': () => zoom(0.5),
      '-': () => zoom(2),
      Home: () => {
        shown.value = run;
      },
      n: () => step(1),
      p: () => step(-1),
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
        <button type="button" onClick={() => zoom(0.5)}>
          Zoom in
        </button>
        <button type="button" onClick={() => zoom(2)}>
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
        <ul class="legend" aria-label="Colours">
          {NODE_STATES.map((name) => (
            <li key={name}>
              <span
                class="swatch"
                ref={(element) => {
                  if (element !== null) element.style.backgroundColor = css(STATE_COLOURS[name]);
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
        aria-label="Timeline of processes: arrow keys move, plus and minus zoom, n and p select the next and previous span, Escape clears"
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
          if (at.process === undefined) {
            const next = new Set(collapsed.value);
            if (!next.delete(at.node)) next.add(at.node);
            collapsed.value = next;
          } else choose(at.process, rowAt(record.spans[at.process]!, timeAt(x)));
        }}
      >
        <canvas ref={canvas} />
      </div>
      {/* biome-ignore-end lint/a11y: see above */}
      <p class="note">
        {rows.value.length === 0 ? 'No process, node or call contains the searched text. ' : ''}
        Shown: {formatSeconds(shown.value.from)} to {formatSeconds(shown.value.to)}, {record.rows.toLocaleString('en')}{' '}
        spans of {record.head.processes.toLocaleString('en')} processes. Where several spans share a column of pixels,
        it is divided by their times.
        {hidden.value > 0
          ? ` ${hidden.value.toLocaleString('en')} messages are in view, too many to draw: zoom in to see them.`
          : ''}
      </p>
      <RangeControl state={state} />
      <Selection state={state} record={record} />
    </Region>
  );
}

/** Rows of the timeline: of each node a heading, and its processes if they are not collapsed. */
function rowsOf({ head, names, spans }: PageRecord, collapsed: ReadonlySet<number>, search: string): TimelineRow[] {
  const wanted = search.trim().toLowerCase();
  void names;
  void spans;
  return head.nodes.flatMap(({ name }, node) => {
    const processes = head.nodeOf.flatMap((of, process) => (of === node ? [process] : []));
    const isNode = wanted === '' || name.toLowerCase().includes(wanted);
    const matching = processes.filter((process) => isNode || `process ${process}`.includes(wanted));
    if (matching.length === 0) return [];
    return [
      { node, name },
      ...(collapsed.has(node) ? [] : matching.map((process) => ({ node, name: `${process}`, process }))),
    ];
  });
}

/** The part of the run to which the tables refer, as numbers that a keyboard can enter. */
function RangeControl({ state }: { readonly state: PageState }): JSX.Element {
  const { range, run } = state;
  const set = (part: 'from' | 'to', text: string): void => {
    const value = Number(text);
    if (text === '' || !Number.isFinite(value)) return;
    const next = { ...(range.value ?? run), [part]: Math.max(run.from, Math.min(run.to, value)) };
    if (next.from < next.to) range.value = next;
  };
  const now = range.value ?? run;
  return (
    <fieldset>
      <legend>Tables show</legend>
      <label>
        from{' '}
        <input
          type="number"
          step="any"
          aria-label="Range from, in seconds"
          value={now.from}
          onChange={(e) => set('from', e.currentTarget.value)}
        />
      </label>{' '}
      <label>
        to{' '}
        <input
          type="number"
          step="any"
          aria-label="Range to, in seconds"
          value={now.to}
          onChange={(e) => set('to', e.currentTarget.value)}
        />{' '}
        s
      </label>{' '}
      <button
        type="button"
        onClick={() => {
          range.value = state.shown.value;
        }}
      >
        Use the shown part
      </button>{' '}
      <button
        type="button"
        disabled={range.value === undefined}
        onClick={() => {
          range.value = undefined;
        }}
      >
        Use the whole run
      </button>
    </fieldset>
  );
}

/** What is known of the chosen span. */
function Selection({ state, record }: { readonly state: PageState; readonly record: PageRecord }): JSX.Element {
  const chosen = state.chosen.value;
  const facts = chosen === undefined ? undefined : record.facts(chosen.row);
  return (
    <section aria-label="Selection" aria-live="polite" class="selection">
      {facts === undefined ? (
        <p>Select a span to see its call, peer, bytes, interval, and why it waited.</p>
      ) : (
        <dl class="figures">
          {(
            [
              ['Process', `${facts.process} on ${record.head.nodes[record.head.nodeOf[facts.process]!]!.name}`],
              ['State', facts.state],
              [
                'Time',
                `${formatSeconds(facts.start)} to ${formatSeconds(facts.end)} (${formatSeconds(facts.end - facts.start)})`,
              ],
              ['Call', facts.call ?? 'none'],
              ['Peer', facts.peer === undefined ? 'none' : String(facts.peer)],
              ['Bytes', facts.bytes === undefined ? 'none' : formatBytes(facts.bytes)],
              ['Interval', facts.interval ?? 'none'],
              ['Reason', reasonOf(facts, record)],
            ] as const
          ).map(([term, text]) => (
            <div key={term}>
              <dt>{term}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}

/** Why a process is in a state, in words. */
function reasonOf(
  { state, collective, peer, process, start, end }: NonNullable<ReturnType<PageRecord['facts']>>,
  record: PageRecord,
): string {
  if (state === RUN_STATES[0] || state === 'memory') return 'it computes';
  if (state === 'overhead') return 'it is in the message system, or in a scheduler';
  if (state === 'idle') return 'it has nothing to do, or sleeps';
  if (state === 'io') return 'input or output is under way';
  if (collective !== undefined) return `the collective operation ${collective} is not completed by all its processes`;
  if (state === 'communicating')
    return peer === undefined ? 'a transfer is under way' : `a transfer with process ${peer} is under way`;
  const { messages } = record;
  const [source, sent, destination, received] = ['source', 'sent', 'destination', 'received'].map((name) =>
    messages.column(name),
  );
  for (let k = 0; k < messages.count; k++) {
    if (destination![k] !== process || received![k]! < start || received![k]! < end || sent![k]! <= start) continue;
    if (Math.abs(received![k]! - end) > 0 && received![k]! > end + (end - start)) continue;
    return `the message of process ${source![k]!} is sent only at ${formatSeconds(sent![k]!)}`;
  }
  return peer === undefined ? 'its partner is not there yet' : `process ${peer} is not there yet`;
}
