import { useSignal, useSignalEffect } from '@preact/signals';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { NodeState } from '../../analysis/efficiency/node-states.ts';
import { counted, formatSeconds } from '../../report/units.ts';
import { documentOf } from '../content.ts';
import { css } from '../draw/colours.ts';
import { palette } from '../draw/scheme.ts';
import { Region } from '../figure.tsx';
import { eventAfter, nodeStateAt } from '../record/node-state.ts';
import type { PageRecord } from '../record/page-record.ts';
import type { PageState } from '../state.ts';
import { type Column, SaveCsv } from '../table.tsx';

/** Seconds in which a run is played as a whole at speed 1. */
const WHOLE = 20;
const SPEEDS = [0.1, 0.5, 1, 2, 5, 20] as const;

/** Moves the cursor through the run, forwards as it happened or from event to event. */
export function Replay({
  state,
  record,
}: {
  readonly state: PageState;
  readonly record: PageRecord | undefined;
}): JSX.Element {
  const { run, time } = state;
  const isPlaying = useSignal(false);
  const speed = useSignal(1);
  useSignalEffect(() => {
    if (!isPlaying.value) return;
    const rate = ((run.to - run.from) / WHOLE) * speed.value;
    let last = performance.now();
    let frame = requestAnimationFrame(function play(now: number) {
      const next = time.peek() + ((now - last) / 1000) * rate;
      last = now;
      time.value = Math.min(run.to, next);
      if (next >= run.to) isPlaying.value = false;
      else frame = requestAnimationFrame(play);
    });
    return () => cancelAnimationFrame(frame);
  });
  const step = (direction: 1 | -1): void => {
    isPlaying.value = false;
    const next = record === undefined ? undefined : eventAfter(record, time.value, direction);
    if (next !== undefined) time.value = Math.max(run.from, Math.min(run.to, next));
  };
  return (
    <Region name="Replay">
      <div class="tools">
        <button
          type="button"
          disabled={isPlaying.value}
          onClick={() => {
            if (time.value >= run.to) time.value = run.from;
            isPlaying.value = true;
          }}
        >
          Play
        </button>
        <button
          type="button"
          disabled={!isPlaying.value}
          onClick={() => {
            isPlaying.value = false;
          }}
        >
          Pause
        </button>
        <button type="button" onClick={() => step(-1)}>
          Previous event
        </button>
        <button type="button" onClick={() => step(1)}>
          Next event
        </button>
        <label>
          Speed{' '}
          <select
            value={String(speed.value)}
            onChange={(event) => {
              speed.value = Number(event.currentTarget.value);
            }}
          >
            {SPEEDS.map((factor) => (
              <option key={factor} value={String(factor)}>
                {factor} ×
              </option>
            ))}
          </select>
        </label>
      </div>
      <label class="time">
        Time
        <input
          type="range"
          aria-label="Time"
          aria-valuetext={`${time.value} seconds`}
          min={run.from}
          max={run.to}
          step="any"
          value={time.value}
          onInput={(event) => {
            time.value = Number(event.currentTarget.value);
          }}
        />
        <output>{formatSeconds(time.value)}</output>
      </label>
    </Region>
  );
}

interface NodeRow {
  readonly name: string;
  readonly state: string;
  readonly time: number;
}

const NODE_COLUMNS: readonly Column<NodeRow>[] = [
  { name: 'Node', value: ({ name }) => name },
  { name: 'State', value: ({ state }) => state },
  { name: 'Time', unit: 's', value: ({ time }) => time },
];

/** Most nodes that are listed at once. */
const MAX_NODES = 200;

/** The state of every node at the cursor; nodes outside their stay are absent. */
export function Nodes({ state, record }: { readonly state: PageState; readonly record: PageRecord }): JSX.Element {
  const time = state.time.value;
  const wanted = state.search.value.trim().toLowerCase();
  const nodes = record.head.nodes
    .map(({ name }, node) => ({ name, node }))
    .filter(({ name }) => wanted === '' || name.toLowerCase().includes(wanted));
  const listed = (nodes.length === 0 ? record.head.nodes.map(({ name }, node) => ({ name, node })) : nodes).slice(
    0,
    MAX_NODES,
  );
  const { states } = palette();
  // The record has all processes of a node, or a profile has its states.
  const spans = useMemo(
    () => new Map(documentOf(state.content, 'profile')?.nodes.map((of) => [of.node, of.spans])),
    [record],
  );
  const partial = useMemo(() => new Set(record.head.nodeOf.filter((_, process) => !record.has(process))), [record]);
  const stateOf = (node: number): NodeState | undefined =>
    nodeStateAt(
      record,
      node,
      time,
      partial.has(node) ? { measured: spans.get(record.head.nodes[node]!.name) } : undefined,
    );
  const unknown = [...partial].filter((node) => spans.get(record.head.nodes[node]!.name) === undefined).length;
  return (
    <Region name="Nodes">
      <SaveCsv
        name="Nodes"
        columns={NODE_COLUMNS}
        rows={() =>
          record.head.nodes.flatMap(({ name }, node) => {
            const now = stateOf(node);
            return now === undefined ? [] : [{ name, state: now, time }];
          })
        }
      />
      <table aria-label="State of nodes at the cursor">
        <thead>
          <tr>
            <th scope="col">Node</th>
            <th scope="col">State</th>
          </tr>
        </thead>
        <tbody>
          {listed.map(({ name, node }) => {
            const now = stateOf(node);
            return now === undefined ? null : (
              <tr key={node} data-node={name} data-state={now}>
                <td>{name}</td>
                <td>
                  <span
                    class="swatch"
                    ref={(element) => {
                      if (element !== null) element.style.backgroundColor = css(states[now]);
                    }}
                  />
                  {now}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {unknown === 0 ? null : (
        <p class="note">
          States of {counted(unknown, 'node')} are not known: the page does not have the spans of all their processes.
        </p>
      )}
      {record.head.nodes.length > listed.length ? (
        <p class="note">
          {listed.length} of {record.head.nodes.length.toLocaleString('en')} nodes are listed: search for a name to see
          others.
        </p>
      ) : null}
    </Region>
  );
}
