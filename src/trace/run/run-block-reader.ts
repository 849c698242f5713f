import { fail } from '../../base/problem.ts';
import { BATCH_ROWS, type Batch, BatchBuffer, type RunSink } from './batch.ts';
import { ByteSource } from './columns/bytes.ts';
import { decodeColumn, decodeStarts, skipColumn } from './columns/column-code.ts';
import { knownOf, withCompared } from './columns/known-columns.ts';
import { endOf, headOf, namesOf } from './run-head.ts';
import {
  ABSENT,
  BLOCK,
  BLOCK_HEAD_BYTES,
  type Column,
  type IntervalPath,
  MAGIC,
  MAX_BLOCK_BYTES,
  parsePath,
  TABLES,
  type TableName,
  tableOfBlock,
} from './run-schema.ts';

/** Bytes of a binary run record: an open file, or a page's data. */
export interface RecordBytes {
  /** Name of the record in messages. */
  readonly name: string;
  readonly size: number;
  /** The bytes from an offset on; undefined past the end. */
  bytes(at: number, length: number): Uint8Array | undefined;
  /** Only rows of these tables are passed on, with these columns. */
  readonly only?: { readonly [table in TableName]?: readonly string[] };
  /** CRC-32 of a payload; absent where a container of the record has been checked as a whole. */
  readonly checksum?: (payload: Uint8Array) => number;
}

const ALL = 'all';

/**
 * Reads a binary run record block by block, wherever its bytes are: needs neither files nor other parts of Node, so that pages in
 * a browser read records with it, too.
 */
export class RunBlockReader {
  readonly #source: RecordBytes;
  readonly #checker: RunSink;
  readonly #buffers = new Map<TableName, BatchBuffer>();
  /** Offset of the current block. */
  #at = 0;

  constructor(source: RecordBytes, sink: RunSink) {
    this.#source = source;
    this.#checker = sink;
  }

  /** Offset of the block whose rows are passed on. */
  get offset(): number {
    return this.#at;
  }

  /** The rows of the block at an offset; valid until the next call. */
  batchAt(offset: number): Batch {
    this.#at = offset;
    const { kind, payload } = this.#block();
    return this.#batch(tableOfBlock(kind) ?? this.#corrupt(`unknown block kind ${kind}`), payload, ALL);
  }

  /** Passes the whole record on. @throws InputError as {@link readRunFile} */
  read(): void {
    const { cut } = this.#checker;
    const magic = this.#source.bytes(0, MAGIC.length);
    if (magic === undefined && cut !== undefined && this.#source.size < MAGIC.length) {
      cut();
      return;
    }
    if (magic === undefined || !MAGIC.subarray(0, 6).every((byte, k) => magic[k] === byte))
      fail('REC002', 'is not a binary run record: its first bytes are not "FTRUN"', { file: this.#source.name });
    if (!MAGIC.every((byte, k) => magic[k] === byte))
      fail('REC002', `is a run record of version ${magic[6]}: expected version ${MAGIC[6]}`, {
        file: this.#source.name,
      });
    this.#at = MAGIC.length;
    let headRead = false;
    for (;;) {
      if (cut !== undefined && !this.#isWhole) {
        cut();
        return;
      }
      const { kind, payload } = this.#block();
      const isHead = kind === BLOCK.head;
      if (isHead === headRead) this.#corrupt(isHead ? 'a second head' : 'rows before the head');
      headRead = true;
      if (kind === BLOCK.end) {
        this.#checker.at(() => ({ file: this.#source.name, part: `byte ${this.#at}` }));
        this.#checker.end(this.#sound(endOf(this.#json(payload))));
        const after = this.#at + BLOCK_HEAD_BYTES + payload.length;
        if (after !== this.#source.size) this.#corrupt(`${this.#source.size - after} bytes after the end`);
        return;
      }
      if (isHead) this.#checker.head(this.#sound(headOf(this.#json(payload))));
      else if (kind === BLOCK.names)
        for (const name of this.#sound(namesOf(this.#json(payload)))) this.#checker.name(name);
      else {
        const table = tableOfBlock(kind) ?? this.#corrupt(`unknown block kind ${kind}`);
        const { only } = this.#source;
        const columns = only === undefined ? ALL : only[table];
        if (columns !== undefined) {
          const batch = this.#batch(table, payload, columns);
          this.#checker.at((row) => ({
            file: this.#source.name,
            part: `${batch.table}, row ${row} of the block at byte ${this.#at}`,
          }));
          this.#checker.batch(batch);
        }
      }
      this.#at += BLOCK_HEAD_BYTES + payload.length;
    }
  }

  /** False if the record ends before the end of the current block. */
  get #isWhole(): boolean {
    const head = this.#source.bytes(this.#at, BLOCK_HEAD_BYTES);
    if (head === undefined) return false;
    const source = new ByteSource(head);
    source.u8();
    const length = source.u32();
    // A length that no block has is an error.
    return length > MAX_BLOCK_BYTES || this.#at + BLOCK_HEAD_BYTES + length <= this.#source.size;
  }

