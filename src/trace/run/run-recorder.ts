import { BATCH_ROWS, BatchBuffer, type Cells, type RunConsumer } from './batch.ts';
import { CollectiveSpans, type RecordedCollective } from './collective-spans.ts';
import {
  ABSENT,
  type Column,
  formatPath,
  INTERVAL_KINDS,
  type IntervalKind,
  type IntervalPath,
  MESSAGE_INSTANTS,
  PHASES,
  RUN_STATES,
  type RunEnd,
  type RunHead,
  type RunState,
  TABLE_NAMES,
  TABLES,
  type TableName,
} from './run-schema.ts';

/** The beginning of a call of the message system. */
export interface RecordedCall {
  readonly name: string;
  readonly bytes?: number;
  /** Partner, or root of a collective operation. */
  readonly peer?: number;
  readonly tag?: number;
  readonly communicator?: number;
  readonly collective?: RecordedCollective;
  /** Call one layer below: the first point-to-point call of a collective operation. */
  readonly wrapped?: string;
  /** Datatype and number of elements that the call names. */
  readonly type?: string;
  readonly count?: number;
}

/** Use of a resource over the run, as in the table of resources. */
export interface RecordedResource {
  readonly name: string;
  readonly class: string;
  readonly unit: string;
  readonly amount: number;
  readonly capacity: number;
}

/** An interval that represents an operation. */
interface Operation {
  readonly collective: RecordedCollective;
  readonly name: number;
  readonly begin: number;
  hasRow: boolean;
}

/** Open call, interval and state of one process. */
interface Process {
  call: RecordedCall | undefined;
  /** Index of the call's name, and its number; ABSENT outside calls. */
  name: number;
  sequence: number;
  next: number;
  begin: number;
  end: number;
  system: number;
  blocked: number;
  /** True if the call has a row; its data volume so far, NaN if none is known; true if a row has this volume. */
  hasRow: boolean;
  bytes: number;
  hasBytes: boolean;
  collective: number;
  matchedPeer: number;
  matchedTag: number;
  path: IntervalPath;
  key: string;
  kind: number;
  copies: number;
  /** Loop iterations that are not yet in a row. */
  iterations: number;
  hasAnyRow: boolean;
  /** State of the last row. */
  state: number;
  /** Operations that the process is in besides its call, the innermost last. */
  readonly operations: Operation[];
}

const state = (name: RunState): number => RUN_STATES.indexOf(name);
const COMPUTING = state('computing');
const MEMORY = state('memory');
const OVERHEAD = state('overhead');
const COMMUNICATING = state('communicating');
const WAITING = state('waiting');
const IDLE = state('idle');
const NONE = Number.NaN;
const TRANSFER = MESSAGE_INSTANTS.indexOf('transfer');

/**
 * Writes a run record while the run goes on: takes what each process does in the order of its time and passes rows on in
 * batches. Each call of the message system has at least one row, of no length where the call takes no time; other states
 * have none then, except for the end of a process after a sleep.
 *
 * Memory: O(processes + names + collective executions that not all processes have ended).
 */
export class RunRecorder {
  readonly #consumer: RunConsumer;
  readonly #tables: Readonly<Record<TableName, TableRows>>;
  readonly #names = new Map<string, number>();
  readonly #processes: Process[];
  readonly #nodes: readonly string[];
  /** The consumer asks for the loops of a model as intervals. */
  readonly loopIntervals: boolean;
  readonly #collectives: CollectiveSpans;

