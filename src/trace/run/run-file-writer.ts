import { crc32 } from 'node:zlib';
import { WholeFile } from '../../base/files/whole-file.ts';
import type { Batch, RunConsumer } from './batch.ts';
import { ByteSink, encodeColumn, encodeStarts } from './column-code.ts';
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
} from './run-schema.ts';

/**
 * Writes a binary run record. Memory does not depend on the length of the run. The file gets its name when the end is
 * written; {@link abort} leaves nothing behind. Throws InputError REC001 if the file cannot be written.
 */
export class RunFileWriter implements RunConsumer {
  readonly #file: WholeFile;
  readonly #sink = new ByteSink();
  readonly #head = new ByteSink(16);
  #names: string[] = [];

  constructor(path: string) {
    this.#file = new WholeFile(path, 'REC001');
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
      encodeColumn(sink, type, columns[name]!, count);
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
    this.#file.write(head.bytes());
    this.#file.write(payload);
  }
}
