import { useSignal, useSignalEffect } from '@preact/signals';
import type { JSX } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import type { MeasuredProfile } from '../../commands/profile/assemble.ts';
import { formatBytes, formatSeconds } from '../../report/units.ts';
import { drawMatrix, MARGIN, type Shown, SIZE } from '../draw/matrix.ts';
import { palette, useDrawing } from '../draw/scheme.ts';
import { Choice, Region } from '../figure.tsx';
import { type By, ORDERS, type Order, orderOf, type Pairs, PairsUntil, pairsOf } from '../record/message-pairs.ts';
import type { Range } from '../record/page-record.ts';
import type { PageState } from '../state.ts';
import { figureColumn, type Show, Table } from '../table.tsx';

/** Smallest number of rows after enlarging. */
const LEAST = 4;
/** Messages by pair of processes: a matrix of processes in a chosen order, and a table. */
export function Communication(props: {
  readonly state: PageState;
  readonly messages: MeasuredProfile['messages'];
  readonly range: Range | undefined;
  readonly note: string;
  readonly shown: Show;
}): JSX.Element | null {
  const { state, messages, range, note, shown } = props;
  const { record } = state;
  const isWhole = state.isWhole.value;
  // A document lists the largest pairs: the record of the page has all.
  const pairs = useMemo(
    () =>
      messages.pairs.length < messages.pairsCount && record !== undefined && record.processes === undefined && isWhole
        ? pairsOf(record, range)
        : messages.pairs,
    [messages, record, isWhole],
  );
  if (pairs.length === 0) return null;
  const isListed = pairs === messages.pairs;
  const ofPairs = figureColumn<Pairs[number]>(
    'profile',
    '/messages/pairs',
    isListed ? shown : (_, value, unit) => amount(value, unit),
  );
  return (
    <Region
      name="Communication"
      note={
        pairs.length < messages.pairsCount
          ? `${note} The ${pairs.length.toLocaleString('en')} pairs with the most bytes of ${messages.pairsCount.toLocaleString('en')}.`
          : note
      }
    >
      <Matrix state={state} pairs={pairs} range={range} />
      <Table
        name="Messages by pair of processes"
        rows={pairs}
        columns={[
          {
            name: 'Source',
            value: ({ source }) => source,
            about: { kind: 'profile', pointer: '/messages/pairs/source' },
          },
          {
            name: 'Destination',
            value: ({ destination }) => destination,
            about: { kind: 'profile', pointer: '/messages/pairs/destination' },
          },
          ofPairs('Messages', 'messages'),
          ofPairs('Bytes', 'bytes', 'B'),
        ]}
      />
    </Region>
  );
}

const amount = (value: number, unit: string): string => (unit === 'B' ? formatBytes(value) : String(value));

/** Number of processes that messages name. */
const processesOf = (pairs: Pairs): number =>
  pairs.reduce((most, { source, destination }) => Math.max(most, source + 1, destination + 1), 1);

/** Messages that the matrix shows. */
const PARTS = { all: 'all messages', cursor: 'received until the cursor' } as const;

