import { crashOf, problemsOf } from '../base/thrown.ts';
import type { Following } from '../commands/command-line/following.ts';
import type { Answer, Answered, Job } from '../commands/command-line/job.ts';

/** The module `job.ts` of a command. The worker thread calls `run`. */
interface JobModule {
  readonly run: (job: never, following: Following) => unknown;
}

/** The commands with jobs; each line loads the modules of its command. */
export const JOBS: Readonly<Record<string, () => Promise<JobModule>>> = {
  predict: () => import('../commands/predict/job.ts'),
  profile: () => import('../commands/profile/job.ts'),
  view: () => import('../commands/view/job.ts'),
  convert: () => import('../commands/convert/job.ts'),
  explore: () => import('../commands/explore/job.ts'),
  verify: () => import('../commands/verify/job.ts'),
  structure: () => import('../commands/structure/job.ts'),
  steady: () => import('../commands/steady/job.ts'),
  whatif: () => import('../commands/whatif/job.ts'),
};

/** Starts loading the modules of a command before its job is known. Load errors surface at the later import. */
export function load(command: string): void {
  JOBS[command]!().catch(() => {});
}

/**
 * Runs a job in a thread that executes user code. A model that ends its thread or throws an uncaught exception is
 * reported as a problem. The thread that starts this one must redirect its `process.stdout`.
 *
 * @param answered called exactly once
 */
export async function guardedAnswer(
  job: Job,
  following: Following,
  answered: (answer: Answered) => void,
): Promise<void> {
  const [{ guardModel, leftRunning, unhandledRejections }, { duringImport }] = await Promise.all([
    import('../commands/inputs/model-guard.ts'),
    import('../commands/inputs/build-phase.ts'),
  ]);
  guardModel(job.input, (end) => answered({ answer: end, warnings: [] }));
  const found = await answer(job, following);
  // Timers of the model may run here; the build limit applies to them, too.
  await duringImport(unhandledRejections);
  await Promise.all([process.stdout, process.stderr].map(outputTaken));
  answered({ answer: found, warnings: leftRunning(job.input) });
}

/** Longest wait for a stream, in milliseconds: a model may have replaced its functions. */
const PATIENCE = 1000;

/** Resolves when the first thread has the output of the model so far: it ends this thread after the answer. */
function outputTaken(stream: NodeJS.WriteStream): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, PATIENCE);
    stream.write('', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** Runs a job. Never throws: input problems and internal errors are returned as answers. */
export async function answer(job: Job, following: Following): Promise<Answer> {
  try {
    if (following.building !== undefined) {
      const { watchBuilds } = await import('../commands/inputs/build-phase.ts');
      watchBuilds(following.building);
    }
    (await import('./kernel-cache.ts')).cacheKernels();
    const { run } = await JOBS[job.command]!();
    return { kind: 'done', result: await run(job as never, following) };
  } catch (error) {
    const problems = problemsOf(error);
    return problems === undefined ? { kind: 'crash', crash: crashOf(error) } : { kind: 'problems', problems };
  }
}
