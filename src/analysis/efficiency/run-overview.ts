import type { Batch } from '../../trace/run/batch.ts';
import type { RunHead } from '../../trace/run/run-schema.ts';
import { NODE_STATES, statePriority } from './node-states.ts';

/*
 * A coarse picture of a long run: time by state of the first processes in equal parts of the run. A page paints it before the
 * browser has read the record.
 *
 *     length of the JSON (uint32) | JSON | for each process and state but idle: a byte from 0 to LEVELS for each part
 */

/** States that are stored: the rest of a part is idle. */
const STORED = NODE_STATES.length - 1;
/** Shares are whole multiples of 1 / LEVELS: a row on the screen has fewer pixels. */
const LEVELS = 15;
/** Parts of the run in an overview: about one for each pixel of a wide screen. */
const PARTS = 1600;
/** Bins in which time is summed while the length of the run is not known: from a half of them to all are in use. */
const BINS = 4096;
/** Processes with a row in an overview: more than a screen has rows. */
const MAX_PROCESSES = 128;
/** Exponent of the width of the narrowest bins, in powers of two of a second. */
const MIN_EXPONENT = -60;
/** Numbers of bins are exact integers. */
const MAX_NUMBER = 2 ** 50;

/** The JSON of an overview. */
interface OverviewHead {
  /** Begin and end of the run, in seconds. */
  readonly from: number;
  readonly to: number;
  readonly parts: number;
  /** Names of the nodes, and the node of each process. */
  readonly nodes: readonly { readonly name: string }[];
  readonly nodeOf: readonly number[];
  /** Processes that have a row, in the order of the rows. */
  readonly processes: readonly number[];
}

/** Time by state of the first processes, by node, summed while a run is recorded. O(rows) time, memory independent of the rows. */
export class OverviewMeter {
  #head: RunHead | undefined;
  #processes: number[] = [];
  /** Index among the rows of the overview of each process, or −1. */
  #rowOf = new Int32Array(0);
  /** Seconds by row, state and bin. */
  #seconds = new Float64Array(0);
  /** A bin is 2 ** exponent seconds long; the first one in use is number `base` from time 0. */
  #exponent = MIN_EXPONENT;
  #base = 0;
  #from = Number.POSITIVE_INFINITY;
  #to = Number.NEGATIVE_INFINITY;

