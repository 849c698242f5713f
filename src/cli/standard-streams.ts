import { exitCode } from '../commands/command-line/exit-code.ts';

/**
 * Handles write errors of standard output and standard error; without a handler, they end the process as crashes.
 *
 * - A closed pipe (`foretoken … | head -1`): the reader wants no more. The rest is dropped; the exit code is that of the result.
 * - Another error of standard output, such as a full disk: the result is lost. The error is reported; exit code 2.
 * - Another error of standard error: nothing can be reported, as a report would fail in the same way, without end. Exit code
 *   2 if the result alone would give 0.
 */
export function watchStandardStreams(): void {
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
