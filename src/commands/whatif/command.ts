import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Problem } from '../../base/problem.ts';
import { problemsOf } from '../../base/thrown.ts';
import { isBareNumber } from '../../base/units.ts';
import { exitCode, signalCode } from '../command-line/exit-code.ts';
import { printNotes } from '../command-line/failure.ts';
import { importModule } from '../command-line/import-module.ts';
import type { JobEnd, RunJob, Shell } from '../command-line/job.ts';
import {
  jobOptions,
  type MachineFlags,
  type ProgramFlags,
  programOptions,
  programsOf,
  runOptions,
} from '../command-line/machine-options.ts';
import { limitCount, parameter, positiveInteger, reward, seconds } from '../command-line/option-values.ts';
import { finished } from '../command-line/outcome.ts';
import { offerDocument, writeResult } from '../command-line/result-output.ts';
import { type ThreadFlags, threadOptions, threadsOf } from '../command-line/thread-options.ts';
import { filesOf, pathFacts } from '../inputs/path-kinds.ts';
import type { WhatIfOptions } from './whatif.ts';
import type { WhatIfDocument } from './whatif-result.ts';

interface WhatIfFlags extends MachineFlags, ThreadFlags, ProgramFlags {
  readonly vary: readonly string[];
  readonly scenario: readonly string[];
  readonly elasticity: readonly string[];
  readonly find?: string;
  readonly target?: string;
  readonly scaling?: 'strong' | 'weak';
  readonly replications?: number;
  readonly precision?: `${number}%`;
  readonly confidence?: `${number}%`;
  readonly set: Readonly<Record<string, number | string | boolean>>;
  readonly maxScenarios?: number;
  readonly until?: number;
  readonly maxSteps?: number;
  readonly figure: readonly string[];
  readonly reward?: Readonly<Record<string, string>>;
  readonly maxStates?: number;
  readonly csv?: true;
  readonly json?: true;
}

/** Adds `foretoken whatif`. */
export function whatIfCommand(program: Command, { ends, runJob }: Shell): void {
  const command = runOptions(
    program
      .command('whatif')
      .description('predicts the run time of a program in every scenario of a grid, and its dependence on parameters')
      .argument('<inputs...>', `${filesOf('whatif')}; several traces run at once, as jobs`)
      .addOption(
        new Option(
          '--vary <name=values>',
          'an axis: ranks, workers, scheduler, model.NAME, machine, machine.NAME, placement, network-model, collectives; of a net delay.NAME, transitions.NAME.rate, transitions.NAME.delay, service.NAME, servers.NAME, tokens.NAME; of a schedule, trace or model loggops.L (o, g, G, O, S); of several traces start.JOB; a,b,c or 1..64*2 or 8..64+8 (repeat for a grid)',
        )
          .argParser(collect)
          .default([], 'none'),
      ),
  );
  programOptions(threadOptions(command, 'otherwise threads of foretoken (default: one per core)'))
    .addOption(
      new Option('--scenario <name>', 'idealised variant of every scenario: ideal-network, ideal-balance (repeatable)')
        .argParser(ideal)
        .default([], 'none'),
    )
    .option('--find <name>', 'search this axis for its smallest value that meets --target')
    .option('--target <value>', 'run time to meet: 60s, 1.5min; with --figure energy: 500J, 1.5kWh')
    .addOption(
      new Option(
        '--scaling <kind>',
        'strong (constant total work, default) or weak (constant work per rank) scaling',
      ).choices(['strong', 'weak']),
    )
    .addOption(
      new Option(
        '--elasticity <parameter>',
        'effect of 1 % more of a parameter such as machine.link.latency, or of all (repeatable)',
      )
        .argParser(collect)
        .default([], 'none'),
    )
    .option('--set <name=value>', 'model only: value of a parameter in all scenarios (repeatable)', parameter, {})
    .option('--replications <number>', 'model or net: number of runs per scenario', positiveInteger)
    .option(
      '--precision <share>',
      'model or net: run each scenario until its mean run time, or energy, is known to this share',
    )
    .option('--confidence <share>', 'model or net: confidence level of all intervals (default: 95%)')
    .option('--until <seconds>', 'net only: stop each run at this simulated time, in seconds', seconds)
    .option('--max-steps <number>', 'net only: maximum number of starts and ends of firings in each run', limitCount)
    .addOption(
      new Option(
        '--figure <name>',
        'model or trace: figure of changes, --find and --elasticity: energy instead of runTime; net: a long-run figure from the Markov chain, with derivatives by varied rates: transitions.NAME.throughput, places.NAME.mean, rewards.NAME (repeatable)',
      )
        .argParser(collect)
        .default([], 'none'),
    )
    .option('--reward <expression>', "net only: a reward, as of steady: 'jobs = #queue + #server' (repeatable)", reward)
    .option(
      '--max-states <number>',
      'with --figure or --reward: maximum number of states of each Markov chain',
      limitCount,
    )
    .option('--max-scenarios <number>', 'maximum number of scenarios (default: 100000)', limitCount)
    .addOption(new Option('--csv', 'print the scenarios as comma-separated values').conflicts('json'))
    .option('--json', 'print the result document, and nothing else, on standard output')
    .addHelpText('after', EXAMPLE)
    .action(async ([input = '', ...otherPrograms]: readonly string[], flags: WhatIfFlags) =>
      ends(await study(input, otherPrograms, flags, runJob)),
    );
}

