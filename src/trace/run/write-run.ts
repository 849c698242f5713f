import { extname } from 'node:path';
import { fail, quote } from '../../base/problem.ts';
import type { RunConsumer } from './batch.ts';
import { RunCsvWriter } from './run-csv-writer.ts';
import { RUN_ENDINGS } from './run-endings.ts';
import { RunFileWriter } from './run-file-writer.ts';
import { RunLinesWriter } from './run-lines.ts';

/** Writes a run record; `abort` leaves nothing behind. */
export interface RunWriter extends RunConsumer {
  abort(): void;
}

/** The files of a record; `run.csv` also has `run.messages.csv`. */
export function runFiles(path: string): readonly string[] {
  return extname(path).toLowerCase() === '.csv' ? [path, messagesFile(path)] : [path];
}

/** The files of a Chrome trace and a run record. */
export function outputsOf({ trace, run }: { readonly trace?: string; readonly run?: string }): readonly string[] {
  return [...(trace === undefined ? [] : [trace]), ...(run === undefined ? [] : runFiles(run))];
}

/**
 * Opens a run record for writing. The file ending selects the format.
 *
 * @throws InputError REC001 not writable, REC002 another ending
 */
export function writeRun(path: string): RunWriter {
  const ending = extname(path).toLowerCase();
  if (ending === '.csv') return new RunCsvWriter(path, messagesFile(path));
  if (ending === '.jsonl') return new RunLinesWriter(path);
  if (ending === '.ftrun') return new RunFileWriter(path);
  return fail('REC002', `expected a run record with the ending ${RUN_ENDINGS.join(', ')}, got ${quote(ending)}`, {
    file: path,
  });
}

const messagesFile = (path: string): string => `${path.slice(0, -'.csv'.length)}.messages.csv`;
