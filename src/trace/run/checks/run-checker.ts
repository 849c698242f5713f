import { InputError, type Place, Problems } from '../../../base/problem.ts';
import type { Batch, RowPlace, RunConsumer, RunSink } from '../batch.ts';
import { ABSENT, type Column, isDouble, type RunEnd, type RunHead, TABLES } from '../run-schema.ts';
import { type Clocks, SkewCheck, shiftTimes } from './clocks.ts';
import { type NodeStay, NodeStays } from './node-stays.ts';
import { isAbsent, rangeFault, secondsFault } from './run-ranges.ts';

/** Maximum number of problems reported per record. */
const MAX_PROBLEMS = 20;

/** How a record is read. */
export interface ReadOptions {
  /** Clocks to align; without it, messages that are received before they are sent are refused. */
  readonly clocks?: Clocks;
  /** Stays of nodes with several of them, as an earlier pass found them: rows are checked against the absences. */
  readonly stays?: ReadonlyMap<number, readonly NodeStay[]>;
  /** The record may still be written: without an end, it is complete up to {@link Growth.until}. */
  readonly growing?: Growth;
}

/** How far a record that is still written has come, as found out by reading it. */
export interface Growth {
  /** The record has its end. */
  isComplete: boolean;
  /** All processes have rows up to this instant, in seconds; undefined if one of them has none, or without a head. */
  until?: number;
  /** The processes that have rows, for a record without an end. */
  started?: readonly number[];
}

/**
 * Checks rows against the rules of their table and passes sound batches on: required cells are present, numbers are in
 * range, spans end after they begin and before the run ends, spans of one process follow each other, messages have both
 * partners, every process has states, nodes take part where their processes are not idle.
 *
 * O(rows) time, O(processes) memory. Throws InputError with up to 20 problems (REC005 to REC009, REC011).
 */
export class RunChecker implements RunSink {
  readonly #next: RunConsumer;
  readonly #options: ReadOptions;
  readonly #skew: SkewCheck;
  #head: RunHead | undefined;
  /** Latest end of a row of states on the clock of the record. */
  #ownLatest = 0;
  #processes = 0;
  /** Times of recorded runs are limited. */
  #isRecorded = true;
  #names: string[] = [];
  #stays: NodeStays | undefined;
  /** Earliest start of a row of states. */
  #first = Number.POSITIVE_INFINITY;
  /** Latest end of a row of states, and its place. */
  #latest = 0;
  #latestPlace: Place = {};
  #lastEnd = new Float64Array(0);
  #place: RowPlace = () => ({});

  readonly cut?: () => void;

  constructor(next: RunConsumer, options: ReadOptions = {}) {
    this.#next = next;
    this.#options = options;
    const { growing } = options;
    if (growing !== undefined) this.cut = () => this.#stop(growing);
    this.#skew = new SkewCheck(options.clocks);
  }

  /** Sets the places of rows for the following batches. */
  at(place: RowPlace): void {
    this.#place = place;
  }

  head(head: RunHead): void {
    this.#processes = head.processes;
    this.#isRecorded = head.origin === 'recorded';
    this.#lastEnd = new Float64Array(head.processes).fill(Number.NEGATIVE_INFINITY);
    this.#head = head;
    this.#stays = new NodeStays(head, this.#options.stays);
    this.#next.head(head);
  }

  name(name: string): void {
    this.#names.push(name);
    this.#next.name(name);
  }

  batch(batch: Batch): void {
    const problems = new Problems(MAX_PROBLEMS);
    for (const column of TABLES[batch.table] as readonly Column[]) this.#cells(batch, column, problems);
    if (problems.found.length === 0) {
      this.#shift(batch);
      this.#rows(batch, problems);
    }
    if (problems.found.length === 0 && batch.table === 'nodes')
      this.#stays!.rows(batch, this.#names, problems, this.#place);
    problems.end();
    this.#next.batch(batch);
  }

  /** Rows of one process are ordered, so that all of them are known up to its last one. */
  #stop(growth: Growth): void {
    growth.isComplete = false;
    const until = this.#lastEnd.reduce((least, last) => Math.min(least, last), Number.POSITIVE_INFINITY);
    const started = Array.from(this.#lastEnd.keys()).filter((process) => Number.isFinite(this.#lastEnd[process]!));
    growth.started = started;
    if (started.length === 0) return;
    if (Number.isFinite(until)) growth.until = until;
    this.#next.end({ complete: false, time: this.#latest, notes: [] });
  }

  end(end: RunEnd): void {
    const fault = this.#isRecorded ? secondsFault(end.time) : undefined;
    if (!(Number.isFinite(end.time) && end.time >= 0) || fault !== undefined)
      throw new InputError([
        {
          code: 'REC005',
          message: `the end of the run: ${fault ?? `expected seconds from 0, got ${end.time}`}`,
          place: this.#place(0),
        },
      ]);
    // The time from the last row to the end of the run stays.
    const time = this.#options.clocks?.shifts === undefined ? end.time : end.time - this.#ownLatest + this.#latest;
    if (time < this.#latest)
      throw new InputError([
        {
          code: 'REC006',
          message: `the run ends at ${time} s, before this row ends at ${this.#latest} s`,
          place: this.#latestPlace,
        },
      ]);
    const problems = new Problems(MAX_PROBLEMS);
    this.#lastEnd.forEach((last, process) => {
      if (last === Number.NEGATIVE_INFINITY)
        problems.add(
          'REC008',
          `process ${process} has no states: expected states of every process from 0 to ${this.#processes - 1}`,
          this.#place(0),
        );
    });
    this.#stays!.check(problems, Math.min(0, this.#first), time);
    this.#skew.check(problems);
    problems.end();
    if (this.#options.growing !== undefined) Object.assign(this.#options.growing, { isComplete: true, until: time });
    this.#next.end({ ...end, time });
  }