  head(head: RunHead): void {
    this.#head = head;
    const { nodeOf } = head;
    this.#processes = nodeOf
      .map((_, process) => process)
      .sort((a, b) => nodeOf[a]! - nodeOf[b]!)
      .slice(0, MAX_PROCESSES);
    this.#rowOf = new Int32Array(head.processes).fill(-1);
    this.#processes.forEach((process, row) => {
      this.#rowOf[process] = row;
    });
    this.#seconds = new Float64Array(this.#processes.length * STORED * BINS);
  }

  /** Adds rows of the table `states`. */
  batch({ table, columns, count }: Batch): void {
    if (table !== 'states') return;
    const [process, start, end, state] = ['process', 'start', 'end', 'state'].map((name) => columns[name]!) as [
      Int32Array,
      Float64Array,
      Float64Array,
      Int32Array,
    ];
    for (let k = 0; k < count; k++) {
      if (start[k]! < this.#from || end[k]! > this.#to) this.#extend(start[k]!, end[k]!);
      const row = this.#rowOf[process[k]!]!;
      const of = statePriority(state[k]!);
      if (row >= 0 && of < STORED) this.#add((row * STORED + of) * BINS, start[k]!, end[k]!);
    }
  }

  /** The overview of a run that ends at an instant. */
  encoded(end: number): Uint8Array {
    const { nodes, nodeOf } = this.#head!;
    const from = Number.isFinite(this.#from) ? this.#from : 0;
    const to = Math.max(end, from);
    const head: OverviewHead = {
      from,
      to,
      parts: PARTS,
      nodes: nodes.map(({ name }) => ({ name })),
      nodeOf,
      processes: this.#processes,
    };
    const json = new TextEncoder().encode(JSON.stringify(head));
    const bytes = new Uint8Array(4 + json.length + this.#processes.length * STORED * PARTS);
    new DataView(bytes.buffer).setUint32(0, json.length, true);
    bytes.set(json, 4);
    const width = 2 ** this.#exponent;
    const part = (to - from) / PARTS;
    for (let line = 0, at = 4 + json.length; line < this.#processes.length * STORED; line++)
      for (let k = 0; k < PARTS; k++, at++) {
        if (!(part > 0)) continue;
        const left = (from + k * part) / width - this.#base;
        const seconds = mixed(this.#seconds, line * BINS, BINS, left, left + part / width);
        bytes[at] = seconds > 0 ? Math.max(1, Math.round((LEVELS * Math.min(seconds, part)) / part)) : 0;
      }
    return bytes;
  }

  #add(line: number, start: number, end: number): void {
    const width = 2 ** this.#exponent;
    const first = Math.floor(start / width);
    const last = Math.floor(end / width);
    for (let bin = first; bin <= last; bin++) {
      const seconds = Math.min(end, (bin + 1) * width) - Math.max(start, bin * width);
      if (seconds > 0) this.#seconds[line + bin - this.#base]! += seconds;
    }
  }

  /** Makes room for rows between two instants: bins become so wide that all fit. */
  #extend(start: number, end: number): void {
    const [exponent, base] = [this.#exponent, this.#base];
    this.#from = Math.min(this.#from, start);
    this.#to = Math.max(this.#to, end);
    const number = (time: number): number => Math.floor(time / 2 ** this.#exponent);
    while (
      number(this.#to) - number(this.#from) >= BINS ||
      Math.max(Math.abs(number(this.#from)), Math.abs(number(this.#to))) > MAX_NUMBER
    )
      this.#exponent++;
    this.#base = Math.floor(this.#from / 2 ** this.#exponent);
    if (exponent === this.#exponent && base === this.#base) return;
    const shift = 2 ** (this.#exponent - exponent);
    const before = this.#seconds;
    this.#seconds = new Float64Array(before.length);
    for (let line = 0; line < before.length; line += BINS)
      for (let bin = 0; bin < BINS; bin++) {
        const seconds = before[line + bin]!;
        if (seconds > 0) this.#seconds[line + Math.floor((base + bin) / shift) - this.#base]! += seconds;
      }
  }
}

/** The sum of cells from one position to another; a cell that lies inside in part counts in part. */
function mixed(cells: ArrayLike<number>, offset: number, count: number, left: number, right: number): number {
  let sum = 0;
  for (let k = Math.max(0, Math.floor(left)); k < Math.min(count, right); k++) {
    const inside = Math.min(right, k + 1) - Math.max(left, k);
    if (inside > 0) sum += cells[offset + k]! * inside;
  }
  return sum;
}

/** An overview that has been read. */
export interface RunOverview extends OverviewHead {
  /**
   * Shares by state of equal columns of the whole run, as `columns × states` numbers that add up to 1 in a column; undefined for a
   * process without a row.
   */
  bins(process: number, columns: number): Float32Array | undefined;
}

/** Reads what {@link OverviewMeter} wrote. @throws RangeError, SyntaxError for bytes of another form */
export function readOverview(bytes: Uint8Array): RunOverview {
  const length = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getUint32(0, true);
  const head = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length))) as OverviewHead;
  const { parts, processes } = head;
  const states = NODE_STATES.length;
  if (bytes.length !== 4 + length + processes.length * STORED * parts)
    throw new RangeError(`an overview of ${bytes.length} bytes for ${processes.length} processes`);
  const rowOf = new Map(processes.map((process, row) => [process, row]));
  return {
    ...head,
    bins: (process, columns) => {
      const row = rowOf.get(process);
      if (row === undefined) return undefined;
      const bins = new Float32Array(columns * states);
      const width = parts / columns;
      for (let column = 0; column < columns; column++) {
        let busy = 0;
        for (let state = 0; state < STORED; state++) {
          const offset = 4 + length + (row * STORED + state) * parts;
          const sum = mixed(bytes, offset, parts, column * width, (column + 1) * width);
          bins[column * states + state] = sum / width / LEVELS;
          busy += sum / width / LEVELS;
        }
        // Rounded shares may exceed the whole by a level.
        if (busy > 1) for (let state = 0; state < STORED; state++) bins[column * states + state]! /= busy;
        bins[column * states + STORED] = Math.max(0, 1 - busy);
      }
      return bins;
    },
  };
}
