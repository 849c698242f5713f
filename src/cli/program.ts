import { Command, CommanderError } from 'commander';
import { VERSION } from '../app/version.ts';
import { crashOf } from '../base/thrown.ts';
import { compareCommand } from './compare.ts';
import { convertCommand } from './convert.ts';
import { diagnoseCommand } from './diagnose.ts';
import { exitCode } from './exit-code.ts';
import { exploreCommand } from './explore.ts';
import { initCommand } from './init.ts';
import { predictCommand } from './predict.ts';
import { profileCommand } from './profile.ts';
import { rerunCommand } from './rerun.ts';
import { schemaCommand } from './schema.ts';
import { structureCommand } from './structure.ts';
import { verifyCommand } from './verify.ts';
import { visibleNote } from './visible.ts';
import { whatIfCommand } from './whatif.ts';

/**
 * Runs the command line and returns its exit code. Imports only modules that all commands need; reports, crash reports
 * and the application layer are loaded on demand, so that help and usage errors are printed immediately.
 */
export async function run(argv: readonly string[]): Promise<number> {
  let code: number = exitCode.ok;
  quietPipes((error) => {
    process.stderr.write(`foretoken: cannot write the output: ${error.message}\n`);
    process.exitCode = exitCode.input;
  });
  const program = new Command('foretoken')
    .description('Predicts parallel programs with timed coloured Petri nets, before any real run.')
    .version(`foretoken ${VERSION}`, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(usageText(text)) });
  const ends = (result: number): void => {
    code = result;
  };
  predictCommand(program, ends);
  whatIfCommand(program, ends);
  compareCommand(program, ends);
  verifyCommand(program, ends);
  profileCommand(program, ends);
  diagnoseCommand(program, ends);
  rerunCommand(program, ends);
  exploreCommand(program, ends);
  structureCommand(program, ends);
  convertCommand(program, ends);
  schemaCommand(program, ends);
  initCommand(program, ends);
  program.addHelpText('after', EXIT_CODES);
  try {
    await program.parseAsync(argv, { from: 'user' });
    return code;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCode.ok : exitCode.input;
    const { reportCrash } = await import('./failure.ts');
    process.stderr.write(reportCrash(crashOf(error)));
    return exitCode.internal;
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
 * Ignores writes to a closed pipe (`foretoken … | head -1`): the remaining output is dropped and the exit code is that of
 * the result. Other stream errors, such as a full disk, call `onFailure`.
 */
function quietPipes(onFailure: (error: NodeJS.ErrnoException) => void): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') onFailure(error);
    });
  }
}