const EXAMPLE = `
Examples:
  foretoken whatif jacobi.ts --machine cluster.yaml --vary ranks=1..64*2 --vary machine.link.latency=x0.5,x1
  foretoken whatif jacobi.ts --machine cluster.yaml --vary ranks=1..64 --find ranks --target 60s
  foretoken whatif stencil.ts --machine cluster.yaml --vary ranks=1..64*2 --scaling weak
  foretoken whatif loop.ts --machine node.yaml --vary workers=1..64*2 --vary model.grain=1,10,100
  foretoken whatif farm.ts --machine cluster.yaml --ranks 16 --replications 30 --elasticity all
  foretoken whatif app.ti --machine cluster.yaml --vary placement=block,cyclic --vary network-model=foretoken,simgrid-smpi
  foretoken whatif app.ti --vary machine=small.yaml,large.yaml --csv > machines.csv
  foretoken whatif app.ti --machine cluster.yaml --scenario ideal-network
  foretoken whatif app.ti --machine cluster.yaml --vary machine.speed=x0.5,x1 --figure energy
  foretoken whatif a.ti b.ti --machine cluster.yaml --vary start.b=0..3+0.5
  foretoken whatif queue.json --vary transitions.serve.rate=1,2,4 --figure transitions.serve.throughput
  foretoken whatif halo.goal --vary loggops.L=500..8000*2 --vary loggops.S=1024,65535
  foretoken whatif queue.pnml --until 1e5 --vary servers.queue=1..4 --vary delay.arrive=x0.5,x1 --replications 10

The first scenario is the baseline. Exit code 1: a scenario failed or deadlocks, or the target is not met.`;

/**
 * Bytecode budget after which V8 considers a function for optimisation, about four times its default. Code shared by the
 * scenarios is hot early; with the default, a third of the CPU time was spent optimising code that runs too briefly.
 */
const INTERRUPT_BUDGET = '--interrupt-budget=500000';

async function study(
  input: string,
  otherPrograms: readonly string[],
  flags: WhatIfFlags,
  runJob: RunJob,
): Promise<number> {
  // Loaded here, because every command line loads this file.
  (await import('node:v8')).setFlagsFromString(INTERRUPT_BUDGET);
  try {
    const options = { ...(await optionsOf(flags)), ...programsOf(flags, otherPrograms) };
    const { answer, signal } = await studied(input, options, runJob);
    if (flags.target !== undefined && isBareNumber(flags.target))
      process.stderr.write(
        `note: --target ${flags.target} has no unit: taken as ${flags.target} ${flags.figure.includes('energy') ? 'J' : 's'}\n`,
      );
    if (answer.kind !== 'done') return finished(answer, signal);
    const document = answer.result;
    const failed = document.scenarios.filter((s) => s.status === 'failed');
    if (failed.length > 0 && failed.length === document.scenarios.length)
      return await refused(distinct(failed.flatMap((s) => s.problems ?? [])));
    offerDocument({ json: async () => (await import('./whatif-csv.ts')).whatIfJson(document) });
    await writeResult(await view(document, flags));
    if (document.warnings.length > 0) {
      const { problemText } = await import('../command-line/failure.ts');
      process.stderr.write(problemText(document.warnings, 'warning: '));
    }
    if (flags.csv === true) await printNotes(document);
    return codeOf(document, signal);
  } catch (error) {
    const problems = problemsOf(error);
    if (problems !== undefined) return refused(problems);
    throw error;
  }
}