function Matrix(props: {
  readonly state: PageState;
  readonly pairs: Pairs;
  readonly range: Range | undefined;
}): JSX.Element {
  const { state, pairs: all, range } = props;
  const { record } = state;
  const processes = record?.head.processes ?? processesOf(all);
  const nodeOf = record?.head.nodeOf;
  const part = useSignal<keyof typeof PARTS>('all');
  // The cursor has been moved: the matrix follows, until the reader chooses otherwise.
  const isChosen = useRef(false);
  const hasMessages =
    record !== undefined && record.processes === undefined && state.isWhole.value && record.messages.count > 0;
  const from = range?.from ?? state.run.from;
  useSignalEffect(() => {
    if (state.time.value !== state.run.from && !isChosen.current) part.value = 'cursor';
  });
  const isFollowing = part.value === 'cursor' && hasMessages;
  // Messages are sorted only for a reader who moves the cursor.
  const until = useMemo(() => (isFollowing ? new PairsUntil(record, from) : undefined), [isFollowing, from]);
  const pairs = until !== undefined ? until.at(Math.min(state.time.value, range?.to ?? state.run.to)) : all;
  const canvas = useRef<HTMLCanvasElement>(null);
  const by = useSignal<By>('bytes');
  const order = useSignal<Order>('process');
  const everyone = { from: 0, to: processes };
  const shown = useSignal<Shown>({ rows: everyone, columns: everyone });
  const pointed = useSignal('');
  const sorted = useMemo(
    () => orderOf(order.value, all, by.value, processes, nodeOf),
    [order.value, all, by.value, processes, nodeOf],
  );
  const drawn = useMemo(() => [...pairs].sort((a, b) => a[by.value] - b[by.value]), [pairs, by.value]);
  /** Pairs by their processes, made when the reader points at a cell. */
  const found = useRef<{ readonly of: Pairs; readonly pairs: ReadonlyMap<number, Pairs[number]> }>(undefined);
  // The effect that draws follows signals only: the values from `useMemo` are copied into one.
  const scene = useSignal({ sorted, drawn });
  if (scene.peek().sorted !== sorted || scene.peek().drawn !== drawn) scene.value = { sorted, drawn };
  useDrawing(() => {
    const { sorted: axis, drawn: cells } = scene.value;
    const matrix = {
      pairs: cells,
      by: by.value,
      axis,
      shown: shown.value,
      nodeOf: order.value === 'node' ? nodeOf : undefined,
      colours: palette(),
    };
    return () => {
      const context = canvas.current?.getContext('2d');
      if (context !== undefined && context !== null) drawMatrix(context, matrix);
    };
  });
  const largest = drawn.at(-1);
  const { rows, columns } = shown.value;
  const hasNodes = nodeOf?.some((node) => node !== nodeOf[0]) === true;
  /** The part of an axis that is a factor of the present one, about a position. */
  const cut = ({ from, to }: Range, factor: number, about: number): Range => {
    const length = Math.max(Math.min(LEAST, processes), Math.min(processes, Math.round((to - from) * factor)));
    const begin = Math.max(0, Math.min(processes - length, Math.round(about - length / 2)));
    return { from: begin, to: begin + length };
  };
  const middle = ({ from, to }: Range): number => (from + to) / 2;
  const zoom = (factor: number, row = middle(rows), column = middle(columns)): void => {
    shown.value = { rows: cut(rows, factor, row), columns: cut(columns, factor, column) };
  };
  const move = (down: number, right: number): void => {
    const by = ({ from, to }: Range, share: number): number => (from + to) / 2 + share * (to - from);
    shown.value = { rows: cut(rows, 1, by(rows, down)), columns: cut(columns, 1, by(columns, right)) };
  };
  const positionAt = (event: MouseEvent): { readonly row: number; readonly column: number } | undefined => {
    const { left, top, width } = canvas.current!.getBoundingClientRect();
    // A narrow window scales the picture.
    const scale = (SIZE + MARGIN) / width;
    const at = (offset: number, { from, to }: Range): number =>
      from + Math.floor(((offset * scale - MARGIN) / SIZE) * (to - from));
    const [row, column] = [at(event.clientY - top, rows), at(event.clientX - left, columns)];
    return row < rows.from || column < columns.from || row >= rows.to || column >= columns.to
      ? undefined
      : { row, column };
  };
  const point = (event: MouseEvent): void => {
    const at = positionAt(event);
    if (at === undefined) return;
    const [source, destination] = [sorted.axis[at.row]!, sorted.axis[at.column]!];
    if (found.current?.of !== pairs)
      found.current = { of: pairs, pairs: new Map(pairs.map((of) => [of.source * processes + of.destination, of])) };
    const pair = found.current.pairs.get(source * processes + destination);
    pointed.value = `${source} to ${destination}: ${
      pair === undefined ? 'nothing' : `${pair.messages} messages, ${formatBytes(pair.bytes)}`
    }`;
  };
  const keys: Readonly<Record<string, () => void>> = {
    ArrowUp: () => move(-0.5, 0),
    ArrowDown: () => move(0.5, 0),
    ArrowLeft: () => move(0, -0.5),
    ArrowRight: () => move(0, 0.5),
    '+': () => zoom(0.5),
    '-': () => zoom(2),
    Home: () => zoom(processes),
  };
  return (
    <>
      <div class="tools">
        {!hasMessages ? null : (
          <Choice
            name="Shown"
            of={PARTS}
            value={part.value}
            choose={(key) => {
              isChosen.current = true;
              part.value = key;
            }}
          />
        )}
        <Choice
          name="Colour by"
          of={{ bytes: 'bytes', messages: 'messages' }}
          value={by.value}
          choose={(key) => {
            by.value = key;
          }}
        />
        <Choice
          name="Order by"
          of={hasNodes ? ORDERS : { process: ORDERS.process, volume: ORDERS.volume }}
          value={order.value}
          choose={(key) => {
            order.value = key;
          }}
        />
        <button type="button" onClick={() => zoom(0.5)}>
          Enlarge matrix
        </button>
        <button type="button" onClick={() => zoom(2)}>
          Reduce matrix
        </button>
        <button type="button" onClick={() => move(-0.5, 0)}>
          Earlier sources
        </button>
        <button type="button" onClick={() => move(0.5, 0)}>
          Later sources
        </button>
        <button type="button" onClick={() => move(0, -0.5)}>
          Earlier destinations
        </button>
        <button type="button" onClick={() => move(0, 0.5)}>
          Later destinations
        </button>
        <output>{pointed.value}</output>
      </div>
      {/* biome-ignore-start lint/a11y: the keyboard moves the picture, whose numbers are in the table below */}
      <div
        class="matrix"
        tabIndex={0}
        role="group"
        aria-label="Matrix of processes: arrow keys move, plus and minus enlarge and reduce, Home shows all, a click enlarges"
        onKeyDown={(event) => {
          const act = keys[event.key];
          if (act === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
          event.preventDefault();
          act();
        }}
      >
        <canvas
          ref={canvas}
          width={SIZE + MARGIN}
          height={SIZE + MARGIN}
          role="img"
          aria-label={`Matrix of ${by.value} by source (rows ${rows.from + 1} to ${rows.to}) and destination (columns ${columns.from + 1} to ${columns.to}), ordered by ${ORDERS[order.value]}; the table below has its numbers`}
          onMouseMove={point}
          onClick={(event) => {
            const at = positionAt(event);
            if (at !== undefined) zoom(0.5, at.row + 0.5, at.column + 0.5);
          }}
        />
      </div>
      {/* biome-ignore-end lint/a11y: see above */}
      <p class="note">
        Sources are rows, destinations are columns.{' '}
        {isFollowing ? `Messages received from ${formatSeconds(from)} to ${formatSeconds(state.time.value)}. ` : ''}
        {largest === undefined
          ? 'No message has been received.'
          : `The darkest cell has ${by.value === 'bytes' ? formatBytes(largest.bytes) : `${largest.messages} messages`}.`}
      </p>
    </>
  );
}
