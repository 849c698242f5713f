import { type Command, InvalidArgumentError } from 'commander';
import { given } from '../base/given.ts';
import { InputError } from '../base/problem.ts';
import type { ProfileOptions } from '../commands/profile/profile.ts';
import { exitCode } from './exit-code.ts';
import { seconds, wholeNumber } from './option-values.ts';

interface ProfileFlags {
  readonly messages?: string;
  readonly at?: number;
  readonly level?: number;
  readonly process?: readonly number[];
  readonly interval?: string;
  readonly oneProcessor?: number;
  readonly sequential?: number;
  readonly json?: true;
}

/** Adds `foretoken profile`. */
export function profileCommand(program: Command, ends: (code: number) => void): void {
  program
    .command('profile')
    .description('profiles a run: productive and lost time by interval, time by call, wait states, node states')
    .argument('<run>', 'run record: .ftrun, .jsonl, or the states of a run as .csv')
    .option('--messages <file>', 'messages of a run whose states are CSV')
    .option('--at <seconds>', 'report the state of every node, socket and process at this instant', seconds)
    .option('--level <depth>', 'list intervals down to this depth; 0 is the program alone', wholeNumber)
    .option('--process <numbers>', 'list only these processes, as in 0,3,8-15', processes)
    .option('--interval <path>', 'list only this interval, as in solve/iteration')
    .option('--one-processor <seconds>', 'measured time of the parallel program on one processor', measured)
    .option('--sequential <seconds>', 'measured time of the sequential program', measured)
    .option('--json', 'print the result document, and nothing else, on standard output')
    .addHelpText('after', EXAMPLE)
    .action(async (input: string, flags: ProfileFlags) => ends(await profile(input, flags)));
}

const EXAMPLE = `
Examples:
  foretoken profile states.csv --messages messages.csv
  foretoken profile run.ftrun --level 1 --process 0-3
  foretoken profile run.jsonl --at 0.000624 --json`;

async function profile(input: string, flags: ProfileFlags): Promise<number> {
  const [{ profileRun }, { profileJson, renderProfile }] = await Promise.all([
    import('../commands/profile/profile.ts'),
    import('../commands/profile/profile-view.ts'),
  ]);
  const options: ProfileOptions = {
    ...given(flags, ['messages', 'at', 'level', 'interval', 'oneProcessor', 'sequential']),
    ...(flags.process === undefined ? {} : { processes: flags.process }),
  };
  try {
    const document = profileRun(input, options);
    if (flags.json === true) process.stdout.write(profileJson(document));
    else {
      const { outputStyle } = await import('./output-style.ts');
      process.stdout.write(renderProfile(document, outputStyle()));
    }
    if (document.warnings.length > 0) {
      const { problemText } = await import('./failure.ts');
      process.stderr.write(problemText(document.warnings, 'warning: '));
    }
    return document.complete ? exitCode.ok : exitCode.incomplete;
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const { problemText } = await import('./failure.ts');
    process.stderr.write(problemText(error.problems));
    return exitCode.input;
  }
}

/** Process numbers and ranges: `0,3,8-15`. */
function processes(text: string): number[] {
  const numbers = text.split(',').flatMap((part) => {
    const [, first, last = first] = /^(\d{1,8})(?:-(\d{1,8}))?$/.exec(part.trim()) ?? [];
    if (first === undefined || Number(last) < Number(first))
      throw new InvalidArgumentError(' Expected process numbers, as in 0,3,8-15.');
    return Array.from({ length: Number(last) - Number(first) + 1 }, (_, k) => Number(first) + k);
  });
  return [...new Set(numbers)].sort((a, b) => a - b);
}

/** A measured time: positive seconds. */
function measured(text: string): number {
  const value = seconds(text);
  if (value === 0) throw new InvalidArgumentError(' Expected seconds > 0.');
  return value;
}
