import { useComputed } from '@preact/signals';
import type { ComponentChildren, JSX } from 'preact';
import type { MeasuredProfile } from '../../commands/profile/assemble.ts';
import type { ProfiledInterval } from '../../commands/profile/profile-document.ts';
import { figureText, formatSeconds } from '../../report/units.ts';
import { documentOf } from '../content.ts';
import { Figure, Part, Region } from '../figure.tsx';
import { profileRange } from '../record/range-profile.ts';
import type { PageState } from '../state.ts';
import { Table } from '../table.tsx';
import { Communication } from './matrix.tsx';

type Tables = Pick<MeasuredProfile, 'calls' | 'messages' | 'intervals' | 'waits' | 'operations' | 'figures'>;

/** Tables of a profile: of the whole run from the document, of a part measured from the record. */
export function Measured({ state }: { readonly state: PageState }): JSX.Element | null {
  const profile = documentOf(state.content, 'profile');
  const measured = useComputed<{ readonly tables?: Tables | undefined; readonly why?: string }>(() => {
    const { value } = state.range;
    if (value === undefined || state.record === undefined || !state.isWhole.value) return { tables: profile };
    try {
      return { tables: profileRange(state.record, value) };
    } catch (error) {
      return { tables: profile, why: (error as Error).message };
    }
  }).value;
  const { tables, why } = measured;
  if (tables === undefined) return null;
  const { value: range } = state.range;
  const note =
    range === undefined || why !== undefined
      ? 'Whole run.'
      : `From ${formatSeconds(range.from)} to ${formatSeconds(range.to)}.`;
  /** A figure of the document; of a part of the run, a number that only the page has. */
  const shown: Show = (pointer, value, unit) =>
    tables === profile ? (
      <Figure
        name={pointer}
        value={value}
        unit={unit}
        {...(state.content.documents[0] === (profile as unknown) ? {} : { of: 'profile' })}
      />
    ) : (
      figureText(value, unit, pointer.split('/').at(-1))
    );
  return (
    <>
      {why === undefined ? null : <p role="alert">This part cannot be measured: {why}</p>}
      <Part name="Calls">
        <Calls tables={tables} note={note} shown={shown} />
      </Part>
      <Part name="Intervals">
        <Intervals tables={tables} note={note} shown={shown} />
      </Part>
      <Part name="Communication">
        <Communication
          messages={tables.messages}
          processes={state.record?.head.processes ?? processesOf(tables.messages)}
          note={note}
        />
      </Part>
    </>
  );
}

/** Shows a number of a document by its pointer. */
type Show = (pointer: string, value: number, unit: string) => ComponentChildren;

/** Number of processes that messages name. */
const processesOf = ({ pairs }: Tables['messages']): number =>
  pairs.reduce((most, { source, destination }) => Math.max(most, source + 1, destination + 1), 1);

interface Shown {
  readonly tables: Tables;
  readonly note: string;
  readonly shown: Show;
}

function Calls({ tables, note, shown }: Shown): JSX.Element | null {
  if (tables.calls.length === 0 && tables.waits.length === 0) return null;
  return (
    <Region name="Calls" note={note}>
      <Table
        name="Time by call"
        rows={tables.calls}
        columns={[
          { name: 'Call', value: ({ call }) => call },
          { name: 'Count', value: ({ count }) => count },
          {
            name: 'Time',
            value: ({ seconds }) => seconds,
            cell: ({ seconds }, k) => shown(`/calls/${k}/seconds`, seconds, 's'),
          },
          {
            name: 'Blocked',
            value: ({ blocked }) => blocked,
            cell: ({ blocked }, k) => shown(`/calls/${k}/blocked`, blocked, 's'),
          },
          {
            name: 'Bytes',
            value: ({ bytes }) => bytes,
            cell: ({ bytes }, k) => shown(`/calls/${k}/bytes`, bytes, 'B'),
          },
        ]}
      />
      {tables.waits.length === 0 ? null : (
        <Table
          name="Wait states"
          rows={tables.waits}
          columns={[
            { name: 'Wait state', value: ({ state }) => state },
            { name: 'Count', value: ({ count }) => count },
            {
              name: 'Lost time',
              value: ({ seconds }) => seconds,
              cell: ({ seconds }, k) => shown(`/waits/${k}/seconds`, seconds, 's'),
            },
          ]}
        />
      )}
    </Region>
  );
}

interface FlatInterval {
  readonly path: string;
  readonly of: ProfiledInterval;
  readonly pointer: string;
}

/** Intervals as rows, each under the one that contains it. */
function flat(intervals: readonly ProfiledInterval[], path = '', pointer = '/intervals'): FlatInterval[] {
  return intervals.flatMap((of, k) => {
    const own = path === '' ? of.name : `${path}/${of.name}`;
    const at = `${pointer}/${k}`;
    return [{ path: own, of, pointer: at }, ...flat(of.children, own, `${at}/children`)];
  });
}

function Intervals({ tables, note, shown }: Shown): JSX.Element | null {
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
            cell: ({ of, pointer }) =>
              shown(`${pointer}/figures/executionTime/value`, of.figures.executionTime.value, 's'),
          },
          {
            name: 'Lost time',
            value: ({ of }) => of.figures.lostTime.value,
            cell: ({ of, pointer }) => shown(`${pointer}/figures/lostTime/value`, of.figures.lostTime.value, 's'),
          },
          {
            name: 'Efficiency',
            value: ({ of }) => of.figures.efficiency.value,
            cell: ({ of, pointer }) => shown(`${pointer}/figures/efficiency/value`, of.figures.efficiency.value, '1'),
          },
        ]}
      />
    </Region>
  );
}
