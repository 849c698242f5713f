import type { Command } from 'commander';
import { cleanUp } from '../command-line/clean-up.ts';
import { exitCode, signalCode } from '../command-line/exit-code.ts';
import type { JobEnd, Shell } from '../command-line/job.ts';
import {
  type EndFlags,
  endOptions,
  jobOptions,
  type MachineFlags,
  type ProgramFlags,
  programOptions,
  programsOf,
  type ReplicationFlags,
  replicationOptions,
  replicationsOf,
  runOptions,
} from '../command-line/machine-options.ts';
import { parameter } from '../command-line/option-values.ts';
import { finished } from '../command-line/outcome.ts';
import { offerDocument, writeResult } from '../command-line/result-output.ts';
import { type ThreadFlags, threadOptions, threadsOf } from '../command-line/thread-options.ts';
import { filesOf } from '../inputs/path-kinds.ts';
import type { PredictJob } from './job.ts';
import type { PredictionDocument } from './prediction.ts';

interface PredictFlags extends MachineFlags, ReplicationFlags, ThreadFlags, EndFlags, ProgramFlags {
  readonly json?: true;
  readonly exact?: true;
  readonly suggestPlacement?: true;
  readonly lump?: true;
  readonly trace?: string;
  readonly run?: string;
  readonly set: Readonly<Record<string, number | string | boolean>>;
}

/** Adds `foretoken predict`. */
export function predictCommand(program: Command, { ends, runJob, smallJob }: Shell): void {
  const command = runOptions(
    program
      .command('predict')
      .description('predicts how long a model, a recorded MPI program or a net runs on a machine, and why')
      .argument(
        '<inputs...>',
        `${filesOf('predict')}; - is a trace from standard input; several traces run at once, as jobs`,
      ),
  );
  endOptions(
    threadOptions(
      replicationOptions(
        command.option('--set <name=value>', 'model only: value of a parameter (repeatable)', parameter, {}),
      ),
      'otherwise threads of foretoken for replications (default: one per core)',
    ),
  );
  programOptions(command)
    .option('--json', 'print the result document, and nothing else, on standard output')
    .option(
      '--exact',
      'model or net: also run times over all orders, parallelism, and the distribution of the run time',
    )
    .option(
      '--suggest-placement',
      'model or trace: look for a placement of the ranks with a shorter run time (up to 200 predictions)',
    )
    .option('--lump', 'model: simulate one rank for each class of ranks that provably behave alike')
    .option('--trace <file>', 'write a Chrome trace (chrome://tracing, Perfetto, speedscope)')
    .option('--run <file>', 'write a run record: .ftrun, .jsonl, or .csv with .messages.csv (see foretoken profile)')
    .addHelpText('after', EXAMPLE)
    .action(async ([input = '', ...otherPrograms]: readonly string[], flags: PredictFlags) => {
      const { exact, suggestPlacement, lump, trace, run, ties, until, maxSteps, set } = flags;
      const options = {
        ...jobOptions(flags),
        secondRuns: true,
        ...replicationsOf(flags),
        ...threadsOf(flags),
        ...(Object.keys(set).length === 0 ? {} : { set }),
        ...programsOf(flags, otherPrograms),
        ...(exact === undefined ? {} : { exact }),
        ...(suggestPlacement === undefined ? {} : { suggestPlacement }),
        ...(lump === undefined ? {} : { lump }),
        ...(trace === undefined ? {} : { trace }),
        ...(run === undefined ? {} : { run }),
        ...(ties === undefined ? {} : { ties }),
        ...(until === undefined ? {} : { until }),
        ...(maxSteps === undefined ? {} : { maxSteps }),
      };
      ends(await predict({ command: 'predict', input, options }, flags.json === true, { runJob, smallJob }));
    });
}

const EXAMPLE = `
Examples:
  foretoken predict jacobi.ts --machine cluster.yaml --ranks 64 --set n=16384
  foretoken predict farm.ts --machine cluster.yaml --ranks 16 --precision 1%
  foretoken predict loop.ts --machine node.yaml --workers 8 --scheduler stealing
  foretoken predict stencil-8.ti --machine cluster.xml
  foretoken predict app.ti --machine cluster.yaml --placement cyclic
  foretoken predict app.ti --machine cluster.xml --hostfile hosts.txt --trace app.trace.json
  foretoken predict a.ti b.ti --machine cluster.yaml --start b=1.5
  foretoken predict parts.ts --ranks 2 --exact
  foretoken predict net.json --seed a --until 3600`;

async function predict(job: PredictJob, json: boolean, shell: Pick<Shell, 'runJob' | 'smallJob'>): Promise<number> {
  const view = json ? jsonView() : textView();
  const { answer, signal } = await ended(job, shell);
  if (answer.kind !== 'done') return finished(answer, signal);
  const document = answer.result;
  // Drawn ties make another run of each.
  const isRepeatable = document.options.ties !== 'random';
  offerDocument({ json: async () => (await jsonView())(document), ...(isRepeatable ? { run: job } : {}) });
  await writeResult((await view)(document));
  if (document.warnings.length > 0) {
    const { problemText } = await import('../command-line/failure.ts');
    process.stderr.write(problemText(document.warnings, 'warning: '));
  }
  if (document.deadlock.length > 0) return exitCode.violated;
  const { replications, exact, suggestedPlacement: suggested } = document;
  if (suggested !== undefined && suggested.kind !== 'none' && !suggested.complete && signal !== undefined)
    return signalCode(signal);
  const isShort = replications?.reached === false || exact?.complete === false;
  if (document.complete) return isShort ? exitCode.incomplete : exitCode.ok;
  return signal === undefined ? exitCode.incomplete : signalCode(signal);
}

async function ended(
  job: PredictJob,
  { runJob, smallJob }: Pick<Shell, 'runJob' | 'smallJob'>,
): Promise<JobEnd<PredictionDocument>> {
  const { replicated, replicateJob } = await import('./replications/replicate-job.ts');
  if (replicated(job)) return replicateJob(job);
  const answer = await smallJob<PredictionDocument>(job);
  if (answer !== undefined) return { answer };
  const { outputsOf } = await import('../../trace/run/write-run.ts');
  return runJob(job, await cleanUp(...outputsOf(job.options)));
}

type View = (document: PredictionDocument) => string;

/** Views are loaded while the worker thread computes. */
async function jsonView(): Promise<View> {
  const { predictionJson } = await import('./prediction-json.ts');
  return predictionJson;
}

async function textView(): Promise<View> {
  const [
    { renderPrediction },
    { replicatedFirings, replicatedMeans, replicationSection },
    { styleOf },
    { outputStyle },
  ] = await Promise.all([
    import('./view/terminal.ts'),
    import('./view/replications.ts'),
    import('../../report/style.ts'),
    import('../command-line/output-style.ts'),
  ]);
  return (document) => {
    const options = outputStyle();
    const view = renderPrediction(document, options);
    if (document.replications === undefined) return view;
    const { seconds, confidence, means = [], firings = [] } = document.replications;
    const style = styleOf(options);
    const tables = [replicatedMeans(means, style), replicatedFirings(firings, style)];
    const section = [
      ...replicationSection(seconds, style, confidence, document.places !== undefined),
      ...tables.flatMap((lines) => (lines.length === 0 ? [] : ['', ...lines])),
    ];
    return `${[...section, '', 'The following page shows replication 0.', '', view].join('\n')}`;
  };
}
