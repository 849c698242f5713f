import type { Command } from 'commander';
import { exitCode } from './exit-code.ts';
import type { JobOptions } from './job.ts';
import { finished } from './outcome.ts';
import { visible } from './visible.ts';

/** Adds `foretoken rerun`. */
export function rerunCommand(program: Command, ends: (code: number) => void): void {
  program
    .command('rerun')
    .description('repeats a prediction from its result, and says whether it is the same; refuses when an input changed')
    .argument('<result>', 'RESULT.json as predict --json prints it')
    .option('--json', 'print the new result document, and nothing else, on standard output')
    .addHelpText('after', EXAMPLE)
    .action(async (result: string, flags: { readonly json?: true }) => ends(await rerun(result, flags.json === true)));
}

const EXAMPLE = `
Examples:
  foretoken rerun result.json
  foretoken rerun result.json --json > again.json

Exit code 0: the same; 1: it differs; 2: an input has changed.`;

async function rerun(file: string, json: boolean): Promise<number> {
  const [
    { InputError },
    { readResult },
    { differences, rerunOf },
    { PRODUCT },
    { runJob },
    { replicated, replicateJob },
  ] = await Promise.all([
    import('../base/problem.ts'),
    import('../app/result-file.ts'),
    import('../app/rerun.ts'),
    import('../app/version.ts'),
    import('./run-job.ts'),
    import('./replicate-job.ts'),
  ]);
  try {
    const before = readResult(file);
    const { input, options } = rerunOf(before, file);
    const job = { command: 'predict', input, options: options as JobOptions } as const;
    const { answer, signal } = await (replicated(job) ? replicateJob(job, undefined) : runJob(job));
    if (answer.kind !== 'prediction' || signal !== undefined)
      return await finished(answer.kind === 'prediction' ? { kind: 'ended' } : answer, signal);
    const after = answer.document;
    const differ = differences(before, after);
    if (json) process.stdout.write((await import('../report/json.ts')).predictionJson(after));
    const by = before.product === PRODUCT ? '' : `; it was made by ${before.product}, this is ${PRODUCT}`;
    const [was, is] = [before, after].map((d) => `${d.figures.runTime.value} s`);
    const text =
      differ.length === 0
        ? `identical: run time ${is}${by}`
        : `differs in ${differ.join(', ')}: run time was ${was}, is ${is}${by}`;
    (json ? process.stderr : process.stdout).write(`${visible(text)}\n`);
    return differ.length === 0 ? exitCode.ok : exitCode.violated;
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const { problemText } = await import('./failure.ts');
    process.stderr.write(problemText(error.problems));
    return exitCode.input;
  }
}
