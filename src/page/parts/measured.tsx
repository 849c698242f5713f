import { useComputed } from '@preact/signals';
import type { JSX } from 'preact';
import type { MeasuredProfile } from '../../commands/profile/assemble.ts';
import type { ProfiledInterval } from '../../commands/profile/profile-document.ts';
import { formatBytes, formatSeconds, formatShare } from '../../report/units.ts';
import { documentOf } from '../content.ts';
import { Region } from '../figure.tsx';
import { profileRange } from '../record/range-profile.ts';
import type { PageState } from '../state.ts';
import { Table } from '../table.tsx';
import { Communication } from './matrix.tsx';

type Tables = Pick<MeasuredProfile, 'calls' | 'messages' | 'intervals' | 'waits' | 'operations' | 'figures'>;

/** Tables of a profile: of the whole run from the document, of a part measured from the record. */
export function Measured({ state }: { readonly state: PageState }): JSX.Element | null {
  const profile = documentOf(state.content, 'profile');
  const tables = useComputed<Tables | undefined>(() => {
    const { value } = state.range;
    if (value === undefined || state.record === undefined || !state.isWhole.value) return profile;
    try {
      return profileRange(state.record, value);
    } catch (error) {
      state.problems.value = [...state.problems.peek(), `This part cannot be measured: ${(error as Error).message}`];
      return profile;
    }
  }).value;
  if (tables === undefined) return null;
  const { value: range } = state.range;
  const note = range === undefined ? 'Whole run.' : `From ${formatSeconds(range.from)} to ${formatSeconds(range.to)}.`;
  return (
    <>
      <Calls tables={tables} note={note} />
      <Intervals tables={tables} note={note} />
      <Communication
        messages={tables.messages}
        processes={state.record?.head.processes ?? processesOf(tables.messages)}
        note={note}
      />
    </>
  );
}

/** Number of processes that messages name. */
const processesOf = ({ pairs }: Tables['messages']): number =>
  pairs.reduce((most, { source, destination }) => Math.max(most, source + 1, destination + 1), 1);

interface Shown {
  readonly tables: Tables;
  readonly note: string;
}

function Calls({ tables, note }: Shown): JSX.Element | null {
  if (tables.calls.length === 0 && tables.waits.length === 0) return null;
  return (
    <Region name="Calls" note={note}>
      <Table
        name="Time by call"
        rows={tables.calls}
        columns={[
          { name: 'Call', value: ({ call }) => call },
          { name: 'Count', value: ({ count }) => count },
          { name: 'Time', value: ({ seconds }) => seconds, cell: ({ seconds }) => formatSeconds(seconds) },
          { name: 'Blocked', value: ({ blocked }) => blocked, cell: ({ blocked }) => formatSeconds(blocked) },
          { name: 'Bytes', value: ({ bytes }) => bytes, cell: ({ bytes }) => formatBytes(bytes) },
        ]}
      />
      {tables.waits.length === 0 ? null : (
        <Table
          name="Wait states"
          rows={tables.waits}
          columns={[
            { name: 'Wait state', value: ({ state }) => state },
            { name: 'Count', value: ({ count }) => count },
            { name: 'Lost time', value: ({ seconds }) => seconds, cell: ({ seconds }) => formatSeconds(seconds) },
          ]}
        />
      )}
    </Region>
  );
}

/** Intervals as rows, each under the one that contains it. */
function flat(
  intervals: readonly ProfiledInterval[],
  path = '',
): { readonly path: string; readonly of: ProfiledInterval }[] {
  return intervals.flatMap((of) => {
    const own = path === '' ? of.name : `${path}/${of.name}`;
    return [{ path: own, of }, ...flat(of.children, own)];
  });
}

function Intervals({ tables, note }: Shown): JSX.Element | null {
  const rows = flat(tables.intervals);
  if (rows.length === 0) return null;
  return (
    <Region name="Intervals" note={note}>
      <Table
        name="Intervals"
        rows={rows}
        columns={[
          { name: 'Interval', value: ({ path }) => path },
          { name: 'Executions', value: ({ of }) => of.executions },
          {
            name: 'Execution time',
            value: ({ of }) => of.figures.executionTime.value,
            cell: ({ of }) => formatSeconds(of.figures.executionTime.value),
          },
          {
            name: 'Lost time',
            value: ({ of }) => of.figures.lostTime.value,
            cell: ({ of }) => formatSeconds(of.figures.lostTime.value),
          },
          {
            name: 'Efficiency',
            value: ({ of }) => of.figures.efficiency.value,
            cell: ({ of }) => formatShare(of.figures.efficiency.value),
          },
        ]}
      />
    </Region>
  );
}