  constructor(consumer: RunConsumer, head: RunHead) {
    this.#consumer = consumer;
    const before = (name: TableName): (() => void) => (name === 'states' ? () => this.#flushOthers() : () => {});
    this.#tables = Object.fromEntries(
      TABLE_NAMES.map((name) => [name, new TableRows(name, consumer, before(name))]),
    ) as never;
    this.#nodes = head.nodes.map(({ name }) => name);
    this.#processes = Array.from({ length: head.processes }, () => ({
      call: undefined,
      name: ABSENT,
      sequence: ABSENT,
      next: 0,
      begin: 0,
      end: 0,
      system: 0,
      blocked: 0,
      hasRow: false,
      bytes: NONE,
      hasBytes: true,
      collective: ABSENT,
      matchedPeer: ABSENT,
      matchedTag: ABSENT,
      path: [],
      key: '',
      kind: ABSENT,
      copies: ABSENT,
      iterations: NONE,
      hasAnyRow: false,
      state: ABSENT,
      operations: [],
    }));
    this.#collectives = new CollectiveSpans((collective, start, end) =>
      this.#tables.collectives.add([
        this.#name(collective.operation),
        collective.execution,
        start,
        end,
        collective.processes,
        phaseOf(collective),
        collective.communicator ?? ABSENT,
      ]),
    );
    consumer.head(head);
    this.loopIntervals = consumer.loopIntervals === true;
  }

  /** Ends the current call of a process and begins another one; without an argument, the process is outside calls. */
  begin(process: number, time: number, call: RecordedCall | undefined): void {
    this.#endCall(process);
    const p = this.#processes[process]!;
    p.call = call;
    if (call === undefined) return;
    p.name = this.#name(call.name);
    p.sequence = p.next++;
    p.begin = time;
    p.end = time;
    p.system = 0;
    p.blocked = 0;
    p.hasRow = false;
    p.bytes = call.bytes ?? NONE;
    p.hasBytes = call.bytes === undefined;
    p.collective = call.collective === undefined ? ABSENT : this.#name(call.collective.operation);
    p.matchedPeer = ABSENT;
    p.matchedTag = ABSENT;
  }

  /** The call that a process is in. */
  call(process: number): RecordedCall | undefined {
    return this.#processes[process]!.call;
  }

  /** A message has completed the current call of a process; the last of several messages counts. */
  matched(process: number, peer: number, tag: number | undefined): void {
    const p = this.#processes[process]!;
    p.matchedPeer = peer;
    p.matchedTag = tag ?? ABSENT;
  }

  /** Adds to the data volume of the current call of a process. */
  addBytes(process: number, bytes: number): void {
    const p = this.#processes[process]!;
    p.bytes = Number.isNaN(p.bytes) ? bytes : p.bytes + bytes;
    p.hasBytes = false;
  }

  /** A process was in a state from `start` to `end`. */
  span(process: number, name: RunState, start: number, end: number): void {
    const p = this.#processes[process]!;
    const is = state(name);
    this.#row(p, process, start, end, is);
    if (p.call === undefined) return;
    p.end = end;
    if (is === OVERHEAD) p.system += end - start;
    if (is === WAITING || is === COMMUNICATING) p.blocked += end - start;
  }

  /**
   * A process has come to its end. After a sleep, a row of no length marks the end: idle rows at the end of a process are
   * time after its end.
   */
  ended(process: number, time: number): void {
    this.#endCall(process);
    const p = this.#processes[process]!;
    if (p.state === IDLE) this.#row(p, process, time, time, COMPUTING);
  }

  /**
   * Sets the interval that a process is in from now on; its kind, the number of processes that compute the same, and the
   * loop iterations of this execution.
   */
  enter(
    process: number,
    path: IntervalPath,
    kind: IntervalKind | undefined,
    copies?: number,
    iterations?: number,
  ): void {
    this.#endCall(process);
    const p = this.#processes[process]!;
    p.path = path;
    p.key = formatPath(path);
    p.kind = kind === undefined ? ABSENT : INTERVAL_KINDS.indexOf(kind);
    p.copies = copies ?? ABSENT;
    if (iterations !== undefined) p.iterations = iterations;
  }

  /** A process begins its part in an operation that is not a single call. Rows of calls inside belong to it. */
  beginOperation(process: number, collective: RecordedCollective, time: number): void {
    this.#endCall(process);
    const name = this.#name(collective.operation);
    this.#processes[process]!.operations.push({ collective, name, begin: time, hasRow: false });
  }

  /** A process ends its part in the innermost operation and the row of the part is written. */
  endOperation(process: number, time: number): void {
    this.#endCall(process);
    const p = this.#processes[process]!;
    const operation = p.operations.at(-1)!;
    if (!operation.hasRow) this.#row(p, process, time, time, COMMUNICATING);
    p.operations.pop();
    this.#collectives.part(operation.collective, operation.begin, time);
  }

  /** A process has left an interval. */
  left(process: number, path: IntervalPath, start: number, end: number, kind: IntervalKind | undefined): void {
    this.#processes[process]!.iterations = NONE;
    const rows = this.#tables.intervals;
    const index = rows.path(formatPath(path), path);
    rows.add([process, index, start, end, kind === undefined ? ABSENT : INTERVAL_KINDS.indexOf(kind)]);
  }

  /** The transfer of a message began at one time, and the message was received at another one. */
  message(
    source: number,
    destination: number,
    sent: number,
    received: number,
    bytes: number,
    more: { readonly tag?: number; readonly communicator?: number; readonly call?: string } = {},
  ): void {
    this.#tables.messages.add([
      source,
      destination,
      sent,
      received,
      bytes,
      more.tag ?? ABSENT,
      more.communicator ?? ABSENT,
      this.#optionalName(more.call),
      TRANSFER,
    ]);
  }

  /** Time between start and wait of an asynchronous operation on a process. */
  overlap(process: number, collective: RecordedCollective, start: number, end: number): void {
    this.#tables.overlaps.add([process, this.#name(collective.operation), collective.execution, start, end]);
  }

  /** Completes the record. Every process gets at least one row. */
  finish(end: RunEnd, resources: readonly RecordedResource[]): void {
    this.#processes.forEach((p, process) => {
      this.#endCall(process);
      if (!p.hasAnyRow) this.#row(p, process, 0, end.time, IDLE);
    });
    this.#collectives.finish();
    for (const { name, class: kind, unit, amount, capacity } of resources)
      this.#tables.resources.add([this.#name(name), this.#name(kind), this.#name(unit), amount, capacity]);
    for (const node of this.#nodes) this.#tables.nodes.add([this.#name(node), 0, end.time]);
    this.#flushOthers();
    this.#tables.states.flush();
    this.#consumer.end(end);
  }

  /**
   * Passes on the rows of all tables but the states: a reader that knows all states up to an instant then knows what else has ended
   * before it, in any part of a record that begins with its head.
   */
  #flushOthers(): void {
    for (const table of TABLE_NAMES) if (table !== 'states') this.#tables[table].flush();
  }

  #endCall(process: number): void {
    const p = this.#processes[process]!;
    const { call } = p;
    if (call === undefined) return;
    if (!p.hasRow || !p.hasBytes) this.#row(p, process, p.end, p.end, COMMUNICATING);
    p.call = undefined;
    this.#tables.calls.add([
      process,
      p.begin,
      p.end,
      p.name,
      p.sequence,
      p.system,
      p.blocked,
      this.#optionalName(call.wrapped),
      call.peer ?? ABSENT,
      call.tag ?? ABSENT,
      call.communicator ?? ABSENT,
      this.#optionalName(call.type),
      call.count ?? NONE,
      p.matchedPeer,
      p.matchedTag,
    ]);
    if (call.collective !== undefined) this.#collectives.part(call.collective, p.begin, p.end);
  }

  #row(p: Process, process: number, start: number, end: number, is: number): void {
    const { call } = p;
    const inCall = call !== undefined;
    const computes = is === COMPUTING || is === MEMORY;
    const rows = this.#tables.states;
    const ofCall = inCall ? call.collective : undefined;
    const operation = p.operations.at(-1);
    if (operation !== undefined) operation.hasRow = true;
    const collective = operation?.collective ?? ofCall;
    rows.add([
      process,
      start,
      end,
      is,
      inCall ? p.name : ABSENT,
      p.path.length === 0 ? ABSENT : rows.path(p.key, p.path),
      p.kind,
      operation?.name ?? (ofCall === undefined ? ABSENT : p.collective),
      collective === undefined ? ABSENT : collective.execution,
      collective === undefined ? ABSENT : phaseOf(collective),
      inCall ? p.sequence : ABSENT,
      inCall && !p.hasBytes ? p.bytes : NONE,
      inCall && call.peer !== undefined ? call.peer : ABSENT,
      computes ? p.iterations : NONE,
      computes ? p.copies : ABSENT,
    ]);
    p.hasRow = true;
    p.hasAnyRow = true;
    p.state = is;
    if (inCall) p.hasBytes = true;
    if (computes) p.iterations = NONE;
  }

  #optionalName(text: string | undefined): number {
    return text === undefined ? ABSENT : this.#name(text);
  }

  #name(text: string): number {
    let index = this.#names.get(text);
    if (index === undefined) {
      index = this.#names.size;
      this.#names.set(text, index);
      this.#consumer.name(text);
    }
    return index;
  }
}