  #block(): { readonly kind: number; readonly payload: Uint8Array } {
    const head = this.#source.bytes(this.#at, BLOCK_HEAD_BYTES);
    if (head === undefined) return this.#corrupt('the record is truncated: its last block is missing');
    const source = new ByteSource(head);
    const kind = source.u8();
    const length = source.u32();
    const crc = source.u32();
    if (length > MAX_BLOCK_BYTES) this.#corrupt(`a block of ${length} bytes, expected at most ${MAX_BLOCK_BYTES}`);
    const payload = this.#source.bytes(this.#at + BLOCK_HEAD_BYTES, length);
    if (payload === undefined) return this.#corrupt(`a block of ${length} bytes is truncated`);
    const { checksum } = this.#source;
    if (checksum !== undefined && checksum(payload) !== crc)
      this.#corrupt('the checksum of a block does not match its content');
    return { kind, payload };
  }

  #batch(table: TableName, payload: Uint8Array, wanted: readonly string[] | typeof ALL): Batch {
    let buffer = this.#buffers.get(table);
    if (buffer === undefined) {
      buffer = new BatchBuffer(table);
      this.#buffers.set(table, buffer);
    }
    buffer.clear();
    try {
      return this.#decoded(buffer, new ByteSource(payload), wanted);
    } catch (e) {
      // RangeError: a read past the end of the block, or an encoding that no column has.
      if (e instanceof RangeError) return this.#corrupt(`a block of ${table} cannot be decoded (${e.message})`);
      throw e;
    }
  }

  #decoded(buffer: BatchBuffer, source: ByteSource, wanted: readonly string[] | typeof ALL): Batch {
    const { columns, table } = buffer;
    const count = source.u32();
    if (count === 0 || count > BATCH_ROWS) this.#corrupt(`a block of ${count} rows, expected 1 to ${BATCH_ROWS}`);
    const paths = this.#sound(namesOf(this.#json(source.raw(source.u32()))));
    for (const text of paths) buffer.paths.push(this.#sound(parsePath(text) as IntervalPath | string));
    const needed = wanted === ALL ? ALL : withCompared(table, wanted);
    for (const { name, type } of TABLES[table] as readonly Column[]) {
      // Records of earlier releases lack this column, the last one.
      if (table === 'messages' && name === 'instant' && source.at === source.bytes.length)
        columns[name]!.fill(ABSENT, 0, count);
      else if (table === 'states' && name === 'start') continue;
      else if (needed === ALL || needed.includes(name))
        decodeColumn(source, type, columns[name]!, count, knownOf(table, name, columns, count));
      else skipColumn(source, type, count);
    }
    if (table === 'states')
      decodeStarts(
        source,
        columns['start'] as Float64Array,
        columns['end'] as Float64Array,
        columns['process'] as Int32Array,
        count,
      );
    if (source.at !== source.bytes.length) this.#corrupt(`a block of ${table} is longer than its rows`);
    buffer.count = count;
    return buffer;
  }

  #json(payload: Uint8Array): unknown {
    try {
      return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(payload));
    } catch {
      return this.#corrupt('expected a JSON block');
    }
  }

  #sound<T>(value: T | string): T {
    return typeof value === 'string' ? this.#corrupt(value) : value;
  }

  #corrupt(message: string): never {
    return fail('REC003', message, { file: this.#source.name, part: `byte ${this.#at}` });
  }
}
