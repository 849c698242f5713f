import { writeFileSync } from 'node:fs';
import { PageRecord } from '../../src/page/record/page-record.ts';
import { readRun } from '../../src/trace/run/read-run.ts';
import { memoryRecord } from '../../src/trace/run/run-file-writer.ts';

/** Writes a record on three nodes as JSON lines, and returns what a page has of it. */
export function writtenRecord(
  file: string,
  nodeOf: readonly number[],
  rows: readonly object[],
  end: { readonly time: number },
): PageRecord {
  const nodes = [0, 1, 2].map((n) => ({ name: `n${n}`, sockets: 1 }));
  const head = { format: 'foretoken-run', version: 1, program: 'p', origin: 'recorded', product: 'test' };
  const whole = { ...head, processes: nodeOf.length, nodes, nodeOf, socketOf: nodeOf.map(() => 0) };
  const lines = [whole, ...rows, { end: { complete: true, notes: [], ...end } }];
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const memory = memoryRecord();
  readRun(file, undefined, 'test', memory);
  const record = new PageRecord(Buffer.concat(memory.pieces));
  record.complete(Buffer.concat(memory.later));
  return record;
}
