import { type Command, InvalidArgumentError } from 'commander';
import { FIGURES, type ProcessFigure } from '../../analysis/efficiency/interval-figures.ts';
import { given } from '../../base/given.ts';
import { fail, InputError } from '../../base/problem.ts';
import { RUN_ENDINGS } from '../../trace/run/run-endings.ts';
import { exitCode, signalCode } from '../command-line/exit-code.ts';
import type { JobOptions, RunJob, Shell } from '../command-line/job.ts';
import {
  jobOptions,
  type MachineFlags,
  type ProgramFlags,
  programOptions,
  programsOf,
  runOptions,
} from '../command-line/machine-options.ts';
import { integer, limitCount, list, moment, parameter, processes, seconds } from '../command-line/option-values.ts';
import { type Offered, offerDocument, resultFile, writeResult } from '../command-line/result-output.ts';
import { type ThreadFlags, threadOptions, threadsOf } from '../command-line/thread-options.ts';
import { filesOf, pathFacts } from '../inputs/path-kinds.ts';
import type { ProfileDocument } from './profile-document.ts';
import type { ProfileOptions, SimulationOptions } from './profile-options.ts';
import type { Moment } from './read-record.ts';

interface ProfileFlags extends MachineFlags, ThreadFlags, ProgramFlags {
  readonly set: Readonly<Record<string, number | string | boolean>>;
  readonly maxSteps?: number;
  readonly messages?: readonly string[];
  readonly align?: true;
  readonly from?: Moment;
  readonly to?: Moment;
  readonly at?: number;
  readonly loopIntervals?: true;
  readonly characteristics?: readonly ProcessFigure[];
  readonly level?: number;
  readonly process?: readonly number[];
  readonly interval?: string;
  readonly oneProcessor?: number;
  readonly sequential?: number;
  readonly check?: true;
  readonly follow?: true;
  readonly every?: number;
  readonly json?: true;
}

/** Adds `foretoken profile`. */
export function profileCommand(program: Command, { ends, runJob }: Shell): void {
  const command = runOptions(
    program
      .command('profile')
      .description('profiles a run: productive and lost time by interval, time by call, wait states, node states')
      .argument('<input...>', `${filesOf('profile')}; several record files are one run, several traces run at once`),
  );
  programOptions(threadOptions(command))
    .option('--set <name=value>', 'model only: value of a parameter (repeatable)', parameter, {})
    .option('--max-steps <number>', 'model only: maximum number of starts and ends of firings', limitCount)
    .option('--messages <file>', 'messages of a run whose states are CSV (repeatable)', list)
    .option('--align', 'shift the clocks of recorded processes so that messages and collective operations fit')
    .option('--from <time>', 'profile the run from here on: seconds, or per cent of the run as in 25%', moment)
    .option('--to <time>', 'profile the run up to here', moment)
    .option('--at <seconds>', 'report the state of every node, socket and process at this instant', seconds)
    .option('--loop-intervals', 'model only: loops are intervals, named by their variable and line')
    .option('--level <depth>', 'list intervals down to this depth; 0 is the program alone', integer)
    .option('--process <numbers>', 'list only these processes, as in 0,3,8-15', processes)
    .option('--interval <path>', 'list only this interval, as in solve/iteration')
    .option(
      '--characteristics <names>',
      'in the text, only these figures, by commas: lostTime, synchronization, …; --json has all',
      characteristics,
    )
    .option('--one-processor <seconds>', 'measured time of the parallel program on one processor', measured)
    .option('--sequential <seconds>', 'measured time of the sequential program', measured)
    .option('--check', 'only check a run record, and count its rows')
    .option('--follow', 'run record that is still being written: profile its complete part, again whenever it grows')
    .option('--every <seconds>', '--follow only: time between two looks at the record; default 1', every)
    .option('--json', 'print the result document, and nothing else, on standard output')
    .addHelpText('after', EXAMPLE)
    .action(async (inputs: string[], flags: ProfileFlags) => ends(await profile(inputs, flags, runJob)));
}