/** Studies a trace from this thread, which remains free for signals; a model in a worker, because its code may block. */
async function studied(input: string, options: WhatIfOptions, runJob: RunJob): Promise<JobEnd<WhatIfDocument>> {
  if (pathFacts(input).isCode) {
    return runJob({ command: 'whatif', input, options });
  }
  const [{ study: predicted }, { interrupt }, { Progress, studyText, TimeLeft }] = await Promise.all([
    import('./whatif.ts'),
    import('../command-line/interrupt.ts'),
    import('../command-line/progress.ts'),
  ]);
  const asked = interrupt();
  let state = { done: 0, scenarios: 0 };
  const left = new TimeLeft();
  const line = new Progress(process.stderr, () => studyText(state, left));
  try {
    const progress = (done: number, scenarios: number): void => {
      state = { done, scenarios };
    };
    const document = await predicted(input, { ...options, signal: asked.signal, progress }, importModule);
    const signal = asked.name();
    return { answer: { kind: 'done', result: document }, ...(signal === undefined ? {} : { signal }) };
  } finally {
    line.stop();
    asked.off();
  }
}

/** @throws InputError for invalid axes or an invalid target */
async function optionsOf(flags: WhatIfFlags): Promise<WhatIfOptions> {
  const { find, target, scaling, maxScenarios, elasticity, replications, precision, confidence, set, until, maxSteps } =
    flags;
  const [{ parseAxes }, { IDEALS }, { fail }, { readTarget }] = await Promise.all([
    import('./axes/axes.ts'),
    import('./axes/grid.ts'),
    import('../../base/problem.ts'),
    import('./predictors/compared-figure.ts'),
  ]);
  if ((find === undefined) !== (target === undefined))
    fail('WHAT011', find === undefined ? '--target needs --find AXIS' : '--find needs --target TIME, such as 60s');
  const limit = target === undefined ? 0 : readTarget(target, flags.figure.includes('energy') ? 'energy' : 'runTime');
  return {
    ...jobOptions(flags),
    vary: parseAxes(flags.vary),
    ...(flags.scenario.length === 0 ? {} : { ideals: [...new Set(flags.scenario.map((name) => IDEALS[name]!))] }),
    ...(elasticity.length === 0 ? {} : { elasticity: [...new Set(elasticity)] }),
    ...(find === undefined ? {} : { find: { axis: find, target: limit } }),
    ...(scaling === undefined ? {} : { scaling }),
    ...threadsOf(flags),
    ...(Object.keys(set).length === 0 ? {} : { set }),
    ...(replications === undefined ? {} : { replications }),
    ...(precision === undefined ? {} : { precision }),
    ...(confidence === undefined ? {} : { confidence }),
    ...(until === undefined ? {} : { until }),
    ...(maxSteps === undefined ? {} : { maxSteps }),
    ...(flags.figure.length === 0 ? {} : { figures: flags.figure }),
    ...(flags.reward === undefined ? {} : { rewards: flags.reward }),
    ...(flags.maxStates === undefined ? {} : { maxStates: flags.maxStates }),
    ...(maxScenarios === undefined ? {} : { limit: maxScenarios }),
  };
}

/** Exit code of a study; a violation takes precedence over an incomplete answer. */
function codeOf({ scenarios, found, complete }: WhatIfDocument, signal: 'SIGINT' | 'SIGTERM' | undefined): number {
  const bad = scenarios.some((s) => s.status === 'failed' || s.status === 'deadlock');
  if (bad || (complete && found.some((f) => !f.met && f.decided !== false))) return exitCode.violated;
  if (complete) return found.some((f) => f.decided === false) ? exitCode.incomplete : exitCode.ok;
  return signal === undefined ? exitCode.incomplete : signalCode(signal);
}

async function view(document: WhatIfDocument, { csv, json }: WhatIfFlags): Promise<string> {
  if (json === true) return (await import('./whatif-csv.ts')).whatIfJson(document);
  if (csv === true) return (await import('./whatif-csv.ts')).whatIfCsv(document);
  const [{ renderWhatIf }, { outputStyle }] = await Promise.all([
    import('./whatif-view.ts'),
    import('../command-line/output-style.ts'),
  ]);
  return renderWhatIf(document, outputStyle());
}

async function refused(problems: readonly Problem[]): Promise<number> {
  const { problemText } = await import('../command-line/failure.ts');
  process.stderr.write(problemText(problems));
  return exitCode.input;
}

function distinct(problems: readonly Problem[]): Problem[] {
  return [...new Map(problems.map((p) => [JSON.stringify(p), p])).values()];
}

function collect(value: string, before: readonly string[]): string[] {
  return [...before, value];
}

function ideal(value: string, before: readonly string[]): string[] {
  if (value !== 'ideal-network' && value !== 'ideal-balance')
    throw new InvalidArgumentError(' Allowed choices are ideal-network, ideal-balance.');
  return [...before, value];
}
