import { useComputed, useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { formatSeconds } from '../../report/units.ts';
import { Region, Scroll, WhenSeen } from '../figure.tsx';
import { barOf, barsOf, type Duration, durationKinds } from '../record/durations.ts';
import type { PageRecord } from '../record/page-record.ts';
import { type PageState, showSpan } from '../state.ts';
import { Table } from '../table.tsx';

/** Durations of a bar that are listed. */
const MAX_LISTED = 1000;
/** Height of the longest bar, in CSS pixels. */
const HEIGHT = 120;

/** The histogram, in its region. */
export function Histogram(props: { readonly state: PageState; readonly record: PageRecord }): JSX.Element {
  return (
    <Region name="Histogram">
      {props.state.isWhole.value ? <WhenSeen make={() => <Durations {...props} />} /> : <p>Calls are being read …</p>}
    </Region>
  );
}

/** How long states, calls, messages and executions of intervals take: bars, each of which lists its spans. */
function Durations({ state, record }: { readonly state: PageState; readonly record: PageRecord }): JSX.Element {
  const kinds = useMemo(() => durationKinds(record), [record]);
  const chosen = useSignal(0);
  const bar = useSignal<number | undefined>(undefined);
  const bars = useComputed(() => {
    const kind = kinds[chosen.value];
    return kind === undefined ? [] : barsOf(kind, state.range.value ?? state.run);
  });
  const listed = useComputed(() => {
    const kind = kinds[chosen.value];
    if (kind === undefined || bar.value === undefined) return undefined;
    const spans: Duration[] = [];
    kind.each(state.range.value ?? state.run, (process, start, end) => {
      if (spans.length < MAX_LISTED && barOf(end - start) === bar.value) spans.push({ process, start, end });
    });
    return spans;
  });
  const most = bars.value.reduce((max, { count }) => Math.max(max, count), 1);
  const total = bars.value.reduce((sum, { count }) => sum + count, 0);
  return (
    <>
      <label class="choice">
        Durations of{' '}
        <select
          value={chosen.value}
          onChange={(event) => {
            chosen.value = Number(event.currentTarget.value);
            bar.value = undefined;
          }}
        >
          {kinds.map(({ name }, k) => (
            <option key={name} value={k}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <Scroll name="Histogram">
        <ul class="bins" aria-label="Bars of the histogram">
          {bars.value.map(({ index, from, to, count }) => (
            <li key={index}>
              <button
                type="button"
                disabled={count === 0}
                aria-pressed={bar.value === index}
                aria-label={`${index === 0 ? 'no length' : `${formatSeconds(from)} to ${formatSeconds(to)}`}: ${count}`}
                title={`${index === 0 ? 'no length' : `${formatSeconds(from)} to ${formatSeconds(to)}`}: ${count}`}
                onClick={() => {
                  bar.value = index;
                }}
              >
                <span
                  ref={(element) => {
                    // The policy forbids style attributes, not properties.
                    if (element !== null)
                      element.style.height = `${count === 0 ? 0 : Math.max(2, (count / most) * HEIGHT)}px`;
                  }}
                />
              </button>
            </li>
          ))}
        </ul>
      </Scroll>
      <p class="note">
        {total.toLocaleString('en')} durations that begin in the shown part, from{' '}
        {formatSeconds(bars.value[0]?.from ?? 0)} to {formatSeconds(bars.value.at(-1)?.to ?? 0)}; six bars in a decade.
        Select a bar to list its spans.
      </p>
      {listed.value === undefined ? null : (
        <Table
          name="Spans of the bar"
          rows={listed.value}
          columns={[
            { name: 'Process', value: ({ process }) => process },
            { name: 'Start', unit: 's', value: ({ start }) => start, cell: ({ start }) => formatSeconds(start) },
            {
              name: 'Duration',
              unit: 's',
              value: ({ start, end }) => end - start,
              cell: (of) => formatSeconds(of.end - of.start),
            },
          ]}
          onChoose={(of) => showSpan(state, record, of)}
        />
      )}
      {listed.value !== undefined && listed.value.length === MAX_LISTED ? (
        <p class="note">The first {MAX_LISTED} are listed: select a part of the run to see others.</p>
      ) : null}
    </>
  );
}