  /** Applies the shifts of clocks. */
  #shift(batch: Batch): void {
    const shifts = this.#options.clocks?.shifts;
    if (shifts === undefined) return;
    if (batch.table === 'states')
      for (let row = 0; row < batch.count; row++)
        this.#ownLatest = Math.max(this.#ownLatest, batch.columns['end']![row]!);
    shiftTimes(batch, shifts, this.#head!, this.#names);
  }

  #cells(batch: Batch, column: Column, problems: Problems): void {
    const { name, type, optional } = column;
    const cells = batch.columns[name]!;
    const limit = this.#limit(type, batch);
    for (let row = 0; row < batch.count; row++) {
      const value = cells[row]!;
      if (isAbsent(value, isDouble(type))) {
        if (optional !== true) problems.add('REC005', `${name} is missing`, this.#place(row));
        continue;
      }
      const fault = rangeFault(batch.table, column, value, this.#processes, this.#isRecorded);
      if (fault !== undefined) problems.add('REC005', `${name}: ${fault}`, this.#place(row));
      else if (type !== 'integer' && !isDouble(type) && (value < 0 || value >= limit)) {
        const isPartner = name === 'source' || name === 'destination';
        problems.add(
          isPartner ? 'REC009' : 'REC005',
          isPartner
            ? `message without partner: ${name} ${value} is not a process; the run has processes 0 to ${this.#processes - 1}`
            : `${name}: expected a number below ${limit}, got ${value}`,
          this.#place(row),
        );
      }
    }
  }

  /** Values of an integer type are below this. */
  #limit(type: Column['type'], batch: Batch): number {
    if (typeof type === 'object') return type.length;
    if (type === 'process') return this.#processes;
    if (type === 'name') return this.#names.length;
    return type === 'path' ? batch.paths.length : Number.POSITIVE_INFINITY;
  }

  #rows(batch: Batch, problems: Problems): void {
    const { columns, count, table } = batch;
    const [from, to] = SPANS[table];
    const starts = from === undefined ? undefined : columns[from]!;
    const ends = to === undefined ? undefined : columns[to]!;
    if (starts === undefined || ends === undefined) return;
    if (table === 'messages') {
      this.#skew.rows(batch, this.#place);
      return;
    }
    for (let row = 0; row < count; row++) {
      if (ends[row]! < starts[row]!)
        problems.add('REC006', `${to} ${ends[row]} is before ${from} ${starts[row]}`, this.#place(row));
      if (table === 'states') this.#first = Math.min(this.#first, starts[row]!);
      if (table === 'calls') {
        const { system, blocked } = columns as Readonly<Record<'system' | 'blocked', Float64Array>>;
        const inside = ends[row]! - starts[row]!;
        if (system[row]! + blocked[row]! > inside * (1 + 1e-9) + 1e-9)
          problems.add(
            'REC006',
            `system ${system[row]} s and blocked ${blocked[row]} s: expected at most the ${inside} s of the call`,
            this.#place(row),
          );
      }
      if (table === 'states' && ends[row]! > this.#latest) {
        this.#latest = ends[row]!;
        this.#latestPlace = this.#place(row);
      }
    }
    if (table !== 'states') return;
    const process = columns['process']!;
    const [collective, execution, phase] = [columns['collective']!, columns['execution']!, columns['phase']!];
    for (let row = 0; row < count; row++) {
      const isCollective = collective[row] !== ABSENT;
      if ((execution[row] !== ABSENT) !== isCollective)
        problems.add(
          'REC005',
          isCollective
            ? 'execution: expected the number of the execution of the collective'
            : 'execution: expected a collective in the same row',
          this.#place(row),
        );
      else if (phase[row] !== ABSENT && !isCollective)
        problems.add('REC005', 'phase: expected a collective in the same row', this.#place(row));
    }
    this.#stays!.states(batch, problems, this.#place);
    for (let row = 0; row < count; row++) {
      const p = process[row]!;
      const before = this.#lastEnd[p]!;
      if (starts[row]! < before)
        problems.add(
          'REC007',
          `a span of process ${p} begins at ${starts[row]} s, before the previous span ends at ${before} s`,
          this.#place(row),
        );
      this.#lastEnd[p] = Math.max(before, ends[row]!);
    }
  }
}

/** Columns with the start and the end of a row, by table. */
const SPANS: Readonly<Record<Batch['table'], readonly [string?, string?]>> = {
  states: ['start', 'end'],
  messages: ['sent', 'received'],
  calls: ['start', 'end'],
  intervals: ['start', 'end'],
  collectives: ['start', 'end'],
  overlaps: ['start', 'end'],
  nodes: ['joined', 'left'],
  resources: [],
};
