import { useComputed } from '@preact/signals';
import type { JSX } from 'preact';
import type { MeasuredProfile } from '../../commands/profile/assemble.ts';
import { figureName, figureText, formatSeconds } from '../../report/units.ts';
import { documentOf } from '../content.ts';
import { Figure, Part, Region } from '../figure.tsx';
import { profileRange } from '../record/range-profile.ts';
import type { PageState } from '../state.ts';
import { Table } from '../table.tsx';
import { CallBars } from './call-bars.tsx';
import { Intervals, type Show } from './intervals.tsx';
import { Communication } from './matrix.tsx';

type Tables = Pick<
  MeasuredProfile,
  'calls' | 'messages' | 'intervals' | 'waits' | 'operations' | 'figures' | 'spread' | 'processes'
>;

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
      figureText(value, unit, figureName(pointer))
    );
  return (
    <>
      {why === undefined ? null : <p role="alert">This part cannot be measured: {why}</p>}
      <Part name="Calls">
        <Calls tables={tables} note={note} shown={shown} />
      </Part>
      <Part name="Intervals">
        <Intervals state={state} tables={tables} note={note} shown={shown} />
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
      <CallBars calls={tables.calls} />
      <Table
        name="Time by call"
        rows={tables.calls}
        columns={[
          { name: 'Call', value: ({ call }) => call },
          { name: 'Count', value: ({ count }) => count },
          {
            name: 'Time',
            value: ({ seconds }) => seconds,
            unit: 's',
            cell: ({ seconds }, k) => shown(`/calls/${k}/seconds`, seconds, 's'),
          },
          {
            name: 'Blocked',
            value: ({ blocked }) => blocked,
            unit: 's',
            cell: ({ blocked }, k) => shown(`/calls/${k}/blocked`, blocked, 's'),
          },
          {
            name: 'Bytes',
            value: ({ bytes }) => bytes,
            unit: 'B',
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
              unit: 's',
              cell: ({ seconds }, k) => shown(`/waits/${k}/seconds`, seconds, 's'),
            },
          ]}
        />
      )}
    </Region>
  );
}
