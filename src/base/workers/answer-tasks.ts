import { parentPort } from 'node:worker_threads';
import type { Problem } from '../problem.ts';
import { crashOf, problemsOf } from '../thrown.ts';

/** Answer of a worker thread to a task. */
export type ThreadAnswer =
  | { readonly result: unknown }
  | { readonly problems: readonly Problem[] }
  | { readonly crash: { readonly message: string; readonly stack: string } };

/** Message of a worker thread: an answer (`last` if the thread then ends), or the start or end of a phase with a time limit. */
export type ThreadMessage = (ThreadAnswer & { readonly last?: true }) | { readonly limited: boolean };

/** Sends a message to the pool of this thread. */
export function post(message: ThreadMessage): void {
  parentPort!.postMessage(message);
}

/**
 * Main function of a thread of a `WorkerPool`: executes tasks one after the other.
 *
 * @param prepare called once, with the first message; returns the function that executes a task
 */
export function answerTasks(prepare: () => Promise<(task: never) => unknown>): void {
  let prepared: Promise<(task: never) => unknown> | undefined;
  parentPort!.on('message', (message: { readonly task?: unknown }) => {
    prepared ??= unreferenced(prepare);
    prepared
      .then(
        async (work): Promise<ThreadAnswer> => ({
          result: 'task' in message ? await work(message.task as never) : undefined,
        }),
      )
      .catch(failed)
      .then(post);
  });
}

/** Prepares with the port unreferenced: the thread then exits if the import of a module never settles. */
function unreferenced<T>(prepare: () => Promise<T>): Promise<T> {
  parentPort!.unref();
  return prepare().finally(() => parentPort!.ref());
}

function failed(error: unknown): ThreadAnswer {
  const problems = problemsOf(error);
  return problems === undefined ? { crash: crashOf(error) } : { problems };
}
