import { useComputed, useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { formatBytes, formatSeconds } from '../../report/units.ts';
import { ABSENT } from '../../trace/run/run-schema.ts';
import { Region } from '../figure.tsx';
import type { PageRecord } from '../record/page-record.ts';
import type { PageState } from '../state.ts';
import { type Column, Table, withValues } from '../table.tsx';

/** Records that a table lists: a browser cannot show more in a useful time. */
const MAX_RECORDS = 5000;

/** One call of the message system, with the fields of a message record. */
interface MessageRecord {
  readonly process: number;
  readonly call: string;
  readonly wrapped: string | undefined;
  readonly start: number;
  readonly end: number;
  readonly system: number;
  readonly blocked: number;
  readonly peer: number | undefined;
  readonly tag: number | undefined;
  readonly communicator: number | undefined;
  readonly type: string | undefined;
  readonly count: number | undefined;
  readonly matchedPeer: number | undefined;
  readonly matchedTag: number | undefined;
}

const COLUMNS: readonly Column<MessageRecord>[] = [
  { name: 'Process', value: ({ process }) => process },
  { name: 'Call', value: ({ call }) => call },
  { name: 'Wrapped call', value: ({ wrapped }) => wrapped },
  { name: 'Start', unit: 's', value: ({ start }) => start, cell: ({ start }) => formatSeconds(start) },
  {
    name: 'Duration',
    unit: 's',
    value: ({ start, end }) => end - start,
    cell: ({ start, end }) => formatSeconds(end - start),
  },
  { name: 'System', unit: 's', value: ({ system }) => system, cell: ({ system }) => formatSeconds(system) },
  { name: 'Blocked', unit: 's', value: ({ blocked }) => blocked, cell: ({ blocked }) => formatSeconds(blocked) },
  { name: 'Peer', value: ({ peer }) => peer },
  { name: 'Tag', value: ({ tag }) => tag },
  { name: 'Communicator', value: ({ communicator }) => communicator },
  { name: 'Type', value: ({ type }) => type },
  { name: 'Count', value: ({ count }) => count },
  { name: 'Matched peer', value: ({ matchedPeer }) => matchedPeer },
  { name: 'Matched tag', value: ({ matchedTag }) => matchedTag },
];

/** Messages within and between nodes, and the records of calls with their fields, classified by call. */
export function Messages({
  state,
  record,
}: {
  readonly state: PageState;
  readonly record: PageRecord;
}): JSX.Element | null {
  const process = useSignal('');
  const call = useSignal('');
  const sums = useComputed(() =>
    state.isWhole.value ? messageSums(record, state.range.value ?? state.run) : undefined,
  );
  const found = useComputed(() =>
    state.isWhole.value ? recordsOf(record, state.range.value ?? state.run, process.value, call.value) : undefined,
  );
  const calls = useComputed(() => (state.isWhole.value ? callNames(record) : []));
  if (state.isWhole.value && record.messages.count === 0 && record.calls.count === 0) return null;
  return (
    <Region name="Messages">
      {sums.value === undefined ? (
        <p>Messages are being read …</p>
      ) : (
        <dl class="figures">
          {(
            [
              ['Between nodes', sums.value.between],
              ['Within nodes', sums.value.within],
            ] as const
          ).map(([name, { messages, bytes, seconds }]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                {messages.toLocaleString('en')} messages, {formatBytes(bytes)}
                {messages === 0 ? '' : `, ${formatSeconds(seconds / messages)} from sending to receiving on average`}
              </dd>
            </div>
          ))}
        </dl>
      )}
      <div class="tools">
        <label>
          Process{' '}
          <input
            type="text"
            inputMode="numeric"
            size={6}
            value={process.value}
            onInput={(event) => {
              process.value = event.currentTarget.value;
            }}
          />
        </label>
        <label>
          Call{' '}
          <select
            value={call.value}
            onChange={(event) => {
              call.value = event.currentTarget.value;
            }}
          >
            <option value="">all</option>
            {calls.value.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
      </div>
      {found.value === undefined ? null : (
        <>
          <Table
            name="Message records"
            rows={found.value.records}
            columns={withValues(COLUMNS, found.value.records)}
            onChoose={(of) => {
              state.time.value = of.start;
            }}
          />
          {found.value.count > found.value.records.length ? (
            <p class="note">
              The first {MAX_RECORDS.toLocaleString('en')} of {found.value.count.toLocaleString('en')} records are
              listed: select a part of the run, a process or a call to see others.
            </p>
          ) : null}
        </>
      )}
    </Region>
  );
}

interface Sums {
  messages: number;
  bytes: number;
  /** From sending to receiving. */
  seconds: number;
}

/** Messages that are received in a part of the run, by whether both ends are on one node. */
function messageSums(
  { messages, head, end }: PageRecord,
  { from, to }: { readonly from: number; readonly to: number },
): { readonly within: Sums; readonly between: Sums } {
  const sums = {
    within: { messages: 0, bytes: 0, seconds: 0 },
    between: { messages: 0, bytes: 0, seconds: 0 },
  };
  const [source, destination, sent, received, bytes] = ['source', 'destination', 'sent', 'received', 'bytes'].map(
    (name) => messages.column(name),
  );
  for (let k = 0; k < messages.count; k++) {
    const at = received![k]!;
    if (!(at >= from && (at < to || (at === to && to === end.time)))) continue;
    const isWithin = head.nodeOf[source![k]!] === head.nodeOf[destination![k]!];
    const of = isWithin ? sums.within : sums.between;
    of.messages++;
    of.bytes += bytes![k]!;
    of.seconds += at - sent![k]!;
  }
  return sums;
}

function callNames({ calls, names }: PageRecord): string[] {
  const column = calls.column('call');
  const found = new Set<number>();
  for (let k = 0; k < calls.count; k++) found.add(column[k]!);
  return [...found].map((name) => names[name]!).sort();
}

function recordsOf(
  { calls, names }: PageRecord,
  { from, to }: { readonly from: number; readonly to: number },
  process: string,
  call: string,
): { readonly records: readonly MessageRecord[]; readonly count: number } {
  const only = process.trim() === '' ? undefined : Number(process);
  const wanted = call === '' ? undefined : names.indexOf(call);
  const cell = (name: string, k: number): number | undefined => {
    const value = calls.column(name)[k]!;
    return value === ABSENT || Number.isNaN(value) ? undefined : value;
  };
  const nameOf = (column: string, k: number): string | undefined => {
    const index = cell(column, k);
    return index === undefined ? undefined : names[index];
  };
  const [processes, starts, ends, called] = ['process', 'start', 'end', 'call'].map((name) => calls.column(name));
  const records: MessageRecord[] = [];
  let count = 0;
  for (let k = 0; k < calls.count; k++) {
    if (ends![k]! < from || starts![k]! > to) continue;
    if ((only !== undefined && processes![k] !== only) || (wanted !== undefined && called![k] !== wanted)) continue;
    count++;
    if (records.length === MAX_RECORDS) continue;
    records.push({
      process: processes![k]!,
      call: names[called![k]!]!,
      wrapped: nameOf('wrapped', k),
      start: starts![k]!,
      end: ends![k]!,
      system: cell('system', k) ?? 0,
      blocked: cell('blocked', k) ?? 0,
      peer: cell('peer', k),
      tag: cell('tag', k),
      communicator: cell('communicator', k),
      type: nameOf('type', k),
      count: cell('count', k),
      matchedPeer: cell('matchedPeer', k),
      matchedTag: cell('matchedTag', k),
    });
  }
  return { records, count };
}
