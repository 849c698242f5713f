import { crc32 } from 'node:zlib';
import { WholeFile } from '../../base/files/whole-file.ts';
import type { Batch, RunConsumer } from './batch.ts';
import { ByteSink } from './columns/bytes.ts';
import { encodeColumn, encodeStarts } from './columns/column-code.ts';
import { knownOf } from './columns/known-columns.ts';
import {
  BLOCK,
  BLOCK_HEAD_BYTES,
  blockOfTable,
  type Column,
  formatPath,
  MAGIC,
  type RunEnd,
  type RunHead,
  TABLES,
  type TableName,
} from './run-schema.ts';

/** Takes the bytes of a record; those of one call are valid only during it. */
export interface RecordOutput {
  /** @param kind kind of the block to which the bytes belong; absent for the first bytes of a record */
  write(bytes: Uint8Array, kind?: number): void;
  close(): void;
  abort(): void;
}

/**
 * A binary run record in memory, in pieces; complete after its end. A reader needs only `pieces` at first: it is a record without
 * the messages and calls, `later` has their blocks, which belong before the end.
 */
export interface MemoryRecord extends RunConsumer {
  readonly pieces: readonly Uint8Array[];
  readonly later: readonly Uint8Array[];
  /** Rows by table. */
  readonly rows: Readonly<Partial<Record<TableName, number>>>;
}

/** Collects a run in the binary form of a record. */
export function memoryRecord(): MemoryRecord {
  const pieces: Uint8Array[] = [];
  const later: Uint8Array[] = [];
  const rows: Partial<Record<TableName, number>> = {};
  const none = (): void => {};
  const write = (bytes: Uint8Array, kind = 0): void => {
    const isLater = kind === blockOfTable('messages') || kind === blockOfTable('calls');
    (isLater ? later : pieces).push(bytes.slice());
  };
  // A page compresses the record.
  const writer = new RunFileWriter({ write, close: none, abort: none }, true);
  return {
    pieces,
    later,
    rows,
    head: (head) => writer.head(head),
    name: (name) => writer.name(name),
    batch: (batch) => {
      rows[batch.table] = (rows[batch.table] ?? 0) + batch.count;
      writer.batch(batch);
    },
    end: (end) => writer.end(end),
  };
}

/**
 * Writes a binary run record. Memory does not depend on the length of the run. The file gets its name when the end is
 * written; {@link abort} leaves nothing behind. Throws InputError REC001 if the file cannot be written.
 */
export class RunFileWriter implements RunConsumer {
  readonly #file: RecordOutput;
  readonly #sink: ByteSink;
  readonly #head = new ByteSink(16);
  #names: string[] = [];

  /**
   * @param output path of the file, or what takes the bytes
   * @param isCompressed true if the bytes will be compressed
   */
  constructor(output: string | RecordOutput, isCompressed = false) {
    this.#sink = new ByteSink(1 << 16, isCompressed);
    this.#file = typeof output === 'string' ? new WholeFile(output, 'REC001') : output;
    this.#file.write(MAGIC);
  }

  head(head: RunHead): void {
    this.#json(BLOCK.head, { format: 'foretoken-run', version: 1, ...head });
  }

  name(name: string): void {
    this.#names.push(name);
  }

  batch(batch: Batch): void {
    if (batch.count === 0) return;
    this.#flushNames();
    const sink = this.#sink;
    sink.clear();
    sink.u32(batch.count);
    const paths = Buffer.from(JSON.stringify(batch.paths.map(formatPath)));
    sink.u32(paths.length);
    sink.raw(paths);
    const { columns, count, table } = batch;
    for (const { name, type } of TABLES[table] as readonly Column[]) {
      // Starts follow the columns that they are derived from.
      if (table === 'states' && name === 'start') continue;
      encodeColumn(
        sink,
        type,
        columns[name]!,
        count,
        sink.isCompressed ? knownOf(table, name, columns, count) : undefined,
      );
    }
    if (table === 'states')
      encodeStarts(
        sink,
        columns['start'] as Float64Array,
        columns['end'] as Float64Array,
        columns['process'] as Int32Array,
        count,
      );
    this.#block(blockOfTable(table), sink.bytes());
  }

  end(end: RunEnd): void {
    this.#flushNames();
    this.#json(BLOCK.end, end);
    this.#file.close();
  }

  /** Aborts and removes the file. */
  abort(): void {
    this.#file.abort();
  }

  #flushNames(): void {
    if (this.#names.length > 0) this.#json(BLOCK.names, this.#names);
    this.#names = [];
  }

  #json(kind: number, value: unknown): void {
    this.#block(kind, Buffer.from(JSON.stringify(value)));
  }

  #block(kind: number, payload: Uint8Array): void {
    const head = this.#head;
    head.clear();
    head.u8(kind);
    head.u32(payload.length);
    head.u32(crc32(payload));
    if (head.length !== BLOCK_HEAD_BYTES) throw new Error('the head of a block has another length');
    this.#file.write(head.bytes(), kind);
    this.#file.write(payload, kind);
  }
}
