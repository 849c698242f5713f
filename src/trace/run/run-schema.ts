import { quote } from '../../base/problem.ts';

/**
 * Tables of a run record: meaning of rows, columns and their units. Binary files, JSON lines, CSV files and analyses all
 * follow these tables, which docs/profile.md explains.
 */

/** States of a process. `overhead` is time that the process spends in the message system. */
export type RunState = 'computing' | 'memory' | 'overhead' | 'communicating' | 'waiting' | 'io' | 'idle';
export const RUN_STATES: readonly RunState[] = [
  'computing',
  'memory',
  'overhead',
  'communicating',
  'waiting',
  'io',
  'idle',
];

/** Kinds of intervals: all processes compute the same (sequential), or share the work (parallel). */
export type IntervalKind = 'sequential' | 'parallel';
export const INTERVAL_KINDS: readonly IntervalKind[] = ['sequential', 'parallel'];

/** Phases of an asynchronous collective operation. */
export type Phase = 'start' | 'wait';
export const PHASES: readonly Phase[] = ['start', 'wait'];

/**
 * Meaning of the instant `sent` of a message: the entry into the sending call (the default), or the start of the transfer, which
 * is later if the sender has to wait for the receiver.
 */
export type MessageInstant = 'call' | 'transfer';
export const MESSAGE_INSTANTS: readonly MessageInstant[] = ['call', 'transfer'];

/**
 * Type of a column.
 * - `process`, `count`: integers from 0; `integer`: any 32-bit integer except {@link ABSENT}
 * - `seconds`: finite double, measured from the start of the run for points in time
 * - `amount`: finite double from 0
 * - `name`: index into the record's names
 * - `path`: index into the batch's interval paths
 * - a list of words: index into the list
 */
export type ColumnType = 'process' | 'count' | 'integer' | 'seconds' | 'amount' | 'name' | 'path' | readonly string[];

export interface Column {
  readonly name: string;
  readonly type: ColumnType;
  /** Cells may be absent: {@link ABSENT} in integer columns, NaN in columns of doubles. */
  readonly optional?: true;
}

/** Value of an absent cell in an integer column. */
export const ABSENT: number = -(2 ** 31);

const required = (name: string, type: ColumnType): Column => ({ name, type });
const optional = (name: string, type: ColumnType): Column => ({ name, type, optional: true });

export type TableName =
  | 'states'
  | 'messages'
  | 'calls'
  | 'intervals'
  | 'collectives'
  | 'overlaps'
  | 'resources'
  | 'nodes';

/** Columns by table. States of one process are ordered by time; rows of other tables by the end of the event they describe. */
export const TABLES: Readonly<Record<TableName, readonly Column[]>> = {
  /**
   * Time of a process in one state. Rows of one process do not overlap; gaps are idle.
   * `sequence` numbers the calls of a process from 0, so that rows of one call share it. `bytes` is the data volume
   * of the call so far: that of the call is the largest of its rows. `peer` is the partner of a call or the root of a collective operation.
   * `iterations` is the number of loop iterations that the row computes; `copies` is the number of processes that
   * compute the same ones (default: 1 in parallel intervals). Rows with the same `collective`, `execution` and `phase`
   * are one execution of a collective operation.
   */
  states: [
    required('process', 'process'),
    required('start', 'seconds'),
    required('end', 'seconds'),
    required('state', RUN_STATES),
    optional('call', 'name'),
    optional('interval', 'path'),
    optional('kind', INTERVAL_KINDS),
    optional('collective', 'name'),
    optional('execution', 'count'),
    optional('phase', PHASES),
    optional('sequence', 'count'),
    optional('bytes', 'amount'),
    optional('peer', 'process'),
    optional('iterations', 'amount'),
    optional('copies', 'count'),
  ],
  /** A message from its send to its receipt. `call` is the sender's call; `instant` is the meaning of `sent`. */
  messages: [
    required('source', 'process'),
    required('destination', 'process'),
    required('sent', 'seconds'),
    required('received', 'seconds'),
    required('bytes', 'amount'),
    optional('tag', 'integer'),
    optional('communicator', 'integer'),
    optional('call', 'name'),
    optional('instant', MESSAGE_INSTANTS),
  ],
  /**
   * One call of the message system (fields of XMPI's message record). `system` and `blocked` are seconds inside the
   * call; `wrapped` is the call one layer below; `matched` fields are those of the message that completed it.
   */
  calls: [
    required('process', 'process'),
    required('start', 'seconds'),
    required('end', 'seconds'),
    required('call', 'name'),
    required('sequence', 'count'),
    required('system', 'seconds'),
    required('blocked', 'seconds'),
    optional('wrapped', 'name'),
    optional('peer', 'integer'),
    optional('tag', 'integer'),
    optional('communicator', 'integer'),
    optional('type', 'name'),
    optional('count', 'amount'),
    optional('matchedPeer', 'integer'),
    optional('matchedTag', 'integer'),
  ],
  /** One execution of an interval on one process. */
  intervals: [
    required('process', 'process'),
    required('interval', 'path'),
    required('start', 'seconds'),
    required('end', 'seconds'),
    optional('kind', INTERVAL_KINDS),
  ],
  /** One execution of a collective operation over all its processes. */
  collectives: [
    required('operation', 'name'),
    required('execution', 'count'),
    required('start', 'seconds'),
    required('end', 'seconds'),
    required('processes', 'count'),
    optional('phase', PHASES),
    optional('communicator', 'integer'),
  ],
  /** Time between start and wait of one asynchronous operation on one process. */
  overlaps: [
    required('process', 'process'),
    required('operation', 'name'),
    required('execution', 'count'),
    required('start', 'seconds'),
    required('end', 'seconds'),
  ],
  /** Use of a host, link or other resource over the run. `capacity` is per second, `amount` the total. */
  resources: [
    required('resource', 'name'),
    required('class', 'name'),
    required('unit', 'name'),
    required('amount', 'amount'),
    required('capacity', 'amount'),
  ],
  /** A node that takes part from `joined` to `left`; nodes without a row take part in the whole run. */
  nodes: [required('node', 'name'), required('joined', 'seconds'), required('left', 'seconds')],
};