const EXAMPLE = `
Examples:
  foretoken profile jacobi.ts --machine cluster.yaml --ranks 64 --set n=16384
  foretoken profile states.csv --messages messages.csv
  foretoken profile run.ftrun --level 1 --process 0-3
  foretoken profile run.jsonl --at 0.000624 --json
  foretoken profile host0.csv host1.csv --messages messages.csv --align
  foretoken profile run.ftrun --from 10% --to 90%
  foretoken profile run.jsonl --check
  foretoken profile run.jsonl --follow --every 5`;

async function profile(inputs: readonly string[], flags: ProfileFlags, runJob: RunJob): Promise<number> {
  try {
    const [input] = inputs as [string];
    // Several inputs are records of one run, or traces that run at once.
    const areRecords = inputs.some((file) => pathFacts(file).isRecord);
    const other = inputs.length === 1 || !areRecords ? undefined : inputs.find((file) => !pathFacts(file).isRecord);
    if (other !== undefined)
      fail('PROF006', `expected a run record, as one of several files of a run: ${RUN_ENDINGS.join(', ')}`, {
        file: other,
      });
    if (flags.every !== undefined && flags.follow !== true)
      fail('PROF006', 'option --every applies to records that are followed: add --follow', { file: input });
    if (flags.check === true) return await check(inputs, flags);
    if (flags.follow === true) return await follow(inputs, flags);
    const found: Found | number = pathFacts(input).isRecord
      ? { document: await recorded(inputs, flags) }
      : await simulated(inputs, flags, runJob);
    if (typeof found === 'number') return found;
    const { document, signal } = found;
    await shown(document, inputs, flags);
    if (document.deadlock !== undefined) return exitCode.violated;
    if (document.complete) return exitCode.ok;
    return signal === undefined ? exitCode.incomplete : signalCode(signal);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const { problemText } = await import('../command-line/failure.ts');
    process.stderr.write(problemText(error.problems));
    return exitCode.input;
  }
}

/** Prints a profile and its warnings. */
async function shown(document: ProfileDocument, inputs: readonly string[], flags: ProfileFlags): Promise<void> {
  const { profileJson, renderProfile } = await import('./profile-view.ts');
  const [input] = inputs as [string];
  offerDocument({ json: () => profileJson(document), ...(inputs.length > 1 ? {} : { run: runOf(input, flags) }) });
  // A stream of documents has a line for each.
  const isStream = flags.follow === true && resultFile() === undefined;
  if (flags.json === true)
    await writeResult(isStream ? `${JSON.stringify(JSON.parse(profileJson(document)))}\n` : profileJson(document));
  else {
    const { outputStyle } = await import('../command-line/output-style.ts');
    await writeResult(renderProfile(document, outputStyle(), flags.characteristics));
  }
  if (document.warnings.length === 0) return;
  const { problemText } = await import('../command-line/failure.ts');
  process.stderr.write(problemText(document.warnings, 'warning: '));
}

/** Profiles a record whenever it grows, until it is complete or a signal ends the command. */
async function follow(inputs: readonly string[], flags: ProfileFlags): Promise<number> {
  const [input] = inputs as [string];
  if (!pathFacts(input).isRecord)
    fail('PROF006', `expected a run record to follow: ${RUN_ENDINGS.join(', ')}`, { file: input });
  const [{ followRecord }, { interrupt }, { named }] = await Promise.all([
    import('./follow-record.ts'),
    import('../command-line/interrupt.ts'),
    import('../inputs/check-options.ts'),
  ]);
  const { from: _, to: __, at: ___, ...options } = profileOf(flags);
  const [unused] = Object.keys({ ...simulationOf(flags), ...given(flags, ['messages', 'align', 'from', 'to', 'at']) });
  if (unused !== undefined)
    fail('PROF006', `the record is followed: option ${named('profile', unused)} does not apply`, { file: input });
  const { signal, name, off } = interrupt();
  try {
    const last = await followRecord(
      inputs,
      options,
      1000 * (flags.every ?? 1),
      (document) => shown(document, inputs, flags),
      signal,
    );
    const ended = name();
    if (ended !== undefined) return signalCode(ended);
    return last?.complete === true ? exitCode.ok : exitCode.incomplete;
  } finally {
    off();
  }
}

/** A profile, and the signal that ended its run. */
interface Found {
  readonly document: ProfileDocument;
  readonly signal?: 'SIGINT' | 'SIGTERM';
}

