import { useComputed, useSignal, useSignalEffect } from '@preact/signals';
import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import type { MeasuredProfile } from '../../commands/profile/assemble.ts';
import { formatBytes } from '../../report/units.ts';
import { type Colour, css, type Palette } from '../draw/colours.ts';
import { palette } from '../draw/timeline.ts';
import { Region } from '../figure.tsx';
import { Table } from '../table.tsx';

type Pairs = MeasuredProfile['messages']['pairs'];

/** Width and height of the matrix, in CSS pixels. */
const SIZE = 480;

/** Share of the colour of messages that the smallest amount has. */
const FAINTEST = 0.15;

/** Who sends how much to whom: a matrix of processes, and the same as a table. */
export function Communication(props: {
  readonly messages: MeasuredProfile['messages'];
  readonly processes: number;
  readonly note: string;
}): JSX.Element | null {
  const { messages, processes, note } = props;
  const { pairs, pairsCount } = messages;
  const canvas = useRef<HTMLCanvasElement>(null);
  const by = useSignal<'bytes' | 'messages'>('bytes');
  /** Processes that the matrix shows. */
  const shown = useSignal({ from: 0, to: processes });
  const hovered = useSignal('');
  const current = useSignal<Pairs>(pairs);
  if (current.peek() !== pairs) current.value = pairs;
  const most = useComputed(() => current.value.reduce((max, pair) => Math.max(max, pair[by.value]), 0));
  useSignalEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (context !== undefined && context !== null)
      drawMatrix(context, current.value, by.value, shown.value, most.value, palette());
  });
  if (pairs.length === 0) return null;
  const cellAt = (event: MouseEvent): { readonly source: number; readonly destination: number } => {
    const { left, top } = canvas.current!.getBoundingClientRect();
    const { from, to } = shown.value;
    const at = (offset: number): number => from + Math.floor((offset / SIZE) * (to - from));
    return { source: at(event.clientY - top), destination: at(event.clientX - left) };
  };
  const zoom = (factor: number, about: number): void => {
    const { from, to } = shown.value;
    const length = Math.max(4, Math.min(processes, Math.round((to - from) * factor)));
    const begin = Math.max(0, Math.min(processes - length, Math.round(about - length / 2)));
    shown.value = { from: begin, to: Math.min(processes, begin + length) };
  };
  const middle = (shown.value.from + shown.value.to) / 2;
  return (
    <Region
      name="Communication"
      note={
        pairs.length < pairsCount ? `${note} The ${pairs.length} pairs with the most bytes of ${pairsCount}.` : note
      }
    >
      <div class="tools">
        <label>
          Colour by{' '}
          <select
            value={by.value}
            onChange={(event) => {
              by.value = event.currentTarget.value as 'bytes' | 'messages';
            }}
          >
            <option value="bytes">bytes</option>
            <option value="messages">messages</option>
          </select>
        </label>
        <button type="button" onClick={() => zoom(0.5, middle)}>
          Enlarge matrix
        </button>
        <button type="button" onClick={() => zoom(2, middle)}>
          Reduce matrix
        </button>
        <button type="button" onClick={() => zoom(1, middle + (shown.value.to - shown.value.from) / 2)}>
          Later processes
        </button>
        <button type="button" onClick={() => zoom(1, middle - (shown.value.to - shown.value.from) / 2)}>
          Earlier processes
        </button>
        <output>{hovered.value}</output>
      </div>
      <canvas
        ref={canvas}
        width={SIZE}
        height={SIZE}
        class="matrix"
        role="img"
        aria-label={`Matrix of ${by.value} by source (rows) and destination (columns), processes ${shown.value.from} to ${
          shown.value.to - 1
        }; the table below has its numbers`}
        onMouseMove={(event) => {
          const cell = cellAt(event);
          const pair = pairs.find(
            ({ source, destination }) => source === cell.source && destination === cell.destination,
          );
          hovered.value = `${cell.source} to ${cell.destination}: ${
            pair === undefined ? 'nothing' : `${pair.messages} messages, ${formatBytes(pair.bytes)}`
          }`;
        }}
      />
      <Table
        name="Messages by pair of processes"
        rows={pairs}
        columns={[
          { name: 'Source', value: ({ source }) => source },
          { name: 'Destination', value: ({ destination }) => destination },
          { name: 'Messages', value: ({ messages: count }) => count },
          { name: 'Bytes', unit: 'B', value: ({ bytes }) => bytes, cell: ({ bytes }) => formatBytes(bytes) },
        ]}
      />
    </Region>
  );
}

function drawMatrix(
  context: CanvasRenderingContext2D,
  pairs: Pairs,
  by: 'bytes' | 'messages',
  { from, to }: { readonly from: number; readonly to: number },
  most: number,
  { ground, message }: Palette,
): void {
  const cell = SIZE / (to - from);
  context.fillStyle = css(ground);
  context.fillRect(0, 0, SIZE, SIZE);
  for (const pair of pairs) {
    const [row, column] = [pair.source - from, pair.destination - from];
    if (row < 0 || column < 0 || row >= to - from || column >= to - from) continue;
    // Amounts span orders of magnitude: the colour follows the square root, so that small ones are seen beside large ones.
    const depth = most > 0 ? Math.sqrt(pair[by] / most) : 0;
    const share = FAINTEST + (1 - FAINTEST) * depth;
    const mixed = ground.map((from, k) => Math.round(from + (message[k]! - from) * share));
    context.fillStyle = css(mixed as unknown as Colour);
    context.fillRect(column * cell, row * cell, Math.max(1, cell), Math.max(1, cell));
  }
  context.strokeStyle = 'rgb(110 110 120)';
  context.strokeRect(0.5, 0.5, SIZE - 1, SIZE - 1);
}
