import { receiveMessageOnPort, workerData } from 'node:worker_threads';
import { replicate } from '../../../analysis/long-run/replicated-runs.ts';
import { Budget } from '../../../analysis/space/budget.ts';
import { problemsOf } from '../../../base/thrown.ts';
import { netHash } from '../../../net/net-hash.ts';
import { importModule } from '../../command-line/import-module.ts';
import { openInput } from '../../inputs/load-model.ts';
import { DEFAULT_SEED } from '../../predict/document.ts';
import { questionOf } from '../steady-question.ts';
import { type MeasuredQuestion, measuredQuestion } from './by-simulation.ts';
import { at, CONTROL, type RunAnswer, type RunTask, type ThreadStart } from './run-pool.ts';

/*
 * Main loop of a thread of run-pool.ts. The calling thread blocks until its simulation ends, so nothing here waits for it:
 *
 * - the thread reads the input again and compiles its own net, and is ready if that is the net of the calling thread;
 * - each task arrives in the port, and wakes the thread;
 * - the answer is posted, and wakes the calling thread;
 * - beats, counted while a run is in progress, show that the thread is alive.
 */
const { thread, control, port, again } = workerData as ThreadStart;
const { seed = DEFAULT_SEED } = again.options;

const stop = (): boolean => {
  Atomics.add(control, at(thread, 'beats'), 1);
  return Atomics.load(control, CONTROL.stop) === 1;
};

/** The net of the calling thread, compiled here; undefined if it cannot be made again. */
async function compiled(): Promise<MeasuredQuestion | undefined> {
  try {
    const { question } = questionOf(await openInput('steady', again.file, importModule), again.options, Budget.of());
    return netHash(question.net) === again.hash ? measuredQuestion(question, false) : undefined;
  } catch {
    return undefined;
  }
}

function answerOf({ measured, gauges }: MeasuredQuestion, { replication, until }: RunTask): RunAnswer {
  try {
    return { replication, result: replicate(measured, { seed, replication }, until, stop, gauges) };
  } catch (error) {
    const problems = problemsOf(error);
    return problems === undefined ? { replication } : { replication, problems };
  }
}

const own = await compiled();
Atomics.store(control, at(thread, 'ready'), own === undefined ? -1 : 1);
for (let done = 0; own !== undefined; done++) {
  Atomics.wait(control, at(thread, 'tasks'), done);
  if (Atomics.load(control, CONTROL.quit) === 1) break;
  const task = receiveMessageOnPort(port);
  if (task === undefined) break;
  port.postMessage(answerOf(own, task.message as RunTask));
  Atomics.add(control, CONTROL.answers, 1);
  Atomics.notify(control, CONTROL.answers);
}
port.close();
// A module may have left timers.
process.exit();
