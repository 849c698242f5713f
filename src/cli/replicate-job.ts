import { isModelFile } from '../app/model-endings.ts';
import type { InputError } from '../base/problem.ts';
import type { Job } from './job.ts';
import type { JobEnd } from './run-job.ts';

/** Whether a job is replications of a model, which all cores can share. */
export function replicated({ command, input, options }: Job): boolean {
  const { replications, precision, trace } = options;
  const several = replications !== undefined || precision !== undefined;
  return command === 'predict' && several && isModelFile(input) && trace === undefined;
}

/** Plays replications in threads of their own, while this one stays free for signals and for the progress line. */
export async function replicateJob({ input, options }: Job, workers: number | undefined): Promise<JobEnd> {
  const [{ replicateModelFile }, { interrupt }, { Progress }] = await Promise.all([
    import('../app/predict/replicate-model-file.ts'),
    import('./interrupt.ts'),
    import('./progress.ts'),
  ]);
  const asked = interrupt();
  let done = 0;
  const line = new Progress(process.stderr, () => (done === 0 ? 'reading…' : `simulating: ${done} replications`));
  try {
    const document = await replicateModelFile(input, options, {
      ...(workers === undefined ? {} : { workers }),
      signal: asked.signal,
      progress: (count) => {
        done = count;
      },
    });
    const signal = asked.name();
    const answer = document === undefined ? ({ kind: 'ended' } as const) : ({ kind: 'prediction', document } as const);
    return signal === undefined ? { answer } : { answer, signal };
  } catch (error) {
    if (error instanceof Error && error.name === 'InputError')
      return { answer: { kind: 'problems', problems: (error as InputError).problems } };
    const { message, stack } = error instanceof Error ? error : new Error(String(error));
    return { answer: { kind: 'crash', crash: { message, stack: stack ?? message } } };
  } finally {
    line.stop();
    asked.off();
  }
}
