import { type Command, InvalidArgumentError, Option } from 'commander';
import { FINDINGS, type FindingCause } from '../../analysis/diagnosis/causes.ts';
import { COUNTINGS, type Counting } from '../../analysis/diagnosis/region-figures.ts';
import { given } from '../../base/given.ts';
import { InputError } from '../../base/problem.ts';
import { WORKER_STATES, type WorkerState } from '../../trace/workers/worker-states.ts';
import { exitCode } from '../command-line/exit-code.ts';
import type { Shell } from '../command-line/job.ts';
import { parameter, positiveInteger } from '../command-line/option-values.ts';
import { offerDocument, writeResult } from '../command-line/result-output.ts';
import { type ThreadFlags, threadOptions, threadsOf } from '../command-line/thread-options.ts';
import type { ThreadOptions } from '../inputs/thread-options.ts';
import type { DiagnoseModelOptions } from './diagnosis-options.ts';

const FAILING: readonly (FindingCause | 'any')[] = [...FINDINGS, 'any'];

interface DiagnoseFlags extends ThreadFlags {
  readonly active?: number;
  readonly inactive?: number;
  readonly taskRate?: number;
  readonly stealRatio?: number;
  readonly searchRate?: number;
  readonly counting?: Counting;
  readonly period?: number;
  readonly sequential?: number | Readonly<Record<string, number>>;
  readonly failOn?: readonly (FindingCause | 'any')[];
  readonly state?: Readonly<Record<string, WorkerState>>;
  readonly gaps?: WorkerState;
  readonly machine?: string;
  readonly ranks?: number;
  readonly seed?: string;
  readonly speedup?: true;
  readonly gain: boolean;
  readonly set?: Readonly<Record<string, number | string | boolean>>;
  readonly json?: true;
}

/** Adds `foretoken diagnose`. */
export function diagnoseCommand(program: Command, { ends }: Shell): void {
  threadOptions(program.command('diagnose'))
    .description('diagnoses a thread pool: which parallel regions lose time to overhead, and why')
    .argument(
      '<input>',
      'a model with threads (.ts); or worker states as .csv: worker,time,state[,region]; or a run record (.ftrun, .jsonl, .csv) or a Chrome trace (.json)',
    )
    .option('-m, --machine <file>', 'model: machine; threads of a thread model run on its first node')
    .option('-n, --ranks <number>', 'program whose ranks have threads: number of ranks', positiveInteger)
    .option('--set <name=value>', 'model: value of a parameter (repeatable)', parameter, {})
    .option('--speedup', 'model: work, span, and speed-up on 1, 2, 4, … workers')
    .option('--no-gain', 'model: do not run changed programs to predict gains')
    .option('--seed <string>', 'model: seed of all random numbers (default: 1)')
    .option(
      '--state <name=state>',
      'run record or Chrome trace: state of the spans of this name (repeatable), as in task=EXEC',
      state,
    )
    .addOption(new Option('--gaps <state>', 'the same: state between spans (default: WAIT)').choices(WORKER_STATES))
    .option('--active <share>', "report overhead above this share of the workers' time (default: 0.1)", number)
    .option(
      '--inactive <share>',
      "report time waiting or idle above this share of the workers' time (default: 0.1)",
      number,
    )
    .option(
      '--task-rate <number>',
      'tasks per second of one worker that are too many, an absolute rate (default: handling tasks takes above 10 % of its computing and overhead)',
      number,
    )
    .option('--steal-ratio <number>', 'tasks from elsewhere per own task that are too many (default: 1)', number)
    .option(
      '--search-rate <number>',
      'searches in vain per second and worker that show too few tasks, an absolute rate (default: numbers of tasks and workers)',
      number,
    )
    .addOption(new Option('--counting <how>', 'how tasks are counted (default: default)').choices(COUNTINGS))
    .option('--period <seconds>', 'diagnose each monitoring period of this length by itself', number)
    .option(
      '--sequential <seconds>',
      'time without parallel overhead on one worker; of several regions, REGION=SECONDS (repeatable)',
      sequential,
    )
    .option('--fail-on <cause>', `exit with 1 if this cause is found (repeatable): ${FAILING.join(', ')}`, failing)
    .option('--json', 'print the result document, and nothing else, on standard output')
    .addHelpText('after', EXAMPLE)
    .action(async (input: string, flags: DiagnoseFlags) => ends(await diagnosed(input, flags)));
}

