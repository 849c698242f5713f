import { type MessagePort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { PackedKernel } from './packed-kernel.ts';
import { CONTROL, type SharedWork, takePart } from './shared-work.ts';

export interface WorkerStart {
  readonly thread: number;
  readonly work: SharedWork;
  readonly memory: WebAssembly.Memory;
  /** Index of its queue in the queue region. */
  readonly queueStart: number;
  /** Delivers the kernel code whenever it changes. */
  readonly code: MessagePort;
}

/* Main loop of a worker thread: waits for a phase, does its part, reports completion. */
const { thread, work, memory, queueStart, code } = workerData as WorkerStart;
const { control } = work;
let kernel: PackedKernel | undefined;
let epoch = Atomics.load(control, CONTROL.epoch);
Atomics.store(control, CONTROL.ready + thread, 1);
Atomics.notify(control, CONTROL.ready + thread);
for (;;) {
  Atomics.wait(control, CONTROL.epoch, epoch);
  epoch = Atomics.load(control, CONTROL.epoch);
  if (Atomics.load(control, CONTROL.quit) === 1) break;
  if (Atomics.load(control, CONTROL.takesPart + thread) === 0) continue;
  for (let sent = receiveMessageOnPort(code); sent !== undefined; sent = receiveMessageOnPort(code)) {
    const { module, next, end } = sent.message as { module: WebAssembly.Module; next: number; end: number };
    const [oldNext, oldEnd] = kernel === undefined ? [next, end] : [kernel.get('next'), kernel.get('end')];
    kernel = new PackedKernel(module, memory, queueStart);
    kernel.set('next', oldNext);
    kernel.set('end', oldEnd);
  }
  takePart(work, thread, kernel!);
  Atomics.add(control, CONTROL.done, 1);
  Atomics.notify(control, CONTROL.done);
}
code.close();
