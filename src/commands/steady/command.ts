import { type Command, InvalidArgumentError, Option } from 'commander';
import { given } from '../../base/given.ts';
import { quantity } from '../../base/units.ts';
import { cleanUp } from '../command-line/clean-up.ts';
import { exitCode } from '../command-line/exit-code.ts';
import type { RunJob, Shell } from '../command-line/job.ts';
import { limitCount, parameter, positiveInteger, reward } from '../command-line/option-values.ts';
import { written } from '../command-line/outcome.ts';
import { offerDocument } from '../command-line/result-output.ts';
import { memorySize, positiveSeconds } from '../command-line/space-options.ts';
import { type ThreadFlags, threadNetOptions, threadsOf } from '../command-line/thread-options.ts';
import { filesOf } from '../inputs/path-kinds.ts';
import type { SteadyJob, SteadyJobOptions } from './job.ts';
import { METHOD_NAMES } from './steady-options.ts';
import type { SteadyDocument } from './steady-result.ts';

interface SteadyFlags extends Omit<SteadyJobOptions, 'rewards' | 'set' | keyof ThreadFlags>, ThreadFlags {
  readonly set: Readonly<Record<string, number | string | boolean>>;
  readonly json?: true;
  readonly reward?: Readonly<Record<string, string>>;
}

/** Adds `foretoken steady`. */
export function steadyCommand(program: Command, { ends, runJob }: Shell): void {
  const command = program
    .command('steady')
    .description('long-run means of a net or a program, each with its interval: tokens, throughput, utilisation')
    .argument('<input>', filesOf('steady'))
    .option(
      '--reward <expression>',
      "further figure (repeatable): 'jobs = #queue + #server', '#cpu > 0' for a probability, 'firings(t, u)'",
      reward,
    )
    .addOption(
      new Option(
        '--method <method>',
        'auto (default): the Markov chain if there is a finite one, the cycle time of a net without decisions, else a simulation',
      ).choices(METHOD_NAMES),
    )
    .option('--precision <share>', 'simulation: half-width of each interval, as a share of its figure (default: 1%)')
    .option('--confidence <share>', 'simulation: confidence level of the intervals (default: 95%)')
    .option(
      '--replications <number>',
      'simulation: number of independent runs (default: one long run)',
      positiveInteger,
    )
    .option('--max-firings <number>', 'simulation: maximum number of firings (default: 1e8)', limitCount)
    .option('--seed <text>', 'simulation: seed of all random numbers (default: 1)')
    .option('--at <seconds>', 'figures at this time from the initial marking, not in the long run', moment)
    .option('--absorption', 'also the time until the net ends: mean, variance, quantiles')
    .option(
      '--erlang <stages>',
      'approximate deterministic delays by Erlang delays with this number of stages',
      positiveInteger,
    )
    .option(
      '--capacity <tokens>',
      'infinite nets: cut the chain where a place holds more tokens; intervals are those of the infinite net',
      positiveInteger,
    )
    .option('--restart', 'figures of the net restarted at each of its ends; programs always are')
    .option('--set <name=value>', 'model only: value of a parameter (repeatable)', parameter, {})
    .option('-n, --ranks <number>', 'model only: number of ranks (default: its verifyWith, or 2)', positiveInteger)
    .option('--oversubscribe', 'model only: let ranks share cores if there are fewer cores than ranks')
    .option('-m, --machine <file>', 'model only: the machine')
    .option('--reach <formula>', "also the probability and the time to reach a marking first: '#queue >= 3'")
    .option('--max-states <number>', 'maximum number of states stored', limitCount)
    .option('--seconds <seconds>', 'time limit of the whole command', positiveSeconds)
    .option('--memory <size>', 'memory limit, as in 4GiB (default: half of the free memory)', memorySize);
  threadNetOptions(
    command,
    'other inputs: number of threads for --replications (default: one per core), on which results do not depend',
  )
    .option('--json', 'print the result document, and nothing else, on standard output')
    .addHelpText('after', EXAMPLE)
    .action(async (input: string, flags: SteadyFlags) => {
      const own = given(flags, [
        'method',
        'precision',
        'confidence',
        'replications',
        'maxFirings',
        'seed',
        'maxStates',
        'memory',
        'seconds',
        'at',
        'absorption',
        'erlang',
        'capacity',
        'restart',
        'ranks',
        'oversubscribe',
        'machine',
        'reach',
      ]);
      const set = Object.keys(flags.set).length === 0 ? {} : { set: flags.set };
      const options = {
        ...own,
        ...threadsOf(flags),
        ...set,
        ...(flags.reward === undefined ? {} : { rewards: flags.reward }),
      };
      ends(await steady({ command: 'steady', input, options }, flags.json === true, runJob));
    });
}

function moment(text: string): number {
  const value = quantity('time', /^-?[\d.]+(?:e-?\d+)?$/i.test(text) ? Number(text) : text, 'zero');
  if (typeof value !== 'number') throw new InvalidArgumentError(` ${value.message}.`);
  return value;
}

const EXAMPLE = `
Examples:
  foretoken steady queue.json
  foretoken steady queue.json --reward 'full = #queue = 10'
  foretoken steady program.json --absorption
  foretoken steady ring.ts --ranks 4 --set turns=2
  foretoken steady queue.json --reach '#queue = 10' --at 60
  foretoken steady cluster.json --max-states 1e6 --json
  foretoken steady line.json --method simulate --precision 0.5%
  foretoken steady line.json --method simulate --replications 32 --workers 4
  foretoken steady line.json --method all
  foretoken steady counter.json --erlang 20
  foretoken steady queue.json --capacity 200

The Markov chain needs exponential, Erlang, hyper-exponential or Coxian delays, or none; its intervals are proved. A simulation takes all nets; its intervals hold with probability
95%. Bounds need no state space: every figure lies between them. "all" compares all three.
Exit code 0: every figure has a narrow interval; 3: a limit was reached, or an interval is wider than 1e-8 of its figure (simulation: than the
precision); 130: interrupted by Ctrl-C.`;

async function steady(job: SteadyJob, json: boolean, runJob: RunJob): Promise<number> {
  const view = json ? jsonView() : textView();
  const end = await runJob<SteadyDocument>(job, await cleanUp(undefined));
  const { answer } = end;
  if (answer.kind === 'done') offerDocument({ json: async () => (await jsonView())(answer.result) });
  return written(end, view, ({ complete }) => (complete ? exitCode.ok : exitCode.incomplete));
}

type View = (document: SteadyDocument) => string;

/** Views are loaded while the worker thread computes. */
async function jsonView(): Promise<View> {
  const { steadyJson } = await import('./view/steady-view.ts');
  return steadyJson;
}

async function textView(): Promise<View> {
  const [{ renderSteady }, { outputStyle }] = await Promise.all([
    import('./view/steady-view.ts'),
    import('../command-line/output-style.ts'),
  ]);
  return (document) => renderSteady(document, outputStyle());
}
