import type { ComponentChildren, JSX } from 'preact';
import { formatBytes, formatSeconds } from '../../report/units.ts';
import { recordFigure } from '../figure.tsx';
import { reasonOf } from '../record/node-state.ts';
import type { PageRecord } from '../record/page-record.ts';
import type { PageState } from '../state.ts';

/** A time without the rounding errors of its last digits: `0.011328`, not `0.011327999999999996`. */
const rounded = (time: number): number => Number(time.toPrecision(12));

/** The part of the run to which the tables refer, as numbers that a keyboard can enter. */
export function RangeControl({ state }: { readonly state: PageState }): JSX.Element {
  const { range, run } = state;
  const set = (part: 'from' | 'to', text: string): void => {
    const entered = Number(text);
    if (text === '' || !Number.isFinite(entered)) return;
    const value = [run.from, run.to].find((end) => rounded(end) === entered) ?? entered;
    const next = { ...(range.value ?? run), [part]: Math.max(run.from, Math.min(run.to, value)) };
    if (next.from < next.to) range.value = next;
  };
  const now = range.value ?? run;
  return (
    <fieldset>
      <legend>Tables show</legend>
      <label>
        from{' '}
        <input
          type="number"
          step="any"
          aria-label="Range from, in seconds"
          value={rounded(now.from)}
          onChange={(e) => set('from', e.currentTarget.value)}
        />
      </label>{' '}
      <label>
        to{' '}
        <input
          type="number"
          step="any"
          aria-label="Range to, in seconds"
          value={rounded(now.to)}
          onChange={(e) => set('to', e.currentTarget.value)}
        />{' '}
        s
      </label>{' '}
      <button
        type="button"
        onClick={() => {
          range.value = state.shown.value;
        }}
      >
        Use the shown part
      </button>{' '}
      <button
        type="button"
        disabled={range.value === undefined}
        onClick={() => {
          range.value = undefined;
        }}
      >
        Use the whole run
      </button>
    </fieldset>
  );
}

/** All facts about the chosen span. */
export function Selection({ state, record }: { readonly state: PageState; readonly record: PageRecord }): JSX.Element {
  const chosen = state.chosen.value;
  const facts = chosen === undefined ? undefined : record.facts(chosen.row);
  const shown = (key: 'start' | 'end' | 'peer' | 'bytes', text: (value: number) => string): ComponentChildren => {
    const value = facts?.[key];
    return value === undefined ? 'none' : recordFigure('states', chosen!.row, key, value, text(value));
  };
  return (
    <section aria-label="Selection" aria-live="polite" class="selection">
      {facts === undefined ? (
        <p>Select a span to see its call, peer, bytes, interval, and why it waited.</p>
      ) : (
        <dl class="figures">
          {(
            [
              ['Process', `${facts.process} on ${record.head.nodes[record.head.nodeOf[facts.process]!]!.name}`],
              ['State', facts.state],
              [
                'Time',
                <>
                  {shown('start', formatSeconds)} to {shown('end', formatSeconds)} (
                  {formatSeconds(facts.end - facts.start)})
                </>,
              ],
              ['Call', facts.call ?? 'none'],
              ['Peer', shown('peer', String)],
              ['Bytes', shown('bytes', formatBytes)],
              ['Interval', facts.interval ?? 'none'],
              ['Reason', reasonOf(facts, record)],
            ] as const
          ).map(([term, text]) => (
            <div key={term}>
              <dt>{term}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}