const phaseOf = ({ phase }: RecordedCollective): number => (phase === undefined ? ABSENT : PHASES.indexOf(phase));

/** Rows of one table on their way to a consumer: passed on in batches of {@link BATCH_ROWS}. */
class TableRows {
  readonly #consumer: RunConsumer;
  readonly #before: () => void;
  readonly #batch: BatchBuffer;
  readonly #columns: readonly Cells[];

  /** @param before called before the rows of a full batch are passed on */
  constructor(table: TableName, consumer: RunConsumer, before: () => void) {
    this.#consumer = consumer;
    this.#before = before;
    this.#batch = new BatchBuffer(table);
    this.#columns = (TABLES[table] as readonly Column[]).map(({ name }) => this.#batch.columns[name]!);
  }

  /** Index of an interval path in the batch that the next row goes to. `key` identifies the path. */
  path(key: string, path: IntervalPath): number {
    return this.#batch.path(key, () => path);
  }

  /** Adds a row: its cells in the order of the table's columns. */
  add(cells: readonly number[]): void {
    const at = this.#batch.count++;
    for (let k = 0; k < cells.length; k++) this.#columns[k]![at] = cells[k]!;
    if (this.#batch.count < BATCH_ROWS) return;
    this.#before();
    this.flush();
  }

  /** Passes on the rows that are left. */
  flush(): void {
    if (this.#batch.count > 0) this.#consumer.batch(this.#batch);
    this.#batch.clear();
  }
}
