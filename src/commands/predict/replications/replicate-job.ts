import { availableParallelism } from 'node:os';
import { crashOf, problemsOf } from '../../../base/thrown.ts';
import type { JobEnd } from '../../command-line/job.ts';
import { pathFacts } from '../../inputs/path-kinds.ts';
import type { PredictJob } from '../job.ts';
import type { PredictionDocument } from '../prediction.ts';

/** True if a job replicates a model or a net; its runs can be distributed over all cores. */
export function replicated({ command, input, options }: PredictJob): boolean {
  const { replications, precision, trace, run } = options;
  const several = replications !== undefined || precision !== undefined;
  return command === 'predict' && several && pathFacts(input).isDrawn && trace === undefined && run === undefined;
}

/** Runs replications in worker threads; this thread remains free for signals and the progress line. */
export async function replicateJob({ input, options }: PredictJob): Promise<JobEnd<PredictionDocument>> {
  // The workers of a thread model are no threads of this program.
  const workers = options.workers === undefined ? undefined : Math.min(options.workers, availableParallelism());
  const [{ replicateModelFile }, { interrupt }, { partsText, Progress, TimeLeft }] = await Promise.all([
    import('./replicate-model-file.ts'),
    import('../../command-line/interrupt.ts'),
    import('../../command-line/progress.ts'),
  ]);
  const asked = interrupt();
  let done = 0;
  const left = new TimeLeft();
  const { replications: all, precision } = options;
  const line = new Progress(process.stderr, () => {
    if (done === 0) return 'reading…';
    // With a precision, the number that it needs is not known.
    if (precision !== undefined || all === undefined) return `simulating: ${done} replications`;
    return partsText('simulating', done, all, 'replications', left);
  });
  try {
    const document = await replicateModelFile(input, options, {
      ...(workers === undefined ? {} : { workers }),
      signal: asked.signal,
      progress: (count) => {
        done = count;
      },
    });
    const signal = asked.name();
    const answer =
      document === undefined ? ({ kind: 'ended' } as const) : ({ kind: 'done', result: document } as const);
    return signal === undefined ? { answer } : { answer, signal };
  } catch (error) {
    const problems = problemsOf(error);
    return {
      answer: problems === undefined ? { kind: 'crash', crash: crashOf(error) } : { kind: 'problems', problems },
    };
  } finally {
    line.stop();
    asked.off();
  }
}
