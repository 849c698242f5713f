import { type Signal, useComputed, useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { figureText } from '../../report/units.ts';
import { CURVES } from '../draw/colours.ts';
import { Scroll } from '../figure.tsx';
import { callPaths } from '../record/call-paths.ts';
import type { PageRecord } from '../record/page-record.ts';
import {
  found,
  type IntervalTables,
  METRICS,
  type Metric,
  metricValue,
  type PathNode,
  processesOf,
  treeOf,
} from '../record/path-tree.ts';
import type { PageState } from '../state.ts';
import { type Column, SaveCsv, Table } from '../table.tsx';
import { Flame } from './flame.tsx';

/** Metric × interval or call × process, as Cube has it: the choice in each part decides what the next one shows. */
export function CallTree(props: {
  readonly state: PageState;
  readonly record: PageRecord | undefined;
  readonly tables: IntervalTables;
  /** Key of the chosen interval or call. */
  readonly chosen: Signal<string>;
}): JSX.Element {
  const { state, record, tables, chosen } = props;
  const metric = useSignal('lostTime');
  const open = useSignal<ReadonlySet<string>>(new Set(['']));
  const paths = useComputed(() =>
    record !== undefined && record.processes === undefined && state.isWhole.value
      ? callPaths(record, state.range.value)
      : [],
  );
  const root = treeOf(tables, paths.value, record?.head.program ?? 'program');
  const of = METRICS.find(({ key }) => key === metric.value)!;
  const node = found(root, chosen.value) ?? root;
  return (
    <>
      <h3>Where the time is</h3>
      <label class="choice">
        Metric{' '}
        <select
          value={metric.value}
          onChange={(event) => {
            metric.value = event.currentTarget.value;
          }}
        >
          {METRICS.filter(({ isOfCalls }) => isOfCalls !== true || paths.value.length > 0).map(({ key, name }) => (
            <option key={key} value={key}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <Flame root={root} chosen={chosen} />
      <div class="panes">
        <div>
          <SaveCsv name="Call paths" columns={pathColumns(of, metricValue(root, of))} rows={() => nodesOf(root)} />
          <Scroll name="Intervals and calls">
            <table aria-label="Call paths">
              <thead>
                <tr>
                  <th scope="col">Interval or call</th>
                  <th scope="col">{of.name}</th>
                  <th scope="col">Share</th>
                </tr>
              </thead>
              <tbody>
                <Rows node={root} depth={0} metric={of} all={metricValue(root, of)} open={open} chosen={chosen} />
              </tbody>
            </table>
          </Scroll>
        </div>
        <Processes node={node} metric={of} />
      </div>
    </>
  );
}

/** A part and all parts in it. */
const nodesOf = (node: PathNode): PathNode[] => [node, ...node.children.flatMap(nodesOf)];

/** Columns of all paths, also of those that are closed. */
const pathColumns = (metric: Metric, all: number | undefined): Column<PathNode>[] => [
  { name: 'Interval or call', value: ({ key, name }) => (key === '' ? name : key) },
  { name: metric.name, unit: metric.unit, value: (node) => metricValue(node, metric) },
  {
    name: 'Share',
    value: (node) => {
      const value = metricValue(node, metric);
      return value === undefined || all === undefined || all === 0 || metric.isShare ? undefined : value / all;
    },
  },
];

/** Children of a row that are listed at once. */
const MAX_CHILDREN = 200;

function Rows(props: {
  readonly node: PathNode;
  readonly depth: number;
  readonly metric: Metric;
  readonly all: number | undefined;
  readonly open: Signal<ReadonlySet<string>>;
  readonly chosen: Signal<string>;
}): JSX.Element {
  const { node, depth, metric, all, open, chosen } = props;
  const value = metricValue(node, metric);
  const isOpen = open.value.has(node.key);
  const children = isOpen ? node.children : [];
  return (
    <>
      <tr>
        <td class={`depth-${Math.min(depth, 8)}`}>
          {node.children.length === 0 ? null : (
            <button
              type="button"
              class="link"
              aria-expanded={isOpen}
              aria-label={`${isOpen ? 'Close' : 'Open'} ${node.name}`}
              onClick={() => {
                const next = new Set(open.value);
                if (!next.delete(node.key)) next.add(node.key);
                open.value = next;
              }}
            >
              {isOpen ? '▾' : '▸'}
            </button>
          )}{' '}
          <button
            type="button"
            class="link"
            aria-pressed={chosen.value === node.key}
            onClick={() => {
              chosen.value = node.key;
            }}
          >
            {node.name}
          </button>
        </td>
        <td class="number">{value === undefined ? '–' : figureText(value, metric.unit, metric.key)}</td>
        <td class="number">
          {value === undefined || all === undefined || all === 0 || metric.isShare
            ? '–'
            : `${((100 * value) / all).toFixed(1)} %`}
        </td>
      </tr>
      {children.slice(0, MAX_CHILDREN).map((child) => (
        <Rows key={child.key} {...props} node={child} depth={depth + 1} />
      ))}
      {children.length > MAX_CHILDREN ? (
        <tr>
          <td colSpan={3}>
            {children.length - MAX_CHILDREN} more: the table of intervals lists all of them, and filters.
          </td>
        </tr>
      ) : null}
    </>
  );
}

/** The chosen interval or call on each process. */
function Processes({ node, metric }: { readonly node: PathNode; readonly metric: Metric }): JSX.Element {
  const rows = processesOf(node, metric);
  const most = rows.reduce((max, { value }) => Math.max(max, Math.abs(value)), 0);
  return (
    <div>
      <h4>
        {metric.name} of {node.name} by process
      </h4>
      {rows.length === 0 ? (
        <p>No value of single processes is known.</p>
      ) : (
        <Table
          name="Processes of the path"
          isTitled
          rows={rows}
          columns={[
            { name: 'Process', value: ({ process }) => process },
            {
              name: metric.name,
              unit: metric.unit,
              value: ({ value }) => value,
              cell: ({ value }) => figureText(value, metric.unit),
            },
            {
              name: 'Bar',
              isPicture: true,
              value: () => '',
              cell: ({ value }) => (
                <svg width="160" height="12" aria-hidden="true">
                  <rect width={most > 0 ? (Math.abs(value) / most) * 160 : 0} height="12" fill={CURVES[0]} />
                </svg>
              ),
            },
          ]}
        />
      )}
    </div>
  );
}
