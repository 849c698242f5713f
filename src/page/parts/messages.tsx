import { useComputed, useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { WAIT_STATES, type WaitState } from '../../analysis/efficiency/wait-states.ts';
import type { MeasuredProfile } from '../../commands/profile/assemble.ts';
import { formatBytes, formatSeconds } from '../../report/units.ts';
import { ABSENT } from '../../trace/run/run-schema.ts';
import { Choice, FigureList, type RecordTable, Region, recordFigure, WhenSeen } from '../figure.tsx';
import type { PageRecord } from '../record/page-record.ts';
import { waitsOfCalls } from '../record/range-profile.ts';
import { type PageState, showSpan } from '../state.ts';
import { type Column, figureColumn, type Show, Table, withValues } from '../table.tsx';

type Sums = MeasuredProfile['messages'];

/** Records that a table lists: a browser cannot show more in a useful time. */
const MAX_RECORDS = 5000;
/** Rows of a record up to which its message records are made at once; those of longer records when the reader comes near them. */
const FEW_ROWS = 200_000;

/** Messages within and between nodes, by size, and the records of calls and messages. */
export function Messages(props: {
  readonly state: PageState;
  readonly messages: Sums;
  readonly shown: Show;
}): JSX.Element | null {
  const { state, messages, shown } = props;
  const { record } = state;
  const isWhole = state.isWhole.value;
  const { sizes, pairsCount } = messages;
  const ofSizes = figureColumn<Sums['sizes'][number]>('profile', '/messages/sizes', shown);
  if (pairsCount === 0 && (record === undefined || (isWhole && record.calls.count === 0))) return null;
  const make = (): JSX.Element => <Records state={state} record={record!} />;
  return (
    <Region name="Messages">
      <Traffic messages={messages} shown={shown} />
      {sizes.length === 0 ? null : (
        <Table
          name="Messages by size"
          rows={sizes}
          columns={[
            ofSizes('From', 'from', 'B'),
            ofSizes('Below', 'to', 'B'),
            ofSizes('Messages', 'messages'),
            ofSizes('Bytes', 'bytes', 'B'),
          ]}
        />
      )}
      {record === undefined ? null : !isWhole ? (
        <p>Messages are being read …</p>
      ) : record.rows > FEW_ROWS ? (
        <WhenSeen make={make} />
      ) : (
        make()
      )}
    </Region>
  );
}

/** Messages whose ends are on one node or on two: placing processes otherwise changes the latter. */
function Traffic({ messages, shown }: { readonly messages: Sums; readonly shown: Show }): JSX.Element {
  const of = (words: string, key: 'withinNodes' | 'betweenNodes') => {
    // Documents of earlier versions have no such sums.
    const traffic = messages[key] as Sums[typeof key] | undefined;
    if (traffic === undefined) return [];
    const row = (term: string, member: keyof typeof traffic, unit: string) =>
      traffic[member] === undefined
        ? []
        : [
            {
              term: `${words}, ${term}`,
              about: { kind: 'profile', pointer: `/messages/${key}/${member}` },
              value: shown(`/messages/${key}/${member}`, traffic[member], unit),
            },
          ];
    return [
      ...row('messages', 'messages', '1'),
      ...row('bytes', 'bytes', 'B'),
      ...row('mean time from sending to receiving', 'meanSeconds', 's'),
    ];
  };
  return <FigureList figures={[...of('Between nodes', 'betweenNodes'), ...of('Within nodes', 'withinNodes')]} />;
}

/** One call of the message system, with the fields of a message record. */
interface CallRecord {
  /** Its number in the table of calls. */
  readonly row: number;
  readonly process: number;
  readonly sequence: number | undefined;
  readonly call: string;
  readonly wrapped: string | undefined;
  readonly start: number;
  readonly end: number;
  readonly system: number | undefined;
  readonly blocked: number | undefined;
  /** Wait states in which the call loses time, and this time in seconds. */
  readonly waits: string | undefined;
  readonly lost: number | undefined;
  readonly peer: number | undefined;
  readonly tag: number | undefined;
  readonly communicator: number | undefined;
  readonly type: string | undefined;
  readonly count: number | undefined;
  readonly matchedPeer: number | undefined;
  readonly matchedTag: number | undefined;
}

/** A number that the page computes from a record: no document has it, and it is no figure. */
const computed = <Row,>(name: string, value: (row: Row) => number | undefined): Column<Row> => ({
  name,
  unit: 's',
  value,
  cell: (row) => {
    const of = value(row);
    return of === undefined ? '–' : formatSeconds(of);
  },
});

/** Units of members of records; others are numbers without one. */
type RecordUnit = 's' | 'B' | '1';
const TEXTS: Readonly<Record<RecordUnit, (value: number) => string>> = {
  s: formatSeconds,
  B: formatBytes,
  '1': String,
};

/** A column of numbers of a table of the record. */
const recorded =
  <Row extends { readonly row: number }>(table: RecordTable) =>
  (name: string, key: keyof Row & string, unit: RecordUnit = '1'): Column<Row> => {
    const value = (of: Row): number | undefined => of[key] as number | undefined;
    return {
      name,
      unit,
      value,
      cell: (of) => {
        const number = value(of);
        return number === undefined ? '–' : recordFigure(table, of.row, key, number, TEXTS[unit](number));
      },
    };
  };

const ofCall = recorded<CallRecord>('calls');
const CALLS: readonly Column<CallRecord>[] = [
  ofCall('Process', 'process'),
  ofCall('Sequence', 'sequence'),
  { name: 'Call', value: ({ call }) => call },
  { name: 'Wrapped call', value: ({ wrapped }) => wrapped },
  ofCall('Start', 'start', 's'),
  computed('Duration', ({ start, end }) => end - start),
  ofCall('System', 'system', 's'),
  ofCall('Blocked', 'blocked', 's'),
  { name: 'Wait state', value: ({ waits }) => waits },
  computed('Lost time', ({ lost }) => lost),
  ofCall('Peer', 'peer'),
  ofCall('Tag', 'tag'),
  ofCall('Communicator', 'communicator'),
  { name: 'Type', value: ({ type }) => type },
  ofCall('Count', 'count'),
  ofCall('Matched peer', 'matchedPeer'),
  ofCall('Matched tag', 'matchedTag'),
];

/** A message from its sender to its receiver. */
interface Message {
  /** Its number in the table of messages. */
  readonly row: number;
  readonly source: number;
  readonly destination: number;
  readonly isWithin: boolean;
  readonly sent: number;
  readonly received: number;
  readonly bytes: number;
  readonly tag: number | undefined;
  readonly communicator: number | undefined;
  readonly call: string | undefined;
}

const ofMessage = recorded<Message>('messages');
const MESSAGES: readonly Column<Message>[] = [
  ofMessage('Source', 'source'),
  ofMessage('Destination', 'destination'),
  { name: 'Nodes', value: ({ isWithin }) => (isWithin ? 'within a node' : 'between nodes') },
  ofMessage('Sent', 'sent', 's'),
  ofMessage('Received', 'received', 's'),
  computed('Duration', ({ sent, received }) => received - sent),
  ofMessage('Bytes', 'bytes', 'B'),
  ofMessage('Tag', 'tag'),
  ofMessage('Communicator', 'communicator'),
  { name: 'Call', value: ({ call }) => call },
];

/** Selected records; an empty member selects all. */
interface Filter {
  readonly process: string;
  readonly call: string;
  /** A wait state, or `any`, `none`. */
  readonly wait: string;
  /** `within`, `between`. */
  readonly nodes: string;
}

/** Records of calls and of messages in the chosen part of the run, classified by call, wait state and nodes. */
function Records({ state, record }: { readonly state: PageState; readonly record: PageRecord }): JSX.Element {
  const filter = useSignal<Filter>({ process: '', call: '', wait: '', nodes: '' });
  // Wait states follow from all processes.
  const waits = useComputed(() => (record.processes === undefined ? waitsOfCalls(record) : new Map()));
  const states = useComputed(() => {
    const found = new Set([...waits.value.values()].flatMap((of) => [...of.keys()]));
    return WAIT_STATES.filter((name) => found.has(name));
  });
  const names = useComputed(() => callNames(record));
  const part = useComputed(() => state.range.value ?? state.run);
  const calls = useComputed(() => listed(callRecords(record, part.value, filter.value, waits.value)));
  const messages = useComputed(() => listed(messageRecords(record, part.value, filter.value)));
  const set = (change: Partial<Filter>): void => {
    filter.value = { ...filter.value, ...change };
  };
  return (
    <>
      <div class="tools">
        <label>
          Process{' '}
          <input
            type="text"
            inputMode="numeric"
            size={6}
            value={filter.value.process}
            onInput={(event) => set({ process: event.currentTarget.value })}
          />
        </label>
        <Choice name="Call" of={orAll(names.value)} value={filter.value.call} choose={(call) => set({ call })} />
      </div>
      {record.calls.count === 0 ? null : (
        <>
          {states.value.length === 0 ? null : (
            <Choice
              name="Wait state"
              of={orAll(['any', 'none', ...states.value])}
              value={filter.value.wait}
              choose={(wait) => set({ wait })}
            />
          )}
          <Table
            name="Message records"
            rows={calls.value.rows}
            columns={withValues(CALLS, calls.value.rows)}
            onChoose={(of) => showSpan(state, record, of)}
          />
          <Rest of={calls.value} what="records" />
        </>
      )}
      {record.messages.count === 0 ? null : (
        <>
          <Choice
            name="Nodes"
            of={orAll(['within', 'between'])}
            value={filter.value.nodes}
            choose={(nodes) => set({ nodes })}
          />
          <Table
            name="Messages"
            rows={messages.value.rows}
            columns={withValues(MESSAGES, messages.value.rows)}
            onChoose={({ source, sent, received }) =>
              showSpan(state, record, { process: source, start: sent, end: received })
            }
          />
          <Rest of={messages.value} what="messages" />
        </>
      )}
    </>
  );
}

/** Values to choose from, the first of which is no restriction. */
const orAll = (values: readonly string[]): Readonly<Record<string, string>> => ({
  '': 'all',
  ...Object.fromEntries(values.map((value) => [value, value])),
});

/** The first rows of a list, and their total number. */
interface Listed<Row> {
  readonly rows: readonly Row[];
  readonly count: number;
}

function listed<Row>(all: Iterable<() => Row>): Listed<Row> {
  const rows: Row[] = [];
  let count = 0;
  for (const row of all) if (count++ < MAX_RECORDS) rows.push(row());
  return { rows, count };
}

function Rest({ of, what }: { readonly of: Listed<unknown>; readonly what: string }): JSX.Element | null {
  const { rows, count } = of;
  if (count <= rows.length) return null;
  return (
    <p class="note">
      The first {MAX_RECORDS.toLocaleString('en')} of {count.toLocaleString('en')} {what} are listed: select a part of
      the run, a process or a call to see others.
    </p>
  );
}

function callNames({ calls, messages, names }: PageRecord): string[] {
  const found = new Set<number>();
  for (const { column, count } of [
    { column: calls.column('call'), count: calls.count },
    { column: messages.column('call'), count: messages.count },
  ])
    for (let k = 0; k < count; k++) if (column[k] !== ABSENT) found.add(column[k]!);
  return [...found].map((name) => names[name]!).sort();
}

const processIn = ({ process }: Filter): number | undefined => (process.trim() === '' ? undefined : Number(process));

const nameIn = (name: string, { names }: PageRecord): number | undefined =>
  name === '' ? undefined : names.indexOf(name);

/** The cell of a row; undefined if it is absent. */
const cellOf = (table: PageRecord['calls'], name: string, row: number): number | undefined => {
  const value = table.column(name)[row]!;
  return value === ABSENT || Number.isNaN(value) ? undefined : value;
};

function* callRecords(
  record: PageRecord,
  { from, to }: { readonly from: number; readonly to: number },
  filter: Filter,
  waits: ReadonlyMap<number, ReadonlyMap<WaitState, number>>,
): Generator<() => CallRecord> {
  const { calls, names } = record;
  const [only, wanted] = [processIn(filter), nameIn(filter.call, record)];
  const { wait } = filter;
  const hasWait = (row: number): boolean => {
    const of = waits.get(row);
    return (
      wait === '' ||
      (wait === 'any' ? of !== undefined : wait === 'none' ? of === undefined : of?.has(wait as WaitState) === true)
    );
  };
  const cell = (name: string, row: number): number | undefined => cellOf(calls, name, row);
  const text = (name: string, row: number): string | undefined => {
    const index = cell(name, row);
    return index === undefined ? undefined : names[index];
  };
  const [processes, starts, ends, called] = ['process', 'start', 'end', 'call'].map((name) => calls.column(name));
  for (let row = 0; row < calls.count; row++) {
    if (ends![row]! < from || starts![row]! > to) continue;
    if ((only !== undefined && processes![row] !== only) || (wanted !== undefined && called![row] !== wanted)) continue;
    if (!hasWait(row)) continue;
    yield () => ({
      row,
      process: processes![row]!,
      sequence: cell('sequence', row),
      call: names[called![row]!]!,
      wrapped: text('wrapped', row),
      start: starts![row]!,
      end: ends![row]!,
      system: cell('system', row),
      blocked: cell('blocked', row),
      waits: waits.has(row) ? [...waits.get(row)!.keys()].join(', ') : undefined,
      lost: waits.has(row) ? [...waits.get(row)!.values()].reduce((sum, one) => sum + one, 0) : undefined,
      peer: cell('peer', row),
      tag: cell('tag', row),
      communicator: cell('communicator', row),
      type: text('type', row),
      count: cell('count', row),
      matchedPeer: cell('matchedPeer', row),
      matchedTag: cell('matchedTag', row),
    });
  }
}

function* messageRecords(
  record: PageRecord,
  { from, to }: { readonly from: number; readonly to: number },
  filter: Filter,
): Generator<() => Message> {
  const {
    messages,
    names,
    head: { nodeOf },
  } = record;
  const [only, wanted] = [processIn(filter), nameIn(filter.call, record)];
  const [sources, destinations, sent, received, bytes, called] = [
    'source',
    'destination',
    'sent',
    'received',
    'bytes',
    'call',
  ].map((name) => messages.column(name));
  for (let row = 0; row < messages.count; row++) {
    if (received![row]! < from || sent![row]! > to) continue;
    const [source, destination] = [sources![row]!, destinations![row]!];
    if (only !== undefined && source !== only && destination !== only) continue;
    if (wanted !== undefined && called![row] !== wanted) continue;
    const isWithin = nodeOf[source] === nodeOf[destination];
    if (filter.nodes !== '' && isWithin !== (filter.nodes === 'within')) continue;
    const name = cellOf(messages, 'call', row);
    yield () => ({
      row,
      source,
      destination,
      isWithin,
      sent: sent![row]!,
      received: received![row]!,
      bytes: bytes![row]!,
      tag: cellOf(messages, 'tag', row),
      communicator: cellOf(messages, 'communicator', row),
      call: name === undefined ? undefined : names[name],
    });
  }
}
