import type { RunJob } from '../commands/command-line/job.ts';
import { finished } from '../commands/command-line/outcome.ts';
import { offeredDocument } from '../commands/command-line/result-output.ts';
import { visible, withoutControls } from '../commands/command-line/visible.ts';

/**
 * Writes the document that the command has offered as a page, with the run that it describes. Prints what the page holds.
 *
 * @returns the exit code of a failure; undefined if the page was written, or if there is no result
 */
export async function writeReport(file: string, runJob: RunJob): Promise<number | undefined> {
  const offered = offeredDocument();
  if (offered === undefined) return undefined;
  const document = withoutControls(await offered.json());
  const { input = '', options = {} } = offered.run ?? {};
  const job = { command: 'view', input, options: { ...options, document, withRun: offered.run !== undefined } };
  const { answer, signal } = await runJob<{ readonly html: Uint8Array }>(job);
  if (answer.kind !== 'done') return finished(answer, signal);
  const { html } = answer.result;
  process.stderr.write(`${visible(`${file}: ${html.length} bytes`)}\n`);
  const { writeWhole } = await import('../commands/output.ts');
  writeWhole(file, html);
  return undefined;
}
