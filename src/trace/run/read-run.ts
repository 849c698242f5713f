import { extname } from 'node:path';
import { fail, quote } from '../../base/problem.ts';
import type { RunConsumer } from './batch.ts';
import { readRunCsv } from './run-csv-reader.ts';
import { RUN_ENDINGS } from './run-endings.ts';
import { readRunFile } from './run-file-reader.ts';
import { readRunLines } from './run-lines.ts';

/**
 * Reads a run record in any of its forms and passes it on, checked. The ending decides on the form.
 *
 * @param messages CSV file of the messages, for states in CSV
 * @param product the product that reads, for the head of a record in CSV
 * @throws InputError REC001 to REC010; REC002 for another ending, or for messages of a record that is not CSV
 */
export function readRun(path: string, messages: string | undefined, product: string, consumer: RunConsumer): void {
  const ending = extname(path).toLowerCase();
  if (messages !== undefined && ending !== '.csv')
    fail('REC002', `${quote(ending)} records hold their messages: expected no file of messages`, { file: path });
  if (ending === '.csv') readRunCsv(path, messages, product, consumer);
  else if (ending === '.jsonl') readRunLines(path, consumer);
  else if (ending === '.ftrun') readRunFile(path, consumer);
  else
    fail('REC002', `expected a run record with the ending ${RUN_ENDINGS.join(', ')}, got ${quote(ending)}`, {
      file: path,
    });
}
