import { Command, CommanderError } from 'commander';
import { fail, InputError, quote } from '../base/problem.ts';
import { crashOf } from '../base/thrown.ts';
import { VERSION } from '../base/version.ts';
import { exitCode } from '../commands/command-line/exit-code.ts';
import type { Answer, Job, Shell } from '../commands/command-line/job.ts';
import { offerDocument } from '../commands/command-line/result-output.ts';
import { memorySize, positiveSeconds } from '../commands/command-line/space-options.ts';
import { visibleNote } from '../commands/command-line/visible.ts';
import { smallJob } from './small-job.ts';

/** Adds a command to the program. */
export type AddCommand = (program: Command, shell: Shell) => void;
/** How jobs are run outside this thread. */
export type RunsJobs = Pick<Shell, 'runJob' | 'forkJob'>;

/**
 * Runs a command line of these commands and returns its exit code. Imports only modules that all commands need; reports, crash
 * reports and the application layer are loaded on demand, so that help and usage errors are printed immediately.
 */
export async function runCommandLine(
  commands: readonly AddCommand[],
  argv: readonly string[],
  jobs: RunsJobs,
): Promise<number> {
  let code: number = exitCode.ok;
  watchStandardStreams();
  const program = new Command('foretoken')
    .description('Predicts parallel programs with timed coloured Petri nets, before any real run.')
    .version(`foretoken ${VERSION}`, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(usageText(text)) });
  const shell: Shell = {
    ends: (result) => {
      code = result;
    },
    ...jobs,
    smallJob: <Result>(job: Job) => smallJob(job) as Promise<Answer<Result> | undefined>,
  };
  for (const add of commands) add(program, shell);
  for (const command of program.commands) {
    addOutputOptions(command);
    addLimits(command);
    refuseRepeated(command);
  }
  program.hook('preAction', async (_, command) => {
    offerDocument(undefined);
    await (await import('./outputs.ts')).prepareOutputs(command);
  });
  program.hook('postAction', async (_, command) => {
    const { report } = command.opts<{ readonly report?: string }>();
    if (report === undefined) return;
    const failed = await (await import('./outputs.ts')).writeReport(report, shell.runJob);
    if (failed !== undefined && code === exitCode.ok) code = failed;
  });
  program.addHelpText('after', EXIT_CODES);
  try {
    assertFolder();
    await program.parseAsync(argv, { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCode.ok : exitCode.input;
    const { problemText, reportCrash } = await import('../commands/command-line/failure.ts');
    if (error instanceof InputError) {
      process.stderr.write(problemText(error.problems));
      return exitCode.input;
    }
    process.stderr.write(reportCrash(crashOf(error)));
    return exitCode.internal;
  }
}

/** @throws InputError APP051 if the working directory was deleted */
function assertFolder(): void {
  try {
    process.cwd();
  } catch {
    fail('APP051', 'the working directory does not exist any more: change to another one');
  }
}

/** Commands whose results can be pages. */
const REPORTED: ReadonlySet<string> = new Set([
  'predict',
  'whatif',
  'compare',
  'verify',
  'profile',
  'diagnose',
  'explore',
  'structure',
  'steady',
]);

/** Options that every command with outputs has. */
function addOutputOptions(command: Command): void {
  if (command.name() === 'init') return;
  if (command.name() !== 'convert')
    command.option('-o, --output <file>', 'write the result to this file when it is complete, not to standard output');
  if (REPORTED.has(command.name()))
    command.option(
      '--report <file>',
      'also write the result as a page for the browser, with its run (see foretoken view)',
    );
  command.option('--no-clobber', 'refuse outputs that exist already');
}

/** Limits of every command; `supervise.ts` keeps them. */
function addLimits(command: Command): void {
  const has = (name: string): boolean => command.options.some((option) => option.long === name);
  if (!has('--seconds')) command.option('--seconds <seconds>', 'time limit of the whole command', positiveSeconds);
  if (!has('--memory')) command.option('--memory <size>', 'memory limit, as in 4GiB', memorySize);
}

/**
 * Refuses a second value of an option whose help does not say `(repeat…`: commander would silently keep the last one.
 * Flags without a value may be repeated.
 */
function refuseRepeated(command: Command): void {
  for (const option of command.options) {
    if (option.isBoolean() || /\(repeat/.test(option.description)) continue;
    let first: string | undefined;
    command.on(`option:${option.name()}`, (value: string) => {
      const flag = option.long ?? option.flags;
      if (first !== undefined)
        fail('APP062', `is given twice, as ${quote(first)} and ${quote(value)}: it can have one value`, { part: flag });
      first = value;
    });
  }
}

const EXIT_CODES = `
Exit codes: 0 done; 1 the program deadlocks, a property is violated, or a scenario fails; 2 bad input or usage; 3 a limit was reached, the answer is incomplete;
4 internal error; 130 interrupted by Ctrl-C, with partial results.`;

/** Joins commander's `error: unknown option '--x'⏎(Did you mean --y?)` to one line that starts with `foretoken:`. */
function usageText(text: string): string {
  const line = text
    .trim()
    .replace(/^error: /, 'foretoken: ')
    .replace(/\n\((.*)\)$/s, '. $1');
  return `${visibleNote(line)}\n`;
}

/**
 * Handles write errors of standard output and standard error; without a handler, they end the process as crashes.
 *
 * - A closed pipe (`foretoken … | head -1`): the reader wants no more. The rest is dropped; the exit code is that of the result.
 * - Another error of standard output, such as a full disk: the result is lost. The error is reported; exit code 2.
 * - Another error of standard error: nothing can be reported, as a report would fail in the same way, without end. Exit code
 *   2 if the result alone would give 0.
 */
function watchStandardStreams(): void {
  let lost: { readonly result: boolean } | undefined;
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE' || lost?.result === true) return;
    lost = { result: true };
    process.stderr.write(`foretoken: cannot write the output: ${error.message}\n`);
  });
  process.stderr.on('error', ({ code }: NodeJS.ErrnoException) => {
    if (code !== 'EPIPE') lost ??= { result: false };
  });
  // Errors arrive after the write, some of them after the result's exit code is set.
  process.once('exit', (code) => {
    if (lost !== undefined) process.exitCode = lost.result || code === 0 ? exitCode.input : code;
  });
}