/** Checks a record; exit code 0 for a sound one. @throws InputError for the others */
async function check(inputs: readonly string[], flags: ProfileFlags): Promise<number> {
  const [input] = inputs as [string];
  if (!pathFacts(input).isRecord)
    fail('PROF006', `expected a run record to check: ${RUN_ENDINGS.join(', ')}`, { file: input });
  const { named } = await import('../inputs/check-options.ts');
  const [unused] = [...Object.keys(simulationOf(flags)), ...Object.keys(profileOf(flags))];
  if (unused !== undefined)
    fail('PROF006', `the record is only checked: option ${named('profile', unused)} does not apply`, { file: input });
  const { checkRun, renderCheck } = await import('./check-run.ts');
  const checked = checkRun(inputs, flags.messages);
  if (flags.json === true) await writeResult(`${JSON.stringify(checked, undefined, 2)}\n`);
  else {
    const { outputStyle } = await import('../command-line/output-style.ts');
    await writeResult(renderCheck(checked, inputs.join(', '), outputStyle()));
  }
  return exitCode.ok;
}

/** @throws InputError PROF006 for an option of simulations */
async function recorded(inputs: readonly string[], flags: ProfileFlags): Promise<ProfileDocument> {
  const [input] = inputs as [string];
  const [{ profileRun }, { checkOptions }, { PROFILE_ROWS }] = await Promise.all([
    import('./profile.ts'),
    import('../inputs/check-options.ts'),
    import('./profile-options.ts'),
  ]);
  const options = { ...given(flags, ['messages', 'align']), ...profileOf(flags) };
  const all = { ...options, ...simulationOf(flags) } as SimulationOptions;
  checkOptions('profile', PROFILE_ROWS, { kind: 'run record', file: input }, all);
  return profileRun(inputs.length === 1 ? input : inputs, options);
}

/** The profile of a simulated run, or the exit code without one. */
async function simulated(
  [input = '', ...otherPrograms]: readonly string[],
  flags: ProfileFlags,
  runJob: RunJob,
): Promise<Found | number> {
  const { finished } = await import('../command-line/outcome.ts');
  const options = {
    ...simulationOf(flags, otherPrograms),
    profile: { ...given(flags, ['messages', 'align']), ...profileOf(flags) },
  };
  const { answer, signal } = await runJob<ProfileDocument>({ command: 'profile', input, options });
  if (answer.kind !== 'done') return finished(answer, signal);
  return { document: answer.result, ...(signal === undefined ? {} : { signal }) };
}

/** The run of a profile, and the part of it that a page shows. */
const runOf = (input: string, flags: ProfileFlags): NonNullable<Offered['run']> => ({
  input,
  options: { ...simulationOf(flags), ...given(flags, ['messages', 'align', 'from', 'to']) },
});

const profileOf = (flags: ProfileFlags): Omit<ProfileOptions, 'messages'> => ({
  ...given(flags, ['from', 'to', 'at', 'loopIntervals', 'level', 'interval', 'oneProcessor', 'sequential']),
  ...(flags.process === undefined ? {} : { processes: flags.process }),
});

const simulationOf = (flags: ProfileFlags, otherPrograms: readonly string[] = []): JobOptions => ({
  ...jobOptions(flags),
  ...programsOf(flags, otherPrograms),
  ...threadsOf(flags),
  ...given(flags, ['maxSteps']),
  ...(Object.keys(flags.set).length === 0 ? {} : { set: flags.set }),
});

/** Parses the time between two looks, in seconds. */
function every(text: string): number {
  const value = seconds(text);
  if (value < 0.01 || value > 86_400) throw new InvalidArgumentError(' Expected seconds from 0.01 to 86400.');
  return value;
}

/** Parses names of characteristics, by commas. */
function characteristics(text: string): readonly ProcessFigure[] {
  return text.split(',').map((part) => {
    const name = part.trim();
    const found = FIGURES.find((known) => known.toLowerCase() === name.toLowerCase());
    if (found === undefined) throw new InvalidArgumentError(` Expected names from ${FIGURES.join(', ')}.`);
    return found;
  });
}

/** Parses a measured time in seconds; must be positive. */
function measured(text: string): number {
  const value = seconds(text);
  if (value === 0) throw new InvalidArgumentError(' Expected seconds > 0.');
  return value;
}
