import { extname } from 'node:path';
import { fail, quote } from '../../base/problem.ts';
import type { RunConsumer } from './batch.ts';
import { type ReadOptions, RunChecker } from './checks/run-checker.ts';
import { readRunCsv } from './run-csv-reader.ts';
import { RUN_ENDINGS } from './run-endings.ts';
import { readRunFile } from './run-file-reader.ts';
import { readRunLines } from './run-lines.ts';
import { RunParts } from './run-parts.ts';

/** One file, or the files of one run. */
export type RecordFiles = string | readonly string[];

/**
 * Reads a run record in any of its forms and passes it on, checked. The ending decides on the form. Several files are parts of
 * one run: one for each host, say.
 *
 * @param messages CSV files of the messages, for states in CSV
 * @param product the product that reads, for the head of a record in CSV
 * @throws InputError REC001 to REC014; REC002 for another ending, or for messages of a record that is not CSV
 */
export function readRun(
  path: RecordFiles,
  messages: RecordFiles | undefined,
  product: string,
  consumer: RunConsumer,
  options: ReadOptions = {},
): void {
  const files = [path].flat();
  const ending = extname(files[0]!).toLowerCase();
  for (const file of files)
    if (extname(file).toLowerCase() !== ending)
      fail('REC002', `expected a record with the ending ${quote(ending)}, as that of ${files[0]}`, { file });
  if (messages !== undefined && ending !== '.csv')
    fail('REC002', `${quote(ending)} records hold their messages: expected no file of messages`, { file: files[0]! });
  const checker = new RunChecker(consumer, options);
  if (ending === '.csv') readRunCsv(files, messages === undefined ? [] : [messages].flat(), product, checker);
  else if (ending === '.jsonl' || ending === '.ftrun') {
    const read = ending === '.jsonl' ? readRunLines : readRunFile;
    if (files.length === 1) {
      read(files[0]!, checker);
      return;
    }
    const parts = new RunParts(checker);
    for (const file of files) {
      parts.begin(file);
      read(file, parts);
    }
    parts.finish();
  } else
    fail('REC002', `expected a run record with the ending ${RUN_ENDINGS.join(', ')}, got ${quote(ending)}`, {
      file: files[0]!,
    });
}
