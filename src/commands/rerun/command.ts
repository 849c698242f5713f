import type { Command } from 'commander';
import { exitCode } from '../command-line/exit-code.ts';
import { printNotes } from '../command-line/failure.ts';
import type { Job, JobEnd, RunJob, Shell } from '../command-line/job.ts';
import { finished } from '../command-line/outcome.ts';
import type { Repeat } from '../command-line/repeat.ts';
import { writeResult } from '../command-line/result-output.ts';
import { visible } from '../command-line/visible.ts';
import type { PredictJob } from '../predict/job.ts';

/** Adds `foretoken rerun`. */
export function rerunCommand(program: Command, { ends, runJob }: Shell): void {
  program
    .command('rerun')
    .description(
      'repeats a prediction, exploration, verification, steady state or structural analysis from its result and compares the results; refuses if an input has changed',
    )
    .argument('<result>', 'RESULT.json from predict, explore, steady, structure or verify with --json')
    .option('--json', 'print the new result document, and nothing else, on standard output')
    .option('--trust', 'run the module that the result names; without it, asks on a terminal and refuses elsewhere')
    .addHelpText('after', EXAMPLE)
    .action(async (result: string, flags: { readonly json?: true; readonly trust?: true }) => {
      const { assertTrusted } = await import('./trust.ts');
      // Every way to repeat a result passes here before a module can be loaded.
      const trusting: RunJob = async <Result>(job: Job, onKilled?: () => void) => {
        await assertTrusted(job.input, result, flags.trust === true);
        const { replicated, replicateJob } = await import('../predict/replications/replicate-job.ts');
        const predicts = job as PredictJob;
        return replicated(predicts)
          ? ((await replicateJob(predicts)) as JobEnd<Result>)
          : runJob<Result>(job, onKilled);
      };
      ends(await rerun(result, flags.json === true, trusting));
    });
}

const EXAMPLE = `
Examples:
  foretoken rerun result.json
  foretoken rerun result.json --json > again.json
  foretoken rerun result-of-model.json --trust

Exit code 0: identical; 1: different; 2: an input has changed.`;

/** The kinds of results that can be repeated. Each line loads the modules of its command. */
const REPEATS: Readonly<Record<string, () => Promise<{ readonly REPEAT: Repeat<never> }>>> = {
  prediction: () => import('../predict/predict-rerun.ts'),
  space: () => import('../explore/explore-rerun.ts'),
  structure: () => import('../structure/structure-rerun.ts'),
  steady: () => import('../steady/steady-rerun.ts'),
  verification: () => import('../verify/net/verify-rerun.ts'),
  'program-verification': () => import('../verify/net/verify-rerun.ts'),
  'thread-verification': () => import('../verify/net/verify-rerun.ts'),
};

/** A result of a kind that can be repeated. */
interface Repeatable {
  readonly kind: string;
  readonly product: string;
}

async function rerun(file: string, json: boolean, runJob: RunJob): Promise<number> {
  const [{ InputError }, { anyResult }, { PRODUCT }] = await Promise.all([
    import('../../base/problem.ts'),
    import('./result-file.ts'),
    import('../../base/version.ts'),
  ]);
  try {
    const before: Repeatable = anyResult(file);
    const { REPEAT } = await REPEATS[before.kind]!();
    const repeat = REPEAT as unknown as Repeat<Repeatable>;
    const { input, options } = repeat.of(before, file);
    const { answer, signal } = await runJob<Repeatable>({ command: repeat.command, input, options });
    if (answer.kind !== 'done' || signal !== undefined)
      return await finished(answer.kind === 'done' ? { kind: 'ended' } : answer, signal);
    const after = answer.result;
    const differ = repeat.differences(before, after);
    if (json) await writeResult(await repeat.json(after));
    const notes = repeat.notes?.(after);
    await printNotes(notes === undefined ? {} : { notes });
    const found =
      differ.length === 0
        ? `identical: ${repeat.summary(after)}`
        : `differs in ${differ.join(', ')}: ${repeat.summary(after, before)}`;
    const made = before.product === PRODUCT ? '' : `; it was made by ${before.product}, this is ${PRODUCT}`;
    const text = `${visible(found + made)}\n`;
    if (json) process.stderr.write(text);
    else await writeResult(text);
    return differ.length === 0 ? exitCode.ok : exitCode.violated;
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const { problemText } = await import('../command-line/failure.ts');
    process.stderr.write(problemText(error.problems));
    return exitCode.input;
  }
}
