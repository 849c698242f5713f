import type { JSX } from 'preact';
import type { ProfiledInterval, ProfiledSection } from '../../commands/profile/profile-document.ts';
import { Explained, Region, useDescription, WhenSeen } from '../figure.tsx';
import { type IntervalTables, METRICS } from '../record/path-tree.ts';
import type { PageState } from '../state.ts';
import { type Show, Table } from '../table.tsx';
import { CallTree } from './call-tree.tsx';

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

/** Times of the program and its intervals: as a table, as a tree with calls and processes, and all characteristics of one. */
export function Intervals(props: {
  readonly state: PageState;
  readonly tables: IntervalTables;
  readonly note: string;
  readonly shown: Show;
}): JSX.Element | null {
  const { state, tables, note, shown } = props;
  const chosen = state.interval;
  const rows = flat(tables.intervals);
  if (rows.length === 0 && state.record === undefined) return null;
  const of = rows.find(({ path }) => path === chosen.value.replace(/:.*$/, ''));
  return (
    <Region name="Intervals" note={note}>
      <Table
        name="Intervals"
        isTitled
        rows={rows}
        columns={[
          { name: 'Interval', value: ({ path }) => path },
          {
            name: 'Executions',
            about: { kind: 'profile', pointer: '/intervals/executions' },
            value: ({ of }) => of.executions,
            cell: ({ of, pointer }) => shown(`${pointer}/executions`, of.executions, '1'),
          },
          {
            name: 'Execution time',
            about: { kind: 'profile', pointer: '/figures/executionTime' },
            value: ({ of }) => of.figures.executionTime.value,
            unit: 's',
            cell: ({ of, pointer }) =>
              shown(`${pointer}/figures/executionTime/value`, of.figures.executionTime.value, 's'),
          },
          {
            name: 'Lost time',
            about: { kind: 'profile', pointer: '/figures/lostTime' },
            value: ({ of }) => of.figures.lostTime.value,
            unit: 's',
            cell: ({ of, pointer }) => shown(`${pointer}/figures/lostTime/value`, of.figures.lostTime.value, 's'),
          },
          {
            name: 'Efficiency',
            about: { kind: 'profile', pointer: '/figures/efficiency' },
            // That of an interval without time would be 0 / 0.
            value: ({ of }) => (of.figures.totalTime.value > 0 ? of.figures.efficiency.value : undefined),
            cell: ({ of: { figures }, pointer }) =>
              figures.totalTime.value > 0
                ? shown(`${pointer}/figures/efficiency/value`, figures.efficiency.value, '1')
                : null,
          },
        ]}
        onChoose={({ path }) => {
          chosen.value = path;
        }}
      />
      {chosen.value === '' || of !== undefined || chosen.value.startsWith(':') ? null : (
        <p class="note">There is no interval {chosen.value.replace(/:.*$/, '')} here: the program is shown.</p>
      )}
      <Characteristics
        name={of?.path ?? 'the program'}
        section={of?.of ?? tables}
        pointer={of?.pointer ?? ''}
        shown={shown}
      />
      <WhenSeen make={() => <CallTree state={state} record={state.record} tables={tables} chosen={chosen} />} />
    </Region>
  );
}

/** Every characteristic of an interval over all processes, with its least, largest and mean value of a process. */
function Characteristics(props: {
  readonly name: string;
  readonly section: ProfiledSection;
  readonly pointer: string;
  readonly shown: Show;
}): JSX.Element {
  const { name, section, pointer, shown } = props;
  const rows = METRICS.filter(({ isOfCalls, isShare }) => !isOfCalls && !isShare).map(({ key, unit, name: words }) => ({
    key: key as keyof typeof section.spread,
    unit,
    words: key === 'executionTime' ? 'Execution time' : words,
  }));
  const description = useDescription();
  const meaning = (key: string): string | undefined => description({ kind: 'profile', pointer: `/figures/${key}` });
  return (
    <>
      <h3>Characteristics of {name}</h3>
      <Table
        name="Characteristics"
        isTitled
        rows={rows}
        columns={[
          {
            name: 'Characteristic',
            value: ({ words }) => words,
            cell: ({ key, words }) => <span title={meaning(key)}>{words}</span>,
          },
          { name: 'Unit', value: ({ unit }) => (unit === '1' ? '' : unit) },
          {
            name: 'Over all processes',
            value: ({ key }) => section.figures[key].value,
            cell: ({ key, unit }) => shown(`${pointer}/figures/${key}/value`, section.figures[key].value, unit),
          },
          ...(['min', 'mean', 'max'] as const).map((part) => ({
            name: { min: 'Least', mean: 'Mean', max: 'Largest' }[part],
            value: ({ key }: (typeof rows)[number]) => section.spread[key][part],
            cell: ({ key, unit }: (typeof rows)[number]) => {
              const { [part]: value, minProcess, maxProcess } = section.spread[key];
              const process = part === 'min' ? minProcess : maxProcess;
              return (
                <>
                  {shown(`${pointer}/spread/${key}/${part}`, value, unit)}
                  {part === 'mean' || process < 0 ? '' : ` (process ${process})`}
                </>
              );
            },
          })),
        ]}
      />
      <Explained what="Characteristics explained" terms={rows.map(({ key, words }) => [words, meaning(key)])} />
    </>
  );
}
