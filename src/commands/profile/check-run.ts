import { finiteDocument } from '../../base/finite-figures.ts';
import { PRODUCT } from '../../base/version.ts';
import { styleOf, type ViewOptions } from '../../report/style.ts';
import { table } from '../../report/table.ts';
import { clipped, printable } from '../../report/text.ts';
import { counted, formatCount, formatSeconds } from '../../report/units.ts';
import type { Batch, RunConsumer } from '../../trace/run/batch.ts';
import { addStays, type NodeStay } from '../../trace/run/checks/node-stays.ts';
import { type RecordFiles, readRun } from '../../trace/run/read-run.ts';
import { type RunEnd, type RunHead, TABLE_NAMES, type TableName } from '../../trace/run/run-schema.ts';

/** A sound run record: its head, its end, and the number of rows by table. */
export interface CheckedRun {
  /** Always `foretoken`: distinguishes results from other JSON. */
  readonly format: 'foretoken';
  /** 1 until a key changes its meaning; a new key does not change it. */
  readonly version: 1;
  /** Which result this is; also the name of its schema. */
  readonly kind: 'run-check';
  /** Name and version of the program that wrote the document. */
  readonly product: string;
  /** Model, trace or file of the run. */
  readonly program: string;
  /** Origin of the run. */
  readonly origin: RunHead['origin'];
  /** Number of processes. */
  readonly processes: number;
  /** Number of nodes. */
  readonly nodes: number;
  /** False if the run was cut short by a deadlock, a limit or an interruption. */
  readonly complete: boolean;
  /** End of the run in seconds. */
  readonly time: number;
  /** Number of rows by table. */
  readonly rows: Readonly<Record<TableName, number>>;
}

/**
 * Checks a run record without analysing it.
 *
 * @throws InputError REC001 to REC011: the problems of the record, each with its line or its block
 */
export function checkRun(input: RecordFiles, messages?: RecordFiles): CheckedRun {
  const rows = new Map<TableName, number>(TABLE_NAMES.map((name) => [name, 0]));
  let head: RunHead | undefined;
  let end: RunEnd | undefined;
  const names: string[] = [];
  const stays = new Map<number, NodeStay[]>();
  const consumer: RunConsumer = {
    head: (read) => {
      head = read;
    },
    name: (name) => {
      names.push(name);
    },
    batch: (batch: Batch) => {
      rows.set(batch.table, rows.get(batch.table)! + batch.count);
      if (batch.table === 'nodes') addStays(stays, batch, names, head!.nodes);
    },
    end: (read) => {
      end = read;
    },
  };
  readRun(input, messages, PRODUCT, consumer);
  // A second pass checks that processes do nothing between the stays of their nodes.
  const several = new Map([...stays].filter(([, list]) => list.length > 1));
  const nothing = { head: () => undefined, name: () => undefined, batch: () => undefined, end: () => undefined };
  if (several.size > 0) readRun(input, messages, PRODUCT, nothing, { stays: several });
  return finiteDocument({
    format: 'foretoken',
    version: 1,
    kind: 'run-check',
    product: PRODUCT,
    program: head!.program,
    origin: head!.origin,
    processes: head!.processes,
    nodes: head!.nodes.length,
    complete: end!.complete,
    time: end!.time,
    rows: Object.fromEntries(rows) as Record<TableName, number>,
  });
}

/** The rows of a checked record as text for a terminal. */
export function renderCheck(checked: CheckedRun, input: string, options: ViewOptions): string {
  const style = styleOf(options);
  const line = (text: string): string => clipped(printable(text, style.unicode), style.width, style.more);
  const { processes, nodes, rows } = checked;
  const facts = [
    checked.program,
    checked.origin,
    processes === 1 ? '1 process' : `${formatCount(processes)} processes`,
    counted(nodes, 'node'),
    `ends at ${formatSeconds(checked.time)}`,
    ...(checked.complete ? [] : ['incomplete']),
  ];
  return `${[
    style.bold(line(`${input} is a sound run record`)),
    line(facts.join(style.dot)),
    '',
    ...table(
      [
        { head: 'table', cells: Object.keys(rows) },
        { head: 'rows', right: true, cells: Object.values(rows).map(formatCount) },
      ],
      style,
    ),
  ].join('\n')}\n`;
}
