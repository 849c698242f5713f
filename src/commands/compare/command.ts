import type { Command } from 'commander';
import { exitCode } from '../command-line/exit-code.ts';
import type { JobOptions, RunJob, Shell } from '../command-line/job.ts';
import {
  type EndFlags,
  endOptions,
  jobOptions,
  type MachineFlags,
  runOptions,
} from '../command-line/machine-options.ts';
import { parameter } from '../command-line/option-values.ts';
import { finished } from '../command-line/outcome.ts';
import { offerDocument, writeResult } from '../command-line/result-output.ts';
import { type ThreadFlags, threadOptions, threadsOf } from '../command-line/thread-options.ts';
import { filesOf } from '../inputs/path-kinds.ts';
import type { PredictionDocument } from '../predict/prediction.ts';
import type { Given } from './compare.ts';

interface CompareFlags extends MachineFlags, ThreadFlags, EndFlags {
  readonly json?: true;
  readonly set: Readonly<Record<string, number | string | boolean>>;
}

/** Adds `foretoken compare`. */
export function compareCommand(program: Command, { ends, runJob }: Shell): void {
  const command = runOptions(
    program
      .command('compare')
      .description(
        'compares two predictions: results, or models, traces and nets predicted with the same options; or two profiles by interval',
      )
      .argument('<a>', `RESULT.json from predict --json or profile --json; a run record; ${filesOf('predict')}`)
      .argument('<b>', 'the same'),
  );
  endOptions(
    threadOptions(command).option('--set <name=value>', 'model only: value of a parameter (repeatable)', parameter, {}),
  )
    .option('--json', 'print the comparison document, and nothing else, on standard output')
    .addHelpText('after', EXAMPLE)
    .action(async (a: string, b: string, flags: CompareFlags) => ends(await compareBoth(a, b, flags, runJob)));
}

const EXAMPLE = `
Examples:
  foretoken compare before.json after.json
  foretoken compare blocking.ts overlapping.ts --machine cluster.yaml --ranks 64
  foretoken compare app-v1.ti app-v2.ti --machine cluster.yaml
  foretoken compare before.json app.ti --machine cluster.yaml --json
  foretoken compare queue-1.json queue-2.json --until 3600
  foretoken compare jacobi.ts measured.ftrun --machine cluster.yaml --ranks 16
  foretoken compare sequential.ftrun parallel.ftrun`;

async function compareBoth(a: string, b: string, flags: CompareFlags, runJob: RunJob): Promise<number> {
  const [{ InputError, fail }, { resultOf }] = await Promise.all([
    import('../../base/problem.ts'),
    import('../rerun/result-file.ts'),
  ]);
  const { isProfiled } = await import('./profiled-inputs.ts');
  const { ties, until, maxSteps } = flags;
  const options = {
    ...jobOptions(flags),
    ...threadsOf(flags),
    ...(ties === undefined ? {} : { ties }),
    ...(until === undefined ? {} : { until }),
    ...(maxSteps === undefined ? {} : { maxSteps }),
    ...(Object.keys(flags.set).length === 0 ? {} : { set: flags.set }),
  };
  try {
    if ([a, b].some(isProfiled)) {
      const { compareByInterval } = await import('./profiled-inputs.ts');
      return await compareByInterval([a, b], options, flags.json === true, runJob);
    }
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const { problemText } = await import('../command-line/failure.ts');
    process.stderr.write(problemText(error.problems));
    return exitCode.input;
  }
  const given: Given[] = [];
  let results: readonly (PredictionDocument | undefined)[] = [];
  try {
    results = [a, b].map(resultOf);
    const [first] = Object.keys(options);
    if (first !== undefined && results.every((r) => r !== undefined))
      fail('APP004', `both inputs are results: option ${first} does not apply`, { file: a });
    for (const [k, input] of [a, b].entries()) {
      const document = results[k];
      const one = document === undefined ? await predicted(input, options, runJob) : { input, document };
      if (typeof one === 'number') return one;
      given.push(one);
    }
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const { problemText } = await import('../command-line/failure.ts');
    process.stderr.write(problemText(error.problems));
    return exitCode.input;
  }
  const [{ compare }, { comparisonJson, renderComparison }, { outputStyle }] = await Promise.all([
    import('./compare.ts'),
    import('./comparison-view.ts'),
    import('../command-line/output-style.ts'),
  ]);
  const document = compare(given[0]!, given[1]!);
  // Each run with drawn ties is another one.
  const [runA, runB] = given.map(({ input, document: of }, k) =>
    of.options.ties === 'random' || results[k] !== undefined ? undefined : input,
  );
  offerDocument({ json: () => comparisonJson(document), pair: { inputs: [runA, runB], options } });
  await writeResult(flags.json === true ? comparisonJson(document) : renderComparison(document, outputStyle()));
  if (document.a.deadlocked + document.b.deadlocked > 0) return exitCode.violated;
  return document.a.complete && document.b.complete ? exitCode.ok : exitCode.incomplete;
}

/** Predicts `input`; returns the exit code if there is no prediction. */
async function predicted(input: string, options: JobOptions, runJob: RunJob): Promise<Given | number> {
  const { answer, signal } = await runJob<PredictionDocument>({ command: 'predict', input, options });
  if (answer.kind !== 'done' || signal !== undefined)
    return finished(answer.kind === 'done' ? { kind: 'ended' } : answer, signal);
  return { input, document: answer.result };
}