export const TABLE_NAMES: readonly TableName[] = Object.keys(TABLES) as TableName[];

/** True if cells of a type are doubles; all others are 32-bit integers. */
export const isDouble = (type: ColumnType): boolean => type === 'seconds' || type === 'amount';

/** One step of an interval path: `iteration[1]#3` is the third execution with the expression's value 1. */
export interface IntervalStep {
  readonly name: string;
  readonly expression?: number;
  readonly execution?: number;
}

/** An execution of an interval: steps from the outermost interval to the innermost. */
export type IntervalPath = readonly IntervalStep[];

/** Head of a run: everything known before its first row. */
export interface RunHead {
  /** Model, trace or file of the run. */
  readonly program: string;
  readonly origin: 'simulated' | 'recorded';
  /** Product that wrote the record, with its version. */
  readonly product: string;
  readonly seed?: string;
  readonly processes: number;
  /** Nodes with their number of sockets, and of cores if it is known (at least 1). */
  readonly nodes: readonly { readonly name: string; readonly sockets: number; readonly cores?: number }[];
  /** Node of each process, an index into `nodes`. */
  readonly nodeOf: readonly number[];
  /** Socket of each process within its node, from 0. */
  readonly socketOf: readonly number[];
  /** Source places of intervals, where they are known. */
  readonly sites?: readonly IntervalPlace[];
}

/** Source place of an interval. */
export interface IntervalPlace {
  /** Names of the interval and those around it, without values and executions: `solve/iteration`. */
  readonly interval: string;
  /** Name of the file, without folders. */
  readonly file: string;
  /** Line, from 1. */
  readonly line: number;
}

/** End of a run: everything known after its last row. */
export interface RunEnd {
  /** False if the run was cut short by a deadlock, a limit or an interruption. */
  readonly complete: boolean;
  /** End of the run in seconds. */
  readonly time: number;
  /** Diagnoses of the run, for instance its deadlock. */
  readonly notes: readonly string[];
}

/** Maximum depth of nested intervals. */
const MAX_INTERVAL_DEPTH = 64;

const STEP = /^(?<name>(?:[^\\/[\]#]|\\.)+)(?:\[(?<expression>-?\d{1,15})\])?(?:#(?<execution>\d{1,15}))?$/s;

/** `solve/iteration[1]#3`; the characters `\ / [ ] #` of a name are escaped by a backslash. */
export function formatPath(path: IntervalPath): string {
  return path.map(formatStep).join('/');
}

function formatStep({ name, expression, execution }: IntervalStep): string {
  const escaped = name.replace(/[\\/[\]#]/g, '\\$&');
  return `${escaped}${expression === undefined ? '' : `[${expression}]`}${execution === undefined ? '' : `#${execution}`}`;
}

/** The path that {@link formatPath} writes, or an error message. */
export function parsePath(text: string): IntervalPath | string {
  const parts = text.match(/(?:[^\\/]|\\.)+|(?<=^|\/)(?=\/|$)/gs) ?? [];
  if (parts.length > MAX_INTERVAL_DEPTH)
    return `expected at most ${MAX_INTERVAL_DEPTH} nested intervals, got ${parts.length}`;
  const path: IntervalStep[] = [];
  for (const part of parts) {
    const { name, expression, execution } = STEP.exec(part)?.groups ?? {};
    if (name === undefined)
      return `expected an interval as name, name[expression] or name#execution, got ${quote(part)}`;
    path.push({
      name: name.replace(/\\(.)/gs, '$1'),
      ...(expression === undefined ? {} : { expression: Number(expression) }),
      ...(execution === undefined ? {} : { execution: Number(execution) }),
    });
  }
  return path.length === 0 ? 'expected an interval, got an empty path' : path;
}

/**
 * Binary run record (.ftrun), version 1. All numbers are little-endian.
 *
 * The file is {@link MAGIC}, then blocks: kind (uint8), length of the payload (uint32), CRC-32 of the payload (uint32),
 * payload. The first block is the head; the last one is the end. Blocks of names precede the rows that use them. A block of
 * rows is independent of every other block: number of rows (uint32), length of its interval paths (uint32), the paths as a
 * JSON array of strings, then one column after the other.
 */
export const MAGIC: Uint8Array = Uint8Array.from([0x46, 0x54, 0x52, 0x55, 0x4e, 0x00, 0x01, 0x0a]);
export const BLOCK_HEAD_BYTES = 9;
/** Maximum payload of a block, in bytes. */
export const MAX_BLOCK_BYTES: number = 2 ** 28;

/** Kinds of blocks. */
export const BLOCK = { head: 1, names: 2, end: 3, firstTable: 16 } as const;

/** Maps tables to block kinds, and back. */
export const blockOfTable = (table: (typeof TABLE_NAMES)[number]): number =>
  BLOCK.firstTable + TABLE_NAMES.indexOf(table);
export const tableOfBlock = (kind: number): (typeof TABLE_NAMES)[number] | undefined =>
  TABLE_NAMES[kind - BLOCK.firstTable];
