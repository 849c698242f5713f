import type { Command } from 'commander';
import { rememberReads } from '../base/files/reads.ts';
import type { RunJob } from '../commands/command-line/job.ts';

/** Options that name an output; all other option values and arguments may name inputs. */
const OUTPUTS: readonly string[] = ['output', 'trace', 'run', 'graph', 'witness', 'report'];

/**
 * Checks the outputs of a command before it begins, all together: no input, no other output, and with `--no-clobber` no
 * existing file. Directs its result to the file of `--output`.
 *
 * @throws InputError APP007, APP049
 */
export async function prepareOutputs(command: Command): Promise<void> {
  rememberReads();
  const flags: Readonly<Record<string, unknown>> = command.opts();
  const texts = Object.entries(flags).filter((one): one is [string, string] => typeof one[1] === 'string');
  const args = command.processedArgs.filter((one): one is string => typeof one === 'string');
  const converted = command.name() === 'convert' ? args.slice(1) : [];
  // `view` reads the witness that `verify` writes.
  const isOutput = (key: string): boolean => OUTPUTS.includes(key) && !(key === 'witness' && command.name() === 'view');
  const named = texts.filter(([key]) => isOutput(key));
  const keeps = flags['clobber'] === false;
  if (converted.length + named.length === 0) return;
  const { runFiles } = await import('../trace/run/write-run.ts');
  const outputs = [...converted, ...named.flatMap(([key, path]) => (key === 'run' ? runFiles(path) : [path]))];
  const given = command.name() === 'convert' ? args.slice(0, 1) : args;
  const inputs = [...given, ...texts.filter((one) => !named.includes(one)).map(([, text]) => text)];
  const { checkOutputs } = await import('../commands/output.ts');
  checkOutputs(outputs, inputs);
  if (keeps) {
    const { assertNew, keepExistingFiles } = await import('../base/files/output-file.ts');
    keepExistingFiles();
    for (const output of outputs) assertNew(output);
  }
  const file = flags['output'];
  if (typeof file !== 'string') return;
  const { sendResultTo } = await import('../commands/command-line/result-output.ts');
  sendResultTo(file);
}

/**
 * Writes the document that the command has offered as a page, with the run that it describes. Prints a summary of the page.
 *
 * @returns the exit code of a failure; undefined if the page was written, or if there is no result
 */
export async function writeReport(file: string, runJob: RunJob): Promise<number | undefined> {
  const [{ offeredDocument }, { visible, withoutControls }, { finished }] = await Promise.all([
    import('../commands/command-line/result-output.ts'),
    import('../commands/command-line/visible.ts'),
    import('../commands/command-line/outcome.ts'),
  ]);
  const offered = offeredDocument();
  if (offered === undefined) return undefined;
  const document = withoutControls(await offered.json());
  const { isReadOnce } = await import('../commands/inputs/input-kinds.ts');
  // The run of an input that is gone cannot be shown.
  const run = offered.run === undefined || isReadOnce(offered.run.input) ? undefined : offered.run;
  if (run !== offered.run) process.stderr.write('note: the page has no timeline: the input can be read only once\n');
  const job = {
    command: 'view',
    input: run?.input ?? '',
    options: {
      ...(run ?? offered.pair)?.options,
      document,
      withRun: run !== undefined,
      ...(offered.pair === undefined
        ? {}
        : { pair: offered.pair.inputs.map((path) => (path === undefined || isReadOnce(path) ? undefined : path)) }),
    },
  };
  const { answer, signal } = await runJob<{ readonly html: Uint8Array }>(job);
  if (answer.kind !== 'done') return finished(answer, signal);
  const { html } = answer.result;
  process.stderr.write(`${visible(`${file}: ${html.length} bytes`)}\n`);
  const { writeWhole } = await import('../commands/output.ts');
  writeWhole(file, html);
  return undefined;
}
