import { parentPort, workerData } from 'node:worker_threads';
import type { InputError } from '../../base/problem.ts';
import type { Import } from '../load-model.ts';
import type { ThreadAnswer } from './thread-crew.ts';
import type { WorkSpec } from './work.ts';
import { type Worker, workerOf } from './worker.ts';

/**
 * A thread of a crew: does the tasks it is sent, one after the other. What it is made for it is told at its start.
 *
 * @param load how models are imported; bundled code brings its own way
 */
export function serve(load?: Import): void {
  let worker: Promise<Worker> | undefined;
  parentPort!.on('message', (message: { readonly task?: unknown }) => {
    worker ??= workerOf(workerData as WorkSpec, load);
    worker
      .then(
        async (work): Promise<ThreadAnswer> => ({
          result: 'task' in message ? await work(message.task as never) : undefined,
        }),
      )
      .catch(failed)
      .then((answer) => parentPort!.postMessage(answer));
  });
}

function failed(error: unknown): ThreadAnswer {
  // Models come with a copy of the package of their own.
  if (error instanceof Error && error.name === 'InputError') return { problems: (error as InputError).problems };
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  return { crash: { message, stack: stack ?? message } };
}
