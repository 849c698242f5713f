import { type Command, InvalidArgumentError, Option } from 'commander';
import { FINDINGS, type FindingCause } from '../../analysis/diagnosis/causes.ts';
import { COUNTINGS, type Counting } from '../../analysis/diagnosis/region-figures.ts';
import { given } from '../../base/given.ts';
import { fail, InputError, quote } from '../../base/problem.ts';
import { type SpanNames, spanState } from '../../trace/workers/span-states.ts';
import { TIME_UNITS, type TimeUnit } from '../../trace/workers/worker-csv.ts';
import { WORKER_STATES, type WorkerState } from '../../trace/workers/worker-states.ts';
import { exitCode } from '../command-line/exit-code.ts';
import type { Shell } from '../command-line/job.ts';
import { moment, parameter, positiveInteger } from '../command-line/option-values.ts';
import { offerDocument, writeResult } from '../command-line/result-output.ts';
import { type ThreadFlags, threadOptions, threadsOf } from '../command-line/thread-options.ts';
import { filesOf } from '../inputs/path-kinds.ts';
import type { Moment } from '../profile/read-record.ts';
import { PRESETS, type Preset } from './threshold-sources.ts';

const FAILING: readonly (FindingCause | 'any')[] = [...FINDINGS, 'any'];

interface DiagnoseFlags extends ThreadFlags {
  readonly active?: number;
  readonly inactive?: number;
  readonly taskRate?: number;
  readonly stealRatio?: number;
  readonly searchRate?: number;
  readonly counting?: Counting;
  readonly period?: number;
  readonly from?: Moment;
  readonly to?: Moment;
  readonly unit?: TimeUnit;
  readonly ticks?: number;
  readonly clock?: number;
  readonly preset?: Preset;
  readonly sequential?: number | Readonly<Record<string, number>>;
  readonly failOn?: readonly (FindingCause | 'any')[];
  readonly state?: SpanNames;
  readonly gaps?: WorkerState;
  readonly machine?: string;
  readonly ranks?: number;
  readonly oversubscribe?: true;
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
    .argument('<input>', filesOf('diagnose'))
    .option('-m, --machine <file>', 'model: machine; threads of a thread model run on its first node')
    .option('-n, --ranks <number>', 'program whose ranks have threads: number of ranks', positiveInteger)
    .option('--oversubscribe', 'the same: let ranks share cores if there are fewer cores than ranks')
    .option('--set <name=value>', 'model: value of a parameter (repeatable)', parameter, {})
    .option('--speedup', 'model: work, span, and speed-up on 1, 2, 4, … workers')
    .option('--no-gain', 'model: do not run changed programs to predict gains')
    .option('--seed <string>', 'model: seed of all random numbers (default: 1)')
    .option(
      '--state <name=state>',
      'run record, Chrome or scheduler trace: state of the spans of this name, pattern (task*) or category (cat:task), as in task=EXEC; with a state of your own: lock=WAIT:locked (repeatable)',
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
    .option('--ticks <number>', 'ticks that a task should take: --task-rate is the clock divided by them', number)
    .option('--clock <hertz>', 'clock of a core for --ticks and --preset (default: 2e9)', number)
    .addOption(new Option('--preset <framework>', 'ticks of a task by its source').choices(Object.keys(PRESETS)))
    .option('--from <time>', 'diagnose the run from here on: seconds, or per cent of the run as in 25%', moment)
    .option('--to <time>', 'diagnose the run up to here', moment)
    .addOption(
      new Option(
        '--unit <unit>',
        'worker states as .csv: unit of the times (default: of the column time_ns, or s)',
      ).choices(Object.keys(TIME_UNITS)),
    )
    .option('--period <seconds>', 'diagnose each monitoring period of this length separately', number)
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
    const threads = threadsOf(flags);
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
        'from',
        'to',
        'unit',
        'ticks',
        'clock',
        'preset',
        'sequential',
        'gaps',
        'machine',
        'ranks',
        'oversubscribe',
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
function state(text: string, before: SpanNames = {}): SpanNames {
  const at = text.lastIndexOf('=');
  const found = text.slice(at + 1);
  if (at < 1 || spanState(found) === undefined)
    throw new InvalidArgumentError(` Expected NAME=STATE or NAME=STATE:OWN, with one of ${WORKER_STATES.join(', ')}.`);
  const name = text.slice(0, at);
  if (Object.hasOwn(before, name) && before[name] !== found)
    throw new InvalidArgumentError(` ${name} has two states: ${before[name]} and ${found}.`);
  return { ...before, [name]: found as SpanNames[string] };
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
  if (before !== undefined && Object.hasOwn(before, name))
    fail('APP062', `region ${quote(name)} is given twice: it can have one time`, { part: '--sequential' });
  return { ...before, [name]: number(text.slice(at + 1)) };
}