const EXAMPLE = `
Examples:
  foretoken diagnose model.ts --workers 8
  foretoken diagnose model.ts --workers 64 --speedup
  foretoken diagnose workers.csv
  foretoken diagnose workers.csv --period 0.5 --fail-on fine-grain
  foretoken diagnose workers.csv --sequential loop=2.5 --json
  foretoken diagnose trace.json --state task=EXEC --state steal=GLOBAL`;

async function diagnosed(input: string, flags: DiagnoseFlags): Promise<number> {
  try {
    const [{ diagnoseFile, hasCause }, { importModule }] = await Promise.all([
      import('./diagnose.ts'),
      import('../command-line/import-module.ts'),
    ]);
    const threads = threadsOf(flags) as Pick<DiagnoseModelOptions, keyof ThreadOptions>;
    const { set = {} } = flags;
    const options = {
      ...given(flags, [
        'active',
        'inactive',
        'taskRate',
        'stealRatio',
        'searchRate',
        'counting',
        'period',
        'sequential',
        'gaps',
        'machine',
        'ranks',
        'seed',
        'speedup',
      ]),
      ...threads,
      ...(Object.keys(set).length === 0 ? {} : { set }),
      ...(flags.gain ? {} : { gain: false }),
      ...(flags.state === undefined ? {} : { states: flags.state }),
    };
    const document = await diagnoseFile(input, options, importModule);
    // A mistyped name would change the result: on the command line it is an error.
    const unmatched = document.warnings.filter(({ code }) => code === 'WRK007');
    if (unmatched.length > 0) throw new InputError(unmatched);
    const { diagnosisJson, renderDiagnosis } = await import('./diagnose-view.ts');
    offerDocument({ json: () => diagnosisJson(document) });
    if (flags.json === true) await writeResult(diagnosisJson(document));
    else {
      const { outputStyle } = await import('../command-line/output-style.ts');
      await writeResult(renderDiagnosis(document, outputStyle()));
    }
    if (document.warnings.length > 0) {
      const { problemText } = await import('../command-line/failure.ts');
      process.stderr.write(problemText(document.warnings, 'warning: '));
    }
    if (document.deadlock !== undefined) return exitCode.violated;
    return hasCause(document, flags.failOn ?? []) ? exitCode.violated : exitCode.ok;
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const { problemText } = await import('../command-line/failure.ts');
    process.stderr.write(problemText(error.problems));
    return exitCode.input;
  }
}

/** Adds `NAME=STATE` to the earlier ones. */
function state(
  text: string,
  before: Readonly<Record<string, WorkerState>> = {},
): Readonly<Record<string, WorkerState>> {
  const at = text.lastIndexOf('=');
  const found = WORKER_STATES.find((known) => known === text.slice(at + 1));
  if (at < 1 || found === undefined)
    throw new InvalidArgumentError(` Expected NAME=STATE, with one of ${WORKER_STATES.join(', ')}.`);
  return { ...before, [text.slice(0, at)]: found };
}

/** Adds a cause to the earlier ones. */
function failing(text: string, before: readonly (FindingCause | 'any')[] = []): readonly (FindingCause | 'any')[] {
  const cause = FAILING.find((known) => known === text);
  if (cause === undefined) throw new InvalidArgumentError(` Expected one of ${FAILING.join(', ')}.`);
  return [...before, cause];
}

/** Parses a number; its range is checked by the command. */
function number(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value)) throw new InvalidArgumentError(' Expected a number.');
  return value;
}

/** Adds `REGION=SECONDS` to the earlier ones; seconds alone are of the only region. */
function sequential(text: string, before?: number | Readonly<Record<string, number>>): number | Record<string, number> {
  const at = text.lastIndexOf('=');
  if (at < 1) {
    if (before !== undefined) throw new InvalidArgumentError(' Expected REGION=SECONDS for each of several.');
    return number(text);
  }
  const name = text.slice(0, at);
  if (typeof before === 'number') throw new InvalidArgumentError(' Expected REGION=SECONDS for each of several.');
  if (before !== undefined && Object.hasOwn(before, name)) throw new InvalidArgumentError(` ${name} is given twice.`);
  return { ...before, [name]: number(text.slice(at + 1)) };
}
