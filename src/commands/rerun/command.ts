import type { Command } from 'commander';
import { exitCode } from '../command-line/exit-code.ts';
import { printNotes } from '../command-line/failure.ts';
import type { Job, JobEnd, RunJob, Shell } from '../command-line/job.ts';
import { finished } from '../command-line/outcome.ts';
import { writeResult } from '../command-line/result-output.ts';
import { visible } from '../command-line/visible.ts';
import type { SpaceDocument } from '../explore/space.ts';
import type { PredictJob } from '../predict/job.ts';
import type { PredictionDocument } from '../predict/prediction.ts';
import type { StructureDocument } from '../structure/structure-result.ts';
import type { AnyVerification } from '../verify/net/verify-rerun.ts';

/** Adds `foretoken rerun`. */
export function rerunCommand(program: Command, { ends, runJob }: Shell): void {
  program
    .command('rerun')
    .description(
      'repeats a prediction, exploration, verification or structural analysis from its result and compares the results; refuses if an input has changed',
    )
    .argument('<result>', 'RESULT.json from predict, explore, structure or verify with --json')
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

async function rerun(file: string, json: boolean, runJob: RunJob): Promise<number> {
  const [
    { InputError },
    { readResult, spaceResultOf, structureResultOf, verificationResultOf },
    { differences, rerunOf },
    { PRODUCT },
  ] = await Promise.all([
    import('../../base/problem.ts'),
    import('./result-file.ts'),
    import('../predict/predict-rerun.ts'),
    import('../../base/version.ts'),
  ]);
  try {
    const space = spaceResultOf(file);
    if (space !== undefined) return await rerunSpace(space, file, json, runJob);
    const structure = structureResultOf(file);
    if (structure !== undefined) return await rerunStructure(structure, file, json, runJob);
    const verification = verificationResultOf(file);
    if (verification !== undefined) return await rerunVerification(verification, file, json, runJob);
    const before = readResult(file);
    const { input, options } = rerunOf(before, file);
    const { answer, signal } = await runJob<PredictionDocument>({ command: 'predict', input, options });
    if (answer.kind !== 'done' || signal !== undefined)
      return await finished(answer.kind === 'done' ? { kind: 'ended' } : answer, signal);
    const after = answer.result;
    const differ = differences(before, after);
    if (json) await writeResult((await import('../predict/prediction-json.ts')).predictionJson(after));
    await printNotes(after);
    const [was, is] = [before, after].map((d) => `${d.figures.runTime.value} s`);
    // The document contains the digest of the model's own module only.
    const unseen =
      before.inputs.model === undefined ? '' : '; packages and files that the model reads may have changed';
    const text =
      differ.length === 0
        ? `identical: run time ${is}${madeBy(before.product, PRODUCT)}`
        : `differs in ${differ.join(', ')}: run time was ${was}, is ${is}${madeBy(before.product, PRODUCT)}${unseen}`;
    if (json) process.stderr.write(`${visible(text)}\n`);
    else await writeResult(`${visible(text)}\n`);
    return differ.length === 0 ? exitCode.ok : exitCode.violated;
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const { problemText } = await import('../command-line/failure.ts');
    process.stderr.write(problemText(error.problems));
    return exitCode.input;
  }
}

function madeBy(product: string, now: string): string {
  return product === now ? '' : `; it was made by ${product}, this is ${now}`;
}

/** Repeats an exploration and compares the results. */
async function rerunSpace(before: SpaceDocument, file: string, json: boolean, runJob: RunJob): Promise<number> {
  const [{ spaceDifferences, spaceRerunOf }, { PRODUCT }] = await Promise.all([
    import('../explore/explore-rerun.ts'),
    import('../../base/version.ts'),
  ]);
  const { input, options } = spaceRerunOf(before, file);
  const { answer, signal } = await runJob<SpaceDocument>({ command: 'explore', input, options });
  if (answer.kind !== 'done' || signal !== undefined)
    return finished(answer.kind === 'done' ? { kind: 'ended' } : answer, signal);
  const after = answer.result;
  const differ = spaceDifferences(before, after);
  if (json) await writeResult((await import('../explore/space-view.ts')).spaceJson(after));
  const states = `${after.figures.states.value} states, ${after.figures.edges.value} edges`;
  const text = differ.length === 0 ? `identical: ${states}` : `differs in ${differ.join(', ')}: ${states}`;
  if (json) process.stderr.write(`${visible(text + madeBy(before.product, PRODUCT))}\n`);
  else await writeResult(`${visible(text + madeBy(before.product, PRODUCT))}\n`);
  return differ.length === 0 ? exitCode.ok : exitCode.violated;
}

/** Repeats a structural analysis and compares the results. */
async function rerunStructure(before: StructureDocument, file: string, json: boolean, runJob: RunJob): Promise<number> {
  const [{ structureDifferences, structureRerunOf }, { PRODUCT }] = await Promise.all([
    import('../structure/structure-rerun.ts'),
    import('../../base/version.ts'),
  ]);
  const { input, options } = structureRerunOf(before, file);
  const { answer, signal } = await runJob<StructureDocument>({ command: 'structure', input, options });
  if (answer.kind !== 'done' || signal !== undefined)
    return finished(answer.kind === 'done' ? { kind: 'ended' } : answer, signal);
  const after = answer.result;
  const differ = structureDifferences(before, after);
  if (json) await writeResult((await import('../structure/structure-view.ts')).structureJson(after));
  const { places, placeSemiflows } = after.figures;
  const size = `${places.value} places, ${placeSemiflows.value} place semiflows`;
  const solver = before.solver === after.solver ? '' : `; linear programs were ${before.solver}, are ${after.solver}`;
  const text = differ.length === 0 ? `identical: ${size}` : `differs in ${differ.join(', ')}: ${size}${solver}`;
  if (json) process.stderr.write(`${visible(text + madeBy(before.product, PRODUCT))}\n`);
  else await writeResult(`${visible(text + madeBy(before.product, PRODUCT))}\n`);
  return differ.length === 0 ? exitCode.ok : exitCode.violated;
}

/** Repeats a verification and compares the verdicts. */
async function rerunVerification(
  before: AnyVerification,
  file: string,
  json: boolean,
  runJob: RunJob,
): Promise<number> {
  const [{ verificationDifferences, verificationRerunOf }, { PRODUCT }] = await Promise.all([
    import('../verify/net/verify-rerun.ts'),
    import('../../base/version.ts'),
  ]);
  const { input, options } = verificationRerunOf(before, file);
  const { answer, signal } = await runJob<AnyVerification>({ command: 'verify', input, options });
  if (answer.kind !== 'done' || signal !== undefined)
    return finished(answer.kind === 'done' ? { kind: 'ended' } : answer, signal);
  const after = answer.result;
  const differ = verificationDifferences(before, after);
  if (json) await writeResult(await verificationText(after));
  if (after.kind !== 'verification') await printNotes(after);
  const properties =
    after.kind === 'verification'
      ? after.properties
      : after.instances.flatMap(({ properties }): unknown[] => [...properties]);
  const verdicts = `${properties.length} verdict${properties.length === 1 ? '' : 's'}`;
  const text = differ.length === 0 ? `identical: ${verdicts}` : `differs in ${differ.join(', ')}: ${verdicts}`;
  if (json) process.stderr.write(`${visible(text + madeBy(before.product, PRODUCT))}\n`);
  else await writeResult(`${visible(text + madeBy(before.product, PRODUCT))}\n`);
  return differ.length === 0 ? exitCode.ok : exitCode.violated;
}

/** The document of a verification as JSON. */
async function verificationText(document: AnyVerification): Promise<string> {
  switch (document.kind) {
    case 'verification':
      return (await import('../verify/net/verify-view.ts')).verificationJson(document);
    case 'program-verification':
      return (await import('../verify/program/program-verify-view.ts')).programVerificationJson(document);
    case 'thread-verification':
      return (await import('../verify/threads/thread-verify-view.ts')).threadVerificationJson(document);
  }
}
