import { useComputed } from '@preact/signals';
import type { JSX } from 'preact';
import type { MeasuredProfile } from '../../commands/profile/assemble.ts';
import { labelOf } from '../../report/labels.ts';
import { formatSeconds } from '../../report/units.ts';
import { documentOf } from '../content.ts';
import { Figure, Part, Region } from '../figure.tsx';
import { profileRange } from '../record/range-profile.ts';
import type { PageState } from '../state.ts';
import { figureColumn, type Show, Table } from '../table.tsx';
import { CallBars } from './call-bars.tsx';
import { Intervals } from './intervals.tsx';
import { Communication } from './matrix.tsx';
import { Messages } from './messages.tsx';

type Tables = Pick<
  MeasuredProfile,
  'calls' | 'messages' | 'intervals' | 'waits' | 'operations' | 'figures' | 'spread' | 'processes'
>;

/** Tables of a profile: of the whole run from the document, of a part measured from the record. */
export function Measured({ state }: { readonly state: PageState }): JSX.Element | null {
  const { content, record } = state;
  const profile = documentOf(content, 'profile');
  const measured = useComputed<{ readonly tables?: Tables | undefined; readonly why?: string }>(() => {
    const { value } = state.range;
    if (value === undefined || record === undefined || !state.isWhole.value) return { tables: profile };
    if (record.processes !== undefined)
      return {
        tables: profile,
        why: 'its figures need the spans of all processes, and this page has those of some (--process). Make a page without --process, or one of this part (--from, --to)',
      };
    try {
      return { tables: profileRange(record, value) };
    } catch (error) {
      return { tables: profile, why: (error as Error).message };
    }
  }).value;
  const { tables, why } = measured;
  if (tables === undefined) return null;
  const range = tables === profile ? undefined : state.range.value;
  const note = range === undefined ? 'Whole run.' : `From ${formatSeconds(range.from)} to ${formatSeconds(range.to)}.`;
  /** A figure of the document; of a part of the run, that of `profile --from --to`. */
  const shown: Show = (pointer, value, unit) => (
    <Figure
      name={pointer}
      value={value}
      unit={unit}
      {...(content.documents[0] === (profile as unknown) ? {} : { of: 'profile' })}
      {...(range === undefined ? {} : { range })}
    />
  );
  return (
    <>
      {why === undefined ? null : <p role="alert">This part cannot be measured: {why}.</p>}
      <Part name="Calls">
        <Calls tables={tables} note={note} shown={shown} />
      </Part>
      <Part name="Intervals">
        <Intervals state={state} tables={tables} note={note} shown={shown} />
      </Part>
      <Part name="Communication">
        <Communication state={state} messages={tables.messages} range={range} note={note} shown={shown} />
      </Part>
      <Part name="Messages">
        <Messages state={state} messages={tables.messages} shown={shown} />
      </Part>
    </>
  );
}

function Calls(props: { readonly tables: Tables; readonly note: string; readonly shown: Show }): JSX.Element | null {
  const { tables, note, shown } = props;
  const { calls, waits, operations } = tables;
  if (calls.length === 0 && waits.length === 0) return null;
  const ofCalls = figureColumn<Tables['calls'][number]>('profile', '/calls', shown);
  const ofWaits = figureColumn<Tables['waits'][number]>('profile', '/waits', shown);
  const ofOperations = figureColumn<Tables['operations'][number]>('profile', '/operations', shown);
  return (
    <Region name="Calls" note={note}>
      <CallBars calls={calls} />
      <Table
        name="Time by call"
        rows={calls}
        columns={[
          ofCalls('Call', 'call'),
          ofCalls('Count', 'count'),
          ofCalls('Time', 'seconds', 's'),
          ofCalls('Blocked', 'blocked', 's'),
          ofCalls('Bytes', 'bytes', 'B'),
          ofCalls('From sending to receiving', 'messageSeconds', 's'),
        ]}
      />
      {waits.length === 0 ? null : (
        <Table
          name="Wait states"
          rows={waits}
          columns={[ofWaits('Wait state', 'state'), ofWaits('Count', 'count'), ofWaits('Lost time', 'seconds', 's')]}
        />
      )}
      {operations.length === 0 ? null : (
        <Table
          name="Collective operations"
          rows={operations}
          columns={[
            ofOperations('Operation', 'kind'),
            ...(operations.some(({ phase }) => phase !== undefined) ? [ofOperations('Phase', 'phase')] : []),
            ofOperations('Count', 'count'),
            ofOperations('Processes', 'processors'),
            ...(['communication', 'synchronization', 'timeVariation', 'overlap'] as const).map((key) =>
              ofOperations(labelOf([key]), key, 's'),
            ),
          ]}
        />
      )}
    </Region>
  );
}
