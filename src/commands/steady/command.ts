import type { Command } from 'commander';
import { given } from '../../base/given.ts';
import { cleanUp } from '../command-line/clean-up.ts';
import { exitCode } from '../command-line/exit-code.ts';
import type { RunJob, Shell } from '../command-line/job.ts';
import { written } from '../command-line/outcome.ts';
import { memorySize, positiveSeconds, stateCount } from '../command-line/space-options.ts';
import type { SteadyJob, SteadyJobOptions } from './job.ts';
import type { SteadyDocument } from './steady-result.ts';

interface SteadyFlags extends SteadyJobOptions {
  readonly json?: true;
}

/** Adds `foretoken steady`. */
export function steadyCommand(program: Command, { ends, runJob }: Shell): void {
  program
    .command('steady')
    .description('long-run means of a stochastic net, each with a proved interval: tokens, throughput, utilisation')
    .argument('<net>', 'NET.pnml, NET.json, NET.PNPRO, or a module that exports a net')
    .option('--max-states <number>', 'maximum number of states stored', stateCount)
    .option('--seconds <seconds>', 'time limit of the whole command', positiveSeconds)
    .option('--memory <size>', 'memory limit, as in 4GiB (default: half of the free memory)', memorySize)
    .option('--json', 'print the result document, and nothing else, on standard output')
    .addHelpText('after', EXAMPLE)
    .action(async (input: string, flags: SteadyFlags) => {
      const options = given(flags, ['maxStates', 'memory', 'seconds']);
      ends(await steady({ command: 'steady', input, options }, flags.json === true, runJob));
    });
}

const EXAMPLE = `
Examples:
  foretoken steady queue.json
  foretoken steady cluster.json --max-states 1e6 --json

Delays must be exponential or absent.
Exit code 0: every figure has a narrow interval; 3: a limit was reached, or an interval is wider than 1e-8 of its figure; 130: interrupted by
Ctrl-C.`;

async function steady(job: SteadyJob, json: boolean, runJob: RunJob): Promise<number> {
  const view = json ? jsonView() : textView();
  const end = await runJob<SteadyDocument>(job, await cleanUp(undefined));
  return written(end, view, ({ complete }) => (complete ? exitCode.ok : exitCode.incomplete));
}

type View = (document: SteadyDocument) => string;

/** Views are loaded while the worker thread computes. */
async function jsonView(): Promise<View> {
  const { steadyJson } = await import('./steady-view.ts');
  return steadyJson;
}

async function textView(): Promise<View> {
  const [{ renderSteady }, { outputStyle }] = await Promise.all([
    import('./steady-view.ts'),
    import('../command-line/output-style.ts'),
  ]);
  return (document) => renderSteady(document, outputStyle());
}
